import InlineStorage
import Testing

/// A vector beside an array that is held to the same capacity and counts its refusals.
private struct Pair<let capacity: Int>: ~Copyable {
  var vector = InlineVector<capacity, Int>()
  var model: [Int] = []
  var refusals: UInt32 = 0

  enum Operation {
    case append
    case insert(Int)
    case remove(Int)
    case replace(Int)
    case removeAll
  }

  /// Everything that is allowed in this state.
  var operations: [Operation] {
    [.append, .removeAll] + (0...model.count).map(Operation.insert) + model.indices.map(Operation.remove)
      + model.indices.map(Operation.replace)
  }

  /// False when the two said different things.
  mutating func apply(_ operation: Operation, value: Int) -> Bool {
    let fits = model.count < capacity
    switch operation {
    case .append:
      if fits { model.append(value) } else { refusals += 1 }
      return vector.append(value) == fits
    case .insert(let index):
      if fits { model.insert(value, at: index) } else { refusals += 1 }
      return vector.insert(value, at: index) == fits
    case .remove(let index): return vector.remove(at: index) == model.remove(at: index)
    case .replace(let index):
      vector[index] += value
      model[index] += value
    case .removeAll:
      vector.removeAll()
      model.removeAll()
    }
    return true
  }

  var agrees: Bool {
    vector.count == model.count && vector.rejectedCount == refusals && vector.isEmpty == model.isEmpty
      && vector.isFull == (model.count == capacity) && model.indices.allSatisfy { vector[$0] == model[$0] }
      && vector.span.count == model.count && model.indices.allSatisfy { vector.span[$0] == model[$0] }
  }

  /// Of all sequences of that many operations after these, how many did not agree.
  static func disagreements(depth: Int, after steps: [Operation] = []) -> Int {
    var pair = Pair()
    var isSame = true
    for (place, step) in steps.enumerated() where !pair.apply(step, value: 10 * place + 1) { isSame = false }
    let count = isSame && pair.agrees ? 0 : 1
    guard depth > 0 else { return count }
    return pair.operations.reduce(count) { $0 + disagreements(depth: depth - 1, after: steps + [$1]) }
  }
}

@Test func vectorsBehaveLikeAnArrayThatRefusesWhenFullForAllShortSequences() {
  #expect(Pair<0>.disagreements(depth: 4) == 0)
  #expect(Pair<1>.disagreements(depth: 5) == 0)
  #expect(Pair<2>.disagreements(depth: 5) == 0)
  #expect(Pair<3>.disagreements(depth: 4) == 0)
}

@Test func whatIsWrittenThroughASpanStandsInTheVector() {
  var vector = InlineVector<4, Int>()
  for value in 0..<3 { vector.append(value) }
  var span = vector.mutableSpan
  #expect(span.count == 3)
  for place in span.indices { span[place] += 10 }
  #expect(vector[0] == 10 && vector[1] == 11 && vector[2] == 12 && vector.count == 3)
}

@Test func readingBehindTheEndOfAVectorTraps() async {
  await #expect(processExitsWith: .failure) {
    var vector = InlineVector<4, Int>()
    vector.append(1)
    _ = vector[1]
  }
}

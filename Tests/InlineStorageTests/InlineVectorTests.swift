import InlineStorage
import Testing

/// A vector beside an array that is held to the same capacity and counts its refusals.
private struct Pair<let capacity: Int> {
  var vector = InlineVector<capacity, Int>(filler: -1)
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

  mutating func apply(_ operation: Operation, value: Int) {
    switch operation {
    case .append:
      expectTaken(vector.append(value))
      if model.count < capacity { model.append(value) }
    case .insert(let index):
      expectTaken(vector.insert(value, at: index))
      if model.count < capacity { model.insert(value, at: index) }
    case .remove(let index): #expect(vector.remove(at: index) == model.remove(at: index))
    case .replace(let index):
      vector[index] = value
      model[index] = value
    case .removeAll:
      vector.removeAll()
      model.removeAll()
    }
  }

  mutating func expectTaken(_ taken: Bool) {
    let fits = model.count < capacity
    if !fits { refusals += 1 }
    #expect(taken == fits)
  }

  var agrees: Bool {
    vector.count == model.count && vector.rejectedCount == refusals && vector.isEmpty == model.isEmpty
      && vector.isFull == (model.count == capacity) && model.indices.allSatisfy { vector[$0] == model[$0] }
  }

  /// All sequences of that many more operations; the number of sequences that did not agree.
  func disagreements(depth: Int) -> Int {
    var count = agrees ? 0 : 1
    guard depth > 0 else { return count }
    for operation in operations {
      var next = self
      next.apply(operation, value: depth * 10 + model.count)
      count += next.disagreements(depth: depth - 1)
    }
    return count
  }
}

@Test func vectorsBehaveLikeAnArrayThatRefusesWhenFullForAllShortSequences() {
  #expect(Pair<0>().disagreements(depth: 4) == 0)
  #expect(Pair<1>().disagreements(depth: 5) == 0)
  #expect(Pair<2>().disagreements(depth: 5) == 0)
  #expect(Pair<3>().disagreements(depth: 4) == 0)
}

@Test func readingBehindTheEndOfAVectorTraps() async {
  await #expect(processExitsWith: .failure) {
    var vector = InlineVector<4, Int>(filler: 7)
    vector.append(1)
    _ = vector[1]
  }
}

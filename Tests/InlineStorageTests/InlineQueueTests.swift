import InlineStorage
import Testing

/// A queue beside an array that is held to the same capacity and counts its refusals.
private struct Pair<let capacity: Int>: ~Copyable {
  var queue = InlineQueue<capacity, Int>()
  var model: [Int] = []
  var refusals: UInt32 = 0

  enum Operation: CaseIterable { case append, popFirst, removeAll }

  /// False when the two said different things.
  mutating func apply(_ operation: Operation, value: Int) -> Bool {
    switch operation {
    case .append:
      let fits = model.count < capacity
      if fits { model.append(value) } else { refusals += 1 }
      return queue.append(value) == fits
    case .popFirst: return queue.popFirst() == (model.isEmpty ? nil : model.removeFirst())
    case .removeAll:
      queue.removeAll()
      model.removeAll()
      return true
    }
  }

  var agrees: Bool {
    queue.count == model.count && queue.rejectedCount == refusals && queue.isEmpty == model.isEmpty
      && queue.isFull == (model.count == capacity) && queue.first == model.first
      && model.indices.allSatisfy { queue[$0] == model[$0] }
  }

  /// Of all sequences of that many operations after these, how many did not agree.
  static func disagreements(depth: Int, after steps: [Operation] = []) -> Int {
    var pair = Pair()
    var isSame = true
    for (place, step) in steps.enumerated() where !pair.apply(step, value: place) { isSame = false }
    let count = isSame && pair.agrees ? 0 : 1
    guard depth > 0 else { return count }
    return Operation.allCases.reduce(count) { $0 + disagreements(depth: depth - 1, after: steps + [$1]) }
  }
}

@Test func queuesBehaveLikeAnArrayThatRefusesWhenFullForAllShortSequences() {
  #expect(Pair<0>.disagreements(depth: 6) == 0)
  #expect(Pair<1>.disagreements(depth: 8) == 0)
  #expect(Pair<2>.disagreements(depth: 9) == 0)
  #expect(Pair<3>.disagreements(depth: 9) == 0)
}

@Test func readingBehindTheEndOfAQueueTraps() async {
  await #expect(processExitsWith: .failure) {
    var queue = InlineQueue<4, Int>()
    queue.append(1)
    _ = queue[1]
  }
}

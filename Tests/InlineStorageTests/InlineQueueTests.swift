import InlineStorage
import Testing

/// A queue beside an array that is held to the same capacity and counts its refusals.
private struct Pair<let capacity: Int> {
  var queue = InlineQueue<capacity, Int>(filler: -1)
  var model: [Int] = []
  var refusals: UInt32 = 0

  enum Operation: CaseIterable { case append, popFirst, removeAll }

  mutating func apply(_ operation: Operation, value: Int) {
    switch operation {
    case .append:
      let fits = model.count < capacity
      #expect(queue.append(value) == fits)
      if fits { model.append(value) } else { refusals += 1 }
    case .popFirst:
      #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
    case .removeAll:
      queue.removeAll()
      model.removeAll()
    }
  }

  var agrees: Bool {
    queue.count == model.count && queue.rejectedCount == refusals && queue.isEmpty == model.isEmpty
      && queue.isFull == (model.count == capacity) && queue.first == model.first
      && model.indices.allSatisfy { queue[$0] == model[$0] }
  }

  func disagreements(depth: Int) -> Int {
    var count = agrees ? 0 : 1
    guard depth > 0 else { return count }
    for operation in Operation.allCases {
      var next = self
      next.apply(operation, value: depth)
      count += next.disagreements(depth: depth - 1)
    }
    return count
  }
}

@Test func queuesBehaveLikeAnArrayThatRefusesWhenFullForAllShortSequences() {
  #expect(Pair<0>().disagreements(depth: 6) == 0)
  #expect(Pair<1>().disagreements(depth: 8) == 0)
  #expect(Pair<2>().disagreements(depth: 9) == 0)
  #expect(Pair<3>().disagreements(depth: 9) == 0)
}

@Test func readingBehindTheEndOfAQueueTraps() async {
  await #expect(processExitsWith: .failure) {
    var queue = InlineQueue<4, Int>(filler: 7)
    queue.append(1)
    _ = queue[1]
  }
}

import InlineStorage
import Testing

/// All sequences of numbers below `bound`, of that length.
private func sequences(_ length: Int, below bound: Int) -> [[Int]] {
  (0..<length).reduce([[]]) { all, _ in all.flatMap { one in (0..<bound).map { one + [$0] } } }
}

/// Does what the numbers say to a queue and to an array; false when they ever differ.
private func queueAgrees<let capacity: Int>(_ steps: [Int], capacity _: InlineArray<capacity, Int>.Type) -> Bool {
  var queue = InPlaceQueue<capacity, Int>()
  var model: [Int] = []
  var refusals: UInt32 = 0
  for (number, step) in steps.enumerated() {
    if step < 2 {
      let fits = model.count < capacity
      if queue.append(number) != fits { return false }
      if fits { model.append(number) } else { refusals += 1 }
    } else if queue.popFirst() != (model.isEmpty ? nil : model.removeFirst()) {
      return false
    }
    if queue.count != model.count || queue.isEmpty != model.isEmpty || queue.rejectedCount != refusals { return false }
  }
  return true
}

/// The same of a list: adding, taking out at a place, changing at a place, emptying.
private func listAgrees<let capacity: Int>(_ steps: [Int], capacity _: InlineArray<capacity, Int>.Type) -> Bool {
  var list = InPlaceVector<capacity, Int>()
  var model: [Int] = []
  var refusals: UInt32 = 0
  for (number, step) in steps.enumerated() {
    switch step {
    case 0, 1, 2:
      let fits = model.count < capacity
      if list.append(number) != fits { return false }
      if fits { model.append(number) } else { refusals += 1 }
    case 3, 4:
      guard !model.isEmpty else { continue }
      list.remove(at: step == 3 ? 0 : model.count / 2)
      model.remove(at: step == 3 ? 0 : model.count / 2)
    case 5:
      guard !model.isEmpty else { continue }
      list[model.count - 1] += 100
      model[model.count - 1] += 100
    default:
      list.removeAll()
      model.removeAll()
    }
    let isSame = list.count == model.count && model.indices.allSatisfy { list[$0] == model[$0] }
    let isFull = model.count == capacity
    if !isSame || list.isEmpty != model.isEmpty || list.isFull != isFull { return false }
    if list.rejectedCount != refusals { return false }
  }
  return true
}

@Suite struct InPlaceStorageTests {
  @Test func aQueueInItsPlaceBehavesLikeAnArrayForAllShortSequences() {
    for steps in sequences(9, below: 3) {
      #expect(queueAgrees(steps, capacity: InlineArray<1, Int>.self), "\(steps)")
      #expect(queueAgrees(steps, capacity: InlineArray<2, Int>.self), "\(steps)")
      #expect(queueAgrees(steps, capacity: InlineArray<3, Int>.self), "\(steps)")
    }
  }

  @Test func aListInItsPlaceBehavesLikeAnArrayForAllShortSequences() {
    for steps in sequences(5, below: 7) {
      #expect(listAgrees(steps, capacity: InlineArray<1, Int>.self), "\(steps)")
      #expect(listAgrees(steps, capacity: InlineArray<3, Int>.self), "\(steps)")
    }
  }

  @Test func placesOfAListInItsPlaceThatAreNotThereTrap() async {
    await #expect(processExitsWith: .failure) {
      var list = InPlaceVector<4, Int>()
      list.append(1)
      _ = list[1]
    }
    await #expect(processExitsWith: .failure) {
      var list = InPlaceVector<4, Int>()
      list.append(1)
      list[1] = 2
    }
    await #expect(processExitsWith: .failure) {
      var list = InPlaceVector<4, Int>()
      list.append(1)
      list.remove(at: 1)
    }
  }

  @Test func storageInPlaceTakesNoMemoryButItsRoom() {
    struct Kept: ~Copyable {
      var value: UInt64 = 1
      let inPlace = InPlace()
    }
    #expect(MemoryLayout<Kept>.size == 8)
    #expect(MemoryLayout<InPlaceVector<32, UInt64>>.size == MemoryLayout<InlineVector<32, UInt64>>.size)
  }
}

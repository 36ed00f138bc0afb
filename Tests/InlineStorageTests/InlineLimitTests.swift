import InlineStorage
import Testing

/// What the models of short sequences do not reach: long ones, counters at their end, misuse.
@Suite struct InlineLimitTests {
  @Test func aQueueGoesRoundForEver() {
    var queue = InlineQueue<5, Int>()
    var model: [Int] = []
    for step in 0..<400 {
      // Two in, one out, until full; then two out, one in.
      let isFilling = step / 30 % 2 == 0
      for _ in 0..<(isFilling ? 2 : 1) {
        let taken = queue.append(step)
        #expect(taken == (model.count < 5))
        if taken { model.append(step) }
      }
      for _ in 0..<(isFilling ? 1 : 2) {
        let first = queue.popFirst()
        #expect(first == model.first)
        if !model.isEmpty { model.removeFirst() }
      }
      #expect(queue.count == model.count && queue.first == model.first && queue.isFull == (model.count == 5))
      for place in model.indices { #expect(queue[place] == model[place]) }
    }
    #expect(queue.rejectedCount > 50)
    let refused = queue.rejectedCount
    queue.removeAll()
    #expect(queue.isEmpty && queue.first == nil && queue.popFirst() == nil && queue.rejectedCount == refused)
    for value in 0..<5 { queue.append(value) }
    #expect((0..<5).map { queue[$0] } == [0, 1, 2, 3, 4])
  }

  @Test func aListKeepsItsOrderWhereverItIsChanged() {
    var vector = InlineVector<6, Int>()
    for value in [10, 20, 30, 40] { vector.append(value) }
    #expect(vector.insert(5, at: 0) && vector.insert(45, at: 5) && vector.isFull)
    #expect(!vector.insert(99, at: 3) && !vector.append(98) && vector.rejectedCount == 2)
    #expect((0..<6).map { vector[$0] } == [5, 10, 20, 30, 40, 45])
    #expect(vector.remove(at: 2) == 20 && vector.remove(at: 4) == 45 && vector.remove(at: 0) == 5)
    #expect((0..<3).map { vector[$0] } == [10, 30, 40] && vector.count == 3)
    vector[1] = 31
    #expect(vector[1] == 31 && vector[0] == 10 && vector[2] == 40)
    vector.removeAll()
    #expect(vector.isEmpty && vector.rejectedCount == 2)
  }

  @Test func refusalsOfBytesAreForgottenWithThem() {
    var bytes = InlineBytes<3>()
    let four: [UInt8] = [1, 2, 3, 4]
    #expect(!bytes.append(contentsOf: four.span) && bytes.rejectedCount == 1 && bytes.isTruncated)
    #expect(!bytes.append(9) && bytes.rejectedCount == 2)
    bytes.append("ab")
    #expect(bytes.rejectedCount == 4 && (0..<3).map { bytes[$0] } == [1, 2, 3])
    bytes.removeAll()
    #expect(!bytes.isTruncated && bytes.rejectedCount == 0 && bytes.isEmpty)
    #expect(bytes.append(7) && bytes[0] == 7 && bytes.count == 1)
    let two: [UInt8] = [8, 9]
    #expect(bytes.append(contentsOf: two.span) && (0..<3).map { bytes[$0] } == [7, 8, 9] && !bytes.isTruncated)
    var other = InlineBytes<3>()
    for value: UInt8 in [7, 8, 9] { other.append(value) }
    other.append(1)
    // Refusals are no bytes.
    #expect(other == bytes && other.rejectedCount == 1)
    for (place, value) in [(0, UInt8(6)), (1, 6), (2, 6)] {
      var changed = InlineBytes<3>()
      for index in 0..<3 { changed.append(index == place ? value : bytes[index]) }
      #expect(changed != bytes)
    }
  }

  @Test func placesThatAreNotThereTrap() async {
    await #expect(processExitsWith: .failure) { _ = InlineBytes<4>("ab")[-1] }
    await #expect(processExitsWith: .failure) {
      var queue = InlineQueue<4, Int>()
      queue.append(1)
      _ = queue[-1]
    }
    await #expect(processExitsWith: .failure) {
      var vector = InlineVector<4, Int>()
      vector.append(1)
      vector[1] = 2
    }
    await #expect(processExitsWith: .failure) {
      var vector = InlineVector<4, Int>()
      vector.append(1)
      vector.remove(at: 1)
    }
    await #expect(processExitsWith: .failure) {
      var vector = InlineVector<4, Int>()
      vector.insert(1, at: 1)
    }
    await #expect(processExitsWith: .failure) {
      var vector = InlineVector<4, Int>()
      vector.append(1)
      _ = vector[-1]
    }
  }
}

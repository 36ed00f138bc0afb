import InlineStorage
import Testing

/// A buffer beside an array that is held to the same capacity and counts its refusals.
private struct Pair<let capacity: Int> {
  var buffer = InlineBytes<capacity>()
  var model: [UInt8] = []
  var refusals = 0

  enum Operation: CaseIterable { case byte, nothing, two, three, literal, removeAll }

  mutating func apply(_ operation: Operation, seed: UInt8) {
    switch operation {
    case .byte: take([seed], taken: buffer.append(seed))
    case .nothing: takeSpan([])
    case .two: takeSpan([seed, 1])
    case .three: takeSpan([seed, 2, 3])
    case .literal:
      buffer.append("lit")
      take(Array("lit".utf8), taken: nil)
    case .removeAll:
      buffer.removeAll()
      model.removeAll()
      refusals = 0
    }
  }

  mutating func takeSpan(_ bytes: [UInt8]) { take(bytes, taken: buffer.append(contentsOf: bytes.span)) }

  mutating func take(_ bytes: [UInt8], taken: Bool?) {
    let room = capacity - model.count
    if let taken { #expect(taken == (bytes.count <= room)) }
    model += bytes.prefix(room)
    refusals += max(0, bytes.count - room)
  }

  var agrees: Bool {
    buffer.count == model.count && buffer.rejectedCount == refusals && buffer.isEmpty == model.isEmpty
      && buffer.isTruncated == (refusals > 0) && buffer.span.count == model.count
      && model.indices.allSatisfy { buffer[$0] == model[$0] && buffer.span[$0] == model[$0] }
  }

  func disagreements(depth: Int) -> Int {
    var count = agrees ? 0 : 1
    guard depth > 0 else { return count }
    for operation in Operation.allCases {
      var next = self
      next.apply(operation, seed: UInt8(depth * 16))
      count += next.disagreements(depth: depth - 1)
    }
    return count
  }
}

@Test func bytesBehaveLikeAnArrayThatRefusesWhenFullForAllShortSequences() {
  #expect(Pair<0>().disagreements(depth: 4) == 0)
  #expect(Pair<1>().disagreements(depth: 5) == 0)
  #expect(Pair<4>().disagreements(depth: 6) == 0)
  #expect(Pair<7>().disagreements(depth: 5) == 0)
}

@Test func buffersWithTheSameBytesAreEqualWhateverStandsBehindThem() {
  var a = InlineBytes<8>("abcdef")
  a.removeAll()
  a.append("xyz")
  #expect(a == InlineBytes<8>("xyz"))
  #expect(a != InlineBytes<8>("xy"))
  #expect(a != InlineBytes<8>("xyw"))
}

@Test func aLiteralLongerThanTheBufferIsCutAndSaysSo() {
  let buffer = InlineBytes<4>("abcdef")
  #expect(buffer == InlineBytes<4>("abcd"))
  #expect(buffer.isTruncated && buffer.rejectedCount == 2)
}

@Test func readingBehindTheEndOfABufferTraps() async {
  await #expect(processExitsWith: .failure) { _ = InlineBytes<4>("ab")[2] }
}

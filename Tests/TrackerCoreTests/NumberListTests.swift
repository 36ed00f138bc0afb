import Testing
import TrackerRuntime

@testable import TrackerCore

@Suite struct NumberListTests {
  private static let range = 2...200

  private func list(_ text: String) -> NumberList? { NumberList(Array(text.utf8).span, in: Self.range) }

  private func text(_ list: NumberList) -> String {
    var buffer = ByteBuffer()
    list.encode(into: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private func numbers(_ list: NumberList) -> [UInt8] { (0..<list.count).map { list[$0] } }

  @Test func aListIsWrittenAsItIsRead() throws {
    for (written, expected) in [
      ("none", []), ("2", [2]), ("200+2", [200, 2]), ("5+4+3+2", [5, 4, 3, 2]),
    ] as [(String, [UInt8])] {
      let read = try #require(list(written), "\(written)")
      #expect(numbers(read) == expected && text(read) == written)
      #expect(NumberList(bits: read.bits, in: Self.range) == read, "as in a kept state")
    }
    #expect(list("20,10") == NumberList(20, 10))
  }

  @Test func whatIsNoListIsRefused() {
    for text in [
      "", "+", "20+", "+20", "20 10", "20++10", "1", "201", "256", "-5", "0", "20+20", "9+8+7+6+5", "none+5", "five",
      "5.5",
    ] {
      #expect(list(text) == nil, "\(text)")
    }
    #expect(list("3+2+4+5+5") == nil, "neither is one that repeats a number beyond the last place")
  }

  @Test func bitsThatAreNoListAreRefused() {
    // Beyond 32 bits, out of range, a number twice, and a gap.
    for bits in [-1, 1 << 32, 1, 201, 5 | 5 << 8, 5 << 8, 5 | 6 << 16] as [Int64] {
      #expect(NumberList(bits: bits, in: Self.range) == nil, "\(bits)")
    }
    #expect(NumberList(bits: 0, in: Self.range) == NumberList())
  }

  /// For each list of numbers up to 6, and each number, against a list of the standard library.
  @Test func theSmallestOfAListFromANumberIsFound() {
    for code in 0..<7 * 7 * 7 * 7 {
      let given = [code % 7, code / 7 % 7, code / 49 % 7, code / 343].map { UInt8($0) }
      let list = NumberList(given[0], given[1], given[2], given[3])
      var model: [UInt8] = []
      for number in given where number > 0 && !model.contains(number) { model.append(number) }
      #expect(numbers(list) == model)
      for number in 0...7 as ClosedRange<UInt8> {
        #expect(list.smallest(from: number) == model.filter { $0 >= number }.min())
        #expect(list.contains(number) == model.contains(number))
      }
    }
  }
}

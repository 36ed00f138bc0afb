import ASCIIText
import Foundation
import InlineStorage
import Quantities
import Testing

private func written(_ write: (inout InlineBytes<256>) -> Void) -> String {
  var sink = InlineBytes<256>()
  write(&sink)
  #expect(!sink.isTruncated)
  return String(decoding: (0..<sink.count).map { sink[$0] }, as: UTF8.self)
}

/// What is written for people and servers, against Foundation and the Unicode standard.
@Suite struct JSONTextTests {
  @Test func timesAreWrittenAsISO8601HasThem() throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var generator = SplitMix(state: 31)
    var times: [Int64] = [
      0, 999, 1000, 999_999, 59_999_999, 60_000_000, 3_599_999_999, 3_600_000_000, 86_399_999_999, 86_400_000_000,
      951_782_399_999_000, 951_782_400_000_000, 1_795_248_930_123_999,
    ]
    for _ in 0..<300 { times.append(Int64(generator.next() % 4_000_000_000_000_000)) }
    for microseconds in times {
      // Milliseconds rounded down.
      let whole = microseconds / 1000
      let date = Date(timeIntervalSince1970: Double(whole / 1000))
      let text = formatter.string(from: date).replacingOccurrences(
        of: ".000Z", with: String(format: ".%03dZ", Int(whole % 1000)))
      #expect(written { $0.append(iso8601: UTCTime(microseconds: microseconds)) } == text, "\(microseconds)")
    }
    #expect(written { $0.append(iso8601: UTCTime(microseconds: -1)) } == "1969-12-31T23:59:59.999Z")
    let early = try #require(CivilDate(year: 33, month: 4, day: 3))
    #expect(written { $0.append(iso8601: UTCTime(date: early, microsecondsOfDay: 1500)) } == "0033-04-03T00:00:00.001Z")
  }

  @Test func numbersHaveTheirDecimalsAndNoExponent() {
    for (value, decimals, text) in [
      (0.0, 0, "0"), (-0.0, 1, "0.0"), (1.5, 0, "2"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.04, 1, "0.0"),
      (0.05, 1, "0.1"),
      (-0.05, 1, "-0.1"), (-0.04, 1, "0.0"), (1e6, 2, "1000000.00"), (1e-9, 3, "0.000"), (123.456, 2, "123.46"),
      (0.999, 2, "1.00"), (1e30, 0, "9223372036854775807"), (-1e30, 0, "-9223372036854775808"), (7, -1, "7"),
      (.nan, 2, "null"), (.infinity, 0, "null"), (-.infinity, 3, "null"),
    ] as [(Double, Int, String)] {
      #expect(written { $0.append(json: value, decimals: decimals) } == text, "\(value) \(decimals)")
    }
    for (value, decimals, text) in [
      (Float(0.1), 3, "0.100"), (-1.25, 1, "-1.3"), (.nan, 1, "null"), (.infinity, 1, "null"),
      (16_777_216, 0, "16777216"),
    ] as [(Float, Int, String)] {
      #expect(written { $0.append(json: value, decimals: decimals) } == text, "\(value) \(decimals)")
    }
  }

  /// Every byte between letters: written as JSON that another reader takes for the same text.
  @Test func everyByteIsEscapedPassedOnOrReplaced() throws {
    for byte in UInt8.min...UInt8.max {
      let bytes: [UInt8] = [0x61, byte, 0x62]
      let text = written { $0.append(jsonString: bytes.span) }
      let read = try JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8))
      #expect(read == [String(decoding: bytes, as: UTF8.self)], "\(byte)")
      let inner = text.dropFirst(2).dropLast(2)
      switch byte {
      case 0x22, 0x5C: #expect(inner == "\\" + String(UnicodeScalar(byte)))
      case 0..<0x20: #expect(inner == String(format: "\\u%04X", Int(byte)))
      case 0x20..<0x80: #expect(inner == String(UnicodeScalar(byte)))
      default: #expect(inner == "\u{FFFD}")
      }
    }
    let none: [UInt8] = []
    #expect(written { $0.append(jsonString: none.span) } == "\"\"")
  }

  /// All first and second bytes, third and fourth at their limits, whole and broken off: as Swift's own decoder repairs them.
  @Test func brokenSequencesBecomeReplacementCharacters() {
    let firsts: [UInt8] = [
      0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    let nexts: [UInt8] = [0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    var count = 0
    func check(_ bytes: [UInt8]) {
      count += 1
      let text = written { $0.append(jsonString: bytes.span) }
      let expected = "\"" + String(decoding: bytes, as: UTF8.self) + "\""
      if Array(text.utf8) != Array(expected.utf8) { Issue.record("\(bytes): \(text), not \(expected)") }
    }
    for first in firsts {
      check([first])
      for second in nexts {
        check([first, second])
        for third in nexts {
          check([first, second, third])
          for fourth in nexts { check([first, second, third, fourth]) }
          check([first, second, third, 0x80, 0x80])
        }
      }
    }
    #expect(count > 18_000)
  }

  @Test func powersOfTenAreLimited() {
    var power: UInt64 = 1
    for exponent in 0...18 {
      #expect(powerOfTen(exponent) == power)
      if exponent < 18 { power *= 10 }
    }
    #expect(powerOfTen(-1) == 1 && powerOfTen(19) == power && powerOfTen(.max) == power && powerOfTen(.min) == 1)
    for value in UInt8(0)..<16 {
      #expect(hexadecimalDigit(value) == Array("0123456789ABCDEF".utf8)[Int(value)])
    }
  }

  /// The digits of a number without a sink: how many, and which.
  @Test func digitsAreCountedFromOneToTwenty() {
    var generator = SplitMix(state: 37)
    var numbers: [UInt64] = [0, 1, 9, 10, 99, 100, 99_999_999, 100_000_000, 4_294_967_295, 4_294_967_296, .max]
    for shift: UInt64 in 0..<64 { numbers.append(generator.next() >> shift) }
    // Zeros within, and at every place where the number is cut to be divided.
    for a: UInt64 in [1, 42] { for cut in [8, 16] { numbers.append(a * powerOfTen(cut) + 7) } }
    for number in numbers {
      for minimum in [-5, 0, 1, 3, 20, 21] {
        let digits = DecimalDigits(number, minimumCount: minimum)
        let plain = String(number)
        let wanted = String(repeating: "0", count: max(0, min(max(minimum, 1), 20) - plain.count)) + plain
        let span = digits.span
        #expect(digits.count == wanted.count && span.count == wanted.count)
        #expect(String(decoding: span.indices.map { span[$0] }, as: UTF8.self) == wanted)
      }
    }
  }

  /// Every number of up to three digits with a point at every place, against the same by hand.
  @Test func everySmallNumberIsScannedExactlyWithHalvesAwayFromZero() {
    for value in 0..<1000 {
      for point in 0...3 {
        let digits = String(format: "%03d", value)
        let text = digits.prefix(3 - point) + "." + digits.suffix(point)
        for decimals in 0...4 {
          // value · 10^decimals / 10^point, halves up.
          let numerator = value * Int(powerOfTen(decimals))
          let divisor = Int(powerOfTen(point))
          let expected = (2 * numerator + divisor) / (2 * divisor)
          for (sign, factor) in [("", 1), ("+", 1), ("-", -1)] {
            let bytes = Array((sign + text).utf8)
            let found = scanFixed(bytes.span, decimals: decimals)
            if found != Int64(factor * expected) { Issue.record("\(sign)\(text) with \(decimals): \(found ?? -1)") }
          }
        }
      }
    }
  }

  /// A buffer that is full takes no more, and what it holds is the beginning.
  @Test func aFullBufferKeepsTheBeginning() {
    let some: [UInt8] = [1, 2, 3, 4, 5]
    for room in 0...5 {
      var sink = InlineBytes<8>("xxxxxxxx")
      sink.removeAll()
      for _ in 0..<8 - room { sink.append(0x2E) }
      sink.append(bytes: some.span)
      #expect(sink.count == min(8, 8 - room + 5) && sink.rejectedCount == UInt32(max(0, 5 - room)))
      for place in 0..<min(room, 5) { #expect(sink[8 - room + place] == some[place]) }
    }
  }
}

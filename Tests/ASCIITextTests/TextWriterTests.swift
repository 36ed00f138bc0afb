import ASCIIText
import InlineStorage
import Quantities
import Testing

/// A sink that takes byte after byte, so that the general versions of all methods are used.
private struct SlowSink: ByteSink {
  var bytes: [UInt8] = []

  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
}

/// What a writer makes is what any sink makes of the same calls, and where there is no room it is the beginning of that.
@Suite struct TextWriterTests {
  private func expect(_ fast: (inout TextWriter) -> Void, _ slow: (inout SlowSink) -> Void) {
    var whole = SlowSink()
    slow(&whole)
    var sink = InlineBytes<256>()
    sink.write(fast)
    #expect((0..<sink.count).map { sink[$0] } == whole.bytes && sink.rejectedCount == 0)
    // A sink without memory to lend takes the text at the end.
    var plain = SlowSink()
    plain.append(0x2A)
    plain.write(fast)
    #expect(plain.bytes == [0x2A] + whole.bytes)
    // For every room that is too small.
    for room in 0..<whole.bytes.count {
      var small = InlineBytes<256>()
      for _ in room..<256 { small.append(0x2A) }
      small.write(fast)
      #expect((256 - room..<small.count).map { small[$0] } == Array(whole.bytes[..<room]))
      #expect(small.count == 256 && small.rejectedCount > 0)
    }
  }

  private static let numbers: [UInt64] = {
    var numbers: [UInt64] = [0, 7, 42, 4_294_967_295, 4_294_967_296, 1_795_512_345_678, 399_999_999_999_999_999, .max]
    for exponent in 0...18 {
      let power = powerOfTen(exponent)
      numbers += [power - 1, power, power + 1, power * 9]
    }
    var generator = SplitMix(state: 11)
    for shift: UInt64 in 0..<64 { numbers.append(generator.next() >> shift) }
    return numbers
  }()

  @Test func numbersAreThoseOfAnySink() {
    for number in TextWriterTests.numbers {
      expect({ $0.append(decimal: number) }, { $0.append(decimal: number) })
      let signed = Int64(truncatingIfNeeded: number)
      for value in [signed, 0 &- signed] {
        expect({ $0.append(decimal: value) }, { $0.append(decimal: value) })
        for decimals in [0, 1, 2, 3, 6, 7, 18] {
          expect({ $0.append(fixed: value, decimals: decimals) }, { $0.append(fixed: value, decimals: decimals) })
        }
      }
      for minimum in [-1, 0, 2, 4, 9, 20, 25] {
        expect(
          { $0.append(decimal: number, minimumDigits: minimum) },
          { $0.append(decimal: number, minimumDigits: minimum) })
      }
    }
    expect({ $0.append(decimal: Int64.min) }, { $0.append(decimal: Int64.min) })
    expect({ $0.append(fixed: 5, decimals: -1) }, { $0.append(fixed: 5, decimals: -1) })
    expect({ $0.append(fixed: 5, decimals: 30) }, { $0.append(fixed: 5, decimals: 30) })
  }

  @Test func everySmallNumberIsRight() {
    for value in -1200...120_000 as ClosedRange<Int64> {
      var sink = InlineBytes<32>()
      sink.write { $0.append(decimal: value) }
      #expect(String(decoding: (0..<sink.count).map { sink[$0] }, as: UTF8.self) == "\(value)")
    }
  }

  @Test func theWholeAndTheFractionOfANumberStandAroundThePoint() {
    var generator = SplitMix(state: 3)
    for round in 0..<40_000 {
      let value = UInt32(truncatingIfNeeded: generator.next()) >> UInt32(round % 32)
      let isNegative = round % 3 == 0
      let decimals = round % 9
      var digits = "\(value)"
      digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
      if decimals > 0 { digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals)) }
      var sink = InlineBytes<64>()
      sink.write { $0.append(fixed: isNegative ? -Int64(value) : Int64(value), decimals: decimals) }
      let expected = isNegative && value > 0 ? "-" + digits : digits
      #expect(String(decoding: (0..<sink.count).map { sink[$0] }, as: UTF8.self) == expected)
    }
  }

  @Test func realNumbersAreThoseOfAnySink() {
    for value in [0, -0.0, 0.05, -3.14159, 1e9, 1e18, 1e30, -1e30, .infinity, .nan] as [Double] {
      for decimals in 0...3 {
        expect({ $0.append(json: value, decimals: decimals) }, { $0.append(json: value, decimals: decimals) })
        let single = Float(value)
        expect({ $0.append(json: single, decimals: decimals) }, { $0.append(json: single, decimals: decimals) })
      }
    }
  }

  @Test func timesAreThoseOfAnySink() {
    let day: Int64 = 86_400_000_000
    var times: [Int64] = [0, -1, 1_795_512_345_678_901, day * 59, -day * 719_528, -day * 719_529, .min, .max]
    times += [253_402_300_799_999_999, 253_402_300_800_000_000]
    var generator = SplitMix(state: 5)
    for _ in 0..<500 { times.append(Int64(generator.next() % 253_402_300_800_000_000)) }
    for microseconds in times {
      let time = UTCTime(microseconds: microseconds)
      expect({ $0.append(iso8601: time) }, { $0.append(iso8601: time) })
      var minute = SlowSink()
      minute.append(iso8601: time)
      let text = String(decoding: minute.bytes, as: UTF8.self)
      // The same to the minute with a blank.
      guard let split = text.firstIndex(of: "T") else { continue }
      let short = "\(text[..<split]) \(text[text.index(after: split)...].prefix(5))"
      expect({ $0.append(minuteOf: time) }, { for byte in short.utf8 { $0.append(byte) } })
    }
  }

  @Test func textIsThatOfAnySink() {
    expect({ $0.append("abc") }, { $0.append("abc") })
    expect({ $0.append(",\"", "name", "\":") }, { $0.append(",\"name\":") })
    for flag in [true, false] { expect({ $0.append(flag: flag) }, { $0.append(flag ? "true" : "false") }) }
    var generator = SplitMix(state: 7)
    let random = (0..<64).map { generator.next() >> UInt64($0) }
    for value: UInt64 in [0, 9, 10, 15, 16, 0x10A0, 0x0123_4567, 0xABCDEF, 0x1_0000_0000, .max] + random {
      let digits = String(value, radix: 16, uppercase: true)
      expect({ $0.append(hexadecimal: value) }, { for byte in digits.utf8 { $0.append(byte) } })
    }
    let texts = [
      "", "bike-42", "owntracks/leash/bike-42", "12345678", "1234567\"", "\\2345678", "12345\u{1F}78", "a\u{7F}b",
    ]
    for text in texts + ["äöü", "1234567ä", "\u{0}", "12345678\"", "12345678\u{1}", "abcdefgh\\"] {
      let bytes = Array(text.utf8)
      expect({ $0.append(jsonString: bytes.span) }, { $0.append(jsonString: bytes.span) })
      expect({ $0.append(bytes: bytes.span) }, { $0.append(bytes: bytes.span) })
    }
    // Every byte, at every place of eight and behind them.
    for byte in UInt8.min ... .max {
      for place in 0..<10 {
        var bytes = [UInt8](repeating: 0x61, count: 10)
        bytes[place] = byte
        expect({ $0.append(jsonString: bytes.span) }, { $0.append(jsonString: bytes.span) })
      }
    }
  }

  @Test func aByteThatNeedsAnEscapeIsFoundInATextOfAnyLength() {
    for count in 1...25 {
      for place in 0..<count {
        for byte: UInt8 in [0, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xFF] {
          var bytes = [UInt8](repeating: 0x61, count: count)
          bytes[place] = byte
          var slow = SlowSink()
          slow.append(jsonString: bytes.span)
          var sink = InlineBytes<256>()
          sink.write { $0.append(jsonString: bytes.span) }
          #expect((0..<sink.count).map { sink[$0] } == slow.bytes)
          // In parts it is the same.
          var parts = InlineBytes<256>()
          parts.write {
            $0.append("\"")
            $0.append(jsonText: bytes.span)
            $0.append("\"")
          }
          #expect((0..<parts.count).map { parts[$0] } == slow.bytes)
        }
      }
    }
  }

  @Test func aMaskKeepsItsBytesAndNoOthers() {
    let (low, high): (UInt64, UInt64) = (1 << 0x20 | 1 << 0x39, 1 << 1 | 1 << 63)
    let kept = (UInt8.min ... .max).filter { TextWriter.has($0, low, high) }
    #expect(kept == [0x20, 0x39, 0x41, 0x7F])
  }

  @Test func aTextThatIsLargerThanTheFirstBufferIsWhole() {
    let piece = Array(repeating: UInt8(0x61), count: 1000)
    var sink = SlowSink()
    let pieces = sink.write { writer in
      for _ in 0..<50 { writer.append(bytes: piece.span) }
      return 50
    }
    #expect(pieces == 50 && sink.bytes.count == 50_000 && sink.bytes.allSatisfy { $0 == 0x61 })
    var none = InlineBytes<0>()
    none.write { $0.append("abc") }
    #expect(none.isEmpty && none.rejectedCount == 3)
  }
}

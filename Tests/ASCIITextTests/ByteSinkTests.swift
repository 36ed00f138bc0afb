import ASCIIText
import InlineStorage
import Testing

/// A sink that has only the one method it must have, so that the general versions of the others are used.
private struct PlainSink: ByteSink {
  var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
}

/// What both kinds of sink make of the same calls.
private func written(_ write: (inout any ByteSink) -> Void) -> String {
  var plain: any ByteSink = PlainSink()
  var inline: any ByteSink = InlineBytes<64>()
  write(&plain)
  write(&inline)
  let bytes = (plain as? PlainSink)?.bytes ?? []
  if let inline = inline as? InlineBytes<64> {
    #expect((0..<inline.count).map { inline[$0] } == bytes)
  }
  return String(decoding: bytes, as: UTF8.self)
}

private let interesting: [UInt64] = {
  var numbers: [UInt64] = [0, 5, 42, 4_294_967_295, 4_294_967_296, 4_294_967_299, .max, UInt64(Int64.max)]
  for exponent in 0...18 {
    let power = powerOfTen(exponent)
    numbers += [power - 1, power, power + 1, power * 9]
  }
  var generator = SplitMix(state: 7)
  for shift: UInt64 in 0..<64 { numbers.append(generator.next() >> shift) }
  return numbers
}()

@Test func integersAreWrittenInDecimal() {
  for number in interesting {
    #expect(written { $0.append(decimal: number) } == String(number))
    let signed = Int64(truncatingIfNeeded: number)
    #expect(written { $0.append(decimal: signed) } == String(signed))
  }
  #expect(written { $0.append(decimal: Int64.min) } == "-9223372036854775808")
}

@Test func integersArePaddedWithZeros() {
  for number in interesting {
    for minimum in [-1, 0, 1, 2, 8, 9, 19, 20, 25] {
      let digits = String(number)
      let zeros = String(repeating: "0", count: max(0, min(minimum, 20) - digits.count))
      #expect(written { $0.append(decimal: number, minimumDigits: minimum) } == zeros + digits)
    }
  }
  #expect(written { $0.append(decimal: Int64(-7), minimumDigits: 3) } == "-007")
}

@Test func scaledIntegersAreWrittenWithAPointAndNeverAnExponent() {
  for number in interesting {
    for value in [Int64(truncatingIfNeeded: number), -Int64(number >> 1)] {
      for decimals in 0...18 {
        var digits = String(value.magnitude)
        if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
        if decimals > 0 { digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals)) }
        #expect(written { $0.append(fixed: value, decimals: decimals) } == (value < 0 ? "-" : "") + digits)
      }
    }
  }
  #expect(written { $0.append(fixed: .min, decimals: 18) } == "-9.223372036854775808")
  #expect(written { $0.append(fixed: -5, decimals: 1) } == "-0.5")
  #expect(written { $0.append(fixed: 12, decimals: -2) } == "12")
  #expect(written { $0.append(fixed: 12, decimals: 30) } == "0.000000000000000012")
}

@Test func whatIsWrittenIsReadBackToTheSameNumber() {
  for number in interesting {
    for decimals in 0...18 {
      let value = Int64(truncatingIfNeeded: number)
      let text = written { $0.append(fixed: value, decimals: decimals) }
      let bytes = Array(text.utf8)
      let readBack = scanFixed(bytes.span, decimals: decimals)
      #expect(readBack == value)
    }
  }
}

@Test func bytesAreWrittenAsTwoHexadecimalDigitsAndReadBack() {
  for byte in UInt8.min...UInt8.max {
    let text = written { $0.append(hexadecimal: byte) }
    #expect(text == (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
    let digits = Array(text.utf8).compactMap(hexadecimalValue)
    #expect(digits.count == 2 && digits[0] << 4 | digits[1] == byte)
  }
}

@Test func literalsAndBytesAreWrittenAsTheyAre() {
  let some: [UInt8] = [0x31, 0x32]
  let none: [UInt8] = []
  let text = written {
    $0.append("a")
    $0.append("")
    $0.append("é,\0")
    $0.append(bytes: some.span)
    $0.append(bytes: none.span)
  }
  #expect(text == "aé,\012")
}

@Test func aNumberThatDoesNotFitIsCutAndSaysSo() {
  var buffer = InlineBytes<4>()
  buffer.append(fixed: -1234, decimals: 2)
  #expect(buffer == InlineBytes<4>("-12."))
  #expect(buffer.isTruncated && buffer.rejectedCount == 2)
}

import ASCIIText
import Foundation
import Quantities
import Testing

private func fixed(_ text: String, _ decimals: Int) -> Int64? {
  let bytes = Array(text.utf8)
  return scanFixed(bytes.span, decimals: decimals)
}

private func unsigned(_ text: String) -> UInt64? {
  let bytes = Array(text.utf8)
  return scanUnsigned(bytes.span)
}

@Test(
  arguments: [
    ("0", 0, 0), ("-0", 3, 0), ("+7", 0, 7), ("12.345", 3, 12345), ("12.345", 2, 1235), ("12.345", 1, 123),
    ("12.345", 0, 12), ("-12.345", 2, -1235), ("12.344999", 2, 1234), ("0.5", 0, 1), ("-0.5", 0, -1), ("0.49", 0, 0),
    ("5.", 1, 50), (".5", 1, 5), ("-.5", 0, -1), ("99.99", 1, 1000), ("000000000000000000000000000012", 0, 12),
    ("0.000000000000000000", 18, 0), ("1", 18, 1_000_000_000_000_000_000), ("12", -3, 12), ("0", 40, 0),
    ("9223372036854775807", 0, .max), ("-9223372036854775808", 0, .min), ("9223372036854775806.5", 0, .max),
    ("-9223372036854775807.5", 0, .min), ("9.223372036854775807", 18, .max), ("-9.2233720368547758079", 18, .min),
  ] as [(String, Int, Int64)])
func aPlainNumberIsReadAsAScaledInteger(text: String, decimals: Int, value: Int64) {
  #expect(fixed(text, decimals) == value)
}

@Test(
  arguments: [
    ("", 0), ("-", 0), ("+", 0), (".", 0), ("-.", 2), ("1.2.3", 2), ("--1", 0), ("1-", 0), (" 1", 0), ("1 ", 0),
    ("1e3", 0), ("0x1", 0), ("nan", 0), ("1,5", 1), ("1.5x", 0), ("9223372036854775808", 0),
    ("-9223372036854775809", 0),
    ("9223372036854775807.5", 0), ("-9223372036854775808.5", 0), ("10", 18), ("99999999999999999999999999", 0),
    ("922337203685477581", 1), ("18446744073709551616", 0),
  ] as [(String, Int)])
func textThatIsNoSuchNumberOrDoesNotFitIsNil(text: String, decimals: Int) {
  #expect(fixed(text, decimals) == nil)
}

@Test func scannedNumbersAgreeWithDecimalArithmetic() {
  var generator = SplitMix(state: 0x5EED)
  for _ in 0..<4000 {
    let wholeDigits = Int(generator.next() % 16)
    let fractionDigits = Int(generator.next() % 14)
    var text = generator.next() % 2 == 0 ? "-" : ""
    for _ in 0..<wholeDigits { text += String(generator.next() % 10) }
    if wholeDigits == 0 { text += "0" }
    if fractionDigits > 0 {
      text += "."
      for _ in 0..<fractionDigits { text += String(generator.next() % 10) }
    }
    let decimals = Int(generator.next() % 19)
    #expect(fixed(text, decimals) == model(text, decimals), "\(text) with \(decimals) decimals")
  }
}

/// The same by `Decimal`, which has 38 digits: scaled, rounded with halves away from zero, refused when it does not fit.
private func model(_ text: String, _ decimals: Int) -> Int64? {
  guard var number = Decimal(string: text) else { return nil }
  for _ in 0..<decimals { number *= 10 }
  var rounded = Decimal()
  NSDecimalRound(&rounded, &number, 0, .plain)
  return Int64(rounded.description)
}

/// Steele, Lea, Flood: a generator with a state of one word, so that a test has the same numbers every time.
struct SplitMix: RandomNumberGenerator {
  private var bits: SplitMix64

  init(state: UInt64) { bits = SplitMix64(seed: state) }

  mutating func next() -> UInt64 { bits.next() }
}

@Test func unsignedNumbersAreReadUpToTheirLimit() {
  #expect(unsigned("0") == 0)
  #expect(unsigned("007") == 7)
  #expect(unsigned("18446744073709551615") == .max)
  for text in ["", "18446744073709551616", "99999999999999999999", "-1", "+1", " 1", "1.0", "1a", "/", ":"] {
    #expect(unsigned(text) == nil, "\(text)")
  }
}

@Test func everyByteIsClassifiedAsDigitAndHexadecimalDigit() {
  for byte in UInt8.min...UInt8.max {
    let character = Character(UnicodeScalar(byte))
    #expect(isDigit(byte) == ("0"..."9").contains(character))
    #expect(hexadecimalValue(byte).map(Int.init) == (character.isASCII ? character.hexDigitValue : nil))
  }
}

@Test func aTextIsCutInWholeCharactersAndWithoutABlankAtItsEnd() {
  func cut(_ text: String, _ most: Int) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: bytes[0..<countOfWholeCharacters(bytes.span, upTo: most)], as: UTF8.self)
  }
  #expect(cut("behind the old shed", 19) == "behind the old shed")
  #expect(cut("behind the old sheds", 19) == "behind the old shed")
  #expect(cut("at the green house of Ida", 19) == "at the green house")
  #expect(cut("two  blanks", 5) == "two")
  #expect(cut("ends here ", 10) == "ends here ")
  #expect(cut("Kōpū 🐈‍⬛", 6) == "Kōpū")
  #expect((5...9).map { cut("Kōpū 🐈", $0) } == ["Kōp", "Kōpū", "Kōpū", "Kōpū", "Kōpū"])
  #expect(cut("   x", 2) == "")
  #expect(cut("ü", 1) == "" && cut("", 0) == "" && cut("x", -1) == "")
}

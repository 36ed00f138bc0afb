import ASCIIText
import InlineStorage
import Quantities

// What requests about rules have in common: numbers, places, lengths and names as text.

/// The most bytes of the name of a rule, and of a text of a profile.
var longestRuleName: Int { InlineBytes<32>.capacity }

/// A number of a rule, 1 to 255.
func ruleNumber(_ word: TextWord, _ text: Span<UInt8>) -> UInt8? {
  guard let number = scanUnsigned(word.bytes(of: text)), number > 0 else { return nil }
  return UInt8(exactly: number)
}

/// `LATITUDE,LONGITUDE` in degrees, as 1e-7 degree. What is out of range is told when it is made a region.
func ruleCorner(_ word: TextWord, _ text: Span<UInt8>) -> (Int32, Int32)? {
  var comma = word.start
  while comma < word.end, text[comma] != 0x2C { comma += 1 }
  guard comma < word.end, let latitude = scanFixed(text.extracting(word.start..<comma), decimals: 7),
    let longitude = scanFixed(text.extracting(comma + 1..<word.end), decimals: 7)
  else { return nil }
  return (Int32(clamping: latitude), Int32(clamping: longitude))
}

extension RequestWords {
  /// The name of a rule.
  mutating func nextRuleName(in text: Span<UInt8>) -> TextWord? {
    nextText("a name", 0...longestRuleName, in: text)
  }

  /// A length in metres, to the decimetre. The rule itself refuses one that is out of `RegionLimits.widths`, as far as a number is exact.
  mutating func nextMetres(_ what: StaticString, in text: Span<UInt8>) -> Float? {
    expect(.words(what))
    guard let word = next(in: text), let value = scanFixed(word.bytes(of: text), decimals: 1), value > 0,
      value <= 16_000_000
    else { return nil }
    return Float(value) / 10
  }
}

extension ByteSink {
  mutating func append(ruleNumber number: UInt8) {
    append(0x20)
    append(decimal: UInt64(number))
  }

  mutating func append(ruleMetres value: Float) {
    let tenths = Elementary.roundedInteger(Double(value) * 10)
    if tenths % 10 == 0 { append(decimal: Int64(tenths / 10)) } else { append(fixed: Int64(tenths), decimals: 1) }
  }

  mutating func append(latitudeE7: Int32, longitudeE7: Int32) {
    append(trimmed: Int64(latitudeE7), decimals: 7)
    append(0x2C)
    append(trimmed: Int64(longitudeE7), decimals: 7)
  }

  mutating func append(ruleName name: InlineBytes<32>) {
    append(0x22)
    append(bytes: name.span)
    append(0x22)
  }
}

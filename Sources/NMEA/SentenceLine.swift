import ASCIIText
import InlineStorage

/// One sentence being written: fields are added, then it goes out with `$`, checksum and line end.
struct SentenceLine {
  /// Digits after the point of the minutes: a unit of the seventh is 0.2 mm.
  static var minuteDecimals: Int { 7 }

  var bytes = InlineBytes<160>()

  init(_ talker: Talker, _ formatter: StaticString) {
    bytes.append(UInt8(truncatingIfNeeded: talker.letters >> 8))
    bytes.append(UInt8(truncatingIfNeeded: talker.letters))
    bytes.append(formatter)
  }

  /// Sends it.
  ///
  /// - Returns: False when the sink refused a byte or the sentence was longer than any real one; nothing more is sent
  ///   after that.
  func finish(into sink: inout some ByteSink) -> Bool {
    guard !bytes.isTruncated else { return false }
    var isWhole = sink.append(0x24)
    var place = 0
    while place < bytes.count, isWhole {
      isWhole = sink.append(bytes[place])
      place += 1
    }
    let sum = checksum(bytes.span)
    let tail: [5 of UInt8] = [0x2A, hexadecimalDigit(sum >> 4), hexadecimalDigit(sum & 15), 0x0D, 0x0A]
    place = 0
    while place < 5, isWhole {
      isWhole = sink.append(tail[place])
      place += 1
    }
    return isWhole
  }

  mutating func empty() { bytes.append(0x2C) }

  mutating func letter(_ letter: UInt8?) {
    bytes.append(0x2C)
    if let letter, letter != 0 { bytes.append(letter) }
  }

  mutating func integer(_ value: UInt16?, minimumDigits: Int = 1) {
    bytes.append(0x2C)
    if let value { bytes.append(decimal: UInt64(value), minimumDigits: minimumDigits) }
  }

  mutating func signedInteger(_ value: Int16?, minimumDigits: Int = 1) {
    bytes.append(0x2C)
    if let value { bytes.append(decimal: Int64(value), minimumDigits: minimumDigits) }
  }

  /// A decimal number; zeros at the end are left out down to `keeping` decimals.
  mutating func fixed(_ value: Int32?, decimals: Int, keeping: Int) {
    bytes.append(0x2C)
    guard let value else { return }
    var rest = Int64(value)
    var digits = decimals
    while digits > keeping, rest % 10 == 0 {
      rest /= 10
      digits -= 1
    }
    bytes.append(fixed: rest, decimals: digits)
  }

  /// Time of day with hundredths, or as many decimals as it takes.
  mutating func time(_ microseconds: Int64?) {
    bytes.append(0x2C)
    guard let microseconds, microseconds >= 0 else { return }
    let seconds = microseconds / 1_000_000
    // The second 60 of a leap second belongs to the minute before.
    let minutes = min(seconds / 60, 1439)
    bytes.append(decimal: UInt64(minutes / 60), minimumDigits: 2)
    bytes.append(decimal: UInt64(minutes % 60), minimumDigits: 2)
    bytes.append(decimal: UInt64(seconds - minutes * 60), minimumDigits: 2)
    bytes.append(0x2E)
    var fraction = UInt64(microseconds % 1_000_000)
    var digits = 6
    while digits > 2, fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    bytes.append(decimal: fraction, minimumDigits: digits)
  }

  /// Time of day and place, as most sentences of a fix begin.
  mutating func epoch(_ microseconds: Int64?, _ latitudeE9: Int64?, _ longitudeE9: Int64?) {
    time(microseconds)
    latitude(latitudeE9)
    longitude(longitudeE9)
  }

  mutating func latitude(_ valueE9: Int64?) { angle(valueE9, degreeDigits: 2, positive: 0x4E, negative: 0x53) }

  mutating func longitude(_ valueE9: Int64?) { angle(valueE9, degreeDigits: 3, positive: 0x45, negative: 0x57) }

  private mutating func angle(_ valueE9: Int64?, degreeDigits: Int, positive: UInt8, negative: UInt8) {
    guard let valueE9, valueE9.magnitude <= 180_000_000_000 else {
      empty()
      empty()
      return
    }
    // A nanodegree is six units of 1e-8 minute; rounding comes before the split so that 59.99999999 carries.
    let minutes = (valueE9.magnitude * 6 + 5) / 10
    let degree: UInt64 = 600_000_000
    bytes.append(0x2C)
    bytes.append(decimal: minutes / degree, minimumDigits: degreeDigits)
    bytes.append(decimal: minutes % degree / 10_000_000, minimumDigits: 2)
    bytes.append(0x2E)
    bytes.append(decimal: minutes % 10_000_000, minimumDigits: SentenceLine.minuteDecimals)
    letter(valueE9 < 0 ? negative : positive)
  }

  mutating func text(_ text: borrowing InlineBytes<64>) {
    bytes.append(0x2C)
    bytes.append(contentsOf: text.span)
  }
}

extension SentenceLine {
  /// Two more digits in the same field.
  mutating func appendDigits(_ value: UInt8) { bytes.append(decimal: UInt64(value), minimumDigits: 2) }

  /// The letters of a field; the first 0 ends it.
  mutating func letters(_ letters: InlineArray<6, UInt8>) {
    bytes.append(0x2C)
    var place = 0
    while place < 6, letters[place] != 0 {
      bytes.append(letters[place])
      place += 1
    }
  }
}

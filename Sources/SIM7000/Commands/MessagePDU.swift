import ASCIIText
import InlineStorage
import Quantities

/// A received short message as its bytes, which `CMGR` and `CMGL` print as digits when `CMGF` is 0.
///
/// Sender and text come out as in text mode: letters that GSM has and ASCII has not become `?`.
///
/// - Source: [ts23040] section 9.2.2.1 (`SMS-DELIVER`), 9.1.2.5 (addresses); [ts23038] section 4 (coding), 6.1.2.1 (packing),
///   6.2.1 (alphabet).
enum MessagePDU {
  /// Writes sender, line end and text; false when it is no received message, or damaged.
  static func read(_ digits: Span<UInt8>, into message: inout ModemParts.MessageBytes) -> Bool {
    message.removeAll()
    guard let centre = octet(digits, 0), let first = octet(digits, centre + 1), first & 3 == 0,
      let senderDigits = octet(digits, centre + 2), senderDigits <= 20, let kind = octet(digits, centre + 3)
    else { return false }
    var place = centre + 4
    let senderOctets = (senderDigits + 1) / 2
    guard appendSender(digits, place, count: senderDigits, kind: kind, to: &message) else { return false }
    place += senderOctets
    // The protocol, then the coding, then the time.
    guard let coding = octet(digits, place + 1), let length = octet(digits, place + 9) else { return false }
    message.append(0x0A)
    var skipped = 0
    if first & 0x40 != 0 {
      guard let header = octet(digits, place + 10) else { return false }
      skipped = header + 1
    }
    return appendText(digits, place + 10, length: length, skipping: skipped, coding: coding, to: &message)
  }

  /// Octets behind the centre's address; nil when these are no whole octets.
  static func octets(_ digits: Span<UInt8>) -> Int? {
    guard let centre = octet(digits, 0), digits.count & 1 == 0, digits.count / 2 > centre else { return nil }
    return digits.count / 2 - 1 - centre
  }

  /// When the centre had the message; nil when it says no time that there is.
  ///
  /// - Source: [ts23040] section 9.2.3.11.
  static func time(_ digits: Span<UInt8>) -> UTCTime? {
    guard let centre = octet(digits, 0), let senderDigits = octet(digits, centre + 2) else { return nil }
    var text = InlineBytes<24>()
    for index in 0..<7 {
      // Address, protocol and coding stand before it.
      guard let octet = octet(digits, centre + 6 + (senderDigits + 1) / 2 + index) else { return nil }
      let isNegative = index == 6 && octet & 8 != 0
      text.append(isNegative ? 0x2D : index == 6 ? 0x2B : 0x2C)
      let tens = octet & (index == 6 ? 7 : 15)
      guard tens <= 9, octet >> 4 <= 9 else { return nil }
      text.append(0x30 + UInt8(truncatingIfNeeded: tens))
      text.append(0x30 + UInt8(truncatingIfNeeded: octet >> 4))
    }
    return ClockText(text.span)?.utcOfLocal
  }

  /// What became of a message that was sent; nil when it is no such report, or damaged.
  ///
  /// - Source: [ts23040] section 9.2.2.3 (`SMS-STATUS-REPORT`).
  static func report(_ digits: Span<UInt8>) -> StatusReportNotice? {
    guard let centre = octet(digits, 0), let first = octet(digits, centre + 1), first & 3 == 2,
      let reference = octet(digits, centre + 2), let receiverDigits = octet(digits, centre + 3), receiverDigits <= 20,
      // The receiver, when the centre had the message, when the report was made.
      let status = octet(digits, centre + 5 + (receiverDigits + 1) / 2 + 14)
    else { return nil }
    return StatusReportNotice(
      reference: UInt8(truncatingIfNeeded: reference), status: UInt8(truncatingIfNeeded: status))
  }

  private static func octet(_ digits: Span<UInt8>, _ index: Int) -> Int? {
    let place = index * 2
    guard place >= 0, place + 1 < digits.count, let high = hexadecimalValue(digits[place]),
      let low = hexadecimalValue(digits[place + 1])
    else { return nil }
    return Int(high) << 4 | Int(low)
  }

  private static func appendSender(
    _ digits: Span<UInt8>, _ start: Int, count: Int, kind: Int, to message: inout ModemParts.MessageBytes
  ) -> Bool {
    if kind & 0x70 == 0x50 {
      return appendPacked(digits, start, characters: count * 4 / 7, skippedBits: 0, to: &message)
    }
    if kind & 0x70 == 0x10 { message.append(0x2B) }
    var place = 0
    while place < count {
      guard let octet = octet(digits, start + place / 2) else { return false }
      let digit = place & 1 == 0 ? octet & 15 : octet >> 4
      guard digit <= 9 else { return false }
      message.append(0x30 + UInt8(truncatingIfNeeded: digit))
      place += 1
    }
    return true
  }

  private static func appendText(
    _ digits: Span<UInt8>, _ start: Int, length: Int, skipping header: Int, coding: Int,
    to message: inout ModemParts.MessageBytes
  ) -> Bool {
    let alphabet = coding & 0xC0 == 0 ? coding >> 2 & 3 : coding & 0xF0 == 0xF0 ? coding >> 2 & 1 : 0
    if alphabet == 0 {
      let bits = (header * 8 + 6) / 7 * 7
      return appendPacked(digits, start, characters: length - bits / 7, skippedBits: bits, to: &message)
    }
    var place = header
    while place < length {
      guard let byte = octet(digits, start + place) else { return false }
      if alphabet == 2 {
        guard let low = octet(digits, start + place + 1) else { return false }
        message.append(byte == 0 && low < 0x80 ? UInt8(truncatingIfNeeded: low) : 0x3F)
        place += 1
      } else {
        message.append(UInt8(truncatingIfNeeded: byte))
      }
      place += 1
    }
    return true
  }

  /// Letters of seven bits.
  private static func appendPacked(
    _ digits: Span<UInt8>, _ start: Int, characters: Int, skippedBits: Int, to message: inout ModemParts.MessageBytes
  ) -> Bool {
    var bit = skippedBits
    var isEscaped = false
    var rest = characters
    while rest > 0 {
      guard let low = octet(digits, start + bit / 8) else { return false }
      let next = octet(digits, start + bit / 8 + 1)
      guard bit & 7 <= 1 || next != nil else { return false }
      let high = next ?? 0
      let code = UInt8(truncatingIfNeeded: (low | high << 8) >> (bit & 7) & 0x7F)
      if code == 0x1B, !isEscaped {
        isEscaped = true
      } else {
        message.append(isEscaped ? extended(code) : plain(code))
        isEscaped = false
      }
      bit += 7
      rest -= 1
    }
    return true
  }

  private static func plain(_ code: UInt8) -> UInt8 {
    switch code {
    case 0x00: return 0x40
    case 0x02: return 0x24
    case 0x0A, 0x0D, 0x20...0x23, 0x25...0x3F, 0x41...0x5A, 0x61...0x7A: return code
    case 0x11: return 0x5F
    default: return 0x3F
    }
  }

  private static func extended(_ code: UInt8) -> UInt8 {
    switch code {
    case 0x14: return 0x5E
    case 0x28: return 0x7B
    case 0x29: return 0x7D
    case 0x2F: return 0x5C
    case 0x3C: return 0x5B
    case 0x3D: return 0x7E
    case 0x3E: return 0x5D
    case 0x40: return 0x7C
    default: return 0x3F
    }
  }
}

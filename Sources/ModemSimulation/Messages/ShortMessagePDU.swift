import Quantities

/// Short messages as the network packs them.
///
/// - Source: [ts23040] sections 9.1.2.5 (addresses), 9.2.2 (messages), 9.2.3 (fields).
enum ShortMessagePDU {
  /// What a host wants to send.
  struct Submit: Equatable, Sendable {
    /// Number of the receiver.
    var to: String
    /// The text.
    var text: String
    /// A report is wanted of what becomes of it.
    var wantsReport = false
  }

  /// Reads an SMS-SUBMIT with the address of the message centre before it.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - length: How long the part behind the centre's address is, as the host said.
  /// - Returns: nil when it is none.
  static func submit(_ bytes: [UInt8], length: Int) -> Submit? {
    guard let centre = bytes.first, bytes.count == 1 + Int(centre) + length else { return nil }
    var rest = bytes.dropFirst(1 + Int(centre))
    guard let first = rest.popFirst(), first & 0x03 == 1, rest.popFirst() != nil else { return nil }
    guard let digits = rest.popFirst(), let type = rest.popFirst() else { return nil }
    let octets = (Int(digits) + 1) / 2
    guard rest.count >= octets else { return nil }
    let to = number(Array(rest.prefix(octets)), digits: Int(digits), type: type)
    rest = rest.dropFirst(octets)
    guard rest.popFirst() != nil, let coding = rest.popFirst() else { return nil }
    let validity = [0, 7, 1, 7][Int(first >> 3 & 3)]
    guard rest.count > validity else { return nil }
    rest = rest.dropFirst(validity)
    guard let count = rest.popFirst() else { return nil }
    guard let text = text(Array(rest), count: Int(count), coding: coding, hasHeader: first & 0x40 != 0) else {
      return nil
    }
    return Submit(to: to, text: text, wantsReport: first & 0x20 != 0)
  }

  /// An SMS-DELIVER (or a stored SMS-SUBMIT) with the centre's address before it, and the length without that.
  static func stored(_ message: StoredMessage, centre: String) -> (bytes: [UInt8], length: Int) {
    var bytes = address(centre)
    bytes[0] = UInt8(bytes.count - 1)
    let start = bytes.count
    bytes += message.isReceived ? [0x04] : [0x01, 0x00]
    bytes += address(message.address)
    let septets = Alphabet.septets(message.text)
    bytes += [0x00, septets == nil ? 0x08 : 0x00]
    if message.isReceived { bytes += timestamp(message.time, quarters: message.quarters) }
    if let septets {
      bytes += [UInt8(clamping: septets.count)] + Alphabet.pack(septets)
    } else {
      let units = message.text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      bytes += [UInt8(clamping: units.count)] + units
    }
    return (bytes, bytes.count - start)
  }

  /// An SMS-STATUS-REPORT with the centre's address before it, and the length without that.
  ///
  /// - Source: [ts23040] section 9.2.2.3.
  static func report(_ report: MessageReport, centre: String, quarters: Int) -> (bytes: [UInt8], length: Int) {
    var bytes = address(centre)
    bytes[0] = UInt8(bytes.count - 1)
    let start = bytes.count
    bytes += [0x06, UInt8(truncatingIfNeeded: report.reference)] + address(report.to)
    bytes += timestamp(report.sent, quarters: quarters) + timestamp(report.done, quarters: quarters)
    bytes.append(UInt8(truncatingIfNeeded: report.status))
    return (bytes, bytes.count - start)
  }

  /// Number of digits, type and digits of a telephone number.
  private static func address(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue.flatMap { $0 < 10 ? UInt8($0) : nil } }
    var bytes: [UInt8] = [UInt8(clamping: digits.count), text.hasPrefix("+") ? 0x91 : 0x81]
    for place in stride(from: 0, to: digits.count, by: 2) {
      bytes.append((place + 1 < digits.count ? digits[place + 1] : 0x0F) << 4 | digits[place])
    }
    return bytes
  }

  private static func number(_ bytes: [UInt8], digits: Int, type: UInt8) -> String {
    if type & 0x70 == 0x50 { return Alphabet.text(Alphabet.unpack(bytes, count: digits * 4 / 7)) }
    let all = bytes.flatMap { [$0 & 0x0F, $0 >> 4] }.prefix(digits)
    return (type & 0x70 == 0x10 ? "+" : "") + all.map { String($0, radix: 16) }.joined()
  }

  private static func text(_ bytes: [UInt8], count: Int, coding: UInt8, hasHeader: Bool) -> String? {
    let header = hasHeader ? Int(bytes.first ?? 0) + 1 : 0
    guard header <= bytes.count else { return nil }
    switch coding & 0x0C {
    case 0x00:
      let skipped = (header * 8 + 6) / 7
      guard count >= skipped, bytes.count >= (count * 7 + 7) / 8 else { return nil }
      return Alphabet.text(Array(Alphabet.unpack(bytes, count: count).dropFirst(skipped)))
    case 0x08:
      guard count <= bytes.count, count >= header else { return nil }
      return Alphabet.textOfUCS2(Array(bytes[header..<count]))
    default:
      guard count <= bytes.count, count >= header else { return nil }
      return String(decoding: bytes[header..<count], as: UTF8.self)
    }
  }

  /// Local time with its zone, each pair of digits swapped.
  private static func timestamp(_ utc: UTCTime, quarters: Int) -> [UInt8] {
    let text = ClockParts(utc + .seconds(quarters * 900)).short
    let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
    var bytes = stride(from: 0, to: 12, by: 2).map { digits[$0 + 1] << 4 | digits[$0] }
    let zone = UInt8(clamping: abs(quarters))
    bytes.append((zone % 10) << 4 | zone / 10 | (quarters < 0 ? 0x08 : 0))
    return bytes
  }
}

import ATCommands

/// A message of MQTT: `+SMSUB: "<topic>","<payload>"`.
///
/// The line has no lengths and no escapes. The topic ends at the first `","`, the payload at the last quote of the line; what
/// stands between may hold quotes. Nothing is copied: the value says where both lie in the line.
///
/// - Source: [sim7000at] `AT+SMSUB`; [sim7000an] MQTT(S).
@frozen package struct PublishedMessageNotice: ATNotice {
  /// First byte of the topic, counted from the line's beginning.
  package var topicStart: UInt16
  /// The byte after the topic.
  package var topicEnd: UInt16
  /// First byte of the payload.
  package var payloadStart: UInt16
  /// The byte after the payload.
  package var payloadEnd: UInt16

  /// The topic within the line that this was read from; empty for a line that is shorter.
  @_lifetime(copy line)
  package func topic(in line: borrowing ATLine) -> Span<UInt8> {
    PublishedMessageNotice.part(of: line, from: topicStart, to: topicEnd)
  }

  /// The payload within the line that this was read from; empty for a line that is shorter.
  @_lifetime(copy line)
  package func payload(in line: borrowing ATLine) -> Span<UInt8> {
    PublishedMessageNotice.part(of: line, from: payloadStart, to: payloadEnd)
  }

  @_lifetime(copy line)
  private static func part(of line: borrowing ATLine, from start: UInt16, to end: UInt16) -> Span<UInt8> {
    let bytes = line.bytes
    guard start <= end, Int(end) <= bytes.count else { return bytes.extracting(0..<0) }
    return bytes.extracting(Int(start)..<Int(end))
  }

  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> PublishedMessageNotice? {
    guard line.isNamed("+SMSUB"), line.bytes.count <= 65_535 else { return nil }
    let bytes = line.bytes
    var place = 7
    while place < bytes.count && bytes[place] == 0x20 { place += 1 }
    guard place < bytes.count, bytes[place] == 0x22 else { return nil }
    let topicStart = place + 1
    place = topicStart
    while place + 2 < bytes.count && !(bytes[place] == 0x22 && bytes[place + 1] == 0x2C && bytes[place + 2] == 0x22) {
      place += 1
    }
    guard place + 2 < bytes.count, place > topicStart else { return nil }
    let payloadStart = place + 3
    var end = bytes.count
    while end > payloadStart && bytes[end - 1] != 0x22 { end -= 1 }
    guard end > payloadStart else { return nil }
    return PublishedMessageNotice(
      topicStart: UInt16(truncatingIfNeeded: topicStart), topicEnd: UInt16(truncatingIfNeeded: place),
      payloadStart: UInt16(truncatingIfNeeded: payloadStart), payloadEnd: UInt16(truncatingIfNeeded: end - 1))
  }
}

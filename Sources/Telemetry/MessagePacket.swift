public import ASCIIText
import InlineStorage
import Quantities

extension Packet {
  /// The most characters `encodeMessage` writes: one text message of the GSM alphabet.
  ///
  /// - Source: [ts27005] with 3GPP TS 23.038: 140 octets hold 160 characters of 7 bits.
  public static var messageCapacity: Int { 160 }

  /// Writes the packet as a text message for a person: what, which tracker, when, and a link that opens a map.
  ///
  /// Every character is in the GSM alphabet and takes one of the 160 places; what the tracker's name has beside letters,
  /// digits and plain punctuation becomes `?`. A position that is not known is said to be unknown.
  public func encodeMessage(trackerID: Span<UInt8>, into sink: inout some ByteSink) {
    sink.write { writeMessage(trackerID: trackerID, into: &$0) }
  }

  private func writeMessage(trackerID: Span<UInt8>, into sink: inout TextWriter) {
    appendPlain(trackerID.extracting(0..<min(32, trackerID.count)), to: &sink)
    sink.append(": ")
    if let rule {
      encodeRule(rule, into: &sink)
    } else {
      let name = kind == .status ? status?.reason.name ?? kind.name : kind.name
      sink.append(name)
      if let alert {
        sink.append(" (")
        sink.append(alert.evidence.detector.name)
        sink.append(")")
      } else if kind == .status, status != nil, let value {
        encodeValue(value, after: name.utf8CodeUnitCount, into: &sink)
      }
    }
    if let utc {
      sink.append(", ")
      sink.append(minuteOf: utc)
      sink.append(" UTC")
    }
    if let position {
      sink.append(isStale ? ", last seen https://osm.org/?mlat=" : ", https://osm.org/?mlat=")
      sink.append(fixed: Packet.microdegrees(position.latitudeE7), decimals: 6)
      sink.append("&mlon=")
      sink.append(fixed: Packet.microdegrees(position.longitudeE7), decimals: 6)
    } else {
      sink.append(", place unknown")
    }
    sink.append(" #")
    sink.append(decimal: Int64(sequence))
  }

  /// `left garden`, `alarm Feed her`.
  private func encodeRule(_ rule: PacketRule, into sink: inout TextWriter) {
    switch kind {
    case .fence: sink.append("outside ")
    case .transition: sink.append(rule.isEntry ? "came to " : "left ")
    default:
      sink.append(status?.reason.name ?? kind.name)
      sink.append(" ")
    }
    appendPlain(rule.name.text.span, to: &sink)
  }

  /// The most characters for the name of an answer, a space and its value: with all else at its longest there is no room for more.
  private static var answerCapacity: Int { 31 }

  /// `fence 1`, `tooFewPoints`; nothing when it does not fit.
  private func encodeValue(_ value: PacketText, after count: Int, into sink: inout TextWriter) {
    guard value.count > 0, count + 1 + Int(value.count) <= Packet.answerCapacity else { return }
    sink.append(" ")
    appendPlain(value.text.span, to: &sink, isValue: true)
  }

  /// Ten units of 1e-7 degree make one of 1e-6, halves away from zero.
  private static func microdegrees(_ degreesE7: Int32) -> Int64 {
    let value = Int64(degreesE7)
    return (value + (value < 0 ? -5 : 5)) / 10
  }

  /// Writes what is one character in the GSM alphabet and the same in ASCII, and `?` for the rest: letters, digits and `-.,/#()+:` with
  /// blanks; of a value also `*<>`, which lists and time zones have.
  ///
  /// - Source: 3GPP TS 23.038 section 6.2.1: `$` and `@` are elsewhere, `[ \ ] ^ { | } ~` need two places, `` ` `` has none.
  private func appendPlain(_ text: Span<UInt8>, to sink: inout TextWriter, isValue: Bool = false) {
    let low: UInt64 = isValue ? 0x57FF_FF09_0000_0000 : 0x07FF_FB09_0000_0000
    sink.append(masked: text, low: low, high: 0x07FF_FFFE_07FF_FFFE, other: 0x3F)
  }
}

public import ASCIIText
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
    var place = 0
    while place < trackerID.count && place < 32 {
      sink.append(Packet.isPlain(trackerID[place]) ? trackerID[place] : 0x3F)
      place += 1
    }
    sink.append(": ")
    if let rule {
      encodeRule(rule, into: &sink)
    } else {
      sink.append(kind == .status && alert != nil ? status?.reason.name ?? kind.name : kind.name)
      if let alert {
        sink.append(" (")
        sink.append(alert.evidence.detector.name)
        sink.append(")")
      }
    }
    if let utc {
      sink.append(", ")
      let date = utc.date
      sink.append(decimal: Int64(date.year), minimumDigits: 4)
      sink.append("-")
      sink.append(decimal: Int64(date.month), minimumDigits: 2)
      sink.append("-")
      sink.append(decimal: Int64(date.day), minimumDigits: 2)
      sink.append(" ")
      let minutes = utc.microsecondsOfDay / 60_000_000
      sink.append(decimal: minutes / 60, minimumDigits: 2)
      sink.append(":")
      sink.append(decimal: minutes % 60, minimumDigits: 2)
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
  private func encodeRule(_ rule: PacketRule, into sink: inout some ByteSink) {
    switch kind {
    case .fence: sink.append("outside ")
    case .transition: sink.append(rule.isEntry ? "came to " : "left ")
    default:
      sink.append(status?.reason.name ?? kind.name)
      sink.append(" ")
    }
    var place = 0
    while place < Int(rule.name.count) {
      let byte = rule.name[place]
      sink.append(Packet.isPlain(byte) ? byte : 0x3F)
      place += 1
    }
  }

  /// Ten units of 1e-7 degree make one of 1e-6, halves away from zero.
  private static func microdegrees(_ degreesE7: Int32) -> Int64 {
    let value = Int64(degreesE7)
    return (value + (value < 0 ? -5 : 5)) / 10
  }

  /// True for what is one character in the GSM alphabet and the same in ASCII.
  ///
  /// - Source: 3GPP TS 23.038 section 6.2.1: `$` and `@` are elsewhere, `[ \ ] ^ { | } ~` need two places, `` ` `` has none.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
    case 0x20, 0x2D, 0x2E, 0x2C, 0x2F, 0x23, 0x28, 0x29, 0x2B, 0x3A: return true
    default: return false
    }
  }
}

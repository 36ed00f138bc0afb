public import ASCIIText
import InlineStorage
import Quantities

extension Packet {
  /// The most characters `encodeMessage` writes: one text message of the GSM alphabet.
  ///
  /// - Source: [ts27005] with 3GPP TS 23.038: 140 octets hold 160 characters of 7 bits.
  public static var messageCapacity: Int { 160 }

  /// Writes the packet as a text message for a person: what, which tracker, when, and a link that opens a map. An alert has its number, for
  /// the answer: `bike-7: movement 3 (turn), …` is ended by `dismiss 3`.
  ///
  /// Every character is in the GSM alphabet and takes one of the 160 places: of names letters lose their accents, and what has no place
  /// there becomes `?`. A position that is not known is said to be unknown.
  public func encodeMessage(trackerID: Span<UInt8>, into sink: inout some ByteSink) {
    sink.write { writeMessage(trackerID: trackerID, isPlain: true, into: &$0) }
  }

  /// Writes the same text for ways that carry any letters, UTF-8: names are as their owner wrote them, but for control characters.
  public func encodeText(trackerID: Span<UInt8>, into sink: inout some ByteSink) {
    sink.write { writeMessage(trackerID: trackerID, isPlain: false, into: &$0) }
  }

  private func writeMessage(trackerID: Span<UInt8>, isPlain: Bool, into sink: inout TextWriter) {
    var count = min(32, trackerID.count)
    // Not in the middle of a character.
    if count < trackerID.count { while count > 0, trackerID[count] & 0xC0 == 0x80 { count -= 1 } }
    append(name: trackerID.extracting(0..<count), isPlain: isPlain, to: &sink)
    sink.append(": ")
    let rest = Packet.messageCapacity - count - 2
    if let rule {
      encodeRule(rule, isPlain: isPlain, rest - tailCount, into: &sink)
    } else {
      let name = kind == .status ? status?.reason.name ?? kind.name : kind.name
      sink.append(name)
      if let alert {
        sink.append(" ")
        sink.append(decimal: Int64(alert.id))
        let detector = alert.evidence.detector.name
        let length = name.utf8CodeUnitCount + 1 + Packet.digitCount(alert.id) + 3 + detector.utf8CodeUnitCount
        // Nearly always there is room for the longest end, which need not be measured then.
        if length <= rest - Packet.longestTail || length <= rest - tailCount {
          sink.append(" (")
          sink.append(detector)
          sink.append(")")
        }
      } else if kind == .status, status != nil, let value {
        encodeValue(value, after: name.utf8CodeUnitCount, isPlain: isPlain, into: &sink)
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

  /// The largest `tailCount`.
  private static var longestTail: Int { 106 }

  /// The most characters behind what happened: when, where, and the number of the packet.
  private var tailCount: Int {
    var count = 2 + Packet.digitCount(sequence)
    // A year of more than four digits is none that a receiver tells.
    if let utc { count += (0...9999).contains(utc.date.year) ? 22 : 32 }
    guard let position else { return count + 15 }
    count += isStale ? 34 : 24
    return count + 6 + Packet.degreeCount(position.latitudeE7) + Packet.degreeCount(position.longitudeE7)
  }

  /// The characters of degrees with six decimals.
  private static func degreeCount(_ degreesE7: Int32) -> Int {
    let value = Packet.microdegrees(degreesE7)
    return (value < 0 ? 8 : 7) + Packet.digitCount(UInt32(truncatingIfNeeded: value.magnitude / 1_000_000))
  }

  private static func digitCount(_ number: UInt32) -> Int {
    var count = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }

  /// `left garden`, `alarmRang Feed her`, `outside garden by 150 m (alert 3)`; the distance is left out where there is no room for it
  /// among the 160 characters, and then the number.
  private func encodeRule(_ rule: PacketRule, isPlain: Bool, _ room: Int, into sink: inout TextWriter) {
    switch kind {
    case .fence: sink.append("outside ")
    case .transition: sink.append(rule.isEntry ? "came to " : "left ")
    default:
      sink.append(status?.reason.name ?? kind.name)
      sink.append(" ")
    }
    append(name: rule.name.text.span, isPlain: isPlain, to: &sink)
    guard kind == .fence, let alert else { return }
    let count = 8 + Int(rule.name.count) + 9 + Packet.digitCount(alert.id)
    guard count <= room else { return }
    if let metres = alert.evidence.displacement, metres >= 0, metres < 1e9 {
      let distance = UInt32(metres)
      if count + 6 + Packet.digitCount(distance) <= room {
        sink.append(" by ")
        sink.append(decimal: Int64(distance))
        sink.append(" m")
      }
    }
    sink.append(" (alert ")
    sink.append(decimal: Int64(alert.id))
    sink.append(")")
  }

  /// The most characters for the name of an answer, a space and its value: with all else at its longest there is no room for more.
  private static var answerCapacity: Int { 31 }

  /// `fence 1`, `tooFewPoints`; nothing when it does not fit.
  private func encodeValue(_ value: PacketText, after count: Int, isPlain: Bool, into sink: inout TextWriter) {
    guard value.count > 0, count + 1 + Int(value.count) <= Packet.answerCapacity else { return }
    sink.append(" ")
    append(name: value.text.span, isPlain: isPlain, to: &sink)
  }

  /// Ten units of 1e-7 degree make one of 1e-6, halves away from zero.
  private static func microdegrees(_ degreesE7: Int32) -> Int64 {
    let value = Int64(degreesE7)
    return (value + (value < 0 ? -5 : 5)) / 10
  }

  /// Writes what somebody has named; of a plain text what is one character in the GSM alphabet and the same in ASCII. `?` stands for each
  /// character that can't be told.
  ///
  /// - Source: 3GPP TS 23.038 section 6.2.1: `$`, `@` and `_` are elsewhere, `[ \ ] ^ { | } ~` need two places, `` ` `` has none.
  private func append(name text: Span<UInt8>, isPlain: Bool, to sink: inout TextWriter) {
    let low: UInt64 = isPlain ? 0xFFFF_FFEF_0000_0000 : 0xFFFF_FFFF_0000_0000
    let high: UInt64 = isPlain ? 0x07FF_FFFE_07FF_FFFE : 0x7FFF_FFFF_FFFF_FFFF
    var place = 0
    while place < text.count {
      let byte = text[place]
      if byte < 0x80 {
        sink.append(TextWriter.has(byte, low, high) ? byte : 0x3F)
        place += 1
        continue
      }
      let (length, isValid) = utf8Sequence(in: text, at: place)
      if isValid, !isPlain {
        sink.append(bytes: text.extracting(place..<place + length))
      } else {
        sink.append(isValid && byte == 0xC3 ? Packet.letter(text[place + 1]) : 0x3F)
      }
      place += length
    }
  }

  /// The letter without its accent that a character from U+00C0 to U+00FF is, by the second of its bytes; `?` for those that are none.
  private static func letter(_ byte: UInt8) -> UInt8 {
    let letter: UInt8
    switch byte & 0x1F {
    case 0...6: letter = 0x41
    case 7: letter = 0x43
    case 8...11: letter = 0x45
    case 12...15: letter = 0x49
    case 17: letter = 0x4E
    case 18...22, 24: letter = 0x4F
    case 25...28: letter = 0x55
    case 29: letter = 0x59
    case 31: return byte == 0x9F ? 0x73 : 0x79
    default: return 0x3F
    }
    return byte < 0xA0 ? letter : letter | 0x20
  }
}

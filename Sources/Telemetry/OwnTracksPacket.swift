import ASCIIText
import InlineStorage
import Quantities

extension Packet {
  /// What an accuracy that is not known is said to be, m: receivers drop a location that has none.
  static var ownTracksAccuracy: Int64 { 100 }

  /// Writes the packet as an OwnTracks `location`, which recorders, Home Assistant, Traccar and the phone apps show.
  ///
  /// The trigger `t` tells the kind: `!` for an alert, `a` for a parking place, `I` for the end of a ride, `r` for an answer. Beside
  /// the fields of the phone apps (`batt` and `bs` for the battery) there are those that dedicated trackers send (`motion`, `tow`,
  /// `odometer` in km, `ubatt` in V), and `alert`,
  /// `detector` and `armed`, which others pass over. Over HTTP the receiver knows the tracker by `topic`,
  /// `owntracks/leash/` and its id, or by the headers `X-Limit-U` and `X-Limit-D`.
  ///
  /// - Source: booklet of OwnTracks, "JSON" and "HTTP"; the triggers are those of its gateway for dedicated trackers.
  /// - Returns: False, and nothing written, when there is no position: a `location` must have one.
  func encodeOwnTracks(trackerID: Span<UInt8>, into sink: inout some ByteSink) -> Bool {
    guard let position else { return false }
    sink.append("{\"_type\":\"location\",\"tid\":")
    sink.append(jsonString: trackerID.extracting(Packet.shortNameStart(in: trackerID)..<trackerID.count))
    sink.append(",\"lat\":")
    sink.append(fixed: Int64(position.latitudeE7), decimals: 7)
    sink.append(",\"lon\":")
    sink.append(fixed: Int64(position.longitudeE7), decimals: 7)
    append(",\"acc\":", position.accuracyMetres ?? Packet.ownTracksAccuracy, to: &sink)
    append(",\"tst\":", epochMilliseconds.map { $0 / 1000 }, to: &sink)
    if let utc, utc.microseconds >= 0, fixAge >= .seconds(1) {
      append(",\"created_at\":", utc.microseconds / 1_000_000, to: &sink)
    }
    append(",\"alt\":", position.altitudeMetres, to: &sink)
    append(",\"vel\":", position.speedKilometresPerHour, to: &sink)
    append(",\"cog\":", position.courseDegrees, to: &sink)
    if let trigger = ownTracksTrigger {
      sink.append(",\"t\":\"")
      sink.append(trigger)
      sink.append(0x22)
    }
    var place: UInt8 = 0
    while let field = PacketField(rawValue: place) {
      if let name = field.ownTracksName, let value = ownTracksValue(of: field) {
        encode(member: name, value, into: &sink)
      }
      place += 1
    }
    sink.append(",\"odometer\":")
    sink.append(fixed: Int64(distanceMetres), decimals: 3)
    sink.append(",\"armed\":")
    sink.append(isArmed ? "true" : "false")
    if alert != nil, kind == .movement { sink.append(",\"tow\":true") }
    encodeAlertMembers(into: &sink)
    encodeRuleMember(into: &sink)
    if let rule, kind == .transition {
      sink.append(rule.isEntry ? ",\"event\":\"enter\"" : ",\"event\":\"leave\"")
    }
    encodeStatusMembers(into: &sink)
    sink.append(",\"topic\":")
    var topic = InlineBytes<64>("owntracks/leash/")
    topic.append(contentsOf: trackerID)
    sink.append(jsonString: topic.span)
    sink.append(",\"_id\":\"")
    sink.append(decimal: Int64(boot))
    sink.append("-")
    sink.append(decimal: Int64(sequence))
    sink.append("\"}")
    return true
  }

  private func ownTracksValue(of field: PacketField) -> PacketField.Value? {
    field == .charging ? ownTracksBatteryState : field.value(in: self)
  }

  /// 1: unplugged, 2: charging, 3: full; nil when it is none of these or not known.
  ///
  /// - Source: booklet of OwnTracks, "JSON", `bs`.
  private var ownTracksBatteryState: PacketField.Value? {
    guard let supply else { return nil }
    if supply.isCharging == true { return .fixed(2, decimals: 0) }
    if supply.isExternal == false { return .fixed(1, decimals: 0) }
    return supply.isExternal == true && supply.charge == 100 ? .fixed(3, decimals: 0) : nil
  }

  private var ownTracksTrigger: StaticString? {
    switch kind {
    case .location: return nil
    case .parking: return "a"
    case .movement, .fence: return "!"
    case .transition: return "c"
    case .ride: return "I"
    case .status: return "r"
    }
  }

  /// Where the last two characters begin, which receivers show beside a mark on the map.
  private static func shortNameStart(in trackerID: Span<UInt8>) -> Int {
    var start = trackerID.count
    var characters = 0
    while start > 0, characters < 2 {
      start -= 1
      // What goes on a character of several bytes.
      if trackerID[start] & 0xC0 != 0x80 { characters += 1 }
    }
    return start
  }

  private func append(_ key: StaticString, _ value: Int64?, to sink: inout some ByteSink) {
    guard let value else { return }
    sink.append(key)
    sink.append(decimal: value)
  }
}

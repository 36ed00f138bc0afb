import Quantities
import Telemetry

/// What a message says happened: by what a tracker of ours tells of itself, else by its letter as far as that says it.
enum OwnTracksMeaning {
  /// What a message of OwnTracks says happened; nil when it does not say.
  ///
  /// - Parameters:
  ///   - member: The text of a member; nil without one.
  ///   - type: Of the message.
  static func meaning(_ member: (String) -> String?, _ type: String) -> PacketMeaning? {
    let edge: PacketMeaning? =
      switch member("event") {
      case "enter": .geofenceEnter
      case "leave": .geofenceExit
      default: nil
      }
    if type == "transition" { return edge }
    guard let letter = member("t"), letter.utf8.count == 1, let trigger = letter.utf8.first else { return nil }
    switch letter {
    case "c": return edge
    case "!":
      if let detector = member("detector") { return meaning(.movement, detector: detector) }
      // An alert of ours has a detector, or the fence that it is outside of.
      if member("fence") != nil { return .outside }
      return member("tow") == "true" ? .tow : .movement
    case "h", "s": return meaning(.status, reason: member("reason")) ?? meaning(trigger: trigger)
    default: return meaning(trigger: trigger)
    }
  }

  /// What a letter alone says: one that stands for several is none of them, but for a movement, which all of `!` are at least.
  static func meaning(trigger: UInt8) -> PacketMeaning? {
    if trigger == 0x21 { return .movement }
    let all = PacketMeaning.allCases.filter { $0.words.ownTracks == trigger }
    return all.count == 1 ? all[0] : nil
  }

  /// What a packet of a kind means, by the names of what is in it; nil for a status without a known reason.
  static func meaning(
    _ kind: PacketKind, detector: String? = nil, reason: String? = nil, isEntry: Bool = false
  ) -> PacketMeaning? {
    var packet = Packet(kind: kind, time: .zero, utc: nil, phase: .parked, isArmed: false)
    if let detector = MovementDetector.allCases.first(where: { "\($0.name)" == detector }) {
      packet.alert = PacketAlert(
        id: 1, evidence: MovementEvidence(detector: detector, ratio: 1, onset: .zero, duration: .zero))
    }
    if kind == .status {
      guard let reason = StatusReason.allCases.first(where: { "\($0.name)" == reason }) else { return nil }
      packet.status = PacketStatus(reason: reason, alertsEnabled: true)
    }
    packet.rule = PacketRule(.fence, 1, name: [UInt8]().span, isEntry: isEntry)
    return PacketMeaning(packet)
  }
}

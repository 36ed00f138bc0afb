package import Telemetry

extension Tracker {
  /// How many rows of a table there is room for.
  package static func ruleRows(_ table: PacketRule.Table) -> Int {
    switch table {
    case .fence: return RuleKeeper.fenceRows
    case .place: return RuleKeeper.placeRows
    case .alarm: return RuleKeeper.alarmRows
    }
  }
}

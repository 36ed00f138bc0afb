import Telemetry

extension DecodedMessage {
  /// What happened, in Traccar's words: each alarm that the message names, else the one that its letter stands for.
  package var alarms: [String] {
    if form == .osmAnd || form == .traccar {
      let lists = fields.filter { ["alarm", "location.alarm", "location.extras.alarm"].contains($0.name) }.map(\.value)
      return lists.flatMap { $0.split(separator: ",").map(String.init) }.filter(FieldLimits.alarms.contains)
    }
    return facts.meaning?.words.traccar.map { ["\($0)"] } ?? []
  }
}

extension PacketMeaning {
  /// The first of some alarms, with commas between, that the table has.
  init?(traccarList names: String) {
    let known = names.split(separator: ",").lazy.compactMap { PacketMeaning(traccar: Array($0.utf8).span) }
    guard let first = known.first else { return nil }
    self = first
  }
}

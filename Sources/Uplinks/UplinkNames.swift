// What ways are called, so that a status tells one from another.

extension UplinkSettings {
  /// Kind and place, without path and credentials; nil for a way of the modem, which is called by its port.
  private var place: String? {
    switch kind {
    case .mqtt(let settings): MQTTUplink.place(of: settings)
    case .http(let settings): HTTPUplink.place(of: settings)
    case .modem: nil
    }
  }

  /// What stands behind the place of each way in its name: its topic, or else where it is in the configuration, as a path may be a
  /// secret; nothing where no other way leads to the same place.
  package static func remarks(of uplinks: [UplinkSettings]) -> [String] {
    let places = uplinks.map(\.place)
    return uplinks.indices.map { number in
      let same = uplinks.indices.filter { places[$0] == places[number] && places[$0] != nil }
      guard same.count > 1 else { return "" }
      let topics = Set(
        same.compactMap { if case .mqtt(let settings) = uplinks[$0].kind { settings.topic } else { nil } })
      guard topics.count == same.count, case .mqtt(let settings) = uplinks[number].kind else {
        return " (uplinks[\(number)])"
      }
      return " \(settings.topic)"
    }
  }
}

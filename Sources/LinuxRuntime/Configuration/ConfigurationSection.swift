/// The keys that stand together in one object of the file, or one kind of it.
package struct ConfigurationSection: Sendable {
  /// Name of the object in the file; empty for the file itself.
  package let path: String
  /// The key that says which kind of object it is, and its word for this one; nil where there is one kind only.
  package let selector: (key: String, word: String)?
  /// What it is for.
  package let help: String
  /// Its keys, in the order of the example.
  package let keys: [ConfigurationKey]
  /// What the keys hold when the file does not set them; nil where they are not set.
  package let defaults: [ConfigurationValue?]

  /// For people: `gnss (source: "gpsd")`.
  package var title: String {
    guard let selector else { return path.isEmpty ? "top level" : path }
    return "\(path) with \(selector.key): \(quoted(selector.word))"
  }
}

/// A section together with what its keys set.
struct BoundSection<Root: Sendable>: Sendable {
  let section: ConfigurationSection
  let bound: [BoundKey<Root>]
  /// The settings as they are before the file is read.
  let fresh: Root

  init(
    _ path: String, kind selector: (key: String, word: String)? = nil, _ help: String, fresh: Root,
    _ bound: [BoundKey<Root>]
  ) {
    section = ConfigurationSection(
      path: path, selector: selector, help: help, keys: bound.map(\.key), defaults: bound.map { $0.get(fresh) })
    self.bound = bound
    self.fresh = fresh
  }
}

/// The whole schema: every key there is. Reading, checking, showing, the example and the manual all follow from it.
package enum ConfigurationSchema {
  /// All sections, in the order of the example; sections of the same path and other selectors are kinds of one object.
  package static let sections: [ConfigurationSection] = [
    board.section, gpsd.section, serialGNSS.section, modemGNSS.section, noGNSS.section, iio.section, i2c.section,
    serialInertial.section, noInertial.section, supply.section, barometer.section, wheel.section,
    contacts.section, presence.section, modem.section, mqtt.section, http.section, modemUplink.section,
    requests.section, buzzer.section,
    recording.section, page.section, tracker.section,
  ]

  /// The sections that may stand at a place, the default one first.
  static func kinds(of path: String) -> [ConfigurationSection] { sections.filter { $0.path == path } }
}

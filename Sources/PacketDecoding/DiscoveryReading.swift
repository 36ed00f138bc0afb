import ASCIIText

/// Messages of Home Assistant's MQTT discovery: that of a device with all its components, and that of one component.
enum DiscoveryReading {
  /// Which of the two an object is: `device` or `component`; nil when it is neither.
  static func type(_ flat: [(name: String, value: JSONValue)]) -> String? {
    let names = Set(flat.map { $0.name.prefix { $0 != "." } })
    if !names.isDisjoint(with: ["cmps", "components"]), !names.isDisjoint(with: ["dev", "device"]) { return "device" }
    return names.isDisjoint(with: topics) ? nil : "component"
  }

  private static let topics = DiscoveryTable.rows.filter { $0.word.hasSuffix("_topic") }.flatMap {
    $0.names.map { $0[...] }
  }

  /// Its fields, each by the word that it is short for.
  static func fields(_ flat: [(name: String, value: JSONValue)], _ text: [UInt8], topic: String?) -> [DecodedField] {
    var components: [String: Component] = [:]
    for (name, value) in flat {
      let (part, key) = split(name)
      guard part != .device, part != .origin else { continue }
      components[part.prefix, default: Component()].take(key, value, text)
    }
    if let topic, let platform = platform(of: topic) { components["", default: Component()].platform = platform }
    return flat.map { name, value in
      let (part, key) = split(name)
      let shown = JSONReading.shown(value, text)
      guard let row = DiscoveryTable.row(key, part) else { return DecodedField(name, shown) }
      let component = components[part.prefix] ?? Component()
      return DecodedField(
        name, shown, unit: row.unit, meaning: meaning(row, key, shown, component),
        trap: trap(row, component), problem: problem(row, shown, value.kind, part, component))
    }
  }

  /// What stands for the tracker: the first of its identifiers.
  static func tracker(_ flat: [(name: String, value: JSONValue)], _ text: [UInt8]) -> String? {
    let names = ["dev.ids", "dev.identifiers", "device.ids", "device.identifiers"]
    guard let value = flat.first(where: { names.contains($0.name) })?.value else { return nil }
    guard value.kind == .array else { return JSONReading.string(value, text) }
    var elements = JSONValue.Elements(of: value)
    return elements.next(in: text.span).map { JSONReading.string($0, text) }
  }

  /// True for the topics of announcements.
  static func isAnnouncement(_ topic: String) -> Bool { topic.hasSuffix("/config") }

  // MARK: Parts

  /// Where in a message a field stands.
  enum Part: Equatable {
    case component(String)
    case device
    case origin

    /// What stands before the names of a component.
    var prefix: String {
      if case .component(let prefix) = self { return prefix }
      return ""
    }
  }

  /// What is known of a component beside the field that is looked at.
  private struct Component {
    var platform: String?
    var words: Set<String> = []
    var base: String?

    mutating func take(_ key: String, _ value: JSONValue, _ text: [UInt8]) {
      let word = DiscoveryTable.row(key, .component(""))?.word ?? key
      words.insert(word)
      if word == "platform" { platform = JSONReading.string(value, text) }
      if word == "~" { base = JSONReading.string(value, text) }
    }
  }

  private static func split(_ name: String) -> (part: Part, key: String) {
    let words = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map { String($0) }
    switch words[0] {
    case "dev", "device": if words.count > 1 { return (.device, words.dropFirst().joined(separator: ".")) }
    case "o", "origin": if words.count > 1 { return (.origin, words.dropFirst().joined(separator: ".")) }
    case "cmps", "components": if words.count == 3 { return (.component("\(words[0]).\(words[1])."), words[2]) }
    default: break
    }
    return (.component(""), name)
  }

  /// `homeassistant/sensor/bike/speed/config` is of a sensor.
  private static func platform(of topic: String) -> String? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count >= 4, levels.last == "config" else { return nil }
    let node = levels.count >= 5 && DiscoveryTable.platforms.contains(String(levels[levels.count - 4]))
    return String(levels[levels.count - (node ? 4 : 3)])
  }

  // MARK: Words

  private static func meaning(
    _ row: DiscoveryTable.Row, _ key: String, _ value: String, _ component: Component
  ) -> String {
    var meaning = key == row.word ? row.meaning : "\(row.word): \(row.meaning)"
    if row.word == "platform", component.words == ["platform"] { meaning += "; alone it takes the component away" }
    let isTopic = row.limit == .subscribed || row.limit == .published
    if isTopic, let base = component.base, value.hasPrefix("~") || value.hasSuffix("~") {
      let full = value.hasPrefix("~") ? base + value.dropFirst() : String(value.dropLast()) + base
      meaning += ", here \(full)"
    }
    return meaning
  }

  private static func trap(_ row: DiscoveryTable.Row, _ component: Component) -> FormTrap? {
    if component.platform == "device_tracker", row.word == "state_topic" || row.word == "value_template" {
      return .trackerPlace
    }
    return row.trap
  }

  private static func problem(
    _ row: DiscoveryTable.Row, _ value: String, _ kind: JSONValue.Kind, _ part: Part, _ component: Component
  ) -> String? {
    let isText = kind == .string
    switch row.limit {
    case .any: break
    case .text: if !isText { return "not text" }
    case .name: if !isText, kind != .null { return "not text" }
    case .flag: if kind != .yes, kind != .no { return "not true or false" }
    case .list: if kind != .array { return "not a list" }
    case .number(let range):
      guard kind == .number, let number = Double(value), range.contains(number) else {
        return "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
      }
    case .subscribed, .published:
      guard isText else { return "not text" }
      if value.isEmpty { return "empty" }
      if row.limit == .published, value.contains("+") || value.contains("#") {
        return "nothing can be published to a topic with + or #"
      }
    case .words(let words):
      guard isText else { return "not text" }
      if !words.contains(value) { return "none of \(words.joined(separator: ", "))" }
    case .platform:
      guard isText, DiscoveryTable.platforms.contains(value) else { return "Home Assistant has no such kind over MQTT" }
    }
    if row.word == "identifiers", part == .device, value.isEmpty || value == "[]" { return "empty: no device" }
    if row.word == "platform", case .component(let prefix) = part, !prefix.isEmpty, component.words.count > 1,
      !component.words.contains("unique_id")
    {
      return "without a unique_id Home Assistant refuses the component"
    }
    return nil
  }
}

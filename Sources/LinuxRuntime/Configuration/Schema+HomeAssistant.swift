import HomeAssistant
import JSON5
import Telemetry
import Uplinks

/// What an uplink says about Home Assistant, while its section is read.
struct HomeAssistantDraft: Sendable {
  var isOn = false
  var name: String?
  var prefix = "homeassistant"
  var form = HomeAssistantForm.device
  var zones: [String] = []
  var availability = ""
}

extension ConfigurationSchema {
  static let homeAssistant: [BoundKey<UplinkDraft>] = [
    .boolean(
      "homeAssistant", \.homeAssistant.isOn,
      "Home Assistant discovers the tracker: true, or an object with the keys below. It needs the format json. The default topics contain "
        + "the tracker's id, 'retain' is on, and the broker also keeps the last alert, answer and ride."
    ),
    .optionalText(
      "homeAssistant.name", \.homeAssistant.name, "Name shown in Home Assistant; default: the tracker's id.",
      bytes: 1...64, example: "Bike"),
    .text(
      "homeAssistant.prefix", \.homeAssistant.prefix, "First level of the discovery topics.",
      bytes: 1...64, example: "homeassistant", expectation: topicExpectation),
    .choice(
      "homeAssistant.form", \.homeAssistant.form,
      "One message for all entities, for servers since 2024.12, or one for each entity, for earlier servers.",
      HomeAssistantForm.allCases.map { ("\($0.name)", $0) }),
    BoundKey(
      "homeAssistant.zones", .texts(1...32),
      "Names of Home Assistant's zones for the fences 1, 2 … of the tracker, which are then used for its location instead of its "
        + "coordinates; for servers since 2026.", example: "[\"Home\", \"Garden\"]",
      get: { draft in draft.homeAssistant.zones.isEmpty ? nil : .words(draft.homeAssistant.zones) },
      set: { draft, value in
        guard case .words(let zones) = value else { return nil }
        var device = HomeAssistantDevice(trackerID: [UInt8]().span)
        guard zones.allSatisfy({ device.addZone(Array($0.utf8).span) }) else {
          return "names of letters, digits, spaces and '_', '-', '.', together 192 bytes at most"
        }
        draft.homeAssistant.zones = zones
        return nil
      }),
    .text(
      "homeAssistant.availability", \.homeAssistant.availability,
      "Topic of the tracker's availability; default: leash/ID/available.",
      bytes: 1...HomeAssistantDevice.longestTopic, example: "leash/bike42/available", expectation: topicExpectation),
  ]

  /// Further brokers.
  static let brokers = hosts(
    "Fallback brokers for 'host', as \"NAME\" or \"NAME:PORT\": the next is tried at once when one fails. They must be nodes of "
      + "one cluster, or requests in the session are lost.",
    example: "[\"broker2.example\", \"broker3.example:1884\"]")

  /// Further web servers.
  static let servers = hosts(
    "Fallback servers for the host of 'url', as \"NAME\" or \"NAME:PORT\", with the same scheme, path, user and headers: the next is "
      + "asked at once when one does not work, and the first is tried again after 10 minutes.",
    example: "[\"track2.example\", \"track3.example:8443\"]")

  private static func hosts(_ help: String, example: String) -> BoundKey<UplinkDraft> {
    BoundKey<UplinkDraft>(
      "otherHosts", .texts(1...260), help, example: example,
      get: { draft in draft.hosts.isEmpty ? nil : .words(draft.hosts) },
      set: { draft, value in
        guard case .words(let texts) = value else { return nil }
        guard texts.count <= 7 else { return "7 at most" }
        if let place = texts.firstIndex(where: { MQTTHost(text: $0, port: 1) == nil }) {
          return "names or addresses of hosts, each optionally with a colon and a port; [\(place)] is none"
        }
        draft.hosts = texts
        return nil
      })
  }
}

extension MQTTHost {
  /// Reads `NAME`, `NAME:PORT` or `[ADDRESS]:PORT`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - port: The port where none is said.
  package init?(text: String, port: UInt16) {
    var name = text[...]
    var port = port
    let after = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
    guard let after else { return nil }
    // An address of version 6 without brackets has colons and no port.
    if text.hasPrefix("[") || text.count(where: { $0 == ":" }) == 1, let colon = text[after...].firstIndex(of: ":") {
      guard let given = UInt16(text[text.index(after: colon)...]), given > 0 else { return nil }
      port = given
      name = text[..<colon]
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard WebAddress.hostExpectation(String(name)) == nil else { return nil }
    self.init(name: String(name), port: port)
  }
}

extension BoardDraft {
  /// What follows from Home Assistant for the settings that the file does not have.
  func fillForHomeAssistant(_ draft: inout UplinkDraft, _ given: Set<String>) {
    guard draft.homeAssistant.isOn else { return }
    let own = device(draft).id
    let id = own.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.dropFirst("leash_".count)
    if !given.contains("topic") { draft.mqtt.topic = "leash/\(id)/packet" }
    if !given.contains("commandTopic") { draft.mqtt.commandTopic = "leash/\(id)/request" }
    if !given.contains("homeAssistant.availability") { draft.homeAssistant.availability = "leash/\(id)/available" }
    if !given.contains("retain") { draft.mqtt.isRetained = true }
  }

  /// What Home Assistant is told of a way.
  func homeAssistant(_ draft: UplinkDraft) -> HomeAssistantSettings {
    var settings = HomeAssistantSettings(device(draft))
    settings.prefix = draft.homeAssistant.prefix
    settings.form = draft.homeAssistant.form
    return settings
  }

  private func device(_ draft: UplinkDraft) -> HomeAssistantDevice {
    let id = configuration.tracker.tracker.trackerID
    var device = HomeAssistantDevice(trackerID: id.span)
    if let name = draft.homeAssistant.name {
      device.name.removeAll()
      device.name.append(contentsOf: Array(name.utf8).span)
    }
    device.topic.append(contentsOf: Array(draft.mqtt.topic.utf8).span)
    device.commandTopic.append(contentsOf: Array((draft.mqtt.commandTopic ?? "").utf8).span)
    device.availabilityTopic.append(contentsOf: Array(draft.homeAssistant.availability.utf8).span)
    device.requests = HomeAssistantRequests(words: draft.trusted)
    device.hasState = !draft.usesModem
    for zone in draft.homeAssistant.zones { _ = device.addZone(Array(zone.utf8).span) }
    return device
  }

  /// Sets the way up for Home Assistant, as far as it is wanted; after `fillForHomeAssistant`.
  func setHomeAssistant(_ draft: inout UplinkDraft) {
    guard draft.homeAssistant.isOn else { return }
    let settings = homeAssistant(draft)
    draft.mqtt.homeAssistant = settings
    draft.mqtt.announcement = settings.announcement
  }

  /// Checks what Home Assistant needs of a way.
  mutating func checkHomeAssistant(
    _ draft: UplinkDraft, _ format: PacketFormat, _ given: [String: GivenValue], _ label: String,
    _ position: TextPosition
  ) {
    guard draft.homeAssistant.isOn else { return }
    let isModem = draft.usesModem
    let ofModem = places.modem
    // The modem's topics stand in its own section.
    func name(_ key: String) -> String {
      isModem && !key.hasPrefix("homeAssistant") ? "modem.mqtt.\(key)" : "\(label).\(key)"
    }
    func place(_ keys: String...) -> TextPosition {
      keys.lazy.compactMap { given[$0]?.position ?? (isModem ? ofModem["mqtt.\($0)"] : nil) }.first
        ?? given["homeAssistant"]?.position ?? position
    }
    if format != .json {
      reader.note(
        "'\(label).format': Home Assistant reads the format \"json\", and this uplink has \"\(format.name)\"",
        at: place("format"))
    }
    if !draft.mqtt.isRetained {
      reader.note(
        "'\(name("retain"))' is false: Home Assistant would have no data after a restart; expected true",
        at: place("retain"))
    }
    if let will = given["will.topic"] ?? given["will.payload"] {
      reader.note(
        "'\(label).will': the only will of a connection reports the availability to Home Assistant; expected none",
        at: will.position)
    }
    let topic = draft.mqtt.topic
    let commands = draft.mqtt.commandTopic ?? ""
    let available = draft.homeAssistant.availability
    let topics = [
      ("topic", topic), ("commandTopic", commands), ("homeAssistant.availability", available),
      ("homeAssistant.prefix", draft.homeAssistant.prefix),
    ]
    // One that was refused is empty here, and was told already.
    for (key, topic) in topics
    where !topic.isEmpty && topic.split(separator: "/", omittingEmptySubsequences: false).contains("") {
      reader.note("'\(name(key))': \(quoted(topic)) has an empty level, which brokers refuse", at: place(key))
    }
    for (key, topic) in topics where topic.utf8.count > HomeAssistantDevice.longestTopic {
      reader.note("'\(name(key))': expected \(HomeAssistantDevice.longestTopic) bytes at most", at: place(key))
    }
    for (key, topic) in topics where topic.hasPrefix("$") {
      reader.note("'\(name(key))': topics that begin with '$' are reserved for the broker", at: place(key))
    }
    let kept = ["", "/alert", "/status", "/ride", MQTTAnnouncement.late].map { topic + $0 }
    if kept.contains(commands) || kept.contains(available) || (commands == available && !commands.isEmpty) {
      reader.note(
        "'\(label)': packets, requests and availability need different topics, and \(quoted(topic)) and those below it are for packets",
        at: place("commandTopic", "homeAssistant.availability", "topic"))
    }
    if kept.contains(where: { $0.hasPrefix(draft.homeAssistant.prefix + "/") }) {
      reader.note(
        "'\(name("topic"))': topics below \(quoted(draft.homeAssistant.prefix)) are reserved for Home Assistant; expected another topic",
        at: place("topic"))
    }
  }

  /// Where the Home Assistant of a way is; nil for one without.
  private func house(of uplink: UplinkSettings) -> String? {
    switch uplink.kind {
    case .mqtt(let settings):
      return settings.homeAssistant.map { "\(settings.host):\(settings.port) \($0.prefix)" }
    case .modem(let own):
      guard let modem = configuration.modem, own ?? modem.transport == .mqtt else { return nil }
      return modem.homeAssistant.map { "\(modem.driver.mqttHost.string):\(modem.driver.mqttPort) \($0.prefix)" }
    case .http: return nil
    }
  }

  /// Checks of all ways with Home Assistant together.
  mutating func checkHomeAssistants() {
    for (place, uplink) in configuration.uplinks.enumerated() {
      guard let house = house(of: uplink) else { continue }
      let kinds = uplink.kinds
      if let kinds, kinds != .all {
        reader.note(
          "'uplinks[\(place)].kinds': Home Assistant needs all kinds of packets, or it shows outdated states",
          at: places.uplinks[place])
      }
      for before in configuration.uplinks[..<place] {
        guard let other = self.house(of: before), other == house else { continue }
        reader.note(
          "'uplinks[\(place)].homeAssistant': it is set on another uplink to the same broker, expected once",
          at: places.uplinks[place])
      }
    }
  }
}

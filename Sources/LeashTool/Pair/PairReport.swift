import HomeAssistant
import JSON5
import Uplinks

/// What came of pairing, for people and for programs.
struct PairReport {
  var added: [String] = []
  /// The configuration of before; nil when it was not changed.
  var before: String?
  var isRemoval = false
  /// What was taken out of the configuration, a line each.
  var removed: [String] = []
  /// Messages that the broker has acknowledged.
  var count = 0
  /// What the broker keeps after removal.
  var left = 0
  /// The tracker's last packet.
  var packet: [UInt8]?
  /// `online` or `offline`.
  var availability: String?

  private let path: String
  private let mqtt: MQTTSettings
  private let settings: HomeAssistantSettings
  private let trusted: [String]

  init(_ path: String, _ mqtt: MQTTSettings, _ settings: HomeAssistantSettings, _ trusted: [String]) {
    self.path = path
    self.mqtt = mqtt
    self.settings = settings
    self.trusted = trusted
  }

  private var name: String { String(decoding: bytes(settings.device.name.span), as: UTF8.self) }
  private func bytes(_ span: Span<UInt8>) -> [UInt8] { span.withUnsafeBufferPointer { Array($0) } }

  /// Words of requests that no control can make, as they are not allowed without a signature.
  private var missing: [String] {
    HomeAssistantRequests.words.filter { !settings.device.requests.contains($0.request) }.map(\.word)
  }

  func write(_ console: Console) {
    let out = console.out
    let broker = "mqtt \(mqtt.host):\(mqtt.port)"
    if isRemoval {
      out.writeLine("broker    \(broker): \(count) messages removed")
      out.writeLine(
        left == 0
          ? "left      nothing: Home Assistant no longer shows the tracker"
          : "left      \(left) messages: the tracker is running and publishes them again")
      for line in removed { out.writeLine("removed   \(line)") }
      guard let before else { return }
      out.writeLine("file      \(path); the previous one is \(before)")
      if !trusted.isEmpty, !removed.contains(where: { $0.hasPrefix("trusted") }) {
        out.writeLine("stays     'trusted' of the uplink: take it out if nobody else sends requests there")
      }
      out.writeLine("stays     the uplink to \(broker): take it out if nobody else needs its packets")
      out.writeLine(
        "next      systemctl reload leash, or SIGHUP to 'leash run'; then repeat this command, as a tracker that runs publishes when it connects"
      )
      return
    }
    for line in added { out.writeLine("added     \(line)") }
    if let before { out.writeLine("file      \(path); the previous one is \(before)") }
    let entities = settings.entities
    out.writeLine(
      "broker    \(broker): keeps '\(name)' with \(entities.count) entities (\(settings.form.name), \(settings.longestMessage) bytes at most)"
    )
    if !missing.isEmpty {
      let isSafe = mqtt.tls != nil || ["localhost", "127.0.0.1", "::1"].contains(mqtt.host)
      out.writeLine(
        "controls  no button for \(missing.joined(separator: ", ")): 'trusted' of the uplink does not have them"
          + (isSafe ? "" : "; that needs 'tls' or a broker on this machine"))
    }
    out.writeLine("tracker   \(trackerLine)")
    if before != nil { out.writeLine("next      systemctl reload leash, or SIGHUP to 'leash run'") }
    out.writeLine("see       Home Assistant, Settings, Devices & services, MQTT, '\(name)'")
  }

  private var trackerLine: String {
    switch (availability, packet) {
    case (let availability?, _?): "\(availability); its last packet is at the broker"
    case (let availability?, nil): "\(availability); no packet on \(mqtt.topic) yet"
    case (nil, _?): "its last packet is at the broker, but not its availability, so it shows as unavailable"
    case (nil, nil):
      "nothing on \(mqtt.topic): everything shows as unavailable until it runs with this configuration"
    }
  }

  func writeJSON(_ console: Console) {
    func text(_ value: String) -> String { json5Quoted(value) }
    func list(_ values: [String]) -> String { "[" + values.map(text).joined(separator: ",") + "]" }
    var members = [
      "\"file\":\(text(path))", "\"broker\":\(text("\(mqtt.host):\(mqtt.port)"))", "\"removed\":\(isRemoval)",
      "\"messages\":\(count)",
    ]
    if isRemoval {
      members += [
        "\"left\":\(left)", "\"takenOut\":\(list(removed))", "\"before\":\(before.map(text) ?? "null")",
      ]
    } else {
      members += [
        "\"added\":\(list(added))", "\"before\":\(before.map(text) ?? "null")", "\"name\":\(text(name))",
        "\"form\":\(text("\(settings.form.name)"))", "\"longest\":\(settings.longestMessage)",
        "\"entities\":\(list(settings.entities.map { "\($0.platform).\($0.key)" }))", "\"notAllowed\":\(list(missing))",
        "\"available\":\(availability.map(text) ?? "null")",
        "\"packet\":\(packet.map { String(decoding: $0, as: UTF8.self) } ?? "null")",
      ]
    }
    console.out.writeLine("{" + members.joined(separator: ",") + "}")
  }
}

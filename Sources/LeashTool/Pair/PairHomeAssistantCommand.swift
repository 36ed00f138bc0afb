import Glibc
import HomeAssistant
import JSON5
import LinuxRuntime
import Quantities
import Uplinks

/// `leash pair home-assistant`: configuration, broker and discovery in one command.
enum PairHomeAssistantCommand {
  static let broker = Option<String>(
    "broker", "HOST[:PORT]",
    "Broker of Home Assistant. Default: that of the first \"mqtt\" uplink in the configuration.")
  static let user = Option<String>("user", "NAME", "User name at the broker, for a new uplink.")
  static let passwordFile = Option<String>(
    "password-file", "PATH", "File with the password at the broker, for a new uplink.")
  static let tls = Flag("tls", "Use TLS, for a new uplink.")
  static let onlyPrint = Flag("print", "Only print the changes to the configuration.")
  static let remove = Flag(
    "remove",
    "Remove the tracker from Home Assistant: what pairing put into the configuration, and what the broker keeps.")
  static let wait = Option<Double>(
    "wait", "SECONDS", default: 15, "How long to wait for a packet of the tracker.")
  static let json = Flag("json", "Print one JSON object.")

  static let command = Command(
    "home-assistant", "Set up Home Assistant by MQTT discovery",
    discussion: """
      Adds 'homeAssistant' to the configuration and, where the connection is secure, the commands of its buttons to \
      'trusted'. The previous file is kept as FILE.before. Then it announces the tracker at the broker and waits for \
      a packet. Reload a running tracker with 'systemctl reload leash' or SIGHUP.

      The board must reach the broker over its own network; uplinks over a modem are not announced.
      """,
    parameters: [
      .option(broker), .option(user), .option(passwordFile), .flag(tls), .flag(onlyPrint), .flag(remove), .option(wait),
      .flag(json), .positional(ConfigCommand.file),
    ]
  ) { arguments, console throws(CommandFailure) in
    let path = arguments[ConfigCommand.file].first ?? BoardConfigurationFile.standardPath
    let seconds = arguments[wait] ?? 15
    guard (0...3600).contains(seconds) else { throw .usage("option '--wait': expected 0 to 3600 seconds") }
    guard let file = try ConfigCommand.read(arguments, console) else { return .checkFailed }
    var edit = ConfigurationEdit(try text(of: path))
    var configuration = file.configuration
    let isPaired = place(in: configuration) != nil
    if arguments[remove], !isPaired, arguments[broker] == nil, firstBroker(in: configuration) == nil {
      throw .check("\(path): it is not paired with Home Assistant; nothing was changed")
    }
    if let place = place(in: configuration), case .mqtt(let mqtt) = configuration.uplinks[place].kind {
      if let wanted = arguments[broker], !names(mqtt, wanted) {
        throw .usage(
          "option '--broker': \(path) is paired at \(mqtt.host):\(mqtt.port); 'leash pair home-assistant --remove' ends that"
        )
      }
      try refuseOptionsOfNewUplinks(arguments, place, mqtt)
    } else {
      if !arguments[remove], let modem = configuration.modem, modem.homeAssistant != nil {
        // One broker may have two addresses, so that the configuration can't tell.
        throw .check(
          "\(path): the modem announces the tracker at \(modem.driver.mqttHost.string) already, and a second announcement there would show each control twice; if the other broker is of another Home Assistant, add 'homeAssistant: true' to its uplink"
        )
      }
      try put(into: &edit, configuration, arguments)
      do throws(BoardConfigurationFailure) {
        configuration = try BoardConfigurationFile(
          text: String(decoding: edit.bytes, as: UTF8.self), name: path, environment: ConfigCommand.environment()
        ).configuration
      } catch {
        guard case .invalid(let lines) = error else { throw .check("\(path): can't be read") }
        guard !arguments[remove] else {
          throw .check("\(path): it is not paired with Home Assistant; nothing was changed")
        }
        for line in lines { console.err.writeLine(line) }
        throw .check("nothing was changed: Home Assistant can't be added to this configuration")
      }
    }
    // As the tracker announces it, when it runs.
    for place in configuration.uplinks.indices { configuration.uplinks[place].tell(version: Version.number) }
    guard let place = place(in: configuration), case .mqtt(let mqtt) = configuration.uplinks[place].kind,
      let settings = mqtt.homeAssistant
    else { throw .check("there is no uplink for Home Assistant") }
    var report = PairReport(path, mqtt, settings, configuration.uplinks[place].trusted)
    report.added = edit.added
    if arguments[remove], edit.added.isEmpty { try takeOut(of: &edit, configuration, at: place, path) }
    report.removed = edit.removed
    if arguments[onlyPrint] {
      for line in arguments[remove] ? edit.removed : edit.added { console.out.writeLine(line) }
      return .success
    }
    report.isRemoval = arguments[remove]
    let visitor: MQTTVisitor
    do throws(MQTTVisitor.Failure) {
      visitor = try MQTTVisitor(mqtt, as: "-pair", within: .seconds(12))
    } catch {
      throw .environment("mqtt \(error.message); nothing was changed")
    }
    defer { visitor.leave() }
    if arguments[remove] {
      if !edit.removed.isEmpty { report.before = try edit.write(to: path) }
      report.count = filled(visitor.listen(to: topics(of: settings), for: .seconds(1)))
      // Home Assistant takes a moment to forget.
      for messages in [settings.removal, settings.packetRemoval] {
        guard visitor.publish(messages, within: .seconds(30)) == messages.count else {
          throw .environment("the broker does not acknowledge")
        }
        _ = visitor.listen(to: [], for: .seconds(1))
      }
      report.left = filled(visitor.listen(to: topics(of: settings), for: .seconds(1)))
    } else {
      if !edit.added.isEmpty { report.before = try edit.write(to: path) }
      let messages = settings.otherFormsRemoval + settings.announcement.messages
      report.count = visitor.publish(messages, within: .seconds(30))
      guard report.count == messages.count else {
        let change = report.before.map { "; the configuration stays changed, and \($0) has the one before" } ?? ""
        throw .environment("the broker does not acknowledge the announcement, or closes the connection\(change)")
      }
      try checkKept(messages, by: visitor, mqtt)
      let available = settings.announcement.availabilityTopic
      let heard = visitor.listen(
        to: [mqtt.topic, available],
        for: .milliseconds(Int((seconds * 1000).rounded())),
        until: { heard in
          heard.contains { $0.topic == mqtt.topic } && heard.contains { $0.topic == available }
        })
      report.packet = heard.last { $0.topic == mqtt.topic }?.bytes
      report.availability = heard.last { $0.topic == available }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    arguments[json] ? report.writeJSON(console) : report.write(console)
    return report.left == 0 ? .success : .checkFailed
  }

  /// Reads back what the broker is to keep: with MQTT 3.1.1 it acknowledges what its access list does not let in, too.
  private static func checkKept(
    _ messages: [MQTTMessage], by visitor: MQTTVisitor, _ mqtt: MQTTSettings
  ) throws(CommandFailure) {
    let wanted = messages.filter { !$0.bytes.isEmpty }
    let kept = visitor.listen(
      to: wanted.map(\.topic), for: .seconds(3), until: { heard in wanted.allSatisfy { heard.contains($0) } })
    guard let missing = wanted.first(where: { !kept.contains($0) }) else { return }
    let user = mqtt.user.map { "'\($0)'" } ?? "this client"
    throw .check(
      "mqtt \(mqtt.host):\(mqtt.port) acknowledged the announcement, but does not give it back: its access list must let \(user) write and read '\(missing.topic)'"
    )
  }

  private static func topics(of settings: HomeAssistantSettings) -> [String] {
    (settings.removal + settings.packetRemoval).map(\.topic)
  }

  /// Topics with a message; a tracker that runs may have published several on one.
  private static func filled(_ heard: [MQTTMessage]) -> Int {
    Set(heard.filter { !$0.bytes.isEmpty }.map(\.topic)).count
  }

  private static func firstBroker(in configuration: BoardConfiguration) -> MQTTSettings? {
    for uplink in configuration.uplinks { if case .mqtt(let mqtt) = uplink.kind { return mqtt } }
    return nil
  }

  /// The uplink that Home Assistant is told by.
  private static func place(in configuration: BoardConfiguration) -> Int? {
    configuration.uplinks.firstIndex { uplink in
      if case .mqtt(let mqtt) = uplink.kind { mqtt.homeAssistant != nil } else { false }
    }
  }

  private static func text(of path: String) throws(CommandFailure) -> [UInt8] {
    guard let file = fopen(path, "rbe") else {
      throw .environment("\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }

  /// Puts what is missing into the text: a key of an uplink that is there, or an uplink.
  private static func put(
    into edit: inout ConfigurationEdit, _ configuration: BoardConfiguration, _ arguments: Arguments
  ) throws(CommandFailure) {
    guard let root = try? JSON5Value(reading: edit.bytes), case .object(let members) = root.content else {
      throw .check("the configuration is not an object")
    }
    let list = members.first { $0.key == "uplinks" }?.value
    var values: [JSON5Value] = []
    if case .array(let own)? = list?.content { values = own }
    let wanted = arguments[broker]
    let existing = configuration.uplinks.enumerated().first { _, uplink in
      guard case .mqtt(let mqtt) = uplink.kind else { return false }
      return wanted.map { names(mqtt, $0) } ?? true
    }
    if let (place, uplink) = existing, case .mqtt(let mqtt) = uplink.kind, values.indices.contains(place) {
      try refuseOptionsOfNewUplinks(arguments, place, mqtt)
      var text = "homeAssistant: true"
      if uplink.trusted.isEmpty, isSafe(mqtt) { text += ", " + trusted }
      edit.insert(text, into: values[place])
      return
    }
    guard let wanted else { throw .usage("there is no uplink by \"mqtt\"; expected '--broker HOST'") }
    guard let host = host(wanted) else {
      throw .usage("option '--broker': '\(wanted)' is not HOST, HOST:PORT or [ADDRESS]:PORT")
    }
    let port = host.port == 0 ? "" : ", port: \(host.port)"
    var text = "{ by: \"mqtt\", host: \"\(host.name)\"\(port)"
    if arguments[tls] { text += ", tls: true" }
    if let user = arguments[user] { text += ", user: \(json5Quoted(user))" }
    if let path = arguments[passwordFile] {
      // The service that reads the configuration runs in another directory.
      text += ", password: { file: \(json5Quoted(path.hasPrefix("/") ? path : "\(try workingDirectory())/\(path)")) }"
    }
    text += ", receiver: \"home-assistant\", homeAssistant: true"
    var trial = MQTTSettings()
    trial.host = host.name
    if arguments[tls] { trial.tls = TLSSettings() }
    if isSafe(trial) { text += ", " + trusted }
    text += " }"
    if let list { edit.insert(text, into: list) } else { edit.insert("uplinks: [\(text)]", into: root) }
  }

  /// HOST, HOST:PORT or [ADDRESS]:PORT, with port 0 where none is said; nil for anything else.
  private static func host(_ text: String) -> MQTTHost? {
    guard let host = MQTTHost(text: text, port: 0) else { return nil }
    var address = in6_addr()
    return !host.name.contains(":") || inet_pton(AF_INET6, host.name, &address) == 1 ? host : nil
  }

  /// Whether a broker is meant by HOST or HOST:PORT.
  private static func names(_ mqtt: MQTTSettings, _ wanted: String) -> Bool {
    guard let host = host(wanted) else { return wanted == mqtt.host }
    return host.name == mqtt.host && (host.port == 0 || host.port == mqtt.port)
  }

  /// What would be left out without a word: what stands there already may be said again.
  private static func refuseOptionsOfNewUplinks(
    _ arguments: Arguments, _ place: Int, _ mqtt: MQTTSettings
  ) throws(CommandFailure) {
    var given: String?
    if let user = arguments[user], user != mqtt.user { given = "--user" }
    if let path = arguments[passwordFile] {
      var isSame = false
      if let own = mqtt.password { isSame = try password(in: path) == own.revealed }
      if !isSame { given = given ?? "--password-file" }
    }
    if arguments[tls], mqtt.tls == nil { given = given ?? "--tls" }
    guard let given else { return }
    throw .usage(
      "option '\(given)' is for a new uplink; 'uplinks[\(place)]' is used, which has keys of its own for it, and says something else"
    )
  }

  /// What a password file has, as the configuration reads it.
  private static func password(in path: String) throws(CommandFailure) -> String {
    var bytes = try text(of: path)
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func workingDirectory() throws(CommandFailure) -> String {
    guard let path = getcwd(nil, 0) else { throw .environment("the working directory can't be read") }
    defer { free(path) }
    return String(cString: path)
  }

  /// Takes out what pairing has put in: the key, and the list of requests if it is as it was put in.
  private static func takeOut(
    of edit: inout ConfigurationEdit, _ configuration: BoardConfiguration, at place: Int, _ path: String
  ) throws(CommandFailure) {
    let byHand = CommandFailure.check(
      "take 'homeAssistant' out of 'uplinks[\(place)]' of \(path), and repeat this command")
    guard let root = try? JSON5Value(reading: edit.bytes), case .object(let top) = root.content,
      case .array(let uplinks)? = top.first(where: { $0.key == "uplinks" })?.value.content,
      uplinks.indices.contains(place),
      case .object(let members) = uplinks[place].content
    else { throw byHand }
    let words = HomeAssistantRequests.words.map(\.word)
    edit.remove(
      members.filter {
        $0.key == "homeAssistant" || $0.key.hasPrefix("homeAssistant.")
          || ($0.key == "trusted" && configuration.uplinks[place].trusted == words)
      })
    let left = try? BoardConfigurationFile(
      text: String(decoding: edit.bytes, as: UTF8.self), name: path, environment: ConfigCommand.environment()
    ).configuration
    guard let left, self.place(in: left) != place, left.uplinks.count == configuration.uplinks.count else {
      throw byHand
    }
  }

  /// Whether whoever speaks on this connection can only be somebody of the broker.
  private static func isSafe(_ mqtt: MQTTSettings) -> Bool {
    mqtt.tls != nil || mqtt.hosts.allSatisfy { ["localhost", "127.0.0.1", "::1"].contains($0.name) }
  }

  private static var trusted: String {
    "trusted: [" + HomeAssistantRequests.words.map { "\"\($0.word)\"" }.joined(separator: ", ") + "]"
  }
}

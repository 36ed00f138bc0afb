import JSON5
import PacketDecoding
import PacketForms
import SIM7000
import SecretBox
import Telemetry
import Uplinks

/// Where things stand in the file that are checked against each other.
struct BoardPlaces {
  var file = TextPosition(line: 1, column: 1)
  /// Values of the file itself and of the tracker.
  var top: [String: TextPosition] = [:]
  /// Sections that are there.
  var sections: [String: TextPosition] = [:]
  var gnss = TextPosition(line: 1, column: 1)
  var modem: [String: TextPosition] = [:]
  var modemUplink: TextPosition?
  /// Each uplink that was read.
  var uplinks: [TextPosition] = []
  var modemURLIsSecure = false
  var pageHost = TextPosition(line: 1, column: 1)
  /// Serial ports by their keys.
  var ports: [(key: String, path: String, position: TextPosition)] = []
}

/// Checks of values against each other.
extension BoardDraft {
  mutating func check() {
    checkPorts()
    checkModem()
    if configuration.uplinks.isEmpty && reader.problems.isEmpty {
      reader.warn("no uplink is set: packets stay in the outbox", at: places.sections["uplinks"] ?? places.file)
    }
    if configuration.gnss == .none && configuration.imu == .none {
      reader.warn(
        "there is neither a receiver nor an inertial sensor: the tracker sees nothing",
        at: places.sections["gnss"] ?? places.file)
    }
    if let host = configuration.page?.host, !isLoopback(host) {
      reader.warn(
        "'page.host': everybody on the network can see the page on \(quoted(host)); 127.0.0.1 limits it to this machine",
        at: places.pageHost)
    }
    checkTracker()
    checkReceivers()
    checkHomeAssistants()
  }

  /// Checks of the ways to receivers against each other.
  private mutating func checkReceivers() {
    let uplinks = configuration.uplinks
    if configuration.receivers.count > ReceiverList.capacity {
      reader.note(
        "'uplinks': \(configuration.receivers.count) receivers, expected \(ReceiverList.capacity) at most",
        at: places.sections["uplinks"] ?? places.file)
    }
    for (place, uplink) in uplinks.enumerated() {
      let position = places.uplinks[place]
      // Kinds are the receiver's: those of one uplink would be missing on the others.
      if let first = uplinks[..<place].firstIndex(where: { $0.receiver == uplink.receiver }),
        (uplink.kinds ?? .all) != (uplinks[first].kinds ?? .all)
      {
        reader.note(
          "'uplinks[\(place)]': its 'kinds' are not those of 'uplinks[\(first)]', which has the same receiver "
            + "\(quoted(uplink.receiver)); expected a 'receiver' of its own for one of them, or the same 'kinds'",
          at: position)
      }
      for other in uplinks[..<place] {
        switch (uplink.kind, other.kind) {
        case (.mqtt(let one), .mqtt(let before))
        where one.clientID == before.clientID && one.host == before.host && one.port == before.port:
          reader.note(
            "'uplinks[\(place)].clientId': \(quoted(one.clientID)) is used by another uplink to the same broker, which would "
              + "disconnect it; expected different names", at: position)
        case (.modem(let one), .modem(let before)) where transport(one) == transport(before):
          reader.note(
            "'uplinks[\(place)]': the modem with the transport \"\(transport(one))\" is set twice, expected once",
            at: position)
        default: break
        }
      }
      if let key = uplink.encryptionKey {
        if SecretKey(passphrase: Array(key.revealed.utf8).span) == nil {
          reader.note(
            "'uplinks[\(place)].encryptionKey': found \(key.revealed.utf8.count) bytes, expected 1 to \(SecretBox.keyCount)",
            at: position)
        }
        if uplink.format != .ownTracks {
          reader.note(
            "'uplinks[\(place)].encryptionKey': only the format \"ownTracks\" has encryption; expected it as 'format'",
            at: position)
        }
      }
      if case .modem(let own) = uplink.kind, transport(own) == .sms, let format = uplink.format, !format.fitsTextMessage
      {
        reader.note(
          "'uplinks[\(place)].format': a text message has 160 characters, too few for \"\(format.name)\"; expected \"text\"",
          at: position)
      }
    }
  }

  private func transport(_ own: ModemTransport?) -> ModemTransport { own ?? configuration.modem?.transport ?? .http }

  /// Pairs of settings of which the second must not be greater.
  private mutating func checkTracker() {
    let tracker = configuration.tracker.tracker
    let pairs = [
      ("motion.travelSpeed", "motion.continuedSpeed", tracker.motion.continuedSpeed > tracker.motion.travelSpeed),
      (
        "outbox.maximumTimeout", "outbox.acknowledgementTimeout",
        tracker.outbox.acknowledgementTimeout > tracker.outbox.maximumTimeout
      ),
    ]
    for (more, less, isReversed) in pairs where isReversed {
      reader.note("'\(less)' is greater than '\(more)'", at: places.top[less] ?? places.top[more] ?? places.file)
    }
  }

  private mutating func checkPorts() {
    for (place, port) in places.ports.enumerated() {
      for other in places.ports[..<place] where other.path == port.path {
        reader.note(
          "'\(port.key)': \(quoted(port.path)) is the port of '\(other.key)' already, expected different ports",
          at: port.position)
      }
    }
  }

  private mutating func checkModem() {
    let isSource = configuration.gnss == .modem
    guard let modem = configuration.modem else {
      guard places.sections["modem"] == nil else { return }
      let expectation = "which needs the section 'modem' with its port"
      if let place = places.modemUplink { reader.note("'uplinks': one is by \"modem\", \(expectation)", at: place) }
      if isSource { reader.note("'gnss.source' is \"modem\", \(expectation)", at: places.gnss) }
      return
    }
    let section = places.sections["modem"] ?? places.file
    checkIdle(modem, section)
    guard places.modemUplink != nil else {
      if !isSource {
        reader.warn("'modem' is set, but neither 'uplinks' nor 'gnss' uses it", at: section)
      }
      return
    }
    for uplink in configuration.uplinks {
      if case .modem(let own) = uplink.kind { checkTransport(uplink, own ?? modem.transport, modem, section) }
    }
  }

  private mutating func checkIdle(_ modem: ModemSettings, _ section: TextPosition) {
    let place = places.modem["idle"] ?? section
    switch modem.driver.idle {
    case .awake: break
    case .sleep:
      if !modem.hasDTR { reader.note("'modem.idle' is \"sleep\", which needs 'modem.dtr': true", at: place) }
    case .powerSaving, .off:
      if modem.powerKey == nil {
        reader.note("'modem.idle': the modem can't be woken without 'modem.powerKey'", at: place)
      }
    }
  }

  /// Whether what comes back on a way of the modem can only be the server's.
  private func isSecure(_ transport: ModemTransport, _ modem: ModemSettings) -> Bool {
    switch transport {
    case .http: places.modemURLIsSecure
    case .mqtt: modem.driver.mqttUsesTLS
    case .legacyHTTP, .tcp, .applicationTCP, .sms: false
    }
  }

  private mutating func checkTransport(
    _ uplink: UplinkSettings, _ transport: ModemTransport, _ modem: ModemSettings, _ section: TextPosition
  ) {
    let place = places.modem["transport"] ?? section
    let missing: String? =
      switch transport {
      case .http, .legacyHTTP: modem.driver.httpServer.isEmpty && places.modem["url"] == nil ? "url" : nil
      case .mqtt: modem.driver.mqttHost.isEmpty && places.modem["mqtt.host"] == nil ? "mqtt.host" : nil
      case .tcp, .applicationTCP: modem.driver.tcpHost.isEmpty && places.modem["tcp.host"] == nil ? "tcp.host" : nil
      case .sms: modem.driver.smsNumber.isEmpty && places.modem["sms"] == nil ? "sms" : nil
      }
    if let missing {
      reader.note("'modem.\(missing)' is missing, which the transport \"\(transport)\" needs", at: place)
    }
    if !uplink.trusted.isEmpty && !isSecure(transport, modem) {
      reader.note(
        "'uplinks': 'trusted' on the modem's \"\(transport)\" needs encryption; expected \"mqtt\" with 'modem.mqtt.tls' or "
          + "\"http\" with an https 'modem.url'", at: places.modemUplink ?? place)
    }
    if transport == .legacyHTTP && places.modemURLIsSecure {
      reader.note(
        "'modem.url': the transport \"legacyHTTP\" has no https; \"http\" has", at: places.modem["url"] ?? place)
    }
  }

  /// Checks of one uplink.
  mutating func checkUplink(
    _ draft: UplinkDraft, _ given: [String: GivenValue], _ word: String, _ label: String, _ position: TextPosition
  ) {
    func place(_ keys: String...) -> TextPosition { keys.lazy.compactMap { given[$0]?.position }.first ?? position }
    if given["password"] != nil && given["user"] == nil {
      reader.note("'\(label).user' is missing, expected a user for the password", at: place("password"))
    }
    if (given["tls.certificate"] == nil) != (given["tls.key"] == nil) {
      reader.note(
        "'\(label).tls': expected both 'certificate' and 'key', or neither", at: place("tls.certificate", "tls.key"))
    }
    if (given["will.topic"] == nil) != (given["will.payload"] == nil) {
      reader.note("'\(label).will': expected both 'topic' and 'payload'", at: place("will.topic", "will.payload"))
    }
    if !draft.tls.verifiesServer {
      reader.warn(
        "'\(label).tls.verify' is false: the connection can be intercepted and changed", at: place("tls.verify"))
    }
    let host: String
    let isSecure: Bool
    switch word {
    case "mqtt":
      host = draft.mqtt.host
      isSecure = draft.usesTLS
    case "http":
      guard let address = try? WebAddress(draft.http.url) else { return }
      host = address.host
      isSecure = address.isSecure
    default: return
    }
    checkTopics(given, draft, label, position)
    checkRepetitions(given, draft, label)
    let hosts = [host] + draft.hosts.compactMap { MQTTHost(text: $0, port: 1)?.name }
    if let list = given["trusted"], !isSecure, !hosts.allSatisfy(isLoopback), !host.isEmpty {
      reader.note(
        "'\(label).trusted': the connection to \(quoted(host)) can be intercepted; expected TLS, or a server on this machine",
        at: list.position)
    }
    if let list = given["trusted"], word == "mqtt", draft.mqtt.commandTopic == nil, !draft.homeAssistant.isOn {
      reader.warn(
        "'\(label).trusted': no request can come on this uplink; expected 'commandTopic' beside it", at: list.position)
    }
    if let key = draft.http.signingKey, key.revealed.utf8.count < 8 {
      reader.warn(
        "'\(label).sign.key': \(key.revealed.utf8.count) bytes are soon guessed; expected 16 or more",
        at: given["sign.key"]?.position ?? position)
    }
    let secret = given["password"] ?? given["headers"]
    if let secret, !isSecure, !hosts.allSatisfy(isLoopback), !host.isEmpty {
      reader.warn(
        "'\(label)': secrets are sent to \(quoted(host)) without encryption", at: secret.position)
    }
  }

  /// Names of which one place is enough.
  private mutating func checkRepetitions(_ given: [String: GivenValue], _ draft: UplinkDraft, _ label: String) {
    if let list = given["otherHosts"] {
      let address = try? WebAddress(draft.http.url)
      let first = address.map { MQTTHost(name: $0.host, port: $0.port ?? ($0.isSecure ? 443 : 80)) }
      let own = first ?? MQTTHost(name: draft.mqtt.host, port: draft.mqtt.port)
      var known = ["\(own.name):\(own.port)"]
      for other in draft.hosts.compactMap({ MQTTHost(text: $0, port: own.port) }) {
        let name = "\(other.name):\(other.port)"
        if known.contains(name) {
          reader.warn(
            "'\(label).otherHosts': \(quoted(name)) is there already: no other is tried with it", at: list.position)
        }
        known.append(name)
      }
    }
    guard let list = given["homeAssistant.zones"] else { return }
    let zones = draft.homeAssistant.zones
    for (place, zone) in zones.enumerated() {
      guard let first = zones[..<place].firstIndex(of: zone) else { continue }
      reader.warn(
        "'\(label).homeAssistant.zones': \(quoted(zone)) stands for the fences \(first + 1) and \(place + 1)",
        at: list.position)
    }
  }

  /// Topics that brokers refuse, and a topic on which the tracker would hear itself.
  private mutating func checkTopics(
    _ given: [String: GivenValue], _ draft: UplinkDraft, _ label: String, _ position: TextPosition
  ) {
    func text(_ key: String) -> String? {
      if case .text(let topic)? = given[key]?.value { return topic }
      return nil
    }
    for key in ["topic", "commandTopic", "will.topic"] {
      guard let topic = text(key) else { continue }
      let place = given[key]?.position ?? position
      if let wrong = topic.first(where: { $0 == " " || $0 == "." }) {
        reader.warn(
          "'\(label).\(key)': \(quoted(topic)) has a \(wrong == " " ? "blank" : "dot") in it, which some brokers refuse",
          at: place)
      }
      if !draft.homeAssistant.isOn, topic.split(separator: "/", omittingEmptySubsequences: false).contains("") {
        reader.warn("'\(label).\(key)': \(quoted(topic)) has an empty level, which some brokers refuse", at: place)
      }
      if topic.hasPrefix("$") {
        reader.warn("'\(label).\(key)': \(quoted(topic)) begins with '$', which brokers keep for themselves", at: place)
      }
    }
    guard let commands = text("commandTopic") else { return }
    // That of Home Assistant follows from the tracker's name.
    let isDefault = given["topic"] == nil && given["homeAssistant"] == nil && commands == draft.mqtt.topic
    for key in ["topic", "will.topic"] where text(key) == commands || (key == "topic" && isDefault) {
      reader.note(
        "'\(label).commandTopic' is the same as '\(key)': the tracker would take its own messages for requests",
        at: given["commandTopic"]?.position ?? position)
    }
  }

  /// Warns of a form that needs what its way has not, and refuses one that could not be acknowledged. Over HTTP a form does without: the
  /// server keeps what it has itself.
  mutating func checkNeeds(
    of format: PacketFormat, _ draft: UplinkDraft, _ word: String, _ label: String, _ position: TextPosition
  ) {
    var missing: FormNeeds = []
    switch word {
    case "mqtt":
      if !draft.mqtt.isRetained { missing = .retain }
      if format == .osmAnd || format == .traccar {
        reader.warn(
          "'\(label).format': servers for \"\(format.name)\" listen to HTTP and read nothing from a broker; expected by: \"http\"",
          at: position)
      }
    case "modem":
      let transport = self.transport(draft.transport)
      if transport == .tcp || transport == .applicationTCP, !format.tellsSequence {
        let others = PacketFormat.allCases.filter(\.tellsSequence).map { "\"\($0.name)\"" }.joined(separator: ", ")
        return reader.note(
          "'\(label).format': the server of the modem's \"\(transport)\" acknowledges a packet by its number, which "
            + "\"\(format.name)\" does not have; expected one of \(others)", at: position)
      }
      switch transport {
      // A will in OwnTracks' form has quotes in it, which the modem does not take.
      case .mqtt: missing = configuration.modem?.isRetained == true ? [.will] : [.retain, .will]
      case .tcp, .applicationTCP: missing = [.topics, .retain, .will]
      case .http, .legacyHTTP, .sms: break
      }
    default: break
    }
    let needs: [(need: FormNeeds, words: String)] = [
      (.topics, "a topic for each kind of message"),
      (
        .retain,
        word == "mqtt" ? "'retain', so that new subscribers see the position" : "a position that the broker keeps"
      ),
      (.will, "a last will"),
    ]
    missing.formIntersection(format.needs)
    guard !missing.isEmpty else { return }
    let list = needs.filter { missing.contains($0.need) }.map(\.words).joined(separator: "; ")
    reader.warn("'\(label).format': \"\(format.name)\" needs what this uplink does not have: \(list)", at: position)
  }

  /// Checks what is posted in place of packets.
  mutating func checkTemplate(
    _ draft: UplinkDraft, _ format: PacketFormat, _ given: [String: GivenValue], _ label: String,
    _ position: TextPosition
  ) {
    if let header = given["sign.header"], draft.http.signingKey == nil {
      reader.warn("'\(label).sign.header' is set and 'sign.key' is not: nothing is signed", at: header.position)
    }
    if draft.http.usesAddress, format != .osmAnd || draft.http.template != nil {
      reader.note(
        "'\(label).inAddress': only the fields of a form fit into an address; expected the format \"osmAnd\" and no 'body'",
        at: given["inAddress"]?.position ?? position)
    }
    if format == .osmAnd, !draft.http.usesAddress, draft.http.template == nil,
      draft.http.isHomeAssistantWebhook
    {
      reader.warn(
        "'\(label)': Home Assistant's webhook for \"osmAnd\" reads the address only; expected inAddress: true",
        at: given["url"]?.position ?? position)
    }
    guard let template = draft.http.template else {
      for header in draft.http.headers where !HTTPTemplate(header.value.revealed).names.filter(isPlace).isEmpty {
        reader.warn(
          "'\(label).headers': the placeholder in the header \(quoted(header.name)) is sent as it is; expected 'body', with which "
            + "placeholders are filled", at: given["headers"]?.position ?? position)
      }
      return
    }
    if draft.http.contentType.lowercased().contains("json"), !template.isJSON {
      reader.warn(
        "'\(label).body' is no JSON, as its content type says; expected JSON, or contentType: \"text/plain\"",
        at: given["body"]?.position ?? position)
    }
    guard format != .json else { return checkPlaces(of: template, draft, given, label, position) }
    for header in draft.http.headers
    where HTTPTemplate(header.value.revealed).names.contains(where: { $0 != "packet" }) {
      // Its text may be a secret.
      reader.note(
        "'\(label).headers': the placeholder in the header \(quoted(header.name)) would be empty: this way has the form "
          + "\"\(format.name)\", of which only {packet} is known", at: given["headers"]?.position ?? position)
    }
    guard let name = template.names.first(where: { $0 != "packet" }) else { return }
    reader.note(
      "'\(label).body': {\(name)} is known of packets in the form \"json\", and this way has \"\(format.name)\", of which only {packet} is",
      at: given["body"]?.position ?? position)
  }

  /// True for a name that stands for something of a packet.
  private func isPlace(_ name: String) -> Bool {
    HTTPTemplate.ownNames.contains(name) || FieldTables.leashNames.contains(name)
  }

  /// Names that no packet has stay empty for ever.
  private mutating func checkPlaces(
    of template: HTTPTemplate, _ draft: UplinkDraft, _ given: [String: GivenValue], _ label: String,
    _ position: TextPosition
  ) {
    // Whole objects, too: `alert` of `alert.id`.
    let known = FieldTables.leashNames.union(
      FieldTables.leashNames.compactMap { name in name.lastIndex(of: ".").map { String(name[..<$0]) } })
    func isUnknown(_ name: String) -> Bool { !HTTPTemplate.ownNames.contains(name) && !known.contains(name) }
    for name in template.names where isUnknown(name) {
      let near = reader.nearestName(to: name, among: (HTTPTemplate.ownNames + known).sorted())
      let shown = "'\(label).body': no packet has {\(reader.shown(name))}"
      reader.note(
        shown + (near.map { "; did you mean {\($0)}?" } ?? "; docs/packets.md lists what there is"),
        at: given["body"]?.position ?? position)
    }
    for header in draft.http.headers where HTTPTemplate(header.value.revealed).names.contains(where: isUnknown) {
      // Its text may be a secret.
      reader.note(
        "'\(label).headers': no packet has the placeholder in the header \(quoted(header.name)); docs/packets.md lists what "
          + "there is", at: given["headers"]?.position ?? position)
    }
  }

  /// What OwnTracks' own programs pass over, and a form that follows from another key.
  mutating func checkOwnTracks(
    _ draft: UplinkDraft, _ format: PacketFormat, _ given: [String: GivenValue], _ word: String, _ label: String,
    _ position: TextPosition
  ) {
    guard format == .ownTracks else { return }
    if let key = given["encryptionKey"], draft.format == nil, configuration.tracker.tracker.packetFormat != .ownTracks {
      reader.warn(
        "'\(label).encryptionKey' without 'format': packets have the format \"ownTracks\", as no other has encryption; "
          + "expected format: \"ownTracks\" beside it", at: key.position)
    }
    // A key in the address names the tracker, too.
    let names = AddressSecrets.names(in: draft.http.url)
    if word == "http", names.isEmpty || (!names.isSuperset(of: ["u", "d"]) && !names.isDisjoint(with: ["u", "d"])),
      !["x-limit-u", "x-limit-d"].allSatisfy({ name in draft.http.headers.contains { $0.name.lowercased() == name } })
    {
      reader.warn(
        "'\(label)': OwnTracks over HTTP names nobody without X-Limit-U and X-Limit-D in 'headers' or ?u=USER&d=DEVICE in 'url'; "
          + "the recorder makes a name up, others take the topic or the key in 'url'",
        at: given["url"]?.position ?? position)
    }
    if word == "mqtt", case .text(let commands)? = given["commandTopic"]?.value,
      !commands.hasPrefix(draft.mqtt.topic + "/")
    {
      reader.warn(
        "'\(label).commandTopic': OwnTracks sends requests to \(quoted(draft.mqtt.topic + "/cmd")), not to \(quoted(commands))",
        at: given["commandTopic"]?.position ?? position)
    }
    let levels = draft.mqtt.topic.split(separator: "/", omittingEmptySubsequences: false)
    guard word == "mqtt", levels.count != 3 || levels[0] != "owntracks" || levels.contains("") else { return }
    reader.warn(
      "'\(label).topic': OwnTracks' apps listen to owntracks/USER/DEVICE and do not see \(quoted(draft.mqtt.topic))",
      at: given["topic"]?.position ?? position)
  }

  /// True for names of this machine itself.
  ///
  /// - Source: our derivation, from 127.0.0.0/8 and ::1 being loopback.
  func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

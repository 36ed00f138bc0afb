import JSON5
import LinuxDevices
import Quantities
import SIM7000
import Recording
import StatusPage
import Telemetry
import TrackerCore
import TrackerRuntime
import Uplinks

/// What a section of the file sets, and where.
struct ReadSection<Root> {
  var settings: Root
  var given: [String: GivenValue]
  var position: TextPosition

  /// Where the first of these keys stands; where the section begins when none is given.
  func position(of keys: String...) -> TextPosition { keys.compactMap { given[$0]?.position }.first ?? position }
}

/// A configuration while it is read: section by section, the tracker's own first, as others take its name.
struct BoardDraft {
  var reader: ConfigurationReader
  private(set) var configuration = BoardConfiguration()
  private(set) var rows: [ConfigurationRow] = []
  /// The line on which each rule begins.
  private(set) var ruleLines: [RuleName: Int] = [:]
  /// Where things stand that are checked against each other.
  private(set) var places = BoardPlaces()

  init(environment: [String: String]) { reader = ConfigurationReader(environment: environment) }

  /// Names of the sections that are objects or the list of objects.
  private static let sectionNames =
    [
      "gnss", "imu", "supply", "barometer", "wheel", "contacts", "presence", "modem", "uplinks", "requests", "buzzer",
      "record", "page",
    ] + RuleKeys.file

  mutating func read(_ value: JSON5Value) {
    places.file = value.position
    guard case .object(let members) = value.content else {
      reader.note("found \(value.kind), expected an object { … } with the settings", at: value.position)
      return
    }
    var top = readTop(members, at: value.position)
    for member in members where BoardDraft.sectionNames.contains(member.key) {
      places.sections[member.key] = member.position
    }
    readGNSS(section("gnss", of: members))
    readInertial(section("imu", of: members))
    describeSensor(&top, at: value.position)
    if let supply = read(ConfigurationSchema.supply, of: members) { configuration.supply = supply.settings }
    if let barometer = read(ConfigurationSchema.barometer, of: members) { configuration.barometer = barometer.settings }
    if let wheel = read(ConfigurationSchema.wheel, of: members) { take(wheel) }
    if let contacts = read(ConfigurationSchema.contacts, of: members) {
      configuration.contacts = contacts.settings.lines(contacts.given) { reader.note($0, at: $1) }
    }
    if let presence = read(ConfigurationSchema.presence, of: members) {
      configuration.presence = presence.settings.settings(presence.given) { reader.note($0, at: $1) }
    }
    readModem(section("modem", of: members))
    readUplinks(members.first { $0.key == "uplinks" })
    if let requests = read(ConfigurationSchema.requests, of: members) { take(requests) }
    if let buzzer = read(ConfigurationSchema.buzzer, of: members) {
      configuration.buzzer = buzzer.settings.settings(buzzer.position) { reader.note($0, at: $1) }
    }
    if let recording = read(ConfigurationSchema.recording, of: members) { take(recording) }
    if let page = read(ConfigurationSchema.page, of: members) { take(page) }
    readRules(members)
    rows += reader.rows(ConfigurationSchema.tracker, configuration, top, path: [])
    check()
  }

  /// The members of a section; nil when it is not there, or is no object.
  private mutating func section(_ name: String, of members: [JSON5Member]) -> ([JSON5Member], TextPosition)? {
    guard let member = members.first(where: { $0.key == name }),
      let inner = reader.members(member.value, label: name)
    else { return nil }
    return (inner, member.position)
  }

  /// What a section of one kind sets; nil when it is not there, or is no object.
  private mutating func read<Root>(_ schema: BoundSection<Root>, of members: [JSON5Member]) -> ReadSection<Root>? {
    let name = schema.section.path
    guard let (members, position) = section(name, of: members) else { return nil }
    let given = reader.values(of: members, keys: schema.section.keys, label: name)
    let settings = reader.fill(schema, given, label: name, at: position)
    rows += reader.rows(schema, settings, given, path: [name])
    return ReadSection(settings: settings, given: given, position: position)
  }

  private mutating func take(_ wheel: ReadSection<WheelSettings>) {
    configuration.wheel = wheel.settings
    if wheel.given["circumference"] != nil {
      configuration.tracker.tracker.wheelCircumference = Float(wheel.settings.circumference)
    }
  }

  private mutating func take(_ recording: ReadSection<RecordingSettings>) {
    configuration.recording = recording.settings
    guard recording.settings.totalBytes < 2 * recording.settings.segmentBytes else { return }
    reader.note(
      "'record.totalMegabytes': expected at least twice 'record.segmentMegabytes', or no earlier file is left when a new "
        + "file begins", at: recording.position(of: "totalMegabytes", "segmentMegabytes"))
  }

  private mutating func take(_ page: ReadSection<ConfigurationSchema.PageDraft>) {
    configuration.page = page.settings.address
    configuration.pageToken = page.settings.token
    places.pageHost = page.position(of: "host")
    let shortest = BoardConfiguration.shortestPageToken
    if let token = page.settings.token, token.revealed.utf8.count < shortest {
      reader.note("'page.token': expected \(shortest) characters or more", at: page.position(of: "token"))
    }
  }

  private mutating func readRules(_ members: [JSON5Member]) {
    var draft = RuleDraft(reader)
    for member in members { _ = draft.read(member) }
    draft.finish()
    reader = draft.reader
    if let remark = draft.remark { reader.warn(remark.message, at: remark.position) }
    rows += draft.rows(members)
    configuration.rules = draft.tables
    ruleLines = draft.lines
  }

  private mutating func readTop(_ members: [JSON5Member], at position: TextPosition) -> [String: GivenValue] {
    let board = ConfigurationSchema.board
    let tracker = ConfigurationSchema.tracker
    var given = reader.values(
      of: members, keys: board.section.keys + tracker.section.keys, label: "", others: BoardDraft.sectionNames)
    let names = board.section.keys + tracker.section.keys
    if case .text(let word)? = given["profile"]?.value, let profile = BoardProfile(rawValue: word) {
      for setting in profile.settings
      where given[setting.name] == nil && names.contains(where: { $0.name == setting.name }) {
        given[setting.name] = GivenValue(value: setting.value, origin: .profile(word), position: position)
      }
    }
    places.top = given.mapValues(\.position)
    configuration = reader.fill(board, given, label: "", at: position)
    configuration = reader.fill(tracker, given, label: "", at: position, into: configuration)
    rows = reader.rows(board, configuration, given, path: [])
    return given
  }

  /// A row for the word that says which kind of object it is.
  private func selectorRow(_ path: [String], _ key: String, _ word: String, _ given: GivenValue?) -> ConfigurationRow {
    ConfigurationRow(path: path + [key], value: .text(word), origin: given?.origin ?? .standard)
  }

  /// A section that says by a word where something comes from: the word, what is given with it, and where.
  ///
  /// - Returns: nil when the section is not there, and the standard holds, or when its word is none.
  private mutating func source(
    _ section: ([JSON5Member], TextPosition)?, of name: String, standard: String
  ) -> (word: String, selector: GivenValue?, given: [String: GivenValue], position: TextPosition)? {
    guard let (members, position) = section else {
      rows.append(selectorRow([name], "source", standard, nil))
      return nil
    }
    guard let (word, selector) = reader.kind(of: members, path: name, label: name, at: position) else { return nil }
    let given = reader.values(of: members, kind: word, path: name, label: name)
    rows.append(selectorRow([name], "source", word, selector))
    return (word, selector, given, position)
  }

  private mutating func readGNSS(_ section: ([JSON5Member], TextPosition)?) {
    guard let (word, selector, given, position) = source(section, of: "gnss", standard: "gpsd") else {
      if section == nil {
        rows += reader.rows(ConfigurationSchema.gpsd, ConfigurationSchema.gpsd.fresh, [:], path: ["gnss"])
      }
      return
    }
    places.gnss = selector?.position ?? position
    let kind =
      switch word {
      case "serial": ConfigurationSchema.serialGNSS
      case "modem": ConfigurationSchema.modemGNSS
      case "none": ConfigurationSchema.noGNSS
      default: ConfigurationSchema.gpsd
      }
    let draft = reader.fill(kind, given, label: "gnss", at: position)
    rows += reader.rows(kind, draft, given, path: ["gnss"])
    configuration.gnss =
      switch word {
      case "serial": .serial(port: draft.serialPort, bitsPerSecond: draft.rate)
      case "modem": .modem
      case "none": .none
      default: .gpsd(host: draft.host, port: draft.port, device: draft.device)
      }
    if word == "serial", let given = given["port"] {
      places.ports.append(("gnss.port", draft.serialPort, given.position))
    }
  }

  private mutating func readInertial(_ section: ([JSON5Member], TextPosition)?) {
    guard let (word, _, given, position) = source(section, of: "imu", standard: "none") else { return }
    let kind =
      switch word {
      case "iio": ConfigurationSchema.iio
      case "i2c": ConfigurationSchema.i2c
      case "serial": ConfigurationSchema.serialInertial
      default: ConfigurationSchema.noInertial
      }
    let draft = reader.fill(kind, given, label: "imu", at: position)
    rows += reader.rows(kind, draft, given, path: ["imu"])
    configuration.imu =
      switch word {
      case "iio":
        .iio(
          device: draft.device, root: draft.root, hertz: draft.hertz, specificForceRange: draft.specificForceRange,
          angularRateRange: draft.angularRateRange)
      case "i2c":
        .i2c(
          bus: draft.bus, address: draft.address, part: draft.part, hertz: draft.hertz,
          specificForceRange: draft.specificForceRange, angularRateRange: draft.angularRateRange,
          configurationFile: draft.configurationFile)
      case "serial": .witMotion(port: draft.serialPort, bitsPerSecond: draft.rate)
      default: .none
      }
    if word == "i2c", let part = InertialPart.named(draft.part), part.needsConfigurationFile,
      draft.configurationFile == nil
    {
      reader.note(
        "'imu.configurationFile' is missing: a \(part.name) needs its maker's file of 8192 bytes",
        at: given["part"]?.position ?? position)
    }
    if word == "serial", let given = given["port"] {
      places.ports.append(("imu.port", draft.serialPort, given.position))
    }
  }

  /// What a data sheet tells about the inertial sensor, for settings that the file leaves open.
  private mutating func describeSensor(_ top: inout [String: GivenValue], at position: TextPosition) {
    guard let (part, sensor) = configuration.imu.description else { return }
    let standard = TrackerConfiguration()
    var known = standard
    known.sensor = sensor
    for setting in Setting.all where top[setting.name] == nil && setting.text(known) != setting.text(standard) {
      let value = GivenValue(value: .number(setting.text(known)), origin: .part(part), position: position)
      top[setting.name] = value
      configuration = reader.fill(
        ConfigurationSchema.tracker, [setting.name: value], label: "", at: position, into: configuration)
    }
  }

  private mutating func readModem(_ section: ([JSON5Member], TextPosition)?) {
    guard let (members, position) = section else { return }
    let schema = ConfigurationSchema.modem
    let given = reader.values(of: members, keys: schema.section.keys, label: "modem")
    var draft = reader.fill(schema, given, label: "modem", at: position)
    if given["mqtt.clientId"] == nil, let client = ModemText<64>(string: clientID) {
      draft.settings.driver.mqttClient = client
    }
    finish(&draft, given)
    configuration.modem = draft.settings
    rows += reader.rows(schema, draft, given, path: ["modem"])
    places.modem = given.mapValues(\.position)
    places.ports.append(("modem.port", draft.settings.port, given["port"]?.position ?? position))
  }

  private mutating func finish(_ draft: inout ModemDraft, _ given: [String: GivenValue]) {
    for (name, path, _) in ConfigurationSchema.lines {
      let line = draft[keyPath: path]
      let parts = ["chip", "line", "inverted"].compactMap { given["\(name).\($0)"] }
      guard let first = parts.first else { continue }
      guard !line.chip.isEmpty, let number = line.line else {
        reader.note(
          "'modem.\(name)': expected both 'chip' and 'line', such as { chip: \"gpiochip0\", line: 4 }",
          at: first.position)
        continue
      }
      let wired = GPIOLine(chip: line.chip, line: number, isInverted: line.isInverted)
      switch name {
      case "powerKey": draft.settings.powerKey = wired
      case "reset": draft.settings.reset = wired
      case "status": draft.settings.status = wired
      default: draft.settings.supply = wired
      }
    }
    var wiring = ModemWiring()
    wiring.hasPowerKey = draft.settings.powerKey != nil
    wiring.hasReset = draft.settings.reset != nil
    wiring.hasStatus = draft.settings.status != nil
    wiring.hasSupplySwitch = draft.settings.supply != nil
    wiring.hasDTR = draft.settings.hasDTR
    draft.settings.driver.wiring = wiring
    draft.settings.driver.gnss = configuration.gnss == .modem
    guard !draft.url.isEmpty, let address = try? WebAddress(draft.url),
      let server = ServerAddress(string: address.server), let path = ModemText<128>(string: address.path)
    else { return }
    draft.settings.driver.httpServer = server
    draft.settings.driver.httpPath = path
    places.modemURLIsSecure = address.isSecure
  }

  /// What a broker knows the tracker by, when nothing else is set.
  private var clientID: String {
    let id = configuration.tracker.tracker.trackerID
    return "leash-" + id.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func readUplinks(_ member: JSON5Member?) {
    guard let member else { return }
    guard case .array(let values) = member.value.content else {
      reader.note("'uplinks': found \(member.value.kind), expected a list [ { by: … } ]", at: member.value.position)
      return
    }
    guard values.count <= 8 else {
      reader.note("'uplinks': found \(values.count), expected 8 at most", at: member.value.position)
      return
    }
    for (place, value) in values.enumerated() { readUplink(value, place) }
    configuration.tracker.tracker.outbox.receivers = configuration.receiverList
    configuration.tracker.tracker.outbox.hasSpool = true
  }

  /// Takes over who may ask what.
  mutating func add(_ settings: RequestSettings) {
    configuration.requests = settings
    configuration.modem?.senders = settings.senders
  }

  /// Adds a way, with whom it leads to.
  private mutating func add(_ kind: UplinkSettings.Kind, _ draft: UplinkDraft, at position: TextPosition) {
    var uplink = UplinkSettings(kind)
    uplink.receiver = draft.receiver
    uplink.kinds = draft.kinds.flatMap { PacketKindSet($0) }
    // No other form has sealed messages.
    uplink.format = draft.format ?? (draft.encryptionKey == nil ? nil : .ownTracks)
    uplink.trusted = draft.trusted
    uplink.encryptionKey = draft.encryptionKey
    configuration.uplinks.append(uplink)
    places.uplinks.append(position)
  }

  /// The modem's requests have the content type of what goes by it, unless the file says another.
  private mutating func giveModem(_ format: PacketFormat, _ transport: ModemTransport?) {
    let transport = transport ?? configuration.modem?.transport ?? .http
    guard transport == .http || transport == .legacyHTTP, places.modem["contentType"] == nil,
      let type = HeaderText(format.contentType)
    else { return }
    configuration.modem?.driver.httpContentType = type
    let path = ["modem", "contentType"]
    if let row = rows.firstIndex(where: { $0.path == path }) { rows[row].value = .text("\(format.contentType)") }
  }

  /// Changes the modem by what an uplink says, and what `leash config show` says of its MQTT.
  mutating func changeModem(showing values: [String: ConfigurationValue], _ change: (inout ModemSettings) -> Void) {
    guard var modem = configuration.modem else { return }
    change(&modem)
    configuration.modem = modem
    for place in rows.indices where rows[place].path.dropLast() == ["modem", "mqtt"] {
      if let value = values[rows[place].path[2]] { rows[place].value = value }
    }
  }

  private mutating func readUplink(_ value: JSON5Value, _ place: Int) {
    let label = "uplinks[\(place)]"
    let path = ["uplinks", "\(place)"]
    guard let members = reader.members(value, label: label),
      let (word, selector) = reader.kind(of: members, path: "uplinks", label: label, at: value.position)
    else { return }
    let given = reader.values(of: members, kind: word, path: "uplinks", label: label)
    let kind =
      switch word {
      case "mqtt": ConfigurationSchema.mqtt
      case "http": ConfigurationSchema.http
      default: ConfigurationSchema.modemUplink
      }
    var draft = reader.fill(kind, given, label: label, at: value.position)
    if word == "mqtt" {
      if given["port"] == nil && draft.usesTLS { draft.mqtt.port = 8883 }
      if given["clientId"] == nil {
        // Two sessions of one name at a broker would throw each other out, for ever.
        let others = configuration.uplinks.count { if case .mqtt = $0.kind { true } else { false } }
        draft.mqtt.clientID = others == 0 ? clientID : "\(clientID)-\(others + 1)"
      }
      draft.mqtt.others = draft.hosts.compactMap { MQTTHost(text: $0, port: draft.mqtt.port) }
      fillForHomeAssistant(&draft, Set(given.keys))
    }
    if word == "http", let address = try? WebAddress(draft.http.url) {
      draft.http.otherURLs = draft.hosts.compactMap { address.replacingHost($0) }
    }
    if word == "modem" { fillForModemHomeAssistant(&draft, given, label, value.position) }
    let format = draft.format ?? (draft.encryptionKey == nil ? configuration.tracker.tracker.packetFormat : .ownTracks)
    if word == "http", given["contentType"] == nil { draft.http.contentType = "\(format.contentType)" }
    if word == "modem" { giveModem(format, draft.transport) }
    checkUplink(draft, given, word, label, value.position)
    checkNeeds(of: format, draft, word, label, given["format"]?.position ?? value.position)
    checkOwnTracks(draft, format, given, word, label, value.position)
    if word == "http" {
      checkTemplate(draft, format, given, label, value.position)
      // Whoever writes it believes that something is signed.
      for member in members where member.key == "sign" && member.value.content == .object([]) {
        reader.warn("'\(label).sign' is empty: nothing is signed; expected 'key' in it", at: member.position)
      }
    }
    if word != "http" { checkHomeAssistant(draft, format, given, label, value.position) }
    rows.append(selectorRow(path, "by", word, selector))
    rows += reader.rows(kind, draft, given, path: path)
    switch word {
    case "mqtt":
      draft.mqtt.tls = draft.usesTLS ? draft.tls : nil
      setHomeAssistant(&draft)
      if let topic = draft.willTopic, let payload = draft.willPayload { draft.mqtt.will = (topic, payload) }
      add(.mqtt(draft.mqtt), draft, at: value.position)
    case "http":
      draft.http.tls = draft.tls
      add(.http(draft.http), draft, at: value.position)
    default:
      setModemHomeAssistant(draft, label, value.position)
      add(.modem(draft.transport), draft, at: value.position)
      if places.modemUplink == nil { places.modemUplink = selector?.position ?? value.position }
    }
  }
}

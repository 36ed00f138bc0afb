import Quantities

// SMCONF, SMCONN, SMDISC, SMSTATE, SMSSL: the MQTT session.
//
// Source: [sim7000-at] chapter 14; [sim7000-mqtt] section 2.

/// The MQTT session.
struct MQTTState: Equatable, Sendable {
  /// Most bytes of one `SMPUB`.
  static let maximumPayload = 512
  /// Longest topic.
  static let maximumTopic = 128

  /// How far the session is.
  enum Phase: Equatable, Sendable {
    /// There is none.
    case closed
    /// `SMCONN` is on its way.
    case connecting
    /// Open, or believed to be.
    case open
  }

  /// How far the session is.
  var phase = Phase.closed
  /// Number of the connection; nil when it is gone.
  var id: Int?
  /// Tags of `SMCONF` but URL.
  var settings: [String: String] = [:]
  /// Server of `SMCONF="URL"`.
  var host = ""
  /// Its port.
  var port: UInt16 = 1883
  /// `SMSSL`: 0 off, else TLS context plus one; certificate of the authority.
  var tlsIndex = 0
  /// Certificate of the authority; empty verifies nothing.
  var authority = ""
  /// `SMPUBHEX`.
  var publishesHexadecimal = false
  /// Number of the last message.
  var message = 0
  /// Number of the message whose acknowledgement the running command waits for.
  var pending: Int?
}

extension SimulatedModem {
  /// The commands of this file.
  static var mqttCommands: [SimulatedCommand] {
    [
      sessionCommand("+SMCONF") { modem, call in modem.smconf(call) },
      sessionCommand("+SMSSL") { modem, call in modem.smssl(call) },
      sessionCommand("+SMCONN") { modem, call in modem.smconn(call) },
      sessionCommand("+SMSTATE") { modem, call in
        guard call.form == .read else { return .error }
        return Answer.ok.line("+SMSTATE: \(modem.data.mqtt.phase == .open ? 1 : 0)")
      },
      sessionCommand("+SMDISC") { modem, call in
        guard call.form == .execute, modem.data.mqtt.phase == .open else { return .error }
        modem.closeMQTTConnection()
        modem.data.mqtt.phase = .closed
        return .ok
      },
    ]
  }

  /// `AT+SMCONF="tag","value"`; `URL` takes the port as a value of its own or behind a colon.
  private mutating func smconf(_ call: CommandCall) -> Answer {
    let tags = [
      "CLIENTID", "KEEPTIME", "CLEANSS", "USERNAME", "PASSWORD", "QOS", "TOPIC", "MESSAGE", "RETAIN",
    ]
    switch call.form {
    case .test: return Answer.ok.line("+SMCONF: (\"URL\",\"\(tags.joined(separator: "\",\""))\")")
    case .read:
      let mqtt = data.mqtt
      let texts = ["+SMCONF: ", "URL: \"\(mqtt.host)\",\"\(mqtt.port)\""]
      return Answer.ok.lines(texts + tags.map { "\($0): \"\(mqtt.settings[$0] ?? "")\"" })
    case .execute: return .error
    case .write: break
    }
    guard data.mqtt.phase == .closed, call.count >= 2, let tag = call.string(0)?.uppercased(),
      let value = call.string(1)
    else { return .error }
    if tag == "URL" { return setMQTTServer(value, port: call.string(2)) }
    guard tags.contains(tag), call.count == 2 else { return .error }
    switch tag {
    case "KEEPTIME": guard call.integer(1, in: 0...65535) != nil else { return .error }
    case "CLEANSS", "RETAIN": guard call.integer(1, in: 0...1) != nil else { return .error }
    case "QOS": guard call.integer(1, in: 0...2) != nil else { return .error }
    default: break
    }
    data.mqtt.settings[tag] = value
    return .ok
  }

  /// `SMCONF="URL"`, with the port apart or behind a colon.
  private mutating func setMQTTServer(_ text: String, port: String?) -> Answer {
    guard port == nil || !configuration.dialect.joinsBroker else { return .error }
    var host = text
    var number = port
    if number == nil, let colon = text.lastIndex(of: ":") {
      host = String(text[..<colon])
      number = String(text[text.index(after: colon)...])
    }
    let value = number.map { UInt16($0) } ?? 1883
    guard let value, value > 0, !host.isEmpty else { return .error }
    data.mqtt.host = host
    data.mqtt.port = value
    return .ok
  }

  /// `AT+SMSSL=<index>[,"ca","certificate"]`; 0 switches TLS off.
  private mutating func smssl(_ call: CommandCall) -> Answer {
    if call.form == .read {
      return Answer.ok.line("+SMSSL: \(data.mqtt.tlsIndex),\"\(data.mqtt.authority)\",\"\"")
    }
    guard call.form == .write, let index = call.integer(0, in: 0...6), call.count <= 3 else { return .error }
    for place in 1..<max(1, call.count) where (call.string(place) ?? "").utf8.count > 20 { return .error }
    data.mqtt.tlsIndex = index
    data.mqtt.authority = call.string(1) ?? ""
    return .ok
  }

  /// `AT+SMCONN`: `OK`, or `ERROR` for any reason.
  private mutating func smconn(_ call: CommandCall) -> Answer {
    let mqtt = data.mqtt
    guard call.form == .execute, mqtt.phase == .closed, data.app.phase == .active, !mqtt.host.isEmpty else {
      return .error
    }
    data.mqtt.phase = .connecting
    // Whether the index counts the contexts from zero or from one is not settled [U]: the options of either hold.
    let isVerifiable =
      mqtt.tlsIndex == 0 || canVerify(mqtt.authority, context: mqtt.tlsIndex - 1)
      || canVerify(mqtt.authority, context: mqtt.tlsIndex)
    guard isVerifiable, !nextConnectFails() else {
      schedule(.data(.mqttConnectFails), after: configuration.data.connectFailureDelay)
      return .later
    }
    let id = newID(for: .mqtt)
    data.mqtt.id = id
    ask(.mqttConnect(id: id, mqttSettings))
    schedule(.data(.mqttConnectFails), after: configuration.data.connectTimeout)
    return .later
  }

  /// What the tags of `SMCONF` tell the broker.
  private var mqttSettings: MQTTConnectRequest {
    let mqtt = data.mqtt
    func number(_ tag: String, _ usual: Int) -> Int { mqtt.settings[tag].flatMap { Int($0) } ?? usual }
    let topic = mqtt.settings["TOPIC"] ?? ""
    let will = MQTTWill(
      topic: topic, payload: Array((mqtt.settings["MESSAGE"] ?? "").utf8), qos: number("QOS", 0),
      isRetained: number("RETAIN", 0) == 1)
    return MQTTConnectRequest(
      host: mqtt.host, port: mqtt.port, clientID: mqtt.settings["CLIENTID"] ?? "SIMCom_client",
      user: mqtt.settings["USERNAME"] ?? "", password: mqtt.settings["PASSWORD"] ?? "",
      keepAlive: number("KEEPTIME", 60), cleanSession: number("CLEANSS", 0) == 1, will: topic.isEmpty ? nil : will,
      usesTLS: mqtt.tlsIndex > 0)
  }

  /// `SMCONN` ends in `ERROR`.
  mutating func mqttConnectFails() {
    guard data.mqtt.phase == .connecting else { return }
    closeMQTTConnection()
    data.mqtt.phase = .closed
    if isRunning("+SMCONN") { complete(.error) }
  }

  /// Lets the connection go.
  mutating func closeMQTTConnection() {
    if let id = data.mqtt.id { ask(.mqttDisconnect(id: id)) }
    forgetMQTTConnection()
  }

  /// Forgets the number and what waited on it.
  private mutating func forgetMQTTConnection() {
    forgetID(data.mqtt.id)
    data.mqtt.id = nil
    data.mqtt.pending = nil
    timers.cancel(.data(.mqttConnectFails))
    timers.cancel(.data(.mqttDrops))
  }

  /// The connection is gone: the host is told, and the command that waits gets no result of its own.
  mutating func mqttDrops() {
    guard data.mqtt.phase == .open else { return }
    let waits = data.mqtt.pending != nil
    closeMQTTConnection()
    data.mqtt.phase = .closed
    urc("+SMSTATE: 0")
    if waits, isRunning("+SMPUB") || isRunning("+SMSUB") || isRunning("+SMUNSUB") { complete(.silent) }
  }

  /// The broker answers, or has a message.
  mutating func handleMQTT(_ reply: NetworkReply) {
    switch reply {
    case .mqttConnected:
      guard data.mqtt.phase == .connecting else { return }
      timers.cancel(.data(.mqttConnectFails))
      data.mqtt.phase = .open
      if isRunning("+SMCONN") { complete(.ok) }
    case .mqttRefused(let id, _):
      forgetID(id)
      data.mqtt.id = nil
      mqttConnectFails()
    case .mqttAcknowledged(_, let message):
      guard data.mqtt.pending == message else { return }
      data.mqtt.pending = nil
      timers.cancel(.data(.mqttDrops))
      if isRunning("+SMPUB") || isRunning("+SMSUB") || isRunning("+SMUNSUB") { complete(.ok) }
    case .mqttMessage(_, let topic, let payload): mqttReceives(topic, payload)
    case .mqttClosed(let id):
      forgetID(id)
      data.mqtt.id = nil
      if data.mqtt.phase == .connecting { mqttConnectFails() } else { mqttDrops() }
    default: break
    }
  }

  /// The bearer is gone, and the session with it.
  mutating func loseMQTT(isSilent: Bool) {
    switch data.mqtt.phase {
    case .closed: return
    case .connecting: mqttConnectFails()
    case .open:
      if isSilent {
        if let id = data.mqtt.id { ask(.mqttDisconnect(id: id)) }
        forgetID(data.mqtt.id)
        data.mqtt.id = nil
      } else {
        mqttDrops()
      }
    }
  }
}

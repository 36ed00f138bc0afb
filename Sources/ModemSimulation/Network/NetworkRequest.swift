/// What leaves the module for the world.
///
/// The modem numbers its sockets, sessions and operations; a number is never used again during the modem's life, also not
/// after a reset, so an answer that comes too late finds nobody.
public enum NetworkRequest: Equatable, Sendable {
  /// Open a TCP or UDP socket to a server; answered by `opened`, `refused`, later `closed`.
  case openSocket(id: Int, isUDP: Bool, host: String, port: UInt16, usesTLS: Bool)
  /// Bytes for the server of a socket; answered by `sent` when they are acknowledged.
  case send(id: Int, bytes: [UInt8])
  /// Close a socket; no answer is expected.
  case closeSocket(id: Int)
  /// Connect to the server of a URL (scheme, host, port); answered by `httpConnected` or `httpFailed`.
  case httpConnect(id: Int, url: String)
  /// A request; `url` is whole. Answered by `httpResponse`, `httpFailed` or `httpClosed`.
  case httpRequest(id: Int, method: String, url: String, headers: [HTTPHeader], body: [UInt8])
  /// Close an HTTP connection; no answer is expected.
  case httpDisconnect(id: Int)
  /// Connect to an MQTT broker; answered by `mqttConnected`, `mqttRefused`, later `mqttClosed`.
  case mqttConnect(id: Int, MQTTConnectRequest)
  /// Publish a message; answered by `mqttAcknowledged` with the message's number, also for quality of service 0, as soon
  /// as the broker has it.
  case mqttPublish(id: Int, message: Int, topic: String, payload: [UInt8], qos: Int, isRetained: Bool)
  /// Subscribe; answered by `mqttAcknowledged`.
  case mqttSubscribe(id: Int, message: Int, topic: String, qos: Int)
  /// End a subscription; answered by `mqttAcknowledged`.
  case mqttUnsubscribe(id: Int, message: Int, topic: String)
  /// Say goodbye to the broker; no answer is expected.
  case mqttDisconnect(id: Int)
  /// Look a name up; answered by `resolved` or `unresolved`.
  case resolve(id: Int, host: String)
  /// Ask a time server; answered by `time` or `unresolved`.
  case networkTime(id: Int, host: String)
  /// Send a short message (PDU mode is decoded first); answered by `smsAccepted` or `smsRefused`. With
  /// `wantsReport`, `smsReported` follows once it is known what became of it.
  case sms(id: Int, to: String, text: String, wantsReport: Bool = false)

  /// The number of the socket, session or operation.
  public var id: Int {
    switch self {
    case .openSocket(let id, _, _, _, _), .send(let id, _), .closeSocket(let id), .httpConnect(let id, _),
      .httpRequest(let id, _, _, _, _), .httpDisconnect(let id), .mqttConnect(let id, _),
      .mqttPublish(let id, _, _, _, _, _), .mqttSubscribe(let id, _, _, _), .mqttUnsubscribe(let id, _, _),
      .mqttDisconnect(let id), .resolve(let id, _), .networkTime(let id, _), .sms(let id, _, _, _):
      return id
    }
  }
}

/// One header line of HTTP.
public struct HTTPHeader: Equatable, Sendable {
  /// Name, such as `Content-Type`.
  public var name: String
  /// Value, without the spaces around it.
  public var value: String

  /// A header line.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What a modem sends an MQTT broker when it connects.
public struct MQTTConnectRequest: Equatable, Sendable {
  /// Name or address of the broker.
  public var host: String
  /// Port of the broker.
  public var port: UInt16
  /// Name of the client.
  public var clientID: String
  /// User, empty when there is none.
  public var user: String
  /// Password, empty when there is none.
  public var password: String
  /// Longest silence of the client, s.
  public var keepAlive: Int
  /// True when the broker shall forget an earlier session.
  public var cleanSession: Bool
  /// What the broker publishes when the client vanishes.
  public var will: MQTTWill?
  /// True when the connection goes through TLS.
  public var usesTLS: Bool

  /// Settings with the usual values for what is not given.
  public init(
    host: String, port: UInt16 = 1883, clientID: String, user: String = "", password: String = "", keepAlive: Int = 60,
    cleanSession: Bool = false, will: MQTTWill? = nil, usesTLS: Bool = false
  ) {
    self.host = host
    self.port = port
    self.clientID = clientID
    self.user = user
    self.password = password
    self.keepAlive = keepAlive
    self.cleanSession = cleanSession
    self.will = will
    self.usesTLS = usesTLS
  }
}

/// The message a broker publishes for a client that vanished.
public struct MQTTWill: Equatable, Sendable {
  /// Topic of the message.
  public var topic: String
  /// Its content.
  public var payload: [UInt8]
  /// Its quality of service, 0 to 2.
  public var qos: Int
  /// True when the broker keeps it for later subscribers.
  public var isRetained: Bool

  /// A last will.
  public init(topic: String, payload: [UInt8], qos: Int = 0, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
  }
}

public import Quantities

/// What an HTTP server of the `VirtualNetwork` answers.
public struct HTTPAnswer: Equatable, Sendable {
  /// Status code.
  public var status: Int
  /// Header lines.
  public var headers: [HTTPHeader]
  /// Body.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a body of text.
  public init(status: Int = 200, text: String) { self.init(status: status, body: Array(text.utf8)) }
}

/// How an HTTP server finds its answer.
public enum HTTPBehaviour: Sendable {
  /// The same answer always.
  case fixed(HTTPAnswer)
  /// Status 200 and the request's body.
  case echo
  /// Status 200 and `ACK <sequence>`, the sequence number as `VirtualNetwork.sequence(in:)` finds it; 400 without one.
  case acknowledging
  /// Whatever the function says.
  case custom(@Sendable (ReceivedPayload) -> HTTPAnswer)
}

/// An HTTP server of the `VirtualNetwork`.
public struct HTTPServer: Sendable {
  /// Name or address.
  public var host: String
  /// Port.
  public var port: UInt16
  /// True when it speaks TLS only.
  public var usesTLS: Bool
  /// What it answers.
  public var behaviour: HTTPBehaviour
  /// True when it closes the connection after each answer.
  public var closesAfterAnswer: Bool
  /// When it closes a connection on which nothing happens; nil for never.
  public var closesIdleAfter: Interval?

  /// A server.
  public init(
    host: String, port: UInt16 = 80, usesTLS: Bool = false, behaviour: HTTPBehaviour = .acknowledging,
    closesAfterAnswer: Bool = false, closesIdleAfter: Interval? = nil
  ) {
    self.host = host
    self.port = port
    self.usesTLS = usesTLS
    self.behaviour = behaviour
    self.closesAfterAnswer = closesAfterAnswer
    self.closesIdleAfter = closesIdleAfter
  }
}

/// How a TCP or UDP server answers.
public enum SocketBehaviour: Equatable, Sendable {
  /// Sends back what comes.
  case echo
  /// Answers every line (for UDP: every datagram) that holds a sequence number with `ACK <sequence>` and a line feed.
  case acknowledging
  /// Takes everything and says nothing.
  case silent
  /// Sends these bytes after whatever comes, then closes.
  case answerAndClose([UInt8])
}

/// A TCP or UDP server of the `VirtualNetwork`.
public struct SocketServer: Equatable, Sendable {
  /// Name or address.
  public var host: String
  /// Port.
  public var port: UInt16
  /// True for UDP.
  public var isUDP: Bool
  /// True when it speaks TLS only.
  public var usesTLS: Bool
  /// What it answers.
  public var behaviour: SocketBehaviour

  /// A server.
  public init(
    host: String, port: UInt16, isUDP: Bool = false, usesTLS: Bool = false, behaviour: SocketBehaviour = .acknowledging
  ) {
    self.host = host
    self.port = port
    self.isUDP = isUDP
    self.usesTLS = usesTLS
    self.behaviour = behaviour
  }
}

/// An MQTT broker of the `VirtualNetwork`.
public struct MQTTBroker: Equatable, Sendable {
  /// Name or address.
  public var host: String
  /// Port.
  public var port: UInt16
  /// True when it speaks TLS only.
  public var usesTLS: Bool
  /// User it asks for; nil when anybody may connect.
  public var user: String?
  /// Password of that user.
  public var password: String
  /// When not empty, every message published to a topic is acknowledged by a message `ACK <sequence>` on that topic with
  /// this suffix, such as `/ack`.
  public var acknowledgementSuffix: String
  /// When not empty, a message published to a topic of this filter closes the connection, as an access list does.
  package var refusedTopics: String

  /// A broker.
  public init(
    host: String, port: UInt16 = 1883, usesTLS: Bool = false, user: String? = nil, password: String = "",
    acknowledgementSuffix: String = "", refusedTopics: String = ""
  ) {
    self.host = host
    self.port = port
    self.usesTLS = usesTLS
    self.user = user
    self.password = password
    self.acknowledgementSuffix = acknowledgementSuffix
    self.refusedTopics = refusedTopics
  }
}

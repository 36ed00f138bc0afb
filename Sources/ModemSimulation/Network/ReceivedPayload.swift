public import Quantities

/// The kinds of traffic a `VirtualNetwork` carries.
public enum NetworkChannel: Equatable, Sendable, CaseIterable {
  /// TCP sockets.
  case tcp
  /// UDP sockets.
  case udp
  /// HTTP requests.
  case http
  /// MQTT messages.
  case mqtt
  /// Short messages.
  case sms
  /// Look-up of names.
  case dns
  /// Time servers.
  case time
}

/// Something a server got from the modem, kept for whoever asks later.
public struct ReceivedPayload: Equatable, Sendable {
  /// When the server had it.
  public var time: Instant
  /// How it came.
  public var channel: NetworkChannel
  /// Where it went: URL, topic, `host:port`, number, or the name asked for.
  public var destination: String
  /// Method of an HTTP request, otherwise empty.
  public var method: String
  /// Header lines of an HTTP request.
  public var headers: [HTTPHeader]
  /// The payload.
  public var bytes: [UInt8]
  /// The modem's number of the connection or operation.
  public var id: Int
  /// The server's answer to it was lost on its way back.
  public var answerIsLost = false

  /// A payload that reached its server.
  public init(
    time: Instant, channel: NetworkChannel, destination: String, method: String = "", headers: [HTTPHeader] = [],
    bytes: [UInt8], id: Int
  ) {
    self.time = time
    self.channel = channel
    self.destination = destination
    self.method = method
    self.headers = headers
    self.bytes = bytes
    self.id = id
  }

  /// The payload as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

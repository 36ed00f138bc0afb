public import Quantities

/// What the world answers a `NetworkRequest`, or reports unasked.
public enum NetworkReply: Equatable, Sendable {
  /// The socket is open.
  case opened(id: Int)
  /// The socket could not be opened.
  case refused(id: Int, NetworkFailure)
  /// Bytes from the server of a socket.
  case received(id: Int, bytes: [UInt8])
  /// The server acknowledged so many more bytes.
  case sent(id: Int, count: Int)
  /// The server closed the socket.
  case closed(id: Int)
  /// The HTTP connection is there.
  case httpConnected(id: Int)
  /// The server's response.
  case httpResponse(id: Int, status: Int, headers: [HTTPHeader], body: [UInt8])
  /// Connecting or asking failed.
  case httpFailed(id: Int, NetworkFailure)
  /// The server closed the HTTP connection.
  case httpClosed(id: Int)
  /// The broker accepted the client.
  case mqttConnected(id: Int)
  /// The broker did not accept the client, or was not reached.
  case mqttRefused(id: Int, NetworkFailure)
  /// The broker has the message of that number (publish, subscribe or unsubscribe).
  case mqttAcknowledged(id: Int, message: Int)
  /// A message of a topic the client subscribed to.
  case mqttMessage(id: Int, topic: String, payload: [UInt8])
  /// The connection to the broker ended.
  case mqttClosed(id: Int)
  /// A name's address in dotted form.
  case resolved(id: Int, address: String)
  /// No such name, or no answer.
  case unresolved(id: Int)
  /// The time server's time.
  case time(id: Int, UTCTime)
  /// The message centre took the message and gave it a reference, 0 to 255.
  case smsAccepted(id: Int, reference: Int)
  /// The message centre did not take it; `code` is that of `+CMS ERROR`.
  case smsRefused(id: Int, code: Int)
  /// What became of a message that was taken.
  case smsReported(id: Int, MessageReport)

  /// The number of the socket, session or operation.
  public var id: Int {
    switch self {
    case .opened(let id), .refused(let id, _), .received(let id, _), .sent(let id, _), .closed(let id),
      .httpConnected(let id), .httpResponse(let id, _, _, _), .httpFailed(let id, _), .httpClosed(let id),
      .mqttConnected(let id), .mqttRefused(let id, _), .mqttAcknowledged(let id, _), .mqttMessage(let id, _, _),
      .mqttClosed(let id), .resolved(let id, _), .unresolved(let id), .time(let id, _), .smsAccepted(let id, _),
      .smsRefused(let id, _), .smsReported(let id, _):
      return id
    }
  }
}

/// What the message centre knows of a message that it has taken.
///
/// - Source: [ts23040] section 9.2.2.3 (`SMS-STATUS-REPORT`).
public struct MessageReport: Equatable, Sendable {
  /// The message's reference, 0 to 255.
  public var reference: Int
  /// Number of its receiver.
  public var to: String
  /// When the centre took it.
  public var sent: UTCTime
  /// When it was delivered, or last tried.
  public var done: UTCTime
  /// What became of it: 0 delivered; 32 to 63 the centre still tries; 64 and above it has given up.
  ///
  /// - Source: [ts23040] section 9.2.3.15.
  public var status: Int

  /// A report.
  public init(reference: Int, to: String, sent: UTCTime, done: UTCTime, status: Int = 0) {
    self.reference = reference
    self.to = to
    self.sent = sent
    self.done = done
    self.status = status
  }
}

/// Why a connection did not come about.
public enum NetworkFailure: Equatable, Sendable, CaseIterable {
  /// The server answered no.
  case refused
  /// There is no way to the server.
  case unreachable
  /// The name is not known.
  case noSuchHost
  /// Nobody answered in time.
  case timedOut
  /// The two sides could not agree on a secure connection.
  case tls
}

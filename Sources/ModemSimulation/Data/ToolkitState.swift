import Quantities

/// The sockets of the TCP/IP toolkit and their bearer.
struct ToolkitState: Equatable, Sendable {
  /// Most sockets.
  static let socketCount = 8
  /// Most bytes of one `CIPSEND`.
  static let maximumSend = 1460
  /// Received bytes kept for `CIPRXGET` per socket; what does not fit is refused to the sender in reality, lost here.
  static let bufferCapacity = 1 << 16

  /// How far the bearer is.
  enum Phase: String, Equatable, Sendable {
    case initial = "IP INITIAL"
    case start = "IP START"
    case config = "IP CONFIG"
    case active = "IP GPRSACT"
    case status = "IP STATUS"
    case deactivated = "PDP DEACT"
  }

  /// State of a socket, as `CIPSTATUS` prints it.
  enum SocketPhase: String, Equatable, Sendable {
    case initial = "INITIAL"
    case connecting = "CONNECTING"
    case connected = "CONNECTED"
    case closed = "CLOSED"
  }

  /// One socket.
  struct Socket: Equatable, Sendable {
    var phase = SocketPhase.initial
    var id: Int?
    var isUDP = false
    var host = ""
    var port: UInt16 = 0
    /// Bytes not read yet.
    var received: [UInt8] = []
    /// Bytes sent, and those the peer acknowledged.
    var sentCount = 0
    var acknowledgedCount = 0
  }

  var phase = Phase.initial
  /// Access point name, user and password of `CSTT`.
  var access = ["CMNET", "", ""]
  /// `CIPMUX`.
  var isMultiple = false
  /// `CIPQSEND`.
  var sendsQuickly = false
  /// `CIPRXGET`.
  var getsManually = false
  /// `CIPHEAD`.
  var printsHead = false
  /// `CIPSRIP`.
  var printsSource = false
  /// `CIPMODE`.
  var isTransparent = false
  /// Seconds of `CIPATS`; 0 when off.
  var autoSendAfter = 0
  var sockets = [Socket](repeating: Socket(), count: socketCount)
  /// A connect that waits for the bearer (single mode from IP INITIAL).
  var waitsForBearer = false
  /// The socket whose `CIPSEND` waits for its acknowledgement.
  var sendingPlace: Int?
  /// Bytes of transparent mode to be sent.
  var transparent: [UInt8] = []

  /// Text of `CIPSTATUS`.
  var statusText: String {
    let wasUsed = sockets.contains { $0.phase != .initial }
    guard phase == .status, wasUsed else { return phase.rawValue }
    if isMultiple { return "IP PROCESSING" }
    let kind = sockets[0].isUDP ? "UDP" : "TCP"
    switch sockets[0].phase {
    case .initial: return phase.rawValue
    case .connecting: return "\(kind) CONNECTING"
    case .connected: return "CONNECT OK"
    case .closed: return "\(kind) CLOSED"
    }
  }
}

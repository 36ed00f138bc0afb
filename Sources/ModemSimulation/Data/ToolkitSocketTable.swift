import Quantities

/// The sockets of the TCP/IP toolkit and their bearer.
struct ToolkitSocketTable: Equatable, Sendable {
  /// Most sockets.
  static let socketCount = 8
  /// Most bytes of one `CIPSEND`.
  static let maximumSend = 1460
  /// Received bytes kept for `CIPRXGET` per socket; what does not fit is refused to the sender in reality, lost here.
  static let bufferCapacity = 1 << 16

  /// How far the bearer is.
  enum Phase: String, Equatable, Sendable {
    /// Nothing was done yet.
    case initial = "IP INITIAL"
    /// `CSTT` was given.
    case start = "IP START"
    /// `CIICR` is on its way.
    case config = "IP CONFIG"
    /// There is a bearer.
    case active = "IP GPRSACT"
    /// The host has asked for the address: sockets may be opened.
    case status = "IP STATUS"
    /// The bearer is lost; only `CIPSHUT` helps.
    case deactivated = "PDP DEACT"
  }

  /// State of a socket, as `CIPSTATUS` prints it.
  enum SocketPhase: String, Equatable, Sendable {
    /// Never used.
    case initial = "INITIAL"
    /// On its way.
    case connecting = "CONNECTING"
    /// Open.
    case connected = "CONNECTED"
    /// Closed by one of the sides.
    case closed = "CLOSED"
  }

  /// One socket.
  struct Socket: Equatable, Sendable {
    /// How far it is.
    var phase = SocketPhase.initial
    /// Number of the connection; nil when it is gone.
    var id: Int?
    /// True for UDP.
    var isUDP = false
    /// Host as it was given.
    var host = ""
    /// Port.
    var port: UInt16 = 0
    /// Bytes not read yet.
    var received: [UInt8] = []
    /// Bytes sent in all.
    var sentCount = 0
    /// Bytes the peer acknowledged.
    var acknowledgedCount = 0
  }

  /// How far the bearer is.
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
  /// The sockets by their place.
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

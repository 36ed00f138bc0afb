/// How far an exchange got.
@frozen public enum ModemReach: UInt8, BitwiseCopyable, Sendable, CaseIterable, Comparable {
  /// Nowhere.
  case nothing
  /// Something came over the serial line.
  case line
  /// The modem answered.
  case modem
  /// The SIM card works.
  case card
  /// A network has taken it in.
  case network
  /// The modem said what became of a message in a network that has taken it in.
  case message
  /// There is a bearer.
  case bearer
  /// The server has taken the connection.
  case session
  /// The server answered.
  case server

  /// True when the first is nearer.
  @inlinable public static func < (a: ModemReach, b: ModemReach) -> Bool { a.rawValue < b.rawValue }
}

/// Why the driver had to do something.
@frozen public enum ModemTrouble: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// A command was refused.
  case refused
  /// A command was not answered in time, but the modem is there.
  case unanswered
  /// The modem does not answer at all.
  case silent
  /// The modem did not start.
  case noStart
  /// The SIM card is missing or broken.
  case simFailure
  /// The SIM card is locked, and the PIN is missing or was refused.
  case simLocked
  /// No network was found in time.
  case notRegistered
  /// The modem has given up its search for a network.
  case searchEnded
  /// The network refuses this subscription.
  case denied
  /// There is no bearer.
  case noBearer
  /// The server could not be reached.
  case noSession
  /// The session with the server broke down.
  case sessionLost
  /// The server did not acknowledge, or answered with an error that may pass.
  case unacknowledged
  /// The server answers, and has a fault that may pass.
  case serverFault
  /// The supply is too low, or the modem starts over and over.
  case supply

  /// The name used in logs.
  public var name: StaticString {
    switch self {
    case .refused: return "refused"
    case .unanswered: return "unanswered"
    case .silent: return "silent"
    case .noStart: return "noStart"
    case .simFailure: return "simFailure"
    case .simLocked: return "simLocked"
    case .notRegistered: return "notRegistered"
    case .searchEnded: return "searchEnded"
    case .serverFault: return "serverFault"
    case .denied: return "denied"
    case .noBearer: return "noBearer"
    case .noSession: return "noSession"
    case .sessionLost: return "sessionLost"
    case .unacknowledged: return "unacknowledged"
    case .supply: return "supply"
    }
  }

  /// The lowest rung that can help.
  var firstRung: RecoveryRung {
    switch self {
    case .refused, .unanswered, .unacknowledged, .serverFault: return .retry
    case .noSession, .sessionLost: return .session
    case .noBearer: return .bearer
    case .notRegistered, .searchEnded, .denied, .simFailure, .simLocked: return .radio
    case .silent: return .reset
    case .noStart, .supply: return .power
    }
  }

  /// How far the exchange got at least. What is known of the modem besides may prove more.
  public var reach: ModemReach {
    switch self {
    case .silent, .noStart, .supply: return .nothing
    case .unanswered: return .line
    case .refused, .simFailure, .simLocked: return .modem
    case .notRegistered, .searchEnded, .denied: return .card
    case .noBearer, .noSession, .sessionLost, .unacknowledged: return .network
    case .serverFault: return .server
    }
  }

  /// The highest rung that can help, when the exchange got this far: what is below is sound, and nothing done to it can help.
  func lastRung(reaching reach: ModemReach) -> RecoveryRung {
    if isBeyondRepair { return .radio }
    switch reach {
    case .server: return .session
    case .session: return .session
    case .bearer: return .bearer
    case .message: return .radio
    case .nothing, .line, .modem, .card, .network: return .power
    }
  }

  /// True when only somebody else can help, so that climbing higher is useless and waiting longer is right.
  var isBeyondRepair: Bool { self == .denied || self == .simLocked }
}

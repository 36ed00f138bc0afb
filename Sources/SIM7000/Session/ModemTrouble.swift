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
    case .refused, .unanswered, .unacknowledged: return .retry
    case .noSession, .sessionLost: return .session
    case .noBearer: return .bearer
    case .notRegistered, .denied, .simFailure, .simLocked: return .radio
    case .silent: return .reset
    case .noStart, .supply: return .power
    }
  }

  /// True when only somebody else can help, so that climbing higher is useless and waiting longer is right.
  var isBeyondRepair: Bool { self == .denied || self == .simLocked }
}

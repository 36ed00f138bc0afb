/// What the modem is doing about its power.
@frozen public enum ModemPhase: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Nothing is known yet.
  case undetermined
  /// Switched off, and nothing wants it on.
  case off
  /// The power key is held.
  case pressing
  /// Starting up.
  case starting
  /// The rate is looked for, and the first answer.
  case linking
  /// On and in step.
  case running
  /// Switching off.
  case stopping
  /// RESET is held, or was.
  case resetting
  /// Its supply is cut.
  case unpowered
  /// Off for a while before the next try.
  case resting
  /// Asleep with DTR high.
  case asleep
  /// DTR went low a moment ago.
  case waking
  /// In power saving mode.
  case dormant

  /// The name used in logs.
  public var name: StaticString {
    switch self {
    case .undetermined: return "undetermined"
    case .off: return "off"
    case .pressing: return "pressing"
    case .starting: return "starting"
    case .linking: return "linking"
    case .running: return "running"
    case .stopping: return "stopping"
    case .resetting: return "resetting"
    case .unpowered: return "unpowered"
    case .resting: return "resting"
    case .asleep: return "asleep"
    case .waking: return "waking"
    case .dormant: return "dormant"
    }
  }
}

import SIM7000

/// States of the modem while there is nothing to send, by the words of `modem.idle`.
enum IdleName: String, ArgumentValue, CaseIterable, Sendable {
  case awake
  case sleep
  case powerSaving
  case off

  /// The driver's own.
  var policy: IdlePolicy {
    switch self {
    case .awake: .awake
    case .sleep: .sleep
    case .powerSaving: .powerSaving
    case .off: .off
    }
  }
}

import ATCommands

/// Outcome of asking a time server.
@frozen package enum TimeServerOutcome: UInt8, BitwiseCopyable, Sendable {
  /// The clock was set.
  case done = 1
  /// No network.
  case networkError = 61
  /// No such name.
  case nameError = 62
  /// No connection.
  case connectionError = 63
  /// Not a time server.
  case serviceError = 64
  /// No answer.
  case timedOut = 65

  /// Reads `+CNTP: 1` or `+CNTP: 1,"<time>"`.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+CNTP"), fields.count == 1 || (fields.count == 2 && fields.isQuoted(1)),
      let number = fields.byte(0)
    else { return nil }
    self.init(rawValue: number)
  }
}

/// What a time server brought: `+CNTP: <code>`.
///
/// - Source: [sim7000at] `AT+CNTP`.
@frozen package struct TimeServerNotice: ATNotice {
  /// Outcome.
  package var outcome: TimeServerOutcome
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> TimeServerNotice? {
    guard let outcome = TimeServerOutcome(line) else { return nil }
    return TimeServerNotice(outcome: outcome)
  }
}

import ATCommands

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

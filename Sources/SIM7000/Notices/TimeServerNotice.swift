public import ATCommands

/// What a time server brought: `+CNTP: <code>`.
///
/// - Source: [sim7000at] `AT+CNTP`.
@frozen public struct TimeServerNotice: ATNotice {
  /// Outcome.
  public var outcome: TimeServerOutcome
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> TimeServerNotice? {
    guard let outcome = TimeServerOutcome(line) else { return nil }
    return TimeServerNotice(outcome: outcome)
  }
}

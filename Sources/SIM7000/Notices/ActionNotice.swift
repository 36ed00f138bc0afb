import ATCommands

/// Outcome of a request by the legacy HTTP client: `+HTTPACTION: <method>,<status>,<length>`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPACTION`.
@frozen package struct ActionNotice: ATNotice {
  /// Outcome.
  package var outcome: ActionOutcome
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ActionNotice? {
    guard let outcome = ActionOutcome(line) else { return nil }
    return ActionNotice(outcome: outcome)
  }
}

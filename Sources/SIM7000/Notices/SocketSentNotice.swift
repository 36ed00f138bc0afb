import ATCommands

/// What a socket took of what was sent: `+CASEND: <cid>,<result>,<sent>`.
///
/// - Source: [sim7000at] `AT+CASEND`.
@frozen package struct SocketSentNotice: ATNotice {
  /// What it took.
  package var outcome: SocketSendOutcome
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SocketSentNotice? {
    guard let outcome = SocketSendOutcome(line) else { return nil }
    return SocketSentNotice(outcome: outcome)
  }
}

import ATCommands

/// Outcome of a request by the HTTP client: `+SHREQ: "<method>",<status>,<length>`.
///
/// - Source: [sim7000at] `AT+SHREQ`.
@frozen package struct RequestNotice: ATNotice {
  /// Outcome.
  package var outcome: RequestOutcome
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> RequestNotice? {
    guard let outcome = RequestOutcome(line) else { return nil }
    return RequestNotice(outcome: outcome)
  }
}

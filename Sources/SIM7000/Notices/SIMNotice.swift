import ATCommands

/// State of the SIM card: `+CPIN: READY`, `+CPIN: NOT READY`, `+CPIN: NOT INSERTED`, `+CPIN: SIM PIN` and others.
///
/// Comes after a start, after `AT+CFUN`, and when a card is put in or taken out.
///
/// - Source: [sim7000at] `AT+CPIN`.
@frozen package struct SIMNotice: ATNotice {
  /// State.
  package var state: SIMState
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SIMNotice? {
    guard let state = SIMState(line) else { return nil }
    return SIMNotice(state: state)
  }
}

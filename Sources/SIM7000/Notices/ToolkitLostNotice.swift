import ATCommands

/// The network has ended the toolkit's connection: `+PDP: DEACT`, or `+PDP DEACT` in some texts, or the state that
/// `CIPSTART` is answered with. `CIPSHUT` must follow.
///
/// - Source: [sim7000at] `AT+CIPSHUT`; [sim7000an] TCP/IP.
@frozen package struct ToolkitLostNotice: ATNotice {
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ToolkitLostNotice? {
    line.equals("+PDP: DEACT") || line.equals("+PDP DEACT") || line.equals("STATE: PDP DEACT")
      ? ToolkitLostNotice() : nil
  }
}

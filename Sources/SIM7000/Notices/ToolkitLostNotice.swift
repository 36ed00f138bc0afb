public import ATCommands

/// The network has ended the toolkit's connection: `+PDP: DEACT`, or `+PDP DEACT` in some texts. `CIPSHUT` must follow.
///
/// - Source: [sim7000at] `AT+CIPSHUT`; [sim7000an] TCP/IP.
@frozen public struct ToolkitLostNotice: ATNotice {
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> ToolkitLostNotice? {
    line.equals("+PDP: DEACT") || line.equals("+PDP DEACT") ? ToolkitLostNotice() : nil
  }
}

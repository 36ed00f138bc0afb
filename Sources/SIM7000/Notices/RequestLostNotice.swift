import ATCommands

/// The HTTP server has closed the connection: `+SHSTATE: 0`. No `+SHREQ` comes for a request that was under way.
///
/// - Source: [sim7000at] `AT+SHSTATE`.
@frozen package struct RequestLostNotice: ATNotice {
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> RequestLostNotice? {
    SHSTATE.Read.decode(line) == false ? RequestLostNotice() : nil
  }
}

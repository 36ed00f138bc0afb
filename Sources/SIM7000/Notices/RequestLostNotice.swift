import ATCommands

/// The HTTP server has closed the connection: `+SHSTATE: 0`. No `+SHREQ` comes for a request that was under way.
///
/// - Source: [sim7000at] `AT+SHSTATE`.
@frozen package struct RequestLostNotice: ATNotice {
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> RequestLostNotice? {
    guard let fields = line.fields(of: "+SHSTATE"), fields.count == 1, fields.flag(0) == false else { return nil }
    return RequestLostNotice()
  }
}

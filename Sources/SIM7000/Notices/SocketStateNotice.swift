import ATCommands

/// The state of a socket has changed: `+CASTATE: <cid>,<state>`.
///
/// - Source: [sim7000at] `AT+CASTATE`.
@frozen package struct SocketStateNotice: ATNotice {
  /// Which, and how.
  package var status: SocketStatus
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SocketStateNotice? {
    guard let status = SocketStatus(line) else { return nil }
    return SocketStateNotice(status: status)
  }
}

import ATCommands

/// A socket has received bytes: `+CADATAIND: <cid>`.
///
/// - Source: [sim7000at] `AT+CARECV`.
@frozen package struct SocketDataNotice: ATNotice {
  /// Number of the socket.
  package var socket: UInt8
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SocketDataNotice? {
    guard let fields = line.fields(of: "+CADATAIND"), fields.count == 1, let socket = fields.byte(0, maximum: 12) else {
      return nil
    }
    return SocketDataNotice(socket: socket)
  }
}

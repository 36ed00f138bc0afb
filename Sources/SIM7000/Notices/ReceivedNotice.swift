import ATCommands

/// A connection of the toolkit has received bytes: `+CIPRXGET: 1` or `+CIPRXGET: 1,<n>`.
///
/// - Source: [sim7000at] `AT+CIPRXGET`.
@frozen package struct ReceivedNotice: ATNotice {
  /// Connection 0 to 7; nil when there is only one.
  package var connection: UInt8?
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ReceivedNotice? {
    guard let fields = line.fields(of: "+CIPRXGET"), fields.byte(0) == 1 else { return nil }
    if fields.count == 1 { return ReceivedNotice(connection: nil) }
    guard fields.count == 2, let connection = fields.byte(1, maximum: 7) else { return nil }
    return ReceivedNotice(connection: connection)
  }
}

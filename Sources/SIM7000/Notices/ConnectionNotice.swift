import ATCommands

/// What became of a connection of the toolkit: `CONNECT OK`, `CONNECT FAIL`, `ALREADY CONNECT`, `CLOSED`, with `<n>, ` before it
/// when there are several; the blank is left out by some firmware.
///
/// - Source: [sim7000at] `AT+CIPSTART`; [sim7000an] TCP/IP.
@frozen package struct ConnectionNotice: ATNotice {
  /// What became of it.
  @frozen package enum Event: UInt8, BitwiseCopyable, Sendable {
    /// It is open.
    case opened
    /// It could not be opened.
    case failed
    /// It was open before.
    case alreadyOpen
    /// The peer, or the network, has closed it.
    case closed
  }

  /// Connection 0 to 7; nil when there is only one.
  package var connection: UInt8?
  /// What became of it.
  package var event: Event
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ConnectionNotice? {
    let bytes = line.bytes
    guard bytes.count > 2 else { return nil }
    if bytes[1] != 0x2C {
      guard let event = event(line) else { return nil }
      return ConnectionNotice(connection: nil, event: event)
    }
    let start = bytes[2] == 0x20 ? 3 : 2
    guard bytes[0] >= 0x30, bytes[0] <= 0x37, let event = event(ATLine(bytes.extracting(start..<bytes.count))) else {
      return nil
    }
    return ConnectionNotice(connection: bytes[0] - 0x30, event: event)
  }

  private static func event(_ words: borrowing ATLine) -> Event? {
    if words.equals("CONNECT OK") { return .opened }
    if words.equals("CONNECT FAIL") { return .failed }
    if words.equals("ALREADY CONNECT") { return .alreadyOpen }
    return words.equals("CLOSED") ? .closed : nil
  }
}

import ATCommands

/// Short messages can be used: `SMS Ready`, seconds to a minute after a start.
///
/// - Source: [sim7000at] `AT+CPMS`; observed order of a start.
@frozen package struct MessagesReadyNotice: ATNotice {
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> MessagesReadyNotice? {
    line.equals("SMS Ready") ? MessagesReadyNotice() : nil
  }
}

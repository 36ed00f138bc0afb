public import ATCommands

/// Short messages can be used: `SMS Ready`, seconds to a minute after a start.
///
/// - Source: [sim7000at] `AT+CPMS`; observed order of a start.
@frozen public struct MessagesReadyNotice: ATNotice {
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> MessagesReadyNotice? {
    line.equals("SMS Ready") ? MessagesReadyNotice() : nil
  }
}

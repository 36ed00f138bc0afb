public import ATCommands

/// A short message that is not stored: `+CMT: "<sender>",<name>,"<time>"`; its text is the next line.
///
/// - Source: [ts27005] section 3.4.1; [sim7000at] `AT+CNMI`.
@frozen public struct DirectMessageNotice: ATNotice {
  /// What stands before the text.
  public var header: MessageHeader
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> DirectMessageNotice? {
    guard let fields = line.fields(of: "+CMT"), let header = MessageHeader(fields, sender: 0) else { return nil }
    return DirectMessageNotice(header: header)
  }
}

import ATCommands

/// A short message that is not stored: `+CMT: "<sender>",<name>,"<time>"`; its text is the next line. Where messages come as digits
/// (`CMGF=0`) it is `+CMT: [<name>],<octets>`, and the digits are the next line.
///
/// - Source: [ts27005] section 3.4.1; [sim7000at] `AT+CNMI`.
@frozen package struct DirectMessageNotice: ATNotice {
  /// What stands before the text.
  package var header: MessageHeader
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> DirectMessageNotice? {
    guard let fields = line.fields(of: "+CMT"), let header = MessageHeader(fields, sender: 0) else { return nil }
    return DirectMessageNotice(header: header)
  }

  /// Octets behind the centre's address of a message that comes as digits; nil when the line announces none.
  static func octets(_ line: borrowing ATLine) -> UInt16? {
    guard let fields = line.fields(of: "+CMT"), fields.count == 2 else { return nil }
    return fields.word(1)
  }
}

import ATCommands

/// A short message was stored: `+CMTI: "SM",<index>`.
///
/// - Source: [ts27005] section 3.4.1; [sim7000at] `AT+CNMI`.
@frozen package struct StoredMessageNotice: ATNotice {
  /// Place in the store.
  package var index: UInt16
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> StoredMessageNotice? {
    guard let fields = line.fields(of: "+CMTI"), fields.count == 2, fields.isQuoted(0), let index = fields.word(1)
    else {
      return nil
    }
    return StoredMessageNotice(index: index)
  }
}

import ATCommands

/// A report of what became of a short message was stored: `+CDSI: "SM",<index>`.
///
/// - Source: [ts27005] section 3.4.1.
@frozen package struct StoredReportNotice: ATNotice {
  /// Place in the store.
  package var index: UInt16
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> StoredReportNotice? {
    guard let fields = line.fields(of: "+CDSI"), fields.count == 2, fields.isQuoted(0), let index = fields.word(1)
    else {
      return nil
    }
    return StoredReportNotice(index: index)
  }
}

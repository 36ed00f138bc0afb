import ATCommands

/// What became of a short message that was sent: `+CDS: <first octet>,<reference>,"<number>",<type>,"<sent>","<done>",<status>`.
///
/// Number and type may be empty, or missing with their commas.
///
/// - Source: [ts27005] section 3.4.1; [sim7000at] `AT+CNMI`.
@frozen package struct StatusReportNotice: Equatable, ATNotice {
  /// What became of a message.
  @frozen package enum Fate: UInt8, BitwiseCopyable, Sendable {
    /// The telephone has it.
    case delivered
    /// The network still tries.
    case pending
    /// The network has given up, or does not know whether the telephone has it.
    case failed
  }

  /// The message's reference, as `CMGS` told it.
  package var reference: UInt8
  /// What the network says of it.
  package var status: UInt8

  /// What the status means. Of the codes below 32, all of which end the matter, only 0 says that the telephone has the message.
  ///
  /// - Source: [ts23040] section 9.2.3.15.
  package var fate: Fate {
    switch status {
    case 0: .delivered
    case 32..<64: .pending
    default: .failed
    }
  }

  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> StatusReportNotice? {
    guard let fields = line.fields(of: "+CDS") else { return nil }
    return StatusReportNotice(fields, from: 0)
  }

  init(reference: UInt8, status: UInt8) {
    self.reference = reference
    self.status = status
  }

  /// A report whose first octet is field `first`: `<first octet>,<reference>,[<number>,<type>,]<sent>,<done>,<status>`.
  init?(_ fields: borrowing ATFields, from first: Int) {
    let last = fields.count - 1
    guard last - first >= 4, last - first <= 6, fields.byte(first) != nil, fields.isQuoted(last - 1),
      fields.isQuoted(last - 2), let reference = fields.byte(first + 1), let status = fields.byte(last)
    else { return nil }
    self.init(reference: reference, status: status)
  }
}

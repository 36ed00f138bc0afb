import ATCommands

/// Summer time of the network: `DST: <hours>`.
///
/// - Source: [sim7000at] `AT+CLTS`.
@frozen package struct SummerTimeNotice: ATNotice {
  /// Hours, 0 to 2.
  package var hours: UInt8
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SummerTimeNotice? {
    guard let fields = line.fields(of: "DST"), fields.count == 1, let hours = fields.byte(0, maximum: 2) else {
      return nil
    }
    return SummerTimeNotice(hours: hours)
  }
}

import ATCommands

/// The modem goes to its deepest sleep, or comes back: `+CPSMSTATUS: "ENTER PSM"`, `+CPSMSTATUS: "EXIT PSM"`; with or without
/// quotes.
///
/// - Source: [sim7000at] `AT+CPSMSTATUS`; [sim7000an] low power.
@frozen package enum PowerSavingNotice: UInt8, ATNotice {
  /// The serial line goes dead.
  case entered
  /// It is back.
  case left

  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> PowerSavingNotice? {
    guard let fields = line.fields(of: "+CPSMSTATUS"), fields.count == 1 else { return nil }
    if fields.equals(0, "ENTER PSM") { return .entered }
    return fields.equals(0, "EXIT PSM") ? .left : nil
  }
}

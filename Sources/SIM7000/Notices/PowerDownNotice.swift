import ATCommands

/// The modem switches off: `NORMAL POWER DOWN`, `UNDER-VOLTAGE POWER DOWN`, `OVER-VOLTAGE POWER DOWN`.
///
/// - Source: [sim7000at] `AT+CPOWD`, `AT+CBATCHK`.
@frozen package enum PowerDownNotice: UInt8, ATNotice {
  /// It was asked to, by a command or by PWRKEY.
  case normal
  /// The supply is below 2.9 V.
  case underVoltage
  /// The supply is above 4.4 V.
  case overVoltage

  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> PowerDownNotice? {
    if line.equals("NORMAL POWER DOWN") { return .normal }
    if line.equals("UNDER-VOLTAGE POWER DOWN") { return .underVoltage }
    return line.equals("OVER-VOLTAGE POWER DOWN") ? .overVoltage : nil
  }
}

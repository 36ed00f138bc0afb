import ATCommands

/// The supply leaves its range: `UNDER-VOLTAGE WARNNING` below 3.1 V, `OVER-VOLTAGE WARNNING` above 4.3 V.
///
/// The manual spells it with two N; one is understood as well.
///
/// - Source: [sim7000at] `AT+CBATCHK`; [sim7000hd] on power.
@frozen package enum SupplyWarningNotice: UInt8, ATNotice {
  /// Too low.
  case underVoltage
  /// Too high.
  case overVoltage

  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SupplyWarningNotice? {
    if line.equals("UNDER-VOLTAGE WARNNING") || line.equals("UNDER-VOLTAGE WARNING") { return .underVoltage }
    return line.equals("OVER-VOLTAGE WARNNING") || line.equals("OVER-VOLTAGE WARNING") ? .overVoltage : nil
  }
}

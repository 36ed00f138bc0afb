import ATCommands

/// Time zone of the network: `+CTZV: <zone>`, perhaps with the time after it.
///
/// - Source: [ts27007] section 8.41; [sim7000at] `AT+CLTS`.
@frozen package struct ZoneNotice: ATNotice {
  /// Quarters of an hour east of Greenwich, −48 to 56.
  package var zoneQuarterHours: Int8
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ZoneNotice? {
    guard let fields = line.fields(of: "+CTZV"), let zone = fields.signed(0), zone >= -48, zone <= 56 else {
      return nil
    }
    return ZoneNotice(zoneQuarterHours: Int8(truncatingIfNeeded: zone))
  }
}

import ATCommands

/// The network has ended a bearer: `+SAPBR 1: DEACT`.
///
/// - Source: [sim7000at] `AT+SAPBR`.
@frozen package struct BearerLostNotice: ATNotice {
  /// Number of the bearer, 1 to 3.
  package var bearer: UInt8
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> BearerLostNotice? {
    if line.equals("+SAPBR 1: DEACT") { return BearerLostNotice(bearer: 1) }
    if line.equals("+SAPBR 2: DEACT") { return BearerLostNotice(bearer: 2) }
    return line.equals("+SAPBR 3: DEACT") ? BearerLostNotice(bearer: 3) : nil
  }
}

import ATCommands

/// The network in use has changed: `+CNSMOD: <stat>`.
///
/// - Source: [sim7000at] `AT+CNSMOD`: 0 none, 1 GSM, 3 EGPRS, 7 Cat-M1, 9 NB-IoT.
@frozen package struct SystemNotice: ATNotice {
  /// A network in use.
  @frozen package enum System: UInt8, BitwiseCopyable, Sendable {
    /// None.
    case noService = 0
    /// GSM.
    case gsm = 1
    /// EGPRS.
    case egprs = 3
    /// LTE Cat-M1.
    case catM1 = 7
    /// LTE Cat-NB1.
    case narrowband = 9
  }

  /// The network.
  package var system: System
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SystemNotice? {
    guard let fields = line.fields(of: "+CNSMOD"), fields.count == 1, let number = fields.byte(0),
      let system = System(rawValue: number)
    else { return nil }
    return SystemNotice(system: system)
  }
}

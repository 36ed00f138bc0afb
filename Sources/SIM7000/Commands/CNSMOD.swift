/// Network in use, as the notice `+CNSMOD: <stat>` reports it.
///
/// - Source: [sim7000at] `AT+CNSMOD`: 0 none, 1 GSM, 3 EGPRS, 7 Cat-M1, 9 NB-IoT.
package enum CNSMOD {
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
}

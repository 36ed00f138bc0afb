/// Level of function: `AT+CFUN=<fun>[,<rst>]` → `OK` within 10 s; a reset restarts the modem around its `OK`.
///
/// Levels but 0 are stored.
///
/// - Source: [ts27007] section 8.2; [sim7000at] `AT+CFUN`.
package enum CFUN {
  /// What works.
  @frozen package enum Level: UInt8, BitwiseCopyable, Sendable {
    /// Neither radio nor SIM card.
    case minimum = 0
    /// Everything.
    case full = 1
    /// No radio.
    case flight = 4
    /// Test in the factory.
    case factoryTest = 5
    /// The modem resets.
    case reset = 6
    /// No network.
    case offline = 7
  }
}

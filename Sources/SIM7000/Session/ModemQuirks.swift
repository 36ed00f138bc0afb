/// What the modem at hand does otherwise than its manual: known of its firmware, or learnt when it refused.
///
/// It outlives starts of the modem and may be kept over starts of the host: give it to the next `Modem`. Another firmware makes it
/// empty. A way that was refused is tried again once all others were refused too.
@frozen public struct ModemQuirks: Equatable, BitwiseCopyable, Sendable {
  /// The firmware that it was learnt of; nil while none has reported its name.
  public var firmware: FirmwareRevision?
  /// Ways that it does not have, a bit each by raw value.
  public var lacking: UInt8 = 0
  /// The longest body that `SHCONF` takes, bytes.
  public var bodyLimit: UInt16 = 1024
  /// `SHBODEXT` is refused: the body goes within `SHBOD`.
  public var takesBodyInCommand = false
  /// `CMGF=0` is refused: messages come as text.
  public var hasNoDigits = false
  /// Reports of messages can't be delivered by `+CDS`: they are stored, and announced by `+CDSI`.
  public var storesReports = false
  /// It says that it echoes, and does not.
  public var hasNoEcho = false
  /// `SMCONF` takes the broker as `host:port`.
  public var joinsBrokerAddress = false

  /// A modem that does what its manual says.
  public init() {}

  /// True when it does not have this way.
  public func lacks(_ way: ModemTransport) -> Bool { lacking & 1 << way.rawValue != 0 }

  mutating func learnLack(of way: ModemTransport) { lacking |= 1 << way.rawValue }

  /// Forgets what was learnt of another firmware, and takes what is known of this one.
  ///
  /// - Source: botletics/SIM7000-LTE-Shield#251, #318 (1351B03 has no `SH`, `SM` and `CA` commands) and #329 (1529B01 takes
  ///   bodies of 64 bytes).
  mutating func meet(_ revision: FirmwareRevision) {
    guard firmware != revision else { return }
    self = ModemQuirks()
    firmware = revision
    if revision.family == 1351, revision.build <= 3 {
      learnLack(of: .http)
      learnLack(of: .mqtt)
      learnLack(of: .applicationTCP)
    }
    if revision.family == 1529, revision.build <= 1 { bodyLimit = 64 }
  }
}

/// What the modem at hand does otherwise than its manual: known of its firmware, or learnt when it refused.
///
/// It outlives starts of the modem and may be kept over starts of the host (`record`): give it to the next `Modem`. Another firmware makes it
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

  /// What is kept of it over starts of the host, with a checksum; 0 while no firmware is known. Whether there is an echo is found out
  /// anew: without one a damaged packet is not noticed.
  public var record: UInt64 {
    guard let firmware else { return 0 }
    let high = UInt32(firmware.family) << 16 | UInt32(firmware.build) << 8 | UInt32(firmware.variant.rawValue)
    var low = UInt32(lacking) | UInt32(truncatingIfNeeded: bodyLimit.leadingZeroBitCount) << 8
    if takesBodyInCommand { low |= 0x1000 }
    if hasNoDigits { low |= 0x2000 }
    if storesReports { low |= 0x4000 }
    if joinsBrokerAddress { low |= 0x8000 }
    return UInt64(high) << 32 | UInt64(low | ModemQuirks.check(high, low))
  }

  /// What was kept; nil when this is no such record.
  public init?(record: UInt64) {
    let high = UInt32(truncatingIfNeeded: record >> 32)
    let low = UInt32(truncatingIfNeeded: record) & 0xFFFF
    guard high != 0, ModemQuirks.check(high, low) | low == UInt32(truncatingIfNeeded: record),
      let variant = ModemVariant(rawValue: UInt8(high & 0xFF))
    else { return nil }
    firmware = FirmwareRevision(family: UInt16(high >> 16), build: UInt8(high >> 8 & 0xFF), variant: variant)
    lacking = UInt8(low & 0xFF)
    bodyLimit = 0x8000 >> UInt16(low >> 8 & 15)
    takesBodyInCommand = low & 0x1000 != 0
    hasNoDigits = low & 0x2000 != 0
    storesReports = low & 0x4000 != 0
    joinsBrokerAddress = low & 0x8000 != 0
  }

  /// 16 bits that change with each bit of a record.
  ///
  /// - Source: our derivation.
  private static func check(_ high: UInt32, _ low: UInt32) -> UInt32 {
    var sum = (high &* 0x9E37_79B1) ^ (low &* 0x85EB_CA6B)
    sum = (sum ^ sum >> 15) &* 0x9E37_79B1
    return (sum ^ sum >> 13) << 16
  }

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

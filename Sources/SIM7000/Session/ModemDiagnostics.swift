/// Counts of the driver.
@frozen public struct ModemDiagnostics: Equatable, BitwiseCopyable, Sendable {
  /// Packets the servers have.
  public var delivered: UInt32 = 0
  /// Times a packet was given to the modem, again or for the first time.
  public var attempts: UInt32 = 0
  /// Starts of the modem.
  public var starts: UInt32 = 0
  /// Actions lost because they were not fetched.
  public var actionsDropped: UInt32 = 0
  /// Lines that mean nothing to the driver.
  public var linesUnknown: UInt32 = 0
  /// Lines of an answer that could not be read.
  public var linesDamaged: UInt32 = 0
  /// NMEA bytes lost because they were not fetched.
  public var nmeaDropped: UInt32 = 0
  /// Reports of messages that were none of the packet's under way: late, or of an earlier try.
  public var reportsUnmatched: UInt32 = 0
  /// Messages that were deleted since they could not be read.
  public var messagesUnread: UInt32 = 0

  @inlinable init() {}
}

extension ModemTransport {
  /// The longest payload, bytes.
  ///
  /// - Source: [sim7000at] `SHBODEXT` 1,024 (350 in old firmware), `SMPUB` 512, `CMGS` 160; `CIPSEND` takes 1,460, of which
  ///   the driver keeps 1,024.
  public var payloadLimit: Int {
    switch self {
    case .http, .legacyHTTP, .tcp, .applicationTCP: return 1024
    case .mqtt: return 512
    case .sms: return 160
    }
  }
}

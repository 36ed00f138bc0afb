public import Quantities

/// Why a packet was handed back.
@frozen public enum UndeliveredReason: Equatable, BitwiseCopyable, Sendable {
  /// It took longer than the configuration allows; the trouble is the last there was.
  case timedOut(ModemTrouble?)
  /// The server refuses it (an HTTP status of 4xx that does not pass by waiting).
  case rejected(status: UInt16)
  /// The message service refuses it.
  case messageRefused(code: UInt16)
  /// The network took the message and reports that the telephone does not have it.
  case messageFailed(status: UInt8)
  /// The network took the message, and no report of it came.
  case messageUnreported
  /// The caller took it back.
  case cancelled
  /// The modem has no way for it: its firmware refused this one and those that lead to the same server.
  case unsupported
}

/// What the driver wants done, or has to report.
@frozen public enum ModemAction: Equatable, BitwiseCopyable, Sendable {
  /// Pull the power key low, or let it go.
  case setPowerKey(isLow: Bool)
  /// Pull RESET low, or let it go.
  case setReset(isLow: Bool)
  /// Set DTR.
  case setDTR(isHigh: Bool)
  /// Switch the supply.
  case setSupply(isOn: Bool)
  /// Set the rate of the serial line, bit/s.
  case setRate(Int32)
  /// The server has the packet.
  case delivered(ticket: UInt32)
  /// The packet was handed back.
  case undelivered(ticket: UInt32, reason: UndeliveredReason)
  /// A fix is in `Modem.fix`.
  case fix
  /// The network, or a satellite, provided the time.
  case networkTime(UTCTime)
  /// Something came for the tracker: fetch it with `drainReply`.
  case reply(ReplySource, count: UInt16)
  /// The modem has started.
  case started
  /// The supply is low.
  case supplyLow
  /// A rung of the ladder was climbed, and why.
  case recovery(RecoveryRung, ModemTrouble)
}

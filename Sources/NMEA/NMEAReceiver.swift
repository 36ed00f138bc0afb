public import Quantities
public struct NMEAReceiver {
  public init() {}
  public mutating func receive(_ bytes: Span<UInt8>, at now: Instant) {}
  public mutating func advance(to now: Instant) {}
  public var nextDeadline: Instant? { nil }
  public mutating func nextFix() -> GNSSFix? { nil }
}

/// What the sensor of a wheel has counted.
@frozen public struct WheelReading: ReadingContent {
  /// When it was read, on the monotonic clock.
  public var time: Instant
  /// Pulses so far, one or more with each turn. It begins anew after `UInt32.max`, and may do so when the sensor starts.
  public let pulses: UInt32

  /// A reading.
  @inlinable public init(time: Instant, pulses: UInt32) {
    self.time = time
    self.pulses = pulses
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "wheel" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    place == 0 ? ReadingField("pulses", .fixed(decimals: 0)) : nil
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? { place == 0 ? Int64(pulses) : nil }

  /// A reading of a number; nil without one, or when it is out of its range.
  public init?(time: Instant, number: (Int) -> Int64?) {
    guard let number = number(0), let pulses = UInt32(exactly: number) else { return nil }
    self.init(time: time, pulses: pulses)
  }
}

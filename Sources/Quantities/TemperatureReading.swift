/// A reading of a thermometer at the tracker.
@frozen public struct TemperatureReading: ReadingContent {
  /// When it was read, on the monotonic clock.
  public var time: Instant
  /// Tenths of a degree Celsius.
  public var decidegrees: Int16

  /// A reading.
  @inlinable public init(time: Instant, decidegrees: Int16) {
    self.time = time
    self.decidegrees = decidegrees
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "temperature" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    place == 0 ? ReadingField("temperature", .fixed(decimals: 1)) : nil
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? { place == 0 ? Int64(decidegrees) : nil }

  /// A reading of a number; nil without one, or when it is out of its range.
  public init?(time: Instant, number: (Int) -> Int64?) {
    guard let decidegrees = number(0), let decidegrees = Int16(exactly: decidegrees) else { return nil }
    self.init(time: time, decidegrees: decidegrees)
  }
}

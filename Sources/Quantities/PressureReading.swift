/// A reading of a barometer at the tracker.
@frozen public struct PressureReading: ReadingContent {
  /// When it was read, on the monotonic clock.
  public var time: Instant
  /// Pressure of the air, Pa, in `range`.
  public let pascals: UInt32

  /// What a barometer of bikes and pets can measure, Pa: the range of the part that most boards have.
  ///
  /// - Source: [bmp280] table 2.
  @inlinable public static var range: ClosedRange<UInt32> { 30_000...110_000 }

  /// A reading; nil when no barometer can have measured it.
  @inlinable public init?(time: Instant, pascals: UInt32) {
    guard PressureReading.range.contains(pascals) else { return nil }
    self.time = time
    self.pascals = pascals
  }

  /// Height at which the standard atmosphere has this pressure, m: the difference of two says how far it went up, whatever the weather.
  ///
  /// - Source: [standard-atmosphere] equation 33a, with the lapse rate of the lowest layer.
  public var height: Float {
    let ratio = Double(pascals) / 101_325
    // R·L/(g·M) of the lowest layer, and T/L.
    return Float(44_330.77 * (1 - Elementary.pow(ratio, 0.190_263_1)))
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "pressure" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    place == 0 ? ReadingField("pressure", .fixed(decimals: 0)) : nil
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? { place == 0 ? Int64(pascals) : nil }

  /// A reading of a number; nil without one, or when it is out of its range.
  public init?(time: Instant, number: (Int) -> Int64?) {
    guard let number = number(0), let pascals = UInt32(exactly: number) else { return nil }
    self.init(time: time, pascals: pascals)
  }
}

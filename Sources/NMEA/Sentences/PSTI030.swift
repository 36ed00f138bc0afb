/// SkyTraq: recommended minimum with height and velocity.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PSTI` |  | SkyTraq |
/// | 1 | 030 |  | SkyTraq |
/// | 2 | UTC | hhmmss.sss | SkyTraq |
/// | 3 | status: A valid, V not |  | SkyTraq |
/// | 4, 5 | latitude, N or S | ddmm.mmmm | SkyTraq |
/// | 6, 7 | longitude, E or W | dddmm.mmmm | SkyTraq |
/// | 8 | height above mean sea level | m | SkyTraq |
/// | 9, 10, 11 | velocity east, north, up | m/s | SkyTraq |
/// | 12 | date | ddmmyy | SkyTraq |
/// | 13 | mode indicator |  | SkyTraq |
/// | 14 | age of the corrections | s | SkyTraq |
/// | 15 | ambiguity ratio |  | SkyTraq |
@frozen public struct PSTI030: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 16 }

  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Whether the receiver vouches for the position.
  public var status: FixStatus
  /// Latitude in nanodegrees, north positive.
  public var latitudeE9: Int64?
  /// Longitude in nanodegrees, east positive.
  public var longitudeE9: Int64?
  /// Height above mean sea level in units of 1e-4 m.
  public var heightE4: Int32?
  /// Velocity to the east in units of 1e-4 m/s.
  public var velocityEastE4: Int32?
  /// Velocity to the north in units of 1e-4 m/s.
  public var velocityNorthE4: Int32?
  /// Date.
  public var date: ShortDate?
  /// How the position was obtained.
  public var mode: ModeIndicator

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    timeOfDayMicroseconds = fields.timeOfDay(2)
    status = FixStatus(fields.character(3))
    latitudeE9 = fields.latitudeE9(4)
    longitudeE9 = fields.longitudeE9(6)
    heightE4 = fields.fixed(8, decimals: 4)
    velocityEastE4 = fields.fixed(9, decimals: 4)
    velocityNorthE4 = fields.fixed(10, decimals: 4)
    date = fields.shortDate(12)
    mode = ModeIndicator(fields.character(13))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    timeOfDayMicroseconds = nil
    status = .unknown
    latitudeE9 = nil
    longitudeE9 = nil
    heightE4 = nil
    velocityEastE4 = nil
    velocityNorthE4 = nil
    date = nil
    mode = .absent
  }
}

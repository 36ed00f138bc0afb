/// Garmin: fix with GPS week and leap seconds.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PGRMF` |  | Garmin |
/// | 1 | GPS week |  | Garmin |
/// | 2 | second of the week | s | Garmin |
/// | 3 | date | ddmmyy | Garmin |
/// | 4 | UTC | hhmmss | Garmin |
/// | 5 | leap seconds | s | Garmin |
/// | 6, 7 | latitude, N or S | ddmm.mmmm | Garmin |
/// | 8, 9 | longitude, E or W | dddmm.mmmm | Garmin |
/// | 10 | selection: A automatic, M manual |  | Garmin |
/// | 11 | fix: 0 none, 1 two-, 2 three-dimensional |  | Garmin |
/// | 12 | speed over ground | km/h | Garmin |
/// | 13 | course over ground, true | degree | Garmin |
/// | 14 | position dilution |  | Garmin |
/// | 15 | time dilution |  | Garmin |
@frozen public struct PGRMF: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 15 }

  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Date.
  public var date: ShortDate?
  /// Latitude in nanodegrees, north positive.
  public var latitudeE9: Int64?
  /// Longitude in nanodegrees, east positive.
  public var longitudeE9: Int64?
  /// Selection, `A` or `M` in ASCII, 0 when empty.
  public var selection: UInt8
  /// Fix: 0 none, 1 two-, 2 three-dimensional.
  public var fixType: UInt16?
  /// Speed over ground in units of 1e-4 km/h.
  public var speedKilometresPerHourE4: Int32?
  /// Course over ground, true, in units of 1e-4 degree.
  public var courseDegreesE4: Int32?
  /// Position dilution of precision in hundredths.
  public var positionDilutionE2: Int32?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    timeOfDayMicroseconds = fields.timeOfDay(4)
    date = fields.shortDate(3)
    latitudeE9 = fields.latitudeE9(6)
    longitudeE9 = fields.longitudeE9(8)
    selection = fields.character(10)
    fixType = fields.integer(11)
    speedKilometresPerHourE4 = fields.fixed(12, decimals: 4)
    courseDegreesE4 = fields.fixed(13, decimals: 4)
    positionDilutionE2 = fields.fixed(14, decimals: 2)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    timeOfDayMicroseconds = nil
    date = nil
    latitudeE9 = nil
    longitudeE9 = nil
    selection = 0
    fixType = nil
    speedKilometresPerHourE4 = nil
    courseDegreesE4 = nil
    positionDilutionE2 = nil
  }
}

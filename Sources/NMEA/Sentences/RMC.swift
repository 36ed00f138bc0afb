/// Recommended minimum: time, date, position, speed and course.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--RMC` |  | 2.0 |
/// | 1 | UTC of the position | hhmmss.ss | 2.0 |
/// | 2 | status: A valid, V warning, D differential |  | 2.0 |
/// | 3, 4 | latitude, N or S | ddmm.mmmm | 2.0 |
/// | 5, 6 | longitude, E or W | dddmm.mmmm | 2.0 |
/// | 7 | speed over ground | knot | 2.0 |
/// | 8 | course over ground, true | degree | 2.0 |
/// | 9 | date | ddmmyy | 2.0 |
/// | 10, 11 | magnetic variation, E or W | degree | 2.0 |
/// | 12 | mode indicator |  | 2.3 |
/// | 13 | navigation status |  | 4.1 |
@frozen public struct RMC: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 8 }

  /// Source of the data.
  public var talker: Talker
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Whether the receiver vouches for the position.
  public var status: FixStatus
  /// Latitude in nanodegrees, north positive.
  public var latitudeE9: Int64?
  /// Longitude in nanodegrees, east positive.
  public var longitudeE9: Int64?
  /// Speed over ground in units of 1e-6 knot.
  public var speedKnotsE6: Int32?
  /// Course over ground, true, in units of 1e-4 degree.
  public var courseDegreesE4: Int32?
  /// Date of the position.
  public var date: ShortDate?
  /// Magnetic variation in units of 1e-4 degree, east positive.
  public var magneticVariationDegreesE4: Int32?
  /// How the position was obtained.
  public var mode: ModeIndicator
  /// Whether it is safe to navigate by.
  public var navigationStatus: NavigationStatus

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    timeOfDayMicroseconds = fields.timeOfDay(1)
    status = FixStatus(fields.character(2))
    latitudeE9 = fields.latitudeE9(3)
    longitudeE9 = fields.longitudeE9(5)
    speedKnotsE6 = fields.fixed(7, decimals: 6)
    courseDegreesE4 = fields.fixed(8, decimals: 4)
    date = fields.shortDate(9)
    magneticVariationDegreesE4 = fields.signedByLetter(10, negative: 0x57)
    mode = ModeIndicator(fields.character(12))
    navigationStatus = NavigationStatus(fields.character(13))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    timeOfDayMicroseconds = nil
    status = .unknown
    latitudeE9 = nil
    longitudeE9 = nil
    speedKnotsE6 = nil
    courseDegreesE4 = nil
    date = nil
    magneticVariationDegreesE4 = nil
    mode = .absent
    navigationStatus = .absent
  }
}

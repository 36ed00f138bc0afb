/// Ashtech: position with velocity.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PASHR` |  | Ashtech |
/// | 1 | POS |  | Ashtech |
/// | 2 | kind: 0 autonomous, 1 differential, 2 float, 3 fixed; empty without fix |  | Ashtech |
/// | 3 | satellites used |  | Ashtech |
/// | 4 | UTC | hhmmss.ss | Ashtech |
/// | 5, 6 | latitude, N or S | ddmm.mmmm | Ashtech |
/// | 7, 8 | longitude, E or W | dddmm.mmmm | Ashtech |
/// | 9 | height above the ellipsoid | m | Ashtech |
/// | 10 | reserved |  | Ashtech |
/// | 11 | course over ground, true | degree | Ashtech |
/// | 12 | speed over ground | km/h | Ashtech |
/// | 13 | vertical velocity | m/s | Ashtech |
/// | 14 to 17 | position, horizontal, vertical, time dilution |  | Ashtech |
@frozen public struct PASHRPOS: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 3 }

  /// Kind of fix; nil without one.
  public var quality: UInt16?
  /// Satellites used.
  public var satellitesUsed: UInt16?
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Latitude in nanodegrees, north positive.
  public var latitudeE9: Int64?
  /// Longitude in nanodegrees, east positive.
  public var longitudeE9: Int64?
  /// Height above the ellipsoid in units of 1e-4 m.
  public var ellipsoidHeightE4: Int32?
  /// Course over ground, true, in units of 1e-4 degree.
  public var courseDegreesE4: Int32?
  /// Speed over ground in units of 1e-4 km/h.
  public var speedKilometresPerHourE4: Int32?
  /// Position dilution of precision in hundredths.
  public var positionDilutionE2: Int32?
  /// Horizontal dilution of precision in hundredths.
  public var horizontalDilutionE2: Int32?
  /// Vertical dilution of precision in hundredths.
  public var verticalDilutionE2: Int32?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    quality = fields.integer(2)
    satellitesUsed = fields.integer(3)
    timeOfDayMicroseconds = fields.timeOfDay(4)
    latitudeE9 = fields.latitudeE9(5)
    longitudeE9 = fields.longitudeE9(7)
    ellipsoidHeightE4 = fields.fixed(9, decimals: 4)
    courseDegreesE4 = fields.fixed(11, decimals: 4)
    speedKilometresPerHourE4 = fields.fixed(12, decimals: 4)
    positionDilutionE2 = fields.fixed(14, decimals: 2)
    horizontalDilutionE2 = fields.fixed(15, decimals: 2)
    verticalDilutionE2 = fields.fixed(16, decimals: 2)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    quality = nil
    satellitesUsed = nil
    timeOfDayMicroseconds = nil
    latitudeE9 = nil
    longitudeE9 = nil
    ellipsoidHeightE4 = nil
    courseDegreesE4 = nil
    speedKilometresPerHourE4 = nil
    positionDilutionE2 = nil
    horizontalDilutionE2 = nil
    verticalDilutionE2 = nil
  }
}

/// Fix: time, position, quality, satellites and height.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GGA` |  | 2.0 |
/// | 1 | UTC of the position | hhmmss.ss | 2.0 |
/// | 2, 3 | latitude, N or S | ddmm.mmmm | 2.0 |
/// | 4, 5 | longitude, E or W | dddmm.mmmm | 2.0 |
/// | 6 | quality, see `FixQuality` |  | 2.0; 4 to 8 since 2.3 |
/// | 7 | satellites used |  | 2.0 |
/// | 8 | horizontal dilution of precision |  | 2.0 |
/// | 9, 10 | height above mean sea level, M | m | 2.0 |
/// | 11, 12 | geoid above the WGS-84 ellipsoid, M | m | 2.0 |
/// | 13 | age of the differential corrections | s | 2.0 |
/// | 14 | differential station |  | 2.0 |
@frozen public struct GGA: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 13 }

  /// Source of the data.
  public var talker: Talker
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Latitude in nanodegrees, north positive.
  public var latitudeE9: Int64?
  /// Longitude in nanodegrees, east positive.
  public var longitudeE9: Int64?
  /// Quality, field 6; nil when empty. Numbers above 8 occur.
  public var quality: UInt16?
  /// Satellites used for the position.
  public var satellitesUsed: UInt16?
  /// Horizontal dilution of precision in hundredths.
  public var horizontalDilutionE2: Int32?
  /// Height above mean sea level in units of 1e-4 m.
  public var heightE4: Int32?
  /// Geoid above the ellipsoid in units of 1e-4 m.
  public var geoidSeparationE4: Int32?
  /// Age of the differential corrections in units of 1e-2 s.
  public var correctionAgeE2: Int32?
  /// Number of the differential station.
  public var correctionStation: UInt16?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    timeOfDayMicroseconds = fields.timeOfDay(1)
    latitudeE9 = fields.latitudeE9(2)
    longitudeE9 = fields.longitudeE9(4)
    quality = fields.integer(6)
    satellitesUsed = fields.integer(7)
    horizontalDilutionE2 = fields.fixed(8, decimals: 2)
    heightE4 = fields.fixed(9, decimals: 4)
    geoidSeparationE4 = fields.fixed(11, decimals: 4)
    correctionAgeE2 = fields.fixed(13, decimals: 2)
    correctionStation = fields.integer(14)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    timeOfDayMicroseconds = nil
    latitudeE9 = nil
    longitudeE9 = nil
    quality = nil
    satellitesUsed = nil
    horizontalDilutionE2 = nil
    heightE4 = nil
    geoidSeparationE4 = nil
    correctionAgeE2 = nil
    correctionStation = nil
  }
}

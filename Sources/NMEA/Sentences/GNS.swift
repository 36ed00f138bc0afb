/// Fix of several constellations.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GNS` |  | 3.0 |
/// | 1 | UTC of the position | hhmmss.ss | 3.0 |
/// | 2, 3 | latitude, N or S | ddmm.mmmm | 3.0 |
/// | 4, 5 | longitude, E or W | dddmm.mmmm | 3.0 |
/// | 6 | mode indicators: GPS, GLONASS, then Galileo, BeiDou, QZSS, NavIC |  | 3.0; the later ones since 4.1 |
/// | 7 | satellites used |  | 3.0 |
/// | 8 | horizontal dilution |  | 3.0 |
/// | 9 | height above mean sea level | m | 3.0 |
/// | 10 | geoid above the ellipsoid | m | 3.0 |
/// | 11 | age of the differential corrections | s | 3.0 |
/// | 12 | differential station |  | 3.0 |
/// | 13 | navigation status |  | 4.1 |
@frozen public struct GNS: BitwiseCopyable, Sendable {
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
  /// Mode indicators in ASCII, one per constellation; places without one hold 0.
  public var modes: InlineArray<6, UInt8>
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
  /// Whether it is safe to navigate by.
  public var navigationStatus: NavigationStatus

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    timeOfDayMicroseconds = fields.timeOfDay(1)
    latitudeE9 = fields.latitudeE9(2)
    longitudeE9 = fields.longitudeE9(4)
    modes = InlineArray(repeating: 0)
    var place = 0
    while place < 6 {
      modes[unchecked: place] = fields.byte(place, of: 6)
      place &+= 1
    }
    satellitesUsed = fields.integer(7)
    horizontalDilutionE2 = fields.fixed(8, decimals: 2)
    heightE4 = fields.fixed(9, decimals: 4)
    geoidSeparationE4 = fields.fixed(10, decimals: 4)
    correctionAgeE2 = fields.fixed(11, decimals: 2)
    correctionStation = fields.integer(12)
    navigationStatus = NavigationStatus(fields.character(13))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    timeOfDayMicroseconds = nil
    latitudeE9 = nil
    longitudeE9 = nil
    modes = InlineArray(repeating: 0)
    satellitesUsed = nil
    horizontalDilutionE2 = nil
    heightE4 = nil
    geoidSeparationE4 = nil
    correctionAgeE2 = nil
    correctionStation = nil
    navigationStatus = .absent
  }
}

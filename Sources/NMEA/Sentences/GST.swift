/// Standard deviations of the position.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GST` |  | 3.0 |
/// | 1 | UTC of the position | hhmmss.ss | 3.0 |
/// | 2 | root mean square of the range residuals | m | 3.0 |
/// | 3 | semi-major axis of the error ellipse | m | 3.0 |
/// | 4 | semi-minor axis | m | 3.0 |
/// | 5 | direction of the semi-major axis from true north | degree | 3.0 |
/// | 6 | standard deviation of latitude | m | 3.0 |
/// | 7 | of longitude | m | 3.0 |
/// | 8 | of height | m | 3.0 |
@frozen public struct GST: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 8 }

  /// Source of the data.
  public var talker: Talker
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Root mean square of the range residuals in units of 1e-4 m.
  public var rangeResidualE4: Int32?
  /// Semi-major axis of the error ellipse, one standard deviation, in units of 1e-4 m.
  public var semiMajorE4: Int32?
  /// Semi-minor axis of the error ellipse, one standard deviation, in units of 1e-4 m.
  public var semiMinorE4: Int32?
  /// Direction of the semi-major axis from true north in units of 1e-4 degree.
  public var orientationDegreesE4: Int32?
  /// Standard deviation of the latitude in units of 1e-4 m.
  public var latitudeDeviationE4: Int32?
  /// Standard deviation of the longitude in units of 1e-4 m.
  public var longitudeDeviationE4: Int32?
  /// Standard deviation of the height in units of 1e-4 m.
  public var heightDeviationE4: Int32?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    timeOfDayMicroseconds = fields.timeOfDay(1)
    rangeResidualE4 = fields.fixed(2, decimals: 4)
    semiMajorE4 = fields.fixed(3, decimals: 4)
    semiMinorE4 = fields.fixed(4, decimals: 4)
    orientationDegreesE4 = fields.fixed(5, decimals: 4)
    latitudeDeviationE4 = fields.fixed(6, decimals: 4)
    longitudeDeviationE4 = fields.fixed(7, decimals: 4)
    heightDeviationE4 = fields.fixed(8, decimals: 4)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    timeOfDayMicroseconds = nil
    rangeResidualE4 = nil
    semiMajorE4 = nil
    semiMinorE4 = nil
    orientationDegreesE4 = nil
    latitudeDeviationE4 = nil
    longitudeDeviationE4 = nil
    heightDeviationE4 = nil
  }
}

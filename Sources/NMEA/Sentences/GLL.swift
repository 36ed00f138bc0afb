/// Position and time.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GLL` |  | 1.5 |
/// | 1, 2 | latitude, N or S | ddmm.mmmm | 1.5 |
/// | 3, 4 | longitude, E or W | dddmm.mmmm | 1.5 |
/// | 5 | UTC of the position | hhmmss.ss | 2.0 |
/// | 6 | status: A valid, V not |  | 2.0 |
/// | 7 | mode indicator |  | 2.3 |
@frozen public struct GLL: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 7 }

  /// Source of the data.
  public var talker: Talker
  /// Latitude in nanodegrees, north positive.
  public var latitudeE9: Int64?
  /// Longitude in nanodegrees, east positive.
  public var longitudeE9: Int64?
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Whether the receiver vouches for the position.
  public var status: FixStatus
  /// How the position was obtained.
  public var mode: ModeIndicator

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    latitudeE9 = fields.latitudeE9(1)
    longitudeE9 = fields.longitudeE9(3)
    timeOfDayMicroseconds = fields.timeOfDay(5)
    status = FixStatus(fields.character(6))
    mode = ModeIndicator(fields.character(7))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    latitudeE9 = nil
    longitudeE9 = nil
    timeOfDayMicroseconds = nil
    status = .unknown
    mode = .absent
  }
}

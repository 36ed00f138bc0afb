/// Time and date with the whole year.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--ZDA` |  | 2.0 |
/// | 1 | UTC | hhmmss.ss | 2.0 |
/// | 2 | day |  | 2.0 |
/// | 3 | month |  | 2.0 |
/// | 4 | year |  | 2.0 |
/// | 5 | hours of the local zone | h | 2.0 |
/// | 6 | minutes of the local zone | min | 2.0 |
@frozen public struct ZDA: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 4 }

  /// Source of the data.
  public var talker: Talker
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Day of the month.
  public var day: UInt16?
  /// Month.
  public var month: UInt16?
  /// Year with the century.
  public var year: UInt16?
  /// Hours of the local zone, such that local time plus zone is UTC.
  public var zoneHours: Int16?
  /// Minutes of the local zone.
  public var zoneMinutes: Int16?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    timeOfDayMicroseconds = fields.timeOfDay(1)
    day = fields.integer(2)
    month = fields.integer(3)
    year = fields.integer(4)
    zoneHours = fields.signedInteger(5)
    zoneMinutes = fields.signedInteger(6)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    timeOfDayMicroseconds = nil
    day = nil
    month = nil
    year = nil
    zoneHours = nil
    zoneMinutes = nil
  }
}

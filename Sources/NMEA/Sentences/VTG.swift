/// Course and speed over ground.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--VTG` |  | 2.0 |
/// | 1, 2 | course, T true | degree | 2.0 |
/// | 3, 4 | course, M magnetic | degree | 2.0 |
/// | 5, 6 | speed, N | knot | 2.0 |
/// | 7, 8 | speed, K | km/h | 2.0 |
/// | 9 | mode indicator |  | 2.3 |
@frozen public struct VTG: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 5 }

  /// Source of the data.
  public var talker: Talker
  /// Course over ground, true, in units of 1e-4 degree.
  public var courseDegreesE4: Int32?
  /// Course over ground, magnetic, in units of 1e-4 degree.
  public var magneticCourseDegreesE4: Int32?
  /// Speed over ground in units of 1e-6 knot.
  public var speedKnotsE6: Int32?
  /// Speed over ground in units of 1e-4 km/h.
  public var speedKilometresPerHourE4: Int32?
  /// How the course was obtained.
  public var mode: ModeIndicator

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    // Before 2.0 the units were left out: course, magnetic course, knots, km/h in four fields.
    let isShort = fields.count < 8 && fields.character(2) != 0x54
    courseDegreesE4 = fields.fixed(1, decimals: 4)
    magneticCourseDegreesE4 = fields.fixed(isShort ? 2 : 3, decimals: 4)
    speedKnotsE6 = fields.fixed(isShort ? 3 : 5, decimals: 6)
    speedKilometresPerHourE4 = fields.fixed(isShort ? 4 : 7, decimals: 4)
    mode = ModeIndicator(fields.character(9))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    courseDegreesE4 = nil
    magneticCourseDegreesE4 = nil
    speedKnotsE6 = nil
    speedKilometresPerHourE4 = nil
    mode = .absent
  }
}

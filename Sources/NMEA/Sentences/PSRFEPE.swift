/// SiRF: estimated position errors.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PSRFEPE` |  | SiRF |
/// | 1 | UTC | hhmmss.sss | SiRF |
/// | 2 | status: A valid, V not |  | SiRF |
/// | 3 | horizontal dilution |  | SiRF |
/// | 4 | horizontal error | m | SiRF |
/// | 5 | vertical error | m | SiRF |
/// | 6 | speed error | m/s | SiRF |
/// | 7 | course error | degree | SiRF |
@frozen public struct PSRFEPE: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 7 }

  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Whether the receiver vouches for the fix.
  public var status: FixStatus
  /// Horizontal dilution of precision in hundredths.
  public var horizontalDilutionE2: Int32?
  /// Horizontal error in units of 1e-4 m.
  public var horizontalErrorE4: Int32?
  /// Vertical error in units of 1e-4 m.
  public var verticalErrorE4: Int32?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    timeOfDayMicroseconds = fields.timeOfDay(1)
    status = FixStatus(fields.character(2))
    horizontalDilutionE2 = fields.fixed(3, decimals: 2)
    horizontalErrorE4 = fields.fixed(4, decimals: 4)
    verticalErrorE4 = fields.fixed(5, decimals: 4)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    timeOfDayMicroseconds = nil
    status = .unknown
    horizontalDilutionE2 = nil
    horizontalErrorE4 = nil
    verticalErrorE4 = nil
  }
}

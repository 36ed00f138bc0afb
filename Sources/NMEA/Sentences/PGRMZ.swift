/// Garmin: height and mode.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PGRMZ` |  | Garmin |
/// | 1, 2 | height above mean sea level, f | foot | Garmin |
/// | 3 | mode: 1 none, 2 two-, 3 three-dimensional |  | Garmin |
@frozen public struct PGRMZ: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 4 }

  /// Height above mean sea level in hundredths of a foot.
  public var heightFeetE2: Int32?
  /// Mode, field 3.
  public var mode: UInt16?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    heightFeetE2 = fields.character(2) == 0x66 ? fields.fixed(1, decimals: 2) : nil
    mode = fields.integer(3)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    heightFeetE2 = nil
    mode = nil
  }
}

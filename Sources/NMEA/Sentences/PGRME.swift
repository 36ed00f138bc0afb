/// Garmin: estimated position errors.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PGRME` |  | Garmin |
/// | 1, 2 | horizontal error, M | m | Garmin |
/// | 3, 4 | vertical error, M | m | Garmin |
/// | 5, 6 | spherical error, M | m | Garmin |
///
/// Garmin does not say with what probability; the general belief is 50 %, and that is what `EpochAssembler` assumes.
@frozen public struct PGRME: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 7 }

  /// Horizontal error in units of 1e-4 m.
  public var horizontalErrorE4: Int32?
  /// Vertical error in units of 1e-4 m.
  public var verticalErrorE4: Int32?
  /// Spherical error in units of 1e-4 m.
  public var sphericalErrorE4: Int32?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    horizontalErrorE4 = fields.character(2) == 0x4D ? fields.fixed(1, decimals: 4) : nil
    verticalErrorE4 = fields.character(4) == 0x4D ? fields.fixed(3, decimals: 4) : nil
    sphericalErrorE4 = fields.character(6) == 0x4D ? fields.fixed(5, decimals: 4) : nil
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    horizontalErrorE4 = nil
    verticalErrorE4 = nil
    sphericalErrorE4 = nil
  }
}

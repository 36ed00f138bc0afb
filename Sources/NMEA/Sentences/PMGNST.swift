/// Magellan: status.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `PMGNST` |  | Magellan |
/// | 1 | firmware version |  | Magellan |
/// | 2 | mode: 1 none, 2 two-, 3 three-dimensional |  | Magellan |
/// | 3 | T with a fix, F without |  | Magellan |
/// | 4 | battery left | 0.1 % | Magellan |
/// | 5 | time left | h | Magellan |
/// | 6 | unknown |  | Magellan |
/// | 7 | satellite in focus |  | Magellan |
@frozen public struct PMGNST: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 8 }

  /// Mode, field 2.
  public var mode: UInt16?
  /// True when the receiver says it has a fix.
  public var hasFix: Bool

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    mode = fields.integer(2)
    hasFix = fields.character(3) == 0x54
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    mode = nil
    hasFix = false
  }
}

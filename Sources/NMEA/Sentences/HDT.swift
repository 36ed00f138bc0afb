/// Heading, true.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--HDT` |  | 2.0 |
/// | 1, 2 | heading, T | degree | 2.0 |
@frozen public struct HDT: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 2 }

  /// Source of the data.
  public var talker: Talker
  /// Heading, true, in units of 1e-4 degree.
  public var headingDegreesE4: Int32?

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    headingDegreesE4 = fields.fixed(1, decimals: 4)
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    headingDegreesE4 = nil
  }
}

/// Heading, true, and status; it takes the place of HDT.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--THS` |  | 3.0 |
/// | 1 | heading | degree | 3.0 |
/// | 2 | mode: A autonomous, E estimated, M manual, S simulator, V not valid |  | 3.0 |
@frozen public struct THS: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 3 }

  /// Source of the data.
  public var talker: Talker
  /// Heading, true, in units of 1e-4 degree.
  public var headingDegreesE4: Int32?
  /// How the heading was obtained.
  public var mode: ModeIndicator

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    headingDegreesE4 = fields.fixed(1, decimals: 4)
    mode = ModeIndicator(fields.character(2))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    headingDegreesE4 = nil
    mode = .absent
  }
}

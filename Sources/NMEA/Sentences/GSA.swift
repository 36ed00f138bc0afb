/// Satellites used and dilutions of precision, one sentence per constellation since 4.0.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GSA` |  | 2.0 |
/// | 1 | selection: A automatic, M manual |  | 2.0 |
/// | 2 | mode: 1 none, 2 two-, 3 three-dimensional |  | 2.0 |
/// | 3 to 14 | numbers of the satellites used |  | 2.0 |
/// | 15 | position dilution |  | 2.0 |
/// | 16 | horizontal dilution |  | 2.0 |
/// | 17 | vertical dilution |  | 2.0 |
/// | 18 | system identifier, see `Constellation.init(systemIdentifier:)` |  | 4.1 |
@frozen public struct GSA: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 18 }

  /// Source of the data.
  public var talker: Talker
  /// Selection of two or three dimensions, `A` or `M` in ASCII, 0 when empty.
  public var selection: UInt8
  /// Mode, field 2; nil when it is no number.
  public var mode: UInt16?
  /// Numbers of the satellites used; places without one hold 0.
  public var satellites: InlineArray<24, UInt16>
  /// Position dilution of precision in hundredths.
  public var positionDilutionE2: Int32?
  /// Horizontal dilution of precision in hundredths.
  public var horizontalDilutionE2: Int32?
  /// Vertical dilution of precision in hundredths.
  public var verticalDilutionE2: Int32?
  /// System identifier of NMEA 4.1.
  public var systemIdentifier: UInt8
  /// True when the receiver says that it reckons on without satellites (`E` for the mode).
  public var isDeadReckoning: Bool

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    selection = fields.character(1)
    let modeLetter = fields.character(2)
    isDeadReckoning = modeLetter == 0x45
    mode = isDeadReckoning ? nil : fields.integer(2)
    satellites = InlineArray(repeating: 0)
    // Most have 12 places for satellites; the Navior-24 has 24.
    let isWide = fields.count > 20
    let places = isWide ? min(24, fields.count &- 6) : 12
    var place = 0
    while place < places {
      satellites[unchecked: place] = UInt16(truncatingIfNeeded: max(0, fields.rawInteger(place &+ 3)))
      place &+= 1
    }
    let dilutions = isWide ? fields.count &- 3 : 15
    positionDilutionE2 = fields.fixed(dilutions, decimals: 2)
    horizontalDilutionE2 = fields.fixed(dilutions &+ 1, decimals: 2)
    verticalDilutionE2 = fields.fixed(dilutions &+ 2, decimals: 2)
    systemIdentifier = isWide ? 0 : hexadecimalIdentifier(fields.character(18))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    selection = 0
    mode = nil
    satellites = InlineArray(repeating: 0)
    positionDilutionE2 = nil
    horizontalDilutionE2 = nil
    verticalDilutionE2 = nil
    systemIdentifier = 0
    isDeadReckoning = false
  }
}

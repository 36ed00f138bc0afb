/// Satellites in view, four to a sentence.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GSV` |  | 2.0 |
/// | 1 | number of sentences |  | 2.0 |
/// | 2 | number of this sentence |  | 2.0 |
/// | 3 | satellites in view |  | 2.0 |
/// | 4 to 7 | number, elevation, azimuth, signal to noise ratio | degree, degree, dB·Hz | 2.0 |
/// | 8 to 19 | the same for three more |  | 2.0 |
/// | last | signal identifier |  | 4.1 |
@frozen public struct GSV: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable public static var minimumFieldCount: Int { 4 }

  /// Source of the data.
  public var talker: Talker
  /// Number of sentences of this report.
  public var sentenceCount: UInt16?
  /// Number of this sentence, from 1.
  public var sentenceNumber: UInt16?
  /// Satellites in view of this talker.
  public var satelliteCount: UInt16?
  /// Number of entries used in `satellites`.
  public var entryCount: UInt8
  /// The satellites of this sentence.
  public var satellites: InlineArray<4, SatelliteInView>
  /// Signal identifier of NMEA 4.1, 0 when missing.
  public var signalIdentifier: UInt8

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable @inline(__always) public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    sentenceCount = fields.integer(1)
    sentenceNumber = fields.integer(2)
    satelliteCount = fields.integer(3)
    satellites = InlineArray(repeating: SatelliteInView())
    let entries = min(4, (fields.count &- 4) &>> 2)
    var entry = 0
    while entry < entries {
      let field = 4 &+ entry &* 4
      satellites[unchecked: entry] = SatelliteInView(
        number: fields.integer(field) ?? 0, elevationDegrees: fields.signedInteger(field &+ 1),
        azimuthDegrees: fields.integer(field &+ 2), signalToNoise: fields.integer(field &+ 3))
      entry &+= 1
    }
    entryCount = UInt8(truncatingIfNeeded: entry)
    let hasSignal = fields.count & 3 == 1 && fields.count > 4
    signalIdentifier = hasSignal ? hexadecimalIdentifier(fields.character(fields.count &- 1)) : 0
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    sentenceCount = nil
    sentenceNumber = nil
    satelliteCount = nil
    entryCount = 0
    satellites = InlineArray(repeating: SatelliteInView())
    signalIdentifier = 0
  }
}

/// One satellite of a GSV sentence.
@frozen public struct SatelliteInView: BitwiseCopyable, Equatable, Sendable {
  /// Number as the receiver gives it, 0 for an empty place.
  public var number: UInt16
  /// Elevation above the horizon in degrees.
  public var elevationDegrees: Int16?
  /// Azimuth from true north in degrees.
  public var azimuthDegrees: UInt16?
  /// Signal to noise ratio in dB·Hz; nil when the satellite is not tracked.
  public var signalToNoise: UInt16?

  /// One satellite; an empty place unless given.
  @inlinable @inline(__always) public init(
    number: UInt16 = 0, elevationDegrees: Int16? = nil, azimuthDegrees: UInt16? = nil, signalToNoise: UInt16? = nil
  ) {
    self.number = number
    self.elevationDegrees = elevationDegrees
    self.azimuthDegrees = azimuthDegrees
    self.signalToNoise = signalToNoise
  }
}

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
  @inlinable static var minimumFieldCount: Int { 4 }

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
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    sentenceCount = fields.integer(1)
    sentenceNumber = fields.integer(2)
    satelliteCount = fields.integer(3)
    satellites = InlineArray(repeating: SatelliteInView())
    let entries = min(4, (fields.count &- 4) &>> 2)
    var entry = 0
    while entry < entries {
      satellites[unchecked: entry] = SatelliteInView(&fields, from: 4 &+ entry &* 4)
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

/// One satellite of a GSV sentence, in eight bytes.
@frozen public struct SatelliteInView: BitwiseCopyable, Equatable, Sendable {
  /// Number as the receiver gives it, 0 for an empty place.
  public var number: UInt16
  @usableFromInline var elevation: Int16
  @usableFromInline var azimuth: UInt16
  @usableFromInline var signal: UInt16

  /// Elevation above the horizon in degrees.
  @inlinable public var elevationDegrees: Int16? { elevation == 0 ? nil : elevation &- 1000 }
  /// Azimuth from true north in degrees.
  @inlinable public var azimuthDegrees: UInt16? { azimuth == 0 ? nil : azimuth &- 1 }
  /// Signal to noise ratio in dB·Hz; nil when the satellite is not tracked.
  @inlinable public var signalToNoise: UInt16? { signal == 0 ? nil : signal &- 1 }

  /// One satellite; an empty place unless given. Elevations from −999 to 9999; 65,535 is no azimuth and no signal.
  @inlinable public init(
    number: UInt16 = 0, elevationDegrees: Int16? = nil, azimuthDegrees: UInt16? = nil, signalToNoise: UInt16? = nil
  ) {
    self.number = number
    elevation = elevationDegrees.map { $0 &+ 1000 } ?? 0
    azimuth = azimuthDegrees.map { $0 &+ 1 } ?? 0
    signal = signalToNoise.map { $0 &+ 1 } ?? 0
  }

  @inlinable @inline(__always) init(_ fields: inout SentenceFields, from field: Int) {
    number = UInt16(truncatingIfNeeded: max(0, fields.rawInteger(field)))
    elevation = Int16(truncatingIfNeeded: fields.rawSignedInteger(field &+ 1) &+ 1000)
    azimuth = UInt16(truncatingIfNeeded: fields.rawInteger(field &+ 2) &+ 1)
    signal = UInt16(truncatingIfNeeded: fields.rawInteger(field &+ 3) &+ 1)
  }
}

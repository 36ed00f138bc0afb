/// Fault detection: expected errors of the position and the satellite most likely at fault.
///
/// | field | meaning | unit | since |
/// |---|---|---|---|
/// | 0 | address, `--GBS` |  | 3.0 |
/// | 1 | UTC of the position | hhmmss.ss | 3.0 |
/// | 2 | expected error in latitude, one standard deviation | m | 3.0 |
/// | 3 | in longitude | m | 3.0 |
/// | 4 | in height | m | 3.0 |
/// | 5 | most likely failed satellite |  | 3.0 |
/// | 6 | probability of missed detection |  | 3.0 |
/// | 7 | estimated bias of it | m | 3.0 |
/// | 8 | standard deviation of the bias | m | 3.0 |
/// | 9 | system identifier |  | 4.1 |
/// | 10 | signal identifier |  | 4.1 |
@frozen public struct GBS: BitwiseCopyable, Sendable {
  /// Fields that a sentence of this kind must at least have, the address included.
  @inlinable static var minimumFieldCount: Int { 7 }

  /// Source of the data.
  public var talker: Talker
  /// UTC time of day, µs since midnight; 86,400 s and more is a leap second.
  public var timeOfDayMicroseconds: Int64?
  /// Expected error in latitude, one standard deviation, in units of 1e-4 m.
  public var latitudeErrorE4: Int32?
  /// Expected error in longitude, one standard deviation, in units of 1e-4 m.
  public var longitudeErrorE4: Int32?
  /// Expected error in height, one standard deviation, in units of 1e-4 m.
  public var heightErrorE4: Int32?
  /// Number of the most likely failed satellite.
  public var failedSatellite: UInt16?
  /// Probability of missed detection in units of 1e-4.
  public var missedDetectionE4: Int32?
  /// Estimated bias of that satellite in units of 1e-4 m.
  public var biasE4: Int32?
  /// Standard deviation of the bias in units of 1e-4 m.
  public var biasDeviationE4: Int32?
  /// System identifier of NMEA 4.1.
  public var systemIdentifier: UInt8
  /// Signal identifier of NMEA 4.1.
  public var signalIdentifier: UInt8

  /// Reads the fields; what is empty, missing or malformed is nil.
  @inlinable public init(_ fields: inout SentenceFields) {
    talker = Talker(fields)
    timeOfDayMicroseconds = fields.timeOfDay(1)
    latitudeErrorE4 = fields.fixed(2, decimals: 4)
    longitudeErrorE4 = fields.fixed(3, decimals: 4)
    heightErrorE4 = fields.fixed(4, decimals: 4)
    failedSatellite = fields.integer(5)
    missedDetectionE4 = fields.fixed(6, decimals: 4)
    biasE4 = fields.fixed(7, decimals: 4)
    biasDeviationE4 = fields.fixed(8, decimals: 4)
    systemIdentifier = hexadecimalIdentifier(fields.character(9))
    signalIdentifier = hexadecimalIdentifier(fields.character(10))
  }

  /// A sentence in which everything is unknown, to fill in and write.
  public init() {
    talker = .gps
    timeOfDayMicroseconds = nil
    latitudeErrorE4 = nil
    longitudeErrorE4 = nil
    heightErrorE4 = nil
    failedSatellite = nil
    missedDetectionE4 = nil
    biasE4 = nil
    biasDeviationE4 = nil
    systemIdentifier = 0
    signalIdentifier = 0
  }
}

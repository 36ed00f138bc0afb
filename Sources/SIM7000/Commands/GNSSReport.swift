import ASCIIText
import ATCommands
import Quantities

/// What `+CGNSINF` and `+UGNSINF` say: whether the receiver runs, and its fix.
///
/// | field | meaning | unit |
/// |---|---|---|
/// | 0, 1 | receiver runs, has a fix | 0 or 1 |
/// | 2 | UTC | yyyyMMddhhmmss.sss |
/// | 3, 4 | latitude, longitude | degrees |
/// | 5 | height above mean sea level | m |
/// | 6, 7 | speed, course over ground | km/h, degrees |
/// | 8 | fix mode | 0, 1, 2 |
/// | 10, 11, 12 | horizontal, position, vertical dilution |  |
/// | 14, 15, 16 | satellites in view, used, of GLONASS used |  |
/// | 18 | strongest signal | dBHz |
/// | 19, 20 | horizontal, vertical accuracy, mostly empty | m |
///
/// Fields 9, 13 and 17 are reserved. Some firmware writes a 22nd, empty field; what follows the 21st is not looked at.
///
/// The fix mode does not tell two from three dimensions: real lines have 1 with a height and all dilutions. A fix is counted as
/// three-dimensional when it has a height and, besides, fix mode 2, or dilutions of position and height, or at least four
/// satellites; as two-dimensional otherwise.
///
/// Without an accuracy in metres it is estimated from the dilution as the `NMEA` module does it for an autonomous fix: 4 m per
/// unit for one axis, and 1.0674 times that for the radius of 68 %.
///
/// - Source: [sim7000at] `AT+CGNSINF`; the rule for the dimensions is our derivation from published lines.
@frozen package struct GNSSReport: Equatable, BitwiseCopyable, Sendable {
  /// True when the receiver is switched on.
  package var isRunning: Bool
  /// What it knows, with the time 0; `fix(at:)` puts in when it came.
  package var fix: GNSSFix
  /// Strongest signal in dBHz.
  package var strongestSignal: UInt8?

  /// The fix, which came at a time.
  package func fix(at now: Instant) -> GNSSFix {
    var fix = fix
    fix.time = now
    return fix
  }

  /// Reads the fields. A fix without a position that can be read makes the line damaged (nil); any other field that can't be
  /// read, or is out of range, is unknown.
  init?(_ fields: borrowing ATFields) {
    guard fields.count >= 21, let isRunning = fields.flag(0) else { return nil }
    self.isRunning = isRunning
    fix = GNSSFix(time: .zero)
    fix.mode = .none
    strongestSignal = fields.byte(18, maximum: 99)
    fix.utc = GNSSReport.utc(fields)
    fix.dilution = DilutionOfPrecision(
      horizontal: GNSSReport.dilution(fields, 10), vertical: GNSSReport.dilution(fields, 12),
      position: GNSSReport.dilution(fields, 11))
    let used = fields.byte(15, maximum: 99)
    let glonass = fields.byte(16, maximum: 99)
    if used != nil || glonass != nil { fix.satellitesUsed = (used ?? 0) + (glonass ?? 0) }
    // The line gives one number for all constellations: it is kept as that of GPS so that the total is right.
    fix.satellitesInView[.gps] = fields.byte(14, maximum: 99) ?? 0
    guard isRunning else { return }
    guard !fields.isEmpty(1), let hasFix = fields.flag(1) else { return nil }
    guard hasFix else { return }
    guard let latitude = fields.fixed(3, decimals: 9), let longitude = fields.fixed(4, decimals: 9),
      let position = GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude)
    else { return nil }
    fix.position = position
    fix.quality = .autonomous
    fix.heightAboveSeaLevel = GNSSReport.amount(fields, 5, from: -1000, to: 100_000)
    if let speed = GNSSReport.amount(fields, 6, from: 0, to: 1000) { fix.speed = speed / 3.6 }
    if let degrees = GNSSReport.amount(fields, 7, from: 0, to: 360) { fix.course = degrees * (Double.pi / 180) }
    setMode(fixMode: fields.byte(8))
    fix.horizontalAccuracy = GNSSReport.amount(fields, 19, from: 0, to: 1_000_000)
    if fix.horizontalAccuracy == nil, let dilution = fix.dilution.horizontal {
      fix.horizontalAccuracy = Double(dilution) * GNSSReport.rangeDeviation * GNSSReport.radiusPerDistanceDeviation
    }
    fix.verticalAccuracy = GNSSReport.amount(fields, 20, from: 0, to: 1_000_000)
    if fix.verticalAccuracy == nil, let dilution = fix.dilution.vertical {
      fix.verticalAccuracy = Double(dilution) * GNSSReport.rangeDeviation
    }
  }

  /// Error of a range to one satellite, one standard deviation in metres.
  ///
  /// - Source: assumption, the same as the `NMEA` module's for an autonomous fix.
  static var rangeDeviation: Double { 4 }
  /// Radius of 68 % probability over the root of the sum of the two variances.
  ///
  /// - Source: Rayleigh distribution; our derivation.
  static var radiusPerDistanceDeviation: Double { 1.0674 }

  private mutating func setMode(fixMode: UInt8?) {
    let hasDilutions = fix.dilution.position != nil && fix.dilution.vertical != nil
    let hasEnough = (fix.satellitesUsed ?? 0) >= 4
    let isThreeDimensional = fix.heightAboveSeaLevel != nil && (fixMode == 2 || hasDilutions || hasEnough)
    fix.mode = isThreeDimensional ? .threeDimensional : .twoDimensional
  }

  /// A number with up to six decimals within a range.
  private static func amount(_ fields: borrowing ATFields, _ index: Int, from lowest: Int64, to highest: Int64)
    -> Double?
  {
    guard let value = fields.fixed(index, decimals: 6), value >= lowest * 1_000_000, value <= highest * 1_000_000 else {
      return nil
    }
    return Double(value) / 1e6
  }

  /// A dilution, above 0 and below 100.
  private static func dilution(_ fields: borrowing ATFields, _ index: Int) -> Float? {
    guard let value = fields.fixed(index, decimals: 3), value > 0, value < 100_000 else { return nil }
    return Float(value) / 1000
  }

  /// UTC of field 2; nil before it is known, and for a year before the modem was made.
  private static func utc(_ fields: borrowing ATFields) -> UTCTime? {
    guard let text = fields.text(2), text.count >= 14, text.count <= 20,
      let digits = scanUnsigned(text.extracting(0..<14))
    else { return nil }
    var milliseconds: Int64 = 0
    if text.count > 14 {
      guard text[14] == 0x2E, let fraction = scanFixed(text.extracting(14..<text.count), decimals: 3) else {
        return nil
      }
      milliseconds = fraction
    }
    let clock = Int(digits % 1_000_000)
    let day = Int(digits / 1_000_000)
    guard day / 10_000 >= 2016, let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100),
      clock / 10_000 < 24, clock / 100 % 100 < 60, clock % 100 <= 60
    else { return nil }
    let seconds = Int64(clock / 10_000 * 3600 + clock / 100 % 100 * 60 + clock % 100)
    return UTCTime(date: date, microsecondsOfDay: seconds * 1_000_000 + milliseconds * 1000)
  }
}

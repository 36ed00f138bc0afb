import Quantities

extension EpochAssembler {
  /// The fix that a draft amounts to. Without a position in two dimensions the rest of it means nothing and is left out.
  ///
  /// Not a method, which would look at a copy of the whole assembler.
  static func finishedFix(
    _ draft: FixDraft, _ dilution: DilutionOfPrecision, _ satellites: SatelliteLedger
  ) -> GNSSFix {
    var fix = GNSSFix(time: draft.arrival)
    fix.utc = draft.utc
    fix.mode = FixMode(rawValue: draft.mode) ?? .unknown
    fix.quality = draft.quality
    fix.dilution = dilution
    fix.satellitesUsed = satellites.used
    fix.satellitesInView = satellites.inView
    guard draft.mode >= 2 else { return fix }
    fix.position = draft.position
    fix.heightAboveSeaLevel = draft.heightAboveSeaLevel
    fix.heightAboveEllipsoid = draft.heightAboveEllipsoid
    // A speed or an accuracy below zero is damage that a checksum did not show.
    fix.speed = plausible(draft.speed)
    if fix.speed == nil, let east = draft.velocityEast, let north = draft.velocityNorth {
      fix.speed = (east * east + north * north).squareRoot()
    }
    if let degrees = draft.courseDegrees {
      fix.course = degrees * (Double.pi / 180)
    } else if let east = draft.velocityEast, let north = draft.velocityNorth, east != 0 || north != 0 {
      let angle = Elementary.atan2(east, north)
      fix.course = angle < 0 ? angle + 2 * Double.pi : angle
    }
    fix.horizontalAccuracy = plausible(draft.horizontalAccuracy) ?? estimatedHorizontalAccuracy(dilution, draft.quality)
    fix.verticalAccuracy = plausible(draft.verticalAccuracy) ?? estimatedVerticalAccuracy(dilution, draft.quality)
    return fix
  }

  private static func plausible(_ amount: Double?) -> Double? { amount.flatMap { $0 >= 0 ? $0 : nil } }

  /// Radius of 68 % probability over the root of the sum of the two variances, √(−ln(1 − 0.68)), for equal deviations.
  ///
  /// - Source: Rayleigh distribution; our derivation.
  static var radiusPerDistanceDeviation: Double { 1.0674 }
  /// Radius of 68 % over the radius of 50 % probability, √(ln 0.32 / ln 0.5).
  static var radiusPerCircularErrorProbable: Double { 1.2821 }

  /// Error of a range to one satellite, one standard deviation in metres, by the way the position was obtained.
  ///
  /// - Source: assumption. A single-frequency receiver has 3 to 6 m under open sky and more in streets; corrections leave
  ///   noise and multipath; carrier phase leaves centimetres, or decimetres while its integers are not fixed.
  static func rangeDeviation(_ quality: FixQuality?) -> Double {
    switch quality {
    case .differential, .precise: return 1.5
    case .realTimeKinematicFixed: return 0.02
    case .realTimeKinematicFloat: return 0.3
    default: return 4
    }
  }

  private static func estimatedHorizontalAccuracy(
    _ dilution: DilutionOfPrecision, _ quality: FixQuality?
  ) -> Double? {
    guard let dilution = dilution.horizontal else { return nil }
    return Double(dilution) * EpochAssembler.rangeDeviation(quality) * EpochAssembler.radiusPerDistanceDeviation
  }

  private static func estimatedVerticalAccuracy(
    _ dilution: DilutionOfPrecision, _ quality: FixQuality?
  ) -> Double? {
    guard let dilution = dilution.vertical else { return nil }
    return Double(dilution) * EpochAssembler.rangeDeviation(quality)
  }
}

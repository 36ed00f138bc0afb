import CGPS
import Glibc
import Quantities

/// Ratios that turn gpsd's errors into those of `GNSSFix`, for errors that are normal and independent in both directions.
enum GPSDAccuracy {
  /// Standard deviations in 95 % of one direction.
  static let deviationsIn95Percent = 1.96
  /// Radius of 68 % over the root of the sum of two variances, √(−ln 0.32).
  static let radiusOverDeviations = 1.0674
  /// Radius of 68 % over the radius of 95 %, √(ln 0.32 / ln 0.05).
  static let radiusOverRadiusOf95Percent = 0.6167

  /// Radius of 68 % from standard deviations, m.
  static func radius(north: Double, east: Double) -> Double {
    radiusOverDeviations * (north * north + east * east).squareRoot()
  }

  /// Radius of 68 %, m; from the two directions where gpsd gives both, else from its radius.
  ///
  /// gpsd makes both of the dilutions; its radius `eph` takes the range error of a position in space, a quarter larger
  /// than the one it takes for `epx` and `epy`.
  ///
  /// - Source: our derivation; [gps-h] says that gpsd's errors are those of 95 %.
  static func radius(epx: Double?, epy: Double?, eph: Double?) -> Double? {
    if let epx, let epy { return radius(north: epy / deviationsIn95Percent, east: epx / deviationsIn95Percent) }
    return eph.map { $0 * radiusOverRadiusOf95Percent }
  }
}

extension GNSSFix {
  /// What a TPV object says, in SI units. Satellites, dilutions and the receiver's own errors come in other objects.
  ///
  /// - Source: [gps-h] `struct gps_fix_t`.
  init(_ fix: gps_fix_t, at now: Instant) {
    self.init(time: now)
    utc = UTCTime(fix.time)
    mode = FixMode(rawValue: UInt8(clamping: fix.mode)) ?? .unknown
    quality = GNSSFix.quality(status: fix.status, mode: mode)
    guard mode == .twoDimensional || mode == .threeDimensional else { return }
    position = GeodeticPosition(latitudeDegrees: fix.latitude, longitudeDegrees: fix.longitude)
    if fix.speed.isFinite, fix.speed >= 0 { speed = fix.speed }
    if fix.track.isFinite, (0...360).contains(fix.track) {
      course = fix.track == 360 ? 0 : fix.track * (Double.pi / 180)
    }
    horizontalAccuracy = GPSDAccuracy.radius(
      epx: fix.epx.ifSensible, epy: fix.epy.ifSensible, eph: fix.eph.ifSensible)
    guard mode == .threeDimensional else { return }
    if fix.altMSL.isFinite { heightAboveSeaLevel = fix.altMSL }
    if fix.altHAE.isFinite { heightAboveEllipsoid = fix.altHAE }
    verticalAccuracy = fix.epv.ifSensible.map { $0 / GPSDAccuracy.deviationsIn95Percent }
  }

  /// gpsd names a status only where it is more than a plain fix.
  private static func quality(status: Int32, mode: FixMode) -> FixQuality? {
    if status == STATUS_SIM { return .simulated }
    switch mode {
    case .unknown: return nil
    case .none: return .invalid
    case .twoDimensional, .threeDimensional: break
    }
    return switch status {
    case STATUS_DGPS_FIX: .differential
    case STATUS_RTK_FIX: .realTimeKinematicFixed
    case STATUS_RTK_FLT: .realTimeKinematicFloat
    case STATUS_DR: .estimated
    case STATUS_TIME: .manual
    case STATUS_PPS_FIX: .precise
    // Dead reckoning along with satellites is a fix by satellites.
    default: .autonomous
    }
  }
}

extension UTCTime {
  /// The time of the system's structure; nil where gpsd has none, and beyond the year 9999.
  init?(_ time: timespec) {
    guard time.tv_sec > 0, time.tv_sec < 253_402_300_800, (0..<1_000_000_000).contains(time.tv_nsec) else { return nil }
    self.init(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

extension Double {
  /// An error or a dilution that says something: neither NaN nor zero nor endless.
  var ifSensible: Double? { isFinite && self > 0 && self < 1e6 ? self : nil }
}

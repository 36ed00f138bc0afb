public import ASCIIText
public import Quantities

/// Writes fixes as lines of gpsd's JSON: `TPV` objects with gpsd's names and units, what is unknown left out.
///
/// `mode` (0 unknown, 1 none, 2, 3), `time` (ISO 8601, milliseconds), `lat` and `lon` (degrees, 9 decimals), `altHAE` and
/// `altMSL` (m, 4 decimals), `track` (degrees, 4 decimals), `speed` (m/s, 3 decimals).
///
/// Like gpsd it works the speed out from two positions where a receiver gives none. That is done here and not in
/// `EpochAssembler`, so that `GNSSFix.speed` always is a measurement.
public struct TPVEncoder: Sendable {
  private var current: GNSSFix?
  private var previous: GNSSFix?

  /// An encoder that has seen no fix.
  public init() {
    current = nil
    previous = nil
  }

  /// Writes one object without line end.
  public mutating func encode(_ fix: GNSSFix, into sink: inout some ByteSink) {
    if fix.utc != nil {
      if let current, current.utc != fix.utc { previous = current }
      current = fix
    }
    sink.append("{\"class\":\"TPV\",\"mode\":")
    sink.append(decimal: UInt64(fix.mode.rawValue))
    if let utc = fix.utc {
      sink.append(",\"time\":\"")
      sink.append(iso8601: utc)
      sink.append("\"")
    }
    if let position = fix.position {
      sink.append(",\"lat\":")
      sink.append(fixed: position.latitudeE9, decimals: 9)
      sink.append(",\"lon\":")
      sink.append(fixed: position.longitudeE9, decimals: 9)
    }
    if let height = fix.heightAboveEllipsoid { append(",\"altHAE\":", height, decimals: 4, into: &sink) }
    if let height = fix.heightAboveSeaLevel { append(",\"altMSL\":", height, decimals: 4, into: &sink) }
    if let course = fix.course { append(",\"track\":", course * (180 / Double.pi), decimals: 4, into: &sink) }
    if let speed = fix.speed ?? derivedSpeed(of: fix) { append(",\"speed\":", speed, decimals: 3, into: &sink) }
    sink.append("}")
  }

  /// Distance from the position of the epoch before over the time between, m/s.
  private func derivedSpeed(of fix: GNSSFix) -> Double? {
    guard fix.hasPosition, let utc = fix.utc, let here = fix.position else { return nil }
    guard let previous, previous.hasPosition, let before = previous.utc, let there = previous.position else {
      return nil
    }
    let interval = (utc - before).secondsDouble
    guard interval > 0 else { return nil }
    let speed = shortDistance(from: there, to: here) / interval
    return speed < 10_000 ? speed : nil
  }

  private func append(_ name: StaticString, _ value: Double, decimals: Int, into sink: inout some ByteSink) {
    sink.append(name)
    sink.append(fixed: Elementary.roundedInteger(value * Double(powerOfTen(decimals))), decimals: decimals)
  }
}

/// Distance over the ground between two places near each other, m.
///
/// The radii of curvature at the middle latitude; against the geodesic it is off by less than 1e-6 up to 20 km.
///
/// - Source: WGS-84 radii of curvature in the meridian and the prime vertical, our derivation.
func shortDistance(from start: GeodeticPosition, to end: GeodeticPosition) -> Double {
  let equatorialRadius = 6_378_137.0
  let squaredEccentricity = 0.006_694_379_990_141_317
  let cosine = Elementary.cos((start.latitude + end.latitude) / 2)
  let cosineSquared = cosine * cosine
  let root = (1 - squaredEccentricity * (1 - cosineSquared)).squareRoot()
  let primeRadius = equatorialRadius / root
  let meridianRadius = primeRadius * (1 - squaredEccentricity) / (root * root)
  let north = (end.latitude - start.latitude) * meridianRadius
  var turn = end.longitude - start.longitude
  if turn > Double.pi { turn -= 2 * Double.pi }
  if turn < -Double.pi { turn += 2 * Double.pi }
  let east = turn * primeRadius
  return (north * north + east * east * cosineSquared).squareRoot()
}

import Quantities

/// Metres per radian of latitude and longitude about one place on the WGS-84 ellipsoid.
///
/// - Source: our derivation from the radii of curvature in the meridian and the prime vertical; a and e² of WGS-84 as in
///   NIMA TR8350.2, table 3.1.
struct LocalFrame: Sendable {
  private static let equatorialRadius = 6_378_137.0
  private static let eccentricitySquared = 6.694379990141317e-3
  private static let radiansPerUnit = Double.pi / 180e9

  private let metresPerLatitude: Double
  private let metresPerLongitude: Double

  init(at place: GeodeticPosition) {
    let latitude = Elementary.sincos(place.latitude)
    let factor = 1 - LocalFrame.eccentricitySquared * latitude.sin * latitude.sin
    let primeVertical = LocalFrame.equatorialRadius / factor.squareRoot()
    metresPerLatitude = primeVertical * (1 - LocalFrame.eccentricitySquared) / factor
    // At a pole a step to the east has no longitude; a metre keeps the division finite.
    metresPerLongitude = max(primeVertical * latitude.cos, 1)
  }

  /// East and north from one place to a near other one, m; across ±180° by the short way.
  func displacement(from a: GeodeticPosition, to b: GeodeticPosition) -> (east: Double, north: Double) {
    var longitude = b.longitudeE9 - a.longitudeE9
    if longitude > 180_000_000_000 { longitude -= 360_000_000_000 }
    if longitude < -180_000_000_000 { longitude += 360_000_000_000 }
    return (
      Double(longitude) * LocalFrame.radiansPerUnit * metresPerLongitude,
      Double(b.latitudeE9 - a.latitudeE9) * LocalFrame.radiansPerUnit * metresPerLatitude
    )
  }

  /// The place at a small displacement (m); held at the poles, wrapped at ±180°.
  func place(from origin: GeodeticPosition, east: Double, north: Double) -> GeodeticPosition {
    let latitude = origin.latitudeE9 + Elementary.roundedInteger(north / metresPerLatitude / LocalFrame.radiansPerUnit)
    let shift = Elementary.roundedInteger(east / metresPerLongitude / LocalFrame.radiansPerUnit)
    var longitude = origin.longitudeE9 + shift % 360_000_000_000
    if longitude > 180_000_000_000 { longitude -= 360_000_000_000 }
    if longitude < -180_000_000_000 { longitude += 360_000_000_000 }
    let held = min(max(latitude, -90_000_000_000), 90_000_000_000)
    return GeodeticPosition(latitudeE9: held, longitudeE9: longitude) ?? origin
  }
}

import Quantities

/// Where a geodesic of given azimuth and length ends on the WGS-84 ellipsoid.
///
/// - Source: [karney] section 3 (direct problem).
@frozen public struct GeodesicDestination: Equatable, BitwiseCopyable, Sendable {
  /// Latitude, rad, north positive. Not rounded to the nanodegrees of `position`.
  public let latitude: Double
  /// Longitude, rad, east positive, above −π and not above π. Not rounded to the nanodegrees of `position`.
  public let longitude: Double
  /// Azimuth of the geodesic at the destination (pointing on), rad clockwise from north, 0 to 2π.
  public let finalAzimuth: Double

  /// Follows a geodesic; nil unless the azimuth is finite and the distance less than 10¹⁵ m either way.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - azimuth: Its azimuth there, rad clockwise from north; any number of turns.
  ///   - distance: m; negative goes backward. More than once around the earth is allowed.
  /// - Complexity: four sines with cosines, four arc tangents.
  public init?(from start: GeodeticPosition, azimuth: Double, distance: Double) {
    guard azimuth.magnitude < .infinity, distance.magnitude < 1e15 else { return nil }
    let course = Direction(angle: azimuth)
    let beta = reducedLatitude(start.latitudeE9)
    let sineAtEquator = course.sin * beta.cos
    let cosineAtEquator = hypotenuse(course.cos, course.sin * beta.sin)
    let startsOnEquatorEastward = beta.sin == 0 && course.cos == 0
    let sigma1 = Direction(sin: beta.sin, cos: startsOnEquatorEastward ? 1 : beta.cos * course.cos)
    let omega1 = Direction(sin: sineAtEquator * sigma1.sin, cos: sigma1.cos)
    let arc1 = sigma1.normalized

    let e = expansionParameter(cosineAtEquator: cosineAtEquator)
    let distanceShift = DistanceIntegral.series(e).sum(at: arc1)
    let tau1 = arc1.turned(by: Direction(angle: distanceShift))
    let tau12 = distance / (WGS84.polarRadius * (1 + DistanceIntegral.scaleLessOne(e)))
    let tau2 = tau1.turned(by: Direction(angle: tau12))
    let sigma12 = tau12 + DistanceIntegral.inverseSeries(e).sum(at: tau2) + distanceShift
    let sigma2 = arc1.turned(by: Direction(angle: sigma12))

    let sineOfBeta = cosineAtEquator * sigma2.sin
    let cosineOfBeta = hypotenuse(sineAtEquator, cosineAtEquator * sigma2.cos)
    latitude = Elementary.atan2(sineOfBeta, (1 - WGS84.flattening) * cosineOfBeta)
    let onward = Direction(sin: sineAtEquator, cos: cosineAtEquator * sigma2.cos)
    finalAzimuth = Elementary.positiveAngle(onward.angle)

    let omega2 = Direction(sin: sineAtEquator * sigma2.sin, cos: sigma2.cos)
    let longitudes = LongitudeIntegral.series(e)
    let bend = sigma12 + (longitudes.sum(at: sigma2) - longitudes.sum(at: arc1))
    let lambda12 =
      omega2.turned(backBy: omega1).angle - WGS84.flattening * sineAtEquator * LongitudeIntegral.scale(e) * bend
    longitude = Elementary.signedAngle(start.longitude + lambda12)
  }

  /// The destination rounded to nanodegrees.
  public var position: GeodeticPosition? {
    let degrees = 180 / Double.pi
    // A radian value at the limit may come out an ulp beyond 90 or 180 degrees.
    return GeodeticPosition(
      latitudeDegrees: min(max(latitude * degrees, -90), 90),
      longitudeDegrees: min(max(longitude * degrees, -180), 180))
  }
}

/// Smallest cosine of a reduced latitude, so that azimuths at the poles stay defined.
let tinyCosine = 0x1p-511

/// The reduced latitude β, tan β = (1 − f) tan φ, of a latitude in nanodegrees.
func reducedLatitude(_ latitudeE9: Int64) -> Direction {
  let latitude = Direction(nanodegrees: latitudeE9)
  let beta = Direction(sin: (1 - WGS84.flattening) * latitude.sin, cos: latitude.cos).normalized
  return Direction(sin: beta.sin, cos: max(beta.cos, tinyCosine))
}

import Quantities

/// A place near the origin of a tangent plane, in metres along its axes.
@frozen public struct LocalOffset: Equatable, BitwiseCopyable, Sendable {
  /// m along the origin's east.
  public var east: Double
  /// m along the origin's north.
  public var north: Double
  /// m along the origin's up; the earth falls away below the plane, 31 m at 20 km.
  public var up: Double

  /// An offset of the three components.
  @inlinable public init(east: Double, north: Double, up: Double) {
    self.east = east
    self.north = north
    self.up = up
  }
}

/// East, north and up at an origin on or above the WGS-84 ellipsoid.
///
/// Exact geometry, not a flattened map: offsets come from differences of earth-centred coordinates. To the offset the error
/// is rounding only, below 1e-8 m up to 20 km (and not much more anywhere); back it is below 1e-7 m of height and half a
/// nanodegree, 0.06 mm.
///
/// - Source: our derivation; back to latitude and height by [bowring], taken twice.
@frozen public struct LocalTangentPlane: Equatable, BitwiseCopyable, Sendable {
  /// The origin.
  public let origin: GeodeticPosition
  /// Height of the origin above the ellipsoid, m.
  public let originHeight: Double
  let sineOfLatitude: Double
  let cosineOfLatitude: Double
  let distanceFromAxis: Double
  let distanceFromEquator: Double

  /// The plane that touches at `origin`, `height` metres above the ellipsoid.
  public init(origin: GeodeticPosition, height: Double = 0) {
    self.origin = origin
    originHeight = height
    let latitude = Direction(nanodegrees: origin.latitudeE9)
    sineOfLatitude = latitude.sin
    cosineOfLatitude = latitude.cos
    (distanceFromAxis, distanceFromEquator) = meridianCoordinates(latitude, height: height)
  }

  /// Where a place lies seen from the origin. `height` is above the ellipsoid, m.
  public func offset(of position: GeodeticPosition, height: Double = 0) -> LocalOffset {
    let latitude = Direction(nanodegrees: position.latitudeE9)
    let longitude = Direction(nanodegrees: longitudeDifferenceE9(origin, position))
    let place = meridianCoordinates(latitude, height: height)
    // Away from the axis in the origin's meridian plane, with 1 − cos Δλ in a form that keeps its digits.
    let versine = longitude.cos > 0 ? longitude.sin * longitude.sin / (1 + longitude.cos) : 1 - longitude.cos
    let outward = place.fromAxis - distanceFromAxis - place.fromAxis * versine
    let northward = place.fromEquator - distanceFromEquator
    return LocalOffset(
      east: place.fromAxis * longitude.sin,
      north: cosineOfLatitude * northward - sineOfLatitude * outward,
      up: cosineOfLatitude * outward + sineOfLatitude * northward)
  }

  /// The place at an offset and its height above the ellipsoid in m, or nil when a component is not finite.
  public func position(at offset: LocalOffset) -> (position: GeodeticPosition, height: Double)? {
    guard
      offset.east.magnitude < 1e9, offset.north.magnitude < 1e9, offset.up.magnitude < 1e9
    else { return nil }
    let outward = distanceFromAxis + cosineOfLatitude * offset.up - sineOfLatitude * offset.north
    let z = distanceFromEquator + sineOfLatitude * offset.up + cosineOfLatitude * offset.north
    let fromAxis = hypotenuse(outward, offset.east)
    let difference = Elementary.atan2(offset.east, outward)

    let semimajor = WGS84.equatorialRadius
    let semiminor = WGS84.polarRadius
    var beta = Direction(sin: semimajor * z, cos: semiminor * fromAxis)
    var latitude = Direction(sin: 0, cos: 1)
    for _ in 0..<2 {
      let length = hypotenuse(beta.sin, beta.cos)
      guard length > 0 else { return nil }
      let sine = beta.sin / length
      let cosine = beta.cos / length
      latitude = Direction(
        sin: z + WGS84.secondEccentricitySquared * semiminor * sine * sine * sine,
        cos: max(0, fromAxis - WGS84.eccentricitySquared * semimajor * cosine * cosine * cosine))
      beta = Direction(sin: (1 - WGS84.flattening) * latitude.sin, cos: latitude.cos)
    }
    let normal = latitude.normalized
    let root = Elementary.squareRoot(1 - WGS84.eccentricitySquared * normal.sin * normal.sin)
    let height = fromAxis * normal.cos + z * normal.sin - semimajor * root
    let degrees = 180 / Double.pi
    let longitudeE9 = origin.longitudeE9 + Elementary.roundedInteger(difference * degrees * 1e9)
    let wrapped =
      longitudeE9 > 180_000_000_000
      ? longitudeE9 - 360_000_000_000 : longitudeE9 < -180_000_000_000 ? longitudeE9 + 360_000_000_000 : longitudeE9
    let latitudeE9 = Elementary.roundedInteger(normal.angle * degrees * 1e9)
    guard let position = GeodeticPosition(latitudeE9: latitudeE9, longitudeE9: wrapped) else { return nil }
    return (position, height)
  }
}

/// Distance from the earth's axis and from the plane of the equator, m.
private func meridianCoordinates(_ latitude: Direction, height: Double) -> (fromAxis: Double, fromEquator: Double) {
  let root = Elementary.squareRoot(1 - WGS84.eccentricitySquared * latitude.sin * latitude.sin)
  let radius = WGS84.equatorialRadius / root
  return (
    (radius + height) * latitude.cos,
    (radius * (1 - WGS84.eccentricitySquared) + height) * latitude.sin
  )
}

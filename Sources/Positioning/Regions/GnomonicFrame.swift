import Quantities

/// A point of a gnomonic plane, in radii of the earth.
struct PlanePoint: BitwiseCopyable {
  var x: Double
  var y: Double
}

/// A straight edge of a gnomonic plane: a piece of a great circle.
struct PlaneEdge: BitwiseCopyable {
  var x1: Double
  var y1: Double
  var x2: Double
  var y2: Double
}

/// A place as it stands in the plane, with the angles that gave it.
struct PlacedPoint: BitwiseCopyable {
  var x: Double
  var y: Double
  /// Cosine of the angle from the middle.
  var cosine: Double
  var latitude: Direction
  /// East of the middle.
  var longitude: Direction
}

/// The plane that touches the sphere of geodetic latitude and longitude at the middle of a region. Great circles are straight lines
/// there, so that an edge is the shortest way at the antimeridian and about a pole as anywhere.
///
/// - Source: our derivation; gnomonic projection, with sin(φ − φ₀) and 1 − cos Δλ in place of differences that lose digits.
struct GnomonicFrame: BitwiseCopyable {
  private var middleLatitudeE9: Int64 = 0
  private var middleLongitudeE9: Int64 = 0
  private var sine = 0.0
  private var cosine = 1.0
  /// Beyond these nobody is within: latitudes, and longitudes either way from the middle, nanodegrees.
  private var south: Int64 = 1
  private var north: Int64 = 0
  private var reach: Int64 = 0

  init() {}

  init(middle: GeodeticPosition) {
    middleLatitudeE9 = middle.latitudeE9
    middleLongitudeE9 = middle.longitudeE9
    let latitude = Direction(nanodegrees: middle.latitudeE9)
    sine = latitude.sin
    cosine = latitude.cos
    bound(.pi)
  }

  /// Nobody farther from the middle than this angle is within.
  mutating func bound(_ angle: Double) {
    let whole = Elementary.roundedInteger(angle / radiansPerNanodegree) + 2
    south = middleLatitudeE9 - whole
    north = middleLatitudeE9 + whole
    reach = 180_000_000_000
    // As long as no pole is within, a meridian touches the circle where sin Δλ = sin ρ / cos φ₀.
    guard south > -89_999_000_000, north < 89_999_000_000 else { return }
    let widest = Elementary.asin(min(1, Elementary.sin(angle) / cosine))
    reach = Elementary.roundedInteger(widest / radiansPerNanodegree) + 2
  }

  @inline(__always) private func eastward(_ position: GeodeticPosition) -> Int64 {
    let difference = position.longitudeE9 - middleLongitudeE9
    if difference > 180_000_000_000 { return difference - 360_000_000_000 }
    return difference < -180_000_000_000 ? difference + 360_000_000_000 : difference
  }

  /// False for most places that are not within; costs nothing.
  @inline(__always) func mayHold(_ position: GeodeticPosition) -> Bool {
    guard position.latitudeE9 >= south, position.latitudeE9 <= north else { return false }
    let difference = eastward(position)
    return difference <= reach && difference >= -reach
  }

  /// The place in the plane; nil from 85° of the middle on, where the plane has no end.
  @inline(__always) func place(_ position: GeodeticPosition) -> PlacedPoint? {
    let northward = position.latitudeE9 - middleLatitudeE9
    let eastward = eastward(position)
    let near: Int64 = 2_800_000_000
    if northward < near, northward > -near, eastward < near, eastward > -near {
      let delta = Double(northward) * radiansPerNanodegree
      let lambda = Double(eastward) * radiansPerNanodegree
      return place(
        difference: Direction(sin: GnomonicFrame.shortSine(delta), cos: 1 - GnomonicFrame.shortVersine(delta)),
        longitude: GnomonicFrame.shortSine(lambda), versine: GnomonicFrame.shortVersine(lambda))
    }
    return placeFar(northward, eastward)
  }

  /// Not in the frame of every fix, which is near as a rule.
  @inline(never) private func placeFar(_ northward: Int64, _ eastward: Int64) -> PlacedPoint? {
    let longitude = Direction(nanodegrees: eastward)
    let versine =
      longitude.cos > 0 ? longitude.sin * longitude.sin / (1 + longitude.cos) : 1 - longitude.cos
    let placed = place(
      difference: Direction(nanodegrees: northward), longitude: longitude.sin, versine: versine)
    return placed.cosine > 0.087 ? placed : nil
  }

  @inline(__always) private func place(
    difference: Direction, longitude: Double, versine: Double
  ) -> PlacedPoint {
    let latitude = Direction(
      sin: sine * difference.cos + cosine * difference.sin, cos: cosine * difference.cos - sine * difference.sin)
    let bend = latitude.cos * versine
    let height = difference.cos - cosine * bend
    let scale = 1 / height
    return PlacedPoint(
      x: latitude.cos * longitude * scale, y: (difference.sin + sine * bend) * scale, cosine: height,
      latitude: latitude, longitude: Direction(sin: longitude, cos: 1 - versine))
  }

  /// Sine of an angle below 0.05 rad, to the last digit.
  @inline(__always) private static func shortSine(_ x: Double) -> Double {
    let square = x * x
    return x + x * square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040)))
  }

  /// 1 − cos of an angle below 0.05 rad, to the last digit.
  @inline(__always) private static func shortVersine(_ x: Double) -> Double {
    let square = x * x
    return square * (0.5 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40_320))))
  }

  /// The metres of the ellipsoid about a place of the plane.
  func metric(at place: PlacedPoint) -> LocalMetric {
    let (latitude, longitude) = (place.latitude, place.longitude)
    let w = 1 - WGS84.eccentricitySquared * latitude.sin * latitude.sin
    let normalRadius = WGS84.equatorialRadius / Elementary.squareRoot(w)
    let meridianRadius = normalRadius * (1 - WGS84.eccentricitySquared) / w
    // East and north at the place, seen along the axes of the plane.
    return LocalMetric(
      x: place.x, y: place.y, height: 1 + place.x * place.x + place.y * place.y,
      eastX: normalRadius * longitude.cos, eastY: normalRadius * sine * longitude.sin,
      northX: -meridianRadius * latitude.sin * longitude.sin,
      northY: meridianRadius * (latitude.sin * sine * longitude.cos + latitude.cos * cosine),
      scale: place.cosine)
  }

  /// The place of a point of the plane.
  func position(x: Double, y: Double) -> GeodeticPosition? {
    let outward = cosine - y * sine
    let latitude = Elementary.atan2(sine + y * cosine, hypotenuse(outward, x))
    let longitude = Elementary.atan2(x, outward) / radiansPerNanodegree
    var longitudeE9 = middleLongitudeE9 + Elementary.roundedInteger(longitude)
    if longitudeE9 > 180_000_000_000 { longitudeE9 -= 360_000_000_000 }
    if longitudeE9 < -180_000_000_000 { longitudeE9 += 360_000_000_000 }
    return GeodeticPosition(
      latitudeE9: Elementary.roundedInteger(latitude / radiansPerNanodegree), longitudeE9: longitudeE9)
  }
}

/// Where something lies seen from a place of a gnomonic plane: along great circles, in metres of the ellipsoid about that place.
///
/// - Source: our derivation. Seen from P, with axes e and n, a point V of the plane stands at e·V / u·V, where u·V = (1 + P·V)/|P|
///   for the tip |P|; and e·V = e·(V − P), which keeps its digits.
struct LocalMetric: BitwiseCopyable {
  var x: Double
  var y: Double
  /// 1 + |P|².
  var height: Double
  var eastX: Double
  var eastY: Double
  var northX: Double
  var northY: Double
  /// Cosine of the angle from the middle.
  var scale: Double

  /// Square of the metres that a step in the plane leads at least, for a depth of 1: the lesser stretch of the axes.
  var leastStretch: Double {
    let first = eastX * eastX + northX * northX
    let second = eastY * eastY + northY * northY
    let both = eastX * eastY + northX * northY
    let middle = 0.5 * (first + second)
    let half = 0.5 * (first - second)
    let least = middle - Elementary.squareRoot(half * half + both * both)
    // Less than rounding could make of it.
    return max(0, least - 1e-9 * middle) * (scale * height) * (scale * height)
  }

  /// The part of an edge that is not more than 87° away; nil when all of it is.
  @inline(__always) func visible(_ edge: PlaneEdge) -> PlaneEdge? {
    let first = scale * (1 + x * edge.x1 + y * edge.y1)
    let second = scale * (1 + x * edge.x2 + y * edge.y2)
    guard first < 0.12 || second < 0.12 else { return edge }
    return cut(edge, first, second)
  }

  /// Depths are linear along an edge.
  @inline(never) private func cut(_ edge: PlaneEdge, _ first: Double, _ second: Double) -> PlaneEdge? {
    guard first >= 0.12 || second >= 0.12 else { return nil }
    let share = (0.12 - first) / (second - first)
    let (x, y) = (edge.x1 + share * (edge.x2 - edge.x1), edge.y1 + share * (edge.y2 - edge.y1))
    return first < 0.12
      ? PlaneEdge(x1: x, y1: y, x2: edge.x2, y2: edge.y2) : PlaneEdge(x1: edge.x1, y1: edge.y1, x2: x, y2: y)
  }

  /// Metres east and north of the place; nil for what is more than a quarter of the earth away.
  @inline(__always) func offset(x otherX: Double, y otherY: Double) -> PlanePoint? {
    let depth = 1 + x * otherX + y * otherY
    guard depth > 0.05 else { return nil }
    let factor = scale * height / depth
    let (dx, dy) = (otherX - x, otherY - y)
    return PlanePoint(x: (eastX * dx + eastY * dy) * factor, y: (northX * dx + northY * dy) * factor)
  }
}

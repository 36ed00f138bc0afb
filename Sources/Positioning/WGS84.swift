import Quantities

/// The ellipsoid of WGS-84.
///
/// - Source: NGA.STND.0036, World Geodetic System 1984, table 3.1; the other numbers follow from the first two.
public enum WGS84 {
  /// Equatorial radius, m.
  @inlinable public static var equatorialRadius: Double { 6_378_137 }
  /// Flattening.
  @inlinable public static var flattening: Double { 1 / 298.257223563 }
  /// Polar radius, m.
  @inlinable public static var polarRadius: Double { equatorialRadius * (1 - flattening) }
  /// Square of the first eccentricity.
  @inlinable public static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// Square of the second eccentricity.
  @inlinable public static var secondEccentricitySquared: Double {
    eccentricitySquared / ((1 - flattening) * (1 - flattening))
  }
  /// Third flattening.
  @inlinable public static var thirdFlattening: Double { flattening / (2 - flattening) }
}

/// A direction in a plane as the sine and cosine of its angle.
///
/// Kept as a pair, because the angle alone would lose digits near its multiples of 90°.
struct Direction {
  var sin: Double
  var cos: Double

  init(sin: Double, cos: Double) {
    self.sin = sin
    self.cos = cos
  }

  /// The direction at an angle in rad.
  init(angle: Double) {
    let both = Elementary.sincos(angle)
    self.init(sin: both.sin, cos: both.cos)
  }

  /// The direction at an angle in nanodegrees, exact at multiples of 90°.
  init(nanodegrees: Int64) {
    let quarter: Int64 = 90_000_000_000
    let turns = (nanodegrees + (nanodegrees < 0 ? -quarter / 2 : quarter / 2)) / quarter
    let rest = Direction(angle: Double(nanodegrees - turns * quarter) * radiansPerNanodegree)
    switch turns & 3 {
    case 0: self = rest
    case 1: self.init(sin: rest.cos, cos: -rest.sin)
    case 2: self.init(sin: -rest.sin, cos: -rest.cos)
    default: self.init(sin: -rest.cos, cos: rest.sin)
    }
  }

  /// The angle, −π to π rad.
  var angle: Double { Elementary.atan2(sin, cos) }

  /// Scaled to unit length.
  var normalized: Direction {
    let length = hypotenuse(sin, cos)
    return Direction(sin: sin / length, cos: cos / length)
  }

  /// The direction turned on by `other`.
  func turned(by other: Direction) -> Direction {
    Direction(sin: sin * other.cos + cos * other.sin, cos: cos * other.cos - sin * other.sin)
  }

  /// The direction turned back by `other`.
  func turned(backBy other: Direction) -> Direction {
    Direction(sin: sin * other.cos - cos * other.sin, cos: cos * other.cos + sin * other.sin)
  }
}

let radiansPerNanodegree = Double.pi / 180e9

/// Length of the hypotenuse; the legs are of the order of one or nothing, so that the squares do not overflow.
func hypotenuse(_ x: Double, _ y: Double) -> Double { Elementary.squareRoot(x * x + y * y) }

/// Longitude from `a` to `b` in nanodegrees, −180e9 < difference ≤ 180e9. Exact.
func longitudeDifferenceE9(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Int64 {
  let difference = b.longitudeE9 - a.longitudeE9
  if difference > 180_000_000_000 { return difference - 360_000_000_000 }
  if difference <= -180_000_000_000 { return difference + 360_000_000_000 }
  return difference
}

import Quantities

/// The two places of an inverse problem in canonical order, on the auxiliary sphere, and what is calculated from them.
///
/// - Source: [karney] section 4.
struct GeodesicEnds {
  let beta1: Direction
  let beta2: Direction
  /// √(1 + e′² sin² β).
  let stretch1: Double
  let stretch2: Double
  let longitude: Direction
  /// The longitude difference, 0 to π rad.
  let lambda12: Double

  init(latitude1E9: Int64, latitude2E9: Int64, longitudeE9: Int64) {
    beta1 = reducedLatitude(latitude1E9)
    beta2 = reducedLatitude(latitude2E9)
    let square = WGS84.secondEccentricitySquared
    stretch1 = Elementary.squareRoot(1 + square * beta1.sin * beta1.sin)
    stretch2 = Elementary.squareRoot(1 + square * beta2.sin * beta2.sin)
    longitude = Direction(nanodegrees: longitudeE9)
    lambda12 = Double(longitudeE9) * radiansPerNanodegree
  }

  /// Distance and reduced length between two points of a geodesic, in units of the polar radius (equations 7 and 38).
  func lengths(_ e: Double, _ sigma12: Double, _ sigma1: Direction, _ sigma2: Direction) -> (
    distance: Double, reduced: Double
  ) {
    let a1 = DistanceIntegral.scaleLessOne(e)
    let a2 = ReducedLengthIntegral.scaleLessOne(e)
    let series1 = DistanceIntegral.series(e)
    let series2 = ReducedLengthIntegral.series(e)
    let b1 = series1.sum(at: sigma2) - series1.sum(at: sigma1)
    let b2 = series2.sum(at: sigma2) - series2.sum(at: sigma1)
    let j12 = (a1 - a2) * sigma12 + ((1 + a1) * b1 - (1 + a2) * b2)
    let reduced =
      stretch2 * sigma1.cos * sigma2.sin - stretch1 * sigma1.sin * sigma2.cos - sigma1.cos * sigma2.cos * j12
    return ((1 + a1) * (sigma12 + b1), reduced)
  }

  /// A geodesic that leaves the first place with a trial azimuth and reaches the second latitude.
  struct Trial {
    var azimuth1: Direction
    var azimuth2: Direction
    var sigma1: Direction
    var sigma2: Direction
    var sigma12: Double
    var e: Double
    /// The longitude it reaches less the one wanted, rad.
    var longitudeError: Double
  }

  /// Follows a geodesic from the first place to the second latitude (hybrid problem, section 4).
  func trial(_ given: Direction) -> Trial {
    // An exact east on the equator would leave the quadrant of the arc open.
    let azimuth1 = beta1.sin == 0 && given.cos == 0 ? Direction(sin: given.sin, cos: -tinyCosine) : given
    let sineAtEquator = azimuth1.sin * beta1.cos
    let cosineAtEquator = hypotenuse(azimuth1.cos, azimuth1.sin * beta1.sin)

    let sameParallel = beta2.cos == beta1.cos
    let azimuth2: Direction
    if sameParallel && beta2.sin.magnitude == -beta1.sin {
      azimuth2 = Direction(sin: azimuth1.sin, cos: azimuth1.cos.magnitude)
    } else {
      let northing = azimuth1.cos * beta1.cos
      // The difference of squares from the smaller numbers.
      let difference =
        beta1.cos < -beta1.sin
        ? (beta2.cos - beta1.cos) * (beta1.cos + beta2.cos) : (beta1.sin - beta2.sin) * (beta1.sin + beta2.sin)
      azimuth2 = Direction(
        sin: sameParallel ? azimuth1.sin : sineAtEquator / beta2.cos,
        cos: Elementary.squareRoot(max(0, northing * northing + difference)) / beta2.cos)
    }
    let cosine1 = azimuth1.cos * beta1.cos
    let cosine2 = azimuth2.cos * beta2.cos
    let sigma1 = Direction(sin: beta1.sin, cos: cosine1).normalized
    let sigma2 = Direction(sin: beta2.sin, cos: cosine2).normalized
    let omega1 = Direction(sin: sineAtEquator * beta1.sin, cos: cosine1)
    let omega2 = Direction(sin: sineAtEquator * beta2.sin, cos: cosine2)
    let sigma12 = CanonicalGeodesic.arc(from: sigma1, to: sigma2)
    var omega12 = omega2.turned(backBy: omega1)
    omega12.sin = omega12.sin > 0 ? omega12.sin : 0

    let e = expansionParameter(cosineAtEquator: cosineAtEquator)
    let series = LongitudeIntegral.series(e)
    let bend = sigma12 + (series.sum(at: sigma2) - series.sum(at: sigma1))
    let shift = -WGS84.flattening * LongitudeIntegral.scale(e) * sineAtEquator * bend
    return Trial(
      azimuth1: azimuth1, azimuth2: azimuth2, sigma1: sigma1, sigma2: sigma2, sigma12: sigma12, e: e,
      longitudeError: omega12.turned(backBy: longitude).angle + shift)
  }

  /// How fast the longitude reached changes with the trial azimuth (equation 46).
  func slope(of trial: Trial) -> Double {
    if trial.azimuth2.cos == 0 { return -2 * (1 - WGS84.flattening) * stretch1 / beta1.sin }
    let reduced = lengths(trial.e, trial.sigma12, trial.sigma1, trial.sigma2).reduced
    return reduced * (1 - WGS84.flattening) / (trial.azimuth2.cos * beta2.cos)
  }

  /// Where to begin: the whole solution for short lines, else an azimuth for Newton's method.
  enum StartingPoint {
    case short(CanonicalGeodesic)
    case azimuth(Direction)
  }

  /// The solution on a sphere, or for nearly antipodal places the one in the plane of the astroid (sections 4 and 5).
  func startingPoint() -> StartingPoint {
    let difference = beta2.turned(backBy: beta1)
    let sineOfSum = beta2.sin * beta1.cos + beta2.cos * beta1.sin
    let isShort = difference.cos >= 0 && difference.sin < 0.5 && beta2.cos * lambda12 < 0.5
    var omega12 = longitude
    var meanStretch = 1.0
    if isShort {
      let sineSum = beta1.sin + beta2.sin
      let cosineSum = beta1.cos + beta2.cos
      let square = sineSum * sineSum / (sineSum * sineSum + cosineSum * cosineSum)
      meanStretch = Elementary.squareRoot(1 + WGS84.secondEccentricitySquared * square)
      omega12 = Direction(angle: lambda12 / ((1 - WGS84.flattening) * meanStretch))
    }
    let squaredSine = omega12.sin * omega12.sin
    var azimuth = Direction(
      sin: beta2.cos * omega12.sin,
      cos: omega12.cos >= 0
        ? difference.sin + beta2.cos * beta1.sin * squaredSine / (1 + omega12.cos)
        : sineOfSum - beta2.cos * beta1.sin * squaredSine / (1 - omega12.cos))
    let sineOfArc = hypotenuse(azimuth.sin, azimuth.cos)
    let cosineOfArc = beta1.sin * beta2.sin + beta1.cos * beta2.cos * omega12.cos

    if isShort, sineOfArc < GeodesicEnds.shortArc {
      let versine = omega12.cos >= 0 ? squaredSine / (1 + omega12.cos) : 1 - omega12.cos
      let azimuth2 = Direction(
        sin: beta1.cos * omega12.sin, cos: difference.sin - beta1.cos * beta2.sin * versine)
      let sigma12 = Elementary.atan2(sineOfArc, cosineOfArc)
      return .short(
        CanonicalGeodesic(
          distance: sigma12 * WGS84.polarRadius * meanStretch, azimuth1: azimuth.normalized,
          azimuth2: azimuth2.normalized))
    }
    let antipodalLimit = 6 * WGS84.thirdFlattening * .pi * beta1.cos * beta1.cos
    if cosineOfArc < 0, sineOfArc < antipodalLimit { azimuth = antipodalAzimuth(sineOfSum) }
    return .azimuth(azimuth.sin > 0 ? azimuth.normalized : Direction(sin: 1, cos: 0))
  }

  /// Below this arc the spherical solution with the mean radius is right to the last digits.
  ///
  /// 0.1 √ε / √(f (1 − f/2) / 2), the error of the mean radius being of second order in the arc.
  private static var shortArc: Double { 3.65e-8 }

  private func antipodalAzimuth(_ sineOfSum: Double) -> Direction {
    let e = expansionParameter(cosineAtEquator: beta1.sin)
    let longitudeScale = WGS84.flattening * beta1.cos * LongitudeIntegral.scale(e) * .pi
    let latitudeScale = longitudeScale * beta1.cos
    let x = Elementary.atan2(-longitude.sin, -longitude.cos) / longitudeScale
    let y = sineOfSum / latitudeScale
    // The strip along the equator, where the astroid's equation loses its digits.
    if y > -200 * 0x1p-52, x > -1 - 1000 * 0x1p-26 {
      let sine = min(1, -x)
      return Direction(sin: sine, cos: -Elementary.squareRoot(max(0, 1 - sine * sine)))
    }
    let k = GeodesicEnds.astroidRoot(x, y)
    let opposite = Direction(angle: longitudeScale * (-x * k / (1 + k)))
    let versine = opposite.sin * opposite.sin / (1 + opposite.cos)
    return Direction(sin: beta2.cos * opposite.sin, cos: sineOfSum - beta2.cos * beta1.sin * versine)
  }

  /// The positive root of k⁴ + 2k³ − (x² + y² − 1)k² − 2y²k − y² = 0 (equations 55 to 64).
  static func astroidRoot(_ x: Double, _ y: Double) -> Double {
    let p = x * x
    let q = y * y
    let r = (p + q - 1) / 6
    guard q != 0 || r > 0 else { return 0 }
    let s = p * q / 4
    let r2 = r * r
    let r3 = r * r2
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      let root = Elementary.squareRoot(discriminant)
      let cube = s + r3 + (s + r3 < 0 ? -root : root)
      let t = (cube < 0 ? -1 : 1) * Elementary.pow(cube.magnitude, 1.0 / 3)
      u += t + (t != 0 ? r2 / t : 0)
    } else {
      let angle = Elementary.atan2(Elementary.squareRoot(-discriminant), -(s + r3))
      u += 2 * r * Elementary.cos(angle / 3)
    }
    let v = Elementary.squareRoot(u * u + q)
    let sum = u < 0 ? q / (v - u) : u + v
    let w = (sum - q) / (2 * v)
    return sum / (Elementary.squareRoot(sum + w * w) + w)
  }
}

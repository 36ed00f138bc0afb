import Quantities

// Series of the integrals for distance and longitude along a geodesic, to the sixth order in ε (third flattening n).
//
// Source: [karney] equations 15 to 25 and 42, 43.

/// The sum of c_k sin 2kx for k from 1 to 6.
struct SineSeries {
  var c1: Double
  var c2: Double
  var c3: Double
  var c4: Double
  var c5: Double
  var c6: Double

  /// The sum at the angle of `x`, by Clenshaw's recurrence.
  func sum(at x: Direction) -> Double {
    let factor = 2 * (x.cos - x.sin) * (x.cos + x.sin)
    let b5 = factor * c6 + c5
    let b4 = factor * b5 - c6 + c4
    let b3 = factor * b4 - b5 + c3
    let b2 = factor * b3 - b4 + c2
    let b1 = factor * b2 - b3 + c1
    return 2 * x.sin * x.cos * b1
  }
}

/// The expansion parameter ε of a geodesic whose azimuth at the equator has the cosine `cosineAtEquator`.
func expansionParameter(cosineAtEquator: Double) -> Double {
  let k2 = cosineAtEquator * cosineAtEquator * WGS84.secondEccentricitySquared
  return k2 / (2 * (1 + Elementary.squareRoot(1 + k2)) + k2)
}

/// Distance (with `scale` A1 and `series` C1) as a function of the arc on the auxiliary sphere.
enum DistanceIntegral {
  /// A1 − 1.
  static func scaleLessOne(_ e: Double) -> Double {
    let e2 = e * e
    return (e2 * ((e2 + 4) * e2 + 64) / 256 + e) / (1 - e)
  }

  /// C1.
  static func series(_ e: Double) -> SineSeries {
    let e2 = e * e
    let e3 = e2 * e
    let e4 = e2 * e2
    return SineSeries(
      c1: e * (-1.0 / 2 + e2 * (3.0 / 16 - e2 / 32)),
      c2: e2 * (-1.0 / 16 + e2 * (1.0 / 32 - e2 * 9 / 2048)),
      c3: e3 * (-1.0 / 48 + e2 * 3 / 256),
      c4: e4 * (-5.0 / 512 + e2 * 3 / 512),
      c5: e4 * e * -7 / 1280,
      c6: e4 * e2 * -7 / 2048)
  }

  /// C1′, the series of the inverse function: the arc from the distance.
  static func inverseSeries(_ e: Double) -> SineSeries {
    let e2 = e * e
    let e3 = e2 * e
    let e4 = e2 * e2
    return SineSeries(
      c1: e * (1.0 / 2 + e2 * (-9.0 / 32 + e2 * 205 / 1536)),
      c2: e2 * (5.0 / 16 + e2 * (-37.0 / 96 + e2 * 1335 / 4096)),
      c3: e3 * (29.0 / 96 - e2 * 75 / 128),
      c4: e4 * (539.0 / 1536 - e2 * 2391 / 2560),
      c5: e4 * e * 3467 / 7680,
      c6: e4 * e2 * 38_081 / 61_440)
  }
}

/// The second integral of the reduced length (with `scale` A2 and `series` C2).
enum ReducedLengthIntegral {
  /// A2 − 1.
  static func scaleLessOne(_ e: Double) -> Double {
    let e2 = e * e
    return (e2 * ((-11 * e2 - 28) * e2 - 192) / 256 - e) / (1 + e)
  }

  /// C2.
  static func series(_ e: Double) -> SineSeries {
    let e2 = e * e
    let e3 = e2 * e
    let e4 = e2 * e2
    return SineSeries(
      c1: e * (1.0 / 2 + e2 * (1.0 / 16 + e2 / 32)),
      c2: e2 * (3.0 / 16 + e2 * (1.0 / 32 + e2 * 35 / 2048)),
      c3: e3 * (5.0 / 48 + e2 * 5 / 256),
      c4: e4 * (35.0 / 512 + e2 * 7 / 512),
      c5: e4 * e * 63 / 1280,
      c6: e4 * e2 * 77 / 2048)
  }
}

/// Longitude on the ellipsoid less longitude on the auxiliary sphere (with `scale` A3 and `series` C3).
enum LongitudeIntegral {
  /// A3.
  static func scale(_ e: Double) -> Double {
    let n = WGS84.thirdFlattening
    let a4 = -(3.0 / 64 + n / 32) - e * 3 / 128
    let a3 = -(1.0 / 16 + n * (3.0 / 16 + n / 16)) + e * a4
    let a2 = -(1.0 / 4 + n * (1.0 / 8 - n * 3 / 8)) + e * a3
    let a1 = -(1.0 / 2 - n / 2) + e * a2
    return 1 + e * a1
  }

  /// C3.
  static func series(_ e: Double) -> SineSeries {
    let n = WGS84.thirdFlattening
    let e2 = e * e
    let e3 = e2 * e
    let e4 = e2 * e2
    let c13 = 3.0 / 64 + n * (3.0 / 64 - n / 64) + e * (5.0 / 128 + n / 64 + e * 3 / 128)
    let c1 = e * ((1 - n) / 4 + e * ((1 - n * n) / 8 + e * c13))
    let c23 = 3.0 / 64 - n * (1.0 / 32 + n * 3 / 64) + e * (3.0 / 128 + n / 128 + e * 5 / 256)
    let c2 = e2 * (1.0 / 16 - n * (3.0 / 32 - n / 32) + e * c23)
    let c34 = 3.0 / 128 - n * 5 / 192 + e * 7 / 512
    let c3 = e3 * (5.0 / 192 - n * (3.0 / 64 - n * 5 / 192) + e * c34)
    return SineSeries(
      c1: c1, c2: c2, c3: c3,
      c4: e4 * (7.0 / 512 - n * 7 / 256 + e * 7 / 512),
      c5: e4 * e * 21 / 2560,
      c6: 0)
  }
}

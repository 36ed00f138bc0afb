// Inverse tangent, of a number and of a direction.
//
// Source: our derivation. With small/big the ratio of the magnitudes, angles above π/8 use
// atan(t) = π/4 + atan((t − 1)/(t + 1)), so that |u| ≤ √2 − 1, and atan u = u + u³·A(u²). The quotient u is corrected by
// its remainder; without that its rounding alone would cost one ulp. A by Remez exchange for the least relative error of
// the function (Float 2^-29, Double 2^-58). See docs/elementary-coefficients.py.

extension Elementary {
  /// Angle of the direction (x, y) from the x axis in rad, −π to π, within 0.90 ulp.
  ///
  /// Zeros count with their sign, as in C99: `atan2(0, -1)` is π and `atan2(-0.0, -1)` is −π. NaN when either is NaN.
  public static func atan2(_ y: Float, _ x: Float) -> Float {
    let steep = y.magnitude > x.magnitude
    var big = steep ? y.magnitude : x.magnitude
    var small = steep ? x.magnitude : y.magnitude
    if !(small >= 0x1p-60 && big <= 0x1p60) {
      if let angle = extremeArcTangent(y, x) { return angle }
      let scale: Float = big > 0x1p60 ? 0x1p-80 : 0x1p90
      big *= scale
      small *= scale
    }
    return directionAngle(small: small, big: big, steep: steep, y: y, x: x)
  }

  /// The same for numbers the larger of which has a magnitude from 2^-60 to 2^60, with less code; within 2^-60 rad where the smaller one is
  /// below. Other directions have no angle: 0. A zero has no sign: it counts as positive.
  public static func shortAtan2(_ y: Float, _ x: Float) -> Float {
    let steep = y.magnitude > x.magnitude
    let big = steep ? y.magnitude : x.magnitude
    let small = steep ? x.magnitude : y.magnitude
    guard big >= 0x1p-60, big <= 0x1p60 else { return 0 }
    return directionAngle(small: small, big: big, steep: steep, y: y, x: x)
  }

  /// Angle of the direction (x, y) from the x axis in rad, −π to π, within 0.90 ulp.
  ///
  /// Zeros count with their sign, as in C99: `atan2(0, -1)` is π and `atan2(-0.0, -1)` is −π. NaN when either is NaN.
  public static func atan2(_ y: Double, _ x: Double) -> Double {
    let steep = y.magnitude > x.magnitude
    let big = steep ? y.magnitude : x.magnitude
    let small = steep ? x.magnitude : y.magnitude
    guard small >= 0x1p-400, big <= 0x1p400 else { return extremeArcTangent(y, x) }
    return directionAngle(small: small, big: big, steep: steep, y: y, x: x)
  }

  /// Angle in rad, −π/2 to π/2, whose tangent is `x`, within 0.90 ulp.
  public static func atan(_ x: Float) -> Float { atan2(x, 1) }

  /// Angle in rad, −π/2 to π/2, whose tangent is `x`, within 0.90 ulp.
  public static func atan(_ x: Double) -> Double { atan2(x, 1) }

  @inline(__always)
  private static func directionAngle(small: Float, big: Float, steep: Bool, y: Float, x: Float) -> Float {
    let pastEighth = small > 0x1.a8279ap-2 * big
    let numerator = pastEighth ? small - big : small
    let denominator = pastEighth ? big + small : big
    // What rounding took from the difference and the sum.
    let numeratorTail = pastEighth ? small - (numerator + big) : 0
    let denominatorTail = pastEighth ? (big - denominator) + small : 0

    let reciprocal = 1 / denominator
    let u = numerator * reciprocal
    let product = exactProduct(u, denominator)
    let remainder = ((numerator - product.high) - product.low) + (numeratorTail - u * denominatorTail)
    let z = u * u
    let series =
      (((-0x1.ee0d58p-5 * z + 0x1.b1619ep-4) * z - 0x1.23b19ap-3) * z + 0x1.9991e2p-3) * z - 0x1.55554cp-2
    let tail = u * z * series + remainder * reciprocal

    let octants = octantBase(pastEighth: pastEighth, steep: steep, backward: x < 0)
    let falls = steep != (x < 0)
    let sum = exactSum(larger: octants * 0x1.921fbp-1, falls ? -u : u)
    let angle = sum.high + (sum.low + ((falls ? -tail : tail) + octants * 0x1.5110b4p-23))
    return y < 0 ? -angle : angle
  }

  @inline(__always)
  private static func directionAngle(small: Double, big: Double, steep: Bool, y: Double, x: Double) -> Double {
    let pastEighth = small > 0x1.a827999fcef32p-2 * big
    let numerator = pastEighth ? small - big : small
    let denominator = pastEighth ? big + small : big
    let numeratorTail = pastEighth ? small - (numerator + big) : 0
    let denominatorTail = pastEighth ? (big - denominator) + small : 0

    let reciprocal = 1 / denominator
    let u = numerator * reciprocal
    let product = exactProduct(u, denominator)
    let remainder = ((numerator - product.high) - product.low) + (numeratorTail - u * denominatorTail)
    let z = u * u
    var series = (-0x1.23de327f4767fp-6 * z + 0x1.375037c748b67p-5) * z - 0x1.9cb44d05b932ap-5
    series = ((series * z + 0x1.df0e5a55bc7dbp-5) * z - 0x1.10ec2196bf866p-4) * z + 0x1.3b112f34b516dp-4
    series = ((series * z - 0x1.745cfaf86b4f3p-4) * z + 0x1.c71c71022985dp-4) * z - 0x1.24924923123d9p-3
    series = (series * z + 0x1.9999999996e02p-3) * z - 0x1.555555555554ap-2
    let tail = u * z * series + remainder * reciprocal

    let octants = Double(octantBase(pastEighth: pastEighth, steep: steep, backward: x < 0))
    let falls = steep != (x < 0)
    let sum = exactSum(larger: octants * 0x1.921fb54442d18p-1, falls ? -u : u)
    let angle = sum.high + (sum.low + ((falls ? -tail : tail) + octants * 0x1.1a62633145c07p-55))
    return y < 0 ? -angle : angle
  }

  /// The multiple of π/4 that the small angle is added to or taken from.
  @inline(__always)
  private static func octantBase(pastEighth: Bool, steep: Bool, backward: Bool) -> Float {
    switch (steep, backward) {
    case (false, false): return pastEighth ? 1 : 0
    case (true, false): return pastEighth ? 1 : 2
    case (true, true): return pastEighth ? 3 : 2
    case (false, true): return pastEighth ? 3 : 4
    }
  }

  /// Zeros, infinities, NaN and a quotient that no longer matters; nil when both have to be brought into the range of the others.
  @inline(never)
  private static func extremeArcTangent(_ y: Float, _ x: Float) -> Float? {
    guard x == x, y == y else { return .nan }
    let backward = x.sign == .minus
    // Beyond 2^40 one of the two no longer matters. Numbers below the normal ones count as larger than they are: they are brought nearer.
    let distance = Int(y.magnitude.bitPattern >> 23) - Int(x.magnitude.bitPattern >> 23)
    let angle: Float
    if y == 0 || (x.isInfinite && !y.isInfinite) {
      angle = backward ? 0x1.921fb6p+1 : 0
    } else if y.isInfinite && x.isInfinite {
      angle = backward ? 0x1.2d97c8p+1 : 0x1.921fb6p-1
    } else if y.isInfinite || x == 0 || distance > 40 {
      angle = 0x1.921fb6p+0
    } else if distance < -40 {
      angle = backward ? 0x1.921fb6p+1 : y.magnitude / x.magnitude
    } else {
      return nil
    }
    return y.sign == .minus ? -angle : angle
  }

  /// Zeros, infinities, NaN and magnitudes at which the quotient would overflow or underflow.
  @inline(never)
  private static func extremeArcTangent(_ y: Double, _ x: Double) -> Double {
    guard x == x, y == y else { return .nan }
    let backward = x.sign == .minus
    let angle: Double
    if y == 0 {
      angle = backward ? .pi : 0
    } else if y.isInfinite && x.isInfinite {
      angle = backward ? 0x1.2d97c7f3321d2p+1 : .pi / 4
    } else if y.isInfinite || x == 0 {
      angle = .pi / 2
    } else if x.isInfinite {
      angle = backward ? .pi : 0
    } else {
      // Beyond 2^80 one of the two no longer matters.
      let distance = Int(y.exponent) - Int(x.exponent)
      if distance > 80 {
        angle = .pi / 2
      } else if distance < -80 {
        angle = backward ? .pi : y.magnitude / x.magnitude
      } else {
        let steep = y.magnitude > x.magnitude
        let scale: Double = (steep ? y.magnitude : x.magnitude) > 0x1p400 ? 0x1p-600 : 0x1p650
        let big = (steep ? y.magnitude : x.magnitude) * scale
        let small = (steep ? x.magnitude : y.magnitude) * scale
        return directionAngle(small: small, big: big, steep: steep, y: y, x: x)
      }
    }
    return y.sign == .minus ? -angle : angle
  }
}

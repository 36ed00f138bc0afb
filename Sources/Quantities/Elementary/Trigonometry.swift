// Sine, cosine and tangent.
//
// Source: our polynomials. sin r = r + r³·S(r²) and cos r = 1 − r²/2 + r⁴·C(r²), with S and C by Remez exchange for the
// least relative error of the function on |r| ≤ 1.002 π/4 (Float 2^-36 and 2^-32, Double 2^-57 and 2^-62), rounded to
// the type's precision afterwards. See docs/elementary-coefficients.py.

extension Elementary {
  /// Sine of an angle in rad, within 0.82 ulp; NaN for infinities and NaN.
  public static func sin(_ x: Float) -> Float {
    let angle = reducedAngle(x)
    let value = angle.quadrant & 1 == 0 ? sineNearZero(angle) : cosineNearZero(angle)
    return angle.quadrant & 2 == 0 ? value : -value
  }

  /// Cosine of an angle in rad, within 0.82 ulp; NaN for infinities and NaN.
  public static func cos(_ x: Float) -> Float {
    let angle = reducedAngle(x)
    let value = angle.quadrant & 1 == 0 ? cosineNearZero(angle) : sineNearZero(angle)
    return (angle.quadrant &+ 1) & 2 == 0 ? value : -value
  }

  /// Sine and cosine of an angle in rad, the same bits as `sin` and `cos`, with one reduction of the angle.
  public static func sincos(_ x: Float) -> (sin: Float, cos: Float) { sincos(of: reducedAngle(x)) }

  /// Sine and cosine of an angle between −12,800 and 12,800 rad, within 0.82 ulp or 2^-45: the bits of `sincos` but in one argument of a
  /// hundred thousand, and without the code that angles beyond need. Beyond, and for NaN, two numbers that are none.
  public static func shortSincos(_ x: Float) -> (sin: Float, cos: Float) {
    guard x > -singleReductionLimit, x < singleReductionLimit else { return (.nan, .nan) }
    return sincos(of: shortReducedAngle(x))
  }

  @inline(__always)
  private static func sincos(of angle: ReducedAngle<Float>) -> (sin: Float, cos: Float) {
    let sine = sineNearZero(angle)
    let cosine = cosineNearZero(angle)
    let isOdd = angle.quadrant & 1 == 1
    let first = isOdd ? cosine : sine
    let second = isOdd ? sine : cosine
    return (
      angle.quadrant & 2 == 0 ? first : -first,
      (angle.quadrant &+ 1) & 2 == 0 ? second : -second
    )
  }

  /// Tangent of an angle in rad, within 0.51 ulp; NaN for infinities and NaN.
  ///
  /// Calculated in double precision: no filter needs it.
  public static func tan(_ x: Float) -> Float {
    if x > -0x1p-12, x < 0x1p-12, x * x < 0x1p-26 { return x }
    return Float(tan(Double(x)))
  }

  /// Sine of an angle in rad, within 0.82 ulp; NaN for infinities and NaN.
  public static func sin(_ x: Double) -> Double {
    let angle = reducedAngle(x)
    let value = angle.quadrant & 1 == 0 ? sineNearZero(angle) : cosineNearZero(angle)
    return angle.quadrant & 2 == 0 ? value : -value
  }

  /// Cosine of an angle in rad, within 0.82 ulp; NaN for infinities and NaN.
  public static func cos(_ x: Double) -> Double {
    let angle = reducedAngle(x)
    let value = angle.quadrant & 1 == 0 ? cosineNearZero(angle) : sineNearZero(angle)
    return (angle.quadrant &+ 1) & 2 == 0 ? value : -value
  }

  /// Sine and cosine of an angle in rad, the same bits as `sin` and `cos`, with one reduction of the angle.
  public static func sincos(_ x: Double) -> (sin: Double, cos: Double) {
    let angle = reducedAngle(x)
    let sine = sineNearZero(angle)
    let cosine = cosineNearZero(angle)
    let isOdd = angle.quadrant & 1 == 1
    let first = isOdd ? cosine : sine
    let second = isOdd ? sine : cosine
    return (
      angle.quadrant & 2 == 0 ? first : -first,
      (angle.quadrant &+ 1) & 2 == 0 ? second : -second
    )
  }

  /// Tangent of an angle in rad, within 0.95 ulp; NaN for infinities and NaN.
  ///
  /// Sine and cosine keep what rounding takes from them, and the quotient is corrected by its remainder.
  public static func tan(_ x: Double) -> Double {
    if x > -0x1p-27, x < 0x1p-27 { return x }
    let angle = reducedAngle(x)
    let z = angle.rest * angle.rest
    let half = 0.5 * z
    let sine = exactSum(larger: angle.rest, angle.rest * z * sineSeries(z) + angle.tail * (1 - half))
    let square = exactProduct(angle.rest, angle.rest)
    let first = 1 - half
    let cosine = exactSum(
      larger: first,
      ((1 - first) - half) + ((z * z * cosineSeries(z) - 0.5 * square.low) - angle.rest * angle.tail))
    let isOdd = angle.quadrant & 1 == 1
    let numerator = isOdd ? (high: -cosine.high, low: -cosine.low) : sine
    let denominator = isOdd ? sine : cosine
    let quotient = numerator.high / denominator.high
    let product = exactProduct(quotient, denominator.high)
    let remainder = ((numerator.high - product.high) - product.low) + (numerator.low - quotient * denominator.low)
    return quotient + remainder / denominator.high
  }

  @inline(__always)
  private static func sineNearZero(_ angle: ReducedAngle<Float>) -> Float {
    let r = angle.rest
    let z = r * r
    let series = ((0x1.6cb22cp-19 * z - 0x1.a00f24p-13) * z + 0x1.111108p-7) * z - 0x1.555556p-3
    // The sum would lose the sign of a negative zero.
    return r == 0 ? r : r + (r * z * series + angle.tail * (1 - 0.5 * z))
  }

  @inline(__always)
  private static func cosineNearZero(_ angle: ReducedAngle<Float>) -> Float {
    let r = angle.rest
    let z = r * r
    let half = 0.5 * z
    let first = 1 - half
    let series = (0x1.9a699cp-16 * z - 0x1.6c0e68p-10) * z + 0x1.55554ep-5
    return first + (((1 - first) - half) + (z * z * series - r * angle.tail))
  }

  @inline(__always)
  private static func sineNearZero(_ angle: ReducedAngle<Double>) -> Double {
    let r = angle.rest
    let z = r * r
    return r == 0 ? r : r + (r * z * sineSeries(z) + angle.tail * (1 - 0.5 * z))
  }

  @inline(__always)
  private static func cosineNearZero(_ angle: ReducedAngle<Double>) -> Double {
    let r = angle.rest
    let z = r * r
    let half = 0.5 * z
    let first = 1 - half
    return first + (((1 - first) - half) + (z * z * cosineSeries(z) - r * angle.tail))
  }

  /// (sin r − r) / r³ of z = r².
  @inline(__always)
  private static func sineSeries(_ z: Double) -> Double {
    let high = (0x1.5d83c3b8e1352p-33 * z - 0x1.ae5e3ff8610ccp-26) * z + 0x1.71de35605ae3ep-19
    return ((high * z - 0x1.a01a019c209cep-13) * z + 0x1.111111110fadfp-7) * z - 0x1.555555555554cp-3
  }

  /// (cos r − 1 + r²/2) / r⁴ of z = r².
  @inline(__always)
  private static func cosineSeries(_ z: Double) -> Double {
    let high = (-0x1.8ff62c3ff9679p-37 * z + 0x1.1eea832c99b27p-29) * z - 0x1.27e4f8fc7e906p-22
    return ((high * z + 0x1.a01a019e1ce08p-16) * z - 0x1.6c16c16c160fbp-10) * z + 0x1.5555555555553p-5
  }
}

// Inverse sine and cosine.
//
// Source: our polynomials. asin x = x + x³·B(x²) for |x| ≤ 1/2 and, with s = √((1 − |x|)/2), acos|x| = 2 asin s and
// asin|x| = π/2 − 2 asin s beyond, where the rounding of s is corrected. B by Remez exchange for the least relative error
// of the function (Float 2^-30, Double 2^-58). See docs/elementary-coefficients.py.

extension Elementary {
  /// Angle in rad, −π/2 to π/2, whose sine is `x`, within 0.70 ulp; NaN outside −1 to 1.
  public static func asin(_ x: Float) -> Float {
    guard x.magnitude > 0.5 else { return x + x * arcSineSeries(x * x) }
    guard x.magnitude <= 1 else { return .nan }
    let half = arcSineOfHalf(x.magnitude)
    let sum = exactSum(larger: 0x1.921fb4p+0, -2 * half.high)
    let angle = sum.high + (sum.low + (0x1.4442d2p-24 - 2 * half.low))
    return x < 0 ? -angle : angle
  }

  /// Angle in rad, 0 to π, whose cosine is `x`, within 0.70 ulp; NaN outside −1 to 1.
  public static func acos(_ x: Float) -> Float {
    guard x.magnitude > 0.5 else {
      let sum = exactSum(larger: 0x1.921fb4p+0, -x)
      return sum.high + (sum.low + (0x1.4442d2p-24 - x * arcSineSeries(x * x)))
    }
    guard x.magnitude <= 1 else { return .nan }
    let half = arcSineOfHalf(x.magnitude)
    if x > 0 { return 2 * (half.high + half.low) }
    let sum = exactSum(larger: 0x1.921fb4p+1, -2 * half.high)
    return sum.high + (sum.low + (0x1.4442d2p-23 - 2 * half.low))
  }

  /// Angle in rad, −π/2 to π/2, whose sine is `x`, within 0.70 ulp; NaN outside −1 to 1.
  public static func asin(_ x: Double) -> Double {
    guard x.magnitude > 0.5 else { return x + x * arcSineSeries(x * x) }
    guard x.magnitude <= 1 else { return .nan }
    let half = arcSineOfHalf(x.magnitude)
    let sum = exactSum(larger: 0x1.921fb54442d18p+0, -2 * half.high)
    let angle = sum.high + (sum.low + (0x1.1a62633145c07p-54 - 2 * half.low))
    return x < 0 ? -angle : angle
  }

  /// Angle in rad, 0 to π, whose cosine is `x`, within 0.70 ulp; NaN outside −1 to 1.
  public static func acos(_ x: Double) -> Double {
    guard x.magnitude > 0.5 else {
      let sum = exactSum(larger: 0x1.921fb54442d18p+0, -x)
      return sum.high + (sum.low + (0x1.1a62633145c07p-54 - x * arcSineSeries(x * x)))
    }
    guard x.magnitude <= 1 else { return .nan }
    let half = arcSineOfHalf(x.magnitude)
    if x > 0 { return 2 * (half.high + half.low) }
    let sum = exactSum(larger: 0x1.921fb54442d18p+1, -2 * half.high)
    return sum.high + (sum.low + (0x1.1a62633145c07p-53 - 2 * half.low))
  }

  /// asin √((1 − x)/2) in two parts, for x from 1/2 to 1.
  @inline(__always)
  private static func arcSineOfHalf(_ x: Float) -> (high: Float, low: Float) {
    guard x < 1 else { return (0, 0) }
    let z = (1 - x) * 0.5
    let s = z.squareRoot()
    let square = exactProduct(s, s)
    return (s, s * arcSineSeries(z) + ((z - square.high) - square.low) / (2 * s))
  }

  /// asin √((1 − x)/2) in two parts, for x from 1/2 to 1.
  @inline(__always)
  private static func arcSineOfHalf(_ x: Double) -> (high: Double, low: Double) {
    guard x < 1 else { return (0, 0) }
    let z = (1 - x) * 0.5
    let s = squareRoot(z)
    let square = exactProduct(s, s)
    return (s, s * arcSineSeries(z) + ((z - square.high) - square.low) / (2 * s))
  }

  /// asin(x)/x − 1 of z = x².
  @inline(__always)
  private static func arcSineSeries(_ z: Float) -> Float {
    let high = (0x1.35d126p-5 * z + 0x1.d570fap-7) * z + 0x1.0484f2p-5
    return z * (((high * z + 0x1.6cbc4ep-5) * z + 0x1.3337b6p-4) * z + 0x1.55555p-3)
  }

  /// asin(x)/x − 1 of z = x².
  @inline(__always)
  private static func arcSineSeries(_ z: Double) -> Double {
    var series = (0x1.0c37de51bf5a8p-5 * z - 0x1.590c49226442ep-6) * z + 0x1.62d3886cf8a35p-6
    series = ((series * z + 0x1.ee25068e90416p-9) * z + 0x1.6047eaca9f9ebp-7) * z + 0x1.75c65214f52dcp-7
    series = ((series * z + 0x1.ca14bd5973fe1p-7) * z + 0x1.1c4a8683616fep-6) * z + 0x1.6e8bd458e6048p-6
    series = ((series * z + 0x1.f1c71b0ac3557p-6) * z + 0x1.6db6db7095bdap-5) * z + 0x1.333333333075cp-4
    return z * (series * z + 0x1.5555555555562p-3)
  }
}

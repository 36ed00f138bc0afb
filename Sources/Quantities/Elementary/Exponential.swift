// The exponential function.
//
// Source: our polynomials. x = n·ln 2 + r with ln 2 in two parts, of which n times the first is exact, and
// e^r = 1 + r + r²·E(r) for |r| ≤ 1.002 ln(2)/2. E by Remez exchange for the least relative error of the function (Float
// 2^-33, Double 2^-64). See docs/elementary-coefficients.py.

extension Elementary {
  /// e to the power `x`, within 0.90 ulp.
  ///
  /// Infinity from about 88.72 on, zero from about −103.97 down.
  public static func exp(_ x: Float) -> Float {
    guard x == x else { return .nan }
    guard x < 89 else { return .infinity }
    guard x > -104.5 else { return 0 }
    let shifted = x * 0x1.715476p+0 + 0x1.8p23
    let count = shifted - 0x1.8p23
    let high = x - count * 0x1.62e4p-1
    let low = count * 0x1.7f7d1cp-20
    let r = high - low
    let tail = (high - r) - low
    let upper = (0x1.a18376p-13 * r + 0x1.6da8d4p-10) * r + 0x1.1110a8p-7
    let series = ((upper * r + 0x1.55546ep-5) * r + 0x1.555556p-3) * r + 0.5
    let value = 1 + (r + (r * r * series + tail))

    let exponent = Int(Int32(bitPattern: shifted.bitPattern &- 0x4B40_0000))
    if exponent > 127 { return value * 0x1p127 * powerOfTwoFloat(exponent - 127) }
    if exponent < -125 { return value * powerOfTwoFloat(exponent + 100) * 0x1p-100 }
    return value * powerOfTwoFloat(exponent)
  }

  /// e to the power `x`, within 0.90 ulp.
  ///
  /// Infinity from about 709.78 on, zero from about −745.13 down.
  public static func exp(_ x: Double) -> Double { exp(x, tail: 0) }

  /// e to the power of a sum of two parts.
  @inline(__always)
  static func exp(_ x: Double, tail: Double) -> Double {
    guard x == x else { return .nan }
    guard x < 710 else { return .infinity }
    guard x > -746 else { return 0 }
    let shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52
    let count = shifted - 0x1.8p52
    let high = x - count * 0x1.62e42fefa38p-1
    let low = count * 0x1.ef35793c7673p-45 - tail
    let r = high - low
    let rest = (high - r) - low
    var series = (0x1.1fa28288364a7p-29 * r + 0x1.af6db9e953a1ep-26) * r + 0x1.27e4bc3af3f3bp-22
    series = ((series * r + 0x1.71ddef0dcd44dp-19) * r + 0x1.a01a01b5bd3b9p-16) * r + 0x1.a01a01b3efde1p-13
    series = ((series * r + 0x1.6c16c16c130cbp-10) * r + 0x1.111111110eb2dp-7) * r + 0x1.555555555555ep-5
    series = (series * r + 0x1.555555555555cp-3) * r + 0.5
    let value = 1 + (r + (r * r * series + rest))

    let exponent = Int(Int32(truncatingIfNeeded: shifted.bitPattern))
    if exponent > 1023 { return value * 0x1p1023 * powerOfTwo(exponent - 1023) }
    if exponent < -1021 { return value * powerOfTwo(exponent + 900) * 0x1p-900 }
    return value * powerOfTwo(exponent)
  }
}

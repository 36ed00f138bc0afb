// The natural logarithm.
//
// Source: our derivation. x = 2^k·(1 + f) with 1 + f between √½ and √2, and ln 2 in two parts of which k times the first
// is exact. Float: ln(1 + f) = f − f²/2 + f³·L(f). Double: with s = f/(2 + f), ln(1 + f) = 2 artanh s
// = f − (f²/2 − s·(f²/2 + M(s²))), in which only small terms carry rounding errors. L and M by Remez exchange for the
// least relative error of the function (2^-30 and 2^-58). See docs/elementary-coefficients.py.

extension Elementary {
  /// Natural logarithm, within 0.86 ulp; −infinity for zeros, NaN below zero.
  public static func log(_ x: Float) -> Float {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : (x > 0 ? x : .nan) }
    let isSubnormal = x < .leastNormalMagnitude
    let bits = (isSubnormal ? x * 0x1p25 : x).bitPattern &+ (0x3F80_0000 - 0x3F35_04F3)
    let exponent = Int32(truncatingIfNeeded: bits >> 23) - (isSubnormal ? 152 : 127)
    let k = Float(exponent)
    let f = Float(bitPattern: (bits & 0x7F_FFFF) &+ 0x3F35_04F3) - 1
    var series = (0x1.14cc12p-4 * f - 0x1.df0092p-4) * f + 0x1.e72806p-4
    series = ((series * f - 0x1.fc07c2p-4) * f + 0x1.23323ap-3) * f - 0x1.555cccp-3
    series = ((series * f + 0x1.99a4f6p-3) * f - 0x1.000006p-2) * f + 0x1.555548p-2
    let square = f * f
    let sum = exactSum(larger: k * 0x1.62e4p-1, f)
    return sum.high + (sum.low - (0.5 * square - (square * f * series + k * 0x1.7f7d1cp-20)))
  }

  /// Natural logarithm, within 0.86 ulp; −infinity for zeros, NaN below zero.
  public static func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : (x > 0 ? x : .nan) }
    let (exponent, f) = exponentAndFraction(x)
    let k = Double(exponent)
    let s = f / (2 + f)
    let z = s * s
    var series = (0x1.2f57545e3e66fp-3 * z + 0x1.399c8eaf30a92p-3) * z + 0x1.74664d7f2003ap-3
    series = ((series * z + 0x1.c71c52a54b49ep-3) * z + 0x1.2492493fc8c04p-2) * z + 0x1.9999999984651p-2
    series = z * (series * z + 0x1.555555555557cp-1)
    let half = 0.5 * f * f
    let sum = exactSum(larger: k * 0x1.62e42fefa38p-1, f)
    return sum.high + (sum.low - (half - (s * (half + series) + k * 0x1.ef35793c7673p-45)))
  }

  /// Natural logarithm of a positive finite number in two parts, with a relative error below 2^-64.
  ///
  /// The first two terms of the series are carried with doubled precision, the rest begins at 2^-12 of the result.
  static func doubledLogarithm(_ x: Double) -> (high: Double, low: Double) {
    let (exponent, f) = exponentAndFraction(x)
    let k = Double(exponent)
    let denominator = exactSum(larger: 2.0, f)
    let s = f / denominator.high
    let product = exactProduct(s, denominator.high)
    let sTail = (((f - product.high) - product.low) - s * denominator.low) / denominator.high

    let square = exactProduct(s, s)
    let squareTail = square.low + 2 * s * sTail
    let z = square.high
    var series = (0x1.e6c15023c67b4p-4 * z + 0x1.dec3162803c4fp-4) * z + 0x1.111ce0f43548cp-3
    series = ((series * z + 0x1.3b137e3e7eb46p-3) * z + 0x1.745d17c3382a6p-3) * z + 0x1.c71c71c677c83p-3
    series = (series * z + 0x1.24924924927a2p-2) * z + 0x1.9999999999999p-2
    let bracket = exactSum(larger: 0x1.5555555555555p-1, z * series)
    let bracketTail = bracket.low + 0x1.5555555555555p-55

    let cube = exactProduct(s, z)
    let cubeTail = cube.low + (s * squareTail + sTail * z)
    let term = exactProduct(cube.high, bracket.high)
    let termTail = term.low + (cube.high * bracketTail + cubeTail * bracket.high)

    let first = exactSum(larger: k * 0x1.62e42fefa38p-1, 2 * s)
    let second = exactSum(larger: first.high, term.high)
    let small = first.low + (k * 0x1.ef35793c76p-45 + (2 * sTail + (termTail + k * 0x1.cc01f97b57a08p-87)))
    return exactSum(larger: second.high, second.low + small)
  }

  /// Writes a positive finite number as 2^exponent·(1 + fraction) with 1 + fraction between √½ and √2.
  @inline(__always)
  private static func exponentAndFraction(_ x: Double) -> (exponent: Int32, fraction: Double) {
    let isSubnormal = x < .leastNormalMagnitude
    let offset: UInt64 = 0x3FE6_A09E_667F_3BCD
    let bits = (isSubnormal ? x * 0x1p54 : x).bitPattern &+ (0x3FF0_0000_0000_0000 - offset)
    let exponent = Int32(truncatingIfNeeded: bits >> 52) - (isSubnormal ? 1077 : 1023)
    return (exponent, Double(bitPattern: (bits & 0xF_FFFF_FFFF_FFFF) &+ offset) - 1)
  }
}

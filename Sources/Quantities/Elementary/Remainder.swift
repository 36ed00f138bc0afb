extension Elementary {
  /// What is left of `x` after taking away whole multiples of `modulus`: 0 to just below `modulus`.
  ///
  /// Exact for `x` ≥ 0; for negative `x` rounded once, and 0 where that would round up to `modulus`. NaN unless `x` is
  /// finite and `modulus` finite and positive.
  /// - Complexity: one comparison when `x` is within one modulus of the range, else a division of integers per 11 bits of
  ///   the quotient.
  public static func remainder(_ x: Double, _ modulus: Double) -> Double {
    guard modulus > 0, modulus < .infinity, x.magnitude < .infinity else { return .nan }
    let rest = x.magnitude < modulus ? x.magnitude : longRemainder(x.magnitude, modulus)
    guard x < 0, rest > 0 else { return rest }
    let wrapped = modulus - rest
    return wrapped < modulus ? wrapped : 0
  }

  /// What is left of `x` after taking away whole multiples of `modulus`: 0 to just below `modulus`.
  ///
  /// As for `Double`; single precision unless `x` is beyond one modulus of the range.
  public static func remainder(_ x: Float, _ modulus: Float) -> Float {
    guard modulus > 0, modulus < .infinity, x.magnitude < .infinity else { return .nan }
    var rest = x.magnitude
    if rest >= modulus {
      // A difference of neighbours within a factor of two is exact.
      rest -= modulus
      if rest >= modulus { rest = Float(longRemainder(Double(x.magnitude), Double(modulus))) }
    }
    guard x < 0, rest > 0 else { return rest }
    let wrapped = modulus - rest
    return wrapped < modulus ? wrapped : 0
  }

  /// The same direction as an angle from 0 to just below 2π rad (the `Double` nearest 2π).
  public static func positiveAngle(_ x: Double) -> Double { remainder(x, 2 * .pi) }

  /// The same direction as an angle from 0 to just below 2π rad (the `Float` below 2π).
  public static func positiveAngle(_ x: Float) -> Float { remainder(x, 2 * .pi) }

  /// The same direction as an angle above −π and not above π rad.
  public static func signedAngle(_ x: Double) -> Double {
    if x > -.pi, x <= .pi { return x }
    let rest = remainder(x, 2 * .pi)
    return rest > .pi ? rest - 2 * .pi : rest
  }

  /// The same direction as an angle above −π and not above π rad.
  public static func signedAngle(_ x: Float) -> Float {
    if x > -.pi, x <= .pi { return x }
    let rest = remainder(x, 2 * .pi)
    return rest > .pi ? rest - 2 * .pi : rest
  }

  /// Remainder of positive finite numbers, `x` ≥ `modulus`, by long division of the significands.
  private static func longRemainder(_ x: Double, _ modulus: Double) -> Double {
    let dividend = significandAndExponent(x)
    let divisor = significandAndExponent(modulus)
    var rest = dividend.significand % divisor.significand
    var distance = dividend.exponent - divisor.exponent
    while distance > 0, rest > 0 {
      let step = distance < 11 ? distance : 11
      rest = (rest << UInt64(truncatingIfNeeded: step)) % divisor.significand
      distance -= step
    }
    // The rest has at most 53 bits; two factors, because 2^-1074 is not a normal number.
    let half = divisor.exponent / 2
    return Double(rest) * powerOfTwo(half) * powerOfTwo(divisor.exponent - half)
  }

  private static func significandAndExponent(_ x: Double) -> (significand: UInt64, exponent: Int) {
    let fraction = x.bitPattern & 0xF_FFFF_FFFF_FFFF
    let biased = Int(truncatingIfNeeded: x.bitPattern >> 52)
    return biased == 0 ? (fraction, -1074) : (fraction | 0x10_0000_0000_0000, biased - 1075)
  }
}

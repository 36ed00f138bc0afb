extension Elementary {
  /// `x` to the power `y`, within 0.90 ulp, with the special cases of C99.
  ///
  /// The logarithm is carried to 2^-64, because its error is multiplied by up to 745 in the exponential.
  public static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    guard x == x, y == y else { return .nan }
    let parity = integerParity(y)
    let isNegative = x.sign == .minus && parity == .odd
    let base = x.magnitude
    if y.isInfinite {
      if base == 1 { return 1 }
      return (base > 1) == (y > 0) ? .infinity : 0
    }
    if base == 0 || base == .infinity {
      let value: Double = (base == 0) == (y < 0) ? .infinity : 0
      return isNegative ? -value : value
    }
    if x < 0, parity == .none { return .nan }
    let value = positivePower(base, y)
    return isNegative ? -value : value
  }

  /// `x` to the power `y`, within 0.51 ulp, with the special cases of C99. Calculated in double precision.
  public static func pow(_ x: Float, _ y: Float) -> Float { Float(pow(Double(x), Double(y))) }

  private static func positivePower(_ base: Double, _ y: Double) -> Double {
    if base == 1 { return 1 }
    let logarithm = doubledLogarithm(base)
    let estimate = y * logarithm.high
    guard estimate < 800 else { return .infinity }
    guard estimate > -800 else { return 0 }
    // Below this the product's error may underflow, and the result is one to the last bit or beside it.
    guard estimate.magnitude > 0x1p-60 else { return 1 + estimate }
    let product = exactProduct(y, logarithm.high)
    let exponent = exactSum(larger: product.high, product.low + y * logarithm.low)
    return exp(exponent.high, tail: exponent.low)
  }

  private enum Parity {
    /// Not an integer.
    case none
    case even
    case odd
  }

  private static func integerParity(_ y: Double) -> Parity {
    let magnitude = y.magnitude
    guard magnitude < 0x1p53 else { return .even }
    let whole = UInt64(magnitude)
    guard Double(whole) == magnitude else { return .none }
    return whole & 1 == 1 ? .odd : .even
  }
}

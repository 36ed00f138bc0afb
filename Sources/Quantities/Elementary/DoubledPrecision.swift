// Arithmetic on unevaluated sums of two numbers, for the places where 53 bits (or 24) are not enough.
//
// Source: [dekker].

extension Elementary {
  /// The product as the rounded product and its error. The factors are cut by masking, which can't overflow.
  ///
  /// The second part is exact to 2^-104 of the product unless something underflows.
  @inline(__always)
  static func exactProduct(_ a: Double, _ b: Double) -> (high: Double, low: Double) {
    let mask: UInt64 = 0xFFFF_FFFF_F800_0000
    let aHigh = Double(bitPattern: a.bitPattern & mask)
    let bHigh = Double(bitPattern: b.bitPattern & mask)
    let aLow = a - aHigh
    let bLow = b - bHigh
    let product = a * b
    return (product, (((aHigh * bHigh - product) + aHigh * bLow) + aLow * bHigh) + aLow * bLow)
  }

  /// The product as the rounded product and its error.
  @inline(__always)
  static func exactProduct(_ a: Float, _ b: Float) -> (high: Float, low: Float) {
    let aHigh = Float(bitPattern: a.bitPattern & 0xFFFF_F000)
    let bHigh = Float(bitPattern: b.bitPattern & 0xFFFF_F000)
    let aLow = a - aHigh
    let bLow = b - bHigh
    let product = a * b
    return (product, (((aHigh * bHigh - product) + aHigh * bLow) + aLow * bHigh) + aLow * bLow)
  }

  /// The sum as the rounded sum and its error, for `a` zero or not smaller than `b` in magnitude.
  @inline(__always)
  static func exactSum<Value: BinaryFloatingPoint>(larger a: Value, _ b: Value) -> (high: Value, low: Value) {
    let sum = a + b
    return (sum, (a - sum) + b)
  }

  /// Two to the power `exponent`, which must give a normal number (−1022 to 1023).
  @inline(__always)
  static func powerOfTwo(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(truncatingIfNeeded: exponent &+ 1023) << 52)
  }

  /// Two to the power `exponent`, which must give a normal number (−126 to 127).
  @inline(__always)
  static func powerOfTwoFloat(_ exponent: Int) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: exponent &+ 127) << 23)
  }
}

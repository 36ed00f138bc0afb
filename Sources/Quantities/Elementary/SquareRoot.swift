extension Elementary {
  /// Square root, correctly rounded; NaN below zero.
  ///
  /// A Cortex-M4 has the instruction for `Float` only, and the compiler would call the C library for `Double`; there the
  /// root comes from integers, with the same bits.
  @inlinable public static func squareRoot(_ x: Double) -> Double {
    #if arch(arm)
      return squareRootByIntegers(x)
    #else
      return x.squareRoot()
    #endif
  }

  /// Square root, correctly rounded, bit by bit in integers.
  ///
  /// - Source: our derivation. With x = m·4^e and m of 105 or 106 bits, the root of m has 53 bits; the remainder decides
  ///   about rounding up, and no root lies halfway between two numbers.
  /// - Complexity: 53 steps of integer additions.
  public static func squareRootByIntegers(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 || x > 0 ? x : .nan }
    var exponent = Int(truncatingIfNeeded: x.bitPattern >> 52) - 1075
    var significand = x.bitPattern & 0xF_FFFF_FFFF_FFFF
    if exponent == -1075 {
      let shift = significand.leadingZeroBitCount - 11
      significand = significand << UInt64(truncatingIfNeeded: shift)
      exponent = -1074 - shift
    } else {
      significand |= 0x10_0000_0000_0000
    }
    if exponent & 1 != 0 {
      significand <<= 1
      exponent -= 1
    }
    // significand · 2^52 has 105 or 106 bits; two of them join the remainder per step.
    var root: UInt64 = 0
    var remainder: UInt64 = 0
    var digits = significand << 10
    for _ in 0..<53 {
      remainder = remainder << 2 | digits >> 62
      digits <<= 2
      let candidate = root << 2 | 1
      root <<= 1
      if remainder >= candidate {
        remainder -= candidate
        root |= 1
      }
    }
    if remainder > root { root += 1 }
    return Double(root) * powerOfTwo((exponent - 52) / 2)
  }
}

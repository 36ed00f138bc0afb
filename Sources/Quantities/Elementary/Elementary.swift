/// Elementary functions of the core, the same bits on every target.
///
/// The C library's functions differ in the last bit between libraries, and a Cortex-M image should not carry them. These
/// use plus, minus, times, divide and square root only, which IEEE 754 fixes to the bit. Every function takes the whole
/// range of its type and gives the results of C99 annex F for zeros, infinities and NaN; none traps.
///
/// The `Float` functions calculate in single precision where a filter uses them, because a Cortex-M4 has no other FPU.
/// Each function states its largest error in units in the last place (ulp) as asserted by `QuantitiesTests`;
/// `docs/elementary.md` has the measurements, and the script that made the coefficients is beside it.
public enum Elementary {
  /// The nearest integer, halves away from zero; saturates at the ends of `Int64`, NaN gives 0.
  public static func roundedInteger(_ x: Double) -> Int64 {
    guard x == x else { return 0 }
    guard x < 0x1p63 else { return .max }
    guard x > -0x1p63 else { return .min }
    let whole = Int64(x)
    let rest = x - Double(whole)
    if rest >= 0.5 { return whole + 1 }
    if rest <= -0.5 { return whole - 1 }
    return whole
  }

  /// The nearest integer, halves away from zero; saturates at the ends of `Int32`, NaN gives 0.
  public static func roundedInteger(_ x: Float) -> Int32 {
    guard x == x else { return 0 }
    guard x < 0x1p31 else { return .max }
    guard x > -0x1p31 else { return .min }
    let whole = Int32(x)
    let rest = x - Float(whole)
    if rest >= 0.5 { return whole + 1 }
    if rest <= -0.5 { return whole - 1 }
    return whole
  }

  /// The nearest `Float`, of two as near the even one: what `Float(x)` gives, with numbers of 32 bits.
  @inline(never)
  public static func nearest(_ x: Int64) -> Float {
    let magnitude = x.magnitude
    // 31 bits are more than those of a `Float`; the lowest tells that there are others below.
    let shift = UInt64(truncatingIfNeeded: max(0, 33 - magnitude.leadingZeroBitCount))
    var kept = Int(truncatingIfNeeded: magnitude &>> shift)
    if UInt64(truncatingIfNeeded: kept) &<< shift != magnitude { kept |= 1 }
    let value = Float(kept) * powerOfTwoFloat(Int(truncatingIfNeeded: shift))
    return x < 0 ? -value : value
  }

  /// The whole part of a number from 0 to `most`, 2^24 or less, which ends what is beyond; NaN gives 0.
  @inlinable
  public static func whole(_ x: Float, upTo most: Int32) -> Int32 {
    guard x >= 1 else { return 0 }
    guard x < Float(Int(most)) else { return most }
    // By hand, as a conversion asks again whether it can be.
    let bits = x.bitPattern
    return Int32(truncatingIfNeeded: (bits & 0x7F_FFFF | 0x80_0000) &>> (150 &- bits >> 23))
  }

  /// The largest integer not above `x`; zeros, infinities and NaN come back unchanged. Exact.
  public static func floor(_ x: Double) -> Double {
    guard x > -0x1p52, x < 0x1p52, x != 0 else { return x }
    let whole = Double(Int64(x))
    return whole > x ? whole - 1 : whole
  }

  /// The largest integer not above `x`; zeros, infinities and NaN come back unchanged. Exact.
  public static func floor(_ x: Float) -> Float {
    guard x > -0x1p23, x < 0x1p23, x != 0 else { return x }
    let whole = Float(Int32(x))
    return whole > x ? whole - 1 : whole
  }
}

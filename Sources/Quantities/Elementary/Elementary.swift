/// Elementary functions of the core, the same bits on every target.
///
/// The C library's functions differ in the last bit between libraries, and a Cortex-M image should not carry them. These
/// use plus, minus, times, divide and square root only, which IEEE 754 fixes to the bit.
public enum Elementary {
  /// The nearest integer, halves away from zero; saturates at the ends of `Int64`, NaN gives 0.
  public static func roundedInteger(_ x: Double) -> Int64 {
    guard x == x else { return 0 }
    guard x < 9.2e18 else { return .max }
    guard x > -9.2e18 else { return .min }
    let whole = Int64(x)
    let rest = x - Double(whole)
    if rest >= 0.5 { return whole + 1 }
    if rest <= -0.5 { return whole - 1 }
    return whole
  }
}

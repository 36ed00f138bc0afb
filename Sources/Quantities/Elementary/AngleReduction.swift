/// An angle as a number of quarter turns and the rest, about −π/4 to π/4 rad, in two parts.
struct ReducedAngle<Value: BinaryFloatingPoint & BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  /// Quarter turns; only the two lowest bits count.
  var quadrant: UInt32
  /// The rest, rounded, rad.
  var rest: Value
  /// What rounding took from `rest`, rad.
  var tail: Value
}

/// Largest magnitude that `reducedAngle(_: Float)` takes off in single precision: 2^13 quarter turns.
let singleReductionLimit: Float = 12_800

/// Largest magnitude that `reducedAngle(_: Double)` takes off in double precision: 2^20 quarter turns.
private let doubleReductionLimit: Double = 1_600_000

/// The binary digits of 2/π, most significant first, after a word of zeros for arguments near one.
///
/// 1161 digits are reached by the largest finite `Double`.
private let twoOverPi: InlineArray<21, UInt64> = [
  0,
  0xA2F9_836E_4E44_1529, 0xFC27_57D1_F534_DDC0, 0xDB62_9599_3C43_9041, 0xFE51_63AB_DEBB_C561,
  0xB724_6E3A_424D_D2E0, 0x0649_2EEA_09D1_921C, 0xFE1D_EB1C_B129_A73E, 0xE882_35F5_2EBB_4484,
  0xE99C_7026_B45F_7E41, 0x3991_D639_8353_39F4, 0x9C84_5F8B_BDF9_283B, 0x1FF8_97FF_DE05_980F,
  0xEF2F_118B_5A0A_6D1F, 0x6D36_7ECF_27CB_09B7, 0x4F46_3F66_9E5F_EA2D, 0x7527_BAC7_EBE5_F17B,
  0x3D07_39F7_8A52_92EA, 0x6BFB_5FB1_1F8D_5D08, 0x5603_3046_FC7B_6BAB, 0xF0CF_BC20_9AF4_361D,
]

extension Elementary {
  /// Takes quarter turns off a finite angle, in single precision up to 12,800 rad; arguments that come so close to a multiple of π/2 that
  /// the error of `shortReducedAngle` would show, one in a hundred thousand, and large ones go the exact way.
  @inline(__always)
  static func reducedAngle(_ x: Float) -> ReducedAngle<Float> {
    guard x > -singleReductionLimit, x < singleReductionLimit else { return exactlyReducedAngle(x) }
    let angle = shortReducedAngle(x)
    guard angle.rest > 0x1p-18 || angle.rest < -0x1p-18 else { return exactlyReducedAngle(x) }
    return angle
  }

  /// Takes up to 2^13 quarter turns off an angle, with an absolute error below 2^-45 rad.
  ///
  /// π/2 is cut into parts of 11, 11, 11 and 24 bits, so that the products with up to 2^13 quarter turns and the first
  /// differences are exact (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980).
  @inline(__always)
  static func shortReducedAngle(_ x: Float) -> ReducedAngle<Float> {
    // Adding 1.5 · 2^23 rounds to an integer and leaves that integer in the lowest bits.
    let shifted = x * 0x1.45f306p-1 + 0x1.8p23
    let turns = shifted - 0x1.8p23
    let first = (x - turns * 0x1.92p+0) - turns * 0x1.fb4p-12
    let third = turns * 0x1.444p-24
    let high = first - third
    let low = ((first - high) - third) - turns * 0x1.68c234p-39
    let rest = high + low
    return ReducedAngle(quadrant: shifted.bitPattern, rest: rest, tail: (high - rest) + low)
  }

  /// Takes quarter turns off a finite angle, in double precision up to 1.6 million rad and exactly beyond.
  ///
  /// As for `Float`, with parts of 33, 33 and 53 bits and an absolute error below 2^-98 rad.
  static func reducedAngle(_ x: Double) -> ReducedAngle<Double> {
    guard x > -doubleReductionLimit, x < doubleReductionLimit else { return exactlyReducedAngle(x) }
    let shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52
    let turns = shifted - 0x1.8p52
    let first = x - turns * 0x1.921fb544p+0
    let second = turns * 0x1.0b4611a6p-34
    let high = first - second
    let low = ((first - high) - second) - turns * 0x1.3198a2e037073p-69
    let rest = high + low
    guard rest > 0x1p-40 || rest < -0x1p-40 else { return exactlyReducedAngle(x) }
    let quadrant = UInt32(truncatingIfNeeded: shifted.bitPattern)
    return ReducedAngle(quadrant: quadrant, rest: rest, tail: (high - rest) + low)
  }

  /// Takes quarter turns off any angle with integer arithmetic and no `Double`, which is code of its own on a Cortex-M4F; infinities and
  /// NaN give NaN.
  ///
  /// As for `Double`, with 96 digits of 2/π: those beyond are less than 2^-70 quarter turns, and no `Float` is nearer than 2^-33 to a
  /// multiple of π/2.
  @inline(never)
  static func exactlyReducedAngle(_ x: Float) -> ReducedAngle<Float> {
    if x > -0x1p-12, x < 0x1p-12 { return ReducedAngle(quadrant: 0, rest: x, tail: 0) }
    let biasedExponent = Int(truncatingIfNeeded: (x.bitPattern >> 23) & 0xFF)
    guard biasedExponent < 0xFF else { return ReducedAngle(quadrant: 0, rest: .nan, tail: .nan) }
    let significand = UInt64((x.bitPattern & 0x7F_FFFF) | 0x80_0000)

    // x = significand · 2^(biasedExponent − 150). The window starts where a digit is worth two whole turns.
    let start = biasedExponent - 150 - 2 + 64
    let word = start / 64
    let shift = UInt64(truncatingIfNeeded: start % 64)
    guard start >= 0, word + 2 < twoOverPi.count else { return ReducedAngle(quadrant: 0, rest: x, tail: 0) }
    let window = digits(word, shift)
    let low = significand &* (digits(word + 1, shift) >> 32)
    let turns = (significand &* (window >> 32)) << 32 &+ significand &* (window & 0xFFFF_FFFF) &+ low >> 32

    var quadrant = UInt32(truncatingIfNeeded: turns >> 62)
    var fraction = turns << 2 | (low & 0xFFFF_FFFF) >> 30
    var below = UInt32(truncatingIfNeeded: low) << 2
    let isNegative = fraction >> 63 == 1
    if isNegative {
      quadrant &+= 1
      below = ~below &+ 1
      fraction = ~fraction &+ (below == 0 ? 1 : 0)
    }
    let zeros = UInt64(truncatingIfNeeded: fraction.leadingZeroBitCount)
    guard zeros < 64 else { return ReducedAngle(quadrant: quadrant, rest: 0, tail: 0) }
    fraction = fraction &<< zeros | (UInt64(below) << 31) &>> (63 &- zeros)

    // Times π/2 · 2^63, the upper half: the rest of the angle in units of 2^-(63 + zeros), two of which may be missing.
    let (left, right) = (fraction >> 32, fraction & 0xFFFF_FFFF)
    let product = left &* 0xC90F_DAA2 &+ (left &* 0x2168_C235) >> 32 &+ (right &* 0xC90F_DAA2) >> 32
    let unit = powerOfTwoFloat(-23 - Int(truncatingIfNeeded: zeros))
    let flips = isNegative != (x < 0)
    let scale = flips ? -unit : unit
    let upper = Int(truncatingIfNeeded: product >> 40)
    let lower = Int(truncatingIfNeeded: product >> 16) & 0xFF_FFFF
    let angle = exactSum(larger: Float(upper), Float(lower) * 0x1p-24)
    return ReducedAngle(quadrant: x < 0 ? 0 &- quadrant : quadrant, rest: angle.high * scale, tail: angle.low * scale)
  }

  /// Takes quarter turns off any angle with integer arithmetic; infinities and NaN give NaN.
  ///
  /// The significand is multiplied by the 192 digits of 2/π that matter: those before would add whole turns, those after
  /// less than 2^-126 quarter turns. No `Double` is nearer than 2^-62 to a multiple of π/2, so 64 bits of the rest are
  /// right (M. Payne and R. Hanek, Radian reduction for trigonometric functions, SIGNUM 18, 1983).
  @inline(never)
  static func exactlyReducedAngle(_ x: Double) -> ReducedAngle<Double> {
    if x > -0x1p-26, x < 0x1p-26 { return ReducedAngle(quadrant: 0, rest: x, tail: 0) }
    let biasedExponent = Int(truncatingIfNeeded: (x.bitPattern >> 52) & 0x7FF)
    guard biasedExponent < 0x7FF else { return ReducedAngle(quadrant: 0, rest: .nan, tail: .nan) }
    let significand = (x.bitPattern & 0xF_FFFF_FFFF_FFFF) | 0x10_0000_0000_0000

    // x = significand · 2^(biasedExponent − 1075). The window starts where a digit is worth two whole turns.
    let start = biasedExponent - 1075 - 2 + 64
    guard start >= 0, start / 64 + 3 < twoOverPi.count else { return ReducedAngle(quadrant: 0, rest: x, tail: 0) }
    let word = start / 64
    let shift = UInt64(truncatingIfNeeded: start % 64)
    let low = significand.multipliedFullWidth(by: digits(word + 2, shift))
    let middle = significand.multipliedFullWidth(by: digits(word + 1, shift))
    let (second, carry) = middle.low.addingReportingOverflow(low.high)
    let first = (significand &* digits(word, shift)) &+ middle.high &+ (carry ? 1 : 0)

    var quadrant = UInt32(truncatingIfNeeded: first >> 62)
    var high = first << 2 | second >> 62
    var rest = second << 2 | low.low >> 62
    let isNegative = high >> 63 == 1
    if isNegative {
      quadrant &+= 1
      rest = ~rest &+ 1
      high = ~high &+ (rest == 0 ? 1 : 0)
    }
    var exponent = 0
    if high == 0 {
      high = rest
      rest = 0
      exponent = -64
    }
    let zeros = high.leadingZeroBitCount
    guard zeros < 64 else { return ReducedAngle(quadrant: quadrant, rest: 0, tail: 0) }
    if zeros > 0 {
      high = high << UInt64(truncatingIfNeeded: zeros) | rest >> UInt64(truncatingIfNeeded: 64 - zeros)
      rest = rest << UInt64(truncatingIfNeeded: zeros)
      exponent -= zeros
    }
    let fraction = Double(high >> 11) * powerOfTwo(exponent - 53)
    let fractionTail = Double((high & 0x7FF) << 42 | rest >> 22) * powerOfTwo(exponent - 106)

    let product = exactProduct(fraction, 0x1.921fb54442d18p+0)
    let rounded = exactSum(
      larger: product.high,
      product.low + (fraction * 0x1.1a62633145c07p-54 + fractionTail * 0x1.921fb54442d18p+0))
    let flips = isNegative != (x < 0)
    return ReducedAngle(
      quadrant: x < 0 ? 0 &- quadrant : quadrant,
      rest: flips ? -rounded.high : rounded.high,
      tail: flips ? -rounded.low : rounded.low)
  }

  /// 64 digits of 2/π from digit `shift` of a word on.
  @inline(__always)
  private static func digits(_ word: Int, _ shift: UInt64) -> UInt64 {
    shift == 0 ? twoOverPi[word] : twoOverPi[word] << shift | twoOverPi[word + 1] >> (64 - shift)
  }
}

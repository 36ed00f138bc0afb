/// A point of the curve of Ed25519 in extended coordinates: x/z, y/z, and t = x y/z.
///
/// - Source: RFC 8032 section 5.1.3 (decoding) and 5.1.4 (addition and doubling).
struct EdwardsPoint: BitwiseCopyable {
  var x: FieldElement
  var y: FieldElement
  var z: FieldElement
  var t: FieldElement

  static var neutral: EdwardsPoint { EdwardsPoint(x: .zero, y: .one, z: .one, t: .zero) }

  /// The base point.
  static var base: EdwardsPoint {
    EdwardsPoint(
      x: FieldElement(limbs: [
        -14_297_830, -7_645_148, 16_144_683, -16_471_763, 27_570_974, -2_696_100, -26_142_465, 8_378_389, 20_764_389,
        8_758_491,
      ]),
      y: FieldElement(limbs: [
        -26_843_541, -6_710_886, 13_421_773, -13_421_773, 26_843_546, 6_710_886, -13_421_773, 13_421_773, -26_843_546,
        -6_710_886,
      ]), z: .one,
      t: FieldElement(limbs: [
        28_827_062, -6_116_119, -27_349_572, 244_363, 8_635_006, 11_264_893, 19_351_346, 13_413_597, 16_611_511,
        -6_414_980,
      ]))
  }

  /// The curve's constant, -121665/121666, and twice it.
  private static var d: FieldElement {
    FieldElement(limbs: [
      -10_913_610, 13_857_413, -15_372_611, 6_949_391, 114_729, -8_787_816, -6_275_908, -3_247_719, -18_696_448,
      -12_055_116,
    ])
  }
  private static var doubleD: FieldElement {
    FieldElement(limbs: [
      -21_827_239, -5_839_606, -30_745_221, 13_898_782, 229_458, 15_978_800, -12_551_817, -6_495_438, 29_715_968,
      9_444_199,
    ])
  }
  /// A square root of -1.
  private static var rootOfMinusOne: FieldElement {
    FieldElement(limbs: [
      -32_595_792, -7_943_725, 9_377_950, 3_500_415, 12_389_472, -272_473, -25_146_209, -2_005_654, 326_686,
      11_406_482,
    ])
  }

  init(x: FieldElement, y: FieldElement, z: FieldElement, t: FieldElement) {
    self.x = x
    self.y = y
    self.z = z
    self.t = t
  }

  /// Of 32 bytes: y, and above it whether x is odd; nil when they are no point, or not the only bytes of one.
  init?(_ bytes: InlineArray<32, UInt8>) {
    y = FieldElement(bytes)
    let isOdd = bytes[31] >> 7 == 1
    // A y of 2^255 - 19 or more would be another spelling.
    let canonical = y.bytes
    var difference = canonical[31] ^ (bytes[31] & 0x7F)
    for place in 0..<31 { difference |= canonical[place] ^ bytes[place] }
    guard difference == 0 else { return nil }
    let square = y * y
    let above = square - .one
    let below = square * EdwardsPoint.d + .one
    let cube = below * below * below
    var root = above * cube * (above * cube * cube * below).rootPower
    let found = below * root * root
    if !(found - above).isZero {
      guard (found + above).isZero else { return nil }
      root = root * EdwardsPoint.rootOfMinusOne
    }
    if root.isZero, isOdd { return nil }
    x = root.isOdd == isOdd ? root : -root
    z = .one
    t = x * y
  }

  /// Its 32 bytes.
  var bytes: InlineArray<32, UInt8> {
    let scale = z.inverse
    var result = (y * scale).bytes
    if (x * scale).isOdd { result[31] |= 0x80 }
    return result
  }

  /// True when its order divides eight.
  var isSmall: Bool {
    var multiple = self
    for _ in 0..<3 { multiple.double() }
    return multiple.isNeutral
  }

  var isNeutral: Bool { x.isZero && (y - z).isZero }

  static prefix func - (a: EdwardsPoint) -> EdwardsPoint { EdwardsPoint(x: -a.x, y: a.y, z: a.z, t: -a.t) }

  /// Adds another to it: in place, as a point is large for a stack.
  @inline(never) mutating func add(_ b: EdwardsPoint) {
    let first = (y - x) * (b.y - b.x)
    let second = (y + x) * (b.y + b.x)
    t = t * EdwardsPoint.doubleD * b.t
    z = z * (b.z + b.z)
    set(second - first, z - t, z + t, second + first)
  }

  /// Adds it to itself.
  @inline(never) mutating func double() {
    let first = x * x
    let second = y * y
    z = z * (z + z)
    x = x + y
    let (h, g) = (first + second, first - second)
    set(h - x * x, z + g, g, h)
  }

  private mutating func set(_ e: FieldElement, _ f: FieldElement, _ g: FieldElement, _ h: FieldElement) {
    x = e * f
    y = g * h
    z = f * g
    t = e * h
  }
}

/// A number modulo 2^255 - 19, in ten limbs of 26 and 25 bits in turn, with signs.
///
/// What an operation is given may have limbs up to 1.65 times 2^25, or 2^24; products give limbs up to 1.1 times half of that. A sum or
/// difference of two products, or of one with such a sum, may therefore be multiplied.
///
/// - Source: [ed25519], limbs and their bounds as in ref10.
struct FieldElement: BitwiseCopyable {
  var limbs: InlineArray<10, Int32>

  static var zero: FieldElement { FieldElement(limbs: InlineArray(repeating: 0)) }
  static var one: FieldElement {
    var result = zero
    result.limbs[0] = 1
    return result
  }

  init(limbs: InlineArray<10, Int32>) { self.limbs = limbs }

  /// Of 255 bits of 32 bytes, the lowest first; the last bit is not looked at.
  init(_ bytes: InlineArray<32, UInt8>) {
    var wide = InlineArray<10, Int64>(repeating: 0)
    for limb in 0..<10 {
      let start = FieldElement.start(of: limb)
      for bit in 0..<FieldElement.width(of: limb) {
        let place = start + bit
        wide[limb] |= Int64(bytes[place >> 3] >> UInt8(place & 7) & 1) << Int64(bit)
      }
    }
    self.init(carrying: wide)
  }

  /// The least number that is not negative, in 32 bytes, the lowest first.
  var bytes: InlineArray<32, UInt8> {
    // How often 2^255 - 19 goes into it.
    var quotient = (19 &* limbs[9] &+ 1 << 24) >> 25
    for limb in 0..<10 { quotient = (limbs[limb] &+ quotient) >> Int32(FieldElement.width(of: limb)) }
    var carry = 19 &* quotient
    var result = InlineArray<32, UInt8>(repeating: 0)
    for limb in 0..<10 {
      let width = FieldElement.width(of: limb)
      let sum = limbs[limb] &+ carry
      carry = sum >> Int32(width)
      let rest = sum &- carry << Int32(width)
      let start = FieldElement.start(of: limb)
      for bit in 0..<width where rest >> Int32(bit) & 1 == 1 {
        result[(start + bit) >> 3] |= 1 << UInt8((start + bit) & 7)
      }
    }
    return result
  }

  var isZero: Bool {
    let bytes = bytes
    var all: UInt8 = 0
    for place in 0..<32 { all |= bytes[place] }
    return all == 0
  }

  var isOdd: Bool { bytes[0] & 1 == 1 }

  static func + (a: FieldElement, b: FieldElement) -> FieldElement {
    var result = a
    for limb in 0..<10 { result.limbs[limb] &+= b.limbs[limb] }
    return result
  }

  static func - (a: FieldElement, b: FieldElement) -> FieldElement {
    var result = a
    for limb in 0..<10 { result.limbs[limb] &-= b.limbs[limb] }
    return result
  }

  static prefix func - (a: FieldElement) -> FieldElement { zero - a }

  @inline(never) static func * (a: FieldElement, b: FieldElement) -> FieldElement {
    // What lies beyond 2^255 comes round nineteen times: those limbs stand before the others. Two odd limbs meet half a bit above
    // where they are put, so one of them is doubled there.
    var right = InlineArray<20, Int32>(repeating: 0)
    var doubled = a.limbs
    for limb in 0..<10 {
      right[unchecked: limb] = 19 &* b.limbs[unchecked: limb]
      right[unchecked: limb + 10] = b.limbs[unchecked: limb]
      if limb & 1 == 1 { doubled[unchecked: limb] &*= 2 }
    }
    var wide = InlineArray<10, Int64>(repeating: 0)
    for target in 0..<5 {
      var even: Int64 = 0
      var odd: Int64 = 0
      for limb in 0..<10 {
        let place = 10 &+ 2 &* target &- limb
        even &+= Int64(doubled[unchecked: limb]) &* Int64(right[unchecked: place])
        odd &+= Int64(a.limbs[unchecked: limb]) &* Int64(right[unchecked: place &+ 1])
      }
      wide[2 * target] = even
      wide[2 * target + 1] = odd
    }
    return FieldElement(carrying: wide)
  }

  /// To the power of a number of so many bits, which are ones but for some of the last 32.
  private func power(bits: Int, zeros: UInt32) -> FieldElement {
    var result = self
    var bit = bits - 1
    while bit > 0 {
      bit -= 1
      result = result * result
      if bit >= 32 || zeros >> UInt32(bit) & 1 == 0 { result = result * self }
    }
    return result
  }

  /// To the power of 2^255 - 21: one over it; zero for zero.
  var inverse: FieldElement { power(bits: 255, zeros: 0b10100) }

  /// To the power of 2^252 - 3, from which a square root follows.
  var rootPower: FieldElement { power(bits: 252, zeros: 0b10) }

  /// Carries once round.
  private init(carrying wide: InlineArray<10, Int64>) {
    var wide = wide
    for limb in 0..<11 {
      let place = limb % 10
      let width = Int64(FieldElement.width(of: place))
      let carry = (wide[place] &+ 1 << (width - 1)) >> width
      wide[place] &-= carry << width
      wide[(place + 1) % 10] &+= place == 9 ? 19 &* carry : carry
    }
    limbs = InlineArray(repeating: 0)
    for limb in 0..<10 { limbs[limb] = Int32(truncatingIfNeeded: wide[limb]) }
  }

  private static func width(of limb: Int) -> Int { 26 - (limb & 1) }
  private static func start(of limb: Int) -> Int { (51 * limb + 1) / 2 }
}

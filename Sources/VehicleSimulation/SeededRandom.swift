import Quantities

/// A random generator that gives identical bits on every machine for the same 64-bit seed.
///
/// The system's generator can't be replayed, and the C library's differs between platforms. All draws here are integer
/// arithmetic, or `Double` arithmetic of our own elementary functions.
///
/// - Source: xoshiro256++ by D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47
///   (2021), recurrence of section 3.3; seeded as its authors recommend by SplitMix64, G. Steele, D. Lea and C. Flood,
///   "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17.
public struct SeededRandom: Sendable, Equatable {
  var s0: UInt64
  var s1: UInt64
  var s2: UInt64
  var s3: UInt64

  /// A generator of the given seed; every seed is good, zero too.
  public init(seed: UInt64) {
    var mixer = SplitMix64(seed: seed)
    s0 = mixer.next()
    s1 = mixer.next()
    s2 = mixer.next()
    s3 = mixer.next()
  }

  /// A generator of its own for one purpose, so that drawing more for one does not change what another draws.
  ///
  /// - Parameters:
  ///   - seed: The seed of the whole run.
  ///   - stream: Number of the purpose.
  public init(seed: UInt64, stream: UInt64) {
    var mixer = SplitMix64(seed: seed)
    let base = mixer.next()
    mixer = SplitMix64(seed: base ^ (stream &* 0xD134_2543_DE82_EF95))
    self.init(seed: mixer.next())
  }

  init(state: (UInt64, UInt64, UInt64, UInt64)) {
    (s0, s1, s2, s3) = state
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    let sum = s0 &+ s3
    let result = ((sum << 23) | (sum >> 41)) &+ s0
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << 45) | (s3 >> 19)
    return result
  }

  /// An integer from 0 up to, not including, `bound`; all equally likely. A bound of zero gives zero.
  ///
  /// - Source: our derivation; the high word of a product, rejecting the part of the low word that would favour some.
  public mutating func integer(below bound: UInt64) -> UInt64 {
    guard bound > 1 else { return 0 }
    let unfair = (0 &- bound) % bound
    while true {
      let product = next().multipliedFullWidth(by: bound)
      if product.low >= unfair { return product.high }
    }
  }

  /// True in `numerator` of `denominator` cases.
  public mutating func chance(_ numerator: UInt64, in denominator: UInt64) -> Bool {
    integer(below: denominator) < numerator
  }

  /// A number from 0 up to, not including, 1, in steps of 2⁻⁵³.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number from `low` to `high`.
  public mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * uniform() }

  /// A number of the normal distribution with mean 0 and standard deviation 1.
  ///
  /// The ziggurat needs one draw and one multiplication in 99 of 100 cases; a sample takes a dozen of these.
  ///
  /// - Source: G. Marsaglia and W. W. Tsang, "The ziggurat method for generating random variables", Journal of
  ///   Statistical Software 5 (2000), with layer number and position from separate bits of the draw (J. Doornik 2005).
  public mutating func gaussian() -> Double {
    let ziggurat = Ziggurat.shared
    while true {
      let bits = next()
      let layer = Int(bits & 127)
      // The upper 53 bits as a number from −1 up to 1.
      let u = Double(Int64(bitPattern: bits) >> 11) * 0x1p-52
      let x = u * ziggurat.edge(layer)
      if (x < 0 ? -x : x) < ziggurat.edge(layer + 1) { return x }
      if layer == 0 {
        return tail(negative: u < 0)
      }
      let upper = ziggurat.height(layer + 1)
      let lower = ziggurat.height(layer)
      if lower + uniform() * (upper - lower) < Elementary.exp(-0.5 * x * x) { return x }
    }
  }

  /// The part of the distribution beyond the ziggurat's foot (Marsaglia 1964).
  private mutating func tail(negative: Bool) -> Double {
    while true {
      let x = -Elementary.log(1 - uniform()) / Ziggurat.foot
      let y = -Elementary.log(1 - uniform())
      if y + y > x * x { return negative ? -(Ziggurat.foot + x) : Ziggurat.foot + x }
    }
  }
}

/// The 128 layers of equal area that cover the normal density.
struct Ziggurat: Sendable {
  static let shared = Ziggurat()
  /// Where the foot layer's rectangle ends and the tail begins (Marsaglia and Tsang, 128 layers).
  static let foot = 3.442619855899
  /// Area of every layer (same place).
  static let area = 9.91256303526217e-3

  private let edges: [Double]
  private let heights: [Double]

  init() {
    func density(_ x: Double) -> Double { Elementary.exp(-0.5 * x * x) }
    var edges = [Ziggurat.area / density(Ziggurat.foot), Ziggurat.foot]
    for layer in 2..<128 {
      let previous = edges[layer - 1]
      edges.append((-2 * Elementary.log(Ziggurat.area / previous + density(previous))).squareRoot())
    }
    edges.append(0)
    heights = edges.enumerated().map { $0.offset == 0 ? 0 : density($0.element) }
    self.edges = edges
  }

  /// Right end of a layer's rectangle.
  func edge(_ layer: Int) -> Double { edges[layer] }
  /// The density at a layer's right end.
  func height(_ layer: Int) -> Double { heights[layer] }
}

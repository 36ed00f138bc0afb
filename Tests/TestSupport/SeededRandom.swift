import Glibc
import Quantities

/// Random numbers that a seed repeats on every machine.
///
/// - Source: SplitMix64 (steele2014).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  private var spare: Double?

  /// The sequence of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to just below 1.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number from the normal distribution with mean 0 and standard deviation 1 (Box and Muller's method).
  package mutating func normal() -> Double {
    if let held = spare {
      spare = nil
      return held
    }
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spare = radius * sin(angle)
    return radius * cos(angle)
  }

  /// A vector whose components are each normal with that standard deviation.
  package mutating func vector(deviation: Float) -> Vector3 {
    Vector3(Float(normal()) * deviation, Float(normal()) * deviation, Float(normal()) * deviation)
  }

  /// True once in `count` times on average.
  package mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

import Glibc
import Quantities

/// Random numbers that a seed repeats on every machine.
package struct SeededRandom: RandomNumberGenerator {
  private var bits: SplitMix64
  private var spare: Double?

  /// The sequence of a seed.
  package init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 { bits.next() }

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

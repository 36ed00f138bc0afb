/// Random bits that a seed repeats on every target: one addition and two multiplications per draw.
///
/// - Source: [steele] figure 17.
@frozen public struct SplitMix64: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline var state: UInt64

  /// The sequence of a seed.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// The network's own source of chance: SplitMix64 on one seed.
///
/// The network draws from its own stream, so that a change in what the modem draws does not move the network's delays.
///
/// - Source: [steele] figure 17.
struct NetworkRandom: Sendable, Equatable {
  /// The generator's counter.
  var state: UInt64

  /// The next 64 random bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// An integer from 0 up to, not including, `bound`; a bound of zero gives zero. The high word of a product: the unevenness
  /// is below one in 2^40 for the bounds used here.
  mutating func integer(below bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }
}

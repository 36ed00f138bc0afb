/// Random numbers of the modem, all from one seed and the same on every machine.
///
/// - Source: [steele] figure 17 (SplitMix64); the reduction to a range is our derivation.
struct ModemRandom: Equatable, Sendable {
  private var state: UInt64

  /// A generator of the given seed.
  init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// An integer from 0 up to, not including, `bound`; zero for a bound below one. The bias of 2⁻³² and less is of no
  /// account here.
  mutating func integer(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}

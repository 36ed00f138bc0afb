import Quantities

/// Random numbers of the modem or of its network, all from one seed and the same on every machine.
///
/// Each has a stream of its own, so that a change in what the modem draws does not move the network's delays.
///
/// - Source: the reduction to a range is our derivation.
struct ModemRandom: Equatable, Sendable {
  private var bits: SplitMix64

  /// A generator of the given seed.
  init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  /// The next 64 random bits.
  mutating func next() -> UInt64 { bits.next() }

  /// An integer from 0 up to, not including, `bound`; a bound of zero gives zero. The high word of a product: its bias of 2⁻³² and less
  /// is of no account here.
  mutating func integer(below bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

  /// The same; a bound below two takes nothing from the stream.
  mutating func integer(below bound: Int) -> Int { bound > 1 ? Int(integer(below: UInt64(bound))) : 0 }
}

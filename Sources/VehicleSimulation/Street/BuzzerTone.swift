import Quantities

/// What a sensor reads of the buzzer on its own board: a tone far above its own rate, which arrives as any other.
///
/// A buzzer that sets its pitch by itself is not steady: its phase wanders, and with it the tone that is read.
struct BuzzerTone: Sendable {
  private let begin: Instant
  private let end: Instant
  private let isPulsed: Bool
  private let frequency: Double
  private var phase: Double
  private var random: SeededRandom

  /// By how much the phase wanders in a second, rad (standard deviation).
  private static let wander = 6.0
  /// How strongly each axis is shaken, against the root of the mean square of all.
  static let axes = Vector3(0.9, 0.7, 1.3)

  init(from begin: Instant, to end: Instant, isPulsed: Bool, seed: UInt64) {
    self.begin = begin
    self.end = end
    self.isPulsed = isPulsed
    random = SeededRandom(seed: seed, stream: 22)
    frequency = random.uniform(2300, 3100)
    phase = random.uniform(0, 6)
  }

  /// The tone at an instant, of a mean square of 1; nil while it is silent.
  mutating func next(at now: Instant, hertz: Double) -> Double? {
    guard now >= begin, now < end else { return nil }
    phase += 2 * Double.pi * frequency / hertz + random.gaussian() * BuzzerTone.wander / hertz.squareRoot()
    phase -= 2 * Double.pi * Elementary.floor(phase / (2 * Double.pi))
    let passed = (now - begin).microseconds % 1_000_000
    guard !isPulsed || passed < 500_000 else { return nil }
    return Elementary.sin(phase) * 1.414_213_562
  }
}

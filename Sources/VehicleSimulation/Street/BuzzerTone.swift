import Quantities

/// What a sensor reads of the buzzer on its own board: a tone far above its own rate, which arrives as any other.
///
/// A buzzer that sets its pitch by itself is not steady: its phase wanders, and with it the tone that is read. The board switches it late,
/// each time by another while, and a sensor with a filter reads it for some milliseconds after that.
struct BuzzerTone: Sendable {
  private let begin: Instant
  private var end: Instant
  private let beat: SoundBeat
  /// How late it is switched at most, µs.
  private let late: Double
  /// When it should be switched next, since the begin, and how late that will be.
  private var due = Interval.zero
  private var delay = Interval.zero
  private let frequency: Double
  /// For how long the sensor reads it after its end, s (a time constant).
  private let decay: Double
  private var phase: Double
  private var isOn = false
  private var loudness = 0.0
  private var random: SeededRandom

  /// By how much the phase wanders in a second, rad (standard deviation).
  private static let wander = 6.0
  /// How strongly each axis is shaken, against the root of the mean square of all.
  static let axes = Vector3(0.9, 0.7, 1.3)

  init(from begin: Instant, to end: Instant, beat: SoundBeat, late: Double, seed: UInt64) {
    self.begin = begin
    self.end = end
    self.beat = beat
    self.late = late * 1e6
    random = SeededRandom(seed: seed, stream: 22)
    frequency = random.uniform(2300, 3100)
    phase = random.uniform(0, 6)
    decay = random.uniform(0.002, 0.008)
    delay = lateness()
  }

  private mutating func lateness() -> Interval {
    Interval(microseconds: Elementary.roundedInteger(random.uniform(0, 1) * late))
  }

  /// It was told to be silent.
  mutating func end(at now: Instant) { end = min(end, now) }

  /// True when nothing more is read of it.
  func isOver(at now: Instant) -> Bool { now >= end + BuzzerTone.afterwards }

  /// How long it may be read after its end: the board is late, and the sensor's filter slow.
  private static let afterwards = Interval.seconds(2)

  /// The tone at an instant, of a mean square of 1 while it is on; nil while it is silent.
  mutating func next(at now: Instant, hertz: Double) -> Double? {
    guard now >= begin, now < end + BuzzerTone.afterwards else { return nil }
    phase += 2 * Double.pi * frequency / hertz + random.gaussian() * BuzzerTone.wander / hertz.squareRoot()
    phase -= 2 * Double.pi * Elementary.floor(phase / (2 * Double.pi))
    while now >= begin + due + delay {
      isOn = beat.isOn(after: due)
      due = beat.nextSwitch(after: due)
      delay = lateness()
    }
    if now >= end + delay { isOn = false }
    loudness = isOn ? 1 : loudness * Elementary.exp(-1 / (hertz * decay))
    guard loudness > 1e-4 else { return nil }
    return loudness * Elementary.sin(phase) * 1.414_213_562
  }
}

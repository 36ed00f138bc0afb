import Quantities

/// The vehicle's own buzzer: when it sounds, and what the detectors make of it.
///
/// What a tone does to the sensor can't be told from what a thief does, so a tone is passed over, and the detectors listen in the silences
/// of its beat, with all that they have. A movement that lasts shows on both sides of a tone: what the windows there agree on is taken to
/// have gone on between them, and nothing else is. Of the tone itself only a turn counts that no buzzer makes.
///
/// - Source: our derivation.
struct OwnSound: BitwiseCopyable {
  private var beat = SoundBeat.steady
  private var begin = Instant.zero
  private var end = Instant.zero
  /// What the gyroscope told in the tones since the last window, rad, body frame; nil when there were none.
  private var turn: Vector3?
  /// What of a turn the estimator may have missed there, rad.
  private var missed: Float = 0
  /// True from the begin of a sound to the first window after its end.
  private(set) var isExpected = false

  /// Longest that is bridged: tones without a window between them. Beyond it, it is a gap.
  static var longest: Interval { .milliseconds(2500) }
  /// What a sign that is first seen after a tone has held in it: less than two windows together need.
  static var leastHeld: Interval { .milliseconds(350) }
  /// Mean rate over a tone from which on it is a turn about whatever axis, rad/s: a hand's, and more than a buzzer's.
  static var leastTurning: Float { 0.25 }

  /// It is about to sound.
  mutating func begin(_ beat: SoundBeat, at now: Instant, for duration: Interval) {
    self.beat = beat
    begin = now
    end = now + duration
    isExpected = true
  }

  /// It was told to be silent.
  mutating func silence(at now: Instant) { end = min(end, now) }

  /// True when a sample may have the tone in it.
  func isHeard(at time: Instant) -> Bool {
    let elapsed = time - begin
    guard time < end + SoundBeat.tail, elapsed > .zero - SoundBeat.lead else { return false }
    return beat.isHeard(after: elapsed)
  }

  /// A tone was passed over.
  mutating func note(_ passed: (turn: Vector3, missed: Float)) {
    turn = (turn ?? .zero) + passed.turn
    missed += passed.missed
  }

  /// Notes in a window that a tone lies between it and the one before.
  ///
  /// - Parameter before: When that ended; nil when there was none.
  mutating func bridge(_ window: inout InertialWindow, after before: Instant?) {
    if let turn, let before, window.start > before, window.start - before <= OwnSound.longest {
      window.begin = before
      window.passedSeconds = (window.start - before).seconds
      window.passedTurn = turn
      window.passedMissed = missed
    }
    (turn, missed) = (nil, 0)
    if window.start >= end + SoundBeat.tail { isExpected = false }
  }
}

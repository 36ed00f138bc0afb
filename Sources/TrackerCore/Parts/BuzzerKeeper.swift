import Quantities

/// What the buzzer is to do, until it is fetched, and until when it sounds.
struct BuzzerKeeper: TrackerPart {
  /// Who wants the sound, or its end.
  enum Source: UInt8, BitwiseCopyable {
    case nobody, alarm, request
    /// Nothing is to sound, which was not fetched yet.
    case hushed
  }

  /// In seconds; 0 for nothing.
  private var seconds: UInt16 = 0
  private var pattern = SoundPattern.steady
  private var source = Source.nobody
  /// Until when it sounds, in tenths of seconds of the tracker's clock.
  private var end: UInt32 = 0

  init() {}

  /// It is to sound from now on; what sounds already and would last longer goes on instead.
  mutating func sound(_ pattern: SoundPattern, _ duration: Interval, for source: Source, at time: Instant) {
    let seconds = UInt16(clamping: max(1, (duration.microseconds + 999_999) / 1_000_000))
    let end = time.tenths &+ 10 * UInt32(seconds)
    guard end >= self.end else { return }
    self.source = source
    self.pattern = pattern
    self.seconds = seconds
    self.end = end
  }

  /// Nothing is to sound any more.
  mutating func hush() {
    seconds = 0
    pattern = .steady
    end = 0
    source = .hushed
  }

  /// True when it was not fetched what it is to do.
  var hasNews: Bool { seconds > 0 || source == .hushed }

  /// True while an alarm sounds.
  func isAlarmSounding(at time: Instant) -> Bool { source == .alarm && time.tenths < end }

  /// What it is to do, once.
  mutating func take() -> (SoundPattern, Interval)? {
    guard hasNews else { return nil }
    defer {
      seconds = 0
      if source == .hushed { source = .nobody }
    }
    return (pattern, .seconds(Int(seconds)))
  }
}

extension Instant {
  /// Tenths of seconds of the tracker's clock: a quarter of the memory.
  var tenths: UInt32 { UInt32(truncatingIfNeeded: max(0, microseconds) / 100_000) }
}

public import Quantities

/// How often an alert that nobody has answered is repeated.
public struct RepetitionPace: Equatable, BitwiseCopyable, Sendable {
  /// Time between two times.
  public var interval: Interval
  /// After how long it is repeated less often; nil for never.
  public var lateAfter: Interval?
  /// Time between two times then.
  public var lateInterval: Interval

  /// Always the same time.
  public init(every interval: Interval) {
    self.interval = interval
    lateInterval = interval
  }

  /// Less often after a while.
  public init(every interval: Interval, until lateAfter: Interval, then lateInterval: Interval) {
    self.interval = interval
    self.lateAfter = lateAfter
    self.lateInterval = lateInterval
  }
}

/// When an alert is repeated, and how often it was: the one part for thefts and for fences.
public struct AlertRepetition: Equatable, BitwiseCopyable, Sendable {
  /// How often it was repeated.
  public private(set) var count: UInt16 = 0
  /// When it is repeated; nil when it is not.
  public private(set) var nextDeadline: Instant?
  private var since = Instant.zero

  /// Nothing is reported.
  public init() {}

  /// An alert is reported, which has been repeated so often before.
  public mutating func begin(at time: Instant, count: UInt16 = 0, _ pace: RepetitionPace) {
    self.count = count
    since = time
    schedule(at: time, pace)
  }

  /// An alert of an earlier life, of which that is known.
  public mutating func remember(count: UInt16) { self.count = count }

  /// It is repeated at once: as soon as time passes, as a deadline that is now would be waited for without end.
  public mutating func hurry(at time: Instant) { nextDeadline = time + Interval(microseconds: 1) }

  /// The pace is another: it counts from when the alert was reported last, and may be over.
  public mutating func configure(from old: RepetitionPace, to new: RepetitionPace) {
    guard new != old, let due = nextDeadline else { return }
    let told = due - (isLate(at: due - old.lateInterval, old) ? old.lateInterval : old.interval)
    schedule(at: max(told, since), new)
  }

  /// It is no longer repeated.
  public mutating func end() { nextDeadline = nil }

  /// Lets time pass.
  ///
  /// - Parameter isHeard: False while the last time still waits for who is to hear it: there is nothing to repeat then.
  /// - Returns: True when it is repeated, with `count`.
  public mutating func advance(to time: Instant, isHeard: Bool = true, _ pace: RepetitionPace) -> Bool {
    guard let due = nextDeadline, due <= time else { return false }
    schedule(at: time, pace)
    guard isHeard else { return false }
    if count < .max { count += 1 }
    return true
  }

  private mutating func schedule(at time: Instant, _ pace: RepetitionPace) {
    nextDeadline = time + (isLate(at: time, pace) ? pace.lateInterval : pace.interval)
  }

  private func isLate(at time: Instant, _ pace: RepetitionPace) -> Bool {
    pace.lateAfter.map { time - since >= $0 } ?? false
  }
}

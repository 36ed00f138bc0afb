import Quantities

/// A part that sleeps until it is moved: its accelerometer alone, at a low rate, into a FIFO, and a comparison of each axis with what it
/// was.
///
/// The reference is a mean of the last second before it fell asleep, which a driver writes into the part; so it notices a tilt that
/// comes slowly, too.
///
/// - Source: [adxl345] sections "activity", "AC-coupled" and "link": a reference is taken when it begins to watch for activity, and
///   inactivity lets it sleep again; [lsm6dso] AN5192 5.4 to 5.6: wake-up against a user offset, FIFO in continuous mode.
package struct WakeEngine: Sendable {
  /// How it sleeps.
  package struct Settings: Equatable, Sendable {
    /// Readings a second while it sleeps.
    package var hertz = 12.5
    /// Change of an axis that wakes, m/s².
    package var threshold: Float
    /// How much of the time before the wake is handed over.
    package var history = Interval.seconds(2)
    /// After so long without a change it sleeps again by itself.
    package var hold = Interval.seconds(20)

    /// Settings with the usual rate and times.
    package init(threshold: Float) { self.threshold = threshold }
  }

  /// What becomes of a reading.
  package enum Outcome: Equatable, Sendable {
    /// Nobody gets it.
    case kept
    /// It goes on.
    case live(InertialSample)
    /// It has woken the part: these go on, the oldest first, and it is the last of them.
    case woken([InertialSample])
  }

  private enum State: Sendable {
    case awake
    case asleep
    /// Woken by itself, with the last change.
    case woken(Instant)
  }

  /// Times that it has woken by itself.
  package private(set) var wakeCount = 0
  private var settings = Settings(threshold: 0)
  private var state = State.awake
  /// The accelerometer's readings at the low rate, the newest last.
  private var fifo: [InertialSample] = []
  private var nextReading = Instant.zero
  private var reference: Vector3?
  /// When it woke: its gyroscope needs a moment to start.
  private var wokeAt: Instant?

  /// Readings that are averaged for a reference: about a second.
  private static var referenceCount: Int { 12 }
  /// Readings that a FIFO holds: the smallest of the parts.
  private static var capacity: Int { 32 }
  /// How long a gyroscope takes to start: [bmi270] 45 ms, [lsm6dso] 35 ms, [mpu6050-ps] 30 ms.
  private static var gyroscopeStart: Interval { .milliseconds(50) }

  /// One that is awake.
  package init() {}

  /// True while it hands nothing on.
  package var isAsleep: Bool { if case .asleep = state { true } else { false } }

  /// It sleeps from now on, until it is moved.
  package mutating func watch(_ settings: Settings) {
    self.settings = settings
    fallAsleep()
  }

  /// It hands on everything from now on.
  package mutating func stayAwake() { state = .awake }

  // MARK: Time that is passed over

  /// What it compares with while it sleeps, and by how much that must differ; nil while it is awake, or has no reference yet.
  package var watched: (reference: Vector3, threshold: Float)? {
    guard isAsleep, let reference else { return nil }
    return (reference, settings.threshold)
  }

  /// How often it looks.
  package var hertz: Double { settings.hertz }

  private var period: Interval { Interval(microseconds: Int64(1e6 / settings.hertz)) }

  /// From when on a reading is the next but so many that it looks at.
  package func due(after count: Int) -> Instant {
    nextReading + Interval(microseconds: period.microseconds * Int64(count) - period.microseconds / 8)
  }

  /// Passes over readings up to the last of them: the FIFO will not hold them any more.
  mutating func pass(over last: Instant) {
    let behind = (last - nextReading).microseconds + period.microseconds / 8
    guard behind >= 0 else { return }
    let periods = behind / period.microseconds + 1
    nextReading = nextReading + Interval(microseconds: period.microseconds * periods)
  }

  /// Puts a reading that can't wake it into the FIFO.
  mutating func rest(_ sample: InertialSample) { _ = keep(sample) }

  private mutating func fallAsleep() {
    state = .asleep
    reference = mean
    // What the FIFO holds was handed on.
    fifo.removeAll(keepingCapacity: true)
  }

  /// Takes a reading, at the rate at which it is asked when it is awake.
  package mutating func take(_ sample: InertialSample) -> Outcome {
    let isKept = keep(sample)
    switch state {
    case .awake: return .live(started(sample))
    case .asleep:
      guard isKept, let force = sample.specificForce else { return .kept }
      guard let reference else {
        if fifo.count >= WakeEngine.referenceCount { self.reference = mean }
        return .kept
      }
      guard differs(force, from: reference) else { return .kept }
      wakeCount += 1
      wokeAt = sample.time
      state = .woken(sample.time)
      let history = fifo.filter { $0.time > sample.time - settings.history && $0.time <= sample.time }
      return .woken(history)
    case .woken(let last):
      if isKept, let force = sample.specificForce {
        let mean = mean ?? force
        if differs(force, from: mean) {
          state = .woken(sample.time)
        } else if sample.time - last > settings.hold {
          fallAsleep()
        }
      }
      return .live(started(sample))
    }
  }

  /// Puts a reading into the FIFO, if it is one of the low rate.
  private mutating func keep(_ sample: InertialSample) -> Bool {
    // A clock that has gone back begins anew.
    if sample.time + .seconds(1) < nextReading { nextReading = sample.time }
    // A part that gives no more than that gives all.
    guard sample.time + Interval(microseconds: period.microseconds / 8) >= nextReading else { return false }
    nextReading = max(nextReading + period, sample.time + Interval(microseconds: period.microseconds / 2))
    guard sample.specificForce != nil else { return false }
    if fifo.count == WakeEngine.capacity { fifo.removeFirst() }
    fifo.append(InertialSample(time: sample.time, specificForce: sample.specificForce))
    return true
  }

  /// Without its gyroscope while that starts.
  private func started(_ sample: InertialSample) -> InertialSample {
    guard let wokeAt, sample.time - wokeAt < WakeEngine.gyroscopeStart else { return sample }
    var result = sample
    result.angularRate = nil
    return result
  }

  private func differs(_ force: Vector3, from reference: Vector3) -> Bool {
    let change = force - reference
    return max(change.x.magnitude, change.y.magnitude, change.z.magnitude) > settings.threshold
  }

  private var mean: Vector3? {
    var sum = Vector3.zero
    var count: Float = 0
    for sample in fifo.suffix(WakeEngine.referenceCount) {
      guard let force = sample.specificForce, force.squaredLength.isFinite else { continue }
      sum += force
      count += 1
    }
    return count > 0 ? sum * (1 / count) : nil
  }
}

import LinuxDevices
import Quantities

/// How a sensor stands, for the owner.
package enum SensorState: Equatable, Sendable {
  /// It was not started yet.
  case idle
  /// It works, or has just been started.
  case running
  /// It is stopped for as long as the tracker does not need it.
  case asleep
  /// It does not work, with one line for people; it is started again at `retryAt`.
  case failed(reason: String, retryAt: Instant)

  /// The state in a word, as status and page show it.
  package var word: String {
    switch self {
    case .idle: "idle"
    case .running: "running"
    case .asleep: "asleep"
    case .failed: "failed"
    }
  }

  /// Why it does not work, and when it is tried again; nil when it works.
  package var failure: (reason: String, retryAt: Instant)? {
    guard case .failed(let reason, let retryAt) = self else { return nil }
    return (reason, retryAt)
  }
}

/// Starts a sensor, watches it, and starts it again with growing pauses when it fails or falls silent.
package final class SupervisedSensor: LoopMember {
  /// The sensor.
  package let source: any SensorSource
  /// How it stands.
  package private(set) var state = SensorState.idle
  /// When its last input came; nil before the first.
  package private(set) var lastInput: Instant?
  /// Inputs so far.
  package private(set) var inputCount = 0
  /// Failures so far.
  package private(set) var failureCount = 0
  /// Takes the inputs.
  package var sink: (SensorInput) -> Void
  private weak var loop: EventLoop?
  /// The loop's; nil before the first start.
  private var clock: (any LoopClock)?
  private var startedAt: Instant?
  private var meter = RateMeter()
  private var pause = SupervisedSensor.shortestPause

  /// The first pause before a sensor is started again.
  package static var shortestPause: Interval { .seconds(1) }
  /// The longest.
  package static var longestPause: Interval { .seconds(60) }

  /// A sensor that is to be started; its inputs go to `sink`.
  package init(_ source: any SensorSource, sink: @escaping (SensorInput) -> Void = { _ in }) {
    self.source = source
    self.sink = sink
    source.sink = { [weak self] input in
      guard let self else { return }
      self.inputCount += 1
      if let clock = self.clock { self.lastInput = clock.now }
      self.pause = SupervisedSensor.shortestPause
      self.sink(input)
    }
  }

  /// Inputs per second over the last seconds; nil in the first ones. Ask now and then: the seconds are those between two
  /// questions, two at least.
  package func hertz(at now: Instant) -> Double? {
    meter.look(at: inputCount, now: now)
    return meter.hertz
  }

  /// Joins the loop and starts the sensor.
  package func start(in loop: EventLoop, at now: Instant) {
    self.loop = loop
    clock = loop.clock
    loop.add(self)
    begin(at: now)
  }

  /// Stops the sensor and leaves the loop.
  package func stop() {
    source.stop()
    loop?.remove(self)
    state = .idle
  }

  /// Lets it sleep, or work again; nothing for one that was not started.
  package func sleep(_ wanted: Bool, at now: Instant) {
    switch (state, wanted) {
    case (.running, true), (.failed, true):
      source.stop()
      state = .asleep
    case (.asleep, false):
      // The pause between two attempts belongs to its failures.
      pause = SupervisedSensor.shortestPause
      begin(at: now)
    default: break
    }
  }

  /// No descriptors of its own.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  /// When it looks at the sensor next.
  package var nextDeadline: Instant? {
    switch state {
    case .idle, .asleep: return nil
    case .failed(_, let retryAt): return retryAt
    case .running:
      guard let patience = source.patience, let start = startedAt else { return nil }
      return max(start, lastInput ?? start) + patience
    }
  }

  /// Starts again what has failed, and what has been silent for too long.
  package func advance(to now: Instant) {
    switch state {
    case .idle, .asleep: break
    case .failed(_, let retryAt): if now >= retryAt { begin(at: now) }
    case .running:
      if let failure = source.failure {
        fail(failure.message, at: now)
      } else if let due = nextDeadline, now >= due, let patience = source.patience {
        source.stop()
        fail("\(source.name): nothing came for \(patience.microseconds / 1_000_000) s", at: now)
      }
    }
  }

  /// Looks whether the sensor has failed; call it after each turn of the loop.
  package func check(at now: Instant) { if source.failure != nil, state == .running { advance(to: now) } }

  private func begin(at now: Instant) {
    guard let loop else { return }
    do throws(DeviceFailure) {
      try source.start(in: loop, at: now)
      startedAt = now
      state = .running
    } catch {
      fail(error.message, at: now)
    }
  }

  private func fail(_ reason: String, at now: Instant) {
    failureCount += 1
    state = .failed(reason: reason, retryAt: now + pause)
    pause = min(SupervisedSensor.longestPause, pause + pause)
  }
}

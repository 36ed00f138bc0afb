import MotionDetection
import Quantities
import TestSupport

/// A monitor with a simulated sensor and receiver, and every event it has given.
struct Scene {
  private var held: CopyableMonitor
  var sensor: SimulatedSensor
  private(set) var events: [StampedMotionEvent] = []
  /// Metres from the place where it all begins, north and east.
  var north = 0.0
  var east = 0.0
  /// What time it is for the receiver.
  var clock: Instant = .zero

  var monitor: MotionMonitor {
    _read { yield held.value }
    _modify { yield &held.value }
  }

  init(
    hertz: Int = 25, seed: UInt64 = 1, alertsEnabled: Bool = true, change: (inout MotionParameters) -> Void = { _ in }
  ) {
    var parameters = MotionParameters()
    change(&parameters)
    held = CopyableMonitor(MotionMonitor(parameters: parameters, alertsEnabled: alertsEnabled))
    sensor = SimulatedSensor(hertz: hertz, seed: seed)
  }

  mutating func collect() {
    while let event = monitor.nextEvent() { events.append(event) }
  }

  /// The events since the last call.
  mutating func news() -> [StampedMotionEvent] {
    collect()
    defer { events = [] }
    return events
  }

  // MARK: Inertial sensor

  mutating func move(
    seconds: Double, rate: Vector3 = .zero, acceleration: (Int) -> Vector3 = { _ in .zero }
  ) {
    for step in 0..<Int((seconds * Double(sensor.hertz)).rounded()) {
      monitor.process(sensor.next(rate: rate, acceleration: acceleration(step)))
      collect()
    }
    clock = max(clock, sensor.time)
  }

  mutating func still(seconds: Double) { move(seconds: seconds) }

  /// Shakes as a road does.
  mutating func shake(seconds: Double, by strength: Float = 3) {
    var random = SeededRandom(seed: 77)
    move(seconds: seconds) { _ in random.vector(deviation: strength) }
  }

  /// As a hand that lifts and turns.
  mutating func handle(seconds: Double) {
    move(seconds: seconds) { $0 % 4 < 2 ? Vector3(2.4, 1.5, 0) : Vector3(-2.4, -1.5, 0) }
  }

  // MARK: Receiver

  mutating func fix(speed: Double? = nil, accuracy: Double? = 5) {
    monitor.process(makeFix(at: clock, north: north, east: east, speed: speed, accuracy: accuracy))
    collect()
  }

  /// Fixes at one place.
  mutating func stand(seconds: Int, every interval: Interval = .seconds(1), speed: Double? = 0) {
    let end = clock + .seconds(seconds)
    while clock < end {
      clock = clock + interval
      fix(speed: speed)
    }
  }

  /// Fixes once a second along a line to the north.
  mutating func ride(seconds: Int, speed: Double = 5, says: Double?? = nil) {
    for _ in 0..<seconds {
      clock = clock + .seconds(1)
      north += speed
      fix(speed: says ?? speed)
    }
  }

  mutating func wait(until time: Instant) {
    clock = max(clock, time)
    monitor.advance(to: time)
    collect()
  }

  /// Parked and armed by fixes alone; the events of it forgotten.
  mutating func park() {
    stand(seconds: 310)
    _ = news()
  }

  /// Parked and armed by the sensor alone.
  mutating func parkByInertia() {
    still(seconds: 310)
    _ = news()
  }
}

/// A fix at a distance from 52° north, 4° east.
func makeFix(
  at time: Instant, north: Double, east: Double, speed: Double? = nil, accuracy: Double? = 5
) -> GNSSFix {
  var fix = GNSSFix(time: time)
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(
    latitudeDegrees: 52 + north / 111_267, longitudeDegrees: 4 + east / 68_678)
  fix.speed = speed
  fix.horizontalAccuracy = accuracy
  return fix
}

extension [StampedMotionEvent] {
  var movements: [MovementEvidence] {
    compactMap { if case .movement(let evidence) = $0.event { evidence } else { nil } }
  }
  var suspicions: [MovementEvidence] {
    compactMap { if case .suspicious(let evidence) = $0.event { evidence } else { nil } }
  }
  var rideStarts: [Instant] { compactMap { if case .rideStarted(let onset) = $0.event { onset } else { nil } } }
  var thefts: [Instant] { compactMap { if case .stolen(let since) = $0.event { since } else { nil } } }
  var quiets: Int { count { if case .quiet = $0.event { true } else { false } } }
  var standings: [(since: Instant, cause: StandingCause)] {
    compactMap { if case .standing(let since, let cause) = $0.event { (since, cause) } else { nil } }
  }
  var resumptions: [(onset: Instant, since: Instant)] {
    compactMap { if case .resumed(let onset, let since) = $0.event { (onset, since) } else { nil } }
  }
  func contains(_ event: MotionEvent) -> Bool { contains { $0.event == event } }
  var parkings: [(time: Instant, lastMotion: Instant, start: Instant?, end: Instant?)] {
    compactMap {
      if case .parked(let last, let start, let end) = $0.event { ($0.time, last, start, end) } else { nil }
    }
  }
}

import InlineStorage
import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// A tracker with everything it said, run as its documentation asks.
struct Owner: ~Copyable {
  struct Sent {
    var sequence: UInt32
    var kind: PacketKind
    var json: String
    var time: Instant
  }

  var tracker: Tracker
  private(set) var events: [TrackerEvent] = []
  private(set) var sent: [Sent] = []
  private(set) var persistCount = 0
  /// What was kept last.
  var kept: [UInt8] = []
  /// Whether the server answers at once.
  var acknowledges = true
  var north = 0.0
  var clock: Instant = .zero
  var sensor: SimulatedSensor

  init(hertz: Int = 25, seed: UInt64 = 1, change: (inout TrackerConfiguration) -> Void = { _ in }) {
    var configuration = TrackerConfiguration()
    change(&configuration)
    tracker = Tracker(configuration: configuration, seed: seed)
    sensor = SimulatedSensor(hertz: hertz, seed: seed)
  }

  /// Loses the tracker, as power does, and starts another from what was kept; the clock begins anew.
  mutating func restart(seed: UInt64 = 2, hertz: Int = 25) {
    let configuration = tracker.configuration
    tracker = Tracker(configuration: configuration, seed: seed)
    sensor = SimulatedSensor(hertz: hertz, seed: seed)
    clock = .zero
    let state = kept
    if !state.isEmpty {
      let isRestored = tracker.restore(state.span, at: .zero)
      #expect(isRestored)
    }
    drain()
  }

  mutating func drain() {
    var rounds = 0
    while let action = tracker.nextAction() {
      rounds += 1
      if rounds > 1000 {
        Issue.record("actions without end")
        return
      }
      switch action {
      case .persist:
        persistCount += 1
        var state = GrowingBytes()
        tracker.encodeState(into: &state)
        for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &state) }
        kept = state.bytes
      case .event(let event): events.append(event)
      case .transmit(let sequence, let kind):
        var bytes = GrowingBytes()
        tracker.drainOutput(for: .uplink, into: &bytes)
        sent.append(
          Sent(sequence: sequence, kind: kind, json: String(decoding: bytes.bytes, as: UTF8.self), time: tracker.now))
        if acknowledges { tracker.acknowledge(sequence, at: tracker.now) }
      }
    }
  }

  /// Lets everything happen that is due by a time.
  mutating func wait(until time: Instant) {
    var rounds = 0
    while let deadline = tracker.nextDeadline, deadline <= time {
      rounds += 1
      if rounds > 100_000 {
        Issue.record("deadlines without end")
        return
      }
      tracker.advance(to: deadline)
      drain()
    }
    tracker.advance(to: time)
    drain()
    clock = max(clock, time)
  }

  mutating func submit(_ command: Command) {
    tracker.submit(command, at: clock)
    drain()
  }

  mutating func fix(speed: Double? = nil, course: Double? = nil, accuracy: Double? = 5, utc: UTCTime? = nil) {
    var fix = GNSSFix(time: clock)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_267, longitudeDegrees: 4)
    fix.speed = speed
    fix.course = course
    fix.horizontalAccuracy = accuracy
    fix.utc = utc
    tracker.process(fix)
    drain()
  }

  mutating func stand(seconds: Int, every step: Int = 1) {
    for _ in 0..<seconds / step {
      wait(until: clock + .seconds(step))
      fix(speed: 0)
    }
  }

  mutating func ride(seconds: Int, speed: Double = 5, course: Double? = 0) {
    for _ in 0..<seconds {
      wait(until: clock + .seconds(1))
      north += speed
      fix(speed: speed, course: course)
    }
  }

  mutating func move(seconds: Double, acceleration: (Int) -> Vector3 = { _ in .zero }) {
    if sensor.time < clock { sensor.pause((clock - sensor.time).secondsDouble) }
    for step in 0..<Int(seconds * Double(sensor.hertz)) {
      tracker.process(sensor.next(acceleration: acceleration(step)))
      drain()
    }
    clock = max(clock, sensor.time)
  }

  mutating func handle(seconds: Double = 3) {
    move(seconds: seconds) { $0 % 4 < 2 ? Vector3(0.8, 0.5, 0) : Vector3(-0.8, -0.5, 0) }
  }

  /// Packets since the last call.
  mutating func news(_ kind: PacketKind? = nil) -> [Sent] {
    defer {
      sent = []
      events = []
    }
    return sent.filter { kind == nil || $0.kind == kind }
  }
}

/// The text of a value in a packet's JSON, as it was printed.
func field(_ key: String, _ json: String?) -> String? {
  guard let json, let start = json.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
  return String(json[start...].prefix { $0 != "," && $0 != "}" })
}

extension String {
  func firstRange(of other: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}

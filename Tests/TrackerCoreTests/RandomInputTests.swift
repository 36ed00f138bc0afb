import InlineStorage
import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// Inputs of every kind from a seed, sensible ones and others.
private struct RandomWorld {
  var random: SeededRandom
  var time: Int64 = 0
  let isHostile: Bool

  mutating func pick<T>(_ values: [T], _ other: T) -> T { values.randomElement(using: &random) ?? other }

  mutating func instant() -> Instant {
    if isHostile, random.oneIn(200) {
      let limit: Int64 = 1 << 62
      let extremes: [Int64] = [.min, .max, .min + 1, .max - 1, -1, 0, limit / 2, limit + 1, -limit]
      return Instant(microseconds: pick(extremes, 0))
    }
    if random.oneIn(300) { time += Int64.random(in: 0..<4_000_000_000, using: &random) }
    time += pick([0, 1, 10_000, 10_000, 20_000, 250_000, 1_000_000], 0)
    if random.oneIn(50) { return Instant(microseconds: time - 5_000_000) }
    return Instant(microseconds: time)
  }

  mutating func number(_ scale: Double) -> Double {
    if isHostile, random.oneIn(25) {
      return pick([.nan, .infinity, -.infinity, 1e308, -1e308, 1e18, -1e-300, -5, 0], 0)
    }
    return random.normal() * scale
  }

  mutating func vector(_ scale: Double) -> Vector3 {
    Vector3(Float(number(scale)), Float(number(scale)), Float(number(scale)))
  }

  mutating func fix() -> GNSSFix {
    var fix = GNSSFix(time: instant())
    fix.mode = pick([.unknown, .none, .twoDimensional, .threeDimensional, .threeDimensional], .unknown)
    if isHostile, random.oneIn(40) {
      fix.position = GeodeticPosition(
        latitudeE9: pick([-90_000_000_000, 0, 90_000_000_000], 0),
        longitudeE9: pick([-180_000_000_000, 0, 180_000_000_000], 0))
    } else if !random.oneIn(20) {
      fix.position = GeodeticPosition(
        latitudeDegrees: 52 + random.normal() * 0.0005, longitudeDegrees: 4 + random.normal() * 0.0005)
    }
    if random.oneIn(2) { fix.speed = number(4) }
    if random.oneIn(2) { fix.course = number(3) }
    if random.oneIn(2) { fix.horizontalAccuracy = number(10) }
    if random.oneIn(2) { fix.heightAboveSeaLevel = number(100) }
    if random.oneIn(9) {
      fix.utc = UTCTime(
        microseconds: isHostile ? Int64(truncatingIfNeeded: random.next()) : 1_795_000_000_000_000 + time)
    }
    return fix
  }

  mutating func bytes() -> [UInt8] {
    let sentences = [
      "$GPGGA,101500,5321.0000,N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,*6B\r\n",
      "$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*5B\r\n", "$GPRMC,,V,,,,,,,,,,N*53\r\n",
      "$$$*\r\n",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += Array(pick(sentences, "").utf8) }
    if random.oneIn(2) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
    }
    return Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
  }
}

private struct Outcome: Equatable {
  var hash: UInt64 = 14_695_981_039_346_656_037
  var movements = 0
  var alerts: Set<UInt32> = []
  var transmissions = 0

  mutating func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
  mutating func mix(_ value: UInt64) {
    for shift in 0..<8 { mix(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) }
  }
}

/// Runs random inputs through a tracker and checks what must always hold.
private func run(seed: UInt64, count: Int, isHostile: Bool) -> Outcome {
  var world = RandomWorld(random: SeededRandom(seed: seed), isHostile: isHostile)
  var tracker = Tracker()
  var outcome = Outcome()
  var waiting: [UInt32] = []
  func drain(_ tracker: inout Tracker) {
    var rounds = 0
    while let action = tracker.nextAction() {
      rounds += 1
      guard rounds < 200 else {
        Issue.record("seed \(seed): actions without end at \(tracker.now.microseconds)")
        return
      }
      switch action {
      case .persist, .spool, .recall, .sound, .sense, .restart: break
      case .event(let event):
        if case .motion(.movement) = event.kind { outcome.movements += 1 }
        var text = InlineBytes<1024>()
        event.encodeJSON(into: &text)
        #expect(!text.isTruncated)
        for place in 0..<text.count { outcome.mix(text[place]) }
      case .transmit(let sequence, let kind):
        outcome.transmissions += 1
        outcome.mix(UInt64(sequence))
        if kind == .movement { outcome.alerts.insert(sequence) }
        waiting.append(sequence)
        var packet = GrowingBytes()
        tracker.drainOutput(for: .uplink, into: &packet)
        for byte in packet.bytes { outcome.mix(byte) }
      }
    }
  }
  for step in 0..<count {
    switch Int.random(in: 0..<100, using: &world.random) {
    case 0..<70:
      let scale = step / 500 % 3 == 0 ? 2.0 : 0.002
      tracker.process(
        InertialSample(
          time: world.instant(), angularRate: world.random.oneIn(20) ? nil : world.vector(scale),
          specificForce: world.random.oneIn(20) ? nil : Vector3(0, 0, 9.8) + world.vector(scale * 3)))
    case 70..<82: tracker.process(world.fix())
    case 82..<88:
      tracker.receive(world.bytes().span, from: world.random.oneIn(9) ? .uplink : .gnss, at: world.instant())
    case 88..<92: tracker.advance(to: world.instant())
    case 92..<94:
      let seconds = Interval(microseconds: world.isHostile ? Int64(truncatingIfNeeded: world.random.next()) : 5_000_000)
      let request: Request = world.pick(
        [
          .setAlerts(enabled: true), .setAlerts(enabled: true), .setAlerts(enabled: false), .locate,
          .dismiss(alert: UInt32(outcome.movements)), .track(interval: seconds, duration: seconds),
        ], .locate)
      tracker.submit(request, at: world.instant())
    default:
      if let sequence = waiting.popLast() { tracker.acknowledge(sequence, at: world.instant()) }
    }
    drain(&tracker)
    if let deadline = tracker.nextDeadline, deadline <= tracker.now {
      Issue.record("seed \(seed), step \(step): deadline \(deadline.microseconds) at \(tracker.now.microseconds)")
      return outcome
    }
    if world.random.oneIn(400) {
      // Everything due in the next half hour.
      let limit = Instant(microseconds: min(tracker.now.microseconds, 1 << 61) + 1_800_000_000)
      while let deadline = tracker.nextDeadline, deadline <= limit {
        tracker.advance(to: deadline)
        drain(&tracker)
        guard tracker.nextDeadline.map({ $0 > deadline }) ?? true else {
          Issue.record("seed \(seed), step \(step): no progress beyond \(deadline.microseconds)")
          return outcome
        }
      }
      world.time = max(world.time, min(limit.microseconds, 1 << 60))
    }
  }
  // The server answers: everything that waits is delivered.
  for _ in 0..<200 where tracker.outbox.count > 0 {
    tracker.acknowledge(tracker.outbox.name(at: 0).sequence, at: tracker.now)
    drain(&tracker)
  }
  #expect(tracker.outbox.count == 0, "seed \(seed): the outbox never empties")
  let refused = tracker.diagnostics.packetsRefused
  #expect(outcome.alerts.count + Int(refused) >= outcome.movements, "seed \(seed): a movement without its packet")
  return outcome
}

@Test(arguments: 1...10) func hostileInputsNeverTrapOrHang(seed: Int) {
  _ = run(seed: UInt64(seed), count: 20_000, isHostile: true)
}

@Test func sensibleInputsAlarmAndEveryAlarmIsDelivered() {
  var movements = 0
  for seed in 1...5 { movements += run(seed: UInt64(seed), count: 10_000, isHostile: false).movements }
  #expect(movements > 0)
}

@Test func theSameInputsGiveTheSameBytes() {
  for seed in 20...23 {
    let first = run(seed: UInt64(seed), count: 5000, isHostile: seed % 2 == 0)
    #expect(first == run(seed: UInt64(seed), count: 5000, isHostile: seed % 2 == 0))
    #expect(first.transmissions > 0)
  }
}

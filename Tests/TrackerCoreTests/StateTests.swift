import InlineStorage
import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// States with every field different from its neighbours and from its default.
private func samples() -> [KeptFields] {
  var full = KeptFields()
  full.nextSequence = 0x0102_0304
  full.lastAlert = 0x1112_1314
  full.firstAlert = 0x0912_1310
  full.isAlarmOver = 1
  (full.distance, full.rideStart, full.alarmStart, full.lastRide) = (54_321.125, 40_000.5, 39_000.25, 1234.75)
  full.phase = 3
  full.alertsEnabled = 0
  full.up = [0.1, -0.2, 0.97]
  full.place = KeptFields.Place(latitudeE9: 52_000_000_001, longitudeE9: -4_000_000_002, accuracy: 3.5)
  (full.turningNoise, full.vibrationNoise) = (0.0021, 0.031)
  full.meterPlace = KeptFields.Place(latitudeE9: -33_000_000_003, longitudeE9: 151_000_000_004, accuracy: 0)
  full.lastPlace = KeptFields.Place(latitudeE9: 1_000_000_005, longitudeE9: 2_000_000_006, accuracy: 7.25)
  full.parkingPlace = KeptFields.Place(latitudeE9: 3_000_000_007, longitudeE9: -180_000_000_000, accuracy: -1)
  var result = [full, KeptFields()]
  var riding = full
  riding.phase = 1
  (riding.rideAge, riding.rideIdle) = (3_600_000_001, 12_000_003)
  (riding.up, riding.turningNoise, riding.vibrationNoise) = (nil, nil, nil)
  result.append(riding)
  for phase in UInt8(0)...5 {
    var other = full
    other.phase = phase
    other.isAlarmOver = phase % 2
    other.alertsEnabled = 1
    other.parkingPlace = nil
    other.place = nil
    other.up = nil
    result.append(other)
    other.vibrationNoise = nil
    other.lastPlace = nil
    other.meterPlace = nil
    result.append(other)
  }
  return result
}

/// What a tracker keeps right after it was restored; nil when it refused.
private func kept(after bytes: [UInt8], at time: Instant = .seconds(5)) -> KeptFields? {
  var tracker = Tracker()
  guard tracker.restore(bytes.span, at: time) else {
    #expect(tracker.outbox.count == 0 && tracker.monitor.phase == .starting && tracker.nextDeadline == nil)
    #expect(tracker.distance == 0 && tracker.lastFix == nil && tracker.lastAlert == 0 && tracker.nextAction() == nil)
    return nil
  }
  var state = GrowingBytes()
  tracker.encodeState(into: &state)
  for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &state) }
  // Whatever it was, it lives on.
  while tracker.nextAction() != nil {}
  tracker.advance(to: time + .seconds(100_000))
  while tracker.nextAction() != nil {}
  return KeptFields(state.bytes)
}

@Test func everyFieldOfAStateIsKeptAndRestored() {
  for fields in samples() {
    let again = kept(after: fields.bytes)
    #expect(again == fields.asRestored, "\(fields) became \(String(describing: again))")
    #expect(KeptFields(fields.bytes) == fields)
  }
}

@Test func whatARestoredTrackerShowsIsWhatWasKept() {
  let fields = samples()[0]
  var tracker = Tracker()
  let isRestored = tracker.restore(fields.bytes.span, at: .seconds(500))
  #expect(isRestored)
  #expect(tracker.distance == 54_321.125 && tracker.lastRideDistance == 1234.75 && tracker.lastAlert == 0x1112_1314)
  #expect(tracker.outbox.nextSequence == 0x0102_0304 && tracker.outbox.count == 0)
  #expect(tracker.monitor.phase == .parked && !tracker.monitor.isArmed && !tracker.monitor.alertsEnabled)
  #expect(tracker.now == .seconds(500))
  #expect(tracker.lastFix?.position?.latitudeE9 == 1_000_000_005 && tracker.lastFix?.horizontalAccuracy == 7.25)
  // Older than what is fresh by a second.
  #expect(tracker.lastFix?.time == .seconds(439))
  // An hour after the restart it shows that it lives.
  #expect(tracker.nextDeadline == .seconds(4100))
  let isRestoredAgain = tracker.restore(fields.bytes.span, at: .seconds(501))
  #expect(!isRestoredAgain)
}

@Test func eachDamagedByteOfAStateIsRefusedOrReadAsWhatItSays() {
  for fields in [samples()[0], samples()[2]] {
    let bytes = fields.bytes
    var refused = 0
    for place in bytes.indices {
      for damage in [bytes[place] ^ 1, bytes[place] ^ 0x80, 0, 0xFF, bytes[place] &+ 1] where damage != bytes[place] {
        var damaged = bytes
        damaged[place] = damage
        guard let again = kept(after: damaged) else {
          refused += 1
          continue
        }
        // Nothing else than the field that holds the byte is another one.
        #expect(again == KeptFields(damaged)?.asRestored, "byte \(place) as \(damage)")
      }
    }
    #expect(refused > 20)
    for length in bytes.indices { #expect(kept(after: Array(bytes[..<length])) == nil, "cut to \(length)") }
    for more in [[0], [1], [1, 2, 3]] as [[UInt8]] { #expect(kept(after: bytes + more) == nil, "\(more) behind it") }
  }
}

@Test func whatCannotBeIsNoState() {
  func isRefused(_ change: (inout KeptFields) -> Void) -> Bool {
    var fields = samples()[2]
    change(&fields)
    return kept(after: fields.bytes) == nil
  }
  #expect(!isRefused { _ in })
  #expect(isRefused { $0.isAlarmOver = 2 })
  #expect(isRefused { $0.alertsEnabled = 2 })
  #expect(!isRefused { $0.phase = 5 })
  #expect(isRefused { $0.phase = 6 })
  for value in [-0.001, -1, .infinity, -.infinity, .nan] as [Double] {
    #expect(isRefused { $0.distance = value })
    #expect(isRefused { $0.rideStart = value })
    #expect(isRefused { $0.alarmStart = value })
    #expect(isRefused { $0.lastRide = value })
    #expect(isRefused { $0.turningNoise = Float(value) })
    #expect(isRefused { $0.vibrationNoise = Float(value) })
  }
  for value in [Float.infinity, -.infinity, .nan] {
    #expect(isRefused { $0.up = [value, 0, 1] })
    #expect(isRefused { $0.up = [0, value, 1] })
    #expect(isRefused { $0.up = [0, 0, value] })
    #expect(isRefused { $0.place?.accuracy = value })
    #expect(isRefused { $0.lastPlace?.accuracy = value })
    #expect(isRefused { $0.parkingPlace?.accuracy = value })
  }
  // A century is more than any ride.
  let longest: Int64 = (1 << 52) - 1
  for (age, isWrong) in [(0, false), (longest, false), (longest + 1, true), (-1, true), (.min, true), (.max, true)] {
    #expect(isRefused { $0.rideAge = age } == isWrong, "\(age) µs")
    #expect(isRefused { $0.rideIdle = age } == isWrong, "\(age) µs")
  }
  for (latitude, longitude, isWrong) in [
    (90_000_000_000, 180_000_000_000, false), (-90_000_000_000, -180_000_000_000, false), (90_000_000_001, 0, true),
    (-90_000_000_001, 0, true), (0, 180_000_000_001, true), (0, -180_000_000_001, true),
  ] as [(Int64, Int64, Bool)] {
    let place = KeptFields.Place(latitudeE9: latitude, longitudeE9: longitude, accuracy: 1)
    #expect(isRefused { $0.place = place } == isWrong)
    #expect(isRefused { $0.meterPlace = place } == isWrong)
    #expect(isRefused { $0.lastPlace = place } == isWrong)
    #expect(isRefused { $0.parkingPlace = place } == isWrong)
  }
  for version in [0, 2, 255] as [UInt8] {
    var bytes = samples()[0].bytes
    bytes[0] = version
    #expect(kept(after: bytes) == nil, "version \(version)")
  }
}

@Test func aLifeWhoseStateIsLostGoesOnNumbering() {
  var state = GrowingBytes()
  Tracker.encodeNumbering(nextSequence: 700, lastAlert: 31, into: &state)
  var expected = KeptFields()
  (expected.nextSequence, expected.lastAlert, expected.firstAlert) = (700, 31, 31)
  #expect(KeptFields(state.bytes) == expected)
  var owner = Owner(hertz: 50)
  owner.restart(from: state.bytes, nil, hertz: 50)
  #expect(owner.tracker.monitor.phase == .settling && owner.tracker.monitor.alertsEnabled)
  #expect(owner.tracker.lastFix == nil && owner.tracker.distance == 0 && owner.tracker.outbox.nextSequence == 700)
  #expect(owner.tracker.lastAlert == 31)
}

@Test func aRideThatWasUnderWayGoesOnWithItsAgeWhateverTheClock() {
  for time in [Instant.zero, .seconds(7), .seconds(1_000_000)] {
    var fields = samples()[2]
    fields.alertsEnabled = 1
    var tracker = Tracker()
    let isRestored = tracker.restore(fields.bytes.span, at: time)
    #expect(isRestored)
    var events: [TrackerEvent] = []
    func fetch() {
      while let action = tracker.nextAction() { if case .event(let event) = action { events.append(event) } }
    }
    fetch()
    tracker.advance(to: time + .seconds(301))
    fetch()
    guard case .motion(.parked(let last, let start, let end)) = events.first(where: { "\($0.name)" == "parked" })?.kind
    else {
      Issue.record("it never parks")
      return
    }
    #expect(last == time && start == time - Interval(microseconds: 3_600_000_001))
    #expect(end == time - Interval(microseconds: 12_000_003))
    #expect(tracker.lastRideDistance == 54_321.125 - 40_000.5)
  }
}

@Test func aRideOlderThanACenturyCanBeReadAgain() {
  let longest: Int64 = (1 << 52) - 1
  var fields = samples()[2]
  (fields.rideAge, fields.rideIdle) = (longest, longest - 5_000_000)
  var tracker = Tracker()
  let isRestored = tracker.restore(fields.bytes.span, at: .zero)
  #expect(isRestored)
  while tracker.nextAction() != nil {}
  tracker.advance(to: .seconds(10))
  var state = GrowingBytes()
  tracker.encodeState(into: &state)
  #expect(KeptFields(state.bytes)?.rideAge == longest && KeptFields(state.bytes)?.rideIdle == longest)
  #expect(kept(after: state.bytes) != nil, "the next life reads it")
}

@Test func packetsBeyondWhatFitsAreCountedWhenAStateIsRead() {
  var bytes = GrowingBytes()
  var owner = Owner()
  owner.acknowledges = false
  owner.fix(speed: 0)
  owner.tracker.encodeState(into: &bytes)
  for _ in 0..<34 { owner.tracker.encodePacket(at: 0, into: &bytes) }
  var tracker = Tracker()
  let isRestored = tracker.restore(bytes.bytes.span, at: .zero)
  #expect(isRestored)
  #expect(tracker.outbox.count == 32 && tracker.diagnostics.packetsRefused == 2)
}

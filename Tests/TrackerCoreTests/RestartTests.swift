import InlineStorage
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

private func parkedOwner() -> Owner {
  var owner = Owner(hertz: 50)
  owner.move(seconds: 20)
  owner.fix(speed: 0)
  owner.move(seconds: 300)
  return owner
}

@Test func aParkedBikeIsArmedAgainAtOnceAfterARestart() throws {
  var owner = parkedOwner()
  #expect(owner.tracker.monitor.isArmed == true)
  owner.restart(hertz: 50)
  #expect(owner.tracker.monitor.phase == .parked && owner.tracker.monitor.isArmed)
  owner.fix(speed: 0)
  owner.move(seconds: 120)
  #expect(owner.news(.movement).isEmpty, "a restart is no movement")
  owner.handle(seconds: 3)
  let alert = try #require(owner.news(.movement).first)
  #expect(alert.json.contains("\"id\":1"))
}

@Test func handlingThatNeverPausesIsNoticedAtOnceAfterARestart() throws {
  var owner = parkedOwner()
  owner.restart(hertz: 50)
  owner.handle(seconds: 4)
  #expect(owner.news(.movement).count == 1)
}

/// White and level like a sensor's own noise, but fifty times louder than that sensor was: a ride on a rough road.
@Test func aRideFromTheFirstSampleAfterARestartIsNotLearntAsTheSensorsNoise() throws {
  for seed in UInt64(1)...5 {
    var owner = parkedOwner()
    owner.restart(seed: seed, hertz: 100)
    var random = SeededRandom(seed: seed)
    owner.move(seconds: 20) { _ in random.vector(deviation: 1.5) }
    #expect(owner.news(.movement).count >= 1, "seed \(seed)")
  }
}

/// Shaken from the first sample on, a sensor of unknown noise might be a loud one: it is heard out for ten seconds, and no longer.
@Test func aSensorOfUnknownNoiseIsListenedToAfterTenSeconds() throws {
  var fields = KeptFields()
  fields.phase = 3
  fields.place = KeptFields.Place(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000, accuracy: 5)
  var owner = Owner(hertz: 50)
  var reference = ReferenceTracker(owner.tracker.configuration)
  reference.standParked(at: 52, 4, accuracy: 5)
  fields.parkingPlace = fields.place
  owner.restart(from: fields.bytes, reference, hertz: 50)
  owner.handle(seconds: 9)
  #expect(owner.news(.movement).isEmpty)
  owner.handle(seconds: 6)
  let alert = try #require(owner.news(.movement).first)
  #expect(alert.packet.alert?.id == 1 && alert.packet.alert?.evidence.detector == .handling)
}

@Test func aLouderSensorAfterARestartIsNoMovement() throws {
  var owner = parkedOwner()
  owner.restart(hertz: 50)
  var random = SeededRandom(seed: 1)
  owner.move(seconds: 120) { _ in random.vector(deviation: 0.02) }
  #expect(owner.news(.movement).isEmpty)
}

@Test func aBikeLaidDownWhileTheTrackerWasOffRaisesAnAlert() throws {
  var owner = parkedOwner()
  owner.restart(hertz: 50)
  // On its side: up is to the left now.
  owner.sensor.earthFromBody = Quaternion(rotationVector: Vector3(Float.pi / 2, 0, 0))
  owner.move(seconds: 20)
  let alert = try #require(owner.news(.movement).first)
  #expect(alert.json.contains("\"detector\":\"tilt\""))
}

@Test func aBikeCarriedOffWhileTheTrackerWasOffRaisesAnAlert() throws {
  var owner = parkedOwner()
  owner.restart(hertz: 50)
  owner.north += 400
  for _ in 0..<5 {
    owner.move(seconds: 1)
    owner.fix(speed: 0)
  }
  let alert = try #require(owner.news(.movement).first)
  #expect(alert.json.contains("\"detector\":\"displacement\""))
}

@Test func thePositionOfAnEarlierLifeIsStaleUntilThereIsAFix() throws {
  var owner = parkedOwner()
  owner.restart(hertz: 50)
  owner.submit(.locate)
  let first = try #require(owner.news(.location).last)
  #expect(field("stale", first.json) == "true" && field("latitude", first.json) != "null")
  owner.move(seconds: 1)
  owner.fix(speed: 0)
  owner.submit(.locate)
  #expect(field("stale", owner.news(.location).last?.json) == "false")
}

@Test func anAlertThatWasNotAcknowledgedIsSentAgainWordForWord() throws {
  var owner = parkedOwner()
  owner.acknowledges = false
  owner.handle(seconds: 3)
  let alert = try #require(owner.news(.movement).first)
  owner.restart(hertz: 50)
  let again = try #require(owner.news(.movement).first)
  #expect(again.json == alert.json && again.sequence == alert.sequence)
  owner.acknowledge(alert.sequence)
  owner.restart(hertz: 50)
  #expect(owner.news(.movement).isEmpty, "acknowledged is acknowledged, also after a restart")
}

@Test func theOwnersChoiceAndTheOdometerSurvive() throws {
  var owner = Owner()
  owner.ride(seconds: 300)
  owner.submit(.setAlerts(enabled: false))
  let distance = owner.tracker.distance
  #expect(distance > 1400)
  owner.restart()
  #expect(owner.tracker.distance == distance)
  #expect(owner.tracker.monitor.alertsEnabled == false)
  owner.ride(seconds: 300)
  owner.wait(until: owner.clock + .seconds(610))
  let ride = try #require(owner.news(.ride).first)
  #expect(ride.json.contains("\"ride\":{\"distance\":29") || ride.json.contains("\"ride\":{\"distance\":30"))
}

@Test func theOdometerIsKeptEveryHundredMetresOfARide() {
  var owner = Owner { $0.reports.distance = 100_000 }
  owner.ride(seconds: 60)
  let before = owner.persistCount
  owner.ride(seconds: 100)
  // 500 m more.
  #expect(owner.persistCount - before >= 4 && owner.persistCount - before <= 9)
}

/// Kills the tracker between any two actions of a story with a known number of movements, many times.
@Test func noMomentOfAPowerCutLosesOrInventsAnAlert() {
  for seed in UInt64(1)...20 {
    var random = SeededRandom(seed: seed)
    var configuration = TrackerConfiguration()
    configuration.motion.armAfter = .seconds(5)
    configuration.motion.quietAfter = .seconds(5)
    var story = PowerCutStory(configuration: configuration, random: random)
    for _ in 0..<40 {
      story.still(seconds: 14)
      story.shake()
      random = story.random
    }
    story.still(seconds: 60)
    story.finish()
    #expect(story.problems.isEmpty, "seed \(seed): \(story.problems.first ?? "")")
    #expect(story.cuts > 10)
    let ids = story.alerts.keys.sorted()
    #expect(ids == Array(1...UInt32(ids.count)), "seed \(seed): alerts \(ids)")
    #expect(ids.count >= 20 && ids.count <= 40 + story.cuts, "seed \(seed): \(ids.count) alerts")
  }
}

/// A tracker that is shaken now and then, and loses power between any two of its actions.
private struct PowerCutStory: ~Copyable {
  var tracker: Tracker
  var random: SeededRandom
  let configuration: TrackerConfiguration
  var sensor = SimulatedSensor(hertz: 50, seed: 3)
  var kept: [UInt8] = []
  var cuts = 0
  var problems: [String] = []
  /// Text of each alert that reached the server, by its id.
  var alerts: [UInt32: String] = [:]
  var packets: [UInt32: String] = [:]
  var isCutAllowed = true

  init(configuration: TrackerConfiguration, random: SeededRandom) {
    self.configuration = configuration
    self.random = random
    tracker = Tracker(configuration: configuration)
  }

  mutating func still(seconds: Int) { for _ in 0..<(seconds * 50) { step() } }

  mutating func shake() {
    for place in 0..<100 { step(place % 2 == 0 ? Vector3(4, 0, 0) : Vector3(-4, 0, 0)) }
  }

  mutating func step(_ acceleration: Vector3 = .zero) {
    tracker.process(sensor.next(acceleration: acceleration))
    drain()
    if random.oneIn(2500) { cut() }
  }

  mutating func cut() {
    guard isCutAllowed else { return }
    cuts += 1
    tracker = Tracker(configuration: configuration)
    sensor = SimulatedSensor(hertz: 50, seed: UInt64(cuts))
    let state = kept
    if !state.isEmpty {
      let isRestored = tracker.restore(state.span, at: .zero)
      if !isRestored { problems.append("a state that can't be restored") }
    }
    drain()
  }

  mutating func drain() {
    var rounds = 0
    while let action = tracker.nextAction() {
      rounds += 1
      if rounds > 1000 {
        problems.append("actions without end")
        return
      }
      // Power may go before the action is done …
      if isCutAllowed, random.oneIn(40) {
        cut()
        return
      }
      switch action {
      case .persist:
        var state = GrowingBytes()
        tracker.encodeState(.all, into: &state)
        for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &state) }
        kept = state.bytes
      case .event, .spool, .recall, .sound, .sense, .restart: break
      case .transmit(let sequence, let kind):
        var bytes = GrowingBytes()
        tracker.drainOutput(for: .uplink, into: &bytes)
        arrive(sequence, kind, String(decoding: bytes.bytes, as: UTF8.self))
        // … or between the packet and its acknowledgement.
        if isCutAllowed, random.oneIn(6) {
          cut()
          return
        }
        tracker.acknowledge(sequence, at: tracker.now)
      }
    }
  }

  mutating func arrive(_ sequence: UInt32, _ kind: PacketKind, _ text: String) {
    if let earlier = packets[sequence], earlier != text {
      problems.append("two packets \(sequence): \(earlier) \(text)")
    }
    packets[sequence] = text
    guard kind == .movement else { return }
    guard let id = field("id", text).flatMap(UInt32.init) else {
      problems.append("an alert without id: \(text)")
      return
    }
    guard field("repetition", text) == nil else {
      if alerts[id] == nil { problems.append("alert \(id) is told again and was never told") }
      return
    }
    if let earlier = alerts[id], earlier != text { problems.append("two alerts \(id)") }
    alerts[id] = text
  }

  mutating func finish() {
    isCutAllowed = false
    drain()
  }
}

/// Cut, damaged at a place or with two pieces exchanged: it starts, no alert that is intact is lost, and what is lost is told.
@Test func whateverHappensToAStateTheTrackerGoesOnAndTellsWhatItLost() {
  var owner = parkedOwner()
  owner.acknowledges = false
  owner.handle(seconds: 3)
  owner.submit(.locate)
  let state = owner.kept
  var random = SeededRandom(seed: 5)
  var losses = 0
  for trial in 0..<2000 {
    var damaged = state
    switch trial % 3 {
    case 0: damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    case 1: damaged = Array(damaged.prefix(Int.random(in: 1..<damaged.count, using: &random)))
    default:
      let length = Int.random(in: 1...40, using: &random)
      let (one, other) = (
        Int.random(in: 0..<damaged.count - length, using: &random),
        Int.random(in: 0..<damaged.count - length, using: &random)
      )
      damaged.replaceSubrange(one..<one + length, with: state[other..<other + length])
    }
    var tracker = Tracker()
    let isRestored = tracker.restore(damaged.span, at: .zero)
    #expect(isRestored)
    let intact = KeptFields.Section.all(in: damaged).filter { $0.tag == 16 }
    var told: StateLosses?
    var alerts = 0
    while let action = tracker.nextAction() {
      if case .event(let event) = action, case .stateDamaged(let losses) = event.kind { told = losses }
      if case .transmit(_, .movement) = action { alerts += 1 }
    }
    let isWhole =
      Set(KeptFields.Section.all(in: state).map(\.bytes)) == Set(KeptFields.Section.all(in: damaged).map(\.bytes))
    #expect(isWhole || told != nil, "trial \(trial)")
    if told != nil { losses += 1 }
    // Kind and place of the kind's byte: see `Packet.encodeRecord`.
    #expect(alerts == intact.filter { $0.content[11] & 0x1F == PacketKind.movement.rawValue }.count, "trial \(trial)")
    tracker.advance(to: .seconds(100_000))
    while tracker.nextAction() != nil {}
  }
  #expect(losses > 1500)
}

@Test func whatIsNoNumberDoesNotSpoilTheState() {
  var owner = parkedOwner()
  owner.acknowledges = false
  for accuracy in [Double.nan, .infinity, -1, 1e300, -.infinity] {
    owner.move(seconds: 1)
    owner.fix(speed: .nan, course: .infinity, accuracy: accuracy)
    owner.submit(.locate)
    let state = owner.kept
    var tracker = Tracker()
    let isRestored = tracker.restore(state.span, at: .zero)
    #expect(isRestored, "accuracy \(accuracy)")
    while let action = tracker.nextAction() {
      if case .event(let event) = action, case .stateDamaged = event.kind { Issue.record("accuracy \(accuracy)") }
    }
  }
}

@Test func aTrackerThatHasSeenSomethingIsNotRestored() {
  let owner = parkedOwner()
  var tracker = Tracker()
  tracker.advance(to: .seconds(1))
  let isRestored = tracker.restore(owner.kept.span, at: .seconds(2))
  #expect(!isRestored)
  #expect(tracker.monitor.phase != .parked)
}

@Test func aStateFitsWhereItsSizeIsStated() {
  var owner = Owner()
  owner.acknowledges = false
  owner.ride(seconds: 400, course: nil)
  owner.stand(seconds: 400)
  for alert in 1...40 {
    owner.submit(alert % 2 == 0 ? .setAlerts(enabled: true) : .setAlerts(enabled: false))
  }
  #expect(owner.tracker.outbox.count == 32)
  #expect(owner.kept.count <= 480 + 32 * 150)
}

/// As above, with an alarm in between that the receiver raised: that it is over says nothing of the sensor.
@Test func anAlarmThatEndsDoesNotMakeAnUnknownSensorTrusted() throws {
  var fields = KeptFields()
  fields.phase = 3
  fields.place = KeptFields.Place(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000, accuracy: 5)
  fields.parkingPlace = fields.place
  var owner = Owner(hertz: 50)
  var reference = ReferenceTracker(owner.tracker.configuration)
  reference.standParked(at: 52, 4, accuracy: 5)
  owner.restart(from: fields.bytes, reference, hertz: 50)
  owner.north += 300
  owner.stand(seconds: 80)
  #expect(
    owner.news(.movement).map { $0.packet.alert?.repetition } == [0, 1] && owner.tracker.monitor.phase == .stolen)
  owner.handle(seconds: 9)
  #expect(owner.news(.movement).isEmpty)
  owner.handle(seconds: 6)
  #expect(owner.news(.movement).count >= 1)
}

/// What the noise of a sensor is stays known over an alarm in which it was silent.
@Test func anAlarmThatEndsDoesNotForgetTheNoiseOfTheSensor() throws {
  var owner = parkedOwner()
  owner.restart(hertz: 50)
  owner.fix(speed: 0)
  owner.north += 300
  owner.stand(seconds: 80)
  #expect(
    owner.news(.movement).map { $0.packet.alert?.repetition } == [0, 1] && owner.tracker.monitor.phase == .stolen)
  owner.handle(seconds: 4)
  #expect(owner.news(.movement).count == 1)
  owner.restart(hertz: 50)
  owner.handle(seconds: 4)
  #expect(owner.news(.movement).count == 1)
}

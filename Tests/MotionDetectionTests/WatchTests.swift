import MotionDetection
import Quantities
import TestSupport
import Testing

private func check(_ evidence: MovementEvidence?, _ detector: MovementDetector, since onset: Instant, within: Float) {
  #expect(evidence?.detector == detector)
  guard let evidence else { return }
  #expect(evidence.ratio >= 1 && evidence.ratio.isFinite)
  #expect(evidence.duration >= .zero)
  #expect(abs((evidence.onset - onset).seconds) <= within, "onset \(evidence.onset), expected \(onset)")
}

@Test func aTouchIsSuspiciousAndCalmsDown() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  #expect(scene.monitor.phase == .parked)
  scene.move(seconds: 0.1) { $0 % 2 == 0 ? Vector3(0.7, 0, 0) : Vector3(-0.7, 0, 0) }
  scene.still(seconds: 2)
  #expect(scene.monitor.phase == .suspicious)
  scene.still(seconds: 11)
  #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
  let events = scene.news()
  #expect(events.suspicions.map(\.detector) == [.touch])
  #expect(events.suspicions.allSatisfy { $0.ratio >= 1 })
  #expect(events.last?.event == .calmed)
  #expect(events.movements.isEmpty)
}

@Test(arguments: [3, 10, 40] as [Float])
func aKnockOfAThirdOfASecondIsNoAlarm(strength: Float) {
  var scene = Scene(hertz: 100)
  scene.parkByInertia()
  scene.move(seconds: 0.3) { $0 % 2 == 0 ? Vector3(strength, 0, strength / 2) : Vector3(-strength, 0, -strength / 2) }
  scene.still(seconds: 20)
  let events = scene.news()
  #expect(events.movements.isEmpty && events.suspicions.count == 1)
}

@Test func hoursOfSingleBumpsAreNoAlarm() {
  // One a minute: a knock, or a push that leans it by five degrees and lets it swing back.
  for isPush in [false, true] {
    var scene = Scene(hertz: 20)
    scene.parkByInertia()
    for _ in 0..<180 {
      if isPush {
        scene.move(seconds: 0.2, rate: Vector3(0.45, 0, 0))
        scene.move(seconds: 0.2, rate: Vector3(-0.45, 0, 0))
      } else {
        scene.move(seconds: 0.3) { $0 % 2 == 0 ? Vector3(2, 0, 1) : Vector3(-2, 0, -1) }
      }
      scene.still(seconds: 59.6)
    }
    let events = scene.news()
    #expect(events.movements.isEmpty, "\(events.movements.count) alarms")
    #expect(events.suspicions.count == 180 && events.count { $0.event == .calmed } == 180)
  }
}

@Test func handlingRaisesAnAlarmDatedToItsBeginning() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  let start = scene.sensor.time
  scene.handle(seconds: 3)
  let movements = scene.news().movements
  check(movements.first, .handling, since: start, within: 0.6)
  #expect(scene.monitor.phase == .alarmed && scene.monitor.isArmed)
}

@Test(arguments: [Vector3(1, 0, 0), Vector3(0, -1, 0)])
func tiltAlarmsBeyondSixDegreesHoweverSlowlyItComes(axis: Vector3) {
  for (degrees, alarms) in [(5.2 as Float, false), (6.3, true), (8, true)] {
    var scene = Scene(hertz: 50)
    scene.parkByInertia()
    let rate = degrees * .pi / 180 / 60
    scene.move(seconds: 60, rate: axis * rate)
    scene.still(seconds: 20)
    let movements = scene.news().movements
    #expect(movements.isEmpty == !alarms, "\(degrees)°")
    if alarms {
      #expect(movements.first?.detector == .tilt)
      #expect((movements.first?.ratio ?? 0) >= 1)
      let tilt: Float = movements.first?.tilt ?? 0
      #expect(abs(tilt * 180 / Float.pi - 6) < 1.1)
    }
  }
}

@Test func aTurnOnTheSpotRaisesHeading() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  let start = scene.sensor.time
  // Slower than handling.
  scene.move(seconds: 8, rate: Vector3(0, 0, 2.5 * .pi / 180))
  let movements = scene.news().movements
  check(movements.first, .heading, since: start, within: 1)
}

@Test func displacementAndSpeedRaiseTheirOwnAlarms() {
  var carried = Scene()
  carried.park()
  carried.north += 60
  let start = carried.clock + .seconds(1)
  // A receiver loses itself for a few fixes: a jump must last for eight.
  carried.stand(seconds: 8)
  #expect(carried.news().movements.isEmpty)
  carried.stand(seconds: 2)
  let displaced = carried.news().movements
  check(displaced.first, .displacement, since: start, within: 0)
  #expect(abs((displaced.first?.displacement ?? 0) - 60) < 1)
  #expect(displaced.count == 1)

  var ridden = Scene()
  ridden.park()
  let departure = ridden.clock + .seconds(1)
  ridden.ride(seconds: 5, speed: 3)
  let moved = ridden.news().movements
  check(moved.first, .speed, since: departure, within: 0)
}

@Test func anAlarmEscalatesAtMostOncePerGrade() {
  var scene = Scene(hertz: 50)
  scene.stand(seconds: 20)
  scene.sensor.pause(20)
  scene.still(seconds: 310)
  scene.stand(seconds: 5)
  _ = scene.news()
  scene.sensor.pause(Double((scene.clock - scene.sensor.time).seconds))
  for _ in 0..<5 { scene.handle(seconds: 3) }
  scene.move(seconds: 2, rate: Vector3(0.3, 0, 0))
  scene.still(seconds: 4)
  scene.move(seconds: 2, rate: Vector3(0, 0, 0.5))
  scene.still(seconds: 4)
  scene.clock = scene.sensor.time
  scene.north += 500
  scene.stand(seconds: 5, speed: nil)
  scene.ride(seconds: 10)
  #expect(scene.news().movements.map(\.detector.severity) == [.tampered, .moved, .gone])
}

@Test func afterAMinuteOfQuietTheVeryNextMovementAlarmsAgain() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  for _ in 1...5 {
    scene.handle(seconds: 3)
    let alarm = scene.news()
    #expect(alarm.movements.count == 1)
    let last = scene.sensor.time
    scene.still(seconds: 59)
    #expect(scene.monitor.phase == .alarmed)
    scene.still(seconds: 2)
    #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
    let quiet = scene.news()
    #expect(quiet.quiets == 1)
    #expect(abs((quiet.last.map { $0.time - last } ?? .zero).seconds - 60) < 0.6)
  }
}

@Test func afterAnAlarmTheVehicleIsWatchedHowItStandsNow() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  scene.move(seconds: 2, rate: Vector3(0.2, 0, 0))
  scene.still(seconds: 70)
  #expect(scene.news().movements.count >= 1)
  // It leans by 23 degrees now; nothing more happens.
  scene.still(seconds: 300)
  let later = scene.news()
  #expect(later.movements.isEmpty && later.suspicions.isEmpty)
}

@Test func carriedAwayUnderARareFixItAlarmsOnceAndIsWatchedThere() {
  var scene = Scene()
  scene.park()
  scene.north += 400
  scene.stand(seconds: 7200, every: .seconds(30))
  let events = scene.news()
  #expect(events.movements.count == 1, "\(events.movements.count) alarms for one displacement")
  #expect(scene.monitor.phase == .stolen)
  scene.north += 400
  scene.stand(seconds: 120, every: .seconds(30))
  #expect(scene.news().movements.count == 1)
}

@Test func alertsOffMeansSilenceAndOnArmsAtOnce() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  scene.monitor.setAlerts(enabled: false, at: scene.sensor.time)
  #expect(scene.news().map(\.event) == [.disarmed])
  scene.handle(seconds: 5)
  scene.still(seconds: 5)
  #expect(scene.news().isEmpty && scene.monitor.phase == .parked && !scene.monitor.isArmed)
  scene.monitor.setAlerts(enabled: true, at: scene.sensor.time)
  #expect(scene.news().map(\.event) == [.armed])
  scene.handle(seconds: 3)
  #expect(scene.news().movements.count == 1)
  scene.monitor.setAlerts(enabled: false, at: scene.sensor.time)
  #expect(scene.news().map(\.event) == [.disarmed])
  #expect(scene.monitor.phase == .parked)
  // Said twice it is not news.
  scene.monitor.setAlerts(enabled: false, at: scene.sensor.time)
  #expect(scene.news().isEmpty)
}

@Test func alertsSwitchedOnAfterRareFixesElsewhereWatchTheBikeWhereItStandsNow() throws {
  for isAlarmed in [false, true] {
    var scene = Scene()
    scene.stand(seconds: 3600, every: .seconds(60))
    _ = scene.news()
    if !isAlarmed { scene.monitor.setAlerts(enabled: false, at: scene.clock) }
    scene.north = 400
    scene.stand(seconds: isAlarmed ? 300 : 120, every: .seconds(60))
    #expect(scene.news().movements.count == (isAlarmed ? 1 : 0))
    if isAlarmed { scene.monitor.setAlerts(enabled: false, at: scene.clock) }
    scene.monitor.setAlerts(enabled: true, at: scene.clock)
    let there = try #require(makeFix(at: .zero, north: 400, east: 0).position)
    #expect(scene.monitor.snapshot.place == there)
    _ = scene.news()
    scene.stand(seconds: 600, every: .seconds(60))
    #expect(scene.news().isEmpty && scene.monitor.phase == .parked)
    // Where it was is elsewhere now.
    scene.north = 0
    let onset = scene.clock + .seconds(60)
    scene.stand(seconds: 300, every: .seconds(60))
    #expect(scene.news().movements.map(\.onset) == [onset])
  }
}

@Test func alertsOffKeepsTheTravelThatIsUnderWay() {
  var scene = Scene()
  scene.park()
  let start = scene.clock + .seconds(1)
  scene.ride(seconds: 2)
  scene.monitor.setAlerts(enabled: false, at: scene.clock)
  scene.ride(seconds: 3)
  #expect(scene.news().rideStarts == [start])
}

@Test func alertsOffAndOnAfterARestartLoseNothingOfWhatTheLifeBeforeKnew() {
  for isToggled in [false, true] {
    for (isLaidDown, isLoud, knowsNoise, alarms) in [
      (false, true, true, [MovementDetector.handling]), (true, false, true, [.tilt]), (false, true, false, []),
      (false, false, true, []),
    ] {
      var before = Scene(hertz: 50)
      before.parkByInertia()
      var kept = before.monitor.snapshot
      #expect(kept.up != nil && kept.turningNoise != nil)
      if !knowsNoise { (kept.turningNoise, kept.vibrationNoise) = (nil, nil) }
      var scene = Scene(hertz: 50, seed: 2)
      scene.monitor.restore(kept, at: .zero)
      if isToggled {
        scene.monitor.setAlerts(enabled: false, at: .zero)
        scene.monitor.setAlerts(enabled: true, at: .zero)
      }
      #expect(scene.monitor.snapshot.up == kept.up && scene.monitor.snapshot.turningNoise == kept.turningNoise)
      if isLaidDown { scene.sensor.earthFromBody = Quaternion(rotationVector: Vector3(0.5, 0, 0)) }
      if isLoud { scene.handle(seconds: 5) } else { scene.still(seconds: 5) }
      #expect(
        scene.news().movements.map(\.detector) == alarms,
        "toggled \(isToggled) laid down \(isLaidDown) loud \(isLoud) noise \(knowsNoise)")
    }
  }
}

/// The power came back where somebody has laid the vehicle down.
@Test(
  arguments: [(nil, [MovementDetector.tilt]), (0, []), (0.4, []), (12, [.tilt])] as [(Double?, [MovementDetector])])
func anAnswerBeforeTheFirstLookIsAnAnswerToHowItLies(answered: Double?, alarms: [MovementDetector]) {
  var before = Scene(hertz: 50)
  before.parkByInertia()
  var scene = Scene(hertz: 50, seed: 2)
  scene.monitor.restore(before.monitor.snapshot, at: .zero)
  scene.sensor.earthFromBody = Quaternion(rotationVector: Vector3(0.5, 0, 0))
  if let answered {
    scene.still(seconds: answered)
    scene.monitor.dismiss(at: scene.clock)
  }
  scene.still(seconds: 40)
  #expect(scene.news().movements.map(\.detector) == alarms)
  // What comes after that is told.
  scene.still(seconds: 700)
  #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
  scene.handle(seconds: 5)
  #expect(scene.news().movements.map(\.detector) == [.handling])
}

@Test func alertsAreOnByDefaultAndOffItParksWithoutArming() {
  #expect(MotionMonitor().alertsEnabled == true)
  var scene = Scene(alertsEnabled: false)
  scene.ride(seconds: 30)
  scene.stand(seconds: 310)
  let events = scene.news()
  #expect(events.parkings.count == 1 && !events.contains(.armed))
  // Unarmed, riding off is a ride and no alarm.
  scene.ride(seconds: 30)
  let later = scene.news()
  #expect(later.rideStarts.count == 1 && later.movements.isEmpty)
}

@Test func dismissedAlarmsEndAndArmAgainAfterTheFullWait() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  scene.handle(seconds: 3)
  #expect(scene.monitor.phase == .alarmed)
  scene.monitor.dismiss(at: scene.sensor.time)
  #expect(scene.monitor.phase == .settling && !scene.monitor.isArmed)
  _ = scene.news()
  scene.handle(seconds: 5)
  #expect(scene.news().isEmpty)
  scene.still(seconds: 298)
  #expect(scene.monitor.isArmed == false)
  scene.still(seconds: 4)
  #expect(scene.monitor.isArmed == true)
  scene.handle(seconds: 3)
  #expect(scene.news().movements.count == 1)
}

@Test func travelDuringAnAlarmIsATheftThatNoTimeEndsAndTheOwnerMakesARideOfIt() {
  var scene = Scene()
  scene.park()
  let start = scene.clock + .seconds(1)
  scene.ride(seconds: 19)
  #expect(scene.monitor.phase == .alarmed)
  scene.ride(seconds: 60)
  #expect(scene.monitor.phase == .stolen && scene.monitor.isTravelling)
  let events = scene.news()
  #expect(events.thefts == [start] && events.movements.count == 1 && events.rideStarts.isEmpty)
  var answered = scene
  answered.monitor.dismiss(at: answered.clock)
  #expect(answered.monitor.phase == .riding && answered.news().rideStarts == [start])
  // Nobody answers: at the thief's it is stolen still, and what moves there is told.
  scene.stand(seconds: 86_400, every: .seconds(10))
  #expect(scene.monitor.phase == .stolen && scene.monitor.isArmed && !scene.monitor.isTravelling)
  #expect(scene.monitor.nextDeadline == nil && scene.news().isEmpty)
  scene.ride(seconds: 10)
  #expect(scene.news().movements.map(\.detector) == [.speed])
  scene.stand(seconds: 60)
  scene.monitor.dismiss(at: scene.clock)
  #expect(scene.monitor.phase == .settling)
}

@Test func aTheftGoesOnOverARestart() {
  var scene = Scene()
  scene.park()
  scene.ride(seconds: 60)
  var next = Scene()
  next.monitor.restore(scene.monitor.snapshot, at: .zero)
  #expect(next.monitor.phase == .stolen && next.monitor.isArmed)
  next.wait(until: .seconds(86_400))
  #expect(next.monitor.phase == .stolen)
  var off = Scene()
  var kept = scene.monitor.snapshot
  kept.alertsEnabled = false
  off.monitor.restore(kept, at: .zero)
  #expect(off.monitor.phase == .parked && !off.monitor.isArmed)
}

@Test func twoShortSpellsOfShakingDuringAnAlarmAreNoRide() {
  var scene = Scene(hertz: 50)
  scene.parkByInertia()
  scene.shake(seconds: 12)
  scene.still(seconds: 50)
  scene.shake(seconds: 12)
  #expect(scene.monitor.phase == .alarmed)
  #expect(scene.news().rideStarts.isEmpty)
}

@Test func jitterWithHonestAccuracyGivesNoAlertAndNoTripInThirtyDays() {
  for seed in 1...3 {
    var random = SeededRandom(seed: UInt64(seed))
    var scene = Scene()
    for _ in 0..<30 * 24 * 60 {
      scene.clock = scene.clock + .seconds(60)
      // Accuracy from 3 to 33 m, 68 % of the fixes within it: up to 50 m off and beyond.
      let accuracy = 3 + 30 * random.uniform()
      let deviation = accuracy / 1.51
      scene.monitor.process(
        makeFix(
          at: scene.clock, north: random.normal() * deviation, east: random.normal() * deviation,
          speed: random.oneIn(3) ? nil : abs(random.normal()) * 0.3, accuracy: accuracy))
      scene.collect()
    }
    let events = scene.news()
    #expect(events.movements.isEmpty, "seed \(seed)")
    #expect(events.rideStarts.isEmpty, "seed \(seed)")
  }
}

@Test func aSensorAtRestOutvotesAReceiverThatLies() {
  var random = SeededRandom(seed: 4)
  var scene = Scene(hertz: 10)
  for second in 0..<4 * 3600 {
    for _ in 0..<10 { scene.monitor.process(scene.sensor.next()) }
    scene.clock = scene.sensor.time
    scene.collect()
    guard second >= 15, second % 5 == 0 else { continue }
    scene.monitor.process(
      makeFix(
        at: scene.clock, north: random.normal() * 40, east: random.normal() * 40, speed: random.uniform() * 4,
        accuracy: 3))
    scene.collect()
  }
  let events = scene.news()
  #expect(events.movements.isEmpty && events.rideStarts.isEmpty && events.suspicions.isEmpty)
  #expect(events.parkings.count == 1)
}

@Test func aSensorThatSleptDuringTheTheftDoesNotOutvoteTheReceiver() {
  var scene = Scene(hertz: 10)
  for _ in 0..<320 {
    scene.still(seconds: 1)
    scene.fix(speed: 0)
  }
  _ = scene.news()
  #expect(scene.monitor.isArmed == true)
  scene.sensor.pause(1200)
  scene.north += 300
  for _ in 0..<60 {
    scene.still(seconds: 1)
    scene.fix(speed: 0)
  }
  #expect(scene.news().movements.map(\.detector) == [.displacement])
}

@Test func aStuckSensorDoesNotOutvoteTheReceiver() {
  var scene = Scene(hertz: 10)
  let frozen = scene.sensor.next()
  for step in 1...3300 {
    scene.monitor.process(
      InertialSample(
        time: .milliseconds(100 * step), angularRate: frozen.angularRate, specificForce: frozen.specificForce))
    scene.clock = .milliseconds(100 * step)
    if step % 10 == 0 { scene.fix(speed: 0) }
  }
  #expect(scene.monitor.isArmed == true)
  for step in 3301...3500 {
    scene.monitor.process(
      InertialSample(
        time: .milliseconds(100 * step), angularRate: frozen.angularRate, specificForce: frozen.specificForce))
    scene.clock = .milliseconds(100 * step)
    scene.north += 0.4
    if step % 10 == 0 { scene.fix(speed: 4) }
  }
  #expect(scene.news().movements.count >= 1)
}

@Test func aSensorThatStartsAfterParkingStillSeesTilt() {
  var scene = Scene(hertz: 50)
  scene.park()
  scene.sensor.pause(scene.clock.secondsDouble)
  scene.still(seconds: 30)
  _ = scene.news()
  scene.move(seconds: 60, rate: Vector3(0.12 / 60, 0, 0))
  scene.still(seconds: 5)
  #expect(scene.news().movements.map(\.detector) == [.tilt])
}

@Test func nonsenseInAFixIsNotEvidence() {
  var scene = Scene()
  scene.park()
  let wild: [(Double?, Double?)] = [
    (.nan, 5), (.infinity, 5), (1e300, 5), (-3, 5), (0, .nan), (0, .infinity), (0, -5), (0, -.infinity), (0, 1e300),
  ]
  for (speed, accuracy) in wild {
    for _ in 0..<6 {
      scene.clock = scene.clock + .seconds(1)
      scene.fix(speed: speed, accuracy: accuracy)
    }
  }
  #expect(scene.news().isEmpty)
  // And a real movement is seen afterwards.
  scene.north += 120
  scene.stand(seconds: 5)
  #expect(scene.news().movements.map(\.detector) == [.displacement])
}

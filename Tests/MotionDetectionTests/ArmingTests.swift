import MotionDetection
import Quantities
import TestSupport
import Testing

@Test func armedThreeHundredSecondsAfterTheLastMotionAndNotAMicrosecondBefore() {
  var scene = Scene()
  scene.ride(seconds: 60, speed: 2)
  let last = scene.clock
  scene.wait(until: last + .seconds(299))
  #expect(scene.monitor.phase == .settling && !scene.monitor.isArmed)
  scene.wait(until: last + Interval(microseconds: 299_999_999))
  #expect(scene.monitor.phase == .settling && !scene.monitor.isArmed)
  scene.wait(until: last + .seconds(300))
  #expect(scene.monitor.phase == .parked && scene.monitor.isArmed)
  let events = scene.news()
  #expect(events.parkings.count == 1)
  #expect(events.parkings.first?.time == last + .seconds(300))
  #expect(events.parkings.first?.lastMotion == last)
  #expect(events.last?.event == .armed)
}

@Test func aLongSilenceArmsAtTheInstantItWasDue() {
  var scene = Scene()
  scene.ride(seconds: 60, speed: 2)
  let last = scene.clock
  scene.wait(until: last + .seconds(301 + 86_400))
  let parkings = scene.news().parkings
  #expect(parkings.first?.time == last + .seconds(300))
  #expect(scene.monitor.nextDeadline == nil)
}

@Test func everyMotionRestartsTheWait() {
  var scene = Scene()
  scene.ride(seconds: 60)
  scene.stand(seconds: 290)
  #expect(scene.monitor.phase == .settling)
  scene.ride(seconds: 20)
  let last = scene.clock
  scene.stand(seconds: 299)
  #expect(scene.monitor.phase == .settling)
  scene.stand(seconds: 1)
  #expect(scene.monitor.phase == .parked)
  #expect(scene.news().parkings.map(\.lastMotion) == [last])
}

@Test func handlingRestartsTheWaitToo() {
  var scene = Scene()
  scene.still(seconds: 250)
  scene.handle(seconds: 2)
  let last = scene.sensor.time
  scene.still(seconds: 299)
  #expect(scene.monitor.phase == .settling)
  scene.still(seconds: 3)
  #expect(scene.monitor.phase == .parked)
  let parked = scene.news().parkings.first
  #expect(abs((parked.map { $0.lastMotion - last } ?? .seconds(9)).seconds) < 1)
  #expect(parked?.start == nil)
}

@Test func rideStartAndEndAreDatedBackToWhenTheyHappened() {
  var scene = Scene()
  scene.stand(seconds: 30)
  let start = scene.clock
  scene.ride(seconds: 120)
  let end = scene.clock
  scene.stand(seconds: 310)
  let events = scene.news()
  #expect(events.rideStarts == [start + .seconds(1)])
  #expect(events.standings.map(\.since) == [end])
  #expect(events.parkings.map(\.start) == [start + .seconds(1)])
  #expect(events.parkings.map(\.end) == [end])
}

@Test func aRideWithoutSpeedIsKnownFromDisplacementAndDatedToItsFirstSteps() throws {
  var scene = Scene()
  scene.stand(seconds: 30, speed: nil)
  let start = scene.clock
  scene.ride(seconds: 120, says: .some(nil))
  let end = scene.clock
  scene.stand(seconds: 310, speed: nil)
  let events = scene.news()
  #expect(events.rideStarts.count == 1)
  #expect(abs((try #require(events.rideStarts.first) - start).seconds) <= 3)
  let parking = try #require(events.parkings.first)
  #expect(abs((try #require(parking.end) - end).seconds) <= 3)
}

@Test func silenceAndObservedStandingAreToldApart() {
  var observed = Scene()
  observed.ride(seconds: 60)
  observed.stand(seconds: 20)
  #expect(observed.news().standings.map(\.cause) == [.observed])
  var silent = Scene()
  silent.ride(seconds: 60)
  let last = silent.clock
  silent.wait(until: last + .milliseconds(9_999))
  #expect(silent.monitor.phase == .riding)
  silent.wait(until: last + .seconds(10))
  let standings = silent.news().standings
  #expect(standings.map(\.cause) == [.silence] && standings.map(\.since) == [last])
}

@Test func aStopSeenAsAGapIsAStopAndNotARide() {
  var scene = Scene()
  scene.ride(seconds: 60)
  let stopped = scene.clock
  scene.clock = scene.clock + .seconds(200)
  let on = scene.clock
  scene.ride(seconds: 60)
  let events = scene.news()
  #expect(events.rideStarts.count == 1)
  #expect(events.standings.map(\.since) == [stopped])
  #expect(events.resumptions.map(\.since) == [stopped])
  #expect(events.resumptions.map(\.onset) == [on + .seconds(1)])
}

@Test func travelThroughATunnelIsNoticedAfterwards() {
  var scene = Scene()
  scene.ride(seconds: 60)
  let lost = scene.clock
  scene.clock = scene.clock + .seconds(60)
  scene.north += 300
  scene.ride(seconds: 30)
  let events = scene.news()
  let unseen = events.compactMap { event -> (Instant, Float)? in
    if case .travelledUnseen(let since, let distance) = event.event { (since, distance) } else { nil }
  }
  #expect(unseen.count == 1)
  #expect(unseen.first?.0 == lost)
  #expect(abs((unseen.first?.1 ?? 0) - 305) < 3)
  #expect(scene.monitor.phase == .riding)
}

@Test func whatWentFastWhenItWasLastHeardOfMayBeInATunnel() {
  for (speed, seconds) in [(Double(Float(2.5).nextDown), 300), (2.5, 600)] {
    var scene = Scene()
    scene.ride(seconds: 60, speed: speed)
    let last = scene.clock
    scene.wait(until: last + .seconds(seconds) - Interval(microseconds: 1))
    #expect(scene.monitor.phase == .settling, "\(speed)")
    scene.wait(until: last + .seconds(seconds))
    #expect(scene.monitor.phase == .parked && scene.monitor.isArmed, "\(speed)")
    #expect(scene.news().parkings.map(\.lastMotion) == [last])
  }
  // A fix without a position tells nothing, one at which it stands or a sensor that rests does.
  for isHeard in [false, true] {
    var scene = Scene()
    scene.ride(seconds: 60)
    let last = scene.clock
    scene.clock = last + .seconds(2)
    if isHeard { scene.fix(speed: 0) } else { scene.monitor.process(GNSSFix(time: scene.clock)) }
    scene.wait(until: last + .seconds(300))
    #expect((scene.monitor.phase == .parked) == isHeard)
  }
  var felt = Scene(hertz: 50)
  felt.ride(seconds: 60)
  let last = felt.clock
  felt.still(seconds: 390)
  #expect(felt.news().parkings.first.map { $0.time <= last + .seconds(390) } == true)
}

@Test func aTunnelOfUpToTwiceTheTimeUntilItIsParkedIsThereIfItWentOnAsFast() {
  // At 5 m/s before; half of that on average, and less than that in no longer silence than a stop has.
  for (seconds, metres, goesOn) in [
    (299, 310.0, true), (301, 740, false), (301, 765, true), (599, 1490, false), (599, 1510, true), (601, 3000, false),
  ] {
    var scene = Scene()
    scene.ride(seconds: 60)
    let lost = scene.clock
    _ = scene.news()
    scene.clock = scene.clock + .seconds(seconds)
    scene.north += metres
    scene.fix(speed: 5)
    let events = scene.news()
    #expect((scene.monitor.phase == .riding) == goesOn, "\(seconds) s, \(metres) m")
    #expect(events.parkings.count == (goesOn ? 0 : 1))
    if let parked = events.parkings.first { #expect(parked.end == lost && parked.time <= scene.clock) }
    // What is not in a tunnel was parked, and is somewhere else now.
    if !goesOn {
      scene.ride(seconds: 20)
      #expect(scene.news().movements.count == 1, "\(seconds) s, \(metres) m")
    }
  }
}

@Test func aRideIsKnownFromShakingAloneAndStandsOnce() throws {
  var scene = Scene(hertz: 50)
  scene.still(seconds: 20)
  let start = scene.sensor.time
  scene.shake(seconds: 120)
  #expect(scene.monitor.phase == .riding)
  let end = scene.sensor.time
  scene.still(seconds: 310)
  let events = scene.news()
  #expect(events.rideStarts.count == 1)
  #expect(abs((try #require(events.rideStarts.first) - start).seconds) < 1)
  #expect(events.standings.count == 1, "\(events.standings.count) times standing after one ride")
  #expect(events.resumptions.isEmpty)
  let parking = try #require(events.parkings.first)
  #expect(abs((try #require(parking.end) - end).seconds) < 1)
}

@Test func shakingBeforeALongGapDoesNotResumeTheRideAfterIt() {
  var scene = Scene(hertz: 50)
  scene.still(seconds: 20)
  scene.shake(seconds: 60)
  scene.sensor.pause(100)
  scene.still(seconds: 60)
  #expect(scene.news().resumptions.isEmpty)
  #expect(scene.monitor.phase == .settling)
}

@Test func shakingBeforeAndAfterAGapOfTheSensorIsNoRide() throws {
  var scene = Scene(hertz: 50)
  scene.still(seconds: 20)
  scene.shake(seconds: 6)
  for _ in 0..<3 {
    scene.sensor.pause(20)
    scene.shake(seconds: 6)
    #expect(scene.news().rideStarts.isEmpty && scene.monitor.phase == .settling)
  }
  // After a gap it takes as long as ever, and begins after it.
  scene.sensor.pause(20)
  let start = scene.sensor.time
  scene.shake(seconds: 9.5)
  #expect(scene.news().rideStarts.isEmpty)
  scene.shake(seconds: 2)
  #expect(abs((try #require(scene.news().rideStarts.first) - start).seconds) < 1)
}

@Test func aTrafficLightShakesOnlyTheSensorAndTheFixesDecide() {
  var scene = Scene(hertz: 25)
  var random = SeededRandom(seed: 3)
  func second(_ moving: Bool) {
    for _ in 0..<25 { scene.monitor.process(scene.sensor.next(acceleration: random.vector(deviation: 2))) }
    scene.clock = scene.sensor.time
    if moving { scene.north += 5 }
    scene.fix(speed: moving ? 5 : 0)
  }
  for _ in 0..<60 { second(true) }
  #expect(scene.monitor.phase == .riding)
  for _ in 0..<20 { second(false) }
  #expect(scene.monitor.phase == .settling)
  for _ in 0..<10 { second(true) }
  #expect(scene.monitor.phase == .riding)
}

@Test func speedNoiseAtStandstillDoesNotStartARide() {
  var random = SeededRandom(seed: 8)
  var scene = Scene()
  for _ in 0..<24 * 3600 {
    scene.clock = scene.clock + .seconds(1)
    scene.monitor.process(
      makeFix(
        at: scene.clock, north: random.normal() * 2, east: random.normal() * 2, speed: abs(random.normal()) * 0.25))
    scene.collect()
  }
  let events = scene.news()
  #expect(events.rideStarts.isEmpty && events.movements.isEmpty)
}

@Test func aSingleWildFixIsNotTravel() {
  var scene = Scene()
  scene.stand(seconds: 60)
  scene.north = 4000
  scene.stand(seconds: 2, speed: nil)
  scene.north = 0
  scene.stand(seconds: 60)
  #expect(scene.news().rideStarts.isEmpty)
}

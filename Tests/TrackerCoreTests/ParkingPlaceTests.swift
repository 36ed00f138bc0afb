import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// Metres north of where it stands, as the parking packet says.
private func offset(_ packet: String, _ owner: borrowing Owner) throws -> Double {
  let latitude = try #require(field("latitude", packet).flatMap(Double.init))
  return (latitude - (52 + owner.north / 111_267)) * 111_267
}

/// The receiver wanders by 8 m in the middle of the stop: the mean is half of it, and the last fix all.
@Test func theParkingPlaceIsTheMeanOfTheFixesThereAndFresh() throws {
  var owner = Owner()
  owner.ride(seconds: 60)
  for second in 1...305 {
    owner.wait(until: owner.clock + .seconds(1))
    owner.wander = second > 150 ? 8 : 0
    owner.fix(speed: 0, accuracy: 5)
  }
  let parking = try #require(owner.news(.parking).first).json
  let north = try offset(parking, owner)
  #expect(abs(north - 4) < 0.3, "\(north)")
  #expect(
    field("accuracy", parking) == "5.0" && field("stale", parking) == "false")
  #expect(try #require(field("fixAge", parking).flatMap(Double.init)) <= 1)
}

/// One fix of 2 m among those of 9 m: of 1/4 + 290/81 it is one fifteenth.
@Test func aGoodFixCountsForMoreAndNoAccuracyIsInvented() throws {
  for isStated in [true, false] {
    var owner = Owner()
    owner.ride(seconds: 60)
    for second in 1...305 {
      owner.wait(until: owner.clock + .seconds(1))
      owner.wander = second == 200 ? 16 : 0
      owner.fix(speed: 0, accuracy: isStated ? second == 200 ? 2 : 9 : nil)
    }
    let parking = try #require(owner.news(.parking).first).json
    let right = isStated ? 16 * (0.25 / (0.25 + 294.0 / 81)) : 16 / 295.0
    let north = try offset(parking, owner)
    #expect(abs(north - right) < 0.06, "\(north), not \(right)")
    guard isStated else {
      #expect(field("accuracy", parking) == nil)
      continue
    }
    let accuracy = try #require(field("accuracy", parking).flatMap(Double.init))
    #expect(accuracy > 8.3 && accuracy < 9, "\(accuracy)")
  }
}

/// It rolls on before that is a ride: it is parked where it came to be, not between.
@Test func whereItWasBeforeItRolledOnIsNoPartOfTheMean() throws {
  var owner = Owner(isWatched: false)
  owner.stand(seconds: 5)
  owner.wait(until: owner.clock + .seconds(2))
  owner.north += 12
  owner.fix(speed: 6, accuracy: 5)
  owner.stand(seconds: 320)
  let parking = try #require(owner.news(.parking).last).json
  let north = try offset(parking, owner)
  #expect(abs(north) < 0.1, "\(north)")
}

/// What it was when power went counts after it as it did before: of the first fix a minute, as nobody knows for how long none came.
@Test func theMeanGoesOnAfterARestart() throws {
  let bench = try RequestBench { $0.motion.armAfter = .seconds(300) }
  func fix(_ bench: RequestBench, north: Double, at second: Int) throws {
    var fix = GNSSFix(time: .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_267, longitudeDegrees: 4)
    (fix.speed, fix.horizontalAccuracy) = (0, 5)
    try bench.run.feed(.fix(fix))
  }
  for second in 1...400 { try fix(bench, north: 0, at: second) }
  let next = try RequestBench(restoring: bench.state, from: 5) { $0.motion.armAfter = .seconds(300) }
  for second in 6...65 { try fix(next, north: 8, at: second) }
  _ = next.news()
  #expect(try next.ask("#1 parking") == "located")
  let parking = try #require(next.news().first { $0.contains("\"type\":\"parking\"") })
  let latitude = try #require(field("latitude", parking).flatMap(Double.init))
  // Kept was that of when it was parked, after 300 to 311 s.
  let north = (latitude - 52) * 111_267
  #expect(north > 8 * 119 / (312 + 119.0) && north < 8 * 119 / (299 + 119.0), "\(north)")
}

@Test func theParkingPlaceAfterAnAlarmIsTheNewOneThoughTheOldWasSeenBetter() throws {
  var owner = Owner()
  owner.stand(seconds: 310)
  owner.wait(until: owner.clock + .seconds(1))
  owner.fix(speed: 0, accuracy: 2)
  _ = owner.news()
  owner.north += 300
  owner.stand(seconds: 75)
  owner.submit(.dismiss(alert: owner.tracker.lastAlert))
  owner.stand(seconds: 310)
  let parking = try #require(owner.news(.parking).last)
  let latitude = try #require(field("latitude", parking.json).flatMap(Double.init))
  #expect(abs(latitude - (52 + owner.north / 111_267)) < 0.000_1)
}

@Test func theNumberOfAnAlarmThatCalmedDownDismissesNoLaterOne() {
  var owner = Owner(hertz: 50)
  owner.move(seconds: 310)
  owner.handle()
  owner.move(seconds: 66)
  #expect(owner.tracker.monitor.phase == .parked)
  owner.handle()
  #expect(owner.tracker.monitor.phase == .alarmed)
  owner.submit(.dismiss(alert: 1))
  #expect(owner.tracker.monitor.phase == .alarmed)
  owner.submit(.dismiss(alert: 2))
  #expect(owner.tracker.monitor.phase == .settling)
}

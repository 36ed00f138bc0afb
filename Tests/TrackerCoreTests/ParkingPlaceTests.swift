import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

@Test func aParkingPlaceThatWasSeenLongAgoIsStaleHoweverFreshAWorseFixIs() throws {
  var owner = Owner()
  owner.ride(seconds: 60)
  for second in 1...305 {
    owner.wait(until: owner.clock + .seconds(1))
    owner.fix(speed: 0, accuracy: second == 5 ? 2 : 9)
  }
  let parking = try #require(owner.news(.parking).first)
  #expect(field("accuracy", parking.json) == "2.0")
  #expect(field("stale", parking.json) == "true")
  let age = try #require(field("fixAge", parking.json).flatMap(Double.init))
  #expect(age > 290 && age < 300)
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

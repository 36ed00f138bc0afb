import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

@Test(arguments: NamedScene.all)
func whatHappensThreeTimesIsToldThreeTimesAlike(scene: NamedScene) {
  var owner = scene.parked()
  var first: [Again] = []
  for round in 1...3 {
    let start = owner.clock
    let meter = owner.tracker.distance
    let north = owner.north
    let alerts = owner.tracker.lastAlert
    owner.forget()
    scene.run(&owner)
    // That an alert is told again is another matter.
    let packets = owner.allPackets.filter { $0.alert?.repetition ?? 0 == 0 }
    #expect(owner.allEvents.map { "\($0.name)" } == scene.events, "\(scene.name), round \(round)")
    let kinds = packets.map(\.kind).filter { $0 != .location }
    #expect(kinds == scene.packets, "\(scene.name), round \(round)")
    let detectors = packets.compactMap(\.alert?.evidence.detector)
    #expect(detectors == scene.detectors, "\(scene.name), round \(round)")
    let result = packets.map { Again($0, start: start, meter: meter, north: north, alerts: alerts) }
    if round == 1 { first = result }
    #expect(result.count == first.count, "\(scene.name), round \(round)")
    for (one, other) in zip(first, result) where !one.isLike(other) {
      Issue.record("\(scene.name), round \(round): \(other), and the first time \(one)")
    }
    // Nothing is left of it for the next.
    if scene.hasSensor { owner.rest(seconds: 30) } else { owner.stand(seconds: 30) }
    #expect(owner.tracker.monitor.phase == .parked && owner.tracker.monitor.isArmed)
    #expect(owner.tracker.outbox.count == 0)
  }
}

@Test func aDayOfSingleBumpsRaisesNoAlarm() {
  var owner = Owner(hertz: 50)
  owner.rest(seconds: 320)
  _ = owner.news()
  for step in 0..<60 {
    owner.bump()
    // Now a little more than the ten seconds after which a suspicion is dropped, now minutes.
    owner.rest(seconds: step % 6 == 5 ? 100 : 14)
    #expect(owner.tracker.monitor.phase == .parked && owner.tracker.monitor.isArmed)
  }
  #expect(owner.allEvents.count { $0.name.description == "suspicious" } == 60)
  #expect(owner.allEvents.count { $0.name.description == "calmed" } == 60)
  #expect(owner.news(.movement).isEmpty && owner.tracker.lastAlert == 0)
}

@Test func everyAlarmIsCountedFromItsOwnBeginningAlsoWhenTheOneBeforeWasDismissed() {
  var owner = Owner(hertz: 50)
  owner.stand(seconds: 320)
  // Pushed 100 m while alerts were on, dismissed, and ridden home.
  owner.ride(seconds: 20)
  owner.submit(.dismiss(alert: owner.tracker.lastAlert))
  owner.stand(seconds: 20)
  owner.ride(seconds: 100)
  owner.stand(seconds: 310)
  let ride = owner.news(.ride).last?.packet.ride
  // Dismissed, it is the owner's ride, from where it was dismissed.
  #expect((490...510).contains(ride?.distanceMetres ?? 0), "\(ride?.distanceMetres ?? 0) m")
  // An alarm that is over does not lend its beginning to a later ride.
  owner.ride(seconds: 20)
  owner.stand(seconds: 100)
  owner.submit(.setAlerts(enabled: false))
  owner.ride(seconds: 100)
  owner.stand(seconds: 310)
  let second = owner.news(.ride).last?.packet.ride
  #expect((495...506).contains(second?.distanceMetres ?? 0), "\(second?.distanceMetres ?? 0) m")
  #expect(owner.tracker.lastRideDistance.rounded() == Double(second?.distanceMetres ?? 0))
}

@Test func timeIsBroughtToAnInputByItsDoorAsWellAsBefore() {
  // Whether time is told before an input or with it makes no difference.
  for scene in NamedScene.all where !scene.hasSensor && scene.name != "late fixes" {
    var texts: [[String]] = []
    for isPunctual in [true, false] {
      var owner = scene.parked()
      owner.isPunctual = isPunctual
      scene.run(&owner)
      texts.append(owner.news().map(\.json))
    }
    #expect(texts[0] == texts[1], "\(scene.name)")
  }
}

@Test func anAlarmThatEndsBySwitchingAlertsOffLendsNothingToALaterRide() {
  var owner = Owner()
  owner.stand(seconds: 320)
  owner.ride(seconds: 20)
  #expect(owner.tracker.monitor.phase == .alarmed && owner.tracker.lastAlert == 1)
  owner.submit(.setAlerts(enabled: false))
  owner.stand(seconds: 30)
  _ = owner.news()
  owner.ride(seconds: 100)
  owner.stand(seconds: 310)
  let ride = owner.news(.ride).last?.packet.ride
  #expect((495...506).contains(ride?.distanceMetres ?? 0), "\(ride?.distanceMetres ?? 0) m")
}

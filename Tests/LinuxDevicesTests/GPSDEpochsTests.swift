import Quantities
import Testing

@testable import LinuxDevices

/// A report of a fix at a second of the test, with or without a position.
private func fix(_ seconds: Int, utc: Int? = nil, hasPosition: Bool = true) -> GNSSFix {
  var fix = GNSSFix(time: .seconds(seconds))
  fix.utc = UTCTime(microseconds: Int64(utc ?? 1_000_000 + seconds) * 1_000_000)
  fix.mode = hasPosition ? .threeDimensional : .none
  fix.position = hasPosition ? GeodeticPosition(latitudeE9: 1, longitudeE9: 2) : nil
  return fix
}

/// The epochs of a test.
private final class Epochs {
  private var epochs: GPSDEpochs

  init(device: String? = nil) { epochs = GPSDEpochs(device: device) }

  /// Takes a report that is no fix.
  func take(_ report: GPSDReport, at now: Instant) { #expect(epochs.receive(report, at: now) == nil) }

  /// Takes a fix of a receiver, and gives it whole when it counts.
  func taken(_ fix: GNSSFix, from device: String = "a") -> GNSSFix? {
    epochs.receive(.fix(fix, from: device), at: fix.time)
  }

  /// Takes a fix of a receiver; true when it counts.
  func takes(_ fix: GNSSFix, from device: String) -> Bool { taken(fix, from: device) != nil }

  var reasonForSilence: String { epochs.reasonForSilence }
  var facts: [(name: String, value: String)] { epochs.facts(at: .zero) }
}

@Test func anEpochThatIsReportedTwiceGivesOneFix() {
  let epochs = Epochs()
  #expect(epochs.takes(fix(1), from: "a"))
  #expect(!epochs.takes(fix(1), from: "a"))
  #expect(epochs.takes(fix(2), from: "a"))
  #expect(epochs.takes(fix(3, hasPosition: false), from: "a"))
  #expect(epochs.takes(fix(3), from: "a"), "the first with a position is news")
  #expect(!epochs.takes(fix(3, hasPosition: false), from: "a"))
}

@Test func epochsWithoutTimeAreToldApartByTheirArrival() {
  let epochs = Epochs()
  var now = Instant.seconds(1)
  func untimed() -> GNSSFix {
    var fix = GNSSFix(time: now)
    fix.mode = .none
    return fix
  }
  #expect(epochs.takes(untimed(), from: "a"))
  now = now + .milliseconds(20)
  #expect(!epochs.takes(untimed(), from: "a"))
  now = now + .milliseconds(100)
  #expect(epochs.takes(untimed(), from: "a"))
}

@Test func satellitesAndDilutionsOfTheSameReceiverGoWithAFixUnlessTheyAreOld() throws {
  let epochs = Epochs()
  var sky = GPSDSky(time: .seconds(1))
  sky.used = 7
  sky.inView[.gps] = 12
  sky.dilution.horizontal = 0.9
  epochs.take(.sky(sky, from: "a"), at: sky.time)
  sky.used = 3
  epochs.take(.sky(sky, from: "b"), at: sky.time)
  let whole = try #require(epochs.taken(fix(2)))
  #expect(whole.satellitesUsed == 7 && whole.satellitesInView[.gps] == 12 && whole.dilution.horizontal == 0.9)
  let later = try #require(epochs.taken(fix(12)))
  #expect(later.satellitesUsed == nil && later.dilution.horizontal == nil)
}

@Test func satellitesAndDilutionsThatComeApartAreJoined() throws {
  let epochs = Epochs()
  var satellites = GPSDSky(time: .seconds(1))
  satellites.used = 7
  var dilutions = GPSDSky(time: .seconds(2))
  dilutions.dilution.horizontal = 0.9
  epochs.take(.sky(satellites, from: "a"), at: .seconds(1))
  epochs.take(.sky(dilutions, from: "a"), at: .seconds(2))
  let whole = try #require(epochs.taken(fix(3)))
  #expect(whole.satellitesUsed == 7 && whole.dilution.horizontal == 0.9)
}

@Test func theReceiversOwnErrorsStandInPlaceOfThoseThatGPSDMakes() throws {
  let epochs = Epochs()
  var modelled = fix(1)
  modelled.horizontalAccuracy = 20
  modelled.verticalAccuracy = 30
  let own = GPSDErrors(utc: modelled.utc, north: 0.3, east: 0.4, up: 0.6)
  epochs.take(.errors(own, from: "a"), at: .seconds(1))
  let first = try #require(epochs.taken(modelled))
  #expect(first.horizontalAccuracy == GPSDAccuracy.radius(north: 0.3, east: 0.4))
  #expect(first.verticalAccuracy == 0.6)
  modelled.utc = UTCTime(microseconds: 1)
  let next = try #require(epochs.taken(modelled))
  #expect(next.horizontalAccuracy == 20 && next.verticalAccuracy == 30, "errors of another epoch")
}

@Test func twoReceiversAreNotMixed() {
  let epochs = Epochs()
  for second in 1...20 {
    #expect(epochs.takes(fix(second), from: "a"))
    #expect(!epochs.takes(fix(second, utc: 500 + second), from: "b"))
  }
}

@Test func aReceiverWithAFixTakesOverFiveSecondsAfterTheOtherLostItsOwn() {
  let epochs = Epochs()
  #expect(epochs.takes(fix(10), from: "a"))
  for second in 11...14 {
    #expect(epochs.takes(fix(second, hasPosition: false), from: "a"))
    #expect(!epochs.takes(fix(second), from: "b"))
  }
  #expect(epochs.takes(fix(15), from: "b"), "five seconds without")
  #expect(!epochs.takes(fix(16), from: "a"), "and it keeps its place")
  #expect(epochs.takes(fix(17), from: "b"))
}

@Test func aSilentReceiverLosesItsPlaceToo() {
  let epochs = Epochs()
  #expect(epochs.takes(fix(10), from: "a"))
  #expect(!epochs.takes(fix(14), from: "b"))
  #expect(epochs.takes(fix(15), from: "b"))
}

@Test func aReceiverThatNeverHadAFixMakesRoomAtOnce() {
  let epochs = Epochs()
  #expect(epochs.takes(fix(1, hasPosition: false), from: "a"))
  #expect(!epochs.takes(fix(1, utc: 5, hasPosition: false), from: "b"), "one without is as good as the other")
  #expect(epochs.takes(fix(2), from: "b"))
}

@Test func aReceiverThatIsUnpluggedMakesRoomAtOnce() {
  let epochs = Epochs()
  #expect(epochs.takes(fix(1), from: "a"))
  epochs.take(.device(GPSDDevice(path: "a", isActive: false)), at: .seconds(2))
  #expect(epochs.takes(fix(2), from: "b"))
}

@Test func onlyTheConfiguredReceiverCounts() {
  let epochs = Epochs(device: "/dev/b")
  #expect(!epochs.takes(fix(1), from: "/dev/a"))
  #expect(epochs.reasonForSilence == "has no receiver /dev/b; it has: /dev/a")
  #expect(epochs.takes(fix(2), from: "/dev/b"))
}

@Test func whatIsMissingIsSaidWithWhatToDo() {
  let epochs = Epochs()
  epochs.take(.devices([]), at: .zero)
  let advice = "add one with 'sudo gpsdctl add /dev/ttyUSB0' or in DEVICES of /etc/default/gpsd"
  #expect(epochs.reasonForSilence == "has no receiver; \(advice)")
  #expect(epochs.facts.map(\.value) == ["none; \(advice)"])
  epochs.take(.device(GPSDDevice(path: "/dev/a", driver: "NMEA0183")), at: .zero)
  #expect(epochs.reasonForSilence == "its receiver /dev/a sends nothing; check wiring and speed")
  epochs.take(.refusal("Can't open"), at: .zero)
  epochs.take(.device(GPSDDevice(path: "/dev/a", isActive: false)), at: .zero)
  #expect(
    epochs.reasonForSilence == "its receiver /dev/a is gone: unplugged, or not readable by gpsd; it says: Can't open")
  #expect(epochs.facts.first?.value == "/dev/a (NMEA0183, gone)")
}

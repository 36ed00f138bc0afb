import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

@Test func aRideIsReportedParkedAndSummedUp() throws {
  var owner = Owner()
  owner.stand(seconds: 20)
  owner.ride(seconds: 600)
  owner.stand(seconds: 20)
  owner.wait(until: owner.clock + .seconds(400))
  #expect(owner.tracker.monitor.phase == .parked && owner.tracker.monitor.isArmed)
  #expect(abs(owner.tracker.lastRideDistance - 3000) < 10)
  let packets = owner.news()
  #expect(packets.map(\.sequence).sorted() == Array(1...UInt32(packets.count)))
  let parking = try #require(packets.first { $0.kind == .parking })
  #expect(field("accuracy", parking.json) == "5.0")
  #expect(field("stale", parking.json) == "true")
  // The last fix came 20 s after the ride, parked 300 s after it.
  let age = try #require(field("fixAge", parking.json).flatMap(Double.init))
  #expect(age > 275 && age < 300)
  let ride = try #require(packets.first { $0.kind == .ride })
  #expect(ride.json.contains(#""ride":{"distance":30"#) || ride.json.contains(#""ride":{"distance":299"#))
  #expect(packets.count { $0.kind == .movement } == 0)
  #expect(owner.tracker.outbox.count == 0)
}

@Test func parkedWithoutAnyFixThePositionIsUnknownAndNotInvented() throws {
  var owner = Owner()
  owner.move(seconds: 310)
  let parking = try #require(owner.news(.parking).first)
  #expect(field("latitude", parking.json) == "null" && field("longitude", parking.json) == "null")
  #expect(field("utc", parking.json) == nil)
}

@Test func theTimeOfDayIsKnownOnceAReceiverTellsIt() throws {
  var owner = Owner()
  #expect(owner.tracker.utc(of: .zero) == nil)
  owner.clock = .seconds(100)
  let time = UTCTime(microseconds: 1_795_248_930_000_000)
  owner.fix(utc: time)
  #expect(owner.tracker.utc(of: .seconds(100)) == time)
  #expect(owner.tracker.utc(of: .seconds(40)) == time - .seconds(60))
  let packet = try #require(owner.news().first)
  #expect(field("utc", packet.json) == #""2026-11-21T08:15:30.000Z""#)
}

@Test func everyMovementIsDeliveredWithARisingAlertNumber() throws {
  var owner = Owner(hertz: 50)
  owner.move(seconds: 310)
  var numbers: [String?] = []
  for _ in 1...3 {
    owner.handle()
    owner.move(seconds: 62)
    // The owner has not answered: each is told again after a minute, by the same number.
    let told = owner.news(.movement)
    #expect(told.map { $0.packet.alert?.repetition } == [0, 1])
    numbers += told.prefix(1).map { field("id", $0.json.replacing("{\"id\"", with: ",\"id\"")) }
  }
  #expect(numbers == ["1", "2", "3"])
}

@Test func anAlertWaitsForTheServerHoweverLongItTakes() throws {
  var owner = Owner(hertz: 50)
  owner.move(seconds: 310)
  _ = owner.news()
  owner.acknowledges = false
  owner.handle()
  owner.wait(until: owner.clock + .seconds(86_400))
  // Handed over once; to bring it there, however often it takes, is delivery's.
  let told = owner.news(.movement)
  #expect(told.count == 1)
  owner.wait(until: owner.clock + .seconds(40 * 86_400))
  #expect((0..<owner.tracker.outbox.count).map { owner.tracker.outbox.name(at: $0).kind }.contains(.movement))
  owner.acknowledge(told[0].sequence)
  #expect(!(0..<owner.tracker.outbox.count).map { owner.tracker.outbox.name(at: $0).kind }.contains(.movement))
}

@Test func onlyTheNumberOfThePresentAlarmDismissesIt() {
  var owner = Owner(hertz: 50)
  owner.move(seconds: 310)
  owner.handle()
  #expect(owner.tracker.monitor.phase == .alarmed)
  for wrong in [0, 2, UInt32.max] {
    owner.submit(.dismiss(alert: wrong))
    #expect(owner.tracker.monitor.phase == .alarmed)
  }
  owner.submit(.dismiss(alert: 1))
  #expect(owner.tracker.monitor.phase == .settling)
  #expect(owner.events.contains { $0.kind == .dismissed(alert: 1) })
  owner.move(seconds: 310)
  owner.handle()
  // The old number says nothing about the new alarm.
  owner.submit(.dismiss(alert: 1))
  #expect(owner.tracker.monitor.phase == .alarmed)
  owner.submit(.dismiss(alert: 2))
  #expect(owner.tracker.monitor.phase == .settling)
}

/// Some receivers take two positions of one second for the same, and drop the second, be it an alert; others show that with the latest.
@Test func noTwoPositionsAreToldOfOneSecondAndTimeDoesNotRunBack() {
  var owner = Owner()
  let start: Int64 = 1_764_000_000
  var told: [Int64] = []
  for (milliseconds, count) in [(10_200, 2), (11_100, 1), (12_900, 1), (15_000, 1), (15_400, 1), (8_000, 1)] {
    if milliseconds > 10_000 {
      owner.clock = .milliseconds(milliseconds)
      owner.fix(speed: 0, utc: UTCTime(microseconds: (start * 1000 + Int64(milliseconds)) * 1000))
    } else {
      // The clock was an hour ahead.
      owner.clock = .milliseconds(20_000)
      owner.fix(speed: 0, utc: UTCTime(microseconds: (start - 3_600) * 1_000_000))
    }
    for _ in 0..<count { owner.submit(.locate) }
    for packet in owner.news(.location).map(\.packet) {
      let second = packet.epochSeconds ?? 0
      #expect((second * 1000 - (packet.toldTime?.microseconds ?? 0) / 1000).magnitude <= 2000)
      told.append(second - start)
    }
  }
  // The first fix is told by itself.
  #expect(told == [10, 11, 12, 13, 14, 15, 16, -3600], "\(told)")
}

/// More than four too many are not made up into the future, and a position that comes late keeps its time.
@Test func aPositionOfAReportIsToldFourSecondsLateAtMost() {
  var owner = Owner()
  let start: Int64 = 1_764_000_000
  var told: [Int64] = []
  for (milliseconds, count) in [(10_000, 9), (12_000, 7), (19_000, 1), (21_000, 1)] {
    owner.clock = .milliseconds(milliseconds)
    owner.fix(speed: 0, utc: UTCTime(microseconds: (start * 1000 + Int64(milliseconds)) * 1000))
    for _ in 0..<count { owner.submit(.locate) }
    let packets = owner.news(.location).map(\.packet)
    told += packets.map { packet in packet.timedPosition == nil ? 0 : packet.epochSeconds.map { $0 - start } ?? 0 }
  }
  #expect(told == [10, 11, 12, 13, 14, 0, 0, 0, 0, 0, 15, 16, 0, 0, 0, 0, 0, 19, 21], "\(told)")
}

/// The receiver hears nothing while somebody is at the vehicle: each repetition of the alert is one of its own, and the newest.
@Test func anAlertThatIsRepeatedIndoorsHasATimeOfItsOwnEachTime() {
  var owner = Owner(hertz: 50, isWatched: false)
  owner.fix(speed: 0, utc: UTCTime(microseconds: 1_764_000_000_000_000))
  owner.stand(seconds: 310)
  owner.handle(seconds: 260)
  let alerts = owner.news(.movement).map(\.packet)
  let seconds = alerts.map { $0.epochSeconds ?? 0 }
  #expect(alerts.count >= 4 && alerts.contains { $0.fixAge > .seconds(60) })
  #expect(seconds == Array(Set(seconds)).sorted(), "\(seconds)")
}

/// Traccar notifies nobody of what is a quarter of an hour old, and drops a position that has the time of another.
@Test func whatIsToldLongAfterTheLastFixHasATimeOfItsOwn() {
  var owner = Owner(hertz: 50, isWatched: false)
  let start: Int64 = 1_764_000_000_000_000
  owner.fix(speed: 0, utc: UTCTime(microseconds: start))
  let first = owner.clock
  owner.stand(seconds: 310)
  owner.handle(seconds: 260)
  for _ in 0..<4 {
    owner.handle(seconds: 20)
    owner.submit(.locate)
    owner.submit(.dismiss(alert: 99))
  }
  let told = owner.news().map(\.packet).filter { $0.position != nil && $0.fixAge >= .seconds(7) }
  #expect(told.count >= 10 && Set(told.map(\.kind)).count == 3, "\(told.map { "\($0.kind.name)" })")
  var times: Set<Int64> = []
  for packet in told {
    let time = (packet.toldTime?.microseconds ?? 0) - start
    let made = (packet.time - first).microseconds
    #expect((0...10_000).contains(time - made), "\(packet.kind.name) of \(made) µs is told as of \(time) µs")
    #expect(times.insert(time / 1000).inserted, "\(packet.kind.name)")
  }
}

@Test func anAnswerToAnOlderAlertOfAnAlarmEndsNoNewerOne() throws {
  var owner = Owner(hertz: 50)
  owner.stand(seconds: 310)
  owner.handle()
  owner.north += 300
  owner.clock = owner.sensor.time
  owner.stand(seconds: 30)
  #expect(owner.news(.movement).count >= 2)
  let newest = owner.tracker.lastAlert
  #expect(newest >= 2)
  let before = owner.tracker.monitor.phase
  // The owner answers the first notification of several, and may not have seen the last.
  for older in 1..<newest {
    owner.submit(.dismiss(alert: older))
    #expect(owner.tracker.monitor.phase == before && owner.tracker.isAlarmOpen)
    let answer = try #require(owner.news(.status).last).json
    #expect(field("reason", answer) == "\"newerAlert\"" && field("value", answer) == "\"\(newest)\"", "\(answer)")
  }
  #expect(!owner.events.contains { if case .dismissed = $0.kind { true } else { false } })
  owner.submit(.dismiss(alert: newest))
  #expect(owner.tracker.monitor.phase == .settling && !owner.tracker.isAlarmOpen)
  // That one may be answered again, as a message may come twice; the older ones end nothing afterwards either.
  owner.submit(.dismiss(alert: newest))
  owner.submit(.dismiss(alert: 1))
  #expect(owner.news(.status).suffix(2).map { field("reason", $0.json) } == ["\"dismissed\"", "\"newerAlert\""])
}

@Test func commandsAreAnsweredWithAStatusOrAPosition() {
  var owner = Owner()
  owner.submit(.setAlerts(enabled: false))
  #expect(owner.news().map(\.kind) == [.status])
  owner.submit(.locate)
  let located = owner.news()
  #expect(located.map(\.kind) == [.location])
  #expect(field("latitude", located.first?.json) == "null")
  owner.move(seconds: 310)
  #expect(!owner.tracker.monitor.isArmed && owner.tracker.monitor.phase == .parked)
  owner.submit(.setAlerts(enabled: true))
  let status = owner.news(.status)
  #expect(field("armed", status.first?.json) == "true")
}

@Test func liveTrackingReportsAtItsIntervalAndExpires() {
  var owner = Owner()
  owner.stand(seconds: 320)
  _ = owner.news()
  owner.submit(.track(interval: .seconds(2), duration: .seconds(20)))
  owner.stand(seconds: 60)
  #expect(abs(owner.news(.location).count - 10) <= 1)
  owner.stand(seconds: 60)
  #expect(owner.news(.location).isEmpty)
}

@Test func aParkedTrackerShowsALifeSignEveryHour() {
  var owner = Owner()
  owner.stand(seconds: 320)
  _ = owner.news()
  owner.wait(until: owner.clock + .seconds(10 * 3600))
  let signs = owner.news()
  #expect(signs.count == 10 && signs.allSatisfy { $0.kind == .location })
  #expect(signs.allSatisfy { field("stale", $0.json) == "true" })
}

@Test func anAlarmThatBecomesARideCountsEveryMetreOfIt() throws {
  var owner = Owner()
  owner.stand(seconds: 320)
  owner.ride(seconds: 60)
  owner.submit(.dismiss(alert: 1))
  owner.ride(seconds: 140)
  owner.stand(seconds: 320)
  #expect(abs(owner.tracker.lastRideDistance - 1000) < 20, "\(owner.tracker.lastRideDistance) m")
}

@Test func aReceiverThatWandersDuringAnAlarmAddsNoDistance() {
  var owner = Owner(hertz: 50)
  owner.stand(seconds: 320)
  owner.handle()
  #expect(owner.tracker.monitor.phase == .alarmed)
  let before = owner.tracker.distance
  owner.clock = owner.sensor.time
  for second in 0..<50 {
    owner.clock = owner.clock + .seconds(1)
    owner.wander = second % 2 == 0 ? 4 : -4
    owner.fix(speed: 0.1)
  }
  #expect(owner.tracker.distance - before < 1, "\(owner.tracker.distance - before) m")
}

@Test func lateInputsAreCountedAndChangeNothing() {
  var owner = Owner()
  owner.stand(seconds: 30)
  owner.move(seconds: 5)
  let phase = owner.tracker.monitor.phase
  let now = owner.tracker.now
  owner.process(InertialSample(time: .seconds(1), angularRate: .zero, specificForce: Vector3(0, 0, 9)))
  var late = GNSSFix(time: .seconds(3))
  (late.mode, late.position, late.speed) = (.threeDimensional, owner.tracker.lastFix?.position, 9)
  owner.process(late)
  owner.advance(to: .zero)
  owner.process(InertialSample(time: now, angularRate: Vector3(.nan, 0, 0)))
  owner.acknowledge(4711)
  owner.receive([1, 2, 3], from: .uplink, at: now)
  owner.clock = now + .seconds(1)
  owner.noFix()
  let diagnostics = owner.tracker.diagnostics
  #expect(diagnostics.samplesOutOfOrder == 1 && diagnostics.fixesOutOfOrder == 1)
  #expect(diagnostics.samplesInvalid == 1 && diagnostics.bytesIgnored == 3)
  #expect(diagnostics.acknowledgementsUnknown == 1 && diagnostics.fixesWithoutPosition == 1)
  #expect(owner.tracker.monitor.phase == phase)
}

@Test func bytesOfAReceiverGiveTheSameHoweverTheyAreCut() {
  let log = Array(
    ("$GPGGA,101500,5321.0000,N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,*6B\r\n"
      + "$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*5B\r\n").utf8)
  var results: Set<String> = []
  for size in [1, 2, 7, 64, log.count] {
    var owner = Owner(isWatched: false)
    var place = 0
    while place < log.count {
      let end = min(place + size, log.count)
      owner.receive(Array(log[place..<end]), at: .seconds(1))
      place = end
    }
    owner.wait(until: .seconds(10))
    results.insert(owner.news().map(\.json).joined())
  }
  #expect(results.count == 1)
  #expect(results.first?.contains(#""latitude":53.3500000,"longitude":-6.2500000"#) == true)
}

@Test func fixLossIsToldOnceAfterThirtySeconds() {
  var owner = Owner()
  owner.stand(seconds: 10)
  for _ in 0..<100 {
    owner.clock = owner.clock + .seconds(1)
    owner.noFix()
  }
  owner.stand(seconds: 5)
  let lost = owner.events.filter { if case .fixLost = $0.kind { true } else { false } }
  let acquired = owner.events.filter { if case .fixAcquired = $0.kind { true } else { false } }
  #expect(lost.count == 1 && acquired.count == 2)
  #expect(lost.first?.kind == .fixLost(since: .seconds(11)))
  #expect(acquired.last?.kind == .fixAcquired(after: .seconds(100)))
}

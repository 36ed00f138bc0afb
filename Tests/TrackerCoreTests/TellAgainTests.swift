import MotionDetection
import Quantities
import Telemetry
import Testing
import TrackerCore

/// A bike that is handled once, parked by its sensor.
private func handled(_ change: (inout TrackerConfiguration) -> Void = { _ in }) -> Owner {
  var owner = Owner(hertz: 50, change: change)
  owner.move(seconds: 310)
  _ = owner.news()
  owner.handle()
  return owner
}

/// A bike that is ridden off and stands elsewhere; nobody answers.
private func stolen(_ change: (inout TrackerConfiguration) -> Void = { _ in }) -> Owner {
  var owner = Owner(change: change)
  owner.stand(seconds: 320)
  owner.ride(seconds: 60, course: nil)
  #expect(owner.tracker.monitor.phase == .stolen)
  return owner
}

private func repetitions(_ owner: inout Owner) -> [(time: Instant, count: UInt16)] {
  owner.news(.movement).compactMap { sent in
    guard let alert = sent.packet.alert, alert.repetition > 0 else { return nil }
    return (sent.time, alert.repetition)
  }
}

@Test func anAlertWithoutAnAnswerIsToldAgainEveryMinuteForHalfAnHourAndThenEveryTenMinutes() throws {
  var owner = stolen()
  owner.wait(until: owner.clock + .seconds(4 * 3600))
  let again = repetitions(&owner)
  #expect(again.map(\.count) == Array(1...UInt16(again.count)), "they are counted")
  let gaps = zip(again, again.dropFirst()).map { ($1.time - $0.time).secondsDouble }
  let early = gaps.prefix { $0 == 60 }.count
  #expect((28...30).contains(early) && gaps.dropFirst(early).allSatisfy { $0 == 600 } && gaps.count > 40)
}

@Test func anAnswerEndsTheTellingAgain() throws {
  var owner = stolen()
  owner.wait(until: owner.clock + .seconds(130))
  #expect(repetitions(&owner).count >= 2)
  owner.submit(.dismiss(alert: owner.tracker.lastAlert))
  owner.wait(until: owner.clock + .seconds(3600))
  #expect(repetitions(&owner).isEmpty)
}

@Test func anAlarmThatHasGoneQuietIsToldAgainUntilSomebodyAnswers() {
  var owner = handled()
  owner.move(seconds: 300)
  #expect(owner.tracker.monitor.phase == .parked && owner.tracker.monitor.isArmed, "watched as before")
  let isOpen = owner.tracker.isAlarmOpen
  #expect(isOpen, "and somebody is to answer")
  #expect((3...5).contains(repetitions(&owner).count))
  owner.wait(until: owner.clock + .seconds(3600))
  let later = repetitions(&owner)
  let gaps = zip(later, later.dropFirst()).map { ($1.time - $0.time).secondsDouble }
  #expect(gaps.allSatisfy { $0 == 60 || $0 == 600 } && gaps.first == 60 && gaps.last == 600)
  owner.submit(.dismiss(alert: owner.tracker.lastAlert))
  #expect(owner.news(.status).last?.packet.status?.reason == .dismissed)
  let isStillOpen = owner.tracker.isAlarmOpen
  #expect(!isStillOpen && owner.tracker.monitor.isArmed, "the answer does not disarm what stands")
  owner.wait(until: owner.clock + .seconds(3600))
  #expect(repetitions(&owner).isEmpty)
}

@Test func whatMovesAfterAQuietAlarmIsANewAlertAndOnlyThatIsToldAgain() {
  var owner = handled()
  owner.move(seconds: 300)
  let first = owner.tracker.lastAlert
  _ = owner.news()
  owner.handle()
  owner.move(seconds: 300)
  let alerts = owner.news(.movement).compactMap(\.packet.alert)
  #expect(alerts.first?.repetition == 0 && alerts.allSatisfy { $0.id == first + 1 } && alerts.count > 3)
  owner.submit(.dismiss(alert: first))
  let answer = owner.news(.status).last
  #expect(answer?.packet.status?.reason == .newerAlert, "that one is over and replaced")
  #expect(answer?.json.contains("\"value\":\"\(first + 1)\"") == true, "by the one to be answered")
  owner.submit(.dismiss(alert: first + 1))
  owner.submit(.dismiss(alert: first))
  #expect(owner.news(.status).last?.packet.status?.reason == .unknownAlert, "nothing is left to be answered")
  owner.wait(until: owner.clock + .seconds(3600))
  #expect(repetitions(&owner).isEmpty)
}

@Test(arguments: [10.0, 300]) func anUnansweredAlertIsToldAgainAfterARestartQuietOrNot(seconds: Double) {
  var owner = handled()
  owner.move(seconds: seconds)
  let alert = owner.tracker.lastAlert
  let before = owner.news(.movement).compactMap(\.packet.alert).last?.repetition ?? 0
  owner.restart()
  owner.wait(until: owner.clock + .seconds(61))
  let again = owner.news(.movement).compactMap(\.packet.alert)
  #expect(again.map(\.id) == [alert] && again.map(\.repetition) == [before + 1])
  owner.submit(.dismiss(alert: alert))
  owner.restart()
  owner.wait(until: owner.clock + .seconds(3600))
  #expect(repetitions(&owner).isEmpty)
}

@Test func whatGoesOffAsARideOrIsSwitchedOffIsNotToldAgain() {
  for isRidden in [true, false] {
    var owner = Owner()
    owner.stand(seconds: 320)
    owner.ride(seconds: 10, course: nil)
    owner.stand(seconds: 100)
    let isOpen = owner.tracker.isAlarmOpen
    #expect(owner.tracker.lastAlert == 1 && isOpen)
    owner.submit(.setAlerts(enabled: false))
    if isRidden { owner.ride(seconds: 60, course: nil) }
    _ = owner.news()
    owner.wait(until: owner.clock + .seconds(3600))
    let isStillOpen = owner.tracker.isAlarmOpen
    #expect(repetitions(&owner).isEmpty && !isStillOpen)
  }
}

@Test func whatNobodyHasYetIsNotToldAgain() {
  var owner = stolen()
  _ = owner.news()
  owner.acknowledges = false
  owner.wait(until: owner.clock + .seconds(3600))
  #expect(repetitions(&owner).count == 1, "one waits, and no other is put behind it")
}

@Test func aTheftIsToldAgainAfterARestart() {
  var owner = stolen()
  owner.wait(until: owner.clock + .seconds(130))
  let before = repetitions(&owner).last?.count ?? 0
  owner.restart()
  owner.wait(until: owner.clock + .seconds(61))
  #expect(repetitions(&owner).map(\.count) == [before + 1])
}

@Test func howOftenAnAlertIsToldAgainIsASetting() {
  var owner = stolen {
    $0.reports.repeatInterval = .seconds(30)
    $0.reports.repeatFor = .seconds(90)
    $0.reports.lateRepeatInterval = .seconds(300)
  }
  _ = owner.news()
  owner.wait(until: owner.clock + .seconds(1800))
  let times = repetitions(&owner).map(\.time)
  let gaps = zip(times, times.dropFirst()).map { ($1 - $0).secondsDouble }
  #expect(gaps.contains(300) && gaps.allSatisfy { $0 == 30 || $0 == 300 } && gaps.last == 300)
}

@Test func aRideThatBeginsIsToldAtOnceWithItsPlace() {
  var owner = Owner()
  owner.submit(.setAlerts(enabled: false))
  owner.stand(seconds: 320)
  _ = owner.news()
  let start = owner.clock
  owner.ride(seconds: 20, course: nil)
  let first = owner.news(.location).first
  #expect(
    first.map { $0.time - start <= .seconds(5) && $0.packet.phase == .riding && $0.packet.fixAge == .zero } == true)
}

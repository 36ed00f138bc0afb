import Quantities
import Requests
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Each request ends in a changed behaviour that a later packet shows.
@Suite struct RequestTests {
  @Test func whatOnlyReadsIsAnsweredAndChangesNothing() throws {
    let bench = try RequestBench.parked()
    for (text, answer) in [
      ("#1 ping", "pong"), ("#2 status", "asked"), ("#3 info", "info"), ("#4 get reports.distance", "setting"),
    ] {
      #expect(try bench.ask(text) == answer)
      let told = bench.news()
      #expect(told.count == 1 && told[0].contains("\"request\":\(text.dropFirst().prefix(1))"))
    }
    #expect(try bench.ask("get reports.distance") == "setting")
    #expect(bench.news().first?.contains("\"value\":\"250.0\"") == true)
    #expect(try bench.ask("get motion.armAfter") == "setting")
    #expect(bench.news().first?.contains("\"value\":\"10.0\"") == true)
    #expect(try bench.ask("get motion.nonsense") == "unreadable")
    for (question, answer, value) in [
      ("settings", "settings", "60 s 250 m"), ("fences", "fences", "none"),
      ("steps 1700000000 1799999999", "steps", "1700000000+99999999"),
    ] {
      #expect(try bench.ask("status \(question)") == answer)
      #expect(bench.news().first?.contains("\"value\":\"\(value)\"") == true)
    }
    #expect(try bench.ask("status steps") == "steps" && bench.news().first?.contains("value") == false)
    #expect(bench.run.isArmed)
  }

  /// A phone begins a message with a capital, and who is alarmed writes in capitals.
  @Test func capitalsCountAsSmallLetters() throws {
    for (text, meaning) in [
      ("Dismiss 3", "dismiss 3"), ("LOCATE", "locate"), ("Track Off", "track off"), ("Alerts On", "alerts on"),
      ("Fence 1 Set \"Garden\" Circle 52.1,4.1 50", "fence 1 set \"Garden\" circle 52.1,4.1 50"),
      ("Alarm 1 Set up At 07:30 Weekdays", "alarm 1 set up at 07:30 weekdays"),
    ] {
      let request = try #require(Request(text: text), "\(text)")
      #expect(request == Request(text: meaning), "\(text)")
    }
    let bench = try RequestBench.parked()
    #expect(try bench.ask("Disarm") == "disarmed" && !bench.run.isArmed)
    for text in ["D\u{E9}smiss 3", "[ismiss 3", "\u{4}ismiss 3", "Alerts o\u{E}"] {
      #expect(Request(text: text) == nil)
    }
  }

  @Test func aQuestionReadsBackAndAnythingElseIsNone() throws {
    for text in [
      "status", "status settings", "status fences", "status trip", "status steps", "status steps 0 99999999",
    ] {
      let request = try #require(Request(text: text))
      var sink = ByteBuffer()
      request.encode(into: &sink)
      #expect(String(decoding: sink.bytes, as: UTF8.self) == text)
    }
    for text in [
      "status x", "status settings fences", "status trip 1", "status steps 1", "status steps 1 x", "status steps 5 4",
      "status steps 0 0",
      "status steps 0 100000000", "status steps 1 4294967296", "status steps 1 2 3", "status steps -1 2",
    ] { #expect(Request(text: text) == nil, "\(text)") }
  }

  @Test func aCommandOfAnotherFormIsRefusedUnderAReasonOfItsOwn() throws {
    let bench = try RequestBench.parked()
    for text in ["cmd", "cmd dump", "#3 cmd dump"] { #expect(try bench.ask(text, .way(0)) == "unsupported") }
    #expect(try bench.ask("cmdx", .way(0)) == "unreadable" && bench.ask("x cmd", .way(0)) == "unreadable")
    #expect(bench.news().isEmpty && bench.run.look { $0.requestsRefused(.unsupported) } == 3)
  }

  @Test func alertsOffLastsUntilTheyAreOn() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("alerts off") == "alertsOff")
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) == 0)
    #expect(try bench.ask("arm") == "alertsOff", "stronger than arm")
    #expect(try bench.ask("alerts on") == "alertsOn")
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) >= 1)
  }

  @Test func disarmLastsUntilArmAndOverARestart() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("#5 disarm") == "disarmed")
    let told = bench.news()
    #expect(told.last?.contains("\"armed\":false") == true && told.last?.contains("\"alertsEnabled\":true") == true)
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) == 0)
    let next = try RequestBench(restoring: bench.state, from: bench.second + 100)
    try next.stand(30)
    try next.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(next.news()) == 0)
    #expect(try next.ask("arm") == "armed" && next.run.isArmed, "at once where it is parked")
    try next.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(next.news()) >= 1)
  }

  @Test func disarmEndsAtTheNextParking() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("disarm") == "disarmed")
    // A ride of a minute, and parked elsewhere.
    for step in 0..<60 {
      try bench.ride(to: Double(step) * 8)
    }
    try bench.stand(120)
    #expect(bench.run.isArmed)
    #expect(bench.news().contains { $0.contains("\"type\":\"parking\"") })
  }

  @Test func dismissEndsTheAlarmOfThatAlertAndNoOther() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("dismiss 99") == "unknownAlert")
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) >= 1)
    #expect(try bench.ask("dismiss 99") == "unknownAlert")
    #expect(try bench.ask("dismiss 1") == "dismissed")
    _ = bench.news()
    try bench.stand(200)
    #expect(!bench.news().contains { $0.contains("repetition") }, "it is not told again")
  }

  @Test func foundEndsWhateverAlarmThereIs() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("found") == "nothingToFind")
    try bench.stand(20, leaning: 0.3)
    #expect(try bench.ask("#9 found") == "found")
    #expect(bench.news().last?.contains("\"reason\":\"found\"") == true)
    try bench.stand(200)
    #expect(!bench.news().contains { $0.contains("repetition") })
    let quiet = try RequestBench.parked()
    try quiet.stand(20, leaning: 0.3)
    try quiet.stand(200)
    #expect(quiet.news().contains { $0.contains("repetition") }, "nobody has answered, though it is quiet")
    #expect(try quiet.ask("#10 found") == "found")
    _ = quiet.news()
    try quiet.stand(200)
    #expect(!quiet.news().contains { $0.contains("repetition") })
    #expect(try quiet.ask("found") == "nothingToFind")
  }

  @Test func locateAndTrackSendPositions() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("locate") == "obeyed")
    #expect(bench.news().map { $0.contains("\"type\":\"location\"") } == [true])
    #expect(try bench.ask("#6 locate") == "located")
    #expect(bench.news().count == 2)
    #expect(try bench.ask("#7 track 2 10") == "tracking")
    _ = bench.news()
    for _ in 0..<30 { try bench.fix() }
    let count = bench.news().filter { $0.contains("\"type\":\"location\"") }.count
    #expect((4...6).contains(count), "every 2 s for 10 s, and then no more: \(count)")
  }

  @Test func aShortSoundDoesNotEndALongerOne() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("buzzer 60") == "sounding" && bench.ask("buzzer 5 pulse") == "sounding")
    #expect(bench.sounds == ["steady 60.0"], "the longer one goes on")
    try bench.wait(50)
    #expect(try bench.ask("buzzer 5") == "sounding" && bench.sounds.count == 1, "it has ten seconds left")
    #expect(try bench.ask("buzzer 11 pulse") == "sounding" && bench.sounds.last == "pulse 11.0")
    try bench.wait(11)
    #expect(try bench.ask("buzzer 1") == "sounding" && bench.sounds.last == "steady 1.0", "nothing sounds any more")
    #expect(try bench.ask("buzzer 600") == "sounding" && bench.ask("hush") == "hushed")
    #expect(try bench.ask("buzzer 2") == "sounding" && bench.sounds.last == "steady 2.0", "what was hushed is over")
  }

  @Test func theBuzzerSoundsAsLongAsItIsAsked() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("buzzer 2 pulse") == "sounding" && bench.ask("buzzer 5") == "sounding")
    #expect(bench.sounds == ["pulse 2.0", "steady 5.0"])
    #expect(try bench.ask("buzzer 3600") == "sounding")
    for text in ["buzzer 3601", "buzzer 0", "buzzer", "buzzer 5 loud", "buzzer 5 pulse 5"] {
      #expect(try bench.ask(text) == "unreadable", "\(text)")
    }
    #expect(bench.news().filter { $0.contains("\"reason\":\"sounding\"") }.count == 3)
  }

  @Test func privacyWithholdsPositionsAndNothingElse() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("privacy on") == "privacyOn")
    #expect(try bench.ask("locate") == "obeyed")
    let told = bench.news()
    #expect(told.allSatisfy { $0.contains("\"latitude\":null") && $0.contains("\"private\":true") })
    try bench.stand(20, leaning: 0.3)
    let alerts = bench.news()
    #expect(RequestBench.alertCount(alerts) >= 1 && alerts.allSatisfy { $0.contains("\"latitude\":null") })
    let next = try RequestBench(restoring: bench.state, from: bench.second + 100)
    #expect(try next.ask("locate") == "obeyed")
    #expect(next.news().last?.contains("\"private\":true") == true, "over a restart, too")
    #expect(try next.ask("privacy off") == "privacyOff" && next.ask("locate") == "obeyed")
    #expect(next.news().last?.contains("\"latitude\":52.0000000") == true)
  }

  @Test func aTheftEndsPrivacy() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("privacy on") == "privacyOn")
    for step in 0..<90 { try bench.ride(to: Double(step) * 8) }
    let told = bench.news()
    #expect(bench.run.phase == .stolen)
    #expect(told.contains { $0.contains("\"reason\":\"privacyOff\"") })
    #expect(told.last?.contains("\"latitude\":52.0") == true)
  }

  @Test func aRebootIsToldBeforeAndAfter() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("#77 reboot") == "rebooting" && bench.restarts == 1)
    try bench.stand(5)
    #expect(bench.restarts == 1, "once")
    let next = try RequestBench(restoring: bench.state, from: bench.second + 10)
    try next.stand(1)
    let told = next.news()
    #expect(told.contains { $0.contains("\"reason\":\"rebooted\"") && $0.contains("\"request\":77") })
    #expect(next.restarts == 0)
    let third = try RequestBench(restoring: next.state, from: next.second + 10)
    try third.stand(1)
    #expect(!third.news().contains { $0.contains("rebooted") } && third.restarts == 0)
  }

  @Test func aNumberedRequestIsObeyedOnceAndAnsweredAgain() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("#17 alerts off") == "alertsOff" && bench.ask("alerts on") == "alertsOn")
    #expect(try bench.ask("#17 alerts off") == "repeated")
    #expect(bench.run.look { $0.monitor.alertsEnabled })
    let next = try RequestBench(restoring: bench.state, from: bench.second + 10)
    #expect(try next.ask("#17 alerts off") == "repeated", "over a restart, too")
    // Eight numbers later it is new.
    for number in 18...25 { #expect(try next.ask("#\(number) alerts on") == "alertsOn") }
    #expect(try next.ask("#17 alerts off") == "alertsOff")
    // What only reads uses no number up.
    #expect(try next.ask("#30 ping") == "pong" && next.ask("#30 ping") == "pong")
    #expect(try next.ask("#30 alerts on") == "alertsOn")
  }

  @Test func settingsOfWhichNobodyHearsAreTakenBack() throws {
    var tracker = Tracker()
    func drain(_ tracker: inout Tracker) -> [StatusReason] {
      var told: [StatusReason] = []
      while let action = tracker.nextAction() {
        guard case .transmit(let sequence, _) = action, let place = tracker.outbox.place(of: sequence) else { continue }
        if let status = tracker.outbox.packet(at: place).status { told.append(status.reason) }
      }
      return told
    }
    let request = try #require(Request(text: "set reports.distance 500 reports.alarmInterval 20"))
    // Nobody was ever reached: the settings are not the reason.
    tracker.submit(request, at: .seconds(1))
    #expect(drain(&tracker) == [.settingsChanged])
    tracker.advance(to: .seconds(700))
    _ = drain(&tracker)
    #expect(tracker.configuration.reports.distance == 500)
    // Reached, changed, reached: proven.
    tracker.acknowledge(1, at: .seconds(701))
    _ = drain(&tracker)
    let other = try #require(Request(text: "set reports.distance 300 reports.alarmInterval 30"))
    tracker.submit(other, at: .seconds(702))
    _ = drain(&tracker)
    tracker.acknowledge(2, at: .seconds(703))
    _ = drain(&tracker)
    tracker.advance(to: .seconds(1400))
    _ = drain(&tracker)
    #expect(tracker.configuration.reports.distance == 300)
    // Changed, and silence: taken back after ten minutes and not before.
    tracker.submit(request, at: .seconds(1500))
    _ = drain(&tracker)
    tracker.advance(to: Instant.seconds(2100) - Interval(microseconds: 1))
    #expect(drain(&tracker) == [] && tracker.configuration.reports.distance == 500)
    tracker.advance(to: .seconds(2100))
    #expect(drain(&tracker) == [.settingsTakenBack])
    #expect(tracker.configuration.reports.distance == 300)
    #expect(tracker.configuration.reports.alarmInterval == .seconds(30))
  }
}

extension RequestBench {
  /// A second of riding: the sensor shakes, and the fix is so many metres north.
  func ride(to north: Double) throws {
    try shake()
    var fix = GNSSFix(time: .seconds(second) + .milliseconds(990))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 52_000_000_000 + Int64(north * 8_990), longitudeE9: 4_000_000_000)
    fix.horizontalAccuracy = 3
    fix.speed = 8
    fix.course = 0
    fix.utc = UTCTime(microseconds: (1_764_000_000 + Int64(second)) * 1_000_000 + 990_000)
    try run.feed(.fix(fix))
  }

  private func shake() throws {
    advanceSecond()
    for step in 0..<24 {
      let wave = Float((step &* 7) % 5 - 2)
      try run.feed(
        .inertial(
          InertialSample(
            time: .milliseconds(1000 * second + 40 * step), angularRate: Vector3(0.2 * wave, -0.1 * wave, 0.1),
            specificForce: Vector3(wave, -wave, 9.81 + 1.5 * wave))))
    }
  }
}

import Quantities
import Testing
import TrackerCore
import TrackerRuntime

/// Secure places: where parking is not told, and movement is no theft by itself.
@Suite struct SecurePlaceTests {
  /// A tracker that has just been parked, with the number of the packet that asks.
  private func parked(_ bench: RequestBench) throws -> Int {
    try bench.fix()
    try bench.stand(60)
    try #require(bench.run.isArmed)
    return try #require(
      packets(bench.news(), of: "parking").last.flatMap { number("sequence", in: $0) }.map { Int($0) })
  }

  /// A minute away and back, and parked again.
  private func ride(_ bench: RequestBench) throws {
    _ = try bench.ask("disarm")
    for step in 0..<60 { try bench.ride(to: Double(step) * 8) }
    for step in (0..<60).reversed() { try bench.ride(to: Double(step) * 8) }
    try bench.fix()
    try bench.stand(60)
  }

  @Test func aParkingPlaceAsksUntilItIsSecureAndThenNeverAgain() throws {
    let bench = try RequestBench()
    let question = try parked(bench)
    #expect(bench.run.look { $0.placeQuestion } == UInt32(question))
    #expect(try bench.ask("#4 secure \(question) \"the shed\"") == "secured")
    #expect(bench.news().last?.contains("\"place\":{\"number\":1,\"name\":\"the shed\"}") == true)
    #expect(bench.run.look { $0.placeQuestion } == nil && bench.run.look { $0.parkedPlace } == 1)
    try ride(bench)
    let news = bench.news()
    #expect(!packets(news, of: "ride").isEmpty && packets(news, of: "parking").isEmpty)
  }

  @Test func temporaryIsAskedAgainEachTime() throws {
    let bench = try RequestBench()
    _ = try parked(bench)
    #expect(try bench.ask("temporary") == "temporary")
    #expect(try bench.ask("temporary") == "unknownParking", "that is answered")
    try ride(bench)
    #expect(packets(bench.news(), of: "parking").count == 1)
  }

  @Test func anAnswerToAnotherQuestionIsNone() throws {
    let bench = try RequestBench()
    #expect(try bench.ask("secure") == "unknownParking" && bench.ask("temporary") == "unknownParking")
    // It has come to stand and is not parked yet: nothing was asked.
    try bench.fix()
    try bench.stand(2)
    #expect(bench.run.phase != .parked && bench.run.look { $0.placeQuestion } == nil)
    #expect(try bench.ask("secure") == "unknownParking" && bench.ask("temporary") == "unknownParking")
    let question = try parked(bench)
    #expect(try bench.ask("secure \(question + 1)") == "unknownParking")
    #expect(try bench.ask("secure") == "secured" && bench.ask("secure") == "secured")
    #expect(try bench.ask("place list") == "rules")
    #expect(bench.news().last?.contains("\"value\":\"1\"") == true, "said twice it is one place")
  }

  @Test func movementThereIsANoticeOnceAndNoAlert() throws {
    for (policy, notices, alerts) in [("notice", 1, 0), ("silent", 0, 0), ("alert", 0, 1)] {
      let bench = try RequestBench()
      _ = try parked(bench)
      #expect(try bench.ask("secure") == "secured")
      #expect(try bench.ask("set rules.secureMovement \(policy)") == "settingsChanged")
      _ = bench.news()
      try bench.stand(150, leaning: 0.3)
      let news = bench.news()
      #expect(RequestBench.alertCount(news) == alerts, "\(policy)")
      let isTold = { (name: String) in bench.events.contains { $0.contains("\"event\":\"\(name)\"") } }
      #expect(isTold("movement") == (alerts == 1) && isTold("movedInPlace") == (alerts == 0), "\(policy)")
      #expect(packets(news, of: "movement").count >= alerts * 2, "\(policy): it is told again")
      let told = packets(news, of: "status").filter { $0.contains("\"reason\":\"movedInPlace\"") }
      #expect(told.count == notices, "\(policy)")
      if let notice = told.first {
        #expect(notice.contains("\"detector\":") && notice.contains("\"place\":{\"number\":1,\"name\":\"place 1\"}"))
      }
    }
  }

  @Test func movementThatNothingGuardsIsANoticeWithoutAPlace() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("alarm 1 set work guard from 03:00 to 03:01") == "ruleChanged")
    _ = bench.news()
    try bench.stand(150, leaning: 0.3)
    let notices = packets(bench.news(), of: "status").filter { $0.contains("\"reason\":\"movedInPlace\"") }
    #expect(notices.count == 1 && !notices[0].contains("\"place\":"))
  }

  @Test func touchesThereAreToldOnlyWhereMovementIsAnAlert() throws {
    for (policy, touches) in [("notice", 0), ("silent", 0), ("alert", 1)] {
      let bench = try RequestBench()
      _ = try parked(bench)
      #expect(try bench.ask("secure") == "secured")
      #expect(try bench.ask("set rules.secureMovement \(policy) alerts.touchInterval 60") == "settingsChanged")
      _ = bench.news()
      try bench.stand(1, leaning: 0.02)
      try bench.stand(20)
      let told = packets(bench.news(), of: "status").filter { $0.contains("\"reason\":\"touched\"") }
      #expect(told.count == touches, "\(policy)")
    }
  }

  @Test func whoRidesOffFromThereIsOnARideAndIsNoThief() throws {
    let bench = try RequestBench()
    _ = try parked(bench)
    #expect(try bench.ask("secure") == "secured")
    _ = bench.news()
    for step in 0..<120 { try bench.ride(to: Double(step) * 8) }
    #expect(RequestBench.alertCount(bench.news()) == 0 && bench.run.phase == .riding)
  }

  @Test func anOpenedBoxIsAnAlertEverywhere() throws {
    let bench = try RequestBench()
    _ = try parked(bench)
    #expect(try bench.ask("secure") == "secured")
    bench.advanceSecond()
    var contacts = Contacts()
    contacts[.tamper] = false
    try bench.run.feed(.reading(.contacts(ContactReading(time: .seconds(bench.second), contacts))))
    bench.advanceSecond()
    contacts[.tamper] = true
    try bench.run.feed(
      .reading(.contacts(ContactReading(time: .seconds(bench.second), contacts))))
    #expect(RequestBench.alertCount(bench.news()) == 1)
  }

  @Test func placesComeFromTheOwnerToo() throws {
    let bench = try RequestBench()
    for (text, answer) in [
      ("place 1 set \"home\" 52.0,4.0 60", "ruleChanged"), ("place 2 set \"far\" 53.0,4.0 60", "ruleChanged"),
      ("place 3 set \"x\" 52.0,4.0 0", "unreadable"), ("place 3 set \"x\" 52.0,4.0 0.5", "ruleRefused"),
      ("place 3 set \"x\" 92.0,4.0 60", "ruleRefused"), ("place 3 set \"x\" here 60", "ruleRefused"),
      ("place 2 delete", "ruleChanged"), ("place 2 delete", "ruleRefused"), ("place 2", "ruleRefused"),
      // No place is on or off.
      ("place 1 on", "unreadable"), ("place 1 off", "unreadable"), ("place only 1", "unreadable"),
    ] { #expect(try bench.ask(text) == answer, "\(text)") }
    try bench.fix()
    try bench.stand(60)
    #expect(packets(bench.news(), of: "parking").isEmpty && bench.run.look { $0.parkedPlace } == 1)
    for number in 2...6 { #expect(try bench.ask("place \(number) set x 50.0,1.0 60") == "ruleChanged") }
    #expect(try bench.ask("place 7 set x 50.0,1.0 60") == "ruleRefused")
    #expect(bench.news().last?.contains("\"value\":\"tableFull places\"") == true)
  }

  @Test func howFarASecurePlaceReachesIsASetting() throws {
    for (radius, isSecure) in [(200, true), (100, false)] {
      let bench = try RequestBench()
      _ = try parked(bench)
      #expect(try bench.ask("set rules.placeRadius \(radius)") == "settingsChanged" && bench.ask("secure") == "secured")
      _ = try bench.ask("disarm")
      for step in 0..<60 { try bench.ride(to: Double(step) * 8) }
      for step in (20..<60).reversed() { try bench.ride(to: Double(step) * 8) }
      for _ in 0..<60 { try bench.fix(north: 160) }
      try bench.stand(60)
      #expect(packets(bench.news(), of: "parking").isEmpty == isSecure, "\(radius)")
    }
  }

  @Test func aQuestionIsWithdrawnOnceItIsAnsweredByOtherMeansOrLeft() throws {
    func asks(_ state: [UInt8], _ second: Int) throws -> UInt32? {
      try RequestBench(restoring: state, from: second + 10).run.look { $0.placeQuestion }
    }
    let said = try RequestBench()
    _ = try parked(said)
    #expect(try asks(said.state, said.second) != nil)
    #expect(try said.ask("place 1 set \"h\" \(RequestBench.place(0, 0)) 60") == "ruleChanged")
    #expect(said.run.look { $0.placeQuestion } == nil)
    #expect(try asks(said.state, said.second) == nil && said.ask("temporary") == "unknownParking")

    let left = try RequestBench()
    let question = try parked(left)
    #expect(try left.ask("disarm") == "disarmed")
    for step in 0..<60 { try left.ride(to: Double(step) * 8) }
    #expect(left.run.phase == .riding && left.run.look { $0.placeQuestion } == nil)
    #expect(try asks(left.state, left.second) == nil && left.ask("secure \(question)") == "unknownParking")
    // At a secure place nothing of the question that was asked elsewhere is left, after a power cut neither.
    #expect(try left.ask("place 1 set \"home\" \(RequestBench.place(0, 0)) 80") == "ruleChanged")
    for step in (0..<60).reversed() { try left.ride(to: Double(step) * 8) }
    try left.fix()
    try left.stand(60)
    #expect(left.run.look { $0.parkedPlace } == 1)
    #expect(try asks(left.state, left.second) == nil)
  }

  @Test func aPlaceThatIsKnownTakesTheNameThatIsSaid() throws {
    let bench = try RequestBench()
    _ = try parked(bench)
    #expect(try bench.ask("secure") == "secured" && bench.ask("secure \"the shed\"") == "secured")
    #expect(bench.news().last?.contains("\"place\":{\"number\":1,\"name\":\"the shed\"}") == true)
    #expect(try bench.ask("secure") == "secured" && bench.ask("place list") == "rules")
    let news = bench.news()
    #expect(news.last?.contains("\"value\":\"1\"") == true && news.first?.contains("the shed") == true)
  }

  @Test func itIsSecureOverARestart() throws {
    let bench = try RequestBench()
    let question = try parked(bench)
    let asked = try RequestBench(restoring: bench.state, from: bench.second + 10)
    #expect(try asked.ask("secure \(question)") == "secured", "the question of an earlier life")
    let next = try RequestBench(restoring: asked.state, from: asked.second + 10)
    try next.fix()
    try next.stand(60)
    _ = next.news()
    try next.stand(30, leaning: 0.3)
    #expect(RequestBench.alertCount(next.news()) == 0)
  }

  /// A secure place of 60 m, and a bike that is armed so many metres north of its middle.
  private func parked(north: Double, over isRestarted: Bool) throws -> RequestBench {
    let bench = try RequestBench()
    #expect(try bench.ask("place 1 set \"home\" \(RequestBench.place(0, 0)) 60") == "ruleChanged")
    try bench.stay(400, north: north)
    try #require(bench.run.isArmed)
    _ = bench.news()
    return isRestarted ? try RequestBench(restoring: bench.state, from: bench.second + 10) : bench
  }

  @Test func whereItWasParkedCountsAndNotWhereItIsWhenMovementIsNoticed() throws {
    for (parked, found, isSecure) in [(40.0, 300.0, true), (100, 0, false), (200, 40, false), (0, 100, true)] {
      for isRestarted in [false, true] {
        let bench = try self.parked(north: parked, over: isRestarted)
        try bench.stay(120, north: found)
        let news = bench.news()
        let remark = "from \(parked) m to \(found) m, restarted: \(isRestarted)"
        #expect(RequestBench.alertCount(news) == (isSecure ? 0 : 1), "\(remark)")
        let told = packets(news, of: "status").filter { $0.contains("\"reason\":\"movedInPlace\"") }
        #expect(told.count == (isSecure ? 1 : 0), "\(remark)")
        #expect(told.allSatisfy { $0.contains("\"place\":{\"number\":1,\"name\":\"home\"}") }, "\(remark)")
      }
    }
  }

  @Test func whoRidesThroughASecurePlaceOrHasJustStoppedThereIsNotParkedThere() throws {
    let bench = try RequestBench()
    #expect(try bench.ask("place 1 set \"home\" \(RequestBench.place(0, 0)) 60") == "ruleChanged")
    try bench.fix()
    try bench.stand(60)
    #expect(bench.run.look { $0.parkedPlace } == 1)
    _ = try bench.ask("disarm")
    for step in 0..<60 { try bench.ride(to: Double(step) * 8) }
    for step in (0..<60).reversed() { try bench.ride(to: Double(step) * 8) }
    #expect(bench.run.phase == .riding && bench.run.look { $0.parkedPlace } == nil)
    var hasSettled = false
    while !bench.run.isArmed, bench.second < 1000 {
      if bench.run.phase == .settling { hasSettled = true }
      let isParked = bench.run.phase == .parked || bench.run.phase == .suspicious
      #expect(bench.run.look { $0.parkedPlace } == (isParked ? 1 : nil), "\(bench.run.phase)")
      try bench.fix()
      try bench.stand(1)
    }
    #expect(hasSettled && bench.run.look { $0.parkedPlace } == 1)
  }

  @Test func itIsJudgedByThePlaceItCameToOnceItIsParkedThere() throws {
    // Carried home in an alarm, and quiet there: from then on it is at a secure place.
    let bench = try parked(north: 100, over: false)
    try bench.stay(30, north: 0)
    #expect(RequestBench.alertCount(bench.news()) == 1 && bench.run.look { $0.parkedPlace } == nil)
    #expect(try bench.ask("found") == "found")
    try bench.stay(400, north: 0)
    #expect(bench.run.look { $0.parkedPlace } == 1)
    _ = bench.news()
    try bench.stay(120, north: 100)
    #expect(RequestBench.alertCount(bench.news()) == 0)
  }

  @Test func wherePlacesAreGuardedMovementElsewhereIsNoAlert() throws {
    for (fence, alerts) in [("52.0,4.0", 1), ("52.1,4.0", 0)] {
      let bench = try RequestBench()
      _ = try parked(bench)
      #expect(try bench.ask("fence 1 set \"work\" circle \(fence) 80") == "ruleChanged")
      #expect(try bench.ask("alarm 1 set \"at work\" guard inside 1") == "ruleChanged")
      for _ in 0..<100 {
        try bench.fix()
        try bench.stand(1)
      }
      _ = bench.news()
      try bench.stand(30, leaning: 0.3)
      let news = bench.news()
      #expect(RequestBench.alertCount(news) == alerts, "\(fence)")
      #expect(news.contains { $0.contains("movedInPlace") } == (alerts == 0))
    }
  }
}

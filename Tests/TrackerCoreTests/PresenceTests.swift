import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// What a movement becomes while the owner is near, from what the sensors give to the packets.
@Suite struct PresenceTests {
  /// Parked, armed, with a lock to open, on a bench.
  private func parked(_ change: (inout TrackerConfiguration) -> Void = { _ in }) throws -> RequestBench {
    let bench = try RequestBench(change: change)
    try bench.fix()
    try bench.stand(60)
    try bench.lock(true, at: bench.clock)
    try bench.stand(20)
    try #require(bench.run.isArmed)
    _ = bench.news()
    return bench
  }

  // MARK: The three stories

  @Test func anOwnerWhoPushesTheBikeOffGetsANoticeAndARide() throws {
    let bench = try parked()
    for step in 1...120 {
      if step % 5 == 1 { try bench.see() }
      try bench.ride(to: Double(step) * 8)
    }
    try bench.stand(120)
    let all = bench.news()
    // What a bench's sensor makes of standing after such shaking is another story.
    let told = Array(all[...(try #require(all.firstIndex { $0.contains(#""type":"parking""#) }))])
    #expect(told.alerts.isEmpty)
    let notices = told.filter { $0.contains(#""alert":{"id":1,"#) }
    #expect(notices.map(\.reason) == ["pending", "withdrawn"])
    #expect(notices.allSatisfy { $0.contains(#""type":"status""#) && $0.contains(#""near":true"#) })
    #expect(!told.contains { $0.contains(#""phase":"stolen""#) }, "what goes with its owner is not stolen")
    let ride = try #require(all.first { $0.contains(#""type":"ride""#) })
    let metres = try #require(Int(field("distance", ride.components(after: #""ride":{"#)) ?? ""))
    #expect((900...970).contains(metres), "from where it set off: \(metres) m")
    #expect(bench.run.isArmed)
  }

  @Test func aTheftNextToTheOwnerIsToldWhenTheOwnerIsNotNearAnyMore() throws {
    let bench = try parked()
    try bench.see()
    let seen = bench.clock
    for step in 1...110 { try bench.ride(to: Double(step) * 8) }
    let told = bench.news()
    let pending = try #require(told.first { $0.reason == "pending" })
    let alert = try #require(told.alerts.first)
    #expect(told.alerts.count { !$0.contains("repetition") } == 1)
    #expect(field("id", alert.components(after: #""alert":"#)) == "1")
    #expect(field("onset", alert) == field("onset", pending), "the onset is that of the first movement")
    #expect(alert.contains(#""near":false"#) && alert.contains(#""phase":"stolen""#))
    let uptime = try #require(Double(field("uptime", alert) ?? ""))
    #expect(uptime == (seen + .seconds(30) - Instant.zero).secondsDouble, "thirty seconds after the last sighting")
    #expect(told.contains { $0.contains("\"repetition\":") }, "and then it is told as any alert is")
    #expect(bench.run.phase == .stolen)
  }

  @Test func whoIsSaidToBeAwayIsLostAtOnce() throws {
    for isWord in [false, true] {
      let bench = try parked()
      try bench.see()
      for step in 1...10 { try bench.ride(to: Double(step) * 8) }
      let before = bench.news()
      #expect(before.alerts.isEmpty && before.contains { $0.reason == "pending" })
      if isWord { #expect(try bench.ask("#5 away") == "away") } else { try bench.leave() }
      #expect(bench.news().alerts.count == 1)
    }
  }

  @Test func anOwnerWhoIsAwayChangesNothing() throws {
    func theft(_ prepare: (RequestBench) throws -> Void) throws -> [String] {
      let bench = try parked()
      try prepare(bench)
      for step in 1...40 { try bench.ride(to: Double(step) * 8) }
      try bench.stand(90)
      return bench.news()
    }
    let plain = try theft { _ in }
    #expect(!plain.alerts.isEmpty)
    #expect(try theft { try $0.leave() }.map { $0.replacing(#","near":false"#, with: "") } == plain)
    let gone = try theft {
      try $0.see()
      try $0.leave()
    }
    #expect(gone.map { $0.replacing(#","near":false"#, with: "") } == plain)
  }

  // MARK: How long near holds

  @Test func nearHoldsForThirtySecondsAfterASightingAndNotLonger() throws {
    for (after, isHeld) in [(Interval.seconds(30) - Interval(microseconds: 1), true), (.seconds(30), false)] {
      let bench = try parked()
      try bench.see()
      let seen = bench.clock
      try bench.lock(false, at: seen + after)
      let told = bench.news()
      #expect(told.alerts.isEmpty == isHeld && told.contains { $0.reason == "pending" } == isHeld)
    }
    let bench = try parked { $0.presence.nearAfterSighting = .seconds(10) }
    try bench.see()
    try bench.lock(false, at: bench.clock + .seconds(10))
    #expect(bench.news().alerts.count == 1)
  }

  @Test func aWordHoldsAsLongAsItSays() throws {
    for (text, seconds) in [("near", 300), ("near 60", 60), ("near 3600", 3600)] {
      for isHeld in [true, false] {
        let bench = try parked()
        #expect(try bench.ask(text) == "near")
        #expect(bench.news().last?.contains(#""near":true"#) == true)
        let asked = bench.lastAsked
        try bench.lock(false, at: asked + .seconds(seconds) - Interval(microseconds: isHeld ? 1 : 0))
        #expect(bench.news().alerts.isEmpty == isHeld, "\(text)")
      }
    }
    let bench = try parked { $0.presence.nearByRequest = .seconds(20) }
    #expect(try bench.ask("near") == "near")
    try bench.lock(false, at: bench.lastAsked + .seconds(20))
    #expect(bench.news().alerts.count == 1)
    for text in ["near 0", "near 3601", "near soon", "near 5 5", "away 5"] {
      #expect(try bench.ask(text) == "unreadable", "\(text)")
    }
    #expect(try bench.ask("near", .way(0)) == "notAllowed", "whoever is not trusted keeps no alert back")
  }

  @Test func aSightingDoesNotShortenAWordAndAwayEndsBoth() throws {
    let bench = try parked()
    #expect(try bench.ask("near 300") == "near")
    try bench.see()
    try bench.wait(100)
    #expect(bench.run.look { $0.isOwnerNear } == true)
    try bench.leave()
    #expect(bench.run.look { $0.isOwnerNear } == false)
  }

  @Test func aReadingThatIsLateChangesNothing() throws {
    let bench = try parked()
    try bench.see(7)
    let seen = bench.clock
    try bench.leave(at: seen - .seconds(1))
    #expect(bench.run.look { $0.isOwnerNear } == true)
    #expect(bench.run.look { $0.ownerSeen?.token } == 7 && bench.run.look { $0.ownerSeen?.time } == seen)
    #expect(bench.events.contains { $0.contains(#""event":"presence""#) && $0.contains(#""near":true,"token":7"#) })
  }

  // MARK: The grace

  /// When the vehicle set off in the story that the tests of the grace tell.
  private func setOff(_ change: (inout TrackerConfiguration) -> Void = { _ in }) throws -> Double {
    let bench = try parked(change)
    for step in 1...40 { try bench.ride(to: Double(step) * 8) }
    let stolen = try #require(bench.events.first { $0.contains(#""event":"stolen""#) })
    return try #require(Double(field("since", stolen) ?? ""))
  }

  /// Rides off with sightings every five seconds up to one at a time after setting off, and none after it.
  private func ride(lastSeen grace: Interval, _ change: (inout TrackerConfiguration) -> Void = { _ in }) throws
    -> [String]
  {
    let last = Instant(microseconds: Int64(try setOff(change) * 1e6)) + grace
    let bench = try parked(change)
    var isSeen = false
    for step in 1...130 {
      if !isSeen, bench.clock + .seconds(1) > last {
        try bench.see(at: last)
        isSeen = true
      } else if !isSeen, step % 5 == 1 {
        try bench.see()
      }
      try bench.ride(to: Double(step) * 8)
    }
    return bench.news()
  }

  @Test func whoIsSeenSixtySecondsAfterSettingOffHasMovedAlongAndNotBefore() throws {
    let along = try ride(lastSeen: .seconds(60))
    #expect(along.alerts.isEmpty && along.contains { $0.reason == "withdrawn" })
    let lost = try ride(lastSeen: .seconds(60) - .milliseconds(1))
    #expect(lost.alerts.count { !$0.contains("repetition") } == 1 && !lost.contains { $0.reason == "withdrawn" })
  }

  @Test func theGraceIsASettingAndZeroHoldsNothingBack() throws {
    let short: (inout TrackerConfiguration) -> Void = { $0.presence.holdFor = .seconds(40) }
    #expect(try ride(lastSeen: .seconds(40), short).alerts.isEmpty)
    #expect(try !ride(lastSeen: .seconds(40) - .milliseconds(1), short).alerts.isEmpty)
    let bench = try parked { $0.presence.holdFor = .zero }
    try bench.see()
    try bench.lock(false, at: bench.clock)
    let told = bench.news()
    #expect(told.alerts.count == 1 && told.alerts[0].contains(#""near":true"#))
  }

  @Test func aWordThatLastsBeyondTheGraceIsTheOwnersOwn() throws {
    let bench = try parked()
    #expect(try bench.ask("near 600") == "near")
    for step in 1...100 { try bench.ride(to: Double(step) * 8) }
    #expect(bench.news().alerts.isEmpty && bench.run.phase == .riding)
    let brief = try parked()
    #expect(try brief.ask("near 45") == "near")
    for step in 1...100 { try brief.ride(to: Double(step) * 8) }
    #expect(brief.news().alerts.count { !$0.contains("repetition") } == 1)
  }

  // MARK: What ends it

  @Test func aTouchByTheOwnerIsWithdrawnWhenItIsOver() throws {
    let bench = try parked()
    try bench.see()
    try bench.lock(false, at: bench.clock)
    for _ in 0..<14 {
      try bench.stand(5)
      try bench.see()
    }
    let told = bench.news()
    #expect(told.alerts.isEmpty && told.compactMap(\.reason) == ["pending", "withdrawn"])
    #expect(bench.run.isArmed && bench.run.phase == .parked, "it was armed all the time")
    // Nobody answers for the next one.
    try bench.stand(31)
    try bench.lock(true, at: bench.clock)
    try bench.stand(15)
    try bench.lock(false, at: bench.clock)
    let next = try #require(bench.news().alerts.first)
    #expect(next.contains(#""alert":{"id":2,"#), "a number is never given twice")
  }

  @Test func whoTouchesItAndWalksAwayIsNotRungAfter() throws {
    let bench = try parked()
    try bench.see()
    try bench.lock(false, at: bench.clock)
    try bench.stand(45)
    let told = bench.news()
    #expect(told.alerts.isEmpty && told.compactMap(\.reason) == ["pending", "withdrawn"])
    #expect(bench.run.isArmed)
    // The same alarm still listens, and what moves now is told at once.
    try bench.stand(5, leaning: 0.3)
    #expect(bench.news().alerts.count == 1)
  }

  @Test func whatMovesWhenTheOwnerIsLostIsTold() throws {
    let bench = try parked()
    try bench.see()
    try bench.lock(false, at: bench.clock)
    try bench.stand(20)
    try bench.stand(12, leaning: 0.3)
    let told = bench.news()
    #expect(told.alerts.count == 1 && told.alerts.first?.contains(#""alert":{"id":1,"#) == true)
    #expect(field("onset", told.alerts.first) == field("onset", told.first { $0.reason == "pending" }))
  }

  @Test func theOwnersAnswerEndsIt() throws {
    for text in ["dismiss 1", "found", "alerts off", "disarm"] {
      let bench = try parked()
      try bench.see()
      try bench.lock(false, at: bench.clock)
      _ = bench.news()
      let answer = try bench.ask(text)
      #expect(["dismissed", "found", "alertsOff", "disarmed"].contains(answer), "\(text): \(answer)")
      try bench.stand(200)
      let told = bench.news()
      #expect(told.alerts.isEmpty && !told.contains { $0.reason == "withdrawn" }, "\(text)")
    }
  }

  @Test func anOpenedBoxIsToldAtOnce() throws {
    let bench = try parked()
    try bench.contact(.tamper, false, at: bench.clock)
    try bench.stand(1)
    try bench.see()
    try bench.lock(false, at: bench.clock)
    #expect(bench.news().alerts.isEmpty)
    try bench.stand(15)
    try bench.contact(.tamper, true, at: bench.clock)
    let told = bench.news()
    #expect(told.alerts.count == 1 && told.alerts[0].contains(#""detector":"tamper""#))
  }

  @Test func anAlertThatWasToldIsNotAnsweredByComingNear() throws {
    let bench = try parked()
    try bench.lock(false, at: bench.clock)
    #expect(bench.news().alerts.count == 1)
    for _ in 0..<6 {
      try bench.see()
      try bench.stand(10, leaning: 0.1)
    }
    let told = bench.news()
    #expect(!told.alerts.isEmpty && !told.contains { $0.reason != nil })
  }

  @Test func privacyLastsWhileTheOwnerMovesAlongAndEndsWithATheft() throws {
    let bench = try parked()
    #expect(try bench.ask("privacy on") == "privacyOn")
    for step in 1...100 {
      if step % 5 == 1 { try bench.see() }
      try bench.ride(to: Double(step) * 8)
    }
    #expect(!bench.news().contains { $0.reason == "privacyOff" })
    let other = try parked()
    #expect(try other.ask("privacy on") == "privacyOn")
    try other.see()
    for step in 1...60 { try other.ride(to: Double(step) * 8) }
    #expect(other.news().contains { $0.reason == "privacyOff" })
  }

  // MARK: Restarts and replays

  @Test func aRestartInTheMiddleGivesTheOwnerAsLongToBeSeen() throws {
    func restarted() throws -> RequestBench {
      let bench = try parked()
      try bench.see()
      try bench.lock(false, at: bench.clock)
      #expect(bench.news().contains { $0.reason == "pending" })
      let next = try RequestBench(restoring: bench.state, from: bench.second + 100)
      // The notice is sent again, as nobody knows whether it arrived.
      _ = next.news()
      return next
    }
    let lost = try restarted()
    try lost.stand(29)
    #expect(lost.news().alerts.isEmpty)
    try lost.stand(2)
    let told = lost.news().alerts
    #expect(told.count == 1 && told.first?.contains(#""alert":{"id":1,"#) == true, "an alert is never lost")
    try lost.stand(200)
    let again = lost.news().alerts
    #expect(
      again.count == 3 && again.allSatisfy { $0.contains(#""id":1,"repetition""#) }, "nothing moves, and nobody answers"
    )
    #expect(try lost.ask("dismiss 1") == "dismissed")
    try lost.stand(200)
    #expect(lost.news().alerts.isEmpty)
    let seen = try restarted()
    try seen.stand(20)
    try seen.see()
    #expect(seen.news().compactMap(\.reason) == ["withdrawn"])
    try seen.stand(60)
    #expect(seen.news().alerts.isEmpty)
  }

  @Test func aRestartOnTheWayIsNoEndOfIt() throws {
    let bench = try parked()
    for step in 1...40 {
      if step % 5 == 1 { try bench.see() }
      try bench.ride(to: Double(step) * 8)
    }
    #expect(bench.news().alerts.isEmpty && bench.run.phase == .stolen)
    let lost = try RequestBench(restoring: bench.state, from: bench.second + 10)
    _ = lost.news()
    try lost.stand(31)
    #expect(lost.news().alerts.first?.contains(#""alert":{"id":1,"#) == true)
    let along = try RequestBench(restoring: bench.state, from: bench.second + 10)
    for step in 41...120 {
      if step % 5 == 1 { try along.see() }
      try along.ride(to: Double(step) * 8)
    }
    let told = along.news()
    #expect(told.alerts.isEmpty && told.contains { $0.reason == "withdrawn" } && along.run.phase == .riding)
  }

  @Test func whatIsSeenInOneLifeIsNotNearInTheNext() throws {
    let bench = try parked()
    try bench.see()
    let next = try RequestBench(restoring: bench.state, from: bench.second + 1)
    try next.stand(15)
    #expect(next.run.look { $0.isOwnerNear } == nil)
    try next.stand(5, leaning: 0.3)
    #expect(next.news().alerts.count == 1)
  }
}

extension [String] {
  /// Alerts among packets.
  fileprivate var alerts: [String] { filter { $0.contains(#""type":"movement""#) } }
}

extension String {
  /// The reason of a status; nil for another packet.
  fileprivate var reason: String? {
    guard contains(#""type":"status""#) else { return nil }
    return field("reason", self)?.replacing("\"", with: "")
  }

  /// What stands behind a text.
  fileprivate func components(after text: String) -> String? {
    firstRange(of: text).map { String(self[$0.upperBound...]) }
  }
}

extension RequestBench {
  /// After the last sample of the second at hand.
  var clock: Instant { .milliseconds(1000 * second + 995) }
  /// When a request comes.
  var lastAsked: Instant { max(.seconds(second), run.now) }

  func see(_ token: UInt8 = 1, at time: Instant? = nil) throws {
    try run.feed(.reading(.presence(PresenceReading(time: time ?? clock, isNear: true, token: token))))
  }

  func leave(at time: Instant? = nil) throws {
    try run.feed(.reading(.presence(PresenceReading(time: time ?? clock, isNear: false))))
  }

  func lock(_ isOn: Bool, at time: Instant) throws { try contact(.lock, isOn, at: time) }

  func contact(_ contact: Contact, _ isOn: Bool, at time: Instant) throws {
    var contacts = Contacts()
    contacts[contact] = isOn
    try run.feed(.reading(.contacts(ContactReading(time: time, contacts))))
  }
}

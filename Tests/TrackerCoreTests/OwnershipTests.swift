import Quantities
import Requests
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Who shows what stands on the device becomes the owner, once.
@Suite struct OwnershipTests {
  private let secret = testKey(testSecretDigits)
  private let base: UInt64 = 1_764_000_000_000

  private func bench(restoring other: RequestBench? = nil) throws -> RequestBench {
    let bench = try RequestBench(restoring: other?.state ?? [], from: other.map { $0.second + 10 } ?? 0)
    bench.run.door.key = nil
    bench.run.door.claimSecret = secret
    try bench.wait(1)
    _ = bench.news()
    return bench
  }

  /// Claimed with that counter, and asked again after the channel's pace.
  private func claimed(_ counter: UInt64) throws -> RequestBench {
    let bench = try bench()
    #expect(try bench.ask(signed("claim", counter: counter, by: secret), .way(0)) == "claimed")
    try bench.wait(40)
    return bench
  }

  @Test func tc18WhoShowsTheSecretOfTheDeviceIsTheOwner() throws {
    let bench = try bench()
    let key = claimedKey(base)
    #expect(
      try bench.ask(signed("alerts off", counter: base - 1, by: key), .way(0)) == "noKey", "nobody has claimed it")
    #expect(!bench.run.look { $0.isClaimed })
    #expect(try bench.ask(signed("claim", counter: base, by: secret), .way(0)) == "claimed")
    let told = bench.news()
    #expect(told.count == 1 && told[0].contains("\"reason\":\"claimed\"") && bench.run.look { $0.isClaimed })
    #expect(try bench.ask(signed("alerts off", counter: base + 1, by: key), .way(1)) == "alertsOff")
    // The secret signs a claim and nothing else, and the key no claim.
    #expect(try bench.ask(signed("alerts on", counter: base + 2, by: secret), .way(1)) == "forged")
    #expect(try bench.ask(signed("claim", counter: base + 2, by: key), .way(1)) == "forged")
    #expect(try bench.ask(signed("alerts on", counter: base + 2, by: claimedKey(base + 1)), .way(1)) == "forged")
    let next = try self.bench(restoring: bench)
    #expect(next.run.look { $0.isClaimed })
    #expect(try next.ask(signed("alerts on", counter: base + 3, by: key), .way(1)) == "alertsOn", "over a restart, too")
  }

  @Test func aClaimedTrackerRefusesEveryOtherClaim() throws {
    let bench = try claimed(base)
    #expect(try bench.ask(signed("claim", counter: base, by: secret), .way(0)) == "replayed")
    #expect(try bench.ask(signed("claim", counter: base + 1, by: secret), .way(0)) == "owned")
    #expect(bench.run.look { $0.requestsRefused(.owned) } == 1)
    #expect(try bench.ask(signed("ping", counter: base + 2, by: claimedKey(base + 1)), .way(0)) == "forged")
    #expect(try bench.ask(signed("ping", counter: base + 2, by: claimedKey(base)), .way(0)) == "pong")
    let next = try self.bench(restoring: bench)
    #expect(try next.ask(signed("claim", counter: base + 3, by: secret), .console) == "owned")
    #expect(next.run.look { $0.requestsRefused(.owned) } == 1)
  }

  @Test func nobodyClaimsWithoutACounterNorWhereAFileHasTheKey() throws {
    let bench = try bench()
    bench.run.door[.way(0)] = .all
    #expect(try bench.ask("claim") == "notAllowed" && bench.ask("claim", .way(0)) == "notAllowed")
    #expect(try bench.ask("unclaim", .way(0)) == "notAllowed", "whatever a list says")
    bench.run.door.key = testKey()
    #expect(try bench.ask(signed("claim", counter: base, by: secret), .way(0)) == "owned")
    #expect(bench.run.look { $0.requestsRefused(.owned) } == 1 && !bench.run.look { $0.isClaimed })
    #expect(try bench.ask("unclaim") == "keyInFile")
    #expect(try bench.ask(signed("unclaim", counter: base, by: testKey()), .way(0)) == "keyInFile")
    bench.run.door = RequestDoor()
    #expect(try bench.ask(signed("claim", counter: base, by: secret), .way(0)) == "noKey", "there is no label")
  }

  @Test func afterUnclaimNothingOfTheOwnerIsGood() throws {
    let bench = try claimed(base)
    let key = claimedKey(base)
    let old = signed("alerts off", counter: base + 5, by: key)
    #expect(
      try bench.ask(signed("#4 set reports.distance 500", counter: base + 1, by: key), .way(0)) == "settingsChanged")
    #expect(try bench.ask(signed("privacy on", counter: base + 2, by: key), .way(0)) == "privacyOn")
    #expect(try bench.ask(signed("enabled off", counter: base + 3, by: key), .way(0)) == "disabled")
    try bench.wait(40)
    _ = bench.news()
    #expect(try bench.ask(signed("unclaim", counter: base + 4, by: key), .way(0)) == "unclaimed")
    let told = bench.news()
    #expect(told.count == 1 && told[0].contains("\"reason\":\"unclaimed\"") && !told[0].contains("\"private\""))
    #expect(!told[0].contains("\"disabled\"") && told[0].contains("\"alertsEnabled\":true"))
    #expect(bench.run.look { $0.configuration.reports.distance } == 250)
    for run in [bench, try self.bench(restoring: bench)] {
      #expect(!run.run.look { $0.isClaimed } && run.run.look { $0.configuration.reports.distance } == 250)
      #expect(try run.ask(old, .way(1)) == "noKey")
      #expect(try run.ask(signed("claim", counter: base, by: secret), .way(1)) == "replayed", "the claim of before")
      #expect(try run.ask("#4 get reports.distance") == "setting")
    }
    try bench.wait(40)
    #expect(try bench.ask(signed("claim", counter: base + 6, by: secret), .way(0)) == "claimed")
    #expect(try bench.ask(signed("alerts off", counter: base + 7, by: key), .way(0)) == "forged")
    #expect(try bench.ask(old, .way(1)) == "forged")
    #expect(try bench.ask(signed("#4 alerts off", counter: base + 7, by: claimedKey(base + 6)), .way(0)) == "alertsOff")
  }

  @Test func theConsoleUnclaimsWithoutAKey() throws {
    let bench = try claimed(base)
    #expect(try bench.ask("unclaim") == "unclaimed" && !bench.run.look { $0.isClaimed })
    #expect(try bench.ask("unclaim") == "unclaimed", "it wipes what the console has set, too")
  }

  @Test func unclaimEndsTheTrialOfSettingsAndLiveTracking() throws {
    let bench = try claimed(base)
    try bench.fix()
    bench.run.door[.way(0)] = .all
    #expect(try bench.ask("track 1 600") == "tracking")
    #expect(try bench.ask("set reports.distance 500") == "settingsChanged" && bench.ask("unclaim") == "unclaimed")
    _ = bench.news()
    for _ in 0..<30 { try bench.fix() }
    try bench.wait(700)
    let told = bench.news()
    #expect(told.filter { $0.contains("\"type\":\"location\"") }.isEmpty, "\(told)")
    #expect(!told.contains { $0.contains("settingsTakenBack") })
  }

  /// What was recorded does the same again, without secret and key, and has neither.
  @Test func aRecordingOfAClaimHasNoKeyAndNeedsNone() throws {
    let bench = try bench()
    let key = try #require(claimedKey(base))
    try bench.ask(signed("claim", counter: base, by: secret), .way(0))
    try bench.ask(signed("#2 alerts off", counter: base + 1, by: key), .way(0))
    try bench.ask("unclaim")
    #expect(bench.log.commands == ["@2 !\(base) claim", "@2 !\(base + 1) #2 alerts off", "@0 unclaim"])
    let digits = key.hexadecimal.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    for text in [bench.log.text, String(decoding: bench.state, as: UTF8.self)] + bench.packets + bench.events {
      #expect(!text.contains(digits.prefix(16)) && !text.contains(testSecretDigits.prefix(16)))
    }
    let bytes = digits.bytesOfDigits
    let isThere = (0..<max(0, bench.state.count - 8)).contains { bench.state[$0..<$0 + 8].elementsEqual(bytes[..<8]) }
    #expect(bytes.count == 32 && !isThere)
    let again = try RequestBench()
    again.run.door.key = nil
    try again.wait(1)
    for command in bench.log.commands { try again.run.feed(.command(.seconds(1)), payload: Array(command.utf8)) }
    #expect(Array(again.packets.suffix(3)) == Array(bench.packets.suffix(3)) && again.events == bench.events)
  }

  /// A log that somebody has written by hand makes nobody the owner.
  @Test func aClaimWithoutACounterChangesNothing() throws {
    let bench = try bench()
    try bench.run.feed(.command(.seconds(1)), payload: Array("@2 claim".utf8))
    #expect(bench.news().last?.contains("\"reason\":\"unclaimed\"") == true && !bench.run.look { $0.isClaimed })
    var tracker = Tracker()
    tracker.submit(.claim, at: .seconds(1))
    let isClaimed = tracker.isClaimed
    #expect(!isClaimed)
    while tracker.nextAction() != nil {}
  }
}

extension String {
  /// The bytes of hexadecimal digits.
  fileprivate var bytesOfDigits: [UInt8] {
    let digits = Array(utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
  }
}

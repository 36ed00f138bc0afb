import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Whom the tracker is on.
@Suite struct ProfileTests {
  private static let whole =
    "profile set name \"Rex\" kind dog birthday 2021-05-03 weight 12.5 colour \"brown\" note \"shy of trams\""

  /// What a request is answered, with the value of the packet behind a blank.
  private func answer(_ text: String, of bench: RequestBench) throws -> String {
    _ = bench.news()
    let reason = try bench.ask(text)
    let packet = bench.news().last ?? ""
    let parts = packet.split(separator: "\"").map { String($0) }
    guard let place = parts.firstIndex(of: "value"), parts.count > place + 2 else { return reason }
    return reason + " " + parts[place + 2]
  }

  /// TC12, TC13 and TC21: a profile needs name and kind, and takes nothing that can't be.
  @Test(arguments: [
    ("profile set kind dog", "profileRefused noName"),
    ("profile set name \"Rex\"", "profileRefused noKind"),
    ("profile set", "profileRefused noName"),
    ("profile set name \"\" kind dog", "profileRefused noName"),
    ("profile set name \"R\u{7}x\" kind dog", "profileRefused badName"),
    ("profile set name \"Rex\" kind dog birthday 2021-02-29", "profileRefused badBirthday"),
    ("profile set name \"Rex\" kind dog birthday 2020-02-29", "profileChanged"),
    ("profile set name \"Rex\" kind dog birthday 2021-13-01", "profileRefused badBirthday"),
    ("profile set name \"Rex\" kind dog birthday 2025-11-24", "profileChanged"),
    ("profile set name \"Rex\" kind dog birthday 2025-11-25", "profileRefused unborn"),
    ("profile set name \"Rex\" kind dog birthday 0000-00-00", "unreadable"),
    ("profile set name \"Rex\" kind dog birthday 21-05-03", "unreadable"),
    ("profile set name \"Rex\" kind dog weight 0.01", "profileChanged"),
    ("profile set name \"Rex\" kind dog weight 0", "unreadable"),
    ("profile set name \"Rex\" kind dog weight -3", "unreadable"),
    ("profile set name \"Rex\" kind dog weight 1500", "profileChanged"),
    ("profile set name \"Rex\" kind dog weight 1500.01", "profileRefused badWeight"),
    ("profile set name \"Rex\" kind dragon", "unreadable"),
    ("profile set name \"Rex\" kind dog name \"Max\"", "unreadable"),
    ("profile set name \"Rex\" kind", "unreadable"),
    ("profile set name \"12345678901234567890123456789012\" kind dog", "profileChanged"),
    ("profile set name \"123456789012345678901234567890123\" kind dog", "unreadable"),
    ("profile set name \"Rex\" kind dog colour \"12345678901234567890123456789012\"", "profileChanged"),
    ("profile set name \"Rex\" kind dog colour \"123456789012345678901234567890123\"", "unreadable"),
    ("profile set name \"Rex\" kind dog colour \"b\u{1}\"", "profileRefused badColour"),
    ("profile set name \"Rex\" kind dog note \"n\u{1}\"", "profileRefused badNote"),
    ("profile weight 3", "profileRefused noProfile"),
    ("profile delete", "profileRefused noProfile"),
    ("profile", "profileRefused noProfile"),
    ("profile age", "unreadable"),
  ]) func tc12tc13tc21AProfileThatCantBeIsRefusedWithItsReason(_ text: String, _ expected: String) throws {
    let bench = try RequestBench()
    // 24 November 2025.
    try bench.fix()
    #expect(try answer(text, of: bench) == expected)
    let isTaken = expected == "profileChanged"
    #expect(bench.run.look { $0.profile != nil } == isTaken, "what is refused leaves nothing")
    guard expected != "unreadable" else { return }
    let request = try #require(Request(text: text))
    #expect(Request(text: request.text) == request, "\(request.text)")
  }

  @Test func tc19AProfileIsChangedFieldByFieldAndKept() throws {
    let bench = try RequestBench()
    try bench.fix()
    #expect(try answer(Self.whole, of: bench) == "profileChanged")
    for (text, expected) in [
      ("profile", "Rex"), ("profile name", "Rex"), ("profile kind", "dog"), ("profile birthday", "2021-05-03"),
      ("profile weight", "12.5"), ("profile colour", "brown"), ("profile note", "shy of trams"),
    ] {
      #expect(try answer(text, of: bench) == "profile \(expected)")
    }
    #expect(try answer("profile name \"Max\"", of: bench) == "profileChanged")
    #expect(try answer("profile weight 1500.01", of: bench) == "profileRefused badWeight")
    #expect(try answer("profile birthday 2021-02-29", of: bench) == "profileRefused badBirthday")
    let before = bench.run.look { $0.profile }
    let next = try RequestBench(restoring: bench.state, from: 1000)
    #expect(next.run.look { $0.profile } == before, "kept over a restart, and what was refused changed nothing")
    #expect(try answer("profile", of: next) == "profile Max")
    #expect(try answer("profile weight", of: next) == "profile 12.5")
    #expect(try answer("profile note \"bites\"", of: next) == "profileChanged")
    #expect(try answer("profile delete", of: next) == "profileChanged")
    let last = try RequestBench(restoring: next.state, from: 2000)
    #expect(try answer("profile", of: last) == "profileRefused noProfile", "deleted is deleted after a restart")
    #expect(try answer(Self.whole, of: last) == "profileChanged", "and told again it is there")
  }

  @Test func aValueIsToldInWholeCharacters() throws {
    let bench = try RequestBench()
    #expect(try answer("profile set kind cat name \"ÄÄÄÄÄÄÄÄÄÄÄ\"", of: bench) == "profileChanged")
    // 18 of the 19 bytes, as the next would be half a letter.
    #expect(try answer("profile", of: bench) == "profile ÄÄÄÄÄÄÄÄÄ")
    #expect(try answer("profile colour", of: bench) == "profile", "a field that was not told has no value")
  }

  @Test func unclaimDeletesTheProfile() throws {
    let bench = try RequestBench()
    bench.run.door.key = nil
    bench.run.door.claimSecret = testKey(testSecretDigits)
    #expect(try bench.ask(signed("claim", counter: 500, by: testKey(testSecretDigits))) == "claimed")
    #expect(try bench.ask(Self.whole) == "profileChanged")
    #expect(try bench.ask("unclaim") == "unclaimed")
    #expect(try bench.ask("profile") == "profileRefused")
    let next = try RequestBench(restoring: bench.state, from: 1000)
    #expect(next.run.look { $0.profile } == nil)
  }

  @Test func ageIsWholeYears() throws {
    var profile = Profile()
    (profile.birthYear, profile.birthMonth, profile.birthDay) = (2020, 2, 29)
    for (year, month, day, age) in [
      (2020, 2, 28, nil), (2020, 2, 29, 0), (2021, 2, 28, 0), (2021, 3, 1, 1), (2024, 2, 28, 3), (2024, 2, 29, 4),
    ] as [(Int, Int, Int, Int?)] {
      #expect(profile.age(on: try #require(CivilDate(year: year, month: month, day: day))) == age)
    }
  }

  @Test func aDamagedProfileCostsItselfAlone() throws {
    let bench = try RequestBench()
    try bench.fix()
    #expect(try bench.ask("fence 1 set \"garden\" circle 52.0,4.0 50") == "ruleChanged")
    #expect(try bench.ask(Self.whole) == "profileChanged")
    let profile = try #require(bench.sections[11])
    // Every byte of the content, with a check that fits it: nothing of it makes a tracker stop, or take what can't be.
    for place in profile.indices.dropFirst(StoredSection.headLength) {
      var content = profile
      content[place] ^= 0x81
      content.removeFirst(StoredSection.headLength)
      var section = ByteBuffer()
      StoredSection(tag: 11, version: 1, revision: 1).encode(content.span, into: &section)
      var damaged = bench.sections
      damaged[11] = section.bytes
      let state = damaged.keys.sorted().flatMap { damaged[$0] ?? [] }
      let next = try RequestBench(restoring: state, from: 1000)
      let kept = next.run.look { $0.profile }
      #expect(kept == nil || kept?.error(on: nil) == nil)
      #expect(try next.ask("fence 1") == "rules", "the fence is still there")
    }
  }
}

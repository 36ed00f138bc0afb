import Glibc
import Quantities
import Recording
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

@testable import LinuxRuntime

private let garden = "{ number: 1, name: 'garden', active: true, circle: { latitude: 52, longitude: 4.5, radius: 50 } }"
private let feed = "{ number: 1, label: 'Feed her', at: '07:30', inside: 1 }"

struct RuleConfigurationTests {
  @Test func theTablesOfTheFileAreReadAndShownWithTheirLines() throws {
    let file = try configuration("{\n timeZone: 'UTC',\n fences: [\(garden)],\n places: [],\n alarms: [\(feed)] }")
    #expect(file.configuration.rules.timeZone == "UTC0" && file.configuration.rules.fences.first?.isActive == true)
    let shown = file.text(isEffective: false)
    #expect(shown.contains("timeZone: \"UTC\",") && shown.contains("// line 2"))
    #expect(
      shown.contains(
        "  fences: [{\"number\": 1, \"name\": \"garden\", \"active\": true, "
          + "\"circle\": {\"latitude\": 52, \"longitude\": 4.5, \"radius\": 50}}], // line 3"), "\(shown)")
    #expect(try configuration(shown).configuration.rules == file.configuration.rules)
    let effective = file.text(isEffective: true)
    #expect(try configuration(effective).configuration == file.configuration)
    #expect(
      file.jsonLines(isEffective: false).contains("{\"key\":\"places\",\"value\":[],\"from\":\"file\",\"line\":4}\n"))
    let bare = try configuration("{}")
    #expect(bare.configuration.rules.isEmpty)
    #expect(
      bare.text(isEffective: true).contains("// fences: not set")
        && !bare.text(isEffective: true).contains("timeZone: \""))
  }

  /// POSIX has no words for a month by the moon.
  @Test func aZoneThatThePOSIXFormCantSayIsAWarning() throws {
    guard access("/usr/share/zoneinfo/Africa/Casablanca", F_OK) == 0 else { return }
    func remarks(_ text: String) throws -> [String] {
      try configuration(text).warnings.filter { $0.contains("timeZone") }
    }
    let casablanca = try remarks("{\n timeZone: 'Africa/Casablanca' }")
    #expect(casablanca.count == 1 && casablanca[0].contains(":2:12: 'timeZone': the clock of Africa/Casablanca"))
    for zone in [
      "Europe/Amsterdam", "Europe/Dublin", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC", "CET-1CEST,M3.5.0,M10.5.0/3",
    ] {
      #expect(try remarks("{ timeZone: '\(zone)' }").isEmpty, "\(zone)")
    }
    let file = try RuleFile(text: Array("{ timeZone: 'Africa/Casablanca' }".utf8), name: "f")
    #expect(file.remarks.count == 1 && file.warnings.isEmpty, "no reason to refuse it")
  }

  @Test func whatIsWrongInATableIsToldWithTheRestOfTheFile() {
    #expect(
      problems("{ page: { port: 'x' },\n fences: [{ number: 1, name: 'a', circle: { radius: 0 } }],\n alarm: [] }") == [
        "1:17: 'page.port': found \"x\", expected a whole number from 1 to 65535",
        "2:53: 'fences[0].circle.radius': found 0, expected a number from 1 to 1000000 (m)",
        "3:2: unknown key 'alarm'; did you mean 'alarms'?",
      ])
  }

  @Test func withoutAZoneInTheFileAlarmsGoByTheMachinesOwn() throws {
    let file = try configuration("{ fences: [\(garden)], alarms: [\(feed)] }")
    #expect(file.configuration.rules.timeZone == ZoneFolder().local ?? "UTC0")
    #expect(file.rows.first { $0.name == "timeZone" }?.origin == .standard)
    #expect(try configuration("{ fences: [\(garden)] }").configuration.rules.timeZone == nil, "no alarm needs it")
  }
}

/// What a tracker has, and what a file does to it from one life to the next.
struct RuleStartTests {
  private func board(_ folder: Folder, _ text: String) throws -> VirtualBoard {
    let board = VirtualBoard(folder)
    board.configuration.rules = try rules(text)
    return board
  }

  /// The tables after a start with a file, and after the requests.
  @discardableResult private func live(
    _ folder: Folder, _ text: String, _ requests: String...
  ) throws -> (rules: RuleTables, problems: [String], told: Int) {
    let board = try board(folder, text)
    try board.start()
    let run = try #require(board.run)
    for request in requests { #expect(run.request(request), "\(request)") }
    board.live(until: board.clock.now + .seconds(10))
    let told = board.inbox.packets.count { $0.text.contains("ruleChanged") }
    #expect(run.heard.entries.count == requests.count, "nobody has asked for what the file says")
    let result = (rules: run.rules, problems: run.ruleProblems, told: told)
    board.stop()
    return result
  }

  @Test func whatRequestsHaveChangedLastsUntilTheTableInTheFileIsAnother() throws {
    let folder = try Folder(isInMemory: true)
    let file =
      "{ fences: [\(garden)], places: [{ number: 3, name: 'home', latitude: 52, longitude: 4.5, radius: 60 }] }"
    var life = try live(folder, file)
    #expect(try life.rules == rules(file) && life.told == 3)
    life = try live(folder, file, "fence 1 off", "fence 2 set \"wood\" circle 52.1,4.5 80", "place 3 delete")
    #expect(life.rules.fences.count == 2 && life.rules.places.isEmpty)
    life = try live(folder, file)
    #expect(life.rules.fences.map(\.isActive) == [false, false], "what was switched off stays off")
    #expect(life.rules.places.isEmpty && life.told == 0)

    let wider = file.replacing("50 }", with: "55 }")
    life = try live(folder, wider)
    #expect(life.rules.fences.map(\.isActive) == [true, false] && life.rules.fences[0].outline.width == 55)
    #expect(life.rules.fences.map(\.outline.number) == [1, 2], "a rule of another number stays")
    #expect(life.rules.places.isEmpty, "that table of the file is as it was")
    life = try live(folder, "{}", "fence 1 off")
    life = try live(folder, wider)
    #expect(life.rules.fences[0].isActive, "it was gone from the file, and is there again")
  }

  @Test func aStateThatIsGoneIsToldAllAndSoIsOneWhoseOwnerHasGone() throws {
    let folder = try Folder(isInMemory: true)
    let file = "{ fences: [\(garden)] }"
    try live(folder, file)
    #expect(access(folder("state.db.rules"), F_OK) == 0)
    for name in ["state.db", "state.db-wal", "state.db-shm", "state.db.mark"] { unlink(folder(name)) }
    #expect(try live(folder, file).rules == rules(file))
    #expect(try live(folder, file, "unclaim").rules.fences.isEmpty)
    #expect(try live(folder, file).rules == rules(file))
  }

  /// The digests of what the tracker took say nothing of what it has lost since.
  @Test func whatDamageHasTakenComesBackFromTheFile() throws {
    let shed = "{ number: 2, name: 'shed', circle: { latitude: 52.1, longitude: 4.5, radius: 50 } }"
    let file = "{ fences: [\(garden), \(shed)], timeZone: 'UTC', alarms: [\(feed)] }"
    let folder = try Folder(isInMemory: true)
    func state() throws -> [UInt8] { try SmallFile(path: folder("state.db"), limit: 1 << 24).bytes }
    func write(_ bytes: [UInt8]) { _ = MarkFile(path: folder("state.db")).write(bytes) }
    try live(folder, file)
    write([UInt8](repeating: 0x5A, count: try state().count))
    #expect(try live(folder, file).rules == rules(file), "nothing in it can be read")
    // One row is damaged, and another was changed by a request.
    try live(folder, file, "fence 2 on")
    var bytes = try state()
    let name = Array("garden".utf8)
    for place in bytes.indices where bytes[place...].starts(with: name) { bytes[place] = 0x47 }
    write(bytes)
    let life = try live(folder, file)
    #expect(life.rules.fences.map(\.outline) == (try rules(file)).fences.map(\.outline))
    #expect(life.rules.fences.map(\.isActive) == [true, true], "what a request has changed stays")
    // What was told of the damage is told once.
    let board = try board(folder, file)
    try board.start()
    board.live(until: board.clock.now + .seconds(10))
    #expect(!board.inbox.packets.contains { $0.text.contains("stateDamaged") })
    board.stop()
  }

  /// Whenever the storage lets it tell of the damage, and for all lives to come.
  @Test(arguments: [false, true]) func aDamagedRuleOfTheFileIsThereAgainInThisLifeAndTheNext(isBeside: Bool) throws {
    let zone = "CET-1CEST,M3.5.0,M10.5.0/3"
    let file = "{ fences: [\(garden)], timeZone: '\(zone)', alarms: [\(feed)] }"
    for damaged in ["garden", "Feed her", "CET-1CEST"] {
      let folder = try Folder(isInMemory: true)
      func life(_ requests: String...) throws -> (rules: RuleTables, told: Int) {
        let board = try board(folder, file)
        board.keepsBesideLoop = isBeside
        try board.start()
        let run = try #require(board.run)
        for request in requests { #expect(run.request(request), "\(request)") }
        board.live(until: board.clock.now + .seconds(10))
        defer { board.stop() }
        return (run.rules, board.inbox.packets.count { $0.text.contains("ruleChanged") })
      }
      #expect(try life("fence 2 set \"wood\" circle 52.1,4.5 80").rules.alarms.count == 1)
      let text = Array(damaged.utf8)
      let path = folder("state.db")
      var bytes = try SmallFile(path: path, limit: 1 << 24).bytes
      for place in bytes.indices where bytes[place...].starts(with: text) { bytes[place] ^= 0x20 }
      _ = MarkFile(path: path).write(bytes)
      for number in 1...3 {
        let now = try life().rules
        #expect(
          now.timeZone == zone && now.fences.map(\.outline.number).sorted() == [1, 2], "\(damaged), life \(number)")
        #expect(now.fences.first { $0.outline.number == 1 }?.isActive == true, "\(damaged), life \(number)")
        #expect(now.alarms.count == 1, "\(damaged), life \(number)")
      }
      #expect(try life("fence 1 delete").rules.fences.count == 2, "an alarm needs it")
      _ = try life("alarm 1 delete", "fence 1 delete")
      #expect(try life().rules.fences.count == 1, "what came back is the owner's")
    }
  }

  @Test func whatTheTrackerDoesNotTakeIsToldAtEachStart() throws {
    let folder = try Folder(isInMemory: true)
    try live(folder, "{}", "fence 4 set \"old\" circle 52.1,4.5 80")
    let room = Tracker.ruleRows(.fence)
    let fences = (10..<10 + room).map {
      "{ number: \($0), name: 'f', active: true, circle: { latitude: 52, longitude: 4.\($0), radius: 50 } }"
    }
    let file = "{ fences: [\(fences.joined(separator: ","))], timeZone: 'UTC' }"
    for _ in 0..<2 {
      let life = try live(folder, file)
      #expect(life.rules.fences.map(\.outline.number) == [4] + (10..<9 + room).map { UInt8($0) })
      #expect(
        life.problems == [
          "fence \(9 + room) of the configuration: the table of fences is full; delete one first"
        ])
    }
    let life = try live(folder, file, "fence 4 delete")
    #expect(life.problems.count == 1)
    #expect(try live(folder, file).problems.isEmpty)
  }

  @Test func aRefusedRuleOfTheFileUndoesNothingOfItsTable() throws {
    let folder = try Folder(isInMemory: true)
    let file = """
      { timeZone: 'UTC', fences: [\(garden)], alarms: [
        { number: 1, label: 'Feed her', at: '07:30' }, { number: 2, label: 'Out', when: 'leave', inside: 9 },
        { number: 4, label: 'Late', when: 'leave', inside: 9 }] }
      """
    var life = try live(folder, file, "alarm 1 set \"mine\" at 08:00", "fence 1 off")
    #expect(life.problems.map { $0.prefix(7) } == ["alarm 2", "alarm 4"])
    life = try live(folder, file, "alarm 4 set \"own\" at 09:00")
    #expect(life.problems.map { $0.prefix(7) } == ["alarm 2", "alarm 4"], "\(life.problems)")
    #expect(
      life.rules.alarms.map { $0.label.string } == ["mine", "own"] && life.rules.fences.map(\.isActive) == [false])
    // What a request has put in a refused row's place stays, too, when the fence it waited for is there.
    life = try live(folder, file, "alarm 1 delete", "fence 9 set \"wood\" circle 52.1,4.5 80")
    #expect(life.problems.map { $0.prefix(7) } == ["alarm 2"] && life.rules.alarms.map(\.number) == [4])
    life = try live(folder, file)
    #expect(life.problems.isEmpty && life.rules.alarms.map { $0.label.string } == ["Out", "own"])
    #expect(life.rules.fences.map(\.isActive) == [false, false] && life.told == 1)
    #expect(try live(folder, file, "alarm 2 delete").told == 1)
    #expect(try live(folder, file).rules.alarms.map(\.number) == [4], "it was taken, and is the owner's now")
  }

  @Test func whatTheFileSaysComesFromTheConfigurationAndFromNobodyElse() throws {
    let folder = try Folder(isInMemory: true)
    let board = try board(folder, "{ fences: [\(garden)], timeZone: 'UTC' }")
    board.configuration.recording = RecordingSettings(folder: folder("rides"))
    try board.start()
    #expect(try #require(board.run).request("fence 1 off"))
    board.live(until: board.clock.now + .seconds(10))
    board.stop()
    let file = try #require(RideRecorder.files(in: folder("rides")).first).name
    let reader = try LeashLogReader(path: folder("rides") + "/" + file)
    var origins: [String] = []
    while let record = try reader.next() {
      guard case .input(.command) = record else { continue }
      origins.append(String(String(decoding: reader.payload, as: UTF8.self).prefix { $0 != " " }))
    }
    #expect(origins == ["@11", "@11", "@11", "@0"] && RequestOrigin.name(ofChannel: 11) == "configuration")
  }

  @Test func theFilesRulesAreInTheRecordingAsRequestsAre() throws {
    let folder = try Folder(isInMemory: true)
    let board = try board(folder, "{ fences: [\(garden)], timeZone: 'UTC' }")
    board.configuration.recording = RecordingSettings(folder: folder("rides"))
    try board.start()
    board.live(until: board.clock.now + .seconds(10))
    board.stop()
    let log = try LeashLogReader(
      path: folder("rides") + "/" + #require(RideRecorder.files(in: folder("rides")).first).name)
    #expect(try ReplayVerifier.check([log]).difference == nil)
  }
}

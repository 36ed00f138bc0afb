import Foundation
import InlineStorage
import JSON5
import Positioning
import Quantities
import Rules
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

@testable import LinuxRuntime

/// A file that must be right.
func rules(_ text: String) throws -> RuleTables {
  do throws(BoardConfigurationFailure) {
    return try RuleFile(text: Array(text.utf8), name: "f").tables
  } catch {
    Issue.record("\(error.lines.joined(separator: "\n"))\n\(text)")
    throw error
  }
}

/// What is wrong in a file, without its name.
private func wrong(_ text: String) -> [String] {
  do throws(BoardConfigurationFailure) {
    _ = try RuleFile(text: Array(text.utf8), name: "f")
    return []
  } catch {
    return error.lines.map { String($0.dropFirst(2)) }
  }
}

private let everything = """
  {
    timeZone: 'CET-1CEST,M3.5.0,M10.5.0/3',
    fences: [
      { number: 1, name: 'garden', active: true,
        polygon: [[52.1, 4.1], [52.1, 4.2], [52.2, 4.2], [52.2, 4.1]], holes: [[[52.14, 4.14], [52.14, 4.16], [52.16, 4.15]]] },
      { number: 200, name: 'Zürich “café”', circle: { latitude: -0.0000001, longitude: 180, radius: 50.5 } },
      { number: 3, name: 'to school', active: false, corridor: { width: 30, points: [[52.1, 4.1], [52.2, 4.1]] } },
    ],
    places: [{ number: 1, name: 'home', latitude: 52.1234567, longitude: -4.1, radius: 60 }],
    alarms: [
      { number: 1, label: 'Feed her', at: '07:30', days: 'weekdays', inside: 1 },
      { number: 2, label: 'once', at: '00:00', days: '2028-02-29', enabled: false, sound: 0, snooze: 120 },
      { number: 3, label: 'home', when: 'arrive', inside: 200, from: '22:00', to: '06:00', days: ['wed', 'mon'], noFix: 'ring' },
      { number: 4, label: 'away', when: 'leave', inside: 3, noFix: 'skip' },
      { number: 5, label: 'night', when: 'quiet', from: '22:15', to: '06:45', sound: 3600, snooze: 1 },
      { number: 6, label: 'long', stay: 1440, inside: 1 },
    ],
  }
  """

struct RuleFileTests {
  @Test func everyRowBecomesTheRequestThatMakesIt() throws {
    let texts = try rules(everything).requests().map(\.request.text)
    #expect(
      texts == [
        "zone CET-1CEST,M3.5.0,M10.5.0/3",
        "fence 1 set \"garden\" polygon 52.1,4.1 52.1,4.2 52.2,4.2 52.2,4.1 hole 52.14,4.14 52.14,4.16 52.16,4.15",
        "fence 200 set \"Zürich “café”\" circle -0.0000001,180.0 50.5",
        "fence 3 set \"to school\" corridor 30 52.1,4.1 52.2,4.1",
        "fence 1 on",
        "place 1 set \"home\" 52.1234567,-4.1 60",
        "alarm 1 set \"Feed her\" at 07:30 mon,tue,wed,thu,fri inside 1",
        "alarm 2 set \"once\" at 00:00 2028-02-29 sound 0 snooze 120 disabled",
        "alarm 3 set \"home\" arrive inside 200 from 22:00 to 06:00 mon,wed nofix ring",
        "alarm 4 set \"away\" leave inside 3 nofix skip",
        "alarm 5 set \"night\" quiet from 22:15 to 06:45 daily sound 3600 snooze 1",
        "alarm 6 set \"long\" stay 1440 inside 1",
      ])
    let guarding = try rules("{ alarms: [{ number: 9, label: 'g', when: 'guard', outside: 2 }] }").requests()
    #expect(guarding.map(\.request.text) == ["alarm 9 set \"g\" guard outside 2"])
  }

  @Test func whatATrackerHasIsWrittenAndReadBackExactly() throws {
    let tables = try rules(everything)
    #expect(try rules(tables.json) == tables, "\(tables.json)")
    var tracker = Tracker(configuration: TrackerConfiguration())
    for (_, request) in tables.requests() {
      tracker.receive(Array(request.text.utf8).span, from: .console, by: RequestDoor(), at: .seconds(1))
      while tracker.nextAction() != nil {}
    }
    let exported = RuleTables(tracker)
    #expect(exported == tables)
    #expect(try rules(exported.json) == tables)
    #expect(exported.requests(after: tables).isEmpty && tables.requests(after: exported, clears: true).isEmpty)
    #expect(
      RuleTables().isEmpty && RuleTables().json == "{\n  \"fences\": [],\n  \"places\": [],\n  \"alarms\": []\n}\n")
  }

  @Test func theFileOfTheManualIsRightAndSoAreTheExamplesOfTheConfiguration() throws {
    let root = String(#filePath.dropLast("Tests/LinuxRuntimeTests/RuleFileTests.swift".count))
    let manual = try String(contentsOfFile: root + "docs/rules.md", encoding: .utf8)
    let file = try #require(manual.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
    let tables = try rules(file)
    #expect(tables.fences.count == 3 && tables.places.count == 1 && tables.alarms.count == 6)
    #expect(try rules(tables.json) == tables)
    for (name, _, _, _) in RuleKeys.tables { _ = try rules("{ \(name): [\(RuleKeys.example(of: name))] }") }
    for table in [RuleKeys.fence, RuleKeys.place, RuleKeys.alarm] {
      for key in table { #expect(try JSON5Value(reading: Array(key.example.utf8)).kind != "null", "\(key.name)") }
    }
  }

  @Test func onlyWhatDiffersIsToldAndWhatIsNotInTheFileStaysUnlessItIsToGo() throws {
    let known = try rules(everything)
    var wanted = known
    wanted.fences[0].isActive = false
    wanted.fences[2].isActive = true
    wanted.places[0].radius = 61
    wanted.alarms.removeLast()
    #expect(
      wanted.requests(after: known).map(\.request.text) == [
        "fence 3 on", "fence 1 off", "place 1 set \"home\" 52.1234567,-4.1 61",
      ], "never a moment without a fence that must not be left")
    let nothing = RuleTables()
    #expect(nothing.requests(after: known).isEmpty)
    let cleared = nothing.requests(after: known, clears: true).map(\.request.text)
    #expect(
      cleared.joined(separator: ", ")
        == "alarm 1 delete, alarm 2 delete, alarm 3 delete, alarm 4 delete, alarm 5 delete, alarm 6 delete, fence 1 delete, "
        + "fence 200 delete, fence 3 delete, place 1 delete", "alarms stay at their hours")
    var other = RuleTables()
    other.timeZone = "UTC0"
    #expect(other.requests(after: known).map(\.request.text) == ["zone UTC0"])
  }

  @Test func anAlarmGoesBeforeTheFenceThatItDependsOnAndComesAgain() throws {
    func tables(_ fence: Int) throws -> RuleTables {
      try rules(
        "{ fences: [{ number: \(fence), name: 'a', circle: { latitude: 1, longitude: 1, radius: 9 } }],"
          + " alarms: [{ number: 4, label: 'x', at: '07:30', inside: \(fence) }] }")
    }
    #expect(
      try tables(2).requests(after: tables(1), clears: true).map(\.request.text) == [
        "alarm 4 delete", "fence 1 delete", "fence 2 set \"a\" circle 1.0,1.0 9",
        "alarm 4 set \"x\" at 07:30 daily inside 2",
      ])
  }

  @Test func everyErrorOfAFenceIsToldAndItsNumberIsUsed() {
    func circle(_ radius: String) -> String {
      "{ number: 5, name: 'a', circle: { latitude: 1, longitude: 1, radius: \(radius) } }"
    }
    let told = wrong("{ fences: [\n\(circle("0.2")),\n\(circle("9"))] }")
    #expect(told.count == 2 && told.contains { $0.contains("fences[0].circle.radius") })
    #expect(told.contains { $0.hasSuffix("'fences[1].number': 5 is used by the fence on line 2") }, "\(told)")
  }

  @Test func aNumberThatIsUsedTwiceOrAKeyThatIsWrongHidesNoOtherError() {
    let told = wrong(
      """
      { fences: [
      { number: 1, name: 'a', circle: { latitude: 1, longitude: 1, radius: 9 } },
      { number: 1, name: 'a', circle: { latitude: 1, longitude: 1, radius: 9 }, polygon: [[1,2],[3,4],[5,6]] },
      { number: 1, name: 'c', polygon: [[52.0,4.0],[52.0,4.01]] },
      { number: 2, nmae: 'd', polygon: [[52.0,4.0],[52.01,4.01],[52.0,4.01],[52.01,4.0]] },
      { number: 3, name: '"', polygon: [[52.0,4.0],[52.0],[52.0,4.01],[152,4]] },
      { number: 4, name: 'e', circel: { latitude: 1 } }, ],
      alarms: [ { number: 2, label: 'u', day: 'daily', at: '7:30' }, { number: 2, label: 'u', when: 'arrive' } ] }
      """)
    let expected = [
      "'fences[1].number': 1 is used", "'fences[1]': expected one of", "'fences[2].number': 1 is used", "tooFewPoints",
      "fences[3].nmae", "'fences[3].name' is missing", "crossing", "there is room for 5", "'fences[4].name'",
      "'fences[4].polygon[1]'", "'fences[4].polygon[3]'", "circel", "alarms[0].day", "'alarms[0].at'",
      "'alarms[1].number'", "'alarms[1].inside'",
    ]
    for text in expected where !told.contains(where: { $0.contains(text) }) {
      Issue.record("nothing of \(text): \(told.joined(separator: "\n"))")
    }
    #expect(told.count == expected.count, "\(told.joined(separator: "\n"))")
  }

  @Test func aWrongOrMissingNumberAndAWrongWidthHideNoOtherError() {
    for number in ["number: 300, ", "", "number: 'x', "] {
      let told = wrong(
        """
        { fences: [ { \(number)name: 'f', polygon: [[1,2],[91,2]] },
        { \(number)name: 'g', corridor: { width: -1, points: [[1,2]] } } ],
        places: [ { \(number)name: '"', latitude: 1, longitude: 1, radius: 9 } ],
        alarms: [ { \(number)label: 'x', at: '9', days: 'mo' } ] }
        """)
      let expected = [
        "'fences[0].number'", "'fences[0].polygon[1]'", "'fences[1].number'", "'fences[1].corridor.width'",
        "'fences[1].corridor': tooFewPoints", "'places[0].number'", "'places[0].name'", "'alarms[0].number'",
        "'alarms[0].at'", "'alarms[0].days'",
      ]
      for text in expected where told.filter({ $0.contains(text) }).count != 1 {
        Issue.record("\(number): \(text): \(told.joined(separator: "\n"))")
      }
      #expect(told.count == expected.count, "\(told.joined(separator: "\n"))")
    }
  }

  @Test func anAlarmWhoseDateIsOverIsWarnedOf() throws {
    let text = """
      { timeZone: 'CET-1CEST,M3.5.0,M10.5.0/3', alarms: [
      { number: 1, label: 'a', at: '17:05', days: '2025-11-24' }, { number: 2, label: 'b', at: '16:59', days: '2025-11-24' },
      { number: 3, label: 'c', at: '16:59', days: '2025-11-24', enabled: false }, { number: 4, label: 'd', at: '16:59' } ] }
      """
    let file = try RuleFile(text: Array(text.utf8), name: "f")
    // 17:00 in central Europe.
    let told = file.pastAlarms(at: UTCTime(microseconds: 1_764_000_000_000_000))
    #expect(told == ["f:2:1: alarm 2 would never ring: its date is over"])
  }

  @Test func aZoneThatIsNearlyANameIsToldWhichAndATooLongOneItsLimit() {
    let long = "<+1234567890123>-12:34:56<+1234567890124>-13,M3.5.0/02:00:00,M10.5.0/03:00:00"
    #expect(
      wrong("{ timeZone: '\(long)' }").first?.hasSuffix(
        "expected a POSIX string of 48 bytes at most; this one has \(long.utf8.count)") == true)
    // As far as this machine has a list of names.
    guard !ZoneFolder().names.isEmpty else { return }
    for (name, meant) in [("America/New_Yrok", "America/New_York"), ("Europe/amsterdam", "Europe/Amsterdam")] {
      #expect(wrong("{ timeZone: '\(name)' }").first?.hasSuffix("; did you mean '\(meant)'?") == true)
    }
  }

  @Test func theNumbersNextToALimitAreTakenAndThoseBeyondAreNot() {
    func fence(_ members: String) -> String { "{ fences: [{ number: 1, name: 'a', \(members) }] }" }
    func circle(_ latitude: String, _ longitude: String, _ radius: String) -> String {
      fence("circle: { latitude: \(latitude), longitude: \(longitude), radius: \(radius) }")
    }
    func alarm(_ members: String) -> String { "{ alarms: [{ number: 1, label: 'a', \(members) }] }" }
    let corners = (0..<9).map { place -> String in
      let angle = Double(place) * 0.6
      return "[\(52 + 0.01 * cos(angle)), \(4 + 0.01 * sin(angle))]"
    }
    for (right, text) in [
      (true, circle("89.9", "180", "1")), (false, circle("90.1", "180", "1")), (false, circle("89", "-180.1", "1")),
      (true, circle("52", "-180", "1000000")), (false, circle("52", "4", "1000000.1")),
      (false, circle("52", "4", "0.9")),
      (true, fence("polygon: [\(corners.prefix(8).joined(separator: ","))]")),
      (false, fence("polygon: [\(corners.joined(separator: ","))]")),
      (true, fence("polygon: [\(corners.prefix(3).joined(separator: ","))]")),
      (false, fence("polygon: [\(corners.prefix(2).joined(separator: ","))]")),
      (true, fence("corridor: { width: 1, points: [\(corners.prefix(2).joined(separator: ","))] }")),
      (false, fence("corridor: { width: 1, points: [\(corners[0])] }")),
      (true, alarm("at: '23:59'")), (false, alarm("at: '24:00'")), (false, alarm("at: '07:60'")),
      (false, alarm("at: '7:30'")),
      (false, alarm("at: '+7:30'")),
      (true, alarm("at: '07:30', days: '2028-02-29'")), (false, alarm("at: '07:30', days: '2027-02-29'")),
      (false, alarm("at: '07:30', days: []")), (true, alarm("at: '07:30', days: 'mon'")),
      (true, alarm("at: '07:30', days: 'mon+wed'")), (true, alarm("at: '07:30', days: 'mon, wed'")),
      (false, alarm("at: '07:30', days: 'mon+'")), (false, alarm("at: '07:30', days: 'mon+daily'")),
      (false, alarm("at: '07:30', days: 'mon wed'")),
      (true, alarm("stay: 1440, inside: 1")), (false, alarm("stay: 1441, inside: 1")),
      (false, alarm("stay: 0, inside: 1")),
      (true, alarm("at: '07:30', sound: 3600")), (false, alarm("at: '07:30', sound: 3601")),
      (true, alarm("at: '07:30', snooze: 120")), (false, alarm("at: '07:30', snooze: 121")),
      (false, alarm("at: '07:30', snooze: 0")), (true, alarm("at: '07:30', inside: 255")),
      (false, alarm("at: '07:30', inside: 256")),
      (
        true,
        "{ places: [{ number: 255, name: '\(String(repeating: "é", count: 16))', latitude: 1, longitude: 1, radius: 1 }] }"
      ),
      (false, "{ places: [{ number: 256, name: 'a', latitude: 1, longitude: 1, radius: 1 }] }"),
      (false, "{ places: [{ number: 0, name: 'a', latitude: 1, longitude: 1, radius: 1 }] }"),
      (
        false,
        "{ places: [{ number: 1, name: '\(String(repeating: "é", count: 16))x', latitude: 1, longitude: 1, radius: 1 }] }"
      ),
      (false, "{ places: [{ number: 1, name: '', latitude: 1, longitude: 1, radius: 1 }] }"),
      (false, "{ places: [{ number: 1, name: 'a\"b', latitude: 1, longitude: 1, radius: 1 }] }"),
    ] {
      #expect(wrong(text).isEmpty == right, "\(text): \(wrong(text))")
    }
  }

  @Test func everyMistakeIsOneLineWithItsPlaceAndWhatWouldBeRight() {
    let polygon = "polygon: [[52.1, 4.1], [52.1, 4.2], [52.2, 4.2]]"
    func fence(_ members: String) -> String { "{ fences: [\n{ number: 1, name: 'a', \(members) }] }" }
    let room = Tracker.ruleRows(.fence)
    func circle(_ number: Int) -> String {
      "{ number: \(number), name: 'a', circle: { latitude: 1, longitude: 1, radius: 9 } },"
    }
    func alarm(_ members: String) -> String { "{ alarms: [\n{ number: 1, label: 'a', \(members) }] }" }
    for (text, line) in [
      ("[]", "1:1: found a list, expected an object { … } with fences, places and alarms"),
      ("{\n fence: [] }", "2:2: unknown key 'fence'; did you mean 'fences'?"),
      ("{ fences: {} }", "1:11: 'fences': found an object, expected a list [ { … } ]"),
      ("{ fences: [3] }", "1:12: 'fences[0]': found a number, expected an object { … }"),
      (
        "{ fences: [\((1...room).map { circle($0) }.joined())\n\(circle(room + 1))] }",
        "2:1: fences: \(room + 1), there is room for \(room)"
      ),
      (
        "{\n alarms: [{ number: 1, label: 'a', name: 'b', at: '07:30' }] }",
        "2:36: unknown key 'alarms[0].name'; did you mean 'label'?"
      ),
      (fence("poligon: []"), "2:25: unknown key 'fences[0].poligon'; did you mean 'polygon'?"),
      (fence("circle: { radios: 3 }"), "2:35: unknown key 'fences[0].circle.radios'; did you mean 'radius'?"),
      (fence("active: 1, \(polygon)"), "2:33: 'fences[0].active': found 1, expected true or false"),
      (
        "{ fences: [{ number: 1, \(polygon) }] }",
        "1:12: 'fences[0].name' is missing, expected text of 1 to 32 bytes without control characters"
      ),
      (fence("active: true"), "2:1: 'fences[0]': expected one of 'polygon', 'circle' and 'corridor'"),
      (
        fence("\(polygon), circle: { latitude: 1, longitude: 1, radius: 1 }"),
        "2:1: 'fences[0]': expected one of 'polygon', 'circle' and 'corridor'"
      ),
      (fence("circle: { latitude: 1, longitude: 1 }"), "2:45: 'fences[0].circle.radius' is missing"),
      (
        fence("circle: { latitude: 1, longitude: 1, radius: 'x' }"),
        "2:70: 'fences[0].circle.radius': found \"x\", expected a number from 1 to 1000000 (m)"
      ),
      (
        fence("polygon: [[52.1, 4.1], [4.1], [1, 1]]"),
        "2:48: 'fences[0].polygon[1]': expected [latitude, longitude] in degrees"
      ),
      (
        fence("polygon: [[100.1, 4.1], [4.1, 1], [1, 1]]"),
        "2:35: 'fences[0].polygon[0]': outOfRange: expected a latitude from -90 to 90 and then a longitude from -180 to 180"
      ),
      (
        fence("polygon: [[52.1, 4.1], [52.2, 4.2], [52.1, 4.3], [52.2, 4.1]]"),
        "2:34: 'fences[0].polygon': crossing: two edges cross or touch that are not neighbours"
      ),
      (
        fence("polygon: [[52.1, 4.1], [52.2, 4.1], [52.1, 4.1]]"),
        "2:34: 'fences[0].polygon': duplicatePoint: two corners are at the same place; do not repeat the first corner at "
          + "the end"
      ),
      (
        fence("\(polygon), holes: [[[53, 4], [53, 5], [54, 5]]]"),
        "2:34: 'fences[0].polygon': holeOutside: a hole is outside the polygon, or inside another hole"
      ),
      (
        fence("\(polygon), holes: [[]]"),
        "2:34: 'fences[0]': tooFewPoints: expected three corners or more in each hole"
      ),
      (
        fence("circle: { latitude: 1, longitude: 1, radius: 1 }, holes: []"),
        "2:82: 'fences[0].holes' belongs to 'polygon'"
      ),
      (
        "{ places: [{ number: 4, name: 'a', latitude: 1, longitude: 1, radius: 1 },\n"
          + "{ number: 4, name: 'b', latitude: 1, longitude: 1, radius: 1 }] }",
        "2:11: 'places[1].number': 4 is used by the place on line 1"
      ),
      (
        "{ timeZone: 'Nowhere/Town' }",
        "1:13: 'timeZone': found \"Nowhere/Town\", expected a name such as \"Europe/Amsterdam\", or a POSIX string such as "
          + "\"CET-1CEST,M3.5.0,M10.5.0/3\""
      ),
      (alarm("days: 'daily'"), "2:1: 'alarms[0]': expected one of 'at', 'when' and 'stay'"),
      (alarm("at: '07:30', stay: 3, inside: 1"), "2:1: 'alarms[0]': expected one of 'at', 'when' and 'stay'"),
      (alarm("at: '07.30'"), "2:30: 'alarms[0].at': found \"07.30\", expected a time of the day such as \"07:30\""),
      (
        alarm("at: '07:30', days: 'weekday'"),
        "2:45: 'alarms[0].days': found \"weekday\", expected \"daily\", \"weekdays\", \"weekend\", a date such as \"2026-12-24\", "
          + "or a list such as [\"mon\", \"wed\"]; did you mean 'weekdays'?"
      ),
      (
        alarm("at: '07:30', days: ['tu']"),
        "2:46: 'alarms[0].days': found \"tu\", expected one of \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"; did you "
          + "mean 'tue'?"
      ),
      (
        alarm("when: 'arives', inside: 1"),
        "2:32: 'alarms[0].when': found \"arives\", expected one of \"arrive\", \"leave\", \"quiet\", \"guard\"; did you mean "
          + "'arrive'?"
      ),
      (alarm("when: 'arrive'"), "2:1: 'alarms[0].inside' is missing, expected the number of a fence"),
      (alarm("stay: 3, outside: 1"), "2:44: 'alarms[0].inside' is missing, expected the number of a fence"),
      (
        alarm("at: '07:30', inside: 1, outside: 2"), "2:59: 'alarms[0]': expected 'inside' or 'outside', not both"
      ),
      (
        alarm("at: '07:30', from: '08:00', to: '09:00'"),
        "2:45: 'alarms[0].from' and '.to' can't be used with 'at'"
      ),
      (alarm("when: 'quiet', from: '08:00'"), "2:47: 'alarms[0]': expected both 'from' and 'to'"),
      (alarm("when: 'quiet', days: 'weekend'"), "2:47: 'alarms[0].days' needs 'at', or 'from' and 'to'"),
      (
        alarm("when: 'quiet', from: '08:00', to: '09:00', days: '2026-12-24'"),
        "2:75: 'alarms[0].days': a date needs 'at'"
      ),
    ] {
      #expect(wrong(text) == [line], "\(text)")
    }
    #expect(
      wrong("{ fences: [\n{ number: 1, name: 'a', poligon: [] }], alarms: [\n{ number: 1, label: 'a', at: 'x' }] }")
        .count == 2,
      "all that is wrong at once")
  }

  @Test func tooManyRowsHideNoOtherMistake() {
    let circle = "circle: { latitude: 1, longitude: 1, radius: 9 }"
    let rows = (1...6).map { "{ number: \($0), name: 'a', \(circle) }" }
    let text = "{ fences: [\(rows.joined(separator: ",\n")),\n{ number: 7, name: 'a', activ: true, \(circle) }] }"
    #expect(
      wrong(text) == [
        "6:1: fences: 7, there is room for 5", "7:25: unknown key 'fences[6].activ'; did you mean 'active'?",
      ])
  }

  @Test func anAlarmAboutAFenceThatIsElsewhereIsAWarning() throws {
    let file = try RuleFile(
      text: Array("{ alarms: [\n{ number: 2, label: 'a', at: '07:30', inside: 7 }] }".utf8), name: "f")
    #expect(file.warnings == ["f:2:1: alarm 2 refers to fence 7, which is not in this file"])
    #expect(file.lines == [RuleName(.alarm, 2): 2])
  }

  @Test func aZoneHasANameOrIsToldAsPOSIXHasIt() throws {
    let scratch = try ScratchFolder()
    var zones = ZoneFolder()
    zones.folder = scratch.url.path
    let body = "TZif2" + String(repeating: "x", count: 60)
    _ = try scratch.file("Town", body + "\nCET-1CEST,M3.5.0,M10.5.0/3\n")
    _ = try scratch.file("Old", "TZif" + String(repeating: "\0", count: 60) + "\nCET-1\n")
    _ = try scratch.file("Odd", body + "\n\n")
    _ = try scratch.file("text", "CET-1\n")
    #expect(zones.posixText("Town") == "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(zones.posixText("<+0330>-3:30") == "<+0330>-3:30" && zones.posixText("UTC") == "UTC0")
    for name in ["Old", "Odd", "text", "None", "", "../Town", "/Town", "./Town", "a//b"] {
      #expect(zones.posixText(name) == nil, "\(name)")
    }
    #expect(zones.posixText("../\(scratch.url.lastPathComponent)/Town") == nil, "no way out of the folder")
    _ = try scratch.file(
      "zone.tab", "# comment\nNL\t+5222+00454\tEurope/Amsterdam\nUS\t+404251-0740023\tAmerica/New_York\tEastern\n")
    #expect(zones.names == ["Europe/Amsterdam", "America/New_York"])
    zones.localTime = scratch.url.appending(path: "Town").path
    #expect(zones.local == "CET-1CEST,M3.5.0,M10.5.0/3")
    zones.localTime = scratch.url.appending(path: "none").path
    #expect(zones.local == nil)
  }
}

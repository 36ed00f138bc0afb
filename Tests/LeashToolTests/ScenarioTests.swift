import Foundation
import SimulatedWorld
import Testing

@testable import LeashTool

/// Scenario files of the repository, and `leash simulate` with them.
@Suite struct ScenarioTests {
  private static let folder = Places.fixtures.appending(path: "scenarios").path

  private static func texts() throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") }.sorted().map {
      ($0, try String(contentsOfFile: folder + "/" + $0, encoding: .utf8))
    }
  }

  @Test func everyScenarioOfTheRepositoryPasses() throws {
    let run = ToolRun("simulate", ScenarioTests.folder)
    #expect(run.code == .success, "\(run.out)\(run.err)")
    let count = try ScenarioTests.texts().count
    #expect(count >= 40 && run.lines.count == count + 2)
    #expect(
      run.lines.last == "RunRate 100.0 % (\(count) of \(count) run), PassRate 100.0 % (\(count) of \(count) passed)")
  }

  @Test func eachRiskAndEachTestCaseOfTheDeviceHasAScenario() throws {
    var covered: Set<String> = []
    for (name, text) in try ScenarioTests.texts() {
      let covers = try ScenarioLives.file(ScenarioTests.folder + "/" + name).covers
      #expect(!covers.isEmpty, "\(name)")
      // The first line says the same to those who read it.
      let first = text.prefix { $0 != "\n" }
      #expect(first.hasPrefix("// "), "\(name)")
      for word in covers where word.hasPrefix("R") || word.hasPrefix("TC") {
        #expect(first.contains(word), "\(name): \(word)")
      }
      covered.formUnion(covers)
    }
    let wanted =
      ["R11", "R13", "R14", "R15", "R16", "R17", "TC1", "TC2", "TC3", "TC4", "TC5"] + (12...22).map { "TC\($0)" }
    #expect(wanted.filter { !covered.contains($0) } == [])
  }

  /// What is left without numbers and words for people: deeds, faults, requests and what is expected.
  private static func shape(_ text: String) -> String {
    text.replacing(/\/\/.*/, with: "").replacing(/about: ".*?",/, with: "").replacing(/covers: \[.*?\],/, with: "")
      .replacing(/when: ".*?",/, with: "").replacing(/-?\d+(\.\d+)?/, with: "#").replacing(/\s+/, with: " ")
  }

  @Test func noTwoScenariosDifferInNumbersOnly() throws {
    var names: [String: String] = [:]
    for (name, text) in try ScenarioTests.texts() {
      let before = names.updateValue(name, forKey: ScenarioTests.shape(text))
      #expect(before == nil, "\(name) is \(before ?? "") with other numbers")
    }
  }

  private static let theft = """
    // A theft.
    { about: "a theft", covers: ["R11"], seed: 5, sensor: { hertz: 12.5 },
      timeline: [{ stand: 700 }, { lift: { degrees: 40 }, told: 5 }, { carry: 40 }, { stand: 60 }, { dismiss: true }, { stand: 600 }],
      faults: [{ at: 300, power: { off: 5, loss: "torn" } }],
      requests: [{ at: 400, ask: "ping", answer: "pong" }] }
    """

  @Test func severalAreToldInATableAndOneThatFailsWithWhy() throws {
    let folder = try TemporaryFolder()
    let good = try folder.file("a.json5", ScenarioTests.theft)
    let bad = try folder.file(
      "b.json5", ScenarioTests.theft.replacing("requests:", with: "expect: { alerts: 0 }, requests:"))
    let run = ToolRun("simulate", good, bad, "--runs", "2")
    #expect(run.code == .checkFailed)
    #expect(run.lines.count { $0.hasSuffix("  passed") } == 2 && run.lines.count { $0.hasSuffix("  failed") } == 2)
    #expect(run.out.contains("b, seed 5: alerts: ") && run.out.contains("b, seed 6: alerts: "))
    #expect(run.out.contains("RunRate 100.0 % (4 of 4 run), PassRate 50.0 % (2 of 4 passed)\n"))
    #expect(run.lines.last == "  again: leash simulate \(bad) --seed 5 --verbose")
    let json = try ToolRun("simulate", good, bad, "--json").objects()
    #expect(json.count == 3)
    #expect(json[2]["planned"] as? Int == 2 && json[2]["run"] as? Int == 2 && json[2]["passed"] as? Int == 1)
    #expect(json[2]["runRate"] as? Double == 1 && json[2]["passRate"] as? Double == 0.5)
    #expect(json[0]["passed"] as? Bool == true && json[1]["passed"] as? Bool == false && json[0]["cuts"] as? Int == 1)
    #expect(json[0]["scenario"] as? String == "a" && json[0]["covers"] as? [String] == ["R11"])
    let truth = try #require(json[0]["truth"] as? [[String: Any]])
    #expect(truth.map { $0["class"] as? String } == ["power", "owner", "lift", "carry", "dismiss"])
    #expect(truth[2]["from"] as? Double == 700 && truth[2]["until"] as? Double == 702.4)
    // The whole folder, and no faults.
    let all = ToolRun("simulate", folder.path("."), "--faults", "none", "--json")
    #expect(try all.objects().prefix(2).allSatisfy { $0["cuts"] as? Int == 0 })
  }

  @Test func oneIsShownWithWhatTrulyHappens() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("a.json5", ScenarioTests.theft)
    let run = ToolRun("simulate", path, "--verbose", "--only", "2")
    #expect(run.code == .success && run.lines.first == "what truly happens:", "\(run.out)")
    for line in ["  0:11:40 to 0:11:42  lift: told within 5.0 s", "ping → pong", "\"type\":\"movement\""] {
      #expect(run.out.contains(line), "\(line): \(run.out)")
    }
    #expect(!run.out.contains("power: "), "only the second of its faults")
    let log = folder.path("a.leash")
    #expect(ToolRun("simulate", path, "--record", log, "--only", "none").code == .success)
    #expect(ToolRun("replay", "--check", log).code == .success)
  }

  @Test func whatIsWrongIsToldInALine() throws {
    let folder = try TemporaryFolder()
    let good = try folder.file("a.json5", ScenarioTests.theft)
    let bad = try folder.file("b.json5", "{\n  timelin: [],\n  who: \"bike\" }")
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    for (arguments, message) in [
      ([bad], "\(bad):2: unknown key 'timelin'; did you mean 'timeline'?"),
      ([good, "--days", "2"], "option '--days' does not go with files of scenarios"),
      ([good, "--explore", "--minutes", "1"], "option '--explore' does not go with files of scenarios"),
      ([good, good, "--verbose"], "'--verbose', '--record', '--only' and '--without-deeds' are for a single run"),
      ([good, "--only", "3"], "option '--only': '3' is not from 1 to 2"),
      ([good, "--runs", "0"], "option '--runs': 0 is not from 1 to 10000000"),
      ([good, "--transport", "sms"], "option '--transport': text messages have no server here"),
      ([folder.path("empty")], "\(folder.path("empty")): no scenario, NAME.json5, in this folder"),
    ] {
      let run = ToolRun(["simulate"] + arguments)
      #expect(run.code == .usage && run.err == "leash simulate: \(message)\n", "\(run.err)")
    }
    let missing = ToolRun("simulate", folder.path("none.json5"))
    #expect(missing.code == .environment && missing.err.contains("none.json5: No such file"), "\(missing.err)")
  }

  @Test func aScenarioThatIsDrawnIsWrittenAndRuns() throws {
    let folder = try TemporaryFolder()
    let drawn = ToolRun("simulate", "--scenario-from", "2")
    #expect(drawn.code == .success && drawn.out.hasPrefix("// Drawn from seed 2.\n{\n"))
    let path = try folder.file("drawn.json5", drawn.out)
    let run = ToolRun("simulate", path)
    #expect(run.code == .success, "\(run.out)\(run.err)")
    #expect(ToolRun("simulate", "--scenario-from", "3").out != drawn.out)
    let atOnce = ToolRun("simulate", "drawn:2")
    #expect(atOnce.code == .success && atOnce.out.contains("drawn:2"), "\(atOnce.out)\(atOnce.err)")
    for wrong in ["drawn:", "drawn:x", "drawn:-1"] {
      let refused = ToolRun("simulate", wrong)
      #expect(refused.code == .usage, "\(refused.err)")
      #expect(refused.err == "leash simulate: '\(wrong)': expected drawn: and a seed, such as drawn:7\n")
    }
  }

  @Test func aCollarHasTheSettingsOfItsProfile() {
    #expect(!ScenarioLives.configuration(of: .collar).tracker.alertsEnabled)
    #expect(ScenarioLives.configuration(of: .collar).tracker.motion.standAfter == .seconds(30))
    #expect(ScenarioLives.configuration(of: .bike).tracker.alertsEnabled)
  }
}

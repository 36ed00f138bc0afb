import Foundation
import Quantities
import Testing

@testable import LeashTool
@testable import SimulatedWorld

/// `leash simulate` as a command; its worlds have their tests in `SimulatedWorldTests`.
@Suite struct SimulateTests {
  @Test(arguments: [
    (["--days", "0"], "option '--days': 0 is not from 1 to 4000"),
    (["--days", "4001"], "option '--days': 4001 is not from 1 to 4000"),
    (["--days", "-1"], "option '--days': -1 is not from 1 to 4000"),
    (["level-lift", "--days", "2"], "option '--days': scene 'level-lift' has its own length"),
    (["--runs", "0"], "option '--runs': 0 is not from 1 to 10000000"),
    (["--minutes", "1"], "'--explore' and '--minutes' belong together"),
    (["--fork", "soon:1"], "option '--fork': 'soon:1' is not a time in seconds and a seed, such as 901.25:7"),
    (["--fork", "9:1", "--fork", "8:1"], "option '--fork': '8:1' is before the one before it"),
    (["--fork", "9:1", "--runs", "2"], "'--fork' is for a single run"),
    (["--explore", "--minutes", "1", "--fork", "9:1"], "'--fork' is for a single run"),
    (["level-lift", "--without-deeds", "1,99"], "option '--without-deeds': '99' is not from 1 to 4"),
    (["level-lift", "--without-deeds", "3-2"], "option '--without-deeds': '3-2' is not from 1 to 4"),
    (["level-lift", "--only", "2", "--faults", "none"], "option '--only': '2' is not from 1 to 1"),
    (
      ["level-lift", "--only", "none", "--runs", "2"],
      "'--verbose', '--record', '--only' and '--without-deeds' are for a single run"
    ),
    (["level-lift", "day"], "only files of scenarios can be simulated together, not 'level-lift'"),
  ]) func aWrongOptionIsToldInALine(_ arguments: [String], _ message: String) {
    let run = ToolRun(["simulate", "--folder", Places.fixtures.appending(path: "scenes").path] + arguments)
    #expect(run.code == .usage)
    #expect(run.err == "leash simulate: \(message)\n")
  }

  @Test func aDayOfALifeKeepsItsPromisesAndIsReported() throws {
    let run = ToolRun("simulate", "--days", "1", "--seed", "1", "--json")
    #expect(run.code == .success && run.lines.count == 1, "\(run.out)")
    let report = try #require(try run.objects().first)
    #expect(report["seed"] as? Int == 1 && (report["seconds"] as? Double).map { 86_399...93_600 ~= $0 } == true)
    #expect(report["cuts"] as? Int == 2 && report["disturbances"] as? Int == 19)
    #expect((report["charges"] as? [String: Int])?["idle"] ?? 0 > 100_000_000)
    #expect((report["broken"] as? [Any])?.isEmpty == true)
  }

  @Test func eventsDelaysAndChargesAreTold() {
    var report = LifeReport()
    report.end = .seconds(2 * 86_400)
    (report.ridden, report.rides, report.disturbances, report.cuts) = (5, 4, 7, 3)
    (report.judgedRides, report.metres, report.odometerError) = (3, 12_345.6, 0.25)
    report.delays = [1, 2, 3, 4, 20]
    report.journeys = [0.5]
    report.microcoulombs = 36_000_000
    report.charges = ["idle": 32_400_000, "transmitting": 3_600_000, "powerSaving": 0]
    let result = LifeResult(seed: 9, report: report, failure: nil)
    let json = LifeText.json(result)
    for words in [
      "\"ridden\":5,\"rides\":4,\"judgedRides\":3,\"metres\":12345,\"odometerError\":0.250,\"disturbances\":7",
      "\"delay\":{\"median\":3.000,\"p99\":20.000,\"worst\":20.000}",
      "\"journey\":{\"median\":0.500,\"p99\":0.500,\"worst\":0.500}",
      "\"charges\":{\"idle\":32400000,\"powerSaving\":0,\"transmitting\":3600000}",
    ] {
      #expect(json.contains(words), "\(words): \(json)")
    }
    var tally = LifeTally()
    tally.add(result)
    let text = tally.text(wallSeconds: 8.64, .captured(isTerminal: false, width: 120))
    for line in [
      "1 life, 48.0 h simulated in 8.6 s, 20,000 × real time",
      "power cuts: 3; rides: 5, told 4; harmless disturbances: 7",
      "  3 of them held against the truth, 12.3 km; the odometer was off by 25 % at most of what it may be",
      "  from theft to alert, s: median 3.0, 99 % 20.0, worst 20.0", "charge of the modem: 10.0 mAh",
      "  idle 9.0, transmitting 1.0",
    ] {
      #expect(text.contains(line + "\n"), "\(line): \(text)")
    }
  }

  /// What is broken an hour before midnight is looked for with the day after it: nothing goes wrong in the last hour of a life.
  @Test func aBrokenPromiseNeedsOnlyTheDaysUntilItIsBroken() {
    #expect(LifeShrinker.days(until: .seconds(0)) == 1)
    #expect(LifeShrinker.days(until: .seconds(82_799)) == 1)
    #expect(LifeShrinker.days(until: .seconds(82_800)) == 2)
    #expect(LifeShrinker.days(until: .seconds(20 * 86_400)) == 21)
    #expect(LifeShrinker.days(until: .seconds(4000 * 86_400)) == nil)
    let lives = try? SimulatedLives(
      Arguments(["--days", "21", "--faults", "power"], parameters: SimulateCommand.command.parameters))
    #expect(
      lives?.words(LifeChoice(seed: 4), days: 3) == "leash simulate day --days 3 --faults power --seed 4")
  }

  @Test(arguments: [([], "none"), ([4], "4"), ([1, 2, 3, 7, 9, 10], "1-3,7,9-10")] as [([Int], String)])
  func numbersAreListedAsTheyAreRead(_ numbers: [Int], _ text: String) throws {
    #expect(BrokenLife.list(numbers) == text)
    #expect(try BrokenLife.numbers(text, of: "only", upTo: 10) == numbers)
    if let last = numbers.last {
      #expect(throws: CommandFailure.self) { try BrokenLife.numbers(text, of: "only", upTo: last - 1) }
    }
  }

  private static let scenes = ["--folder", Places.fixtures.appending(path: "scenes").path]

  /// A tracker that arms itself after an hour tells no theft before: the theft alone is needed to see that, and no fault.
  @Test func aBrokenPromiseEndsWithTheLeastThatBreaksItAndALogOfIt() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("broken.leash")
    let late = ["--set", "motion.armAfter=3600", "--faults", "strangers"]
    let run = ToolRun(["simulate", "level-lift", "--seed", "2", "--broken-log", log] + late + SimulateTests.scenes)
    #expect(run.code == .checkFailed)
    let lines = run.lines.drop { !$0.hasPrefix("broken: ") }
    #expect(
      lines.first?.hasPrefix("broken: each theft is reported within its limit, --seed 2, 0:") == true, "\(run.out)")
    #expect(lines.first?.contains(", step ") == true)
    #expect(
      lines.count { $0.hasPrefix("  needs deed ") } == 1 && !lines.contains { $0.hasPrefix("  needs fault") },
      "\(run.out)")
    #expect(lines.last == "  log: \(log), of tracker 1 of this life, to the moment; leash replay \(log)")
    let again = try #require(lines.first { $0.hasPrefix("  again: leash simulate level-lift ") })
    #expect(
      again.hasSuffix(" --only none --without-deeds 3 --verbose") || again.hasSuffix(" --only none --verbose"),
      "\(again)")
    let words = again.split(separator: " ").dropFirst(2).map(String.init)
    let repeated = ToolRun(words + SimulateTests.scenes)
    #expect(repeated.code == .checkFailed && repeated.out.contains("broken: each theft is reported within its limit"))
    #expect(ToolRun("replay", "--check", log).code == .success)
    let json = ToolRun(
      ["simulate", "level-lift", "--seed", "2", "--broken-log", "none", "--json"] + late + SimulateTests.scenes)
    let smallest = try #require(try json.objects().last?["smallest"] as? [String: Any])
    #expect(smallest["promise"] as? String == "theftTold" && (smallest["faults"] as? [Any])?.isEmpty == true)
    #expect(
      (smallest["deeds"] as? [Any])?.count == 1 && smallest["log"] == nil && (smallest["step"] as? Int ?? 0) > 1000)
  }

  @Test func aLifeThatIsNotTheSameTwiceIsNoGoodLife() {
    var report = LifeReport()
    report.hash = 10
    let first = LifeResult(seed: 1, report: report, failure: nil)
    #expect(first.beside(first).isGood)
    report.hash = 11
    let other = first.beside(LifeResult(seed: 1, report: report, failure: nil))
    #expect(!other.isGood && other.failure == "lived twice, it was not the same: hash a and b")
  }

  @Test func rareStatesAreListedAndThoseThatNoLifeCameTo() throws {
    let run = ToolRun(["simulate", "level-lift", "--runs", "3", "--faults", "power,network"] + SimulateTests.scenes)
    let place = try #require(run.lines.firstIndex { $0.hasPrefix("rare state") }, "\(run.out)")
    #expect(run.lines[place].split(separator: " ").suffix(3) == ["lives", "for", "one"])
    #expect(run.lines.last?.hasPrefix("never reached: ") == true)
    let json = ToolRun(["simulate", "level-lift", "--seed", "1", "--json"] + SimulateTests.scenes)
    #expect(try json.objects().first?["states"] is [String: Int])
  }
}

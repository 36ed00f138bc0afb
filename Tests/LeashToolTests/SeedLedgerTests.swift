import Foundation
import OtherPrograms
import Testing

@testable import LeashTool

/// A campaign that notes its seeds, and goes on where it stopped.
@Suite struct SeedLedgerTests {
  @Test func aCampaignGoesOnWhereItStopped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("seeds.jsonl")
    let first = ToolRun(
      "simulate", "level-lift", "--folder", Places.fixtures.appending(path: "scenes").path, "--runs", "2", "--ledger",
      path)
    #expect(first.code == .success, "\(first.out)\(first.err)")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    // In the order in which they ended.
    #expect(SeedLedgerTests.seeds(lines).sorted() == [1, 2])
    let scenes = ["--folder", Places.fixtures.appending(path: "scenes").path]
    let more = ToolRun(["simulate", "level-lift", "--runs", "3", "--ledger", path, "--json"] + scenes)
    #expect(try more.objects().map { $0["seed"] as? Int } == [3])
    let again = ToolRun(["simulate", "level-lift", "--runs", "3", "--ledger", path] + scenes)
    #expect(
      again.code == .success && again.out.hasPrefix("0 lives")
        && again.out.hasSuffix("3 lives of the ledger left out\n"))
    // Other settings are another campaign.
    let other = ToolRun(
      ["simulate", "level-lift", "--runs", "1", "--set", "motion.armAfter=200", "--ledger", path, "--json"] + scenes)
    #expect(try other.objects().map { $0["seed"] as? Int } == [1])
    let all = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(Set(all.compactMap { $0.firstMatch(of: /"campaign":"(.*?)"/)?.1 }).count == 2 && all.count == 4)
    let table = ToolRun("simulate", "--ledger", path, "--table")
    #expect(table.code == .success && table.lines.prefix(3) == ["| | |", "|---|---:|", "| lives | 4 |"])
  }

  private static func seeds(_ lines: [some StringProtocol]) -> [Int] {
    lines.compactMap { line in String(line).firstMatch(of: /"seed":(\d+),/).flatMap { Int($0.1) } }
  }

  @Test func aCampaignThatIsInterruptedHasNotedEveryLifeThatWasOver() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("seeds.jsonl")
    func noted() -> [Int] {
      SeedLedgerTests.seeds(((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n"))
    }
    func campaign(_ runs: Int) -> [String] {
      [
        "simulate", "level-lift", "--folder", Places.fixtures.appending(path: "scenes").path, "--runs", "\(runs)",
        "--faults", "none", "--ledger", path, "--json",
      ]
    }
    let program = try OtherProgram([OtherProgram.leash] + campaign(100_000) + ["--jobs", "2"])
    #expect(program.waits { noted().count >= 11 })
    program.send(SIGINT)
    #expect(try program.end() == 0)
    // Each that was over is told, in the order of the seeds; they were noted in the order of their ends.
    let seeds = noted()
    #expect(seeds.count >= 11 && SeedLedgerTests.seeds(program.lines) == seeds.sorted())
    // Those that were under way are lived then, and no other.
    let last = try #require(seeds.max())
    let missing = (1...last + 1).filter { !seeds.contains($0) }
    #expect(missing.count <= 3)
    #expect(try ToolRun(campaign(last + 1)).objects().map { $0["seed"] as? Int } == missing)
  }

  private static let line = """
    {"campaign":"ab","seed":7,"seconds":7200,"cuts":2,"faults":{"modem":3,"owner":1},"ridden":4,"disturbances":5,"thefts":1,"excused":0,"alerts":2,\
    "packets":1000,"metres":900,"judgedRides":3,"broken":[]}
    """
  private static let broken = """
    {"campaign":"ab","seed":9,"seconds":5400,"cuts":1,"faults":{"modem":1,"power":1},"ridden":1,"broken":[{"promise":"theftTold","t":1,"what":"x"}]}
    """

  @Test func itsFiguresAreATable() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("seeds.jsonl", SeedLedgerTests.line + "\n" + SeedLedgerTests.broken + "\n")
    let run = ToolRun("simulate", "--table", "--ledger", path)
    for line in [
      "| lives | 2 |", "| hours lived | 3.5 |", "| rides of the owner | 5 |", "| harmless disturbances | 5 |",
      "| thefts that had to be told | 1 |",
      "| power cuts | 3 |", "| packets | 1,000 |", "| faults: modem | 4 |", "| faults: power | 1 |",
      "| faults: wheel | 0 |",
      "| lives that broke a promise: seeds 9 | 1 |",
    ] {
      #expect(run.lines.contains(line), "\(line): \(run.out)")
    }
  }

  /// Years that lack one thing each, sleep among them.
  @Test func yearsCountInWhichEnoughHappens() throws {
    let folder = try TemporaryFolder()
    func year(
      _ seed: Int, years: Int = 1, rides: Int = 300, cuts: Int = 10, thefts: Int = 1, modem: Int = 20,
      asleep: Int = 7_200_000
    ) -> String {
      "{\"campaign\":\"ab\",\"seed\":\(seed),\"seconds\":\(31_536_000 * years - 1),\"cuts\":\(cuts),\"ridden\":\(rides),"
        + "\"faults\":{\"modem\":\(modem),\"power\":50,\"owner\":50},\"disturbances\":\(100 * years),\"thefts\":0,"
        + "\"excused\":\(thefts),\"asleep\":\(asleep),\"passedOver\":\(asleep / 2),\"broken\":[]}\n"
    }
    let path = try folder.file(
      "years.jsonl",
      year(1) + year(2, rides: 299) + year(3, cuts: 9) + year(4, thefts: 0) + year(5, modem: 19) + year(6, asleep: 0)
        + year(7, years: 2, rides: 600, cuts: 20, thefts: 2, modem: 40) + year(8, years: 2))
    let run = ToolRun("simulate", "--table", "--ledger", path)
    for line in [
      "| hours in which the inertial sensor slept | 14000.0 |",
      "| of them passed over, as nothing happened | 7000.0 |",
      "| device-years that count, with nights asleep | 3 |",
      "| lives of a year and more that were never asleep | 1 |",
      "| lives of a year and more in which too little happened | 5 |",
    ] { #expect(run.lines.contains(line), "\(line): \(run.out)") }
  }

  @Test func calmDaysNeedDays() {
    #expect(ToolRun("simulate", "--calm").err == "leash simulate: '--calm' needs '--days'\n")
  }

  @Test func aDamagedLedgerIsToldInALine() throws {
    let folder = try TemporaryFolder()
    let good = SeedLedgerTests.line
    let none = "not a line of a ledger of seeds"
    let cases: [(text: String, message: String)] = [
      (good + "\n" + String(good.dropLast()) + "\n", "2: \(none)"), (good, "1: \(none)"), ("[]\n", "1: \(none)"),
      ("\n", "1: \(none)"),
      (good + "\n" + good + "\n", "2: seed 7 is there twice"),
      (good.replacing("\"seed\":7", with: "\"seed\":-7") + "\n", "1: \(none)"),
      (good.replacing("\"seed\":7,", with: "") + "\n", "1: \(none)"),
      (good.replacing("\"campaign\":\"ab\",", with: "") + "\n", "1: \(none)"),
      (good.replacing("7200", with: "-1") + "\n", "1: \(none)"),
      (good.replacing("\"modem\":3", with: "\"modem\":1.5") + "\n", "1: \(none)"),
    ]
    for (text, message) in cases {
      let path = try folder.file("seeds.jsonl", text)
      for arguments in [["--table"], ["--runs", "1"]] {
        let run = ToolRun(["simulate", "--ledger", path] + arguments)
        #expect(run.code == .usage && run.err == "leash simulate: \(path):\(message)\n", "\(run.err)")
      }
    }
    #expect(
      ToolRun("simulate", "--table").err == "leash simulate: '--table' needs '--ledger', the file with its figures\n")
    // A file that is not there is a ledger without a life.
    #expect(ToolRun("simulate", "--table", "--ledger", folder.path("new.jsonl")).lines.contains("| lives | 0 |"))
  }
}

import Foundation
import Testing

@testable import LeashTool

@Suite struct ReplayOptionTests {
  @Test(arguments: [
    (["--set", "motion.armAftr=60"], "did you mean 'motion.armAfter'"),
    (["--set", "motion.armAfter=soon"], "seconds from 1 to"), (["--set", "motion.armAfter"], "NAME=VALUE"),
    (["--at", "soon=locate"], "SECONDS=REQUEST"), (["--at", "5=explode"], "'leash tell --help' lists all"),
    (["--at", "5=locte"], "did you mean 'locate'"), (["--then", "-1"], "from 0"),
    (["--then", "x"], "a number"), (["--format", "xml"], "json, minimal"), (["--seed", "-3"], "whole number"),
    (["--tracker-id", ""], "1 to 32 bytes"), (["--tracker-id", "0123456789012345678901234567890123"], "1 to 32 bytes"),
    (["--recrd", "x"], "--record"), (["--simulate-scene", "thief"], "--simulate-inertial"),
    (["--simulate-scene", "dragon"], "thief"), (["--json=yes"], "takes no value"),
  ])
  func aWrongOptionIsToldInOneLineWithWhatWouldBeRight(arguments: [String], words: String) {
    let run = ToolRun(["replay"] + arguments + [Places.leiden])
    #expect(run.code == .usage)
    #expect(run.problems.count == 1 && run.err.contains(words), "\(run.err)")
    #expect(run.out.isEmpty)
  }

  @Test func noFileIsAUsageError() {
    #expect(ToolRun("replay").code == .usage)
    #expect(ToolRun("nmea").code == .usage)
  }

  @Test func theMinimalFormHasItsThreeKeysAndNothingElse() throws {
    let run = ToolRun("replay", "--json", "--format", "minimal", "--tracker-id", "Allawi2001", Places.leiden)
    let packets = run.lines.filter { !$0.contains("\"type\":\"event\"") }
    #expect(packets.count > 3)
    let pattern = try Regex(#"^\{"latitude":-?\d+\.\d{7},"longitude":-?\d+\.\d{7},"trackerId":"Allawi2001"\}$"#)
    for packet in packets { #expect(packet.wholeMatch(of: pattern) != nil, "\(packet)") }
  }

  @Test func namesAreWrittenAsValidJSON() throws {
    let run = ToolRun("replay", "--json", "--tracker-id", "Zoë \"the\\bike\"", Places.leiden)
    let packet = try #require(try run.objects().first { $0["type"] as? String == "location" })
    #expect(packet["trackerId"] as? String == "Zoë \"the\\bike\"")
  }

  @Test func requestsTakeEffectAtTheirTime() throws {
    let run = ToolRun(
      "replay", "--json", "--set", "motion.armAfter=30", "--then", "100", "--at", "10=alerts off", "--at",
      "200=alerts on",
      "--at", "210=dismiss 7", Places.leiden)
    let status = try run.objects().filter { $0["type"] as? String == "status" }
    #expect(status.compactMap { $0["uptime"] as? Double } == [10, 200, 210])
    #expect(
      status.compactMap { ($0["status"] as? [String: Any])?["reason"] as? String } == [
        "alertsOff", "alertsOn", "unknownAlert",
      ])
    let armed = try run.objects().compactMap { $0["event"] as? String == "armed" ? $0["uptime"] as? Double : nil }
    // Parked at 156 s or so with alerts off; armed when they were switched on.
    #expect(armed == [200])
  }

  @Test func locationPacketsAreCountedUnlessAllAreAskedFor() {
    let short = ToolRun("replay", Places.leiden)
    let long = ToolRun("replay", "--packets", Places.leiden)
    #expect(!short.out.contains("\"type\":\"location\"") && short.out.contains("location packets"))
    #expect(long.out.components(separatedBy: "\"type\":\"location\"").count > 4)
  }

  @Test func theOrderOfTheFilesDoesNotMatter() throws {
    let folder = try TemporaryFolder()
    var imu = "t_s,gx,gy,gz,ax,ay,az\n"
    for step in 0..<3000 { imu += "\(Double(step) / 25),0.01,0,\(step % 3),\(step % 2),0,9.8\n" }
    let path = try folder.file("imu.csv", imu)
    #expect(
      ToolRun("replay", "--json", path, Places.leiden).out == ToolRun("replay", "--json", Places.leiden, path).out)
  }

  @Test func settingsAreListedWithTheirDefaults() throws {
    let run = ToolRun("settings")
    #expect(run.code == .success && run.out.contains("motion.armAfter"))
    let limit = run.lines.first { $0.hasPrefix("driving.speedLimit ") }?.split(separator: " ").map(String.init)
    #expect(limit?.dropFirst(2).joined(separator: " ") == "m/s yes Speed limit; 0: none.", "\(limit ?? [])")
    let objects = try ToolRun("settings", "--json").objects()
    #expect(objects.count == run.lines.count - 1)
    #expect(objects.allSatisfy { $0["name"] is String && $0["default"] is String && $0["help"] is String })
    let live = objects.filter { $0["live"] as? Bool ?? false }.compactMap { $0["name"] as? String }
    #expect(live.contains("motion.armAfter") && !live.contains("rest.window") && !live.contains("trackerId"))
    for line in run.lines.dropFirst() {
      let words = line.split(separator: " ")
      #expect(words.contains(live.contains(String(words[0])) ? "yes" : "no"), "\(line)")
    }
  }

  @Test func aTerminalGetsAProgressLineThatIsTakenAway() {
    let run = ToolRun(["replay", Places.ardennes], isTerminal: true)
    #expect(run.code == .success)
    #expect(run.err.contains("\u{1B}[2K"))
    #expect(!ToolRun(["replay", Places.leiden]).err.contains("\u{1B}"))
  }
}

/// What must never happen to a user's files.
@Suite struct RecordTargetTests {
  @Test func aLogIsNeverWrittenOverTheRecordingItIsMadeFrom() throws {
    let folder = try TemporaryFolder()
    let original = try Array(Data(contentsOf: URL(filePath: Places.leiden)))
    let path = try folder.file("ride.csv.gz", original)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("hard"))
    for target in [path, folder.path("link"), folder.path("hard")] {
      let run = ToolRun("replay", path, "--record", target)
      #expect(run.code == .usage && run.err.contains("would be lost"), "\(run.err)")
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == original)
    }
    #expect(ToolRun("replay", path, "--record", "-").code == .usage)
  }

  @Test func whatACheckDoesNotUseIsRefused() {
    for extra in [
      ["--seed", "5"], ["--set", "motion.armAfter=9"], ["--record", "x"], ["--simulate-inertial"], ["--then", "3"],
    ] {
      let run = ToolRun(["replay", "--check", "any.leash"] + extra)
      #expect(run.code == .usage && run.err.contains(extra[0]), "\(run.err)")
    }
  }

  @Test func aRequestBehindTheEndIsTold() {
    let run = ToolRun("replay", "--json", "--at", "100000=locate", Places.leiden)
    #expect(run.code == .success && run.err.contains("'locate' was not given"))
  }

  @Test func aLeapOfYearsDoesNotFillTheDisk() throws {
    let folder = try TemporaryFolder()
    let text = "t_s,lat_deg,lon_deg,speed_mps\n0,52,4,5\n1,52,4,5\n2,52,4,5\n3,52,4,5\n90000000000,52,4,0\n"
    let run = ToolRun("replay", "--json", try folder.file("leap.csv", text))
    #expect(run.code == .success && run.err.contains("1 gap of more than an hour"))
    #expect(run.lines.count < 1000)
  }
}

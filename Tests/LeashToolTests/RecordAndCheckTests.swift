import Foundation
import Quantities
import Recording
import TrackerRuntime
import Testing

@testable import LeashTool

/// A log replays to the same bytes, or the first difference is shown.
@Suite struct RecordAndCheckTests {
  private func recorded(_ arguments: [String], into folder: TemporaryFolder) -> String {
    let path = folder.path("ride.leash")
    let run = ToolRun(["replay", "--record", path] + arguments)
    #expect(run.code == .success, "\(run.err)")
    return path
  }

  @Test(arguments: [
    [Places.leiden], [Places.leiden, "--simulate-inertial", "--then", "400"],
    [Places.fixtures.appending(path: "nmea/bt451.log").path, "--then", "400"],
    [Places.leiden, "--format", "minimal", "--tracker-id", "Zoë's \"bike\"", "--seed", "99"],
    [
      Places.leiden, "--set", "motion.armAfter=20", "--set", "calibration.mounting=+y -x +z", "--at", "60=alerts off",
      "--at", "90=alerts on", "--at", "100=locate", "--at", "101=track 2 10", "--then", "60",
    ],
  ])
  func aFreshLogReplaysByteForByte(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("replay", "--check", recorded(arguments, into: folder))
    #expect(run.code == .success && run.out.hasPrefix("same: "), "\(run.out)\(run.err)")
  }

  @Test func twoReplaysOfOneRecordingGiveTheSameBytes() {
    let arguments = ["replay", "--json", "--simulate-inertial", "--seed", "5", Places.leiden]
    #expect(ToolRun(arguments).out == ToolRun(arguments).out)
  }

  @Test func aLogIsARecordingToo() throws {
    let folder = try TemporaryFolder()
    let path = recorded([Places.leiden, "--set", "reports.distance=100"], into: folder)
    let original = ToolRun("replay", "--json", "--set", "reports.distance=100", Places.leiden)
    #expect(ToolRun("replay", "--json", path).out == original.out)
  }

  @Test func aReplayOfALogCountsTheTimeWithoutMotionFromTheLogsFirstTick() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.leash")
    let configuration = Array(RunConfiguration().text.utf8)
    let writer = try LeashLogWriter(path: path)
    try writer.append(configuration: configuration.span)
    try writer.append(tick: .seconds(5))
    try writer.append(InertialSample(time: .seconds(65), specificForce: Vector3(0, 0, 9.8)))
    try writer.append(InertialSample(time: .seconds(310), specificForce: Vector3(0, 0, 9.8)))
    try writer.close()
    let parked = ToolRun("replay", "--json", path).lines.filter { $0.contains("\"event\":\"parked\"") }
    #expect(parked.count == 1 && parked[0].contains("\"uptime\":305.000"), "\(parked)")
  }

  @Test func aChangedActionIsShownBesideWhatHappensNow() throws {
    let folder = try TemporaryFolder()
    let path = recorded([Places.leiden], into: folder)
    let forged = folder.path("forged.leash")
    let reader = try LeashLogReader(path: path)
    let writer = try LeashLogWriter(path: forged)
    var changed = 0
    while let record = try reader.next() {
      let bytes = reader.payload
      switch record {
      case .configuration: try writer.append(configuration: bytes.span)
      case .input(let input): try writer.append(input, bytes: bytes.span)
      case .action(let time): try writer.append(action: bytes.span, at: time)
      case .output(let port, let time):
        var text = String(decoding: bytes, as: UTF8.self)
        if changed == 0, text.contains("\"sequence\":3,") {
          text = text.replacingOccurrences(of: "\"phase\":\"riding\"", with: "\"phase\":\"parked\"")
          changed += 1
        }
        try writer.append(output: Array(text.utf8).span, to: port, at: time)
      case .note, .continuation: break
      }
    }
    try writer.close()
    #expect(changed == 1)
    let run = ToolRun("replay", "--check", forged)
    #expect(run.code == .checkFailed)
    #expect(run.lines.count == 3 && run.lines[0].hasPrefix("different at "))
    #expect(run.lines[1].contains("logged:") && run.lines[1].contains("\"phase\":\"parked\""))
    #expect(run.lines[2].contains("replayed:") && run.lines[2].contains("\"phase\":\"riding\""))
    let json = try #require(try ToolRun("replay", "--json", "--check", forged).objects().first)
    #expect(json["same"] as? Bool == false && json["logged"] is String && json["replayed"] is String)
  }

  @Test func aLogWithAnActionLeftOutIsDifferentToo() throws {
    let folder = try TemporaryFolder()
    let reader = try LeashLogReader(path: recorded([Places.leiden], into: folder))
    let writer = try LeashLogWriter(path: folder.path("shorter.leash"))
    var outputs = 0
    while let record = try reader.next() {
      let bytes = reader.payload
      switch record {
      case .configuration: try writer.append(configuration: bytes.span)
      case .input(let input): try writer.append(input, bytes: bytes.span)
      case .action(let time): try writer.append(action: bytes.span, at: time)
      case .output(let port, let time):
        outputs += 1
        if outputs != 2 { try writer.append(output: bytes.span, to: port, at: time) }
      case .note, .continuation: break
      }
    }
    try writer.close()
    let run = ToolRun("replay", "--check", folder.path("shorter.leash"))
    #expect(run.code == .checkFailed && run.out.contains("logged:   nothing"))
  }

  @Test func aLogCutByAPowerFailureIsCheckedAsFarAsItGoes() throws {
    let folder = try TemporaryFolder()
    let whole = try Array(Data(contentsOf: URL(filePath: recorded([Places.leiden], into: folder))))
    var passed = 0
    var told = 0
    for step in 1...60 {
      let length = whole.count * step / 61
      let run = ToolRun("replay", "--check", try folder.file("cut.leash", whole.prefix(length)))
      if run.code == .success { passed += 1 }
      // A cut between two records can't be seen: the log is like a whole one that lacks its last actions.
      let isBetween = !run.err.contains("cut off in a record")
      let isLacking = isBetween && run.code == .checkFailed && run.out.contains("logged:   nothing")
      #expect(
        run.code == .success || run.code == .environment || isLacking, "cut at \(length): \(run.out)\(run.err)")
      if !isBetween { told += 1 }
    }
    // A third of the log is its configuration, one record, and cut there it is told, too.
    #expect(told > 36)
    // Only a cut before the end of the configuration leaves nothing to check.
    #expect(passed > 40)
  }

  @Test func whatIsNoLogOrNoLogOfThisVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    let noLog = ToolRun("replay", "--check", Places.leiden)
    #expect(noLog.code == .environment && noLog.problems.count == 1)
    let writer = try LeashLogWriter(path: folder.path("future.leash"))
    try writer.append(configuration: Array("warpDrive=on\n".utf8).span)
    try writer.close()
    for run in [
      ToolRun("replay", "--check", folder.path("future.leash")), ToolRun("replay", folder.path("future.leash")),
    ] {
      #expect(run.code == .environment && run.err.contains("warpDrive"), "\(run.err)")
    }
    let second = ToolRun("replay", "--check", recorded([Places.leiden], into: folder), Places.leiden)
    #expect(second.code == .environment && second.err.contains(Places.leiden))
  }

  @Test func aFullDiskIsToldInOneLine() {
    let run = ToolRun("replay", "--record", "/dev/full", Places.leiden)
    #expect(run.code == .environment)
    #expect(run.err.contains("/dev/full"), "\(run.err)")
  }
}

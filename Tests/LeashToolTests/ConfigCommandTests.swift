import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import Recording
import Testing
import TrackerCore

@testable import LeashTool

@Test func anExampleIsCheckedAndShown() throws {
  let folder = try TemporaryFolder()
  for profile in ["bike", "collar"] {
    let file = try folder.file("leash.json5", ToolRun("config", "example", "--profile", profile).out)
    let check = ToolRun("config", "check", file)
    #expect(check.code == .success && check.err.isEmpty)
    #expect(check.out == "\(file): ok\n")
    let shown = ToolRun("config", "show", "--effective", file)
    #expect(shown.code == .success && shown.out.contains("profile: \"\(profile)\""))
    let again = try folder.file("again.json5", shown.out)
    #expect(ToolRun("config", "check", again).code == .success)
    let rows = try ToolRun("config", "show", "--effective", "--json", file).objects()
    #expect(rows.contains { $0["key"] as? String == "motion.armAfter" && $0["from"] as? String == "default" })
    #expect(ToolRun("config", "show", file).lines.count < shown.lines.count)
  }
}

@Test func aWrongConfigurationIsToldOnStandardErrorWithExitCodeOne() throws {
  let folder = try TemporaryFolder()
  let file = try folder.file("leash.json5", "{\n motion: { armAftr: 3 },\n page: { port: 'x' } }")
  for command in ["check", "show"] {
    let run = ToolRun("config", command, file)
    #expect(run.code == .checkFailed && run.out.isEmpty)
    #expect(
      run.problems == [
        "\(file):2:12: unknown key 'motion.armAftr'; did you mean 'armAfter'?",
        "\(file):3:16: 'page.port': found \"x\", expected a whole number from 1 to 65535",
      ])
  }
  let warned = ToolRun("config", "check", try folder.file("w.json5", "{}"))
  #expect(warned.code == .success && warned.out.hasSuffix(": ok, with a warning\n") && warned.err.contains("(warning)"))
}

@Test func aConfigurationThatIsNotThereIsAMatterOfTheMachine() {
  let run = ToolRun("config", "check", "/nowhere/leash.json5")
  #expect(run.code == .environment)
  #expect(
    run.err == "leash config check: can't read the configuration /nowhere/leash.json5: No such file or directory\n")
  #expect(ToolRun("config", "example", "--profile", "boat").code == .usage)
  #expect(ToolRun("config", "check", "a", "b").code == .usage)
}

@Test func aStateThatCanNotBeReadIsTold() throws {
  let folder = try TemporaryFolder()
  for (state, reason) in [
    (folder.url.path, "can't read: Is a directory"),
    (try folder.file("noise.db", "no state at all"), "no readable state of a tracker"),
  ] {
    let run = ToolRun("config", "show", try folder.file("leash.json5", "{ state: '\(state)' }"))
    #expect(run.code == .environment && run.out.contains("state: "), "\(run.out)")
    #expect(
      run.err.hasSuffix("leash config show: \(state): \(reason); what requests have changed there is not shown\n"),
      "\(run.err)")
  }
  for state in [folder.path("none.db"), try folder.file("empty.db", "")] {
    let run = ToolRun("config", "show", try folder.file("leash.json5", "{ state: '\(state)' }"))
    #expect(run.code == .success, "\(run.err)")
  }
}

/// What a request has changed holds until the file has another value, and is shown with where it comes from.
@Test func aSettingThatARequestHasChangedIsShownAsItIsNow() throws {
  let folder = try TemporaryFolder()
  let state = "\(folder.url.path)/state.db"
  let file = try folder.file("leash.json5", "{ state: '\(state)', reports: { distance: 300, speedChange: 5 } }")
  var configuration = TrackerConfiguration()
  configuration.reports.distance = 300
  configuration.reports.speedChange = 5
  var tracker = Tracker(configuration: configuration)
  tracker.advance(to: .seconds(1))
  while tracker.nextAction() != nil {}
  let request = try #require(Request(text: "set reports.distance 500 reports.staleAfter 90"))
  tracker.submit(request, at: .seconds(2))
  while tracker.nextAction() != nil {}
  let store = try StateStore(path: state, clock: MachineClock())
  store.close(tracker)
  func origins(_ arguments: String...) throws -> [String: String] {
    var result: [String: String] = [:]
    for row in try ToolRun(["config", "show", "--json"] + arguments).objects() {
      guard let key = row["key"] as? String, let origin = row["from"] as? String else { continue }
      result[key] = "\(row["value"] ?? "") \(origin)"
    }
    return result
  }
  var shown = try origins("--effective", file)
  #expect(shown["reports.distance"] == "500 state" && shown["reports.staleAfter"] == "90 state")
  #expect(shown["reports.speedChange"] == "5 file" && shown["reports.alarmInterval"] == "10 default")
  shown = try origins(file)
  #expect(shown["reports.staleAfter"] == "90 state" && shown["reports.alarmInterval"] == nil)
  #expect(ToolRun("config", "show", file).out.contains("// changed by a request"))
  #expect(ToolRun("config", "show", file).code == .success)
  // A setting that can't be read is not shown as if nobody had changed it.
  for name in [state, state + "-wal"] {
    guard var bytes = try? [UInt8](Data(contentsOf: URL(filePath: name))) else { continue }
    for place in bytes.indices.dropLast(16) where bytes[place...].starts(with: [0x53, 8, 1]) { bytes[place + 14] ^= 1 }
    try Data(bytes).write(to: URL(filePath: folder.path(name.hasSuffix("-wal") ? "bad.db-wal" : "bad.db")))
  }
  let damaged = try folder.file("damaged.json5", "{ state: '\(folder.path("bad.db"))', reports: { distance: 300 } }")
  let run = ToolRun("config", "show", damaged)
  #expect(run.code == .environment && run.out.contains("distance: 300"), "\(run.out)")
  #expect(run.err.contains("bad.db: damaged: settings; what requests have changed there is not shown"), "\(run.err)")
  // The file has the last word when somebody edits it.
  let edited = try folder.file("edited.json5", "{ state: '\(state)', reports: { distance: 400 } }")
  shown = try origins("--effective", edited)
  #expect(shown["reports.distance"] == "400 file" && shown["reports.staleAfter"] == "90 state")
}

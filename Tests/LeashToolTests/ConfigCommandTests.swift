import Foundation
import LinuxRuntime
import Testing

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

import Foundation
import FoundationXML
import Testing

@testable import LeashTool

private let one = """
  {
    "lifted": {
      about: "lifted after six minutes", seed: 3, sensor: { hertz: 25 },
      timeline: [{ stand: 320 }, { lift: true, told: 5 }, { carry: 5 }],
      variants: [{ amplitude: 0.8 }],
    },
    "leaned": { about: "leaned on", sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { leanOn: { degrees: 0.1 } }] },
  }
  """

private func scenes(_ text: String = one) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  try text.write(to: folder.url.appending(path: "some.json5"), atomically: true, encoding: .utf8)
  return folder
}

@Suite struct ScenesTests {
  @Test func scenesAreToldInTheirOrderWithWhatTheyCameTo() throws {
    let folder = try scenes()
    let run = ToolRun("scenes", "--folder", folder.url.path, "--jobs", "2")
    #expect(run.code == .success && run.err.isEmpty, "\(run.err)")
    #expect(run.lines.count == 5)
    #expect(run.lines[1].hasPrefix("lifted    tuning       1/1"))
    #expect(run.lines[2].hasPrefix("lifted/b  held         1/1"))
    #expect(run.lines[3].hasPrefix("leaned    tuning"))
    #expect(run.lines[4] == "3 of 3 scenes passed")
    #expect(ToolRun("scenes", "--folder", folder.url.path, "--half", "held", "--list").lines.count == 1)
    #expect(ToolRun("scenes", "some", "--folder", folder.url.path, "--list").lines.count == 3)
    #expect(ToolRun("scenes", "lifted", "--folder", folder.url.path, "--list").lines.count == 2)
    #expect(ToolRun("scenes", "lifted/b", "--folder", folder.url.path, "--list").lines.count == 1)
  }

  @Test func aSceneThatIsNotAsItShouldBeEndsWithOne() throws {
    let folder = try scenes()
    let run = ToolRun("scenes", "lifted", "--folder", folder.url.path, "--set", "alertsEnabled=false")
    #expect(run.code == .checkFailed)
    #expect(run.lines[1].hasSuffix("1 of 1 not told"))
    #expect(run.lines.last == "0 of 2 scenes passed")
  }

  @Test func anotherSeedIsAnotherWorldAndTheSameSeedTheSame() throws {
    let folder = try scenes()
    func figures(_ seed: String) -> String {
      ToolRun("scenes", "lifted/b", "--folder", folder.url.path, "--json", "--seed", seed).out
    }
    #expect(figures("0") == figures("0"))
    #expect(try ToolRun("scenes", "--folder", folder.url.path, "--json").objects().count == 3)
  }

  @Test func aChangedSettingIsToldWithTheScenesItTurns() throws {
    let folder = try scenes()
    let run = ToolRun(
      "scenes", "lifted", "--folder", folder.url.path, "--set", "motion.armAfter=300", "--perturb",
      "motion.armAfter=±20%")
    #expect(run.code == .checkFailed)
    #expect(run.out.contains("motion.armAfter=240.0: the same"), "\(run.out)")
    #expect(run.out.contains("motion.armAfter=360.0: lifted wrong: 1 of 1 not told; lifted/b wrong"), "\(run.out)")
    let unknown = ToolRun("scenes", "--folder", folder.url.path, "--perturb", "motion.armAftr=±20%")
    #expect(unknown.code == .usage && unknown.err.contains("did you mean 'motion.armAfter'?"))
  }

  @Test func mistakesAreAnsweredWithTheNearestRightName() throws {
    let folder = try scenes()
    let run = ToolRun("scenes", "liftd", "--folder", folder.url.path)
    #expect(run.code == .usage && run.err == "leash scenes: there is no scene 'liftd'; did you mean 'lifted'?\n")
    let broken = try scenes("{ a: {\n sed: 1 } }")
    let problem = ToolRun("scenes", "--folder", broken.url.path)
    #expect(problem.code == .environment)
    #expect(problem.err.hasSuffix("some.json5:2: unknown key 'sed'; did you mean 'seed'?\n"))
    #expect(ToolRun("scenes", "--folder", "/nowhere").code == .environment)
  }

  @Test func aRecordingThatAFileAsksForMustBeThereAndOneOfTheFolderMayBeMissing() throws {
    func folder(asking file: String) throws -> TemporaryFolder {
      try scenes("{ home: { about: \"\", recordings: [{ file: \"\(file)\" }] } }")
    }
    let missing = try folder(asking: "/nowhere/ride.csv")
    let path = missing.url.appending(path: "some.json5").path
    let run = ToolRun("scenes", path)
    #expect(run.code == .environment && run.out.isEmpty)
    #expect(run.err == "leash scenes: \(path): scene 'home': no recording /nowhere/ride.csv\n")
    let skipped = ToolRun("scenes", "--folder", missing.url.path)
    #expect(skipped.code == .success && skipped.out.contains("skipped: no recording /nowhere/ride.csv"))
    #expect(skipped.lines.last == "0 of 0 scenes passed, 1 skipped")
    // What is there and no recording is told in both cases.
    let unreadable = try folder(asking: "/etc/passwd")
    for arguments in [[unreadable.url.appending(path: "some.json5").path], ["--folder", unreadable.url.path]] {
      let run = ToolRun(["scenes"] + arguments)
      #expect(run.code == .environment, "\(run.out)")
      #expect(run.err.hasPrefix("leash scenes: scene 'home': /etc/passwd"), "\(run.err)")
    }
    // One with its whole path is played.
    let still = missing.url.appending(path: "still.csv").path
    let rows = (0..<100).map { "\(Double($0) / 25),0.001,0,0,0,0,9.8" }
    try (["t_s,gx,gy,gz,ax,ay,az"] + rows).joined(separator: "\n")
      .write(toFile: still, atomically: true, encoding: .utf8)
    let whole = try folder(asking: still)
    #expect(ToolRun("scenes", whole.url.appending(path: "some.json5").path).lines.last == "1 of 1 scenes passed")
  }
}

/// A vehicle that stands for 50 s and is then tilted by 20°, as CSV at 25 Hz.
private func tilted(in folder: TemporaryFolder) throws -> String {
  var text = "t_s,gx,gy,gz,ax,ay,az\n"
  for step in 0..<(25 * 62) {
    let time = Double(step) / 25
    let share = min(max((time - 50) / 2, 0), 1)
    let angle = 0.35 * share
    let rate = share > 0 && share < 1 ? 0.175 : 0
    // A little noise, or the sensor is taken to be stuck.
    let noise = Double((step * 7919) % 97 - 48) / 48 * 0.02
    text +=
      "\(time),\(rate + noise / 10),\(noise / 12),\(-noise / 11),\(noise),\(9.8 * sin(angle) - noise),\(9.8 * cos(angle) + noise)\n"
  }
  let url = folder.url.appending(path: "tilted.csv")
  try text.write(to: url, atomically: true, encoding: .utf8)
  return url.path
}

@Suite struct WhyTests {
  @Test func anAlertIsExplainedWithWhatWouldHaveKeptIt() throws {
    let folder = try TemporaryFolder()
    let file = try tilted(in: folder)
    let run = ToolRun("why", file, "--alert", "1", "--jobs", "2", "--set", "motion.armAfter=30")
    #expect(run.code == .success, "\(run.err)")
    #expect(run.lines[0].hasPrefix("Alert 1 was raised at 0:00:5"), "\(run.out)")
    #expect(run.lines[1].contains("times the threshold, since 0:00:"))
    #expect(run.out.contains("The tracker was armed since 0:00:30"))
    // Armed 22 s later it would have been asleep.
    #expect(run.out.contains("motion.armAfter"))
    #expect(run.out.contains("If all evidence had been "), "\(run.out)")
    #expect(run.out.contains(" one threshold "))
  }

  @Test func anAlertThatIsNotThereIsToldToBeNone() throws {
    let folder = try TemporaryFolder()
    let file = try tilted(in: folder)
    let run = ToolRun("why", file, "--alert", "9")
    #expect(run.code == .checkFailed && run.err.hasPrefix("leash why: there is no alert 9: the recording has "))
    #expect(ToolRun("why", file, "--alert", "0").code == .usage)
    #expect(ToolRun("why", "/nowhere.csv").code == .environment)
  }

  @Test func thePictureOfAReplayHasEveryLineOfEvidenceAndTheAlerts() throws {
    let folder = try TemporaryFolder()
    let file = try tilted(in: folder)
    let picture = folder.url.appending(path: "picture.svg")
    let plain = ToolRun("replay", file, "--set", "motion.armAfter=30")
    let run = ToolRun("replay", file, "--set", "motion.armAfter=30", "--plot", picture.path)
    #expect(run.code == .success && run.out == plain.out)
    let text = try String(contentsOf: picture, encoding: .utf8)
    for line in EvidenceLine.all where line.name != "speed" { #expect(text.contains(">\(line.name)"), "\(line.name)") }
    #expect(text.contains(">raised by "))
    #expect(XMLParser(data: Data(text.utf8)).parse())
    let again = folder.url.appending(path: "again.svg")
    _ = ToolRun("replay", file, "--set", "motion.armAfter=30", "--plot", again.path)
    #expect(try String(contentsOf: again, encoding: .utf8) == text)
  }
}

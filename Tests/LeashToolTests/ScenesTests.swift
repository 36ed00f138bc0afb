import Foundation
import FoundationXML
import MotionDetection
import Quantities
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
    #expect(unknown.out.isEmpty, "before the scenes run")
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
    let others = ["speed", "displacement", "switches"]
    for line in EvidenceLine.all where !others.contains(line.name) {
      #expect(text.contains(">\(line.name)"), "\(line.name)")
    }
    #expect(text.contains(">raised by "))
    #expect(XMLParser(data: Data(text.utf8)).parse())
    let again = folder.url.appending(path: "again.svg")
    _ = ToolRun("replay", file, "--set", "motion.armAfter=30", "--plot", again.path)
    #expect(try String(contentsOf: again, encoding: .utf8) == text)
    #expect(EvidencePlot.colour(.alarmed) != EvidencePlot.colour(.stolen))
  }

  /// One fix, silence for six minutes, and the vehicle is ridden off.
  private func riddenOff(in folder: TemporaryFolder) throws -> String {
    var rows = ["t_s,lat_deg,lon_deg,alt_m,speed_mps,course_deg,hacc_m", "0,52.0,4.9,5.0,0.0,,4.0"]
    for second in 400..<440 {
      let metres = Double(max(0, second - 405)) * 4
      rows.append("\(second),\(52 + metres / 111_200),4.9,5.0,\(second < 405 ? 0 : 4),,4.0")
    }
    let url = folder.url.appending(path: "ridden.csv")
    try rows.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    return url.path
  }

  @Test func theTimeSinceWhichItWasArmedIsThatOfTheReplayAlsoInASilence() throws {
    let folder = try TemporaryFolder()
    let file = try riddenOff(in: folder)
    #expect(ToolRun("replay", file).lines.contains { $0.hasPrefix("0:05:00") && $0.contains("Armed") })
    let run = ToolRun("why", file)
    #expect(run.out.contains("The tracker was armed since 0:05:00, for 1:"), "\(run.out)\(run.err)")
    #expect(run.out.contains("speed 4.0") && run.out.contains("displacement "), "\(run.out)")
    let picture = folder.url.appending(path: "picture.svg")
    _ = ToolRun("replay", file, "--plot", picture.path)
    let text = try String(contentsOf: picture, encoding: .utf8)
    #expect(text.contains(">displacement"))
    // From 0:05:00 to 0:06:48 of 7:19 it is parked, though nothing was recorded for the most of that.
    let parked = try #require(text.split(separator: "\n").first { $0.hasPrefix("<path fill=\"#eef3fa\"") })
    // `d="M425.6,104h9.5v92h-9.5z"`
    let width = parked.split(separator: "h").dropFirst(2).first?.split(separator: "v").first.flatMap { Double($0) }
    #expect((width ?? 0) > 200, "\(parked)")
  }

  @Test func aSwitchIsEvidenceWhenItChangesAsAThiefChangesIt() {
    var watch = SwitchWatch()
    func read(_ contact: Contact, _ isOn: Bool) -> Float? {
      var contacts = Contacts()
      contacts[contact] = isOn
      watch.take(.reading(.contacts(ContactReading(time: .zero, contacts))))
      return watch.ratio
    }
    #expect(watch.ratio == nil)
    #expect(read(.button, true) == nil, "the owner's button is no sign")
    #expect(read(.lock, true) == 0, "as it stands at first is as it stands")
    #expect(read(.lock, false) == 1)
    watch.take(.tick(.zero))
    #expect(watch.ratio == 0, "a sign is one moment")
    #expect(read(.lock, true) == 0)
    #expect(read(.kickStand, true) == 0 && read(.kickStand, false) == 1)
    #expect(read(.tamper, false) == 0 && read(.tamper, true) == 1)
    #expect(read(.brake, false) == 0 && read(.brake, true) == 1)
  }

  @Test func aTrackerThatTellsEarlierDoesNotPreventTheAlert() {
    func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }
    let evidence = MovementEvidence(detector: .handling, ratio: 2, onset: at(98), duration: .seconds(2))
    let alert = RaisedEvidence(time: at(100), evidence: evidence, alert: 2)
    func isMissing(_ times: Int...) -> Bool {
      WhyExperiment.isMissing(alert, among: times.map(at), before: [at(20)])
    }
    #expect(isMissing() && isMissing(20) && isMissing(29), "gone")
    #expect(!isMissing(20, 100) && !isMissing(20, 97) && !isMissing(20, 110), "told about then")
    #expect(isMissing(20, 111), "put off")
    #expect(!isMissing(20, 60) && !isMissing(60), "told earlier, and then its alarm is open")
  }

  /// A longer time of arming prevents an alert of a vehicle that was armed shortly before, and is no reason of it.
  @Test func thatItWasArmedByThenIsNotListedAmongTheReasons() {
    let arm = WhyFlip(name: "motion.armAfter", before: 300, after: 402, unit: "s")
    let all = WhyFlip(name: WhyFlip.all, before: 1, after: 3, unit: nil)
    let lines = WhyText.flips([all, arm], tried: 40, isInAlarm: false)
    #expect(
      lines.last
        == "It was armed by then: with motion.armAfter 402 s instead of 300 s it would not have been. "
        + "That says when it happened, not what."
    )
    #expect(!lines.contains { $0.hasPrefix("Times:") })
    let sooner = WhyFlip(name: "motion.armAfter", before: 300, after: 200, unit: "s")
    let others = WhyText.flips([sooner], tried: 40, isInAlarm: false)
    #expect(others.contains { $0.hasPrefix("Times: motion.armAfter 200 s") })
  }

  @Test func severalDetectorsThatAgreeAreNamed() {
    var peaks = [Float?](repeating: nil, count: EvidenceLine.all.count)
    (peaks[0], peaks[1]) = (9, 1.2)
    #expect(WhyText.agreement(peaks) == nil, "that it is above the noise is no detector")
    (peaks[2], peaks[3], peaks[5]) = (1, 0.99, 2)
    #expect(
      WhyText.agreement(peaks)
        == "3 detectors agreed, handling, tilt and carry: had one of them seen nothing, another would have told of it.")
  }

  /// Seen in the recording of a bike that is tilted by hand again and again.
  @Test func aLowerThresholdThatLeavesItAPartOfAnOpenAlarmIsToldApart() {
    let rate = WhyFlip(name: "motion.handlingRate", before: 0.25, after: 0.2353, unit: "rad/s")
    let tilt = WhyFlip(name: "motion.tiltLimit", before: 0.1, after: 0.3751, unit: "rad")
    let calm = WhyFlip(name: "motion.calmAfter", before: 10, after: 10.34, unit: "s")
    let open = "An alarm was open already. It stays a part of that one, or is prevented, with "
    let prevents = "The smallest change of one threshold that prevents the alert, or puts it off by ten seconds: "
    let (low, high) = (
      "motion.handlingRate 0.2353 rad/s instead of 0.2500 rad/s, 1.06 times less",
      "motion.tiltLimit 0.3751 rad instead of 0.1000 rad, 3.75 times"
    )
    #expect(
      WhyText.flips([calm, rate, tilt], tried: 40, isInAlarm: true) == [
        "\(prevents)\(high).", "\(open)lower values: \(low).",
        "\(open)other times: motion.calmAfter 10.34 s instead of 10.00 s, 1.03 times.",
      ])
    #expect(
      WhyText.flips([rate, tilt], tried: 40, isInAlarm: false) == ["\(prevents)\(low).", "Others: \(high)."])
  }
}

@Suite struct SetBackClockTests {
  /// The rows of the moment are lost, and what stands otherwise after them is told.
  @Test(arguments: [30.0, 600]) func aTiltWhileTheClockOfARecordingIsSetBackIsToldWithinTenSeconds(by: Double) throws {
    let folder = try TemporaryFolder()
    let file = try tilted(in: folder)
    let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let moved = rows.dropFirst().map { row -> String in
      let fields = row.split(separator: ",", maxSplits: 1)
      let time = Double(fields[0]) ?? 0
      return "\(time < 48 ? time : time - by),\(fields[1])"
    }
    try ([String(rows[0])] + moved).joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let run = ToolRun("replay", file, "--set", "motion.armAfter=30")
    #expect(run.err.contains("has 1 clock set back"), "\(run.err)")
    // Moved from 0:00:50 to 0:00:52.
    let alert = try #require(run.lines.first { $0.contains("ALERT") }, "\(run.out)")
    #expect(alert.hasPrefix("0:00:5"), "\(alert)")
  }
}

import Foundation
import JSON5
import MotionEvaluation
import TrackerRuntime
import Testing
import VehicleSimulation

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
private let library = SceneLibrary(repository: root.path, data: "/nowhere")

private func allScenes() throws -> [EvaluatedScene] {
  let folder = root.appending(path: "fixtures/scenes")
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json5") }
    .sorted()
  return try names.flatMap { name in
    try SceneReader.scenes(of: [UInt8](Data(contentsOf: folder.appending(path: name))), file: name)
  }
}

private func outcome(_ text: String, variant: Int = 0, set settings: [String: String] = [:]) throws -> SceneOutcome {
  var configuration = RunConfiguration()
  for (name, value) in settings { try configuration.set(name, to: value) }
  let scenes = try SceneReader.scenes(of: Array(text.utf8), file: "test")
  return SceneRun(scenes[variant], configuration, library: library).run()
}

@Suite struct SceneRunTests {
  @Test func everySceneOfTheRepositoryIsReadAndMostHaveThreeVariantsThatAreHeldBack() throws {
    let scenes = try allScenes()
    #expect(Set(scenes.map(\.name)).count == scenes.count)
    for (family, members) in Dictionary(grouping: scenes, by: \.family) {
      #expect(members.contains { $0.half == .held }, "\(family)")
      #expect(members.allSatisfy { !$0.about.isEmpty }, "\(family)")
      guard members[0].recordings.isEmpty else { continue }
      #expect(members.count { $0.half == .held } >= 3, "\(family)")
      #expect(Set(members.map(\.scene.seed)).count == members.count, "\(family)")
    }
    // Those of every test run are short.
    #expect(scenes.filter(\.isQuick).reduce(0) { $0 + $1.cost } < 1_000_000)
  }

  /// Those that hold today. Whoever mends another adds it: the quick ones are those with `quick: true`.
  static let right = ["driven-off-by-fixes", "not-a-number"]

  @Test(arguments: right) func quickScenesAreAsTheyShouldBe(name: String) throws {
    let scene = try #require(try allScenes().first { $0.name == name && $0.isQuick })
    let outcome = SceneRun(scene, RunConfiguration(), library: library).run()
    #expect(outcome.isRight, "\(name): \(outcome.problems.joined(separator: ", "))")
  }

  /// A fix every minute sees what is carried off on its way, and so tells it by the third of the new place.
  @Test func aRareFixSeesTheVehicleOnItsWay() throws {
    let outcome = try outcome(
      "{ a: { sensor: 'none', receiver: { sigma: 5, stated: 7.5, every: 60 }, timeline: [{ stand: 2000 }, { carry: { metres: 100, speed: 1.4 }, told: { fixes: 3 } }, { stand: 600 }], expect: { phase: 'stolen' } } }"
    )
    #expect(outcome.isRight, "\(outcome.problems)")
  }

  /// A parked vehicle that is lifted: the delay counts from the deed, arming from the begin.
  @Test func aTheftIsToldAndTimed() throws {
    let outcome = try outcome(
      "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true, told: 5 }, { carry: 5 }], expect: { armedBy: 310 } } }"
    )
    #expect(outcome.isRight, "\(outcome.problems)")
    #expect(outcome.delays.count == 1 && (outcome.median ?? 99) > 0.3 && (outcome.median ?? 99) < 3)
    #expect(abs((outcome.armedAfter ?? 0) - 300) < 1)
    #expect(outcome.falseAlerts == 0 && outcome.alerts >= 1)
  }

  @Test func whatIsToldLateOrNotAtAllIsWrong() throws {
    let scene =
      "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true, told: 0.2 }, { carry: 5 }, { stand: 5 }] } }"
    let late = try outcome(scene)
    #expect(late.problems == ["1 of 1 told late"])
    let never = try outcome(scene, set: ["alertsEnabled": "false"])
    #expect(never.problems == ["1 of 1 not told"] && never.median == nil && never.worst == nil)
  }

  @Test func anAlertThatNothingCalledForIsFalseAndOneThatMayBeIsNot() throws {
    func scene(_ mark: String) -> String {
      "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true\(mark) }, { stand: 20 }] } }"
    }
    let uncalled = try outcome(scene(""))
    #expect(uncalled.falseAlerts >= 1 && !uncalled.isRight)
    let sign = try #require(uncalled.signs.first)
    #expect(
      sign.isFalse && sign.seconds > 320 && sign.seconds < 325 && ["lift", "handling", "tilt"].contains(sign.detector))
    #expect(
      uncalled.problems == [
        "\(uncalled.falseAlerts) false alerts, the first by \(sign.detector) after \(Int(sign.seconds)) s"
      ])
    let read = try #require(SceneOutcome(json: try JSON5Value(reading: Array(uncalled.json.utf8))))
    #expect(read.signs.map(\.detector) == uncalled.signs.map(\.detector) && read.problems == uncalled.problems)
    let maybe = try outcome(scene(", maybe: true"))
    #expect(maybe.signs.allSatisfy { !$0.isFalse } && !maybe.signs.isEmpty)
    #expect(maybe.falseAlerts == 0 && maybe.alerts >= 1 && maybe.isRight)
    // After the owner's answer it is a false one again.
    let answered = try outcome(
      """
      { a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true, maybe: true }, { stand: 20 }, { dismiss: true },
        { stand: 400 }, { lift: true }, { stand: 5 }] } }
      """)
    #expect(answered.falseAlerts >= 1)
  }

  @Test func whatItIsTakenForAtTheEndIsWrongWhenItIsNotTheExpected() throws {
    func scene(_ seconds: Int, _ phase: String) -> String {
      "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true, told: 5 }, { carry: 60 }, { stand: \(seconds) }],"
        + " expect: { phase: '\(phase)' } } }"
    }
    let stolen = try outcome(scene(300, "stolen"))
    #expect(stolen.isRight && stolen.phase == "stolen", "\(stolen.problems)")
    #expect(try outcome(scene(5, "parked")).problems == ["stolen at the end, not parked"])
    #expect(SceneOutcome(json: try JSON5Value(reading: stolen.json))?.phase == "stolen")
  }

  @Test func notArmingIsWrongWhereItIsAskedFor() throws {
    let scene =
      "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 700 }], expect: { armedBy: 600, armedShare: 0.99 } } }"
    #expect(try outcome(scene).isRight)
    let late = try outcome(scene, set: ["motion.armAfter": "650"])
    #expect(late.problems.count == 2, "\(late.problems)")
    let never = try outcome(scene, set: ["alertsEnabled": "false"])
    #expect(never.problems.contains("not armed"), "\(never.problems)")
  }

  @Test func fixesThatWanderAreNoRideAndATruthfulReceiverTellsNothing() throws {
    let outcome = try outcome(
      "{ a: { sensor: 'none', receiver: { sigma: 4, stated: 8 }, timeline: [{ stand: 4000 }], expect: { armedBy: 600 } } }"
    )
    #expect(outcome.isRight, "\(outcome.problems)")
    #expect(outcome.rides == 0 && outcome.metres == 0)
  }

  @Test func aRecordingThatIsMissingSkipsTheScene() throws {
    let outcome = try outcome("{ a: { recordings: [{ file: 'data:rides/none.csv.gz' }] } }")
    #expect(outcome.skipped?.contains("none.csv.gz") == true && !outcome.isRight)
  }

  @Test func anOutcomeSurvivesItsLineOfJSON() throws {
    let outcome = try outcome(
      "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true, told: 0.2 }, { carry: 5 }, { stand: 5 }] } }"
    )
    let back = SceneOutcome(json: try JSON5Value(reading: outcome.json))
    #expect(back?.json == outcome.json)
    #expect(back?.problems == outcome.problems && back?.toldCount == outcome.toldCount)
  }

  @Test func theTableHasBeforeAndNow() throws {
    let scene = "{ a: { sensor: { hertz: 25 }, timeline: [{ stand: 320 }, { lift: true, told: 5 }, { stand: 5 }] } }"
    let now = try outcome(scene)
    let before = try outcome(scene, set: ["alertsEnabled": "false"])
    let text = SceneFigures.markdown([now], about: ["a": "lifted"], earlier: [before])
    #expect(text.contains("| `a`: lifted | 0/1 → 1/1 | 0/1 → 1/1 | – (–) → "), "\(text)")
    #expect(text.contains("Right now: 1 of 1 of the tuning half, 0 of 0 of the held half. Before: 0 of 1"), "\(text)")
  }
}

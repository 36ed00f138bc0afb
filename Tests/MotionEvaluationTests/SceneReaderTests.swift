import MotionEvaluation
import Testing
import VehicleSimulation

@Suite struct SceneReaderTests {
  private func scenes(_ text: String) throws(SceneProblem) -> [EvaluatedScene] {
    try SceneReader.scenes(of: Array(text.utf8), file: "wind.json5")
  }

  private func problem(_ text: String) -> String {
    do throws(SceneProblem) {
      _ = try scenes(text)
      return "none"
    } catch {
      return error.description
    }
  }

  @Test func aWrongNameIsAnsweredWithItsLineAndTheRightOne() {
    #expect(
      problem("{\n  a: {\n    sed: 3,\n  },\n}") == "wind.json5:3: unknown key 'sed'; did you mean 'seed'?")
    #expect(problem("{ a: { 's\\u001bd': 3 } }").hasPrefix("wind.json5:1: unknown key 's\\u001bd'"))
    #expect(
      problem("{ a: { timeline: [ { gusty: 3 } ] } }") == "wind.json5:1: unknown key 'gusty'; did you mean 'gust'?")
    #expect(
      problem("{ a: {\n timeline: [ { gust: { degree: 3 } } ] } }")
        == "wind.json5:2: unknown key 'degree'; did you mean 'degrees'?")
    #expect(
      problem("{ a: { sensor: 'mpo', timeline: [ { stand: 1 } ] } }")
        == "wind.json5:1: 'mpo' is not one of mpu, quiet, loud, none; did you mean 'mpu'?")
  }

  @Test func aPhaseThatDoesNotExistIsRefused() {
    #expect(
      problem("{ a: { expect: {\n phase: 'stole' } } }")
        == "wind.json5:2: 'stole' is not one of starting, riding, settling, parked, suspicious, alarmed, stolen; did you mean 'stolen'?"
    )
  }

  @Test func aNumberOutOfRangeIsRefusedWithTheRange() {
    #expect(
      problem("{ a: { timeline: [ { gust: { hertz: 0 } } ] } }")
        == "wind.json5:1: found 0, expected a number from 0.01 to 1000")
  }

  @Test func aNumberThatMustBeWholeIsRefusedWhenItIsNot() {
    #expect(problem("{ a: {\n seed: 1.5 } }") == "wind.json5:2: found 1.5, expected a whole number")
    #expect(problem("{ a: { expect: { alerts: 0.5 } } }") == "wind.json5:1: found 0.5, expected a whole number")
    #expect(
      problem("{ a: { timeline: [{ stickAxis: { axis: 1.5 } }] } }")
        == "wind.json5:1: found 1.5, expected a whole number")
    #expect(problem("{ a: { timeline: [{ stand: 1.5 }] } }") == "none")
  }

  @Test func aDeedBesideADeedIsToldToNeedAnObjectOfItsOwn() {
    #expect(
      problem("{ a: { timeline: [\n { stand: 3, lift: 1 } ] } }")
        == "wind.json5:2: 'lift' is a second deed beside 'stand'; each deed has an object of its own")
    #expect(
      problem("{ a: { background: [\n { gust: 1, every: 30, shake: 0.02 } ], timeline: [ { stand: 3 } ] } }")
        == "wind.json5:2: 'shake' is a second deed beside 'gust'; each deed has an object of its own")
  }

  /// A fault of the sensor, a receiver without a fix or the owner's answer would do nothing there.
  @Test(arguments: ["noFix", "gap", "saturate", "stickAxis", "timeBack", "buzzer", "glide", "stand"])
  func whatDoesNothingInTheBackgroundIsRefusedThere(deed: String) {
    #expect(
      problem("{ a: { background: [\n { \(deed): 9 } ], timeline: [ { stand: 3 } ] } }")
        == "wind.json5:2: '\(deed)' can't be in the background, only in the timeline")
    #expect(problem("{ a: { timeline: [ { \(deed): 9 } ] } }") == "none")
  }

  @Test func theOwnersAnswerIsRefusedInTheBackground() {
    #expect(
      problem("{ a: { background: [ { dismiss: true, every: 5 } ], timeline: [ { stand: 3 } ] } }")
        == "wind.json5:1: 'dismiss' can't be in the background, only in the timeline")
  }

  @Test func repeatsOfRepeatsHaveALimit() throws {
    func nested(_ counts: [Int]) -> String {
      let body = counts.reduce("{ bump: 1 }") { "{ repeat: \($1), of: [ \($0) ] }" }
      return "{ a: { timeline: [\n \(body) ] } }"
    }
    #expect(
      problem(nested([10_000, 10_000]))
        == "wind.json5:2: the timeline has more than 100000 deeds with this repeat")
    #expect(problem(nested([10_000, 10, 2])).hasPrefix("wind.json5:2: the timeline has more than 100000 deeds"))
    #expect(try scenes(nested([10, 10_000]))[0].scene.deeds.count == 100_000)
    // Many times nothing is nothing, and soon read.
    let nothing = nested([10_000, 10_000, 10_000]).replacing("{ bump: 1 }", with: "")
    #expect(problem(nothing) == "wind.json5:1: scene 'a' has neither a timeline nor recordings")
  }

  @Test func whatIsNoJSON5IsRefusedWithItsLine() {
    #expect(problem("{\n a: }").hasPrefix("wind.json5:2: "))
  }

  @Test func aSceneWithoutAnythingIsRefused() {
    #expect(problem("{ a: { seed: 1 } }") == "wind.json5:1: scene 'a' has neither a timeline nor recordings")
  }

  @Test func variantsAreHeldBackAndHaveWorldsOfTheirOwn() throws {
    let all = try scenes(
      """
      { gusts: { seed: 7, timeline: [ { repeat: 2, of: [ { stand: 10 }, { gust: { degrees: 1 }, told: 5 } ] } ],
        variants: [ { amplitude: 0.5, frequency: 2 }, { seed: 9, sensor: { make: "quiet", hertz: 12.5 } } ] } }
      """)
    #expect(all.map(\.name) == ["gusts", "gusts/b", "gusts/c"])
    #expect(all.map(\.half) == [.tuning, .held, .held])
    #expect(all.map(\.scene.seed) == [7, 1007, 9])
    #expect(all[0].scene.deeds.map(\.kind) == [.stand, .gust, .stand, .gust])
    #expect(all[0].tellings == [nil, .within(5), nil, .within(5)])
    #expect(all[1].scene.deeds[1]["degrees"] == 0.5)
    #expect(all[1].scene.deeds[1]["hertz"] == 2)
    #expect(all[2].scene.sensor.hertz == 12.5)
  }
}

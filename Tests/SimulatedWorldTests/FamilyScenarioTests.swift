import Testing
import TrackerRuntime
import VehicleSimulation

@testable import MotionEvaluation
@testable import SimulatedWorld

@Suite struct FamilyScenarioTests {
  private static func read(_ text: String) throws(SceneProblem) -> ScenarioFile {
    try ScenarioReader.scenario(of: Array(text.utf8), file: "body.json5") { _ in RunConfiguration() }
  }

  private static func problem(_ text: String) -> String {
    do throws(SceneProblem) {
      _ = try read(text)
      return "none"
    } catch {
      return error.description
    }
  }

  @Test func aSeedDrawsAMemberWithTheNumbersThatAreFixed() throws {
    let file = try Self.read(
      """
      { seed: 5, families: { sensor: "bmi270", vehicle: { name: "bikeInRack", mass: 14.5 }, receiver: "urban" },
        timeline: [{ stand: 100 }, { knock: true }] }
      """)
    func bike(_ seed: UInt64) -> StreetBike? {
      guard case .bike(let bike) = file.life(seed: seed).scene.scene.vehicle else { return nil }
      return bike
    }
    #expect(bike(5)?.frame.mass == 14.5 && bike(6)?.frame.mass == 14.5)
    #expect(bike(5) == bike(5) && bike(5) != bike(6))
    let scene = file.life(seed: 5).scene.scene
    #expect(scene.instrument != nil && scene.instrument != file.life(seed: 6).scene.scene.instrument)
    #expect(scene.satellites != nil && scene.receiver != nil)
  }

  @Test(arguments: [
    (
      "{ families: { senser: 'bmi270' }, timeline: [{ stand: 9 }] }",
      "body.json5:1: unknown key 'senser'; did you mean 'sensor'?"
    ),
    (
      "{ families: { sensor: 'bmi27' }, timeline: [{ stand: 9 }] }",
      "body.json5:1: 'bmi27' is not one of mpu6050, icm20948, lsm6dso, bmi270, adxl345; did you mean 'bmi270'?"
    ),
    (
      "{ families: { vehicle: { name: 'bikeInRack', mas: 3 } }, timeline: [{ stand: 9 }] }",
      "body.json5:1: unknown key 'mas'; did you mean 'mass'?"
    ),
    (
      "{ families: { vehicle: { name: 'bikeInRack', mass: 300 } }, timeline: [{ stand: 9 }] }",
      "body.json5:1: found 300, expected a number from 9 to 22"
    ),
    (
      "{ families: { vehicle: { mass: 10 } }, timeline: [{ stand: 9 }] }",
      "body.json5:1: there is no name, expected that of a family"
    ),
    (
      "{ families: { vehicle: 'collarDog' }, timeline: [{ stand: 9 }] }",
      "body.json5:1: 'collarDog' does not go with who: \"bike\""
    ),
    (
      "{ timeline: [{ stand: 9 },\n{ press: 20 }] }",
      "body.json5:2: 'press' needs a body: a family of vehicles in 'families'"
    ),
    (
      "{ families: { vehicle: 'bikeInRack' }, timeline: [{ stand: 9 }, { gust: 1 }] }",
      "body.json5:1: 'gust' draws a motion, but a family of vehicles has a body; use forces such as press or wind"
    ),
    (
      "{ families: { vehicle: 'bikeInRack' }, timeline: [{ petLie: 9 }] }",
      "body.json5:1: 'petLie' is done to a collar, but who is \"bike\""
    ),
  ])
  func aWrongFamilyIsToldWithItsPlaceAndTheNearestRightName(text: String, problem: String) {
    #expect(Self.problem(text) == problem)
  }

  @Test func drawnScenariosWithFamiliesCanBeReadAndLeaveOutWhatIsKeptOut() throws {
    var choice = FamilyChoice()
    choice.without = ["sensor.mpu6050", "vehicle.bikeAtWall"]
    var deeds: Set<StreetDeed.Kind> = []
    for seed in 1...60 as ClosedRange<UInt64> {
      let text = ScenarioFile.drawn(seed: seed, from: choice)
      let file = try Self.read(text)
      #expect(!file.families.isEmpty)
      #expect(!file.families.contains { $0.family.name == "mpu6050" || $0.family.name == "bikeAtWall" })
      for deed in file.life.scene.scene.deeds { deeds.insert(deed.kind) }
      // Without families it is what it has always been.
      #expect(!ScenarioFile.drawn(seed: seed).contains("families"))
    }
    for kind in [StreetDeed.Kind.wind, .press, .hoist, .grinder, .petWalk, .petLie] { #expect(deeds.contains(kind)) }
    choice.without = ["vehicle"]
    #expect(try Self.read(ScenarioFile.drawn(seed: 3, from: choice)).families.allSatisfy { $0.family.kind != .vehicle })
  }
}

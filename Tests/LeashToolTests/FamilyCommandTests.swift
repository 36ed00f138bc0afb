import Foundation
import Testing

@testable import LeashTool

/// `leash simulate` with families of parameters, and with recordings.
@Suite struct FamilyCommandTests {
  @Test func theTablesOfTheDocsAreThoseOfTheFamilies() throws {
    let page = try String(
      contentsOf: Places.fixtures.deletingLastPathComponent().appending(path: "docs/simulation.md"), encoding: .utf8)
    #expect(page.contains(FamilyTable.markdown), "make reality writes them")
    let run = ToolRun("simulate", "--families")
    #expect(run.code == .success && run.out == FamilyTable.markdown)
    #expect(run.out.contains("| `gyroBias` | °/s, each axis | ±20 | ±5 | ±1 | ±3 |  | mpu6050-ps 6.1;"))
  }

  @Test func aFamilyThatNobodyKnowsIsToldWithTheNearestOne() {
    let run = ToolRun("simulate", "--scenario-from", "3", "--without", "sensor.mpu605")
    #expect(run.code == .usage)
    #expect(run.err.contains("there is no family 'sensor.mpu605'; did you mean 'sensor.mpu6050'?"))
  }

  @Test func aDrawnScenarioNamesItsFamiliesOnlyWhenAskedFor() {
    let plain = ToolRun("simulate", "--scenario-from", "3").out
    #expect(!plain.contains("families"))
    let drawn = ToolRun("simulate", "--scenario-from", "3", "--families").out
    #expect(drawn.contains("  families: { sensor: "))
    let without = ToolRun("simulate", "--scenario-from", "3", "--without", "sensor", "--without", "van").out
    #expect(without.contains("families: {") && !without.contains("van: ") && !without.contains("families: { sensor:"))
  }

  @Test func aDayWithFamiliesSaysSoInTheCommandThatRepeatsIt() throws {
    let run = ToolRun("simulate", "--seed", "2", "--without", "receiver", "--faults", "none", "--json")
    #expect(run.code == .success, "\(run.out)\(run.err)")
    #expect(run.out != ToolRun("simulate", "--seed", "2", "--faults", "none", "--json").out)
    let scene = ToolRun("simulate", "level-lift", "--families", "--folder", Places.fixtures.path + "/scenes")
    #expect(scene.code == .usage && scene.err.contains("scene 'level-lift' has its own sensors"))
  }

  @Test func withoutRecordingsNothingIsCompared() {
    let run = ToolRun("simulate", "--compare", "--data", "/nowhere")
    #expect(run.code == .environment)
    #expect(run.err.contains("/nowhere/rides/still_mpu6050_11min_imu.csv.gz"))
  }
}

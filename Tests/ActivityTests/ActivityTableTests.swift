import Activity
import Foundation
import Quantities
import TestSupport
import Testing

/// The tables of `docs/activity.md`, where `LEASH_ACTIVITY` names a file for them (`make activity`).
@Test(.enabled(if: ActivityTable.path != nil)) func stepsOfModelsAndOfRecordedVehicles() throws {
  let path = try #require(ActivityTable.path)
  let tables = [ActivityTable.gaits, try ActivityTable.recordings()]
  try tables.map { $0.joined(separator: "\n") }.joined(separator: "\n\n").write(
    toFile: path, atomically: true, encoding: .utf8)
}

private enum ActivityTable {
  static var path: String? { ProcessInfo.processInfo.environment["LEASH_ACTIVITY"] }

  /// Steps that were counted, in percent of those of the model: even seeds beside odd ones.
  static var gaits: [String] {
    let rows = GaitModel.Family.allCases.map { family in
      let halves = [0, 1].map { half in
        let shares = stride(from: half, to: 200, by: 2).map { seed in
          let gait = GaitModel(family, seed: seed, seconds: 120)
          return 100 * counted(gait.samples).steps / Double(gait.steps)
        }.sorted()
        return [shares[0], shares[10], shares[50], shares[99]].map { String(format: "%.0f", $0) }.joined(
          separator: ", ")
      }
      let isChosen = GaitModel.Family.chosen.contains(family)
      return "| \(family.rawValue) | \(isChosen ? "yes" : "no") | \(halves[0]) | \(halves[1]) |"
    }
    let head =
      "| model of gait, two minutes each | constants chosen with it | % of steps, 100 even seeds: least, 10 %, median, most | 100 odd seeds |"
    return [head, "|---|---|---|---|"] + rows
  }

  static func recordings() throws -> [String] {
    var rows: [String] = []
    for folder in ["rides", "broad"] {
      guard let path = recordedDataFolder(folder) else { continue }
      let names =
        fileNames(in: path, endingWith: folder == "rides" ? ".csv.gz" : "combined.csv.gz")
        + (folder == "broad"
          ? fileNames(in: path, endingWith: "translation_A.csv.gz")
            + fileNames(in: path, endingWith: "tapping_B.csv.gz") : [])
      for name in names where folder == "broad" || name.contains("_imu") {
        let (all, notCarried, carried) = try countedRecording("\(path)/\(name)")
        guard all.windows > 0 else { continue }
        func minutes(_ windows: Int) -> String { String(format: "%.1f", Double(windows) * 1.28 / 60) }
        rows.append(
          "| `\(name.dropLast(7))` | \(minutes(all.windows)) | \(String(format: "%.0f", all.steps)) | \(minutes(all.active)) "
            + "| \(minutes(all.resting)) | \(minutes(carried)) | \(String(format: "%.0f", notCarried.steps)) | \(minutes(notCarried.active)) |"
        )
      }
    }
    let head =
      "| recording | minutes | steps | active | at rest | in a vehicle by its fixes | steps besides | active besides |"
    return [head, "|---|---|---|---|---|---|---|---|"] + rows
  }
}

import Activity
import Foundation
import Quantities
import TestSupport
import Testing

/// The tables of `docs/activity.md`, where `LEASH_ACTIVITY` names a file for them (`make activity`).
@Test(.enabled(if: ActivityTable.path != nil)) func stepsOfModelsAndOfRecordedVehicles() throws {
  let path = try #require(ActivityTable.path)
  let tables = [ActivityTable.gaits, try ActivityTable.recordings(), try ActivityTable.travels()]
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
      "| model of gait, two minutes each | constants chosen with its even seeds | % of steps, 100 even seeds: least, 10 %, median, most | 100 odd seeds |"
    return [head, "|---|---|---|---|"] + rows
  }

  static func recordings() throws -> [String] {
    guard let path = recordedDataFolder("rides") else { return [] }
    let names = fileNames(in: path, endingWith: "_imu.csv.gz") + fileNames(in: path, endingWith: "_imu2.csv.gz")
    let rows = try names.sorted().map { name in
      let (all, notCarried, carried) = try countedRecording("\(path)/\(name)")
      let cells = [
        minutes(all.windows), String(format: "%.0f", all.steps), minutes(all.active), minutes(all.resting),
        minutes(carried), String(format: "%.0f", notCarried.steps), minutes(notCarried.active),
      ]
      return "| `\(name.dropLast(7))` | " + cells.joined(separator: " | ") + " |"
    }
    let head =
      "| recording | minutes | steps | active | at rest | in a vehicle by its fixes | steps besides | active besides |"
    return [head, "|---|---|---|---|---|---|---|---|"] + rows
  }

  private static func minutes(_ windows: Int) -> String { String(format: "%.1f", Double(windows) * 1.28 / 60) }

  /// How much of rides without a sensor is left out by their fixes.
  static func travels() throws -> [String] {
    var rows: [String] = []
    for (title, folder, prefix) in [
      ("e-bikes", "rides_dublin", "ebike"), ("e-scooters", "rides_dublin", "escooter"),
      ("bikes", "rides_gnss", ""),
    ] {
      guard let path = recordedDataFolder(folder) else { continue }
      var (total, carried, count) = (0.0, 0.0, 0)
      for name in fileNames(in: path, endingWith: "_gnss.csv.gz") where name.hasPrefix(prefix) {
        var watch = TravelWatch()
        var last: Instant?
        for fix in try recordedFixes("\(path)/\(name)") {
          let isCarried = watch.isCarried(at: fix.time)
          if let last, fix.time - last < .seconds(30) {
            total += (fix.time - last).secondsDouble
            if isCarried { carried += (fix.time - last).secondsDouble }
          }
          watch.note(speed: fix.speed, at: fix.time)
          last = fix.time
        }
        count += 1
      }
      guard total > 0 else { continue }
      rows.append("| \(title) | \(count) | \(String(format: "%.0f | %.0f", total / 60, 100 * carried / total)) |")
    }
    return ["| rides with fixes alone | rides | minutes | % in a vehicle by the fixes |", "|---|---|---|---|"] + rows
  }
}

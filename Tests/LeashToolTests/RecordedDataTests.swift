import Foundation
import OtherPrograms
import Testing

@testable import LeashTool

/// The whole pipeline over every recording there is; without them the tests say so.
@Suite struct RecordedDataTests {
  private func files(_ folder: String, _ suffix: String) -> [URL] {
    guard let place = Places.recordings(folder) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { place.appending(path: $0) }
  }

  @Test func everyTripHasARideAndNoAlertButAfterAnArmedPause() throws {
    var lengths: [String: Double] = [:]
    if let table = Places.recordings("rides_dublin")?.appending(path: "rides.csv") {
      for line in try String(contentsOf: table, encoding: .utf8).split(separator: "\n").dropFirst() {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        lengths[String(cells[0])] = Double(cells[5])
      }
    }
    for file in files("rides_dublin", "_gnss.csv.gz") {
      let name = file.lastPathComponent
      let run = ToolRun("replay", "--json", "--then", "620", file.path)
      #expect(run.code == .success, "\(name): \(run.err)")
      let objects = try run.objects()
      let names = objects.compactMap { $0["event"] as? String }
      if let alert = names.firstIndex(of: "movement") {
        #expect(names[..<alert].contains("armed"), "\(name): an alert that was not armed")
        // Whoever rides off an armed bike and never answers has stolen it, until the end.
        #expect(names.last == "stolen", "\(name)")
      } else {
        #expect(names.contains("rideStarted"), "\(name)")
        #expect(names.last == "armed", "\(name)")
      }
      // A phone's trips begin with half a minute without motion, and two of them have a wrong speed column.
      let distance = objects.compactMap { $0["distance"] as? Int }.max() ?? 0
      guard let length = lengths[name], name.hasPrefix("ebike") else { continue }
      #expect(abs(Double(distance) - length) < 0.03 * length, "\(name): \(distance) m of \(length) m")
    }
  }

  @Test func everyOtherRecordingRunsThrough() throws {
    var runs: [[String]] = files("rides", "_gnss.csv.gz").map { gnss in
      [gnss.path, gnss.path.replacingOccurrences(of: "_gnss", with: "_imu")]
    }
    runs += files("rides", "_imu.csv.gz").map { [$0.path] } + files("rides", "_imu2.csv.gz").map { [$0.path] }
    runs += files("nmea", ".log").map { [$0.path] } + files("nmea_long", ".log.gz").map { [$0.path] }
    for paths in runs {
      let run = ToolRun(["replay", "--json", "--then", "320"] + paths)
      #expect(run.code == .success, "\(paths): \(run.err)")
      let objects = try run.objects()
      let armed = objects.firstIndex { $0["event"] as? String == "armed" } ?? .max
      let alert = objects.firstIndex { $0["type"] as? String == "movement" } ?? .max
      #expect(armed <= alert, "\(paths): an alert that was not armed")
    }
  }

  @Test func aBikeParkedForFifteenMinutesIsArmedOnceAndNeverAlarmed() throws {
    for sensor in ["imu", "imu2"] {
      guard let folder = Places.recordings("rides") else { return }
      let run = ToolRun("replay", "--json", folder.appending(path: "bike_still_15min_\(sensor).csv.gz").path)
      let names = try run.objects().compactMap { $0["event"] as? String }
      #expect(names.filter { $0 == "armed" }.count == 1)
      #expect(!names.contains("movement"), "\(sensor)")
    }
  }

  @Test func aParkedBikeThatIsThenTiltedByHandRaisesAnAlertWithinTwoSeconds() throws {
    guard let folder = Places.recordings("rides") else { return }
    for sensor in ["imu", "imu2"] {
      let temporary = try TemporaryFolder()
      let still = try unpacked(folder.appending(path: "bike_still_15min_\(sensor).csv.gz"))
      let tilted = try unpacked(folder.appending(path: "bike_tilt_by_hand_\(sensor).csv.gz"))
      // The same bike and sensor, recorded on the same day: the second recording follows the first after a moment.
      let shift = 956.0
      let later = tilted.split(separator: "\n").dropFirst().map { line in
        let cells = line.split(separator: ",", maxSplits: 1)
        return "\((Double(cells[0]) ?? 0) + shift),\(cells[1])"
      }
      let path = try temporary.file("both.csv", still + later.joined(separator: "\n") + "\n")
      let run = ToolRun("replay", "--json", path)
      let alerts = try run.objects().filter { $0["type"] as? String == "movement" }
      let first = try #require(alerts.first?["uptime"] as? Double)
      // The seam itself is a small turn, and the first quiet stretch of the second recording begins at 3 s.
      #expect(first > 955.5 && first < shift + 16, "\(sensor): \(first)")
    }
  }

  private func unpacked(_ file: URL) throws -> String {
    String(decoding: try OtherProgram.bytes(of: ["/bin/zcat", file.path]), as: UTF8.self)
  }
}

import Foundation
import Positioning
import Testing

@Suite struct RegionJudgeTests {
  /// Some of what `make geometry` compares a hundred thousand of; `LEASH_GEOMETRY` names another file of judgements.
  @Test func regionsSayWhatGEOSAndS2Say() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["LEASH_GEOMETRY"] ?? here.appending(path: "Judges/judgements.txt").path
    var judge = try RegionJudge(path: path)
    judge.run()
    for difference in judge.differences { Issue.record("\(difference)") }
    #expect(judge.outlines >= 300 && judge.places >= 1000 && judge.distances >= 900)
    if ProcessInfo.processInfo.environment["LEASH_GEOMETRY"] != nil {
      // The table of docs/geodesy.md.
      let numbers = [
        "\(judge.outlines)", "\(judge.places)", "\(judge.differences.count)",
        String(format: "%.1f mm", judge.worstMetres * 1000), String(format: "%.5f of it", judge.worstShare),
      ]
      print("| outlines | places | differences | longest excess of a distance within 1 km | beyond 1 km |")
      print("|---:|---:|---:|---:|---:|\n| " + numbers.joined(separator: " | ") + " |")
    }
  }
}

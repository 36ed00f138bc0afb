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
      print(
        "\(judge.outlines) outlines, \(judge.places) places, \(judge.distances) distances, \(judge.differences.count) differences;"
          + " an edge is called farther than it is by up to \(judge.worstMetres) m within 1 km and \(judge.worstShare) of it beyond"
      )
    }
  }
}

import Foundation
import FusionEvaluation
import Recording
import Testing

@testable import LeashTool

/// A sensor that lies still and level for four seconds at 50 Hz, with a reference turned by 10° about the vertical, and
/// in its second half tilted by 4° too.
private func recording(_ movement: String = ",1") -> String {
  var text = "t_s,gx,gy,gz,ax,ay,az,qw,qx,qy,qz\(movement.isEmpty ? "" : ",movement")\n"
  let half = 5.0 * Double.pi / 180
  for step in 0..<200 {
    let tilt = (step < 100 ? 0 : 2.0) * Double.pi / 180
    // Reference: first the tilt about x, then the turn.
    let q = (cos(half) * cos(tilt), cos(half) * sin(tilt), sin(half) * sin(tilt), sin(half) * cos(tilt))
    text += "\(Double(step) / 50),0,0,0,0,0,9.80665,\(q.0),\(q.1),\(q.2),\(q.3)\(movement)\n"
  }
  return text
}

@Suite struct FuseScoreTests {
  @Test func theScoreTellsHeadingFromInclination() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", recording())
    let run = ToolRun("fuse", "--reference", input, "--json")
    let score = try #require(try run.objects().first)
    #expect(run.code == .success && run.lines.count == 1, "\(run.err)")
    #expect(abs((score["heading"] as? Double ?? 0) - 10) < 0.01, "\(score)")
    // Half of the rows 0°, half 4°.
    #expect(abs((score["inclination"] as? Double ?? 0) - 4 / 2.0.squareRoot()) < 0.01, "\(score)")
    #expect(
      (score["heading_aligned"] as? Double ?? 9) < 0.05 && score["n"] as? Int == 200 && score["n_bad"] as? Int == 0)
  }

  @Test func theTableNamesWhatItCounts() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", recording())
    let run = ToolRun("fuse", input, "--output", folder.path("out.csv"), "--reference")
    for words in ["total", "heading", "inclination", "10.0", "n 200, n_bad 0", "rest: precision"] {
      #expect(run.out.contains(words), "\(words): \(run.out)")
    }
    // Rows on standard output stay rows.
    let piped = ToolRun("fuse", input, "--output", "-", "--reference")
    #expect(piped.lines.count == 201 && piped.err.contains("n 200, n_bad 0"))
  }

  @Test func withoutMovementAllRowsCountAndRestIsNotScored() throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("fuse", try folder.file("imu.csv", recording("")), "--reference")
    #expect(run.code == .success && run.out.contains("n 200") && !run.out.contains("rest:"), "\(run.out)")
  }

  @Test func anotherFileIsMatchedByTime() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", recording())
    let whole = ToolRun("fuse", input, "--reference", "--json").out
    let lines = recording().split(separator: "\n")
    let reference = try folder.file("truth.csv", recording())
    #expect(ToolRun("fuse", input, "--reference", reference, "--json").out == whole)
    // Every fourth row, a little beside the times of the recording.
    let thinned = lines.enumerated().filter { $0.offset == 0 || $0.offset % 4 == 1 }.map(\.element).joined(
      separator: "\n")
    let run = ToolRun("fuse", input, "--reference", try folder.file("thin.csv", thinned), "--json")
    let score = try #require(try run.objects().first)
    #expect(score["n"] as? Int == 50 && abs((score["heading"] as? Double ?? 0) - 10) < 0.01)
    let later = recording().replacing("\n", with: "\n1000")
    let miss = ToolRun("fuse", input, "--reference", try folder.file("later.csv", String(later.dropLast(4)) + "9"))
    #expect(miss.code != .success, "\(miss.out)\(miss.err)")
  }

  @Test func whatCannotBeScoredIsFusedAllTheSame() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", recording(",0"))
    let run = ToolRun("fuse", input, "--output", folder.path("out.csv"), "--reference")
    #expect(run.code == .environment && run.err.contains("no row to score"), "\(run.err)")
    #expect(FileManager.default.fileExists(atPath: folder.path("out.csv")))
  }

  /// The rows as they are written must score as the run says.
  @Test func theScoreOfARecordedTrialIsThatOfItsRows() throws {
    guard let data = Places.recordings("broad") else { return }
    let folder = try TemporaryFolder()
    let trial = data.appending(path: "11_undisturbed_slow_translation_B.csv.gz").path
    #expect(ToolRun("fuse", trial, "--output", folder.path("out.csv")).code == .success)
    let run = ToolRun("fuse", trial, "--reference", "--json")
    let told = try #require(try run.objects().first)
    let written = try OrientationTable(referencePath: folder.path("out.csv"))
    let truth = try OrientationTable(path: trial)
    #expect(written.count == truth.count && written.times == truth.times)
    let score = OrientationScore(
      estimates: written.references, references: truth.references, isMoving: truth.isMoving)
    for (key, value) in [
      ("total", score.total), ("heading", score.heading), ("inclination", score.inclination),
      ("total_aligned", score.totalAligned), ("heading_aligned", score.headingAligned),
    ] {
      #expect(abs((told[key] as? Double ?? .nan) - value) < 1e-3, "\(key)")
    }
    #expect(told["n"] as? Int == score.count && told["n_bad"] as? Int == 0)
  }
}

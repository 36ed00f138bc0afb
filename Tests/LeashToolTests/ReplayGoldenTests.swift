import Foundation
import Testing

@testable import LeashTool

/// Replays of committed recordings against committed outputs, byte for byte.
///
/// To take a change as right: `LEASH_UPDATE_GOLDEN=1 swift test --filter ReplayGolden`, and explain every difference in the
/// commit.
@Suite struct ReplayGoldenTests {
  private static let folder = Places.fixtures.appending(path: "golden")

  private func compare(_ text: String, with name: String) throws {
    let place = ReplayGoldenTests.folder.appending(path: name)
    let text = text.replacingOccurrences(of: Places.root.path + "/", with: "")
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_GOLDEN"] == "1" {
      try text.write(to: place, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOf: place, encoding: .utf8)
    let (new, old) = (text.split(separator: "\n"), golden.split(separator: "\n"))
    for (line, pair) in zip(new, old).enumerated() where pair.0 != pair.1 {
      Issue.record("\(name):\(line + 1) was \(pair.1), is \(pair.0)")
      return
    }
    #expect(text == golden, "\(name) has \(old.count) lines, now \(new.count)")
  }

  @Test(arguments: [
    ("rides/leiden_edge1000_gap_gnss.csv.gz", "leiden.jsonl"), ("nmea/bt451.log", "bt451.jsonl"),
    ("nmea/ublox-zed-f9p-nmea.log", "ublox-zed-f9p.jsonl"), ("nmea/gr8013-w.log", "gr8013-w.jsonl"),
  ])
  func aRecordingGivesTheSamePacketsAndEvents(recording: String, golden: String) throws {
    // A ride that ends while it is under way may be in a tunnel, and is parked later.
    let then = golden == "leiden.jsonl" ? "620" : "320"
    let run = ToolRun("replay", "--json", "--then", then, Places.fixtures.appending(path: recording).path)
    #expect(run.code == .success)
    try compare(run.out, with: golden)
  }

  @Test func theDemoGivesTheSameTimeline() throws {
    let run = ToolRun("replay", Places.ardennes, "--simulate-inertial", "--simulate-scene", "thief")
    #expect(run.code == .success)
    try compare(run.out, with: "demo.txt")
  }
}

import Testing

@testable import LeashTool

/// Movement at a secure place, as a replay tells it.
@Suite struct SecurePlaceReplayTests {
  /// A bike that stands for ten minutes, and is then 200 m away.
  private static let moved: String = {
    var lines = ["t_s,utc,lat_deg,lon_deg,alt_m,speed_mps"]
    for second in 0..<720 {
      let utc =
        "2020-06-01T\(10 + second / 3600):\(String(100 + second / 60 % 60).dropFirst()):"
        + "\(String(100 + second % 60).dropFirst())Z"
      lines.append("\(second),\(utc),\(second < 600 ? "52.0000000" : "52.0018000"),4.0000000,0.0,0.0")
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  @Test func aNoticeIsNoAlertInTimelineAndSummary() throws {
    let folder = try TemporaryFolder()
    let ride = try folder.file("moved.csv", Self.moved)
    let elsewhere = ToolRun("replay", ride)
    #expect(elsewhere.out.contains("ALERT movement") && elsewhere.out.contains("STOLEN"), "\(elsewhere.out)")
    #expect(elsewhere.out.contains("1 movement alert,"), "\(elsewhere.out)")
    #expect(!elsewhere.out.contains("notice"))
    for policy in ["notice", "silent"] {
      let run = ToolRun(
        "replay", "--set", "rules.secureMovement=\(policy)", "--at", "5=place 1 set \"home\" 52.0,4.0 60", ride)
      #expect(run.code == .success && !run.out.contains("ALERT") && !run.out.contains("STOLEN"), "\(run.out)\(run.err)")
      #expect(run.out.contains("Moved in place      displacement at "), "\(run.out)")
      #expect(run.out.contains("no movement alerts, 1 movement without alert, no suspicions"), "\(run.out)")
    }
  }
}

import Foundation
import FoundationXML
import Testing

@testable import LeashTool

@Suite struct OdometerTests {
  /// Two minutes of standing and five northwards at 5 m/s, a fix a second, with what the device counts.
  private func ride(device: (Double) -> String) -> String {
    var text = "t_s,lat_deg,lon_deg,speed_mps,distance_m\n"
    for second in 0..<420 {
      let metres = 5 * Double(max(0, second - 120))
      text += "\(second),\(53.0 + metres / 111_280),-6.25,\(second < 120 ? 0 : 5),\(device(metres))\n"
    }
    return text
  }

  private func run(device: (Double) -> String) throws -> ToolRun {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "straight.csv")
    try ride(device: device).write(to: file, atomically: true, encoding: .utf8)
    return ToolRun("odometer", file.path)
  }

  @Test func aStraightRideHoldsAgainstADeviceThatCountedRight() throws {
    let run = try run { "\($0 + 70_000)" }
    #expect(run.code == .success && run.err.isEmpty, "\(run.err)\(run.out)")
    #expect(run.lines[2].hasPrefix("| straight | tuning | 1495 | 1495 | 0.0"), "\(run.lines[2])")
    #expect(run.lines.last == "- 1 of 1 hold; with a fix every 5 s 1 of 1")
  }

  @Test func whatIsSkippedOfARideIsNamed() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("gaps.csv", ride { "\($0)" } + "x,53,-6,5,1495\n")
    let run = ToolRun("odometer", file)
    #expect(run.code == .success && run.err.hasPrefix("leash odometer: ") && run.err.contains("gaps.csv"), "\(run.err)")
  }

  @Test func aSumThatIsWrongEndsWithOne() throws {
    let run = try run { "\($0 * 1.008)" }
    #expect(run.code == .checkFailed)
    #expect(run.lines[2].contains("| yes |") && run.lines.last?.hasPrefix("- 1 of 1 hold") == true, "\(run.out)")
  }

  @Test func aRideWhoseDeviceCountedNothingIsMeasuredByItsTrack() throws {
    let run = try run { _ in "" }
    #expect(run.code == .success)
    #expect(run.lines[2].hasPrefix("| straight | tuning | 1495 |  |  | 149"), "\(run.lines[2])")
  }

  @Test func aRideThatDoesNotHoldIsDrawn() throws {
    let folder = try TemporaryFolder()
    let (good, wrong) = (
      try folder.file("good.csv", ride { "\($0)" }), try folder.file("wrong.csv", ride { "\($0 * 0.5)" })
    )
    let picture = folder.url.appending(path: "rides.svg")
    // Device and track disagree by as much as the odometer: only a thinned ride can fail, or one whose track is longer.
    let jumps = try folder.file(
      "jumps.csv",
      "t_s,lat_deg,lon_deg,speed_mps\n"
        + (0..<420).map { "\($0),\(53.0 + 5 * Double($0) / 111_280),\(-6.25 + ($0 % 2 == 1 ? 0.0001 : 0)),5\n" }
        .joined())
    let run = ToolRun("odometer", "--draw", picture.path, good, wrong, jumps)
    #expect(run.code == .checkFailed, "\(run.err)\(run.out)")
    let text = try String(contentsOf: picture, encoding: .utf8)
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.contains(">jumps: track ") && !text.contains(">good: track "), "\(run.out)")
    // A map, a zero line, and two curves.
    #expect(text.components(separatedBy: "<polyline").count == 5)
    #expect(ToolRun("odometer", "--draw", "/nowhere/rides.svg", good).code == .environment)
  }

  @Test func withoutRecordingsNothingIsMeasured() throws {
    let folder = try TemporaryFolder()
    let run = ToolRun("odometer", "--data", folder.url.path)
    #expect(run.code == .environment && run.out.isEmpty)
    #expect(run.err.hasSuffix(": nothing is measured\n"))
    #expect(ToolRun("odometer", folder.url.path + "/none.csv").code == .environment)
    let still = try folder.file("still.csv", "t_s,lat_deg,lon_deg\n0,52,4\n1,52,4\n")
    let none = ToolRun("odometer", still)
    #expect(none.code == .environment && none.out.isEmpty && none.err.contains("still.csv: no ride; "), "\(none.err)")
  }
}

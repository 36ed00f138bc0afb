import Foundation
import FoundationXML
import Testing

@testable import LeashTool

/// Counts the elements of a document; nil when it is not well-formed.
private final class ElementCounter: NSObject, XMLParserDelegate {
  private var counts: [String: Int] = [:]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
  }

  static func counts(_ text: String) -> [String: Int]? {
    let counter = ElementCounter()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = counter
    return parser.parse() ? counter.counts : nil
  }
}

private func recording(_ count: Int, hertz: Double = 100, reference: Bool = false) -> String {
  var text = "t_s,gx,gy,gz,ax,ay,az" + (reference ? ",qw,qx,qy,qz" : "") + "\n"
  for step in 0..<count {
    let rate = 3 * sin(Double(step) / hertz)
    text += "\(Double(step) / hertz),0.01,0,\(rate),\(0.1 * rate),0,9.8" + (reference ? ",1,0,0,0" : "") + "\n"
  }
  return text
}

private func plot(_ text: String, name: String = "imu.csv", _ arguments: String...) throws -> String {
  let folder = try TemporaryFolder()
  let run = ToolRun(["fuse", try folder.file(name, text), "--plot", folder.path("plot.svg")] + arguments)
  #expect(run.code == .success, "\(run.err)")
  return try String(contentsOfFile: folder.path("plot.svg"), encoding: .utf8)
}

@Suite struct FusePlotTests {
  @Test(arguments: [1, 2, 3, 59, 500, 20_000])
  func aPlotOfAnyLengthIsWellFormedAndSmall(count: Int) throws {
    let svg = try plot(recording(count, reference: true), "--reference")
    let counts = try #require(ElementCounter.counts(svg))
    #expect(counts["svg"] == 1 && counts["clipPath"] == 4)
    #expect(svg.utf8.count < 500_000, "\(svg.utf8.count)")
    #expect(!svg.contains("nan") && !svg.contains("inf,") && !svg.contains("?,") && !svg.contains(",?"))
    for words in [
      "imu.csv", "Angles (°)", "Gyroscope bias (°/s)", "Standard deviation (°)", "tilt", "Error (°)", "roll", "pitch",
      "yaw", "at rest", "t_s",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
  }

  @Test func theNameOfTheFileCannotBreakThePicture() throws {
    let svg = try plot(recording(10), name: "a<b>&\"c\".csv")
    #expect(ElementCounter.counts(svg) != nil && svg.contains("a&lt;b&gt;&amp;"))
    #expect(!svg.contains("Error"))
    // Without magnetometer no heading is known, and none is drawn as uncertain.
    #expect(svg.contains("Standard deviation (°)") && svg.contains(">bias (°/s)<") && !svg.contains(">heading<"))
  }

  @Test func aPeakOfOneSampleIsNotLost() {
    var track = PlotTrack()
    for step in 0..<500_000 { track.add(Double(step) / 100, step == 123_456 ? 7 : step == 400_001 ? -9 : 0) }
    let columns = track.columns(900)
    #expect(columns.count <= 900 && columns.count > 400)
    #expect(columns.map(\.most).max() == 7 && columns.map(\.least).min() == -9)
    #expect(columns.first?.firstTime == 0 && columns.last?.lastTime == 4999.99)
  }

  @Test func anAngleThatGoesOverKeepsItsTwoBranchesApart() {
    var track = PlotTrack()
    for step in 0..<100 { track.add(Double(step) * 1e-5, step % 2 == 0 ? 170 + Float(step % 10) : -179) }
    let bin = track.columns(1)[0]
    #expect(bin.isWrapped && bin.leastPositive == 170 && bin.mostNegative == -179 && bin.most == 178)
  }

  @Test func marksStandAtRoundValues() {
    let axis = PlotAxis(from: -0.13, to: 0.42, smallest: 0.1)
    #expect(axis.low == -0.2 && abs(axis.high - 0.6) < 1e-9 && axis.step == 0.2)
    #expect(axis.marks.map(axis.label) == ["−0.2", "0.0", "0.2", "0.4", "0.6"])
    #expect(PlotAxis(degreesFrom: -170, to: 20).marks == [-180, -90, 0, 90, 180])
    let minutes = PlotAxis(secondsFrom: 0, to: 1200)
    #expect(minutes.timeLabel(600) == "10:00" && minutes.timeTitle == "t_s (min:s)")
    let day = PlotAxis(secondsFrom: 0, to: 86_400)
    #expect(day.timeLabel(43_200) == "12:00" && day.timeTitle == "t_s (h:min)" && day.marks.count <= 13)
    let flat = PlotAxis(from: 5, to: 5, smallest: 0)
    #expect(flat.step > 0 && flat.low <= 5 && flat.high >= 5)
  }
}

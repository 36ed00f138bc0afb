import Foundation
import FoundationXML
import Testing

@testable import LeashTool

@Suite struct TripsCommandTests {
  /// Two minutes of standing and five northwards at 5 m/s, uphill by 1 in 20, then a stop of ten minutes and two minutes back.
  private func ride(isDated: Bool = true) -> String {
    var text = "t_s,utc,lat_deg,lon_deg,alt_m,speed_mps\n"
    var metres = 0.0
    for second in 0..<1200 {
      let speed: Double = (120..<420).contains(second) ? 5 : (1020..<1140).contains(second) ? -5 : 0
      metres += speed
      let utc = isDated ? String(format: "2025-03-01T08:%02d:%02dZ", second / 60, second % 60) : ""
      text += "\(second),\(utc),\(53.0 + metres / 111_280),-6.25,\(20 + metres / 20),\(abs(speed))\n"
    }
    return text
  }

  private func run(_ options: String..., isDated: Bool = true) throws -> ToolRun {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "ride.csv")
    try ride(isDated: isDated).write(to: file, atomically: true, encoding: .utf8)
    return ToolRun(["trips"] + options + [file.path])
  }

  @Test func eachRideIsARowOfTheTable() throws {
    let run = try run()
    #expect(run.code == .success && run.err.isEmpty && run.lines.count == 3, "\(run.err)\(run.out)")
    #expect(run.lines[1].contains("2025-03-01 08:02:0") && run.lines[1].contains("2025-03-01 08:06:5"), "\(run.out)")
    #expect(run.lines[1].contains("1.5 km") || run.lines[1].contains("1.49 km") || run.lines[1].contains("1.50 km"))
    #expect(run.lines[1].contains("18.0 km/h") && run.lines[2].contains("2025-03-01 08:17:0"), "\(run.out)")
    let undated = try self.run(isDated: false)
    #expect(undated.lines.count == 3 && undated.lines[1].contains("0:02:0"), "\(undated.out)")
  }

  @Test func theNumbersOfEachRideAreAnObject() throws {
    let rides = try run("--json").objects()
    try #require(rides.count == 2)
    func number(_ name: String, _ ride: Int = 0) -> Double { rides[ride][name] as? Double ?? .nan }
    #expect(abs(number("start") - 120) <= 3 && abs(number("end") - 419) <= 3)
    #expect(abs(number("start", 1) - 1020) <= 3 && abs(number("end", 1) - 1139) <= 3)
    #expect((rides[0]["startUTC"] as? String)?.hasPrefix("2025-03-01T08:0") == true)
    #expect(abs(number("distance") - 1500) < 12 && abs(number("movingTime") - 299) <= 3)
    #expect(number("topSpeed") == 5 && abs(number("meanSpeed") - 5) < 0.1)
    #expect(abs(number("climb") - 75) <= 10 && number("climb", 1) == 0 && number("climbUncertainty") > 0)
    #expect(abs(number("fixes") - 300) <= 4)
    #expect(try run("--json", isDated: false).objects()[0]["startUTC"] == nil)
  }

  @Test func gpxHasATrackPerRide() throws {
    let run = try run("--export", "gpx")
    let reader = GPXReader()
    let parser = XMLParser(data: Data(run.out.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.tracks.count == 2 && reader.version == "1.1")
    let points = try #require(reader.tracks.first)
    #expect(abs(points.count - 300) <= 4)
    #expect(points[0].latitude.hasPrefix("53.00") && points[0].longitude == "-6.2500000")
    #expect(points[0].time.hasPrefix("2025-03-01T08:0") && points[0].height.hasPrefix("2"))
  }

  @Test func geoJSONHasALinePerRideWithItsNumbers() throws {
    let run = try run("--export", "geojson")
    let all = try #require(try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any])
    let features = try #require(all["features"] as? [[String: Any]])
    #expect(all["type"] as? String == "FeatureCollection" && features.count == 2)
    let geometry = try #require(features[0]["geometry"] as? [String: Any])
    let coordinates = try #require(geometry["coordinates"] as? [[Double]])
    #expect(geometry["type"] as? String == "LineString" && coordinates[0].count == 3)
    #expect(coordinates[0][0] == -6.25 && abs(coordinates[0][1] - 53) < 0.001, "longitude first")
    #expect((features[0]["properties"] as? [String: Any])?["topSpeed"] as? Double == 5)
  }

  @Test func theTableIsReadAgainAndHasTheSameRides() throws {
    let run = try run("--export", "csv")
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "again.csv")
    try run.out.write(to: file, atomically: true, encoding: .utf8)
    let again = try ToolRun("trips", "--json", file.path).objects()
    #expect(again.count == 2)
    #expect(abs((again.first?["distance"] as? Double ?? 0) - 1500) < 25, "\(again)")
  }

  @Test func eachRideIsDrawn() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "rides.svg")
    let run = try run("--draw", file.path)
    #expect(run.code == .success)
    let text = try String(contentsOf: file, encoding: .utf8)
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse())
    // A map and two lines for each.
    #expect(text.components(separatedBy: "<polyline").count == 7 && text.contains("Ride 2: 2025-03-01"))
  }

  @Test func withoutARideThereIsNone() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "still.csv")
    let rows = (0..<60).map { "\($0),53,-6.25\n" }.joined()
    try ("t_s,lat_deg,lon_deg\n" + rows).write(to: file, atomically: true, encoding: .utf8)
    #expect(ToolRun("trips", file.path).out == "no rides\n")
    #expect(ToolRun("trips", "--json", file.path).out.isEmpty)
    #expect(ToolRun("trips").code == .usage && ToolRun("trips", file.path + ".none").code == .environment)
    #expect(ToolRun("trips", "--export", "kml", file.path).code == .usage)
    #expect(ToolRun("trips", "--set", "motion.nonsense=1", file.path).code == .usage)
  }

  /// The examples of the docs give what stands below them.
  @Test func theExamplesOfTheDocsAreRight() throws {
    let page = Places.root.appending(path: "docs/trips.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    var made = ""
    var isExample = false
    var examples = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ leash ") {
        let arguments = line.dropFirst(8).split(separator: " ").map { argument in
          argument.hasPrefix("fixtures/") ? Places.root.appending(path: String(argument)).path : String(argument)
        }
        isExample = true
        examples += 1
        made += line + "\n" + ToolRun(arguments).out
      } else if line == "```" || !isExample {
        isExample = false
        made += line + "\n"
      }
    }
    made.removeLast()
    #expect(examples == 2)
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] != nil {
      try made.write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(made == text, "LEASH_UPDATE_SNAPSHOTS=1 swift test --filter theExamplesOfTheDocsAreRight")
    }
  }
}

/// The tracks of a GPX file.
private final class GPXReader: NSObject, XMLParserDelegate {
  struct Point {
    var latitude = ""
    var longitude = ""
    var height = ""
    var time = ""
  }
  var tracks: [[Point]] = []
  var version = ""
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
    switch name {
    case "gpx": version = attributes["version"] ?? ""
    case "trk": tracks.append([])
    case "trkpt":
      tracks[tracks.count - 1].append(Point(latitude: attributes["lat"] ?? "", longitude: attributes["lon"] ?? ""))
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard let last = tracks.last, !last.isEmpty else { return }
    if name == "ele" { tracks[tracks.count - 1][last.count - 1].height = text }
    if name == "time" { tracks[tracks.count - 1][last.count - 1].time = text }
  }
}

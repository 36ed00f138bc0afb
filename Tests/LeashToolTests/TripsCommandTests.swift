import Foundation
import FoundationXML
import LinuxDevices
import Quantities
import Recording
import Testing
import TrackerCore
import TrackerRuntime

@testable import LeashTool
@testable import LinuxRuntime

@Suite struct TripsCommandTests {
  /// Two minutes of standing and five northwards at 5 m/s, uphill by 1 in 20, then a stop of ten minutes and two minutes back.
  private func ride(isDated: Bool = true, from start: Double = 0, seconds: Int = 1200) -> String {
    var text = "t_s,utc,lat_deg,lon_deg,alt_m,speed_mps\n"
    var metres = start
    for second in 0..<seconds {
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

  /// A log of the rides above, with two places that were marked on the first.
  private func log(in folder: borrowing TemporaryFolder) throws -> String {
    let (file, log) = (folder.url.appending(path: "ride.csv"), folder.url.appending(path: "ride.leash").path)
    try ride().write(to: file, atomically: true, encoding: .utf8)
    let made = ToolRun(
      "replay", "--record", log, "--set", "alertsEnabled=false", "--at",
      "200=checkpoint \"Tom & Ann's\" note \"steep, <mind> the kerb\" picture IMG_1.jpg", "--at", "300=#4 checkpoint",
      file.path)
    #expect(made.code == .success, "\(made.err)")
    return log
  }

  @Test func placesThatWereMarkedAreExportedAndDrawn() throws {
    let folder = try TemporaryFolder()
    let log = try log(in: folder)
    let gpx = ToolRun("trips", "--export", "gpx", log)
    let reader = GPXReader()
    let parser = XMLParser(data: Data(gpx.out.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.order == ["wpt", "wpt", "trk", "trk"])
    let marks = reader.wayPoints
    try #require(marks.count == 2)
    #expect(
      marks[0].name == "Tom & Ann's" && marks[0].note == "steep, <mind> the kerb" && marks[0].picture == "IMG_1.jpg")
    #expect(marks[0].time.hasPrefix("2025-03-01T08:03:20") && marks[0].latitude.hasPrefix("53.003"))
    #expect(marks[1].name.isEmpty && marks[1].time.hasPrefix("2025-03-01T08:05:00"))
    let all = try JSONSerialization.jsonObject(with: Data(ToolRun("trips", "--export", "geojson", log).out.utf8))
    let features = try #require((all as? [String: Any])?["features"] as? [[String: Any]])
    try #require(features.count == 4)
    let point = features[2]
    #expect((point["geometry"] as? [String: Any])?["type"] as? String == "Point")
    #expect((point["properties"] as? [String: String])?["note"] == "steep, <mind> the kerb")
    let svg = folder.url.appending(path: "rides.svg")
    #expect(ToolRun("trips", "--draw", svg.path, log).code == .success)
    let text = try String(contentsOf: svg, encoding: .utf8)
    #expect(XMLParser(data: Data(text.utf8)).parse() && text.components(separatedBy: ">Tom &amp; Ann").count == 2)
    // The way goes north, so that all of it is in the middle; in the east the title is to the left of its place.
    #expect(text.contains("dx=\"8\">Tom &amp; Ann"))
    let places = [0, 1_000_000, 2_000_000].compactMap { GeodeticPosition(latitudeE9: 0, longitudeE9: $0) }
    let map = RideMap(places, left: 24, top: 50, size: 420)
    #expect(places.map(map.isEast) == [false, false, true])
    // None of a time before.
    let later = ToolRun("trips", "--from", "2025-03-01T08:04:00Z", "--export", "gpx", log)
    #expect(
      later.out.components(separatedBy: "<wpt").count == 2 && later.out.components(separatedBy: "<trk>").count == 3)
  }

  @Test func onlyWhatIsBetweenTwoTimesIsListedAndExported() throws {
    func rides(_ options: String...) throws -> Int {
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "ride.csv")
      try ride().write(to: file, atomically: true, encoding: .utf8)
      return try ToolRun(["trips", "--json"] + options + [file.path]).objects().count
    }
    #expect(try rides() == 2 && rides("--from", "2025-03-01") == 2 && rides("--to", "2025-03-01") == 2)
    #expect(try rides("--from", "2025-03-02") == 0 && rides("--to", "2025-02-28") == 0)
    #expect(try rides("--from", "2025-03-01T08:10:00Z") == 1 && rides("--to", "2025-03-01T08:10:00Z") == 1)
    // A ride that only reaches into the time is there with that part of it.
    let part = try run("--from", "2025-03-01T08:05:00Z", "--to", "2025-03-01T08:06:00Z", "--export", "csv")
    #expect(part.lines.count == 62 && part.lines[1].contains("08:05:00") && part.lines[61].contains("08:06:00"))
    try aRideThatIsCutHasTheNumbersOfItsPart()
    #expect(try run("--from", "2025-03-01", isDated: false).out == "no rides\n")
    for wrong in ["yesterday", "2025-02-30", "2025-03-01T25:00:00Z", "08:15"] {
      let run = try run("--from", wrong)
      #expect(
        run.code == .usage && run.err.contains("'\(wrong)'") && run.err.contains("2025-03-01T08:15:00Z"), "\(run.err)")
    }
    #expect(try run("--from", "2025-03-02", "--to", "2025-03-01").code == .usage)
    #expect(try run("--from", "2025-03-01", "--to", "2025-03-01").code == .success)
  }

  /// The first ride goes on from 08:02:00 to 08:07:00 at 5 m/s.
  private func aRideThatIsCutHasTheNumbersOfItsPart() throws {
    func part(_ options: String...) throws -> [String: Double] {
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "ride.csv")
      try ride().write(to: file, atomically: true, encoding: .utf8)
      let rides = try ToolRun(["trips", "--json"] + options + [file.path]).objects()
      return try #require(rides.first).compactMapValues { $0 as? Double }
    }
    let whole = try part("--from", "2025-03-01")
    let minute = try part("--from", "2025-03-01T08:05:00Z", "--to", "2025-03-01T08:06:00Z")
    #expect(abs((minute["distance"] ?? 0) - 300) <= 10 && minute["duration"] == 60, "\(minute)")
    #expect(abs((minute["movingTime"] ?? 0) - 60) <= 2 && abs((minute["meanSpeed"] ?? 0) - 5) < 0.2, "\(minute)")
    #expect(minute["start"] == 300 && minute["end"] == 360 && minute["topSpeed"] == 5, "\(minute)")
    #expect(abs((minute["climb"] ?? 0) - 15) <= 10, "\(minute)")
    // What is cut at one end only goes to the other, and both parts make the whole.
    let early = try part("--to", "2025-03-01T08:05:00Z")
    let late = try part("--from", "2025-03-01T08:05:00Z")
    for name in ["distance", "movingTime", "duration", "climb"] {
      let sum = (early[name] ?? .nan) + (late[name] ?? .nan)
      #expect(abs(sum - (whole[name] ?? 0)) <= 6, "\(name): \(sum) of \(whole[name] ?? 0)")
    }
    #expect(early["start"] == whole["start"] && late["end"] == whole["end"] && early["end"] == 300)
  }

  @Test func theRegionOfARideIsThatOfItsFixes() throws {
    let ride = try #require(try run("--json").objects().first)
    let region = try #require(ride["region"] as? [Double])
    #expect(region.count == 4 && region[0] == -6.25 && region[2] == -6.25)
    #expect(abs(region[1] - 53) < 1e-3 && abs(region[3] - 53 - 1500 / 111_280.0) < 1e-4, "\(region)")
  }

  /// The rides of a state, as they were reported, with their gear; of the last one also its top speed.
  @Test func theRidesOfAStateAreListed() throws {
    let folder = try TemporaryFolder()
    let state = folder.url.appending(path: "state.sqlite").path
    func live(_ text: String, _ requests: [String], restoring: Bool) throws {
      let file = folder.url.appending(path: "ride.csv")
      try text.write(to: file, atomically: true, encoding: .utf8)
      let store = try StateStore(path: state, clock: MachineClock())
      var configuration = RunConfiguration()
      configuration.tracker.alertsEnabled = false
      let run = try TrackerRun(configuration, store: store) { _, _ in }
      if restoring, let bytes = try store.restoration() { try run.restore(bytes, at: .zero) }
      for request in requests { try run.feed(.command(run.now), payload: Array(request.utf8)) }
      let recording = try openRecording(file.path, port: Port.gnss.rawValue)
      while let input = try recording.next() { try run.feed(input, payload: recording.payload) }
      run.look { store.close($0) }
    }
    try live(ride(seconds: 1600), [], restoring: false)
    try live(
      ride(from: 900, seconds: 1600), ["gear add road bike", "gear use road", "gear assign 1 road"], restoring: true)
    let run = ToolRun("trips", state)
    #expect(run.code == .success && run.err.isEmpty && run.lines.count == 5, "\(run.err)\(run.out)")
    let rides = try ToolRun("trips", "--json", state).objects()
    try #require(rides.count == 4)
    #expect(rides.map { $0["number"] as? Int } == [1, 2, 3, 4])
    #expect(rides.map { $0["gear"] as? String } == ["road", nil, "road", "road"], "\(run.out)")
    #expect((rides[1]["startUTC"] as? String)?.hasPrefix("2025-03-01T08:17:0") != false)
    for (ride, metres) in zip(rides, [1500.0, 600, 1500, 600]) {
      #expect(abs((ride["distance"] as? Double ?? 0) - metres) < 15, "\(ride)")
    }
    #expect(rides[3]["topSpeed"] as? Double == 5 && rides[0]["topSpeed"] == nil)
    #expect(ToolRun("trips", "--from", "2025-03-02", state).out == "no rides\n")
    for words in [["--export", "gpx"], ["--draw", folder.url.appending(path: "x.svg").path]] {
      let run = ToolRun(["trips"] + words + [state])
      #expect(run.code == .usage && run.err.contains("has no fixes"), "\(run.err)")
    }
    let mixed = ToolRun("trips", state, folder.url.appending(path: "ride.csv").path)
    #expect(mixed.code == .usage && mixed.err.contains("one after the other"), "\(mixed.err)")
  }

  @Test func aStateThatIsNoneIsToldByItsName() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("state.sqlite", "SQLite format 3\0 and nothing else")
    let run = ToolRun("trips", file)
    #expect(run.code == .environment && run.err.contains("state.sqlite: "), "\(run.err)")
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
  struct WayPoint: Equatable {
    var latitude = ""
    var time = ""
    var name = ""
    var note = ""
    var picture = ""
  }
  var wayPoints: [WayPoint] = []
  /// Elements in their order: the schema wants way points before tracks.
  var order: [String] = []

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
    if name == "trk" || name == "wpt" { order.append(name) }
    switch name {
    case "gpx": version = attributes["version"] ?? ""
    case "trk": tracks.append([])
    case "wpt": wayPoints.append(WayPoint(latitude: attributes["lat"] ?? ""))
    case "link": wayPoints[wayPoints.count - 1].picture = attributes["href"] ?? ""
    case "trkpt":
      tracks[tracks.count - 1].append(Point(latitude: attributes["lat"] ?? "", longitude: attributes["lon"] ?? ""))
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if tracks.isEmpty, !wayPoints.isEmpty {
      if name == "time" { wayPoints[wayPoints.count - 1].time = text }
      if name == "name" { wayPoints[wayPoints.count - 1].name = text }
      if name == "desc" { wayPoints[wayPoints.count - 1].note = text }
    }
    guard let last = tracks.last, !last.isEmpty else { return }
    if name == "ele" { tracks[tracks.count - 1][last.count - 1].height = text }
    if name == "time" { tracks[tracks.count - 1][last.count - 1].time = text }
  }
}

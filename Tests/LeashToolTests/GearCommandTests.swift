import Foundation
import Testing

@testable import LeashTool

@Suite struct GearCommandTests {
  /// The session of the docs, on a tracker that runs.
  @Test func theExamplesOfTheGearPageAreRight() throws {
    let page = Places.root.appending(path: "docs/gear.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let tracker = try LiveTracker()
    let json = try #require(text.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
    let file = try tracker.folder.file("strava.json", json)
    var made = ""
    var isExample = false
    var examples = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ leash gear ") {
        var words = GearCommandTests.words(line.dropFirst(8)).map { $0 == "strava.json" ? file : $0 }
        words += ["--socket", tracker.socket]
        let run = ToolRun(words)
        #expect(run.code == .success && run.err.isEmpty, "\(line): \(run.err)")
        isExample = true
        examples += 1
        made += line + "\n" + run.out.replacingOccurrences(of: file, with: "strava.json")
      } else if line == "```" || !isExample {
        isExample = false
        made += line + "\n"
      }
    }
    made.removeLast()
    #expect(examples == 11)
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] != nil {
      try made.write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(made == text, "LEASH_UPDATE_SNAPSHOTS=1 swift test --filter theExamplesOfTheGearPageAreRight")
    }
    let status = ToolRun("status", "--socket", tracker.socket)
    #expect(status.out.contains("Gear                road bike, 4200.00 km"), "\(status.out)")
  }

  /// Words as a shell takes them.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var (isQuoted, current) = (false, "")
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(current)
        current = ""
      } else {
        current.append(character)
      }
    }
    return words + [current]
  }

  @Test func whatIsRefusedIsExplainedAndExitsWithOne() throws {
    let tracker = try LiveTracker()
    let empty = ToolRun("gear", "list", "--socket", tracker.socket)
    #expect(empty.code == .success && empty.out == "no gear\n")
    #expect(ToolRun("gear", "add", "road", "bike", "--socket", tracker.socket).out == "road\n")
    for (words, complaint) in [
      (["add", "road", "bike"], "the tracker refused it: other gear has this name"),
      (["add", "mud", "bike", "year", "1700"], "the tracker refused it: a model year is 1850 to 2100"),
      (["use", "mud"], "the tracker refused it: there is no gear of this name"),
      (["assign", "3", "road"], "the tracker refused it: there is no ride of this number"),
    ] {
      let run = ToolRun(["gear"] + words + ["--socket", tracker.socket])
      #expect(run.code == .checkFailed && run.out.isEmpty && run.err.contains(complaint), "\(run.err)")
    }
    let told = ToolRun("tell", "--socket", tracker.socket, "gear use mud")
    #expect(told.code == .checkFailed && told.err.contains("refused it: there is no gear"), "\(told.err)")
    let wrong = ToolRun("gear", "counter", "road", "chain", "miles", "3", "--socket", tracker.socket)
    #expect(wrong.code == .usage && wrong.err.contains("can't read 'miles'"), "\(wrong.err)")
    #expect(ToolRun("gear", "use").code == .usage && ToolRun("gear").code == .usage)
    for (words, missing) in [(["add"], "NAME"), (["add", "road"], "KIND"), (["counter", "road", "chain"], "MEASURE")] {
      let run = ToolRun(["gear"] + words)
      #expect(run.code == .usage && run.err == "leash gear \(words[0]): \(missing) is missing\n", "\(run.err)")
    }
    #expect(ToolRun("gear", "list", "--socket", "/nowhere/control").code == .environment)
  }

  @Test func aLongAdditionIsSharedOutOverRequests() throws {
    let long = String(repeating: "m", count: 32)
    let words = ["road bike", "bike", "make", long, "model", long, "id", "b12345678987655", "year", "2019"]
    let requests = GearCommand.requests("add", words)
    #expect(requests.count == 2 && requests[1].hasSuffix("year 2019"))
    #expect(requests.allSatisfy { $0.utf8.count <= 125 })
    let tracker = try LiveTracker()
    let run = ToolRun(["gear", "add"] + words + ["--socket", tracker.socket])
    #expect(run.code == .success && run.out == "road bike\nroad bike\n", "\(run.err)")
    let object = try #require(try ToolRun("gear", "list", "--json", "--socket", tracker.socket).objects().first)
    let gear = try #require((object["gear"] as? [[String: Any]])?.first)
    #expect(gear["make"] as? String == long && gear["model"] as? String == long && gear["year"] as? Int == 2019)
    #expect(gear["id"] as? String == "b12345678987655" && (gear["uuid"] as? String)?.count == 36)
    #expect(gear["distanceMetres"] as? Int == 0 && gear["source"] as? String == "measured")
  }

  @Test func aRestartOfTheBoardKeepsTheGear() throws {
    let tracker = try LiveTracker()
    for words in [
      ["add", "road", "bike", "distance", "1000"], ["counter", "road", "chain", "days", "3"], ["use", "road"],
    ] {
      #expect(ToolRun(["gear"] + words + ["--socket", tracker.socket]).code == .success)
    }
    let before = ToolRun("gear", "list", "--json", "--socket", tracker.socket).out
    tracker.stop()
    let next = try LiveTracker(in: tracker.folder)
    #expect(ToolRun("gear", "list", "--json", "--socket", next.socket).out == before && before.contains("\"road\""))
  }

  @Test func aFileThatIsNoListOfAServiceIsToldWithItsPlaces() throws {
    let tracker = try LiveTracker()
    for (text, complaint) in [
      ("{\"message\": \"Authorization Error\"}", ":1:1: expected the lists 'bikes' or 'shoes'"),
      ("{\"bikes\": 3}", ":1:11: 'bikes': expected a list"), ("[3]", ":1:2: expected an object with 'id'"),
      ("3", ":1:1: expected an object"), ("[{\"name\": \"x\"}]", ":1:2: 'id': expected a text"),
      ("[{\"id\": \"b1\"}]", ":1:2: 'name': expected a text"),
      ("[{\"id\": \"b1\", \"name\": \"x\", \"distance\": \"5\"}]", ":1:40: 'distance': expected metres, 0 or more"),
      ("[{\"id\": \"b1\", \"name\": \"x\", \"distance\": -0.1}]", ":1:40: 'distance': expected metres, 0 or more"),
      ("[{\"id\": \"b1\", \"name\": \"x\", \"distance\": 1e19}]", ":1:40: 'distance': expected metres, 0 or more"),
      ("[{\"id\": \"b1\", \"name\": \"x\", \"primary\": 1}]", ":1:39: 'primary': expected true or false"),
      ("[{\"id\": \"b1\",", ":1:14:"),
    ] {
      let file = try tracker.folder.file("strava.json", text)
      let run = ToolRun("gear", "import", "--socket", tracker.socket, file)
      #expect(run.code == .checkFailed && run.err.hasPrefix(file + complaint), "\(text): \(run.err)")
    }
    #expect(ToolRun("gear", "import", "--socket", tracker.socket, "/nowhere.json").code == .environment)
    #expect(ToolRun("gear", "list", "--socket", tracker.socket).out == "no gear\n")
    // What the tracker refuses leaves the others.
    let file = try tracker.folder.file(
      "strava.json",
      "[{id: 'b1', name: 'none', distance: null}, {id: 'b2', name: 'A \"fast\" one', distance: 12.0, primary: null}]")
    let run = ToolRun("gear", "import", "--json", "--socket", tracker.socket, file)
    #expect(run.code == .checkFailed && run.out.hasPrefix("{\"added\":1,\"known\":0,\"refused\":[\""), "\(run.out)")
    #expect(ToolRun("gear", "show", "A 'fast' one", "--socket", tracker.socket).out == "12 m\n")
    // What a terminal would take for a line of its own is a space.
    let lines = try tracker.folder.file("lines.json", "[{id: 'b3', name: 'two\\nlines', distance: 10.6}]")
    #expect(ToolRun("gear", "import", "--socket", tracker.socket, lines).code == .success)
    #expect(ToolRun("gear", "show", "two lines", "--socket", tracker.socket).out == "11 m\n")
    #expect(ToolRun("gear", "list", "--socket", tracker.socket).out.contains("A 'fast' one"))
  }

  /// Two rides, of which the second is assigned to another bike afterwards.
  @Test func theRidesOfABikeAreExportedFromALog() throws {
    var text = "t_s,utc,lat_deg,lon_deg,speed_mps\n"
    var metres = 0.0
    for second in 0..<2400 {
      let speed: Double = (120..<420).contains(second) ? 5 : (1020..<1320).contains(second) ? -5 : 0
      metres += speed
      let utc = String(format: "2025-03-01T08:%02d:%02dZ", second / 60, second % 60)
      text += "\(second),\(utc),\(53.0 + metres / 111_280),-6.25,\(abs(speed))\n"
    }
    let folder = try TemporaryFolder()
    let (ride, log) = (try folder.file("ride.csv", text), folder.url.appending(path: "ride.llog").path)
    let made = ToolRun(
      "replay", "--record", log, "--set", "alertsEnabled=false", "--at", "1=gear add \"road bike\" bike", "--at",
      "2=gear add mud bike", "--at", "3=gear use \"road bike\"", "--at", "2300=#1 gear assign 2 mud", ride)
    #expect(made.code == .success, "\(made.err)")
    #expect(ToolRun("replay", "--check", log).code == .success)
    let road = ToolRun("gear", "export", "road bike", log)
    #expect(road.code == .success && road.out.contains("<name>2025-03-01T08:02:0"), "\(road.err)")
    #expect(road.out.components(separatedBy: "<trk>").count == 2)
    let mud = ToolRun("gear", "export", "--format", "csv", "mud", log)
    #expect(mud.code == .success && mud.lines.count > 250 && mud.lines[1].contains("2025-03-01T08:17:0"), "\(mud.err)")
    let nobody = ToolRun("gear", "export", "none", log)
    #expect(nobody.code == .success && !nobody.out.contains("<trk>"))
    #expect(ToolRun("gear", "export", "other", log).code == .checkFailed)
  }
}

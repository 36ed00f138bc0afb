import Foundation
import Quantities
import SkippedTests
import Testing

@testable import LeashTool

/// `leash decode`, with what people paste.
@Suite struct DecodeCommandTests {
  private static let data =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXkWLKou7AtptLUqCy9NbUQNv2hFEi673vdntViQ9cMNc1+D0+oyr0ujPh1H9CxQ22znRarkYCzufJxOjj"
    + "uoFiNfESWvjMCZgHMSdOZbPu/gDjyfBYUIHD4fZAz4Gb"

  private func file(_ text: String) throws -> String {
    let place = FileManager.default.temporaryDirectory.appending(path: "leash-decode-\(UUID().uuidString)")
    try text.write(to: place, atomically: true, encoding: .utf8)
    return place.path
  }

  @Test func everyFieldIsNamedWithItsUnitAndTheTrapThatIsNear() {
    let run = ToolRun("decode", "/?id=bike42&timestamp=1700000000&lat=48.85833&lon=2.29513&speed=9.719&alarm=tow&new=7")
    #expect(run.code == .success && run.err.isEmpty && run.lines.first == "osmAnd position")
    #expect(run.lines.contains { $0.hasPrefix("  speed      9.719 kn  speed  (trap: ") })
    #expect(run.lines.contains { $0.hasPrefix("  lat        48.85833 °  latitude") })
    #expect(run.lines.contains("  new        7  an attribute of the position") && run.lines.last == "  = alarm tow")
  }

  @Test(arguments: [
    ("id=%zz", "a query whose 'id' has an escape that is none"), ("/?id=a&=3", "parameter 2 has no name"),
    ("id=" + String(repeating: "a&id=", count: 513), "more than 512 parameters"),
    ("42,5D84DDF6,k,50390062,5897622,0,42,46,0", "compact fields of OwnTracks are 10, and these are 9"),
    ("42,5D84DDF6,k,50390062,5897622,0,42,46,0,0,1", "and these are 11"),
    ("42,5D84DDF6,k,50.4,5897622,0,42,46,0,0", "whole numbers from the fourth on"),
  ])
  func whatIsNoMessageIsToldWithItsFault(text: String, words: String) {
    let run = ToolRun("decode", text)
    #expect(run.code == .checkFailed && run.err.contains(words), "\(run.err)")
  }

  @Test func ofASealedMessageThatIsTooLongTheLimitIsTold() throws {
    let key = try file("a key")
    let data = Data(repeating: 7, count: 24 + 16 + 3073).base64EncodedString()
    let run = ToolRun("decode", "--key-file", key, #"{"_type":"encrypted","data":"\#(data)"}"#)
    #expect(run.code == .checkFailed && run.err.contains("with 3073 bytes in it; up to 3072 are opened"), "\(run.err)")
    let other = Data(repeating: 7, count: 24 + 16 + 3072).base64EncodedString()
    let damaged = ToolRun("decode", "--key-file", key, #"{"_type":"encrypted","data":"\#(other)"}"#)
    #expect(damaged.err.contains("with another key, or damaged"), "\(damaged.err)")
  }

  @Test func jsonSaysTheSameForPrograms() throws {
    let run = ToolRun("decode", "--json", #"[{"_type":"cmd","action":"dump"},{"_type":"lwt","tst":17,"x":"a\"b"}]"#)
    let objects = try run.objects()
    #expect(objects.map { $0["type"] as? String } == ["cmd", "lwt"] && run.code == .success)
    let fields = try #require(objects[1]["fields"] as? [[String: Any]])
    #expect(fields[1]["name"] as? String == "tst" && fields[1]["unit"] as? String == "s since 1970")
    #expect(
      fields[1]["trap"] as? String == "a retained will on this topic takes the place of the position"
        && fields[2]["value"] as? String == "a\"b" && fields[2]["meaning"] == nil)
  }

  /// Fields whose values can't be, as `name: reason`, by form.
  private func problems(_ text: String) throws -> [String] {
    let run = ToolRun("decode", "--json", text)
    #expect(run.code == .success && run.err.isEmpty, "\(text): \(run.err)")
    let marked =
      try run.objects().flatMap { $0["fields"] as? [[String: Any]] ?? [] }.compactMap { field in
        (field["problem"] as? String).map { "\(field["name"] as? String ?? ""): \($0)" }
      }
      + (run.objects().flatMap { $0["missing"] as? [[String: Any]] ?? [] }.map { field in
        "\(field["name"] as? String ?? "") missing: \(field["problem"] as? String ?? "")"
      })
    // The table has the same marks.
    let lines = ToolRun("decode", text).lines.filter { $0.hasPrefix("! ") }
    #expect(lines.count == marked.count && lines.allSatisfy { $0.contains("  (! ") }, "\(text)")
    return marked
  }

  @Test(arguments: [
    (
      #"{"_type":"location","lat":90.5,"lon":-180.1,"tst":0,"tid":"abc","acc":0,"alt":65531,"vel":-1,"cog":361,"batt":101,"bs":4,"conn":"x","t":"ab","m":3}"#,
      [
        "lat: -90 to 90°", "lon: -180 to 180°", "tst: before 2000: the clock was not set",
        "tid: two characters, by custom",
        "acc: below 1 m: Home Assistant drops the location", "alt: -12,000 to 20,000 m", "vel: 0 to 1854 km/h",
        "cog: 0 to 360°", "batt: 0 to 100 %", "bs: 0 to 3", "conn: none of w, m, o", "t: not one letter", "m: -1 to 2",
      ]
    ),
    (
      #"{"_type":"location","lat":"a","lon":null,"tst":1700000000123,"acc":"5","vel":true,"motion":"true","lac":"10000","cid":"xyz","odometer":-1}"#,
      [
        "lat: not a number", "lon: null is no value here: leave it out",
        "tst: milliseconds, where seconds are expected", "vel: not a number", "motion: not true or false",
        "lac: above FFFF", "cid: not a hexadecimal number", "odometer: below 0",
      ]
    ),
    (#"{"_type":"location","acc":1,"lat":1,"lon":2,"tst":99000000000.5}"#, ["tst: not whole seconds"]),
    (#"{"_type":"location","acc":1,"lat":1,"lon":2,"tst":99000000000}"#, ["tst: in the future"]),
    (
      #"{"_type":"location","lat":1}"#,
      [
        "lon missing: no place", "tst missing: receivers take the time at which it comes",
        "acc missing: Home Assistant drops the location",
      ]
    ),
    (
      #"{"device_id":"a","location":{"timestamp":"2025-06-15T13:45:12.862Z","coords":{"latitude":1,"longitude":2,"accuracy":5,"altitude":5,"speed":-1},"battery":{"level":1},"extras":{"sequence":-1}}}"#,
      [
        "location.extras.sequence: 0 to 4294967295",
        "location.coords.heading missing: Traccar does not answer then; -1 is for an unknown speed or course",
        "location.battery.is_charging missing: Traccar does not answer then",
      ]
    ),
    ("id=a&timestamp=1700000000&lon=2", ["lat missing: half a place is none"]),
    (
      #"{"_type":"transition","wtst":-1,"tst":1700000000,"acc":0,"event":"came","t":"x"}"#,
      [
        "wtst: 0 to 4294967295", "acc: below 1 m: Home Assistant drops the place", "event: none of enter, leave",
        "t: none of c, b, l", "desc missing: Home Assistant knows no zone for it",
      ]
    ),
    (#"{"_type":"waypoint","desc":"a","tst":7,"lat":91,"lon":2,"rad":"-5"}"#, ["lat: -90 to 90°", "rad: below 0"]),
    (
      #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"a","tst":7,"lat":91,"lon":2,"rad":5},{"desc":"b","tst":8,"lat":1,"lon":2,"rad":-5}]}"#,
      ["waypoints.1.lat: -90 to 90°", "waypoints.2.rad: below 0"]
    ),
    (#"{"_type":"steps","tst":1700000000,"steps":-2,"from":-1,"to":5}"#, ["steps: -1 or more", "from: below 0"]),
    (#"{"_type":"lwt","tst":17}"#, ["tst: before 2000: the clock was not set"]),
    (
      #"{"_type":"status","tst":1700000000,"leash":{"batt":120,"armed":1}}"#,
      [
        "leash.batt: 0 to 100 %", "leash.armed: not true or false",
      ]
    ),
    (
      #"{"_type":"dump","configuration":{"_type":"configuration","tid":"42","monitoring":5,"pubQos":3,"locatorInterval":-1}}"#,
      [
        "configuration.monitoring: -1 to 2", "configuration.pubQos: 0 to 2", "configuration.locatorInterval: below 0",
      ]
    ),
    (
      "abc,5,k,90000001,-180000001,37,-1,9999,-1,-1",
      [
        "tid: two characters, by custom", "tst: before 2000: the clock was not set", "lat: -90 to 90°",
        "lon: -180 to 180°", "cog: 0 to 360°", "vel: 0 to 1854 km/h", "alt: -12,000 to 20,000 m", "dist: below 0",
        "trip: below 0",
      ]
    ),
    ("X0,FFFFFFFFFFFF,k,1,2,3,4,5,6,7", ["tst: milliseconds, where seconds are expected"]),
    (
      "id=a&timestamp=99999999999999&lat=91&lon=181&speed=-1&bearing=-1&altitude=30000&accuracy=-1&hdop=-1&batt=101&charge=1&alarm=theft&motion=yes&odometer=x",
      [
        "timestamp: in the future", "lat: -90 to 90°", "lon: -180 to 180°", "speed: 0 to 1001 kn", "bearing: 0 to 360°",
        "altitude: -12,000 to 20,000 m", "accuracy: 0 m to half way round the earth", "hdop: 0 to 100",
        "batt: 0 to 100 %", "charge: only the words true and false count", "alarm: Traccar knows no alarm 'theft'",
        "motion: only the words true and false count", "odometer: not a number",
      ]
    ),
    ("id=a&timestamp=2016-01-27+18:55:47", ["timestamp: without a time zone: the server takes its own"]),
    ("id=a&timestamp=2016-01-27+25:55:47", ["timestamp: not a time"]),
    ("id=a&timestamp=1980-01-06%2000:00:00", ["timestamp: before 2000: the clock was not set"]),
    ("id=a&timestamp=2016-01-27&location=91,2&lat=", ["timestamp: not a time", "location: -90 to 90°", "lat: empty"]),
    (
      #"{"device_id":"a","location":{"timestamp":"2025-13-01T00:00:00Z","coords":{"latitude":91,"longitude":2,"accuracy":5,"speed":600,"heading":361,"altitude":5},"is_moving":1,"odometer":-1,"battery":{"level":67,"is_charging":"no"},"alarm":"theft"}}"#,
      [
        "location.timestamp: not a time", "location.coords.latitude: -90 to 90°",
        "location.coords.speed: 515 m/s at most", "location.coords.heading: 360° at most",
        "location.is_moving: not true or false", "location.odometer: below 0",
        "location.battery.level: of 1, not of 100",
        "location.battery.is_charging: not true or false", "location.alarm: Traccar knows no alarm 'theft'",
      ]
    ),
    (
      #"{"type":"theft","trackerId":"a","utc":"1970-01-01T00:00:00.000Z","phase":"lost","latitude":"48.8","longitude":200,"speed":-1,"course":361,"battery":-1,"hdop":1e3,"temperature":200,"fixAge":-1,"alert":{"id":-1,"detector":"nose","onset":"noon"}}"#,
      [
        "type: none of location, parking, movement, ride, status, fence, transition",
        "utc: before 2000: the clock was not set",
        "phase: none of starting, riding, settling, parked, suspicious, alarmed, stolen",
        "latitude: text, not a number: receivers pass it over", "longitude: -180 to 180°", "speed: 0 to 515 m/s",
        "course: 0 to 360°", "battery: 0 to 100 %", "hdop: 0 to 100", "temperature: -90 to 150 °C", "fixAge: below 0",
        "alert.id: 0 to 4294967295",
        "alert.detector: none of \(MovementDetector.allCases.map { "\($0.name)" }.joined(separator: ", "))",
        "alert.onset: not a time",
      ]
    ),
    (
      #"{"ts":1700000000123,"values":{"type":"location","trackerId":"a","latitude":52.0,"longitude":4.0,"speed":-1}}"#,
      ["values.speed: 0 to 515 m/s"]
    ),
    (
      #"{"latitude":-91,"longitude":"x","trackerId":"a"}"#,
      [
        "latitude: -90 to 90°", "longitude: text, not a number: receivers pass it over",
      ]
    ),
    (
      #"homeassistant/button/x/config {"uniq_id":1,"cmd_t":"a/#","qos":3,"en":"no","ent_cat":"main","dev":{"ids":""},"stat_t":"","name":null,"exp_aft":-1}"#,
      [
        "uniq_id: not text", "cmd_t: nothing can be published to a topic with + or #", "qos: 0 to 2",
        "en: not true or false", "ent_cat: none of config, diagnostic", "dev.ids: empty: no device", "stat_t: empty",
        "exp_aft: 0 to 1000000000",
      ]
    ),
    (
      #"{"dev":{"ids":"a"},"o":{"name":5},"cmps":{"x":{"p":"toaster","stat_t":"~"},"y":{"p":"sensor","sup_feat":"a"}}}"#,
      [
        "o.name: not text", "cmps.x.p: Home Assistant has no such kind over MQTT",
        "cmps.y.p: without a unique_id Home Assistant refuses the component", "cmps.y.sup_feat: not a list",
      ]
    ),
    (
      "bike: movement 3 (tilt), 1970-01-01 00:00 UTC, https://osm.org/?mlat=91.0&mlon=5.9 #3",
      ["time: before 2000: the clock was not set", "link: -90 to 90°"]
    ),
  ])
  func aValueThatCantBeIsMarkedWithItsReason(text: String, marks: [String]) throws {
    #expect(try problems(text) == marks)
  }

  @Test(arguments: [
    // What is unknown may be said where a form has a word for it, and limits are within.
    #"{"device_id":"a","location":{"timestamp":"2025-06-15T13:45:12.862Z","coords":{"latitude":-90,"longitude":180,"accuracy":-1,"speed":-1,"heading":-1,"altitude":-4},"battery":{"level":-1,"is_charging":false}}}"#,
    #"{"type":"location","trackerId":"a","latitude":null,"longitude":null,"uptime":3,"armed":true}"#,
    #"{"_type":"location","lat":-90,"lon":"180","tst":"1.7e9","acc":1,"alt":-430,"cog":360,"vel":0,"batt":0,"tid":"äö"}"#,
    #"{"_type":"waypoint","desc":"a","tst":7,"lat":1,"lon":2,"rad":"50"}"#,
    "X0,542A46AA,!,-90000000,180000000,36,0,-43,0,0",
    "id=a&timestamp=2016-01-27T18%3A55%3A47Z&location=-90,180&bearing=360&charge=true&alarm=vibration,tampering&x=y",
  ])
  func aValueThatCanBeIsNotMarked(text: String) throws { #expect(try problems(text) == []) }

  @Test func aFrameOfTeltonikaIsNamed() {
    for codec in ["08", "8E", "0c"] {
      let frame = ToolRun("decode", "000000000000004A\(codec)010000018BCFE56800010113F3CE001D28C52E")
      #expect(
        frame.code == .checkFailed && frame.err.contains("Teltonika's codecs, which Leash can't decode"), "\(frame.err)"
      )
    }
    for text in ["000000000000004A09010000018BCFE56800", "00000000", "000000000000004Ax8010000"] {
      #expect(!ToolRun("decode", text).err.contains("Teltonika"))
    }
  }

  @Test func whatABrokerIsToldIsReadWithItsTopic() throws {
    let position =
      #"homeassistant/device_tracker/leash_a/position/config {"~":"leash/a/packet","uniq_id":"leash_a_position","json_attr_t":"~","stat_t":"~/x","new":1}"#
    let run = ToolRun("decode", position)
    #expect(
      run.code == .success
        && run.lines[0] == "homeAssistant component, topic homeassistant/device_tracker/leash_a/position/config")
    #expect(
      run.lines[3].hasPrefix(
        "  json_attr_t  ~  json_attributes_topic: where its attributes come from, here leash/a/packet  (trap: "))
    // A state of a tracker is what will not be read for long.
    #expect(
      run.lines[4].contains("here leash/a/packet/x  (trap: ")
        && run.lines[5].contains("no field that Leash knows"))
    let sensor = ToolRun("decode", position.replacingOccurrences(of: "device_tracker", with: "sensor"))
    #expect(sensor.lines[4].hasSuffix("here leash/a/packet/x"))
    #expect(
      ToolRun("decode", "homeassistant/button/a/found/config (null)").lines == [
        "homeAssistant removal, topic homeassistant/button/a/found/config"
      ])
    #expect(ToolRun("decode", "leash/a/packet (null)").err.contains("empty: the broker forgets what it kept"))
    let capture = try file(
      "owntracks/me/bike X0,542A46AA,k,30365854,7575769,26,4,7,5,872\nowntracks/me/bike {\"_type\":\"lwt\",\"tst\":1}\na/b c\n"
    )
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let lines = ToolRun("decode", "--json", capture)
    #expect(try lines.objects().map { $0["topic"] as? String } == ["owntracks/me/bike", "owntracks/me/bike"])
    #expect(lines.code == .checkFailed && lines.err.contains("\(capture):3: unknown message"))
    let spaced = ToolRun("decode", "--json", "owntracks/me/my phone {\"_type\":\"lwt\",\"tst\":1}")
    #expect(try spaced.objects().first?["topic"] as? String == "owntracks/me/my phone", "\(spaced)")
    // The name of a tracker may look like the beginning of a topic.
    #expect(ToolRun("decode", "my/bike: location, place unknown #3").lines.first == "text location")
  }

  @Test func eachWaypointOfAListHasUnitsAndPitfalls() {
    let list =
      #""waypoints":[{"_type":"waypoint","desc":"home","tst":7,"lat":52.1,"lon":-4.9,"rad":50},{"desc":"x","lat":1}]"#
    for (text, prefix) in [
      (#"{"_type":"waypoints","_creator":"me",\#(list)}"#, ""),
      (#"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints",\#(list)}}"#, "waypoints."),
      (#"{"_type":"configuration",\#(list)}"#, ""),
      (#"{"_type":"dump","configuration":{"_type":"configuration",\#(list)}}"#, "configuration."),
    ] {
      let lines = ToolRun("decode", text).lines
      func line(_ name: String) -> String { lines.first { $0.hasPrefix("  \(prefix)\(name) ") } ?? "\(text): none" }
      #expect(line("waypoints.1.lat").contains("  52.1 °  latitude  (trap: "), "\(lines)")
      #expect(line("waypoints.1.lon").contains("  -4.9 °  longitude  (trap: "), "\(lines)")
      #expect(line("waypoints.1.rad").hasSuffix("  50 m  radius"), "\(lines)")
      #expect(line("waypoints.2.desc").contains("  x  name, the key on iOS  (trap: "), "\(lines)")
      #expect(!lines.contains { $0.contains("[") || $0.contains("no field") }, "\(lines)")
    }
    // What is no list of waypoints, or too long a one, stays as it was written.
    let lists = [#"{"_type":"status","list":["a","b"]}"#, #"{"_type":"waypoints","waypoints":[]}"#]
    for text in lists { #expect(ToolRun("decode", text).lines.count == 3, "\(text)") }
    let many = Array(repeating: #"{"desc":"a","tst":7,"lat":1,"lon":2}"#, count: 200).joined(separator: ",")
    #expect(ToolRun("decode", #"{"_type":"waypoints","waypoints":[\#(many)]}"#).lines.count == 3)
  }

  @Test func aRequestIsExplainedWithWhatStandsAroundIt() {
    #expect(
      ToolRun("decode", "locate").lines == [
        "request locate",
        "  request  locate  reports the position now  (trap: a retained command comes again with each connection of the tracker)",
      ])
    let signed = ToolRun(
      "decode", "leash/bike42/request 4711 #17 dismiss 3 !1764000000000:0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    #expect(signed.lines.first == "request dismiss, topic leash/bike42/request" && signed.code == .success)
    #expect(signed.lines.contains { $0.hasPrefix("  number     17  its number") }, "\(signed.out)")
    #expect(
      signed.lines.contains {
        $0.hasPrefix("  request    dismiss 3  says that the owner caused the alert; written dismiss ALERT")
      })
    #expect(signed.lines.contains { $0.hasPrefix("  counter    1764000000000  ") }, "\(signed.out)")
    #expect(signed.lines.contains { $0.hasPrefix("  signature  0f1e2d3c4b5a69788796a5b4c3d2e1f0  ") }, "\(signed.out)")
    #expect(signed.lines.contains("  pin        ****  PIN, not shown") && !signed.out.contains("4711"), "\(signed.out)")
    // One that is not obeyed says what would be.
    let wrong = ToolRun("decode", "dismiss it")
    #expect(wrong.code == .success && wrong.lines[1].hasPrefix("! request  dismiss it  "), "\(wrong.out)")
    #expect(wrong.lines[1].contains("(! no tracker understands it; expected dismiss ALERT)"), "\(wrong.out)")
    #expect(ToolRun("decode", "please locate").code == .checkFailed)
  }

  @Test func requestsOfAFileAreReadLineByLine() throws {
    let lines = try file("fence list\nalarm list\nstatus quo\n")
    defer { try? FileManager.default.removeItem(atPath: lines) }
    let run = ToolRun("decode", lines)
    #expect(
      run.lines.filter { $0.hasPrefix("request ") } == ["request fence", "request alarm", "request status"],
      "\(run.out)")
  }

  @Test func whoIsThereIsReadWithItsTopic() {
    let there = ToolRun("decode", "leash/bike42/available online")
    #expect(
      there.lines == [
        "homeAssistant availability, topic leash/bike42/available",
        "  availability  online  the tracker is connected  (trap: while it is offline there its buttons and switches can't be used)",
      ])
    #expect(ToolRun("decode", "leash/bike42/available offline").out.contains("the tracker is not connected"))
    #expect(
      ToolRun("decode", "homeassistant/status online").lines.last
        == "  availability  online  Home Assistant has started: trackers announce themselves again")
    #expect(ToolRun("decode", "homeassistant/status offline").out.contains("Home Assistant has stopped"))
    // Without a topic it may be anything.
    #expect(ToolRun("decode", "online").code == .checkFailed)
  }

  @Test func ofACaptureOfHTTPTheBodiesAndQueriesAreRead() throws {
    let capture = try file(
      """
      POST /pub?u=me&d=bike HTTP/1.1\r
      Host: track.example\r
      Content-Type: application/json\r
      \r
      {"_type":"location","lat":1,"lon":2,"tst":1700000000,"acc":5}
      HTTP/1.1 200 OK\r
      Content-Length: 2\r
      \r
      []
      GET /?id=a&lat=1&lon=2 HTTP/1.1\r
      Host: track.example\r
      \r
      nonsense

      """)
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = ToolRun("decode", capture)
    #expect(
      run.lines.filter { !$0.hasPrefix(" ") } == [
        "ownTracks location", "an empty answer: no message for the tracker", "osmAnd position",
      ])
    #expect(
      run.code == .checkFailed && run.err.contains(":13: unknown message") && run.err.split(separator: "\n").count == 1)
  }

  /// A connection that stays open: no line end stands behind a body.
  @Test func ofAConnectionThatStaysOpenEachRequestIsRead() throws {
    func post(_ number: Int) -> String {
      let body = "id=a&timestamp=170000000\(number)&lat=1&lon=2"
      return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let capture = try file((1...4).map { post($0) }.joined())
    let chunked = try file(
      "POST /pub HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "9\r\nid=a&lat=\r\n7;x=y\r\n1&lon=2\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]" + post(2))
    let wrong = try file("POST / HTTP/1.1\nContent-Length: 9\n\nid=a&lat=1&lon=2" + post(1))
    defer { for path in [capture, chunked, wrong] { try? FileManager.default.removeItem(atPath: path) } }
    let run = ToolRun("decode", capture)
    #expect(run.code == .success && run.err.isEmpty)
    #expect(run.lines.filter { $0 == "osmAnd position" }.count == 4, "\(run.out)")
    for number in 1...4 { #expect(run.out.contains("170000000\(number)")) }
    let parts = ToolRun("decode", chunked)
    #expect(
      parts.lines.filter { !$0.hasPrefix(" ") } == [
        "osmAnd position", "an empty answer: no message for the tracker", "osmAnd position",
      ], "\(parts.out)\(parts.err)")
    let short = ToolRun("decode", wrong)
    #expect(short.lines.filter { $0 == "osmAnd position" }.count == 2, "\(short.out)")
    #expect(short.err.contains(":4: Content-Length is 9, and the body has 16 bytes"), "\(short.err)")
  }

  @Test func aCaptureOfPacketsIsToldWhatIsExpected() throws {
    let path = NSTemporaryDirectory() + "\(UUID()).pcap"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0]).write(to: URL(filePath: path))
    let run = ToolRun("decode", path)
    #expect(run.code == .environment && run.err.contains("a capture of packets; expected the text in it"), "\(run.err)")
  }

  @Test(arguments: [
    (#"{"_type":"encrypted","data":"***"}"#, "! data   ***"), (#"{"_type":"encrypted"}"#, "! data  (! missing"),
    (#"{"_type":"bogus","x":1}"#, "! _type  bogus"),
    (#"{"_type":"location","lat":1,"lon":2,"acc":5,"tst":1700000000,"lat":3}"#, "(! repeated"),
    (
      #"{"_type":"waypoints","waypoints":[{"desc":"a","tst":1},{"desc":"b","tst":1}]}"#,
      "the same as of another waypoint"
    ),
    ("/?id=x&lat=1&lon=2&timestamp=2016-01-27 18:55:47", "2016-01-27 18:55:47"),
    (
      Data(#"{"_type":"location","lat":1,"lon":2,"acc":5,"tst":1700000000}"#.utf8).base64EncodedString(),
      "ownTracks location"
    ),
  ])
  func whatIsOddIsShownAndMarked(text: String, mark: String) throws {
    let run = ToolRun("decode", text)
    #expect(run.code == .success && run.out.contains(mark), "\(run.out)\(run.err)")
    let key = try file("a key")
    defer { try? FileManager.default.removeItem(atPath: key) }
    let opened = ToolRun("decode", "--key-file", key, text)
    #expect(opened.code == .success && opened.out.contains(mark), "\(opened.out)\(opened.err)")
  }

  @Test func requestsWithoutBodiesAreReadOneByOne() throws {
    let capture = try file("GET /?id=a&lat=1&lon=2 HTTP/1.1\n\nGET /?id=b&lat=3&lon=4 HTTP/1.1\n\n")
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = ToolRun("decode", capture)
    #expect(run.code == .success && run.lines.filter { $0 == "osmAnd position" }.count == 2, "\(run.out)")
  }

  @Test func whatAReplayPrintsIsRead() throws {
    let sent = try file(
      #"""
      {"type":"event","event":"armed","utc":"2026-06-01T00:05:00.000Z","uptime":300.000}
      {"_type":"location","lat":1,"lon":2,"tst":1700000000,"acc":5}
      {"type":"event","event":"parked","uptime":300.000}

      """#)
    defer { try? FileManager.default.removeItem(atPath: sent) }
    let run = ToolRun("decode", sent)
    #expect(run.code == .success && run.err.isEmpty && run.lines.first == "ownTracks location", "\(run.err)")
  }

  @Test func whatIsNoTextIsRefusedAtOnce() throws {
    let binary = try file("id=a&lat=1&lon=2\nab\u{0}c\nd\n")
    defer { try? FileManager.default.removeItem(atPath: binary) }
    let run = ToolRun("decode", binary)
    #expect(run.code == .environment && run.out.isEmpty && run.err.contains("expected text, found binary data"))
    #expect(ToolRun("decode", "/tmp").err.contains("/tmp: can't read: Is a directory"))
    let folder = try TemporaryFolder()
    let hidden = try folder.file("hidden", "{}")
    #expect(chmod(hidden, 0) == 0)
    if access(hidden, R_OK) != 0 {
      #expect(ToolRun("decode", hidden).err.contains("\(hidden): can't open: Permission denied"))
    } else {
      noteSkipped("this user may read every file")
    }
    #expect(ToolRun("decode", "/nonexistent/capture").err.contains("there is no such file"))
    #expect(ToolRun("decode", "[]").lines == ["an empty answer: no message for the tracker"])
    #expect(ToolRun("decode", "--json", "[]").code == .success && ToolRun("decode", "--json", "[]").out.isEmpty)
  }

  @Test func whatLooksLikeTheNameOfAFileIsToldThatThereIsNone() {
    for name in ["sent.txt", "capture.json", "rides/today.leash", "rides/today", "~/sent", "C0FFEE.log", "sent.jsonl"] {
      let run = ToolRun("decode", name)
      #expect(run.code == .checkFailed && run.err.hasSuffix("there is no such file\n"), "\(run.err)")
      #expect(run.err.contains(name), "\(run.err)")
    }
    for text in ["nonsense", "a b.txt", "{x.y", "a=b.c", "1.5", "movement."] {
      #expect(!ToolRun("decode", text).err.contains("no such file"), "\(text)")
    }
  }

  @Test func ofSeveralAlarmsEachIsNamed() {
    #expect(
      ToolRun("decode", "id=a&timestamp=1700000000&lat=1&lon=2&alarm=vibration,tow").lines.last
        == "  = alarm vibration, tow")
    #expect(ToolRun("decode", "id=a&timestamp=1700000000&lat=1&lon=2&alarm=tow").lines.last == "  = alarm tow")
    // One that Leash never sends is one of Traccar's all the same.
    #expect(
      ToolRun("decode", "id=a&timestamp=1700000000&lat=1&lon=2&alarm=sos,tow,theft").lines.last == "  = alarm sos, tow")
    let json =
      #"{"device_id":"a","location":{"timestamp":"2025-06-15T13:45:12.862Z","coords":{"latitude":1,"longitude":2},"alarm":"vibration,tow"}}"#
    #expect(ToolRun("decode", json).lines.last == "  = alarm vibration, tow", "\(ToolRun("decode", json).lines)")
    // A location of OwnTracks does not say which alarm it was: its letter stands for all.
    #expect(
      ToolRun("decode", #"{"_type":"location","lat":1,"lon":2,"tst":1700000000,"acc":5,"t":"!"}"#).lines.last
        == "  = alarm movement")
  }

  @Test func sealedMessagesOpenWithTheKeyOfAFileAndNeverShowIt() throws {
    let key = try file("mysecreTpass01\n")
    let wrong = try file("mysecreTpass02")
    defer { for path in [key, wrong] { try? FileManager.default.removeItem(atPath: path) } }
    let run = ToolRun("decode", "--key-file", key, DecodeCommandTests.data)
    #expect(run.lines.first == "ownTracks location, sealed" && run.out.contains("BK") && run.code == .success)
    #expect(!run.out.contains("mysecre"))
    for arguments in [["decode", DecodeCommandTests.data], ["decode", "--key-file", wrong, DecodeCommandTests.data]] {
      let refused = ToolRun(arguments)
      #expect(refused.code == .checkFailed && refused.out.isEmpty && refused.err.contains("sealed"))
      #expect(!refused.err.contains("mysecre"))
    }
    let long = try file(String(repeating: "a", count: 33))
    defer { try? FileManager.default.removeItem(atPath: long) }
    #expect(ToolRun("decode", "--key-file", long, "x").code == .environment)
  }

  @Test func aCaptureIsReadLineByLineAndWhatIsNoMessageIsNamedByItsLine() throws {
    let capture = try file("X0,542A46AA,k,30365854,7575769,26,4,7,5,872\n\nnonsense\nid=a&timestamp=1&lat=1&lon=2\n")
    let whole = try file("{\n \"_type\": \"card\",\n \"name\": \"x\u{1B}[2J\"\n}\n")
    defer { for path in [capture, whole] { try? FileManager.default.removeItem(atPath: path) } }
    let run = ToolRun("decode", capture)
    #expect(run.code == .checkFailed && run.err.contains("\(capture):3: unknown message"))
    #expect(
      run.lines.filter { !$0.hasPrefix(" ") && !$0.hasPrefix("!") } == ["ownTracksCompact location", "osmAnd position"])
    #expect(ToolRun("decode", whole).code == .checkFailed, "a control character is no JSON")
    #expect(ToolRun("decode", #"{"_type":"card","name":"x\u001b[2J"}"#).out.contains("x?[2J"))
  }
}

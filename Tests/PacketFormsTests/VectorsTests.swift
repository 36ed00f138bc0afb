import ASCIIText
import CSodium
import Foundation
import OwnTracks
import PacketDecoding
import PacketForms
import Quantities
import SecretBox
import Telemetry
import Testing
import Traccar

/// Known-good bytes of other makers: what they decode to, and that the same bytes are made of it again.
@Suite struct VectorsTests {
  private func decoded(_ text: String, key passphrase: String? = nil) throws -> DecodedMessage {
    let messages = try PacketDecoder(key: passphrase.flatMap { key($0) }).decode(Array(text.utf8))
    try #require(messages.count == 1)
    return messages[0]
  }

  // MARK: Sealed messages of OwnTracks

  private static let boxes: [(plain: String, box: String, data: String)] = [
    ("{}", "fce052416c10874e0c8d18dba1129ffbdba9", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX/OBSQWwQh04MjRjboRKf+9up"),
    (
      "hello", "8df143f627dac99583be3bdea648e87bc8b1b74934",
      "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXjfFD9ifayZWDvjvepkjoe8ixt0k0"
    ),
    (
      #"{"_type":"location","lat":48.85833,"lon":2.29513,"tst":1700000000,"tid":"BK"}"#,
      "9162caa2eec0b69b4b52a0b2f4d6d440dbf6845122ebbdef767b55890f5c30d735f83d3ea32af4ba33e1d47f42c50db6ce745aae4602ce"
        + "e7c9c4e8e3ba816235f1125af8cc09980731274e65b3eefe00e3c9f0585081c3e1f640cf819b",
      "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXkWLKou7AtptLUqCy9NbUQNv2hFEi673vdntViQ9cMNc1+D0+oyr0ujPh1H9CxQ22znRarkYCzufJxOjj"
        + "uoFiNfESWvjMCZgHMSdOZbPu/gDjyfBYUIHD4fZAz4Gb"
    ),
  ]

  @Test func sealedMessagesAreTheBytesThatReceiversTake() throws {
    let nonce = (0..<24).map { UInt8($0) }
    let secret = try #require(key("mysecreTpass01"))
    for (plain, box, data) in VectorsTests.boxes {
      var sink = GrowingSink()
      let maker = SecretBox(key: secret, nonce: nonce.span)
      maker?.seal(Array(plain.utf8).span, into: &sink)
      #expect(sink.take().map { String(format: "%02x", $0) }.joined() == box)
      let outer = #"{"_type":"encrypted","data":"\#(data)"}"#
      #expect(text(sealed(Array(plain.utf8), nonce, "mysecreTpass01")) == outer)
      #expect(text(opened(Array(outer.utf8), "mysecreTpass01")) == plain)
    }
    let location = try decoded(
      #"{"_type":"encrypted","data":"\#(VectorsTests.boxes[2].data)"}"#, key: "mysecreTpass01")
    #expect(location.wasSealed && location.facts.latitude == 48.85833 && location.facts.longitude == 2.29513)
    #expect(location.value("tid") == "BK" && location.facts.time == UTCTime(microseconds: 1_700_000_000_000_000))
    // The same as pasted base64; without the key, or with another, not.
    #expect(try decoded(VectorsTests.boxes[2].data, key: "mysecreTpass01") == location)
    #expect(throws: DecodingFailure.self) { try decoded(VectorsTests.boxes[2].data) }
    #expect(throws: DecodingFailure.self) { try decoded(VectorsTests.boxes[2].data, key: "mysecreTpass02") }
  }

  // MARK: Compact fields

  @Test func theCompactSampleIsReadAndWritten() throws {
    let sample = "X0,542A46AA,k,30365854,7575769,26,4,7,5,872"
    let record = try #require(OwnTracksCompactRecord(Array(sample.utf8)))
    #expect(record.text == sample)
    let facts = try decoded(sample).facts
    #expect(facts.tracker == "X0" && facts.time == UTCTime(microseconds: 1_412_056_746_000_000))
    #expect(facts.latitude == 30.365854 && facts.longitude == 7.575769 && facts.course == 260)
    #expect(abs((facts.speed ?? 0) - 4 / 3.6) < 1e-9 && facts.altitude == 70 && facts.odometer == 872_000)
    #expect(record.distance == 5 && record.trigger == 0x6B && facts.meaning == nil)
    // Our own encoder writes the same of a packet with these values, but for the distance since the last, which no packet knows.
    var fix = GNSSFix(time: .zero)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 30_365_854_000, longitudeE9: 7_575_769_000)
    (fix.heightAboveSeaLevel, fix.speed, fix.course) = (70, 4 / 3.6, 260 * .pi / 180)
    var packet = Packet(
      kind: .location, time: .zero, utc: UTCTime(microseconds: 1_412_056_746_000_000), phase: .riding, isArmed: false)
    packet.position = PacketPosition(fix)
    packet.distanceMetres = 872_000
    #expect(
      text(message(packet, as: OwnTracksCompactForm(), id: "X0")) == "X0,542A46AA,k,30365854,7575769,26,4,7,0,872")
  }

  // MARK: Queries

  private struct Query {
    var text: String
    var id: String
    var microseconds: Int64
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var knots: Double?
    var course: Double?
    var battery: Double?
  }

  private static let queries = [
    Query(
      text: "id=123456&timestamp=1377177267&lat=60.0&lon=30.0&speed=0.0&bearing=0.0&altitude=0&hdop=0.0", id: "123456",
      microseconds: 1_377_177_267_000_000, latitude: 60, longitude: 30, altitude: 0, knots: 0, course: 0),
    Query(
      text: "id=902064&lat=42.06288&lon=-88.23412&timestamp=1442068686579&hdop=6.0&altitude=224.0&speed=0.0",
      id: "902064",
      microseconds: 1_442_068_686_579_000, latitude: 42.06288, longitude: -88.23412, altitude: 224, knots: 0),
    Query(
      text: "id=902064&lat=42.06288&lon=-88.23412&timestamp=2016-01-27T18%3A55%3A47Z&hdop=6.0&altitude=224.0&speed=0.0",
      id: "902064", microseconds: 1_453_920_947_000_000, latitude: 42.06288, longitude: -88.23412, altitude: 224,
      knots: 0),
    Query(
      text: "id=861001000719969&lat=41.666667&lon=-0.883333&altitude=350.059479&speed=0.000000&batt=87",
      id: "861001000719969", microseconds: .min, latitude: 41.666667, longitude: -0.883333, altitude: 350.059479,
      knots: 0,
      battery: 87),
    Query(
      text: "id=123456&timestamp=1377177267&location=60.0,30.0", id: "123456", microseconds: 1_377_177_267_000_000,
      latitude: 60, longitude: 30),
    Query(
      text:
        "id=123456789012345&timestamp=1504763810&lat=40.7232948571&lon=-74.0061408571&bearing=7.19889788244&speed=40"
        + "&ignition=true&rpm=933&fuel=24", id: "123456789012345", microseconds: 1_504_763_810_000_000,
      latitude: 40.723294857, longitude: -74.006140857, knots: 40, course: 7.198897882),
    Query(
      text: "id=123456&timestamp=1377177267&cell=257,02,16,2224&cell=257,02,16,2223,-90&wifi=00-14-22-01-23-45,-80",
      id: "123456", microseconds: 1_377_177_267_000_000),
  ]

  @Test func queriesAreReadAndWrittenAgain() throws {
    for query in VectorsTests.queries {
      for form in ["/?" + query.text, query.text, "http://h:5055/?" + query.text, "GET /?\(query.text) HTTP/1.1"] {
        let message = try decoded(form)
        let facts = message.facts
        #expect(message.form == .osmAnd && facts.tracker == query.id, "\(form)")
        #expect(facts.time?.microseconds ?? .min == query.microseconds)
        #expect(facts.latitude == query.latitude && facts.longitude == query.longitude)
        #expect(facts.altitude == query.altitude && facts.course == query.course && facts.battery == query.battery)
        #expect((facts.speed == nil) == (query.knots == nil))
        #expect(abs((facts.speed ?? 0) - (query.knots ?? 0) * 1852 / 3600) < 1e-9)
      }
      #expect(QueryText(Array(query.text.utf8))?.text == query.text)
    }
    #expect(throws: DecodingFailure.self) { try decoded("/?timestamp=1377177267&lat=60.0&lon=30.0") }
  }

  @Test func whatTheReferenceParserWasSeenToDoIsDone() throws {
    let tow =
      "id=bike42&timestamp=1700000000&lat=48.85833&lon=2.29513&speed=9.719&bearing=271&altitude=35&accuracy=5&batt=67"
      + "&alarm=tow&motion=true&odometer=1234567&armed=true&sat=9&event=movement&seq=17"
    let facts = try decoded("/?" + tow).facts
    #expect(
      abs((facts.speed ?? 0) - 5) < 0.001 && facts.course == 271 && facts.meaning == .tow && facts.isMoving == true)
    #expect(facts.odometer == 1_234_567 && facts.battery == 67 && facts.accuracy == 5)
    // The packet with these values is written with the same names and values.
    let own = try decoded(text(message(full(), as: OsmAndForm(), id: "bike42")) ?? "")
    for name in ["id", "speed", "alarm", "motion", "odometer", "armed", "sat", "event", "batt"] {
      #expect(own.value(name) == (try decoded("/?" + tow)).value(name), "\(name)")
    }
    #expect(own.facts.course == 271 && own.facts.latitude == 48.85833 && own.facts.altitude == 35)
    let alarms = try decoded("id=bike42&timestamp=1700000000&lat=48.85833&lon=2.29513&alarm=vibration,tampering")
    #expect(alarms.facts.meaning == .vibration && alarms.value("alarm") == "vibration,tampering")
    let low = try decoded("/?id=bike42&timestamp=1700000000&alarm=lowBattery")
    #expect(low.facts.latitude == nil && low.value("alarm") == "lowBattery" && low.facts.meaning == .lowBattery)
    let exact = try decoded("/?id=bike42&timestamp=1700000000123&charge=1")
    #expect(exact.facts.time?.microseconds == 1_700_000_000_123_000)
    #expect(exact.fields.last?.meaning.contains("only the word true counts") == true)
  }

  // MARK: Traccar's JSON

  @Test func theSampleOfTraccarsJSONIsRead() throws {
    let sample = #"""
      {"device_id":"48241179","location":{"timestamp":"2025-06-15T13:45:12.862Z",
       "coords":{"latitude":37.4219983,"longitude":-122.084,"accuracy":5,"speed":0,"heading":-1,"altitude":5},
       "is_moving":false,"odometer":0,"event":"motionchange",
       "battery":{"level":1,"is_charging":false},"activity":{"type":"still"},"extras":{}}}
      """#
    let read = try decoded(sample)
    let facts = read.facts
    #expect(read.form == .traccar && facts.tracker == "48241179")
    #expect(facts.time == UTCTime(microseconds: 1_749_995_112_862_000))
    #expect(facts.latitude == 37.4219983 && facts.longitude == -122.084 && facts.accuracy == 5 && facts.altitude == 5)
    #expect(facts.speed == 0 && facts.course == nil && facts.battery == 100 && facts.isMoving == false)
    #expect(facts.odometer == 0 && read.value("location.activity.type") == "still")
    let tow = try decoded(text(message(full(), as: TraccarForm())) ?? "")
    #expect(tow.facts.speed == 5 && tow.facts.course == 271 && tow.facts.battery == 67 && tow.facts.meaning == .tow)
    #expect(tow.value("location.extras.armed") == "true" && tow.value("location.extras.sequence") == "17")
    let bare = try decoded(
      #"{"device_id":"a","location":{"timestamp":"2025-06-15T15:45:12+02:00","alarm":"tow"}}"#)
    #expect(bare.facts.latitude == nil && bare.facts.meaning == .tow)
    #expect(bare.facts.time == UTCTime(microseconds: 1_749_995_112_000_000))
    #expect(throws: DecodingFailure.self) { try decoded(#"{"location":{"timestamp":"2025-06-15T13:45:12Z"}}"#) }
  }

  // MARK: Messages of OwnTracks

  @Test func messagesOfOwnTracksAreReadByTheirTypes() throws {
    let tow = try decoded(
      #"{"_type":"location","tid":"BK","t":"!","lat":48.85833,"lon":2.29513,"tst":1.7e9,"vel":18,"batt":67,"#
        + #""motion":true,"odometer":1234.567,"rad":"50","new":{"a":[1,2]}}"#)
    #expect(tow.facts.speed == 5 && tow.facts.battery == 67 && tow.facts.isMoving == true)
    #expect(tow.facts.odometer == 1_234_567 && tow.facts.time == UTCTime(microseconds: 1_700_000_000_000_000))
    #expect(tow.facts.meaning == .movement && tow.value("new.a") == "[1,2]" && tow.value("rad") == "50")
    for (event, meaning) in [("enter", PacketMeaning.geofenceEnter), ("leave", .geofenceExit)] {
      let text = #"{"_type":"transition","wtst":1,"tst":2,"acc":5,"event":"\#(event)","lat":1,"lon":2,"desc":"x"}"#
      #expect(try decoded(text).facts.meaning == meaning)
    }
    #expect(try decoded(#"{"_type":"lwt","tst":17}"#).fields.last?.trap == .retainedWill)
    #expect(try decoded(#"{"_type":"cmd","action":"reportLocation"}"#).value("action") == "reportLocation")
    #expect(try decoded(#"{"_type":"something new","x":1}"#).type == "something new")
    #expect(try PacketDecoder().decode(Array(#"[{"_type":"card","tid":"A"},{"_type":"cmd"}]"#.utf8)).count == 2)
    #expect(try PacketDecoder().decode(Array("[]".utf8)).isEmpty)
  }
}

import Foundation
import InlineStorage
@testable import OwnTracks
import PacketForms
import Quantities
import SecretBox
import Telemetry
import Testing

/// Messages of OwnTracks, read back by a reader that is not ours.
@Suite struct OwnTracksTests {
  private func object(_ bytes: [UInt8]?) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes ?? [])) as? [String: Any])
  }

  private func head(_ packet: Packet, part: Int = 0) -> MessageHead? {
    var bytes = GrowingSink()
    return packet.encode(part: part, as: OwnTracksForm(), trackerID: Array("bike-42".utf8).span, into: &bytes)
  }

  private func transition(entered: Bool = true, name: String = "garden") -> Packet {
    var packet = full(.transition)
    packet.alert = nil
    packet.rule = PacketRule(.fence, 3, name: Array(name.utf8).span, isEntry: entered, ago: .seconds(20))
    return packet
  }

  /// A part of a topic would be another one.
  @Test func aTopicThatIsTooLongIsNotSaid() throws {
    for (count, isSaid) in [(1, true), (128, true), (129, false), (0, false)] {
      let topic = [UInt8](repeating: 0x61, count: count)
      let told = try object(message(full(), as: OwnTracksTopicForm(topic: topic.span)))
      #expect(told["topic"] as? String == (isSaid ? String(decoding: topic, as: UTF8.self) : nil), "\(count)")
      #expect(told["_id"] as? String == "3-17")
      let event = try object(message(transition(name: "garden"), as: OwnTracksTopicForm(topic: topic.span)))
      #expect(
        event["topic"] as? String == (isSaid ? String(decoding: topic, as: UTF8.self) + "/event" : nil), "\(count)")
    }
  }

  @Test func aLocationHasAllThatIsKnown() throws {
    let owned = try object(message(full(), as: OwnTracksForm()))
    let expected: [String: Any] = [
      "_type": "location", "tid": "42", "lat": 48.85833, "lon": 2.29513, "acc": 5, "tst": 1_700_000_000, "alt": 35,
      "vel": 18, "cog": 271, "t": "!", "motion": true, "batt": 67, "ubatt": 3.95, "bs": 1, "near": false, "mcc": 262,
      "mnc": 1, "lac": "10A0", "cid": "1234567", "odometer": 1234.567, "armed": true, "tow": true, "alert": 9,
      "detector": "speed", "topic": "owntracks/leash/bike-42", "_id": "3-17", "inrids": ["1", "3"],
    ]
    #expect(NSDictionary(dictionary: owned) == NSDictionary(dictionary: expected))
  }

  @Test func aTransitionGoesFirstToItsOwnTopicAndIsNotKept() throws {
    for entered in [true, false] {
      let packet = transition(entered: entered)
      let told = try object(message(packet, as: OwnTracksForm()))
      #expect(told["_type"] as? String == "transition" && told["event"] as? String == (entered ? "enter" : "leave"))
      #expect(told["tst"] as? Int == 1_699_999_980 && told["desc"] as? String == "garden")
      #expect(told["rid"] as? String == "3" && told["wtst"] as? Int == 3 && told["acc"] as? Int == 5)
      #expect(told["lat"] as? Double == 48.85833 && told["tid"] as? String == "42")
      #expect(head(packet) == MessageHead(isLast: false, topic: .event))
      #expect(head(packet)?.mayBeRetained == false && head(packet, part: 1)?.mayBeRetained == true)
      let location = try object(message(packet, as: OwnTracksForm(), part: 1))
      #expect(location["_type"] as? String == "location" && location["t"] as? String == "c")
      #expect(head(packet, part: 1) == MessageHead() && head(packet, part: 2) == nil)
    }
  }

  @Test func aFenceWithoutANameIsCalledByItsNumber() throws {
    #expect(try object(message(transition(name: ""), as: OwnTracksForm()))["desc"] as? String == "fence 3")
  }

  @Test func withoutTimeOrPlaceThereIsNoTransition() throws {
    var packet = transition()
    packet.utc = nil
    #expect(try object(message(packet, as: OwnTracksForm()))["_type"] as? String == "location")
    #expect(head(packet) == MessageHead())
    packet = transition()
    packet.position = nil
    #expect(message(packet, as: OwnTracksForm()) == nil)
  }

  @Test func aStatusWithoutAPlaceIsToldAsOne() throws {
    var packet = full(.status)
    packet.position = nil
    packet.alert = nil
    packet.status = PacketStatus(reason: .info, alertsEnabled: true, request: 7)
    packet.value = PacketText(Array("2 refused".utf8).span)
    #expect(head(packet) == MessageHead(topic: .status))
    let told = try object(message(packet, as: OwnTracksForm()))
    #expect(told["_type"] as? String == "status" && told["tst"] as? Int == 1_700_000_000)
    let own = try #require(told["leash"] as? [String: Any])
    #expect(own["reason"] as? String == "info" && own["request"] as? Int == 7 && own["value"] as? String == "2 refused")
    #expect(own["batt"] as? Int == 67 && own["armed"] as? Bool == true)
    // An alert is told so, too: there is no place, and so no `location`.
    var alert = full(.movement)
    alert.position = nil
    #expect(head(alert) == MessageHead(topic: .status))
    let alarm = try #require(object(message(alert, as: OwnTracksForm()))["leash"] as? [String: Any])
    #expect(alarm["alert"] as? UInt32 == alert.alert?.id && alarm["detector"] is String)
    packet.kind = .parking
    #expect(message(packet, as: OwnTracksForm()) == nil)
  }

  @Test func aCheckpointIsAPointOfInterest() throws {
    var packet = full(.status)
    packet.status = PacketStatus(reason: .checkpoint, alertsEnabled: true)
    packet.value = PacketText(Array("the \"bridge\"".utf8).span)
    let told = try object(message(packet, as: OwnTracksForm()))
    #expect(told["_type"] as? String == "location" && told["poi"] as? String == "the \"bridge\"")
    packet.value = nil
    #expect(try object(message(packet, as: OwnTracksForm()))["poi"] == nil)
    packet.status = PacketStatus(reason: .setting, alertsEnabled: true)
    packet.value = PacketText(Array("5".utf8).span)
    #expect(try object(message(packet, as: OwnTracksForm()))["poi"] == nil)
  }

  @Test func whatIsNoPacketReadsAsDocumented() throws {
    let name = Array("bike-42".utf8)
    let noon = UTCTime(microseconds: 1_700_000_000_999_999)
    var sink = GrowingSink()
    OwnTracksMessages.encodeWill(connectedAt: noon, into: &sink)
    #expect(text(sink.take()) == #"{"_type":"lwt","tst":1700000000}"#)
    OwnTracksMessages.encodeCard(trackerID: name.span, into: &sink)
    #expect(text(sink.take()) == #"{"_type":"card","tid":"42","name":"bike-42"}"#)
    OwnTracksMessages.encodeSteps(nil, from: noon, to: noon, at: noon, into: &sink)
    #expect(
      text(sink.take()) == #"{"_type":"steps","tst":1700000000,"steps":-1,"from":1700000000,"to":1700000000}"#)
    OwnTracksMessages.encodeWaypoint(
      AnsweredFence(number: 3, middle: (-338_688_200, 1_512_092_901), radius: 50, name: InlineBytes("gar\"den")),
      into: &sink)
    #expect(
      text(sink.take()) == #"{"_type":"waypoint","desc":"gar\"den","tst":3,"#
        + #""lat":-33.8688200,"lon":151.2092901,"rad":50,"rid":"3"}"#)
    OwnTracksMessages.openDump(trackerID: name.span, interval: .seconds(60), distance: 250, into: &sink)
    sink.append(0x7D)
    let dump = try object(sink.take())
    let settings = try #require(dump["configuration"] as? [String: Any])
    #expect(dump["_type"] as? String == "dump" && settings["_type"] as? String == "configuration")
    #expect(settings["locatorInterval"] as? Int == 60 && settings["locatorDisplacement"] as? Int == 250)
  }

  @Test func commandsAreRequestsInTheWordsOfTheTracker() {
    for (action, request) in [
      ("reportLocation", "status"), ("status", "status"), ("dump", "status settings"),
      ("reportSteps", "status steps"), ("waypoints", "status fences"), ("clearWaypoints", "fence clear"),
    ] {
      #expect(requests(in: #"{"_type":"cmd","action":"\#(action)"}"#, as: OwnTracksForm()) == [request])
    }
    for text in [
      #"{"action":"dump"}"#, "[]", "", "[[]]", #"{"_type":"location","lat":1}"#, #"{"_type":"cmd","action":"dump""#,
      #"{"_type":"request","action":"dump"}"#,
    ] { #expect(requests(in: text, as: OwnTracksForm()) == [], "\(text)") }
    #expect(requests(in: "#17 locate", as: OwnTracksForm()) == ["#17 locate"], "who knows them may use them")
  }

  @Test func stepsAreAskedForBetweenTwoTimes() {
    for (members, request) in [
      (#","from":1700000000,"to":1700086400"#, "status steps 1700000000 1700086400"),
      (#","from":"1700000000","to":1700000000"#, "status steps 1700000000 1700000000"),
      (#","from":0,"to":99999999"#, "status steps 0 99999999"), (#","from":0,"to":100000000"#, "cmd reportSteps"),
      (#","from":5,"to":4"#, "cmd reportSteps"), (#","from":5"#, "cmd reportSteps"), (#","to":5"#, "cmd reportSteps"),
      (#","from":-1,"to":5"#, "cmd reportSteps"), (#","from":4294967295,"to":4294967296"#, "cmd reportSteps"),
      (#","from":null,"to":null"#, "cmd reportSteps"),
    ] {
      #expect(requests(in: #"{"_type":"cmd","action":"reportSteps"\#(members)}"#, as: OwnTracksForm()) == [request])
    }
  }

  @Test func whatCantBeDoneIsHandedOnToBeRefused() {
    for (members, request) in [
      (#""action":"action","url":"x""#, "cmd action"), (#""x":1"#, "cmd"), (#""action":7"#, "cmd "),
      (#""action":"re\u000astart \"now\"""#, "cmd re_start__now_"),
      (#""action":"abcdefghijklmnopqrstuvwxyz""#, "cmd abcdefghijklmnopqrstuvwx"),
      (#""action":"setConfiguration""#, "cmd setConfiguration"),
      (#""action":"setConfiguration","configuration":{"monitoring":2}"#, "cmd setConfiguration"),
      (#""action":"setWaypoints""#, "cmd setWaypoints"),
      (#""action":"setWaypoints","waypoints":{"waypoints":{}}"#, "cmd setWaypoints"),
      (#""action":"setWaypoints","waypoints":{"waypoints":[{"desc":"beacon"}]}"#, "cmd setWaypoints"),
    ] { #expect(requests(in: #"{"_type":"cmd",\#(members)}"#, as: OwnTracksForm()) == [request], "\(members)") }
    // In an array it neither hides what stands behind it nor comes twice.
    #expect(
      requests(
        in:
          #"[{"_type":"cmd","action":"setWaypoints"},{"_type":"cmd","action":"x"},{"_type":"cmd","action":"status"}]"#,
        as: OwnTracksForm()) == ["cmd setWaypoints", "cmd x", "status"])
    // The short form has locations only.
    for action in ["dump", "waypoints", "reportSteps"] {
      let text = #"{"_type":"cmd","action":"\#(action)"}"#
      #expect(requests(in: text, as: OwnTracksCompactForm()) == ["cmd \(action)"])
      #expect(requests(in: text, as: PacketFormat.ownTracksCompact) == ["cmd \(action)"])
    }
  }

  /// A tracker with two fences and a row between that is empty.
  private struct Garden: AnswerSource {
    var hasLongName = false
    var answeredInterval: Interval { .seconds(30) }
    var answeredDistance: UInt32 { 120 }
    var answeredFenceRows: Int { 4 }
    func answeredFence(in row: Int) -> AnsweredFence? {
      switch row {
      case 0:
        AnsweredFence(number: 7, middle: (-338_688_000, 1_512_093_000), radius: 50, name: InlineBytes("garden"))
      case 2: AnsweredFence(number: 9, name: InlineBytes("way"))
      case 3 where hasLongName: AnsweredFence(number: 11, name: InlineBytes("Großmutters langer Garten"))
      default: nil
      }
    }
  }

  private func answer(
    _ reason: StatusReason, value: String = "", as form: some PacketForm = OwnTracksForm(), part: Int = 0,
    change: (inout Packet) -> Void = { _ in }
  ) -> (head: MessageHead?, text: String?) {
    var packet = full(.status)
    packet.alert = nil
    packet.status = PacketStatus(reason: reason, alertsEnabled: true)
    if !value.isEmpty { packet.value = PacketText(Array(value.utf8).span) }
    change(&packet)
    var bytes = GrowingSink()
    let head = form.encode(packet, part: part, trackerID: Array("bike-42".utf8).span, of: Garden(), into: &bytes)
    return (head, text(bytes.take()))
  }

  @Test func settingsFencesAndStepsAreAnsweredOnTopicsOfTheirOwn() throws {
    let end = #","topic":"owntracks/leash/bike-42","_id":"3-17"}"#
    for form in [PacketFormat.ownTracks] {
      let dump = answer(.settings, value: "30 s 120 m", as: form)
      #expect(dump.head == MessageHead(topic: .dump))
      #expect(
        dump.text == #"{"_type":"dump","configuration":{"_type":"configuration","deviceId":"bike-42","tid":"42","#
          + #""locatorInterval":30,"locatorDisplacement":120,"extendedData":true,"cmd":true}"# + end)
      let fences = answer(.fences, value: "7 9*", as: form)
      #expect(fences.head == MessageHead(topic: .waypoints))
      #expect(
        fences.text == #"{"_type":"waypoints","_creator":"bike-42","waypoints":[{"_type":"waypoint","desc":"garden","#
          + #""tst":7,"lat":-33.8688000,"lon":151.2093000,"rad":50,"rid":"7"},"#
          + #"{"_type":"waypoint","desc":"way","tst":9,"rid":"9"}]"# + end)
      // Where positions are withheld, those of fences are, too.
      #expect(
        answer(.fences, as: form) { $0.withholdPosition() }.text
          == #"{"_type":"waypoints","_creator":"bike-42","waypoints":[{"_type":"waypoint","desc":"garden","tst":7,"#
          + #""rid":"7"},{"_type":"waypoint","desc":"way","tst":9,"rid":"9"}]"# + end)
      let steps = answer(.steps, value: "1699000000+86400", as: form)
      #expect(steps.head == MessageHead(topic: .step))
      #expect(
        steps.text == #"{"_type":"steps","tst":1700000000,"steps":-1,"from":1699000000,"to":1699086400"# + end)
      #expect(
        answer(.steps, as: form).text
          == #"{"_type":"steps","tst":1700000000,"steps":4321,"from":1699920000,"to":1700000000"# + end)
      #expect(
        answer(.steps, as: form) { $0.readings[.steps] = nil }.text
          == #"{"_type":"steps","tst":1700000000,"steps":-1,"from":1699920000,"to":1700000000"# + end)
      for reason in [StatusReason.settings, .fences, .steps] {
        #expect(answer(reason, as: form, part: 1).head == nil)
        #expect(answer(reason, as: form).head?.mayBeRetained == false)
      }
    }
    // Nobody knows which steps are meant before the time is known.
    let early = answer(.steps) { $0.utc = nil }
    #expect(early.head == MessageHead() && early.text?.contains(#""reason":"steps""#) == true)
    // Another form tells the packet alone.
    #expect(answer(.fences, value: "7 9*", as: PacketFormat.json).text?.contains(#""value":"7 9*""#) == true)
  }

  /// Whoever acknowledges packets by their number, as over TCP, finds it in every message, or a packet would be sent for ever.
  @Test func everyMessageHasItsNumberAndItsTopic() throws {
    let topic = Array("owntracks/me/bike".utf8)
    for reason in StatusReason.allCases {
      for hasPosition in [true, false] {
        for part in 0..<2 {
          let told = answer(reason, as: OwnTracksTopicForm(topic: topic.span), part: part) {
            if !hasPosition { $0.position = nil }
          }
          guard let head = told.head else { continue }
          let message = try object(Array((told.text ?? "").utf8))
          #expect(message["_id"] as? String == "3-17", "\(reason)")
          #expect(message["topic"] as? String == "owntracks/me/bike\(head.topic.suffix)", "\(reason)")
        }
      }
    }
  }

  /// The apps and Home Assistant know a region by its name, and take it from the waypoint.
  @Test func aTransitionHasTheWholeNameOfItsWaypoint() throws {
    func desc(_ number: UInt8, _ name: String) throws -> String? {
      var packet = transition(name: name)
      packet.rule?.number = number
      var bytes = GrowingSink()
      let head = PacketFormat.ownTracks.encode(
        packet, part: 0, trackerID: Array("bike-42".utf8).span, of: Garden(hasLongName: true), into: &bytes)
      #expect(head == MessageHead(isLast: false, topic: .event))
      return try object(bytes.take())["desc"] as? String
    }
    let whole = "Großmutters langer Garten"
    #expect(try desc(11, whole) == whole)
    // It is gone by now, or another has its number.
    #expect(try desc(12, "Großmutters langer Garten") == "Großmutters langer")
    #expect(try desc(11, "Großvaters Hof") == "Großvaters Hof")
    #expect(try desc(7, "garden") == "garden")
  }

  /// A recorder shows the message with the latest `tst`, and an alert is news though its position is not.
  @Test func anAlertWithAnOldPositionHasTheTimeOfTheAlertAndTheAgeOfThePosition() throws {
    for kind in PacketKind.allCases {
      for (age, isOld) in [(999, false), (1000, true), (600_640, true)] {
        var packet = full(kind)
        packet.position?.fixTime = packet.time - .milliseconds(age)
        let told = try object(message(packet, as: OwnTracksForm()))
        guard told["_type"] as? String == "location" else { continue }
        let isAlert = kind == .movement || kind == .fence
        let time = 1_700_000_000_000 - (isOld && isAlert ? 0 : age)
        #expect(told["tst"] as? Int == time / 1000, "\(kind) \(age)")
        #expect(told["fixAge"] as? Double == (isOld && isAlert ? Double(age / 100) / 10 : nil), "\(kind) \(age)")
        #expect(told["created_at"] as? Int == (isOld && !isAlert ? 1_700_000_000 : nil), "\(kind) \(age)")
      }
    }
    var packet = full()
    packet.position?.fixTime = packet.time - .seconds(600)
    #expect(text(message(packet, as: OwnTracksCompactForm()))?.hasPrefix("42,6553F100,!,") == true)
  }

  @Test func aStatusThatWasAskedForIsOneAndALocation() throws {
    let first = answer(.asked)
    #expect(first.head == MessageHead(isLast: false, topic: .status))
    #expect(try object(Array((first.text ?? "").utf8))["_type"] as? String == "status")
    let second = answer(.asked, part: 1)
    #expect(second.head == MessageHead() && answer(.asked, part: 2).head == nil)
    let location = try object(Array((second.text ?? "").utf8))
    #expect(location["_type"] as? String == "location" && location["t"] as? String == "r")
    #expect(answer(.asked) { $0.position = nil }.head == MessageHead(topic: .status))
    #expect(answer(.asked, part: 1) { $0.position = nil }.head == nil)
  }

  @Test func anAnswerMayHoldSeveralCommandsAmongOtherThings() {
    let answer = #"""
      [ {"_type":"card","tid":"XX"}, {"_type":"cmd","action":"reportLocation"},
        {"_type":"location","lat":1.5,"lon":2},{"_type":"cmd","action":"setConfiguration",
         "configuration":{"_type":"configuration","locatorInterval":30,"locatorDisplacement":"1e2","encryptionKey":"x"}} ,
        {"_type":"cmd","action":"status"}]
      """#
    #expect(
      requests(in: answer, as: OwnTracksForm())
        == ["status", "set reports.ridingInterval 30 reports.distance 100", "status"])
  }

  @Test func waypointsAreFences() {
    let command = #"""
      {"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[
        {"_type":"waypoint","desc":"Gar\u0074en \"x\"","tst":1700000000,"lat":-33.8688,"lon":151.2093,"rad":"50","rid":"7"},
        {"desc":"no place","tst":1},
        {"desc":"r\u00e4d","tst":9,"lat":1e0,"lon":-2.5E-1,"rad":80},
        {"desc":"home","tst":1700000001,"lat":90,"lon":-180,"rad":80,"rid":"6da9cf"},
        {"desc":"home","tst":256,"lat":1,"lon":2,"rad":80,"rid":"0"},
        {"desc":"gone","tst":1700000001,"lat":1000000,"lon":0,"rad":80},
        {"desc":"gone","tst":3,"lat":0,"lon":180.0000001,"rad":80,"rid":"3"}]}}
      """#
    // No number is made up: it would be that of another fence of the owner's.
    #expect(
      requests(in: command, as: OwnTracksForm()) == [
        #"fence 7 set "Garten  x " circle -33.8688000,151.2093000 50"#, "cmd setWaypoints",
        #"fence 9 set "räd" circle 1.0000000,-0.2500000 80"#,
        #"fence set "home" circle 90.0000000,-180.0000000 80"#, #"fence set "home" circle 1.0000000,2.0000000 80"#,
        "cmd setWaypoints", "cmd setWaypoints",
      ])
  }

  @Test func aSealedMessageIsTheOuterObjectAndOpensAgain() throws {
    let nonce = (0..<24).map { UInt8($0) }
    let plain = try #require(message(full(), as: OwnTracksForm()))
    let outer = try #require(sealed(plain, nonce, "mysecreTpass01"))
    #expect(try object(outer)["_type"] as? String == "encrypted" && isSealed(outer) && !isSealed(plain))
    #expect(opened(outer, "mysecreTpass01") == plain)
    #expect(opened(outer, "mysecreTpass02") == nil && opened(plain, "mysecreTpass01") == nil)
    #expect(sealed(plain, Array(nonce[..<23]), "mysecreTpass01") == nil)
  }

  @Test func theCompactFormIsTenFields() {
    var packet = full()
    packet.kind = .location
    #expect(text(message(packet, as: OwnTracksCompactForm())) == "42,6553F100,k,48858330,2295130,27,18,4,0,1234")
    packet.kind = .parking
    packet.position?.courseCentidegrees = 35_960
    packet.position?.altitudeDecimetres = -156
    packet.position?.latitudeE7 = -15
    #expect(text(message(packet, as: OwnTracksCompactForm(), id: "a,b")) == "_b,6553F100,a,-2,2295130,0,18,-2,0,1234")
    packet.position?.speedCentimetres = nil
    packet.utc = nil
    #expect(message(packet, as: OwnTracksCompactForm()) == nil)
    packet = full()
    packet.position = nil
    #expect(message(packet, as: OwnTracksCompactForm()) == nil)
  }
}

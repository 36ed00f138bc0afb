import Foundation
import OwnTracks
import PacketDecoding
import PacketForms
import Quantities
import Telemetry
import Testing
import Traccar

/// What others have got wrong about these forms, by the numbers of the wire facts; those of Codec 8 (4, 11 in part) come with it, 5 and 6
/// are tests of the outbox and the dispatcher.
@Suite struct FormTrapTests {
  private func object(_ packet: Packet, _ form: some PacketForm = OwnTracksForm(), part: Int = 0) throws -> [String:
    Any]
  {
    let bytes = try #require(message(packet, as: form, part: part))
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func query(_ packet: Packet) throws -> QueryText {
    try #require(QueryText(message(packet, as: OsmAndForm()) ?? []))
  }

  @Test func trap1EachFormHasItsUnitOfSpeed() throws {
    var packet = full()
    packet.position?.speedCentimetres = 1000
    #expect(try object(packet)["vel"] as? Int == 36)
    #expect(try query(packet).value("speed") == "19.438")
    let location = try object(packet, TraccarForm())["location"] as? [String: Any]
    #expect((location?["coords"] as? [String: Any])?["speed"] as? Double == 10)
    #expect(text(message(packet, as: OwnTracksCompactForm()))?.split(separator: ",")[6] == "36")
    #expect(text(message(packet, as: JSONForm()))?.contains(#""speed":10.00"#) == true)
    for form in PacketFormat.allCases where form != .minimal && form != .text {
      let facts = try PacketDecoder().decode(try #require(message(packet, as: form)))[0].facts
      #expect(abs((facts.speed ?? 0) - 10) < 0.001, "\(form.name)")
    }
  }

  @Test func trap2EachFormHasItsUnitOfTime() throws {
    let packet = full()
    #expect(try object(packet)["tst"] as? Int == 1_700_000_000)
    #expect(try query(packet).value("timestamp") == "1700000000000")
    #expect(text(message(packet, as: OwnTracksCompactForm()))?.split(separator: ",")[1] == "6553F100")
    for form in PacketFormat.allCases where form != .minimal && form != .text {
      let facts = try PacketDecoder().decode(try #require(message(packet, as: form)))[0].facts
      #expect(facts.time == UTCTime(microseconds: 1_700_000_000_000_000), "\(form.name)")
    }
  }

  @Test func trap3LatitudeComesFirst() throws {
    for form in [PacketFormat.json, .minimal, .ownTracks, .osmAnd, .traccar, .ownTracksCompact] {
      let bytes = try #require(text(message(full(), as: form)))
      let digits = form == .ownTracksCompact ? ("48858330", "2295130") : ("48.8583300", "2.2951300")
      let (latitude, longitude) = (bytes.firstRange(of: digits.0), bytes.firstRange(of: digits.1))
      #expect((latitude?.lowerBound).flatMap { at in longitude.map { at < $0.lowerBound } } == true, "\(form.name)")
    }
  }

  @Test func trap7TwoPositionsOfAPacketAreNever() throws {
    var packet = full(.transition)
    packet.alert = nil
    packet.rule = PacketRule(.fence, 3, name: Array("garden".utf8).span, isEntry: true, ago: .seconds(20))
    let (transition, location) = (try object(packet), try object(packet, part: 1))
    #expect(transition["lat"] as? Double == location["lat"] as? Double)
    #expect(transition["tst"] as? Int == 1_699_999_980 && location["tst"] as? Int == 1_700_000_000)
  }

  /// Forms with finer times have the next thousandth.
  @Test func trap7OfPositionsOfASecondEachHasTheNext() throws {
    var packet = full()
    for added in 1...6 {
      packet.position?.addedSeconds = UInt8(added)
      #expect(try object(packet)["tst"] as? Int == 1_700_000_000 + added)
      #expect(text(message(packet, as: OwnTracksCompactForm()))?.split(separator: ",")[1] == "6553F10\(added)")
    }
    #expect(try query(packet).value("timestamp") == "1700000000006")
    #expect(text(message(packet, as: TraccarForm()))?.contains(#""timestamp":"2023-11-14T22:13:20.006Z""#) == true)
    #expect(message(packet, as: JSONForm()) == message(full(), as: JSONForm()))
    // Where all of these are of others the position is left out.
    packet.position?.addedSeconds = PacketPosition.noSecond
    #expect(try object(packet)["_type"] as? String == "status" && object(packet)["lat"] == nil)
    #expect(message(packet, as: OwnTracksCompactForm()) == nil)
    #expect(try query(packet).value("lat") == nil)
    #expect(text(message(packet, as: TraccarForm()))?.contains("coords") == false)
    #expect(message(packet, as: JSONForm()) == message(full(), as: JSONForm()))
  }

  /// Traccar notifies nobody of an event that is a quarter of an hour old.
  @Test func formsWithOneTimeTellOfAnOldPositionWhenThePacketWasMade() throws {
    let seen = UTCTime(microseconds: 1_700_000_000_000_000 - 1_200_640_000)
    for (kind, isMarked) in [(PacketKind.movement, false), (.fence, false), (.status, true), (.parking, true)] {
      var packet = full(kind)
      packet.position?.fixTime = packet.time - .milliseconds(1_200_640)
      packet.isToldWhenMade = isMarked
      let told = try query(packet)
      #expect(told.value("timestamp") == "1700000000000" && told.value("fixAge") == "1200.6", "\(kind.name)")
      let location = try #require(try object(packet, TraccarForm())["location"] as? [String: Any])
      #expect(location["timestamp"] as? String == "2023-11-14T22:13:20.000Z", "\(kind.name)")
      #expect((location["extras"] as? [String: Any])?["fixAge"] as? Double == 1200.6, "\(kind.name)")
      if kind != .status { #expect(try object(packet)["tst"] as? Int == 1_700_000_000) }
      for form in [PacketFormat.osmAnd, .traccar] {
        let facts = try PacketDecoder().decode(message(packet, as: form) ?? [])[0].facts
        #expect((facts.time.map { $0.microseconds - seen.microseconds })?.magnitude ?? .max <= 50_000, "\(form.name)")
      }
    }
    // A point of a path is where it was then.
    var point = full(.location)
    point.position?.fixTime = point.time - .seconds(1200)
    #expect(try query(point).value("timestamp") == "1699998800000")
    #expect(try query(point).value("fixAge") == nil)
  }

  @Test func trap8NothingButPositionsAndWhoItIsMayBeKept() {
    for topic in MessageTopic.allCases {
      #expect(MessageHead(topic: topic).mayBeRetained == [.base, .info].contains(topic))
    }
    #expect(OwnTracksForm().needs.contains(.will) && !JSONForm().needs.contains(.will))
  }

  @Test func trap9NumbersArePlainAndAreLeftOutWhereThereIsNone() throws {
    var packet = full()
    packet.alert?.evidence.ratio = .infinity
    packet.position?.latitudeE7 = -1
    packet.position?.longitudeE7 = 1
    packet.distanceMetres = .max
    for form in PacketFormat.allCases {
      let bytes = try #require(text(message(packet, as: form)))
      #expect(!bytes.localizedCaseInsensitiveContains("nan") && !bytes.localizedCaseInsensitiveContains("inf\""))
      #expect(bytes.firstMatch(of: /[0-9]e[-+0-9]/) == nil, "\(form.name): \(bytes)")
    }
    #expect(text(message(packet, as: MinimalForm()))?.contains("-0.0000001") == true)
    for text in ["{\"_type\":\"location\",\"lat\":NaN}", "{\"_type\":\"location\",\"lat\":Infinity}", "{\"_type\":01}"]
    {
      #expect(throws: DecodingFailure.self) { try PacketDecoder().decode(Array(text.utf8)) }
    }
  }

  @Test func trap10PlacesHaveSevenDecimals() throws {
    let packet = full()
    for form in [PacketFormat.json, .minimal, .ownTracks, .osmAnd, .traccar] {
      #expect(text(message(packet, as: form))?.contains("48.8583300") == true, "\(form.name)")
    }
  }

  @Test func trap11SouthWestAndBelowTheSea() throws {
    var packet = full()
    packet.position?.latitudeE7 = -338_688_000
    packet.position?.longitudeE7 = -706_483_000
    packet.position?.altitudeDecimetres = -50
    for form in PacketFormat.allCases {
      let facts = try PacketDecoder().decode(try #require(message(packet, as: form)))[0].facts
      #expect(facts.latitude == -33.8688 && facts.longitude == -70.6483, "\(form.name)")
      if let altitude = facts.altitude { #expect(abs(altitude + 5) <= 5 && altitude <= 0, "\(form.name)") }
    }
  }

  @Test func trap12AnAccuracyIsAlwaysTold() throws {
    var packet = full()
    for (decimetres, metres) in [(nil, 100), (1, 1), (4, 1), (15, 2), (.max, 429_496_730)] as [(UInt32?, Int)] {
      packet.position?.accuracyDecimetres = decimetres
      #expect(try object(packet)["acc"] as? Int == metres)
      packet.kind = .transition
      packet.rule = PacketRule(.fence, 3, name: [0x61].span)
      #expect(try object(packet)["acc"] as? Int == metres, "a leave without one has no place")
      (packet.kind, packet.rule) = (.movement, nil)
    }
  }

  @Test func trap13ARegionHasTheSameNameWhenItIsLeft() throws {
    var packet = full(.transition)
    packet.alert = nil
    for name in ["garden", "", "Grüße", "a\"b"] {
      packet.rule = PacketRule(.fence, 3, name: Array(name.utf8).span, isEntry: true)
      let enter = try object(packet)["desc"] as? String
      packet.rule?.isEntry = false
      #expect(try object(packet)["desc"] as? String == enter && enter == (name.isEmpty ? "fence 3" : name))
    }
    #expect(OwnTracksForm().encodesTransitions(in: packet))
  }

  @Test func theLabelOfAnAlarmIsNoAlarmOfTraccar() throws {
    for label in ["sos", "lowBattery", "Feed her"] {
      var packet = full(.status)
      packet.alert = nil
      packet.status = PacketStatus(reason: .alarmRang, alertsEnabled: true)
      packet.rule = PacketRule(.alarm, 3, name: Array(label.utf8).span)
      for (form, name) in [(PacketFormat.osmAnd, "alarmLabel"), (.traccar, "location.extras.alarmLabel")] {
        let decoded = try PacketDecoder().decode(try #require(message(packet, as: form)))[0]
        #expect(decoded.facts.meaning == nil && decoded.alarms.isEmpty, "\(label)")
        let told = decoded.fields.first { $0.name == name }
        #expect(told?.value == label && told?.meaning == "label of the alarm", "\(label), \(name)")
        #expect(!decoded.fields.contains { ["alarm", "location.alarm", "location.extras.alarm"].contains($0.name) })
      }
    }
  }

  @Test func trap14TheWebhookHasWhatItAsksFor() throws {
    let query = try query(full())
    for name in ["id", "lat", "lon", "timestamp"] { #expect(query.value(name) != nil) }
    #expect(query.value("timestamp").flatMap { Int64($0) } != nil, "whole")
  }

  @Test func anAnswerOfHexPairsIsNoRequestOfOurs() {
    // Traccar sends a command of hex pairs ("feed") as bytes: none of our words may be one.
    for word in ["locate", "status", "found", "ping", "info", "arm", "disarm", "hush", "near", "away", "dismiss 3"] {
      let isHex = word.utf8.count % 2 == 0 && word.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      #expect(!isHex, "\(word)")
    }
    #expect(requests(in: "locate", as: OsmAndForm()) == ["locate"])
    #expect(requests(in: "locate", as: TraccarForm()) == [], "no command comes back on this form")
  }
}

extension OwnTracksForm {
  /// True when the first message of a packet goes to the topic of events.
  fileprivate func encodesTransitions(in packet: Packet) -> Bool {
    var sink = GrowingSink()
    return encode(packet, part: 0, trackerID: [0x61].span, into: &sink)?.topic == .event
  }
}

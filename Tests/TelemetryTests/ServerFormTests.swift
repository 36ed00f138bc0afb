import Foundation
import InlineStorage
import PacketForms
import Quantities
import Telemetry
import Testing

/// The forms of other servers, read back by readers that are not ours.
@Suite struct ServerFormTests {
  /// 2026-11-21T08:15:30.250Z
  private static let morning = UTCTime(microseconds: 1_795_248_930_250_000)

  private func text(_ packet: Packet, as format: PacketFormat, id: String = "bike-42") -> String? {
    var bytes = InlineBytes<1024>()
    let head = packet.encode(part: 0, as: format, trackerID: Array(id.utf8).span, into: &bytes)
    #expect(!bytes.isTruncated && (head == nil) == bytes.isEmpty)
    return head == nil ? nil : String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
  }

  private func object(_ text: String?) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [String: Any])
  }

  /// The fields of a form, as a URL's reader takes them apart.
  private func fields(_ text: String?) throws -> [String: String] {
    var parts = URLComponents()
    parts.percentEncodedQuery = try #require(text).replacing("+", with: "%20")
    var fields: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      #expect(fields.updateValue(item.value ?? "", forKey: item.name) == nil, "\(item.name) stands twice")
    }
    return fields
  }

  /// South of the equator, west of Greenwich and below the sea, two and a half seconds old.
  private func packet(_ kind: PacketKind = .location, phase: MotionPhase = .riding) -> Packet {
    var fix = GNSSFix(time: .milliseconds(97_750))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: -33_868_820_012, longitudeE9: -151_209_290_077)
    fix.heightAboveSeaLevel = -3.46
    fix.speed = 5
    fix.course = 6.2831
    fix.horizontalAccuracy = 4.46
    var packet = Packet(
      kind: kind, time: .milliseconds(100_250), utc: ServerFormTests.morning, phase: phase, isArmed: false)
    packet.sequence = 17
    packet.boot = 3
    packet.position = PacketPosition(fix)
    packet.distanceMetres = 1_234_567
    return packet
  }

  private func alert(_ detector: MovementDetector) -> Packet {
    var packet = packet(.movement, phase: .alarmed)
    packet.isArmed = true
    packet.alert = PacketAlert(
      id: 9,
      evidence: MovementEvidence(detector: detector, ratio: 2, onset: .seconds(99), duration: .seconds(1)))
    return packet
  }

  @Test func theFormsAreByteExact() {
    #expect(
      text(packet(), as: .ownTracks)
        == #"{"_type":"location","tid":"42","lat":-33.8688200,"lon":-151.2092901,"acc":5,"tst":1795248927,"#
        + #""created_at":1795248930,"alt":-4,"vel":18,"cog":0,"motion":true,"odometer":1234.567,"armed":false,"#
        + #""topic":"owntracks/leash/bike-42","_id":"3-17"}"#)
    #expect(
      text(packet(), as: .osmAnd)
        == "id=bike-42&timestamp=1795248927750&lat=-33.8688200&lon=-151.2092901&speed=9.719&bearing=0.00"
        + "&altitude=-3.5&accuracy=4.5&motion=true&odometer=1234567&armed=false&event=location&sequence=17&boot=3")
    #expect(
      text(packet(), as: .traccar)
        == #"{"device_id":"bike-42","location":{"timestamp":"2026-11-21T08:15:27.750Z","coords":{"latitude":-33.8688200,"#
        + #""longitude":-151.2092901,"accuracy":4.5,"speed":5.00,"heading":0.00,"altitude":-3.5},"is_moving":true,"#
        + #""odometer":1234567,"event":"location","extras":{"sequence":17,"boot":3,"armed":false}}}"#)
  }

  @Test func anAlertIsAnAlarmEverywhere() throws {
    let alarms: [(MovementDetector, String)] = [
      (.touch, "vibration"), (.handling, "vibration"), (.tilt, "movement"), (.heading, "movement"), (.speed, "tow"),
      (.displacement, "tow"),
    ]
    for (detector, alarm) in alarms {
      let packet = alert(detector)
      let owned = try object(text(packet, as: .ownTracks))
      #expect(owned["t"] as? String == "!" && owned["tow"] as? Bool == true && owned["motion"] as? Bool == true)
      #expect(owned["alert"] as? Int == 9 && owned["detector"] as? String == "\(detector.name)")
      let form = try fields(text(packet, as: .osmAnd))
      #expect(form["alarm"] == alarm && form["alert"] == "9" && form["event"] == "movement" && form["armed"] == "true")
      let traccar = try object(text(packet, as: .traccar))
      let location = try #require(traccar["location"] as? [String: Any])
      #expect(location["alarm"] as? String == alarm && location["event"] as? String == "movement")
      #expect((location["extras"] as? [String: Any])?["alert"] as? Int == 9)
    }
  }

  @Test func anAlertThatIsHeldBackIsNoAlarmAnywhereAndHasItsNumber() throws {
    var held = alert(.speed)
    held.kind = .status
    held.status = PacketStatus(reason: .pending, alertsEnabled: true)
    held.isOwnerNear = true
    let owned = try object(text(held, as: .ownTracks))
    #expect(owned["t"] as? String == "r" && owned["tow"] == nil && owned["alert"] as? Int == 9)
    #expect(owned["near"] as? Bool == true && owned["reason"] as? String == "pending")
    let form = try fields(text(held, as: .osmAnd))
    #expect(form["alarm"] == nil && form["alert"] == "9" && form["near"] == "true" && form["reason"] == "pending")
    let location = try #require(try object(text(held, as: .traccar))["location"] as? [String: Any])
    #expect(location["alarm"] == nil)
  }

  @Test func everyKindHasItsTriggerAndItsEvent() throws {
    let triggers: [(PacketKind, String?, String?)] = [
      (.location, nil, nil), (.parking, "a", "parking"), (.ride, "I", nil), (.status, "r", nil),
    ]
    for (kind, trigger, alarm) in triggers {
      let packet = packet(kind, phase: .parked)
      #expect(try object(text(packet, as: .ownTracks))["t"] as? String == trigger)
      #expect(try fields(text(packet, as: .osmAnd))["alarm"] == alarm)
      #expect(try fields(text(packet, as: .osmAnd))["event"] == "\(kind.name)")
    }
    var answer = packet(.status, phase: .parked)
    answer.status = PacketStatus(reason: .alertsOff, alertsEnabled: false)
    let owned = try object(text(answer, as: .ownTracks))
    #expect(owned["reason"] as? String == "alertsOff" && owned["alertsEnabled"] as? Bool == false)
    let form = try fields(text(answer, as: .osmAnd))
    #expect(form["reason"] == "alertsOff" && form["alertsEnabled"] == "false")
    let location = try object(text(answer, as: .traccar))["location"] as? [String: Any]
    let extras = try #require(location?["extras"] as? [String: Any])
    #expect(extras["reason"] as? String == "alertsOff" && extras["alertsEnabled"] as? Bool == false)
  }

  /// Whether it moves is told, so that no server guesses it from a speed that wanders at rest.
  @Test func whetherItMovesIsTold() throws {
    let phases: [(MotionPhase, Bool)] = [
      (.starting, false), (.riding, true), (.settling, false), (.parked, false), (.suspicious, false), (.alarmed, true),
    ]
    for (phase, isMoving) in phases {
      #expect(try object(text(packet(phase: phase), as: .ownTracks))["motion"] as? Bool == isMoving)
      #expect(try fields(text(packet(phase: phase), as: .osmAnd))["motion"] == "\(isMoving)")
      let location = try object(text(packet(phase: phase), as: .traccar))["location"] as? [String: Any]
      #expect(location?["is_moving"] as? Bool == isMoving)
    }
  }

  /// What the tracker lives on has the name and the unit of each receiver.
  @Test func theSupplyHasTheNamesAndUnitsOfEachForm() throws {
    var packet = packet()
    packet.position?.satellites = 11
    packet.supply = Supply(charge: 85, millivolts: 4105, isCharging: true, isExternal: true)
    let owned = try object(text(packet, as: .ownTracks))
    #expect(owned["batt"] as? Int == 85 && owned["ubatt"] as? Double == 4.105 && owned["bs"] as? Int == 2)
    let form = try fields(text(packet, as: .osmAnd))
    #expect(form["batt"] == "85" && form["battery"] == "4.105" && form["charge"] == "true" && form["sat"] == "11")
    #expect(form["externalPower"] == "true")
    let location = try #require(try object(text(packet, as: .traccar))["location"] as? [String: Any])
    let battery = try #require(location["battery"] as? [String: Any])
    #expect(battery["level"] as? Double == 0.85 && battery["is_charging"] as? Bool == true)
    let extras = try #require(location["extras"] as? [String: Any])
    #expect(extras["satellites"] as? Int == 11 && extras["battery"] as? Double == 4.105)
    #expect(extras["externalPower"] as? Bool == true)
    for (charge, level) in [(0, 0), (5, 0.05), (100, 1)] as [(UInt8, Double)] {
      packet.supply?.charge = charge
      let location = try object(text(packet, as: .traccar))["location"] as? [String: Any]
      #expect((location?["battery"] as? [String: Any])?["level"] as? Double == level)
    }
  }

  /// OwnTracks has one word for charging, power and full.
  @Test func theStateOfTheBatteryIsOneOfThreeOrNotTold() throws {
    let cases: [(charge: UInt8?, isCharging: Bool?, isExternal: Bool?, state: Int?)] = [
      (50, true, true, 2), (100, true, nil, 2), (50, false, false, 1), (nil, nil, false, 1), (100, false, true, 3),
      (99, false, true, nil), (nil, false, nil, nil), (50, nil, nil, nil),
    ]
    for (charge, isCharging, isExternal, state) in cases {
      var packet = packet()
      packet.supply = Supply(charge: charge, isCharging: isCharging, isExternal: isExternal)
      #expect(try object(text(packet, as: .ownTracks))["bs"] as? Int == state)
    }
  }

  /// What is not known is left out, or is what the form says for unknown.
  @Test func whatIsNotKnownIsNotInvented() throws {
    var fix = GNSSFix(time: .seconds(100))
    fix.mode = .twoDimensional
    fix.position = GeodeticPosition(latitudeE9: 1_000_000_000, longitudeE9: 2_000_000_000)
    var packet = Packet(kind: .location, time: .seconds(100), utc: nil, phase: .starting, isArmed: false)
    packet.position = PacketPosition(fix)
    let bare = try object(text(packet, as: .ownTracks))
    #expect(
      Set(bare.keys) == ["_type", "tid", "lat", "lon", "acc", "motion", "odometer", "armed", "topic", "_id"])
    #expect(bare["acc"] as? Int == 100, "a receiver drops a location without accuracy")
    #expect(
      Set(try fields(text(packet, as: .osmAnd)).keys)
        == ["id", "lat", "lon", "motion", "odometer", "armed", "event", "sequence"])
    #expect(text(packet, as: .traccar) == nil, "this form must have a time")
    packet.utc = ServerFormTests.morning
    let location = try #require(try object(text(packet, as: .traccar))["location"] as? [String: Any])
    let coords = try #require(location["coords"] as? [String: Any])
    #expect(coords["speed"] as? Int == -1 && coords["heading"] as? Int == -1 && coords["accuracy"] as? Int == -1)
    #expect(coords["altitude"] as? Int == 0 && coords.count == 6, "all six, or the server throws")
    packet.position = nil
    #expect(text(packet, as: .ownTracks) == nil)
    #expect(try fields(text(packet, as: .osmAnd))["lat"] == nil)
    #expect(try fields(text(packet, as: .osmAnd))["timestamp"] == "1795248930250")
    let placeless = try #require(try object(text(packet, as: .traccar))["location"] as? [String: Any])
    #expect(placeless["coords"] == nil && placeless["timestamp"] as? String == "2026-11-21T08:15:30.250Z")
  }

  /// The server takes small numbers for seconds and large ones for milliseconds.
  @Test func aTimeIsReadAsWhatItIs() throws {
    var packet = packet()
    packet.position = nil
    for (milliseconds, expected) in [
      (2_147_483_647, "2147483"), (2_147_483_648, "2147483648"), (0, "0"), (-1, nil),
    ] as [(Int64, String?)] {
      packet.utc = UTCTime(microseconds: milliseconds * 1000)
      #expect(try fields(text(packet, as: .osmAnd))["timestamp"] == expected)
    }
  }

  /// The time of a location is that of its fix; when the packet was made stands beside it where that is another second.
  @Test func theTimeIsThatOfTheFix() throws {
    var packet = packet()
    for (age, isStated) in [(0, false), (999, false), (1000, true), (3_600_000, true)] as [(Int64, Bool)] {
      packet.position?.fixTime = packet.time - .milliseconds(Int(age))
      let owned = try object(text(packet, as: .ownTracks))
      #expect(owned["tst"] as? Int64 == (1_795_248_930_250 - age) / 1000)
      #expect((owned["created_at"] != nil) == isStated)
    }
  }

  /// km/h, knots and metres a second of one speed.
  @Test func eachFormHasItsUnitOfSpeed() throws {
    var packet = packet()
    for centimetres in [0, 1, 14, 28, 100, 514, 27_777, UInt32.max] {
      packet.position?.speedCentimetres = centimetres
      let speed = Double(centimetres) / 100
      let knots = try #require(Double(try fields(text(packet, as: .osmAnd))["speed"] ?? ""))
      #expect(abs(knots - speed * 3600 / 1852) <= 0.000_501)
      let velocity = try #require(try object(text(packet, as: .ownTracks))["vel"] as? Int)
      #expect(abs(Double(velocity) - speed * 3.6) <= 0.5)
      let location = try object(text(packet, as: .traccar))["location"] as? [String: Any]
      #expect(((location?["coords"] as? [String: Any])?["speed"] as? Double) == speed)
    }
    packet.position?.accuracyDecimetres = 1
    #expect(try object(text(packet, as: .ownTracks))["acc"] as? Int == 1, "never 0")
    for (centidegrees, degrees) in [(0, 0), (49, 0), (50, 1), (35_949, 359), (35_950, 0)] as [(UInt16, Int)] {
      packet.position?.courseCentidegrees = centidegrees
      #expect(try object(text(packet, as: .ownTracks))["cog"] as? Int == degrees)
    }
  }

  /// A name can hold what means something in a form or in JSON.
  @Test func anyNameArrivesAsItIs() throws {
    for name in ["a&b=c+d%41", "Rad 7", "Räd\"\\", "日本", "x", "é"] {
      #expect(try fields(text(packet(), as: .osmAnd, id: name))["id"] == name)
      #expect(try object(text(packet(), as: .traccar, id: name))["device_id"] as? String == name)
      let owned = try object(text(packet(), as: .ownTracks, id: name))
      #expect(owned["tid"] as? String == String(name.suffix(2)))
      #expect(owned["topic"] as? String == "owntracks/leash/" + name)
    }
  }

  @Test func eachFormSaysWhatItIs() {
    #expect(
      PacketFormat.allCases.map { "\($0.name)" } == [
        "json", "minimal", "text", "ownTracks", "osmAnd", "traccar", "ownTracksCompact",
      ])
    #expect(PacketFormat.allCases.filter(\.fitsTextMessage) == [.minimal, .text, .ownTracksCompact])
    #expect(
      PacketFormat.allCases.map { "\($0.contentType)" } == [
        "application/json", "application/json", "text/plain", "application/json", "application/x-www-form-urlencoded",
        "application/json", "text/plain",
      ])
  }
}

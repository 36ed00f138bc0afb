import ASCIIText
import Foundation
import HomeAssistant
import InlineStorage
import Quantities
import Telemetry
import Testing

/// The messages of MQTT discovery, read back by a JSON parser that is not ours.
@Suite struct DiscoveryTests {
  /// A sink as large as needed.
  struct Text: ByteSink {
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
    mutating func append(_ byte: UInt8) -> Bool {
      bytes.append(byte)
      return true
    }
  }

  static let all = HomeAssistantRequests(rawValue: .max)

  static func device(_ id: String = "bike42", _ requests: HomeAssistantRequests = all) -> HomeAssistantDevice {
    var device = HomeAssistantDevice(trackerID: Array(id.utf8).span)
    device.topic.append(contentsOf: Array("leash/\(id)/packet".utf8).span)
    device.commandTopic.append(contentsOf: Array("leash/\(id)/request".utf8).span)
    device.availabilityTopic.append(contentsOf: Array("leash/\(id)/available".utf8).span)
    device.requests = requests
    return device
  }

  private func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func message(_ entity: HomeAssistantEntity, of device: HomeAssistantDevice = device()) throws -> [String: Any]
  {
    var sink = Text()
    try #require(device.encode(entity, into: &sink))
    return try object(sink.bytes)
  }

  /// Topics in full, as a server puts them together.
  private func topics(_ message: [String: Any]) -> [String: String] {
    let base = message["~"] as? String ?? ""
    return message.compactMapValues { $0 as? String }.filter { $0.key.hasSuffix("_t") }
      .mapValues { $0.hasPrefix("~") ? base + $0.dropFirst() : $0 }
  }

  /// Where it is said whether it is there: of the tracker, and of what measures it.
  private func availability(_ message: [String: Any]) -> [String] {
    let base = message["~"] as? String ?? ""
    let several = (message["avty"] as? [[String: String]])?.compactMap { $0["t"] }
    return (several ?? [message["avty_t"] as? String ?? ""]).map { $0.hasPrefix("~") ? base + $0.dropFirst() : $0 }
  }

  @Test func eachEntityHasAMessageOfItsOwnThatAModemCanCarry() throws {
    #expect(HomeAssistantEntity.allCases.count == Int(HomeAssistantEntity.count))
    var identifiers: Set<String> = []
    for entity in HomeAssistantEntity.allCases {
      var sink = Text()
      #expect(HomeAssistantDiscovery.encoded(entity, into: &sink))
      #expect(sink.bytes.count < 512, "\(entity): \(sink.bytes.count) bytes: \(sink.text)")
      let message = try object(sink.bytes)
      #expect(identifiers.insert(try #require(message["uniq_id"] as? String)).inserted)
      #expect(availability(message).first == "leash/bike42/available")
      #expect((message["dev"] as? [String: Any])?["ids"] as? String == "leash_bike42")
      var topic = Text()
      DiscoveryTests.device().encodeTopic(of: entity, prefix: Array("homeassistant".utf8).span, into: &topic)
      #expect(topic.text == "homeassistant/\(entity.platform)/leash_bike42/\(entity.key)/config")
    }
  }

  /// A modem's SMPUB takes 512 bytes; the page on servers says with which names they are enough.
  @Test func theLongestMessageOfAnEntityIsAsLongAsThePageSays() {
    func longest(_ count: Int) -> Int {
      let device = DiscoveryTests.device(String(repeating: "x", count: count))
      return HomeAssistantEntity.allCases.map { entity in
        var sink = Text()
        _ = device.encode(entity, into: &sink)
        return sink.bytes.count
      }.max() ?? 0
    }
    #expect(longest(24) <= 512 && longest(25) > 512 && longest(32) == 541, "\((longest(24), longest(25), longest(32)))")
  }

  /// What topics share is said once, whatever they are; a server puts them together again.
  @Test func topicsAreTheSameHoweverMuchTheyShare() throws {
    let cases = [
      (["leash/a/packet", "leash/a/request", "leash/a/available"], "leash/a"),
      (["a/b", "a/b/c", "a/b/d"], "a/b"), (["a/b/c", "a/b", "a/bc"], "a"),
      (["bike", "bikes", "bike/available"], "bike"),
      (["bike/packet", "bikes/packet", "bike/x"], "bike/packet"), (["x", "y", "z"], "x"), (["a/b", "", "a/c"], "a"),
      (["a\"/ü", "a\"/ö", "a\"/ä"], "a\""),
    ]
    for (names, base) in cases {
      var device = HomeAssistantDevice(trackerID: Array("bike42".utf8).span)
      device.topic.append(contentsOf: Array(names[0].utf8).span)
      device.commandTopic.append(contentsOf: Array(names[1].utf8).span)
      device.availabilityTopic.append(contentsOf: Array(names[2].utf8).span)
      device.requests = DiscoveryTests.all
      for entity in HomeAssistantEntity.allCases where device.offers(entity) {
        let message = try message(entity, of: device)
        let topics = topics(message)
        #expect(
          message["~"] as? String == base && availability(message).first == names[2], "\(names) \(entity): \(message)")
        if let commands = topics["cmd_t"] { #expect(commands == names[1], "\(names) \(entity): \(message)") }
        for key in ["stat_t", "json_attr_t"] {
          guard let topic = topics[key] else { continue }
          let below: [HomeAssistantEntity: String] = [
            .alert: "/alert", .lastAlert: "/alert", .dismiss: "/alert", .ride: "/ride", .alerts: "/status",
            .outbox: "/state", .tamper: "/state", .live: "/state", .steps: "/status", .active: "/status",
            .resting: "/status",
          ]
          #expect(topic == names[0] + (below[entity] ?? ""), "\(names) \(entity): \(message)")
        }
      }
    }
  }

  @Test func theTrackerIsWhereItsCoordinatesAre() throws {
    let message = try message(.position)
    #expect(message["name"] is NSNull, "the device's own name")
    #expect(topics(message) == ["json_attr_t": "leash/bike42/packet", "avty_t": "leash/bike42/available"])
    let template = try #require(message["json_attr_tpl"] as? String)
    for key in ["latitude", "longitude", "gps_accuracy"] { #expect(template.contains("'\(key)'")) }
    #expect(message["stat_t"] == nil && message["val_tpl"] == nil, "that way is deprecated")
    var zoned = DiscoveryTests.device()
    func add(_ name: String) -> Bool { zoned.addZone(Array(name.utf8).span) }
    let areTaken = [add("Home"), add("Großer Garten")]
    #expect(areTaken == [true, true])
    let zones = try #require(try self.message(.position, of: zoned)["json_attr_tpl"] as? String)
    #expect(zones.hasPrefix("{% set z=['Home','Großer Garten'] %}") && zones.contains("'in_zones':"))
    #expect(!zones.contains("latitude"), "coordinates would win")
    let refused = ["", "a'b", "a\\", "a\"", "{{"].filter { !add($0) }
    #expect(refused.count == 5, "\(refused)")
    var count = 2
    while add("1234567") { count += 1 }
    // 192 bytes: 6 of the first, 17 of the second with its comma, 10 of each further one.
    #expect(count == 2 + 16)
  }

  @Test func thePanelArmsAndDisarmsByRequests() throws {
    let message = try message(.alarm)
    #expect(message["pl_arm_away"] as? String == "arm" && message["pl_disarm"] as? String == "disarm")
    #expect(message["sup_feat"] as? [String] == ["arm_away"] && message["cod_arm_req"] as? Bool == false)
    #expect(topics(message)["cmd_t"] == "leash/bike42/request" && topics(message)["stat_t"] == "leash/bike42/packet")
    let shown = try self.message(.alarm, of: DiscoveryTests.device("bike42", [.disarm]))
    #expect(shown["sup_feat"] as? [String] == [], "what would be refused is not offered")
  }

  @Test func theEventHasEveryDetectorAsAType() throws {
    let message = try message(.alert)
    #expect(message["evt_typ"] as? [String] == MovementDetector.allCases.map { "\($0.name)" })
    #expect(topics(message)["stat_t"] == "leash/bike42/packet/alert")
  }

  @Test func thePhasesAreThoseThereAre() throws {
    #expect(try message(.phase)["ops"] as? [String] == MotionPhase.allCases.map { "\($0.name)" })
  }

  @Test func aControlThatWouldBeRefusedIsNotShown() {
    let controls: [(HomeAssistantEntity, HomeAssistantRequests)] = [
      (.dismiss, .dismiss), (.found, .found), (.locate, .locate), (.live, .track), (.buzzer, .buzzer),
      (.alerts, .alerts), (.privacy, .privacy),
    ]
    for (entity, request) in controls {
      #expect(DiscoveryTests.device("a", [request]).offers(entity))
      let others = DiscoveryTests.all.subtracting(request)
      #expect(!DiscoveryTests.device("a", others).offers(entity), "\(entity)")
      var sink = Text()
      #expect(!DiscoveryTests.device("a", others).encode(entity, into: &sink) && sink.bytes.isEmpty)
    }
    // What only reads is let in always.
    #expect(DiscoveryTests.device("a", []).offers(.ask) && DiscoveryTests.device("a", []).offers(.alarm))
    var silent = DiscoveryTests.device()
    silent.commandTopic.removeAll()
    for entity in [HomeAssistantEntity.ask, .alarm, .dismiss] { #expect(!silent.offers(entity)) }
    #expect(silent.offers(.position) && silent.offers(.alert))
  }

  @Test func itsMeAnswersTheAlertThatWasSeen() throws {
    let message = try message(.dismiss)
    #expect(message["cmd_tpl"] as? String == "dismiss {{ this.attributes.alert|default(0) }}")
    #expect(topics(message)["json_attr_t"] == "leash/bike42/packet/alert", "no other packet takes its number away")
  }

  @Test func whatAPetDidTodayStaysWhileOtherAnswersCome() throws {
    for (entity, key) in [(HomeAssistantEntity.steps, "steps"), (.active, "activeMinutes"), (.resting, "restMinutes")] {
      let message = try message(entity)
      #expect(topics(message)["stat_t"] == "leash/bike42/packet/status")
      let template = message["val_tpl"] as? String
      #expect(template == "{{ value_json.get('\(key)',this.state if this.state|is_number else None) }}")
      #expect(message["stat_cla"] as? String == "total_increasing")
    }
  }

  @Test func whatIsMeasuredIsThereOnlyWhileSomethingMeasuresIt() throws {
    let keys: [(HomeAssistantEntity, String, String)] = [
      (.battery, "battery", ""), (.voltage, "batteryVoltage", ""), (.charging, "charging", ""),
      (.externalPower, "externalPower", ""), (.near, "near", ""), (.temperature, "temperature", ""),
      (.signal, "signal", ""), (.tamper, "tamper", "/state"),
    ]
    for (entity, key, below) in keys {
      let message = try message(entity)
      #expect(availability(message) == ["leash/bike42/available", "leash/bike42/packet" + below], "\(entity)")
      #expect(message["avty_mode"] as? String == "all")
      let template = (message["avty"] as? [[String: String]])?.last?["val_tpl"]
      #expect(template == "{{iif('\(key)' in value_json,'online','offline')}}")
      #expect((message["val_tpl"] as? String)?.contains("'\(key)'") == true, "the same that it shows")
    }
    let measured = keys.map(\.0)
    for entity in HomeAssistantEntity.allCases where !measured.contains(entity) {
      #expect(try message(entity)["avty"] == nil, "\(entity) is known to the tracker itself")
    }
  }

  @Test func followingIsASwitchThatGoesOffByItself() throws {
    let message = try message(.live)
    #expect(HomeAssistantEntity.live.platform.description == "switch")
    #expect(message["pl_on"] as? String == "track 10 600" && message["pl_off"] as? String == "track off")
    #expect(topics(message)["stat_t"] == "leash/bike42/packet/state" && message["stat_on"] as? String == "True")
  }

  @Test func oneMessageHoldsThemAll() throws {
    var sink = Text()
    let device = DiscoveryTests.device("bike42", [.dismiss])
    device.encode(into: &sink)
    let message = try object(sink.bytes)
    #expect((message["o"] as? [String: Any])?["name"] as? String == "Leash", "a server wants to know who says it")
    // As a list: an entity that has one of its own would not be taken beside a single topic.
    #expect(message["avty"] as? [[String: String]] == [["t": "leash/bike42/available"]] && message["avty_t"] == nil)
    let parts = try #require(message["cmps"] as? [String: [String: Any]])
    #expect(parts.count == HomeAssistantEntity.allCases.count)
    for entity in HomeAssistantEntity.allCases {
      let part = try #require(parts["\(entity.key)"])
      #expect(part["p"] as? String == "\(entity.platform)")
      // A part with nothing but its platform is taken away.
      #expect((part.count == 1) == !device.offers(entity), "\(entity)")
      guard device.offers(entity) else { continue }
      #expect(part["~"] as? String == "leash/bike42")
      var own = try self.message(entity, of: device)
      #expect(
        (part["avty"] == nil) == (own["avty"] == nil) && part["avty_t"] == nil, "\(entity): one takes the other's place"
      )
      for key in ["avty_t", "dev", "o"] { own[key] = nil }
      var rest = part
      rest["p"] = nil
      #expect(NSDictionary(dictionary: own) == NSDictionary(dictionary: rest), "\(entity) is the same in both forms")
    }
    var topic = Text()
    device.encodeTopic(prefix: Array("ha".utf8).span, into: &topic)
    #expect(topic.text == "ha/device/leash_bike42/config")
  }

  @Test func anIdOfAnyLettersIsATopicAndNoTwoAreTheSame() throws {
    var seen: Set<String> = []
    for id in [
      "bike 1", "bike_1", "bike/1", "bike+1", "bike#1", "fahrräder", "bike1", String(repeating: "ü", count: 16),
      "a.b", "a_2Eb", "a_5F2Eb", "a_2G", "a_b", "a_", "a_2",
    ] {
      let device = HomeAssistantDevice(trackerID: Array(id.utf8).span)
      let text = String(decoding: (0..<device.id.count).map { device.id[$0] }, as: UTF8.self)
      #expect(!device.id.isTruncated && seen.insert(text).inserted, "\(id)")
      #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }, "\(text)")
    }
    // A name is people's, and may hold what JSON must escape.
    var device = DiscoveryTests.device()
    device.name.removeAll()
    device.name.append("My \"bike\" \\ ☂")
    #expect((try message(.moving, of: device)["dev"] as? [String: Any])?["name"] as? String == "My \"bike\" \\ ☂")
  }

  @Test func theVersionIsToldWhereThereIsOne() throws {
    var device = DiscoveryTests.device()
    #expect((try message(.moving, of: device)["dev"] as? [String: Any])?["sw"] == nil)
    device.version.append("1.2")
    #expect((try message(.moving, of: device)["dev"] as? [String: Any])?["sw"] as? String == "1.2")
    #expect((try message(.moving, of: device)["o"] as? [String: Any])?["sw"] as? String == "1.2")
  }
}

/// A message of one entity of a usual device.
enum HomeAssistantDiscovery {
  static func encoded(_ entity: HomeAssistantEntity, into sink: inout some ByteSink) -> Bool {
    DiscoveryTests.device().encode(entity, into: &sink)
  }
}

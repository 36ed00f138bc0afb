import HomeAssistant
import PacketDecoding
import Quantities
import Testing

/// What `leash decode` says of messages of MQTT discovery: of ours every word, and the traps by their numbers.
@Suite struct DiscoveryDecodingTests {
  private func decoded(_ text: String) throws -> DecodedMessage {
    try #require(try PacketDecoder().decode(Array(text.utf8)).first)
  }

  private func announcement() -> String {
    var device = DiscoveryTests.device()
    device.version.append(contentsOf: Array("0.18.0".utf8).span)
    var sink = DiscoveryTests.Text()
    device.encode(into: &sink)
    return sink.text
  }

  @Test func everyFieldOfOurAnnouncementsIsNamedAndRight() throws {
    let whole = try decoded(announcement())
    #expect(whole.form == .homeAssistant && whole.type == "device" && whole.facts.tracker == "leash_bike42")
    for entity in HomeAssistantEntity.allCases {
      let part = "cmps.\(entity.key)."
      #expect(whole.value(part + "p") == "\(entity.platform)" && whole.value(part + "uniq_id") != nil)
      var sink = DiscoveryTests.Text()
      try #require(DiscoveryTests.device().encode(entity, into: &sink))
      let message = try decoded("homeassistant/\(entity.platform)/leash_bike42/\(entity.key)/config \(sink.text)")
      #expect(message.type == "component" && message.facts.tracker == "leash_bike42")
      for field in message.fields {
        #expect(
          !field.meaning.isEmpty && field.problem == nil, "\(entity) \(field.name): \(field.problem ?? "unknown")")
      }
    }
    for field in whole.fields {
      #expect(!field.meaning.isEmpty && field.problem == nil, "\(field.name): \(field.problem ?? "unknown")")
    }
  }

  @Test func longAndShortWordsAreTheSame() throws {
    let short = try decoded(
      #"{"stat_t":"a","exp_aft":5,"avty":[{"t":"b"}],"device":{"identifiers":["x","y"],"sw":"1"}}"#)
    let long = try decoded(
      #"{"state_topic":"a","expire_after":5,"availability":[{"topic":"b"}],"dev":{"ids":"x","sw_version":"1"}}"#)
    #expect(short.fields.map(\.unit) == ["", "s", "", "", ""] && short.fields.map(\.unit) == long.fields.map(\.unit))
    #expect(short.fields.map(\.trap) == long.fields.map(\.trap) && short.facts.tracker == "x")
    #expect(short.fields[0].meaning == "state_topic: where its value comes from")
    #expect(long.fields[0].meaning == "where its value comes from" && long.facts.tracker == "x")
  }

  @Test func aComponentThatIsTakenAwayIsToldFromOneThatIsRefused() throws {
    let message = try decoded(#"{"dev":{"ids":"x"},"cmps":{"a":{"p":"button"},"b":{"p":"button","cmd_t":"c/+"}}}"#)
    #expect(message.fields[1].meaning.hasSuffix("alone it takes the component away"))
    #expect(message.fields[1].problem == nil && message.fields[2].problem?.contains("unique_id") == true)
    #expect(!message.fields[2].meaning.contains("away") && message.fields[3].problem?.contains("published") == true)
  }

  @Test func trap15ATrackerIsPlacedByItsAttributesAlone() throws {
    let whole = try decoded(announcement())
    #expect(whole.fields.first { $0.name == "cmps.position.json_attr_t" }?.trap == .trackerPlace)
    for name in ["stat_t", "val_tpl", "pl_home", "pl_not_home", "pl_rst"] {
      #expect(whole.value("cmps.position.\(name)") == nil)
    }
    let old = try decoded(#"{"dev":{"ids":"x"},"cmps":{"a":{"p":"device_tracker","uniq_id":"b","stat_t":"c"}}}"#)
    #expect(old.fields.last?.trap == .trackerPlace)
    #expect(try decoded("homeassistant/device_tracker/a/config {\"stat_t\":\"c\"}").fields[0].trap == .trackerPlace)
    #expect(try decoded("homeassistant/sensor/a/config {\"stat_t\":\"c\"}").fields[0].trap == nil)
  }

  @Test func trap16AnotherIdentifierIsAnotherEntity() throws {
    let whole = try decoded(announcement())
    let identifiers = whole.fields.filter { $0.name.hasSuffix(".uniq_id") }
    #expect(identifiers.count == HomeAssistantEntity.allCases.count)
    #expect(Set(identifiers.map(\.value)).count == identifiers.count)
    #expect(identifiers.allSatisfy { $0.trap == .announcement } && announcement() == announcement())
  }

  @Test func trap17WhatIsOfflineTakesNoCommand() throws {
    // What can be asked has one topic for that: its requests wait at the broker, but no one can make them meanwhile.
    let topics = try decoded(announcement()).fields.filter { $0.trap == .availability }
    #expect(topics.first?.value == #"[{"t":"leash/bike42/available"}]"# && topics.first?.name == "avty")
    // What is measured has a second one.
    #expect(topics.count == 9 && topics.dropFirst().allSatisfy { $0.value.contains("~/available") })
    for entity in HomeAssistantEntity.allCases where !entity.needs.isEmpty {
      #expect(!topics.contains { $0.name.hasPrefix("cmps.\(entity.key).") })
    }
  }

  @Test func trap18EventsAreListedAndHaveTheirNumber() throws {
    let message = try decoded(announcement())
    #expect(message.fields.filter { $0.trap == .events }.map(\.name) == ["cmps.alert.evt_typ"])
    let types = try #require(message.value("cmps.alert.evt_typ"))
    #expect(MovementDetector.allCases.allSatisfy { types.contains("\"\($0.name)\"") })
    #expect(message.value("cmps.alert.val_tpl")?.contains("value_json.alert") == true)
  }

  @Test func trap19NoCommandIsKept() throws {
    #expect(!announcement().contains("\"ret\"") && !announcement().contains("\"retain\""))
    #expect(try decoded(#"{"cmd_t":"a","ret":true}"#).fields[1].trap == .retainedCommand)
  }
}

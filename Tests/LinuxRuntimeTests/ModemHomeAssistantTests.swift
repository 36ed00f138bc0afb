import Foundation
import HomeAssistant
import ModemSimulation
import Quantities
import SIM7000
import Telemetry
import Testing
import TrackerRuntime
import Uplinks

@testable import LinuxRuntime

/// Home Assistant behind the broker of a tracker that has nothing but a modem.
@Suite struct ModemHomeAssistantTests {
  private final class Memory: KeptBytes {
    var bytes: [UInt8] = []
    func read() -> [UInt8] { bytes }
    func write(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  private static let theft = VirtualBoard.hour(0.25)

  /// The modem's section of a file with one word for Home Assistant.
  private static func settings(_ house: String = ", homeAssistant: true") throws -> ModemSettings {
    let file = try BoardConfigurationFile(
      text: """
        { trackerId: "bike42", modem: { port: "/dev/ttyS9", transport: "mqtt", mqtt: { host: "broker.example", tls: true } },
          uplinks: [{ by: "modem"\(house), trusted: ["dismiss", "locate"] }] }
        """, name: "x")
    return try #require(file.configuration.modem)
  }

  private func board(
    _ settings: ModemSettings, memory: Memory = Memory(), refusing topics: String = "",
    except outages: [(channel: NetworkChannel, times: Range<Instant>)] = []
  ) throws -> VirtualBoard {
    let board = VirtualBoard(try Folder(isInMemory: true))
    let modem = VirtualModem(board.clock, outages: outages, refusedTopics: topics)
    board.modem = modem
    board.modemWays = [.init(.mqtt)]
    use(settings, memory, on: board)
    board.thefts.times = [ModemHomeAssistantTests.theft..<ModemHomeAssistantTests.theft + .seconds(20)]
    return board
  }

  private func use(_ settings: ModemSettings, _ memory: Memory, on board: VirtualBoard) {
    board.modem?.memory = memory
    board.modem?.adjust = {
      $0.homeAssistant = settings.homeAssistant
      $0.isRetained = settings.isRetained
      $0.driver.mqttTopic = settings.driver.mqttTopic
      $0.driver.mqttCommandTopic = settings.driver.mqttCommandTopic
      $0.driver.mqttAvailabilityTopic = settings.driver.mqttAvailabilityTopic
      $0.driver.mqttServerTopic = settings.driver.mqttServerTopic
    }
  }

  /// The messages as the form has them, each by its topic.
  private func expected(_ settings: ModemSettings) throws -> [String: String] {
    let house = try #require(settings.homeAssistant)
    var messages: [String: String] = [:]
    for entity in HomeAssistantEntity.allCases where house.device.offers(entity) {
      var topic = ByteBuffer()
      house.device.encodeTopic(of: entity, prefix: Array("homeassistant".utf8).span, into: &topic)
      var bytes = ByteBuffer()
      #expect(house.device.encode(entity, into: &bytes))
      #expect(bytes.bytes.count <= 512)
      messages[String(decoding: topic.bytes, as: UTF8.self)] = String(decoding: bytes.bytes, as: UTF8.self)
    }
    return messages
  }

  private func announcements(_ board: VirtualBoard, from: Instant = .zero) -> [String] {
    board.modem?.published.filter { $0.topic.hasPrefix("homeassistant/") && from <= $0.time }.map(\.topic) ?? []
  }

  private func alertTime(_ board: VirtualBoard, on topic: String = "leash/bike42/packet") -> Double? {
    board.modem?.published.first { $0.topic == topic && $0.text.contains("\"movement\"") }
      .map { ($0.time - ModemHomeAssistantTests.theft).secondsDouble }
  }

  @Test func aTrackerWithAModemAloneIsAnnouncedOnceAndItsPacketsAreKept() throws {
    let settings = try ModemHomeAssistantTests.settings()
    let memory = Memory()
    let board = try board(settings, memory: memory)
    try board.start()
    board.live(until: VirtualBoard.hour(0.2))
    let expected = try expected(settings)
    #expect(expected.count > 25)
    let kept = try #require(board.modem?.retained)
    #expect(kept.filter { $0.key.hasPrefix("homeassistant/") } == expected)
    #expect(announcements(board).count == expected.count)
    #expect(kept["leash/bike42/available"] == "online")
    #expect(kept["leash/bike42/packet"]?.contains("\"phase\"") == true)
    // What only answers say is there, too, without anybody having asked.
    #expect(kept["leash/bike42/packet/status"]?.contains("alertsEnabled") == true)
    board.live(until: VirtualBoard.hour(1))
    #expect(board.modem?.retained["leash/bike42/packet/alert"]?.contains("\"movement\"") == true)
    board.cut()
    try board.start()
    board.live(until: VirtualBoard.hour(2))
    #expect(announcements(board).count == expected.count, "nothing is told twice")
    #expect(board.modem?.retained["leash/bike42/available"] == "online")
    board.stop()
  }

  /// What it costs, as docs/servers.md has it: topic and payload, and seven bytes of MQTT for each, of a tracker with all buttons.
  @Test func anAnnouncementCostsAsManyBytesAsThePageSays() throws {
    var settings = try ModemHomeAssistantTests.settings()
    settings.homeAssistant?.device.requests = HomeAssistantRequests(rawValue: .max)
    let all = try expected(settings)
    let bytes = all.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 7 }
    let page = try String(
      contentsOfFile: #filePath.replacing(
        "Tests/LinuxRuntimeTests/ModemHomeAssistantTests.swift", with: "docs/servers.md"), encoding: .utf8)
    #expect(
      page.replacing("\n", with: " ").contains(
        "\(all.count) messages of together \(bytes / 1000).\(bytes % 1000 / 100) kB"),
      "\(all.count) messages, \(bytes) bytes")
  }

  /// Home Assistant starts just as the bike is stolen, or some seconds before: of all that is to be told again at most one message is
  /// under way.
  @Test(arguments: [-4, -2, 0, 1, 2, 3, 4])
  func anAlertGoesBeforeTheAnnouncement(second: Int) throws {
    let settings = try ModemHomeAssistantTests.settings()
    let quiet = try board(settings)
    try quiet.start()
    quiet.live(until: ModemHomeAssistantTests.theft + .seconds(60))
    let usual = try #require(alertTime(quiet))
    let board = try board(settings)
    try board.start()
    let online = ModemHomeAssistantTests.theft + .seconds(second)
    board.live(until: online)
    let before = announcements(board).count
    board.modem?.publish("online", to: "homeassistant/status")
    board.live(until: online + .seconds(180))
    let delay = try #require(alertTime(board))
    #expect(delay < usual + 3, "\(delay) s, \(usual) s without")
    #expect(announcements(board).count == 2 * before, "all of it is told again")
    #expect(announcements(board, from: online).count == before)
    board.stop()
    quiet.stop()
  }

  @Test func whatIsKeptOfTheServersStartSaysNothingAndManyStartsCostOneAnnouncementAnHour() throws {
    let settings = try ModemHomeAssistantTests.settings()
    let board = try board(settings)
    board.modem?.publish("online", to: "homeassistant/status", isRetained: true)
    try board.start()
    board.live(until: VirtualBoard.hour(0.2))
    let once = announcements(board).count
    #expect(once == (try expected(settings)).count)
    for minute in 0..<30 {
      board.live(until: VirtualBoard.hour(0.5) + .seconds(60 * minute))
      board.modem?.publish("online", to: "homeassistant/status")
    }
    board.live(until: VirtualBoard.hour(1.4))
    #expect(announcements(board).count == 2 * once)
    board.live(until: VirtualBoard.hour(3))
    #expect(announcements(board).count == 3 * once, "that of the others, when the hour is over")
    board.stop()
  }

  @Test func aBrokerThatRefusesAnnouncementsKeepsNoPacketAndTheModemIsLeftAlone() throws {
    let settings = try ModemHomeAssistantTests.settings()
    let memory = Memory()
    let board = try board(settings, memory: memory, refusing: "homeassistant/#")
    try board.start()
    board.live(until: VirtualBoard.hour(2))
    #expect(announcements(board).isEmpty)
    #expect((alertTime(board) ?? .infinity) < 15)
    #expect(!String(decoding: memory.bytes, as: UTF8.self).contains("homeassistant/"))
    let facts = try #require(board.modem?.facts)
    #expect(facts["announced"]?.contains("does not take it") == true)
    #expect(facts["recoveries"]?.contains("restart") != true && facts["recoveries"]?.contains("reset") != true)
    board.stop()
  }

  @Test func whatIsNotWantedAnyMoreIsTakenAwayAndOnlyWhatHasChangedIsToldAgain() throws {
    let memory = Memory()
    let board = try board(try ModemHomeAssistantTests.settings(), memory: memory)
    try board.start()
    board.live(until: VirtualBoard.hour(0.2))
    board.cut()
    // The device has another version: one message says so.
    var newer = try ModemHomeAssistantTests.settings()
    newer.tell(version: "9.9")
    use(newer, memory, on: board)
    let second = board.clock.now
    try board.start()
    board.live(until: VirtualBoard.hour(0.6))
    #expect(announcements(board, from: second) == ["homeassistant/binary_sensor/leash_bike42/moving/config"])
    board.cut()
    // It is taken out of the file.
    use(try ModemHomeAssistantTests.settings(""), memory, on: board)
    try board.start()
    board.live(until: VirtualBoard.hour(1.2))
    #expect(board.modem?.retained.isEmpty == true, "\(board.modem?.retained.keys.sorted() ?? [])")
    board.stop()
  }

  /// OwnTracks' form over the same modem: each message on its topic, and the position is kept.
  @Test func aFormWithTopicsHasThemBehindAModemToo() throws {
    let board = try board(try ModemHomeAssistantTests.settings(""))
    board.modem?.adjust = {
      $0.isRetained = true
      $0.driver.mqttTopic = TopicName("owntracks/me/bike") ?? $0.driver.mqttTopic
    }
    board.modemWays = [.init(.mqtt, format: .ownTracks)]
    try board.start()
    board.live(until: VirtualBoard.hour(0.3))
    #expect(board.run?.request("status") == true)
    board.live(until: VirtualBoard.hour(0.4))
    let kept = try #require(board.modem?.retained)
    #expect(kept.keys.sorted() == ["owntracks/me/bike"] && kept.values.first?.contains("\"location\"") == true)
    let answers = board.modem?.published.filter { $0.topic == "owntracks/me/bike/status" } ?? []
    #expect(!answers.isEmpty && answers.allSatisfy { $0.text.contains("\"_type\":\"status\"") })
    board.stop()
  }

  @Test func theBrokerSaysWhenTheTrackerIsGoneAndItSaysSoItselfWhenItIsBack() throws {
    let away = VirtualBoard.hour(0.5)..<VirtualBoard.hour(0.6)
    let board = try board(try ModemHomeAssistantTests.settings(), except: [(.mqtt, away)])
    try board.start()
    board.live(until: VirtualBoard.hour(1))
    let words = board.modem?.published.filter { $0.topic == "leash/bike42/available" }.map(\.text)
    #expect(words == ["online", "offline", "online"])
    #expect(board.modem?.retained["leash/bike42/available"] == "online")
    board.stop()
  }
}

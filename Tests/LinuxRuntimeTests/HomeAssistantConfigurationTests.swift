import HomeAssistant
import SIM7000
import Testing
import Uplinks

@testable import LinuxRuntime

@Suite struct HomeAssistantConfigurationTests {
  private func mqtt(_ uplink: String, id: String = "bike42") throws -> MQTTSettings {
    let file = try BoardConfigurationFile(
      text: "{ trackerId: \"\(id)\", uplinks: [{ by: \"mqtt\", host: \"localhost\", \(uplink) }] }", name: "x")
    guard case .mqtt(let settings)? = file.configuration.uplinks.first?.kind else { throw Missing() }
    return settings
  }
  private struct Missing: Error {}

  /// What is wrong; nil when nothing is.
  private func problem(_ uplink: String, more: String = "", top: String = "") -> String? {
    do throws(BoardConfigurationFailure) {
      _ = try BoardConfigurationFile(
        text: "{ trackerId: \"bike42\", \(top) uplinks: [{ by: \"mqtt\", host: \"localhost\", \(uplink) }\(more)] }",
        name: "x")
      return nil
    } catch {
      guard case .invalid(let lines) = error else { return "unreadable" }
      return lines.joined(separator: "\n")
    }
  }

  @Test func oneWordIsEnough() throws {
    let mqtt = try mqtt("homeAssistant: true")
    #expect(mqtt.topic == "leash/bike42/packet" && mqtt.commandTopic == "leash/bike42/request" && mqtt.isRetained)
    let announcement = try #require(mqtt.announcement)
    #expect(announcement.availabilityTopic == "leash/bike42/available")
    #expect(announcement.serverTopic == "homeassistant/status")
    #expect(announcement.messages.map(\.topic) == ["homeassistant/device/leash_bike42/config"])
    #expect(try self.mqtt("topic: \"a/b\"").announcement == nil)
  }

  @Test func whatTheFileSaysComesFirst() throws {
    let mqtt = try mqtt(
      "topic: \"t\", commandTopic: \"c\", homeAssistant: { name: \"My bike\", prefix: \"ha\", form: \"components\", availability: \"a\" }, trusted: [\"locate\"]"
    )
    #expect(mqtt.topic == "t" && mqtt.commandTopic == "c" && mqtt.announcement?.availabilityTopic == "a")
    let settings = try #require(mqtt.homeAssistant)
    #expect(settings.prefix == "ha" && settings.form == .components && settings.device.requests == [.locate])
    let messages = try #require(mqtt.announcement).messages
    #expect(messages.count == HomeAssistantEntity.allCases.count)
    // What is not shown is taken away.
    let dismiss = try #require(messages.first { $0.topic == "ha/button/leash_bike42/dismiss/config" })
    #expect(dismiss.bytes.isEmpty && messages.contains { $0.topic.contains("locate") && !$0.bytes.isEmpty })
  }

  /// A file with a modem alone, and its problems.
  private func modem(_ uplink: String, mqtt: String = "", id: String = "bike42") throws -> ModemSettings? {
    try BoardConfigurationFile(
      text: """
        { trackerId: "\(id)", modem: { port: "/dev/ttyS9", mqtt: { host: "b.example"\(mqtt) } },
          uplinks: [{ by: "modem", transport: "mqtt", \(uplink) }] }
        """, name: "x"
    ).configuration.modem
  }

  @Test func oneWordIsEnoughForAModem() throws {
    let modem = try #require(try modem("homeAssistant: true"))
    #expect(modem.driver.mqttTopic == TopicName("leash/bike42/packet") && modem.isRetained)
    #expect(modem.driver.mqttCommandTopic == TopicName("leash/bike42/request"))
    #expect(modem.driver.mqttAvailabilityTopic == TopicName("leash/bike42/available"))
    #expect(modem.driver.mqttServerTopic == TopicName("homeassistant/status"))
    let house = try #require(modem.homeAssistant)
    #expect(house.form == .components && !house.device.offers(.outbox) && !house.device.offers(.live))
    let own = try #require(
      try self.modem("homeAssistant: { prefix: \"ha\" }", mqtt: ", topic: \"t\", commandTopic: \"c\""))
    #expect(own.driver.mqttTopic == TopicName("t") && own.driver.mqttCommandTopic == TopicName("c"))
    #expect(own.driver.mqttServerTopic == TopicName("ha/status"))
    let without = try #require(try self.modem("receiver: \"x\""))
    #expect(without.homeAssistant == nil && without.driver.mqttServerTopic.isEmpty && !without.isRetained)
  }

  @Test(arguments: [
    (
      "homeAssistant: true", "", "x23456789-123456789-123456789-12",
      "x:2:13: 'uplinks[0].homeAssistant': the longest announcement"
    ),
    (
      "homeAssistant: { prefix: \"\(String(repeating: "p", count: 64))\" }", "", "x23456789-123456789-123456789-12",
      "the longest topic has"
    ),
    ("homeAssistant: true, format: \"ownTracks\"", "", "bike42", "the format \"json\""),
    ("homeAssistant: true", ", retain: false", "bike42", "'modem.mqtt.retain' is false"),
    ("homeAssistant: true", ", topic: \"a//b\"", "bike42", "x:1:87: 'modem.mqtt.topic': \"a//b\" has an empty level"),
    ("homeAssistant: true", ", topic: \"a\", commandTopic: \"a/alert\"", "bike42", "different topics"),
    ("homeAssistant: { form: \"device\" }", "", "bike42", "belongs to by: \"mqtt\""),
    ("homeAssistant: true, kinds: \"movement\"", "", "bike42", "all kinds"),
  ])
  func whatAModemCantCarryIsToldWithItsPlace(uplink: String, mqtt: String, id: String, problem: String) {
    #expect(throws: BoardConfigurationFailure.self) { try modem(uplink, mqtt: mqtt, id: id) }
    do {
      _ = try modem(uplink, mqtt: mqtt, id: id)
    } catch BoardConfigurationFailure.invalid(let lines) {
      #expect(lines.joined(separator: "\n").contains(problem), "\(lines)")
    } catch { Issue.record("\(error)") }
  }

  @Test func theWordNeedsABrokerAndIsSaidOncePerBroker() {
    let other = ", { by: \"modem\", receiver: \"x\", transport: \"http\", homeAssistant: true }"
    let http = "modem: { port: \"/dev/ttyS9\", url: \"http://a.example\" },"
    #expect(problem("", more: other, top: http)?.contains("listens to a broker, and the transport is \"http\"") == true)
    let mqtt = "modem: { port: \"/dev/ttyS9\", mqtt: { host: \"localhost\" } },"
    let same = ", { by: \"modem\", receiver: \"x\", transport: \"mqtt\", homeAssistant: true }"
    #expect(problem("homeAssistant: true", more: same, top: mqtt)?.contains("expected once") == true)
  }

  @Test func anIdThatIsNoTopicHasOneAllTheSame() throws {
    #expect(try mqtt("homeAssistant: true", id: "my.bike_2").topic == "leash/my_2Ebike_2/packet")
  }

  @Test(arguments: [
    ("homeAssistant: true, format: \"ownTracks\"", "the format \"json\""),
    ("homeAssistant: true, retain: false", "have no data"),
    ("homeAssistant: true, will: { topic: \"w\", payload: \"gone\" }", "only will"),
    ("homeAssistant: true, topic: \"a//b\"", "empty level"), ("homeAssistant: true, topic: \"/a\"", "empty level"),
    ("homeAssistant: true, commandTopic: \"a/\"", "empty level"),
    ("homeAssistant: { prefix: \"a//b\" }", "empty level"),
    ("homeAssistant: { prefix: \"a/+\" }", "without '#' and '+'"),
    ("homeAssistant: { availability: \"a/#\" }", "without '#' and '+'"),
    ("homeAssistant: true, topic: \"$SYS/a\"", "reserved for the broker"),
    ("homeAssistant: true, topic: \"a\", commandTopic: \"a\"", "different topics"),
    ("homeAssistant: { availability: \"a/status\" }, topic: \"a\"", "different topics"),
    ("homeAssistant: true, topic: \"homeassistant/bike\"", "expected another topic"),
    ("homeAssistant: true, kinds: \"movement\"", "all kinds"),
    ("homeAssistant: { nam: \"x\" }", "did you mean"),
    ("homeAssistant: { form: \"both\" }", "one of"), ("homeAssistant: { zones: [\"a'b\"] }", "names of letters"),
    ("otherHosts: [\"a:0\"]", "hosts"), ("otherHosts: [\"a b\"]", "hosts"),
    ("otherHosts: [\"a\", \"b:1\", \"c d\"]", "a port; [2] is none"),
  ])
  func whatCantWorkIsRefused(uplink: String, words: String) {
    #expect(problem(uplink)?.contains(words) == true, "\(problem(uplink) ?? "nothing is wrong")")
  }

  @Test func aTopicThatIsRefusedIsToldOnce() {
    for uplink in ["homeAssistant: { availability: \"a+b\" }", "homeAssistant: { prefix: \"a+b\" }"] {
      let lines = problem(uplink)?.split(separator: "\n") ?? []
      #expect(lines.count == 1 && lines.first?.contains("without '#' and '+'") == true, "\(lines)")
    }
  }

  /// What works with some brokers, and what does nothing, is told; it is not refused.
  @Test(arguments: [
    ("topic: \"a//b\"", "has an empty level"), ("topic: \"/a\"", "has an empty level"),
    ("commandTopic: \"a/\"", "has an empty level"), ("trusted: [\"locate\"]", "no request can come on this uplink"),
  ])
  func whatMayNotWorkIsWarnedOf(uplink: String, words: String) throws {
    func warnings(_ uplink: String) throws -> [String] {
      try BoardConfigurationFile(
        text: "{ uplinks: [{ by: \"mqtt\", host: \"localhost\", \(uplink) }] }", name: "x"
      ).warnings.filter { $0.contains(words) }
    }
    #expect(try warnings(uplink).count == 1)
    #expect(try warnings("topic: \"a/b\", commandTopic: \"c\", trusted: [\"locate\"]").isEmpty)
    #expect(try warnings("homeAssistant: true, trusted: [\"locate\"]").isEmpty)
  }

  @Test func twoWaysToOneServerAreOneTooMany() {
    let second = ", { by: \"mqtt\", host: \"localhost\", homeAssistant: true, receiver: \"b\", topic: \"b\" }"
    #expect(problem("homeAssistant: true", more: second)?.contains("expected once") == true)
    let elsewhere = second.replacing("localhost", with: "elsewhere")
    #expect(problem("homeAssistant: true", more: elsewhere) == nil)
    // Another way of the receiver must have the same.
    let fallback = ", { by: \"http\", url: \"http://localhost/\", kinds: \"movement\" }"
    #expect(problem("homeAssistant: true", more: fallback)?.contains("'kinds' are not those") == true)
    #expect(problem("homeAssistant: true", top: "packetFormat: \"minimal\",")?.contains("\"minimal\"") == true)
  }

  @Test func aTopicHasAnEnd() {
    let longest = String(repeating: "t", count: HomeAssistantDevice.longestTopic)
    #expect(problem("homeAssistant: true, topic: \"\(longest)\"") == nil)
    #expect(problem("homeAssistant: true, topic: \"\(longest)t\"")?.contains("bytes at most") == true)
  }

  @Test func furtherBrokersHaveThePortOfTheFirstWhereTheySayNone() throws {
    let mqtt = try mqtt("port: 1884, otherHosts: [\"b\", \"c:1885\", \"::1\", \"[::2]:1886\"]")
    #expect(
      mqtt.hosts == [
        MQTTHost(name: "localhost", port: 1884), MQTTHost(name: "b", port: 1884), MQTTHost(name: "c", port: 1885),
        MQTTHost(name: "::1", port: 1884), MQTTHost(name: "::2", port: 1886),
      ])
    #expect(mqtt.hosts.map(\.text) == ["localhost:1884", "b:1884", "c:1885", "[::1]:1884", "[::2]:1886"])
    #expect(problem("otherHosts: [\"elsewhere\"], trusted: [\"locate\"]")?.contains("expected TLS") == true)
  }
}

import LinuxDevices
import Quantities
import Testing
import Uplinks

@testable import LinuxRuntime

private func hour(_ hours: Double) -> Instant { NetworkBoard.hour(hours) }

/// Hours of a board whose broker Home Assistant listens to.
@Suite struct HomeAssistantLifeTests {
  private func board(_ form: String = "device") throws -> NetworkBoard {
    let file = try BoardConfigurationFile(
      text: """
        { trackerId: "bike42", uplinks: [
          { by: "mqtt", host: "localhost", homeAssistant: { form: "\(form)" }, trusted: ["dismiss", "locate", "alerts", "track"] }
        ] }
        """, name: "x")
    let board = NetworkBoard(try Folder(isInMemory: true), file.configuration.uplinks[0])
    board.configuration.tracker.tracker.trackerID = file.configuration.tracker.tracker.trackerID
    return board
  }

  private func isDiscovery(_ topic: String) -> Bool { topic.hasPrefix("homeassistant/") }

  @Test func itSaysThatItIsThereAndWhatItHas() throws {
    let board = try board()
    try board.start()
    board.live(until: hour(0) + .seconds(10))
    #expect(board.broker.text(on: "leash/bike42/available") == "online")
    let config = try #require(board.broker.text(on: "homeassistant/device/leash_bike42/config"))
    #expect(config.hasPrefix("{") && config.hasSuffix("}"))
    #expect(board.broker.published.filter { isDiscovery($0.topic) }.allSatisfy { $0.isRetained })
    board.stop()
  }

  @Test func theDeviceHasTheVersionOfTheProgram() throws {
    let board = try board()
    board.configuration.uplinks[0].tell(version: "1.2.3")
    try board.start()
    board.live(until: hour(0) + .seconds(10))
    let config = try #require(board.broker.text(on: "homeassistant/device/leash_bike42/config"))
    #expect(config.contains(#""mdl":"Leash tracker","sw":"1.2.3"}"#), "\(config.prefix(300))")
    board.stop()
  }

  @Test func itSaysGoodbyeAndTheBrokerDoesWhenItCant() throws {
    let board = try board()
    board.broker.mood = { hour(1) <= $0 && $0 < hour(2) ? .isDown : .works }
    try board.start()
    board.live(until: hour(1) + .seconds(30))
    #expect(board.broker.text(on: "leash/bike42/available") == "offline")
    board.live(until: hour(2.1))
    #expect(board.broker.text(on: "leash/bike42/available") == "online")
    board.stop()
    #expect(board.broker.text(on: "leash/bike42/available") == "offline")
  }

  @Test func whatWaitsAndWhetherItIsTrackedIsToldBesideThePackets() throws {
    let board = try board()
    board.broker.mood = { hour(1) <= $0 && $0 < hour(2) ? .isDown : .works }
    func state() -> String? { board.broker.text(on: "leash/bike42/packet/state") }
    try board.start()
    board.live(until: hour(0.5))
    #expect(state() == #"{"outbox":0,"live":false}"#)
    board.broker.say("track 10 600", on: "leash/bike42/request")
    board.live(until: hour(0.5) + .seconds(10))
    #expect(state() == #"{"outbox":0,"live":true}"#)
    board.live(until: hour(0.5) + .seconds(590))
    #expect(state() == #"{"outbox":0,"live":true}"#)
    board.live(until: hour(0.5) + .seconds(610))
    #expect(state() == #"{"outbox":0,"live":false}"#, "it ends by itself")
    board.broker.say("track 10 600", on: "leash/bike42/request")
    board.live(until: hour(0.75))
    board.broker.say("track off", on: "leash/bike42/request")
    board.live(until: hour(0.75) + .seconds(10))
    #expect(state() == #"{"outbox":0,"live":false}"#)
    board.live(until: hour(2.2))
    let states = board.broker.published.filter { $0.topic == "leash/bike42/packet/state" }
    #expect(states.allSatisfy { $0.isRetained } && states.contains { !$0.text.contains(#""outbox":0"#) }, "\(states)")
    #expect(state() == #"{"outbox":0,"live":false}"#, "when all is delivered nothing waits")
    #expect(states.count < 20, "a packet that is acknowledged at once is none that waits: \(states.count)")
    board.stop()
  }

  @Test func aSwitchAgainstTamperingIsToldWhereThereIsOne() throws {
    let board = try board()
    board.sensors = [
      VirtualSensor("virtual switch", every: .seconds(2), except: Outages()) { time in
        var contacts = Contacts()
        contacts[.tamper] = hour(0.5) <= time && time < hour(0.6)
        return .reading(.contacts(ContactReading(time: time, contacts)))
      }
    ]
    func state() -> String? { board.broker.text(on: "leash/bike42/packet/state") }
    try board.start()
    board.live(until: hour(0.4))
    #expect(state()?.hasSuffix(#","tamper":false}"#) == true, "\(state() ?? "")")
    board.live(until: hour(0.5) + .seconds(20))
    #expect(state()?.hasSuffix(#","tamper":true}"#) == true, "\(state() ?? "")")
    board.live(until: hour(0.6) + .seconds(20))
    #expect(state()?.hasSuffix(#","tamper":false}"#) == true, "\(state() ?? "")")
    board.stop()
  }

  @Test func aServerThatStartsIsToldAllAgain() throws {
    let board = try board("components")
    try board.start()
    board.live(until: hour(1))
    let before = board.broker.published.count { isDiscovery($0.topic) }
    board.broker.say("offline", on: "homeassistant/status")
    board.live(until: hour(1.1))
    #expect(board.broker.published.count { isDiscovery($0.topic) } == before)
    board.broker.say("online", on: "homeassistant/status")
    board.live(until: hour(1.2))
    #expect(board.broker.published.count { isDiscovery($0.topic) } == before * 2)
    board.stop()
  }

  @Test func aPacketWaitsForOneAnnouncementAtMost() throws {
    let board = try board("components")
    try board.start()
    board.live(until: hour(1))
    board.broker.say("online", on: "homeassistant/status")
    board.broker.say("locate", on: "leash/bike42/request")
    board.live(until: hour(1) + .seconds(30))
    let published = board.broker.published
    let last = try #require(published.lastIndex { isDiscovery($0.topic) })
    let packet = try #require(published.lastIndex { $0.topic == "leash/bike42/packet" })
    #expect(packet < last, "it came before they were all told")
    board.stop()
  }

  @Test func theLastAlertStaysWhenReportsHaveComeSince() throws {
    let board = try board()
    board.wheelAway(at: hour(1))
    try board.start()
    board.live(until: hour(1.2))
    let alert = try #require(board.broker.text(on: "leash/bike42/packet/alert"))
    #expect(alert.contains("\"type\":\"movement\""))
    #expect(board.broker.text(on: "leash/bike42/packet")?.contains("\"type\":\"location\"") == true)
    let sent = board.broker.published.filter { $0.topic == "leash/bike42/packet" && $0.text.contains("\"movement\"") }
    let kept = board.broker.published.filter { $0.topic == "leash/bike42/packet/alert" }
    #expect(sent.map(\.text) == kept.map(\.text), "each once in both places")
    #expect(board.run?.unsentCount == 0)
    board.stop()
  }

  @Test func whetherAlertsAreOnIsAskedForOnceWhenNobodyKnows() throws {
    let board = try board()
    try board.start()
    board.live(until: hour(1))
    #expect(board.broker.text(on: "leash/bike42/packet/status")?.contains("\"alertsEnabled\":true") == true)
    let count = board.broker.published.count { $0.topic == "leash/bike42/packet/status" }
    #expect(count == 1)
    board.broker.say("alerts off", on: "leash/bike42/request")
    board.live(until: hour(1.5))
    #expect(board.broker.text(on: "leash/bike42/packet/status")?.contains("\"alertsEnabled\":false") == true)
    board.stop()
    // The broker knows it: a new life does not ask.
    try board.start()
    board.live(until: hour(2.5))
    #expect(board.broker.published.count { $0.topic == "leash/bike42/packet/status" } == count + 1)
    board.stop()
  }

  /// A broker that is killed forgets what it kept: an hour without a state would follow.
  @Test func aBrokerThatHasLostWhatItKeptIsToldTheStateAgain() throws {
    let board = try board()
    board.broker.mood = { hour(1) <= $0 && $0 < hour(1.05) || hour(2) <= $0 && $0 < hour(2.05) ? .isDown : .works }
    try board.start()
    board.live(until: hour(1.2))
    let count = board.broker.published.count { $0.topic == "leash/bike42/packet/status" }
    #expect(count == 1, "a broker that has kept it is not told again")
    board.live(until: hour(2.02))
    board.broker.forgetAll()
    board.live(until: hour(2.1))
    #expect(board.broker.text(on: "leash/bike42/packet")?.contains("\"armed\":") == true)
    #expect(board.broker.text(on: "leash/bike42/packet/status")?.contains("\"alertsEnabled\":true") == true)
    #expect(board.broker.published.count { $0.topic == "leash/bike42/packet/status" } == count + 1)
    board.stop()
  }

  @Test func whatCameLateDoesNotTakeTheShownStateBack() throws {
    let board = try board()
    board.broker.mood = { hour(1) <= $0 && $0 < hour(6) ? .isCutOff : .works }
    board.wheelAway(at: hour(3))
    try board.start()
    board.live(until: hour(7))
    #expect(board.run?.unsentCount == 0)
    let shown = board.broker.published.filter { $0.topic == "leash/bike42/packet" }.compactMap { sequence($0.text) }
    #expect(shown == shown.sorted(), "\(shown)")
    let late = board.broker.published.filter { $0.topic == "leash/bike42/packet/late" }
    #expect(!late.isEmpty && late.allSatisfy { !$0.isRetained })
    #expect(board.broker.text(on: "leash/bike42/packet").flatMap { sequence($0) } == shown.max())
    // An alert is told however late it is.
    #expect(board.broker.text(on: "leash/bike42/packet/alert") != nil)
    let all = Set(board.broker.published.compactMap { sequence($0.text) })
    #expect(all == Set(1...(all.max() ?? 1)), "none is lost")
    board.stop()
  }

  private func sequence(_ text: String) -> Int? {
    guard let range = text.firstRange(of: "\"sequence\":") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isNumber })
  }
}

/// Brokers that stand in for each other.
@Suite struct SeveralBrokersTests {
  @Test func theNextIsTriedAtOnceAndAPauseComesAfterTheLast() throws {
    var settings = MQTTSettings()
    settings.others = [MQTTHost(name: "second", port: 1883), MQTTHost(name: "third", port: 1883)]
    let board = NetworkBoard(try Folder(isInMemory: true), .mqtt(settings))
    board.broker.mood = { hour(1) <= $0 && $0 < hour(3) ? .isDown : .works }
    try board.start()
    board.live(until: hour(1))
    #expect(board.broker.hosts == ["localhost"])
    board.live(until: hour(3.1))
    let tries = board.broker.hosts.dropFirst().prefix(7)
    #expect(Array(tries) == ["second", "third", "localhost", "second", "third", "localhost", "second"])
    let waits = pauses(board.broker.connections, in: hour(1)..<hour(3))
    #expect(waits[0] < 0.2, "\(waits[0])")
    #expect(waits[1] >= 1 && waits[1] < 1.3, "all three were tried: \(waits[1])")
    #expect(try board.way.state == "open")
    board.stop()
  }
}

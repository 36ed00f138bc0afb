import Delivery
import Foundation
import LinuxDevices
import TrackerRuntime
import Quantities
import ServerSupport
import Synchronization
import Telemetry
import Testing

@testable import Uplinks

private func packet(_ sequence: UInt32, _ kind: PacketKind = .location) -> OutgoingPacket {
  OutgoingPacket(sequence: sequence, kind: kind, bytes: Array("packet \(sequence)".utf8))
}

/// What MQTT does beyond a packet that goes and is acknowledged.
@Suite struct MQTTPromiseTests {
  private func settings(_ broker: MosquittoServer, _ client: String = "leash-1") -> MQTTSettings {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.clientID = client
    settings.topic = "leash/1"
    return settings
  }

  @Test func theLastPacketIsKeptForNewcomersWhenTheOwnerWantsIt() throws {
    guard let broker = try MosquittoServer() else { return }
    for (isRetained, topic) in [(true, "leash/kept"), (false, "leash/gone")] {
      var set = settings(broker, topic)
      set.isRetained = isRetained
      set.topic = topic
      let way = try RunningUplink(MQTTUplink(set, seed: 1))
      way.take(1)
      way.turns { way.delivered == [1] }
    }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    watcher.publish("end", to: "leash/end")
    #expect(turn(try EventLoop(clock: MachineClock())) { watcher.messages.contains { $0.text == "end" } })
    #expect(watcher.messages.map(\.topic) == ["leash/kept", "leash/end"])
  }

  /// A broker that closes the connection at a long message of the announcement gets all else, and that one no more.
  @Test func aMessageThatTheBrokerDoesNotTakeIsLeftOutAfterTwoTries() throws {
    var own = MosquittoServer.Settings()
    own.longestPacket = 2000
    guard let broker = try MosquittoServer(own) else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    var set = settings(broker)
    var announcement = MQTTAnnouncement()
    announcement.availabilityTopic = "leash/1/available"
    announcement.serverTopic = "homeassistant/status"
    announcement.messages = [("a", 10), ("long", 1990), ("b", 20), ("longer", 3000), ("c", 30)].map { topic, count in
      MQTTMessage(topic: "homeassistant/\(topic)", bytes: Array(repeating: 0x61, count: count))
    }
    set.announcement = announcement
    let uplink = MQTTUplink(set, seed: 1)
    uplink.backOff.unit = .milliseconds(20)
    let way = try RunningUplink(uplink)
    func fact(_ name: String) -> String? { way.uplink.facts.first { $0.name == name }?.value }
    way.turns { fact("announced") == "1 times" }
    #expect(fact("connections") == "5", "each of the two is tried twice")
    #expect(fact("not announced") == "the broker closes the connection at a message of 3000 bytes")
    let expected = ["homeassistant/a", "homeassistant/b", "homeassistant/c"]
    func told() -> [String] {
      watcher.messages.map(\.topic).filter { $0.hasPrefix("homeassistant/") && $0 != "homeassistant/status" }
    }
    #expect(turn(try EventLoop(clock: MachineClock())) { Set(told()) == Set(expected) })
    // What comes behind it arrives, and stays so at the next start of the server and of the broker.
    way.take(1)
    way.turns { way.delivered == [1] }
    watcher.publish("online", to: "homeassistant/status")
    way.turns { fact("announced") == "2 times" }
    #expect(fact("connections") == "5")
    #expect(turn(try EventLoop(clock: MachineClock())) { told().suffix(3) == expected[...] }, "\(told())")
    way.take(2, .movement)
    way.turns { way.delivered == [1, 2] }
  }

  /// A connection that breaks for other reasons takes nothing from what is announced.
  @Test func aBreakThatIsNoAnswerLeavesNothingOut() {
    var content = MQTTAnnouncement()
    content.messages = (0..<3).map { MQTTMessage(topic: "\($0)", bytes: [$0]) }
    var announcer = MQTTAnnouncer(content)
    func tell(_ number: Int32, at seconds: Int) {
      #expect(announcer.next != nil)
      announcer.sent(number, at: .zero + .seconds(seconds))
    }
    func close(at seconds: Int, counts: Bool = true) {
      let isTaken = announcer.closed(at: .zero + .seconds(seconds))
      #expect(isTaken == counts)
      announcer.begin()
    }
    func acknowledge(_ number: Int32) {
      let isTaken = announcer.acknowledged(number)
      #expect(isTaken)
    }
    // Nothing was under way.
    close(at: 0, counts: false)
    // Later than a broker needs to read it.
    for life in 0..<3 {
      tell(Int32(life), at: 100 * life)
      close(at: 100 * life + 5)
    }
    // Once, and after an acknowledgement once more.
    tell(10, at: 1000)
    close(at: 1001)
    tell(11, at: 1002)
    acknowledge(11)
    tell(12, at: 1003)
    close(at: 1004)
    #expect(announcer.longestRefused == nil)
    tell(13, at: 1005)
    acknowledge(13)
    #expect(announcer.next?.topic == "1")
    tell(14, at: 1006)
    close(at: 1007)
    #expect(announcer.longestRefused == 1 && announcer.next?.topic == "0")
    tell(15, at: 1008)
    acknowledge(15)
    #expect(announcer.next?.topic == "2", "the second is left out")
  }

  @Test func messagesAreRequestsUpToTheirLimit() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    var set = settings(broker)
    set.commandTopic = "leash/1/cmd"
    let way = try RunningUplink(MQTTUplink(set, seed: 1))
    way.turns { way.isOpen }
    way.take(1)
    way.turns { way.delivered == [1] && way.uplink.facts.contains { $0 == ("requests", "leash/1/cmd") } }
    let most = String(repeating: "a", count: 4096)
    for text in ["", most, most + "b", "arm", "arm"] { watcher.publish(text, to: "leash/1/cmd") }
    way.turns { way.requests.last == "arm" && way.requests.count >= 3 }
    #expect(way.requests == [most, "arm", "arm"], "what the broker sends is handed on, duplicates included")
  }

  /// A connection that breaks soon after it was made does not end the trouble before it.
  @Test func onlyAConnectionThatLivesEndsATrouble() throws {
    guard let broker = try MosquittoServer() else { return }
    let way = try RunningUplink(MQTTUplink(settings(broker), seed: 1))
    way.turns { way.isOpen }
    broker.kill()
    way.turns { way.failure != nil }
    try broker.start()
    let opened = MonotonicClock.now
    way.uplink.advance(to: try #require(way.uplink.nextDeadline))
    way.turns { way.isOpen }
    func nextWait() -> Interval {
      var waits = way.uplink.backOff
      return waits.next(after: .passing)
    }
    #expect(nextWait() >= .seconds(2))
    // Looked at before ten seconds are over, and after.
    var look = try #require(way.uplink.nextDeadline)
    way.uplink.advance(to: min(look, opened + .seconds(9)))
    #expect(nextWait() >= .seconds(2))
    look = MonotonicClock.now + .seconds(30)
    way.uplink.advance(to: look)
    #expect(nextWait() < .seconds(2))
  }

  /// Everything that was under way is published again when a broker was silent for too long, in the old order, alerts first.
  @Test func whatIsUnderWayIsPublishedAgainAfterSilence() throws {
    guard let broker = try MosquittoServer() else { return }
    let uplink = MQTTUplink(settings(broker), seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    let way = try RunningUplink(uplink)
    way.turns { way.isOpen }
    broker.pause()
    for number in UInt32(1)...3 { way.take(number, number == 3 ? .movement : .location) }
    let taken = MonotonicClock.now
    way.uplink.advance(to: taken + .seconds(19))
    #expect(way.failure == nil)
    way.uplink.advance(to: taken + .seconds(20))
    #expect(way.failure == "the broker does not acknowledge")
    broker.resume()
    // The pause is told in the time of the test; a sign of life comes by itself.
    way.uplink.advance(to: try #require(way.uplink.nextDeadline))
    way.turns { Set(way.delivered) == [1, 2, 3] }
    #expect(way.delivered.first == 3)
  }

  /// Packets of a connection that broke have the whole time again on the next.
  @Test func packetsOfABrokenConnectionAreNotOverdueOnTheNext() throws {
    guard let broker = try MosquittoServer() else { return }
    let uplink = MQTTUplink(settings(broker), seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    let way = try RunningUplink(uplink)
    way.turns { way.isOpen }
    broker.pause()
    way.uplink.take(packet(1), at: MonotonicClock.now - .seconds(15))
    broker.kill()
    way.turns { way.failure != nil }
    try broker.start()
    broker.pause()
    broker.resume()
    way.turns { way.isOpen }
    way.uplink.advance(to: MonotonicClock.now + .seconds(10))
    #expect(way.failure == nil)
    way.turns { way.delivered == [1] }
  }

  /// Each answer of a broker to a connection: what it says, and whether it is worth to come back soon, also for an alert.
  @Test(arguments: [UInt8(1), 2, 3, 4, 5]) func aBrokersNoIsToldAndMeetsTheRightPatience(code: UInt8) throws {
    let broker = try ScriptedBroker(answer: code, grants: 1)
    let way = try RunningUplink(MQTTUplink(broker.settings, seed: 1))
    way.turns { way.failure != nil }
    #expect(way.failure == MQTTWords.refusal(Int32(code)))
    let pause = try #require(way.uplink.nextDeadline)
    let isShort = pause - MonotonicClock.now < .seconds(2)
    #expect(isShort == (code == 3))
    way.take(1, .movement)
    #expect(way.uplink.nextDeadline == pause, "no alert knocks again at a door that was shut")
  }

  /// What is said to a broker, in bytes: session, will, user, sign of life, quality of service.
  @Test func aBrokerIsToldWhatTheSettingsSay() throws {
    func connect(_ change: (inout MQTTSettings) -> Void) throws -> (
      connect: [UInt8], others: [[UInt8]], care: ClosedRange<Interval>
    ) {
      let broker = try ScriptedBroker(answer: 0, grants: 1)
      var set = broker.settings
      change(&set)
      let began = MonotonicClock.now
      let way = try RunningUplink(MQTTUplink(set, seed: 1))
      way.turns { way.isOpen }
      let isOpen = MonotonicClock.now
      let next = try #require(way.uplink.nextDeadline)
      // It was told while the connection was made.
      let care = (next - isOpen)...(next - began)
      way.take(1, .movement, "x")
      way.turns { way.delivered == [1] }
      return (broker.packets[0], Array(broker.packets.dropFirst()), care)
    }
    // Level 4 is MQTT 3.1.1. Flags: user, password, will retained, will quality (two bits), will, clean session.
    for (flags, change) in [
      (0b0000_0000, { _ in }), (0b0000_0010, { $0.keepsSession = false }), (0b1000_0000, { $0.user = "u" }),
      (0b1100_0000, { ($0.user, $0.password) = ("u", Secret("p")) }), (0b0000_1100, { $0.will = ("t", "gone") }),
    ] as [(UInt8, (inout MQTTSettings) -> Void)] {
      let found = try connect(change)
      #expect(Array(found.connect[2..<10]) == [0, 4] + Array("MQTT".utf8) + [4, flags])
      let texts = String(decoding: found.connect[12...], as: UTF8.self)
      #expect(texts.contains("leash") && texts.contains("gone") == (flags & 0b100 != 0))
    }
    for (seconds, told, care) in [
      (1, 5, 1), (2, 5, 1), (8, 8, 2), (60, 60, 15), (600, 600, 15), (65_535, 65_535, 15), (90_000, 65_535, 15),
    ] {
      let found = try connect { $0.keepAlive = .seconds(seconds) }
      #expect(Int(found.connect[10]) << 8 | Int(found.connect[11]) == told)
      #expect(found.care.contains(.seconds(care)), "\(seconds): \(found.care)")
    }
    // Published at quality 1, and kept by the broker when the owner says so; subscribed at quality 1, before any packet.
    for isRetained in [false, true] {
      let found = try connect {
        $0.isRetained = isRetained
        $0.commandTopic = "c"
        $0.topic = "t"
      }
      #expect(found.others.map { $0[0] } == [0x82, isRetained ? 0x33 : 0x32])
      #expect(found.others[0].suffix(4) == [0, 1, 0x63, 1] && found.others[1].last == 0x78)
    }
  }

  /// A broker that never acknowledges the first packet: the alert behind it goes all the same, and clears itself alone.
  @Test func anAlertDoesNotWaitForTheAcknowledgementOfAnotherNorIsItTakenForIt() throws {
    let broker = try ScriptedBroker(answer: 0, grants: 1) { $0.suffix(2) != Array("-1".utf8) }
    let way = try RunningUplink(MQTTUplink(broker.settings, seed: 1))
    way.turns { way.isOpen }
    way.take(1, .location, "packet-1")
    way.take(2, .movement, "packet-2")
    way.turns { !way.delivered.isEmpty }
    #expect(way.delivered == [2])
    #expect(way.uplink.facts.contains { $0 == ("in flight", "1") })
  }

  /// Waits that have grown stay so when a connection is made, until it has lived for ten seconds.
  @Test func aConnectionThatWasJustMadeDoesNotEndATrouble() throws {
    let broker = try ScriptedBroker(answer: 0, grants: 1)
    let uplink = MQTTUplink(broker.settings, seed: 1)
    for _ in 0..<4 { _ = uplink.backOff.next(after: .passing) }
    let way = try RunningUplink(uplink)
    way.turns { way.isOpen }
    let opened = MonotonicClock.now
    func nextWait() -> Interval {
      var waits = uplink.backOff
      return waits.next(after: .passing)
    }
    // It is looked after at once, and then every quarter of a minute.
    let first = try #require(uplink.nextDeadline)
    if first < opened + .seconds(9) { uplink.advance(to: opened) }
    #expect(nextWait() >= .seconds(8))
    uplink.advance(to: opened + .seconds(30))
    #expect(nextWait() < .seconds(2))
  }

  /// To connect proves nothing of a broker that acknowledges nothing: other ways are better until it does.
  @Test func aBrokerThatAcknowledgesNothingHasFailedWithLongerAndLongerPausesUntilItDoes() throws {
    let broker = try ScriptedBroker(answer: 0, grants: 1) { $0.suffix(2) != Array("-1".utf8) }
    let way = try RunningUplink(MQTTUplink(broker.settings, seed: 1))
    way.turns { way.isOpen }
    way.take(1, .location, "packet-1")
    var pauses: [Interval] = []
    for _ in 0..<4 {
      // The connection lives longer than those that end a trouble, but nothing comes within twenty seconds.
      let opened = MonotonicClock.now
      way.uplink.advance(to: opened + .seconds(16))
      #expect(way.failure == nil || !pauses.isEmpty)
      let end = opened + .seconds(21)
      way.uplink.advance(to: end)
      #expect(way.failure == "the broker does not acknowledge" && way.uplink.doubt != nil)
      let retry = try #require(way.uplink.nextDeadline)
      pauses.append(retry - end)
      way.uplink.advance(to: retry)
      way.turns { way.uplink.facts.contains { $0 == ("connections", "\(pauses.count + 1)") } }
      // Open it may be called when a packet has been acknowledged.
      #expect(!way.isOpen && way.failure == "the broker does not acknowledge")
    }
    for (one, next) in zip(pauses, pauses.dropFirst()) {
      #expect(next.microseconds * 2 >= one.microseconds * 3, "\(pauses)")
    }
    way.take(2, .movement, "packet-2")
    way.turns { way.delivered == [2] }
    #expect(way.isOpen && way.uplink.doubt == nil)
  }

  @Test func aTopicThatIsRefusedIsShownAndPacketsGo() throws {
    let broker = try ScriptedBroker(answer: 0, grants: 128)
    var set = broker.settings
    set.commandTopic = "no/entry"
    let way = try RunningUplink(MQTTUplink(set, seed: 1))
    way.turns { way.isOpen }
    way.take(1)
    way.turns { way.delivered == [1] }
    way.turns { way.uplink.facts.contains { $0 == ("requests", "refused on no/entry") } }
    let granted = try ScriptedBroker(answer: 0, grants: 1)
    set.port = granted.settings.port
    let other = try RunningUplink(MQTTUplink(set, seed: 1))
    other.take(1)
    other.turns { other.delivered == [1] && other.uplink.facts.contains { $0 == ("requests", "no/entry") } }
  }

  @Test func aPauseIsCutShortByAnAlertUnlessSomebodyHasToChangeSomething() throws {
    var set = MQTTSettings()
    set.host = "127.0.0.1"
    set.port = try freeLoopbackPort()
    let way = try RunningUplink(MQTTUplink(set, seed: 1))
    // Some failures in a row, so that the pause is long.
    for _ in 0..<4 {
      way.turns { if case .failed(_, .some) = way.uplink.state { true } else { false } }
      way.uplink.advance(to: try #require(way.uplink.nextDeadline))
    }
    way.turns { if case .failed(_, .some) = way.uplink.state { true } else { false } }
    let pause = try #require(way.uplink.nextDeadline)
    way.take(1)
    #expect(way.uplink.nextDeadline == pause)
    way.take(2, .movement)
    let soon = try #require(way.uplink.nextDeadline)
    #expect(soon < pause)
    guard case .failed(_, let shown?) = way.uplink.state else {
      Issue.record("\(way.uplink.state)")
      return
    }
    #expect(shown == soon)
    #expect(way.uplink.facts.contains { $0 == ("in flight", "2") })
  }
}

/// A broker that answers as it is told: one connection after another, in bytes.
private final class ScriptedBroker: Sendable {
  let settings: MQTTSettings
  private let listener: Int32
  private let heard = Mutex<[[UInt8]]>([])

  /// All packets that came.
  var packets: [[UInt8]] { heard.withLock { $0 } }

  /// - Parameters:
  ///   - answer: To a connection; 0 is yes.
  ///   - grants: To a subscription; 128 is no.
  ///   - acknowledges: Whether a publication is acknowledged.
  init(
    answer: UInt8, grants: UInt8, acknowledges: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) throws {
    let (listener, port) = try LoopbackSocket.listen()
    self.listener = listener
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = port
    self.settings = settings
    Thread { [weak self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        ScriptedBroker.serve(connection, answer, grants, acknowledges) { packet in
          self?.heard.withLock { $0.append(packet) }
        }
        close(connection)
      }
      // Here and not before: its number would be another broker's at once, and this thread would answer in its place.
      close(listener)
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(
    _ connection: Int32, _ answer: UInt8, _ grants: UInt8, _ acknowledges: ([UInt8]) -> Bool,
    _ note: ([UInt8]) -> Void
  ) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer[..<count]
      // Nothing here is longer than 127 bytes.
      while bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) {
        let packet = Array(bytes[..<(2 + Int(bytes[1]))])
        bytes.removeFirst(packet.count)
        note(packet)
        var reply: [UInt8] = []
        switch packet[0] >> 4 {
        case 1: reply = [0x20, 2, 0, answer]
        case 3:
          guard acknowledges(packet) else { break }
          let topic = Int(packet[2]) << 8 | Int(packet[3])
          reply = [0x40, 2, packet[4 + topic], packet[5 + topic]]
        case 8: reply = [0x90, 3, packet[2], packet[3], grants]
        case 12: reply = [0xD0, 0]
        default: break
        }
        LoopbackSocket.send(reply, to: connection)
        if packet[0] >> 4 == 1, answer != 0 { return }
      }
    }
  }
}

import Delivery
import Foundation
import LinuxDevices
import Quantities
import TrackerRuntime
import ServerSupport
import Telemetry
import Testing
import TrackerCore

@testable import Uplinks

/// Delivery over real ways to real servers.
@Suite struct FallbackTests {
  private func mqtt(_ broker: MosquittoServer, client: String = "leash") -> MQTTUplink {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.clientID = client
    settings.will = (topic: "leash/will", payload: "lost")
    let uplink = MQTTUplink(settings, seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    return uplink
  }

  private func http(_ server: HTTPServer) -> HTTPUplink {
    var settings = HTTPSettings()
    settings.url = "http://127.0.0.1:\(server.port)/"
    let uplink = HTTPUplink(settings, seed: 2)
    uplink.backOff.unit = .milliseconds(50)
    return uplink
  }

  /// A run on the machine's clock, with the ways in a loop.
  private final class LiveRun {
    let loop: EventLoop
    let delivery: PacketDelivery
    let run: TrackerRun
    let ways: [any Uplink]

    init(_ ways: [PacketDelivery.Way], _ configuration: RunConfiguration = RunConfiguration()) throws {
      loop = try EventLoop(clock: MachineClock())
      self.ways = ways.compactMap { $0.port as? any Uplink }
      delivery = PacketDelivery(
        ways, parameters: configuration.tracker.outbox, fallbackAfter: .seconds(1), seed: 1)
      run = try TrackerRun(configuration, delivery: delivery) { _, _ in }
      for way in self.ways { try way.start(in: loop, at: MonotonicClock.now) }
    }

    deinit { for way in ways { way.stop() } }

    func request(_ text: String) throws {
      try run.feed(.command(MonotonicClock.now), payload: Array(text.utf8))
    }

    /// Turns until something holds.
    func turns(until holds: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let deadline = MonotonicClock.now + .seconds(20)
      while !holds() {
        guard MonotonicClock.now < deadline else {
          Issue.record("not in time; \(ways.map(\.state))", sourceLocation: sourceLocation)
          return
        }
        loop.turn(until: min(run.nextDeadline ?? deadline, MonotonicClock.now + .milliseconds(5)))
        try run.attend(at: MonotonicClock.now)
      }
    }

    var waiting: Int { run.look { $0.outbox.count } }
  }

  /// Numbers of the packets in texts, in their order.
  private func numbers(_ texts: [String]) -> [Int] {
    texts.compactMap { text in
      (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["sequence"] as? Int
    }
  }

  @Test func aBrokerThatHangsOrDiesLosesNothingAndIsUsedAgainWhenItIsBack() throws {
    guard let broker = try MosquittoServer() else { return }
    let server = try HTTPServer()
    let live = try LiveRun([PacketDelivery.Way(mqtt(broker)), PacketDelivery.Way(http(server))])
    try live.turns { live.ways[0].state == .open }
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    #expect(server.bodies == [])
    // It hangs: the other way has it after a while.
    broker.pause()
    let start = MonotonicClock.now
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    #expect(MonotonicClock.now - start >= .seconds(1))
    #expect(numbers(server.bodies) == [2])
    // It dies: the other way has everything at once.
    broker.kill()
    try live.turns { live.ways[0].state != .open }
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    #expect(numbers(server.bodies) == [2, 3])
    // It is back: the better way is used again, and what it had under way is no news.
    try broker.start()
    try live.turns { live.ways[0].state == .open }
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    #expect(numbers(server.bodies) == [2, 3] && live.delivery.count == 0)
  }

  /// Two receivers, one away: the other loses nothing, and the one that comes back gets all of its packets, kills in between.
  @Test func aReceiverThatIsAwayHoldsUpNobodyAndGetsAllWhenItIsBack() throws {
    guard let broker = try MosquittoServer() else { return }
    let server = try HTTPServer()
    var configuration = RunConfiguration()
    configuration.tracker.outbox.receivers.append(PacketKindSet(.status))
    let live = try LiveRun(
      [PacketDelivery.Way(http(server)), PacketDelivery.Way(mqtt(broker), receiver: 1)], configuration)
    let early = try MosquittoWatcher(port: broker.port)
    defer { early.stop() }
    try live.turns { live.ways[1].state == .open }
    try live.request("alerts off")
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    #expect(numbers(server.bodies) == [1, 2])
    try live.turns { early.messages.count == 1 }
    broker.kill()
    for word in ["on", "off", "on"] {
      try live.request("alerts \(word)")
      try live.request("locate")
    }
    try live.turns { numbers(server.bodies) == [1, 2, 3, 5, 7, 4, 6, 8] || server.bodies.count == 8 }
    #expect(Set(numbers(server.bodies)) == Set(1...8) && server.bodies.count == 8)
    // What the broker wants waits for it; the server has the last of the others before its answer is read.
    try live.turns { live.waiting == 3 }
    server.stop()
    try broker.start()
    let late = try MosquittoWatcher(port: broker.port)
    defer { late.stop() }
    try live.turns { live.waiting == 0 && late.messages.count >= 3 }
    let told = numbers(early.messages.map(\.text)) + numbers(late.messages.map(\.text))
    #expect(Set(told) == [1, 3, 5, 7], "the broker got \(told)")
    // Whatever came twice is the same, byte for byte, as everybody else had it.
    let texts = Set(server.bodies + early.messages.map(\.text) + late.messages.map(\.text))
    #expect(texts.count == 8)
  }

  /// Nobody has said that the server may: what it says draws nothing.
  @Test func aServerThatIsNotTrustedDrawsNoPacketByAnsweringWithRequests() throws {
    let server = try HTTPServer { _, _ in .status(200, body: "alerts off") }
    let live = try LiveRun([PacketDelivery.Way(http(server))])
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    #expect(server.bodies.count == 1 && live.run.diagnostics.requestsRefused == 1)
    #expect(live.run.look { $0.monitor.alertsEnabled })
  }

  /// A server that answers every packet with a request draws no storm: what answers an answer is refused, and a fifth within ten
  /// seconds, too.
  @Test func aServerThatAnswersEverythingWithARequestDrawsOnePacketEachAndNoStorm() throws {
    let server = try HTTPServer { _, _ in .status(200, body: "alerts off") }
    let live = try LiveRun([PacketDelivery.Way(http(server))])
    live.run.door[.answer(0)] = RequestKindSet(.alerts)
    try live.request("locate")
    try live.turns { server.bodies.count >= 2 && live.waiting == 0 }
    let end = MonotonicClock.now + .milliseconds(500)
    try live.turns { MonotonicClock.now > end }
    #expect(server.bodies.count == 2 && live.run.diagnostics.requestsRefused == 1)
    let isOn = live.run.look { $0.monitor.alertsEnabled }
    #expect(!isOn, "the first is obeyed")
    for _ in 0..<8 {
      try live.request("locate")
      try live.turns { live.waiting == 0 }
    }
    #expect(server.bodies.count <= 2 + 8 + 4)
  }

  @Test func aRetainedRequestIsPassedOver() throws {
    guard let broker = try MosquittoServer() else { return }
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.clientID = "owner"
    settings.topic = "leash/ask"
    settings.isRetained = true
    let owner = try LiveRun([PacketDelivery.Way(MQTTUplink(settings, seed: 3))])
    try owner.turns { owner.ways[0].state == .open }
    owner.ways[0].take(
      OutgoingPacket(sequence: 1, kind: .location, bytes: Array("locate".utf8)), at: MonotonicClock.now)
    try owner.turns { owner.ways[0].facts.contains { $0 == ("acknowledged", "1") } }
    settings.clientID = "tracker"
    settings.topic = "leash/packet"
    settings.isRetained = false
    settings.commandTopic = "leash/ask"
    let tracker = MQTTUplink(settings, seed: 4)
    let live = try LiveRun([PacketDelivery.Way(tracker)])
    live.run.door[.way(0)] = RequestKindSet(.locate)
    try live.turns { tracker.facts.contains { $0 == ("retained requests ignored", "1") } }
    #expect(live.run.look { $0.outbox.nextSequence } == 1, "nothing was made for it")
    // One that is sent now is obeyed.
    owner.ways[0].take(
      OutgoingPacket(sequence: 2, kind: .location, bytes: Array("locate".utf8)), at: MonotonicClock.now)
    let end = MonotonicClock.now + .seconds(10)
    while live.run.look({ $0.outbox.nextSequence }) == 1, MonotonicClock.now < end {
      owner.loop.turn(until: MonotonicClock.now + .milliseconds(2))
      live.loop.turn(until: MonotonicClock.now + .milliseconds(2))
      try live.run.attend(at: MonotonicClock.now)
    }
    #expect(live.run.look { $0.outbox.nextSequence } == 2)
  }

  @Test func waysThatAreStoppedWhileTheyConnectLeaveNoWill() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    let loop = try EventLoop(clock: MachineClock())
    for _ in 0..<20 {
      let uplink = mqtt(broker)
      try uplink.start(in: loop, at: MonotonicClock.now)
      uplink.stop()
    }
    let last = mqtt(broker)
    var hasNews = false
    last.onNews = { hasNews = true }
    try last.start(in: loop, at: MonotonicClock.now)
    last.take(OutgoingPacket(sequence: 1, kind: .movement, bytes: [0x31]), at: MonotonicClock.now)
    #expect(turn(loop) { hasNews && watcher.messages.contains { $0.text == "1" } })
    last.stop()
    #expect(!watcher.messages.contains { $0.text == "lost" })
  }

  @Test func waysThatHaveNothingToDoSleep() throws {
    guard let broker = try MosquittoServer() else { return }
    let server = try HTTPServer()
    var http = HTTPSettings()
    http.url = "http://127.0.0.1:\(server.port)/"
    let live = try LiveRun([
      PacketDelivery.Way(mqtt(broker)), PacketDelivery.Way(HTTPUplink(http, seed: 2), receiver: 1),
    ])
    try live.turns { live.ways[0].state == .open }
    try live.request("locate")
    try live.turns { live.waiting == 0 }
    let loop = live.loop
    let before = loop.turnCount
    let end = MonotonicClock.now + .seconds(1)
    while MonotonicClock.now < end { loop.turn(until: end) }
    // One for the end itself, and a few for time-outs that libcurl has set and not taken back.
    #expect(loop.turnCount - before <= 5)
  }
}

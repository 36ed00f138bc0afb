import LinuxDevices
import Quantities
import ServerSupport
import Telemetry
import Testing

@testable import Uplinks

/// The chain over real ways to real servers.
@Suite struct FallbackTests {
  private func mqtt(_ broker: MosquittoServer) -> MQTTUplink {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.will = (topic: "leash/will", payload: "lost")
    let uplink = MQTTUplink(settings, seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    return uplink
  }

  /// Turns the loop and the chain until something holds.
  private func turns(
    _ loop: EventLoop, _ chain: UplinkChain, until holds: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let deadline = MonotonicClock.now + .seconds(20)
    while !holds() {
      guard MonotonicClock.now < deadline else {
        Issue.record("not in time; \(chain.ways.map(\.state))", sourceLocation: sourceLocation)
        return
      }
      loop.turn(until: min(chain.nextDeadline ?? deadline, MonotonicClock.now + .milliseconds(5)))
      chain.advance(to: MonotonicClock.now)
    }
  }

  @Test func aBrokerThatHangsOrDiesLosesNothingAndIsUsedAgainWhenItIsBack() throws {
    guard let broker = try MosquittoServer() else { return }
    let server = try HTTPServer()
    var http = HTTPSettings()
    http.url = "http://127.0.0.1:\(server.port)/"
    let chain = UplinkChain([mqtt(broker), HTTPUplink(http, seed: 2)], fallbackAfter: .seconds(1))
    let loop = try EventLoop()
    try chain.start(in: loop, at: MonotonicClock.now)
    defer { chain.stop() }
    var acknowledged: [UInt32] = []
    func take(_ sequence: UInt32, _ kind: PacketKind) {
      chain.take(sequence: sequence, kind: kind, bytes: Array("packet \(sequence)".utf8), at: MonotonicClock.now)
    }
    func wait(for sequences: [UInt32]) {
      turns(loop, chain) {
        while let next = chain.nextAcknowledgement() { acknowledged.append(next) }
        return acknowledged == sequences
      }
    }
    turns(loop, chain) { chain.ways[0].state == .open }
    take(1, .location)
    wait(for: [1])
    #expect(server.bodies == [])
    // It hangs: an alert goes the other way after a quarter of the time.
    broker.pause()
    let start = MonotonicClock.now
    take(2, .movement)
    wait(for: [1, 2])
    #expect(MonotonicClock.now - start >= .milliseconds(250))
    #expect(server.bodies == ["packet 2"])
    // It dies: the other way has everything at once.
    broker.kill()
    turns(loop, chain) { chain.ways[0].state != .open }
    take(3, .location)
    wait(for: [1, 2, 3])
    #expect(server.bodies == ["packet 2", "packet 3"])
    // It is back: the better way is used again, and what it had under way is no news.
    try broker.start()
    turns(loop, chain) { chain.ways[0].state == .open }
    take(4, .location)
    wait(for: [1, 2, 3, 4])
    #expect(server.bodies == ["packet 2", "packet 3"])
    #expect(chain.count == 0)
  }

  @Test func waysThatAreStoppedWhileTheyConnectLeaveNoWill() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    let loop = try EventLoop()
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

  @Test func aChainWithAWayThatCanNotStartStartsNone() throws {
    var settings = MQTTSettings()
    settings.tls = TLSSettings()
    settings.tls?.authorityFile = "/nowhere"
    let server = try HTTPServer()
    var http = HTTPSettings()
    http.url = "http://127.0.0.1:\(server.port)/"
    let first = HTTPUplink(http, seed: 1)
    let chain = UplinkChain([first, MQTTUplink(settings, seed: 1)])
    let loop = try EventLoop()
    #expect(throws: DeviceFailure.self) { try chain.start(in: loop, at: MonotonicClock.now) }
    #expect(first.state == .idle)
    #expect(loop.nextDeadline == nil)
  }

  @Test func waysThatHaveNothingToDoSleep() throws {
    guard let broker = try MosquittoServer() else { return }
    let server = try HTTPServer()
    var http = HTTPSettings()
    http.url = "http://127.0.0.1:\(server.port)/"
    let loop = try EventLoop()
    let chain = UplinkChain([mqtt(broker), HTTPUplink(http, seed: 2)])
    try chain.start(in: loop, at: MonotonicClock.now)
    defer { chain.stop() }
    turns(loop, chain) { chain.ways[0].state == .open }
    for (place, way) in chain.ways.enumerated() {
      way.take(OutgoingPacket(sequence: UInt32(place), kind: .location, bytes: [1]), at: MonotonicClock.now)
    }
    var acknowledged = 0
    turns(loop, chain) {
      while chain.nextAcknowledgement() != nil { acknowledged += 1 }
      return acknowledged == 2
    }
    let before = loop.turnCount
    let end = MonotonicClock.now + .seconds(1)
    while MonotonicClock.now < end { loop.turn(until: end) }
    // One for the end itself, and a few for time-outs that libcurl has set and not taken back.
    #expect(loop.turnCount - before <= 5)
  }
}

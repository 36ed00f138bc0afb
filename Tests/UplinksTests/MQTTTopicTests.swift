import LinuxDevices
import Quantities
import ServerSupport
import Telemetry
import Testing
import TrackerRuntime

@testable import Uplinks

/// Messages of a form go to the topics behind that of the way, at a real broker.
@Suite struct MQTTTopicTests {
  @Test func eachMessageGoesToItsTopicAndOnlyPositionsAreKept() throws {
    guard let broker = try MosquittoServer() else { return }
    let early = try MosquittoWatcher(port: broker.port)
    defer { early.stop() }
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.clientID = "leash-1"
    settings.topic = "owntracks/me/bike"
    settings.isRetained = true
    let way = try RunningUplink(MQTTUplink(settings, seed: 1))
    way.turns { way.isOpen }
    let now = MonotonicClock.now
    for (place, topic) in MessageTopic.allCases.enumerated() {
      let head = MessageHead(isLast: topic == .dump, topic: topic)
      way.uplink.take(
        OutgoingPacket(
          sequence: UInt32(place + 1), kind: .transition, bytes: Array("m\(place)".utf8), head: head), at: now)
    }
    way.turns { way.delivered.count == MessageTopic.allCases.count }
    let late = try MosquittoWatcher(port: broker.port)
    defer { late.stop() }
    late.publish("end", to: "leash/end")
    for watcher in [early, late] {
      #expect(turn(try EventLoop(clock: MachineClock())) { watcher.messages.contains { $0.text == "end" } })
    }
    let topics = MessageTopic.allCases.map { "owntracks/me/bike\($0.suffix)" }
    #expect(Set(early.messages.map(\.topic)) == Set(topics + ["leash/end"]))
    #expect(Set(late.messages.map(\.topic)) == ["owntracks/me/bike", "owntracks/me/bike/info", "leash/end"])
  }
}

import Delivery
import LinuxDevices
import Quantities
import ServerSupport
import Testing

@testable import Uplinks

@Suite struct MQTTTroubleTests {
  /// With a short keep-alive a connection is looked at every few seconds: one that has lived for two ends no trouble.
  @Test func aBrokerThatHangsUpSoonIsCalledLessAndLessOften() throws {
    guard let broker = try MosquittoServer() else { return }
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.clientID = "leash-1"
    settings.topic = "leash/1"
    settings.keepAlive = .seconds(8)
    let way = try RunningUplink(MQTTUplink(settings, seed: 1))
    way.turns { way.isOpen }
    broker.kill()
    way.turns { way.failure != nil }
    try broker.start()
    way.uplink.advance(to: try #require(way.uplink.nextDeadline))
    let opened = MonotonicClock.now
    way.turns { way.isOpen }
    func nextWait() -> Interval {
      var waits = way.uplink.backOff
      return waits.next(after: .passing)
    }
    for second in [3, 6, 9] {
      way.uplink.advance(to: opened + .seconds(second))
      #expect(nextWait() >= .seconds(2), "after \(second) s")
    }
    way.uplink.advance(to: MonotonicClock.now + .seconds(12))
    #expect(nextWait() < .seconds(2))
  }
}

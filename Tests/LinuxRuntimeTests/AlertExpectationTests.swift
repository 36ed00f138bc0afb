import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import TrackerRuntime

/// A port that is only told that an alert may come.
private final class ExpectantPort: DeliveryPort {
  let name = "expectant"
  let state = UplinkState.idle
  var onNews: () -> Void = {}
  var nextPass: Instant? { nil }
  private(set) var expected: [Instant] = []
  func take(_ packet: OutgoingPacket, at now: Instant) {}
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { nil }
  func expectAlert(at now: Instant) { expected.append(now) }
}

/// What comes before an alert is told to each port, once, and nothing else is.
@Suite struct AlertExpectationTests {
  @Test func portsHearOfASuspicionAndOfAnAlertThatWaits() {
    let (first, second) = (ExpectantPort(), ExpectantPort())
    let delivery = PacketDelivery([.init(first), .init(second, receiver: 1), .init(first, channel: 3)], seed: 1)
    let evidence = MovementEvidence(detector: .tilt, ratio: 2, onset: .zero, duration: .zero)
    let events: [(TrackerEvent.Kind, Bool)] = [
      (.motion(.suspicious(evidence)), true), (.pending(alert: 3), true), (.motion(.calmed), false),
      (.motion(.armed), false), (.motion(.movement(evidence)), false), (.powerLost, false),
    ]
    for (place, (event, isTold)) in events.enumerated() {
      let before = first.expected.count
      delivery.follow(event, at: .seconds(place))
      #expect(first.expected.count == before + (isTold ? 1 : 0), "\(event)")
    }
    #expect(first.expected == [.seconds(0), .seconds(1)] && second.expected == first.expected)
  }
}

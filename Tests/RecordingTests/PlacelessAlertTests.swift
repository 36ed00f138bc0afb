import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import TrackerRuntime

/// A port that keeps what it gets.
private final class KeepingPort: DeliveryPort {
  let name = "keeping"
  let state = UplinkState.open
  let capacity = 32
  let takesEveryAlert = true
  var onNews: () -> Void = {}
  private(set) var taken: [OutgoingPacket] = []
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) {
    taken.append(packet)
    news.append(.delivered(sequence: packet.sequence))
  }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
}

/// A theft before the first fix: OwnTracks' apps show nothing without a place.
@Suite struct PlacelessAlertTests {
  /// - Returns: How many alerts went on each way.
  private func alerts(_ ways: [(PacketFormat, receiver: Int)]) throws -> [Int] {
    var configuration = RunConfiguration()
    for _ in 0..<(ways.map(\.receiver).max() ?? 0) { configuration.tracker.outbox.receivers.append(.all) }
    let ports = ways.map { _ in KeepingPort() }
    let delivery = PacketDelivery(
      zip(ports, ways).map { PacketDelivery.Way($0, receiver: $1.receiver, format: $1.0) },
      parameters: configuration.tracker.outbox, seed: 1)
    let run = try TrackerRun(configuration, delivery: delivery) { _, _ in }
    var alert = Packet(kind: .movement, time: .zero, utc: nil, phase: .alarmed, isArmed: true)
    alert.sequence = 7
    alert.alert = PacketAlert(
      id: 1, evidence: MovementEvidence(detector: .tilt, ratio: 2, onset: .zero, duration: .zero))
    var section = ByteBuffer()
    alert.encodeSection(revision: 1, into: &section)
    try run.feed(.recalled(.seconds(1), pending: .max), payload: section.bytes)
    try run.attend(at: .seconds(2))
    return ports.map { port in port.taken.count { $0.kind == .movement } }
  }

  @Test func itGoesAsAStatusWhereThereIsNothingElse() throws {
    let count = try alerts([(.ownTracks, 0)])
    #expect(count[0] > 0)
  }

  @Test func anotherWayOfTheReceiverThatShowsItGetsItInstead() throws {
    #expect(try alerts([(.ownTracks, 0), (.text, 0)]).map { $0 > 0 } == [false, true])
    #expect(try alerts([(.ownTracks, 0), (.minimal, 0)]).map { $0 > 0 } == [true, false])
    #expect(try alerts([(.ownTracks, 0), (.text, 1)]).map { $0 > 0 } == [true, true])
  }
}

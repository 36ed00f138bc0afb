import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import TrackerRuntime

/// A port whose state and news a test sets.
private final class ToldPort: DeliveryPort {
  let name = "told"
  let capacity = 32
  var onNews: () -> Void = {}
  var taken: [(sequence: UInt32, kind: PacketKind)] = []
  var state = UplinkState.open { didSet { onNews() } }
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) { taken.append((packet.sequence, packet.kind)) }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }
  var numbers: [UInt32] { taken.map(\.sequence) }
}

/// What ports tell is acted on.
@Suite struct PortNewsTests {
  /// A server whose every answer is another request would draw packets for ever: only the first is let in.
  @Test func aRequestInTheAnswerToAnAnswerIsRefusedThoughItIsAnother() throws {
    let port = ToldPort()
    let delivery = PacketDelivery([PacketDelivery.Way(port)], seed: 1)
    let run = try TrackerRun(RunConfiguration(), delivery: delivery) { _, _ in }
    run.door[.answer(0)] = .all
    func answer(_ text: String, at second: Int) throws {
      let last = try #require(port.taken.last)
      port.tell(.delivered(sequence: last.sequence))
      port.tell(.answer(Array(text.utf8), to: last.sequence, kind: last.kind))
      try run.attend(at: .seconds(second))
    }
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    #expect(port.taken.map(\.kind) == [.location])
    try answer("alerts off", at: 2)
    #expect(port.taken.map(\.kind) == [.location, .status] && run.diagnostics.requestsRefused == 0)
    try answer("locate", at: 3)
    try run.attend(at: .seconds(60))
    #expect(port.numbers == [1, 2] && run.diagnostics.requestsRefused == 1)
  }

  /// The preferred way has failed: packets go by the other at once, and by the first again once it is open.
  @Test func aWayThatHasFailedIsGivenNothingWhileAnotherIsOpen() throws {
    let preferred = ToldPort()
    let other = ToldPort()
    let delivery = PacketDelivery([PacketDelivery.Way(preferred), PacketDelivery.Way(other)], seed: 1)
    let run = try TrackerRun(RunConfiguration(), delivery: delivery) { _, _ in }
    func locate(at second: Int) throws {
      try run.feed(.command(.seconds(second)), payload: Array("locate".utf8))
      for port in [preferred, other] {
        for packet in port.taken { port.tell(.delivered(sequence: packet.sequence)) }
      }
      try run.attend(at: .seconds(second))
    }
    try locate(at: 1)
    #expect(preferred.numbers == [1] && other.numbers == [])
    preferred.state = .failed(reason: "the server is away", retryAt: nil)
    try locate(at: 100)
    #expect(preferred.numbers == [1] && other.numbers == [2])
    preferred.state = .open
    try locate(at: 200)
    #expect(preferred.numbers == [1, 3] && other.numbers == [2])
  }
}

import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// A server that has each packet at once and answers it as told, before it says that it has it or after.
private final class AnsweringPort: DeliveryPort {
  let name = "answering"
  let state = UplinkState.open
  let capacity = 32
  var onNews: () -> Void = {}
  var answer: (OutgoingPacket) -> String?
  var answersFirst = false
  private(set) var taken: [OutgoingPacket] = []
  private var news: [UplinkNews] = []
  init(_ answer: @escaping (OutgoingPacket) -> String?) { self.answer = answer }
  func take(_ packet: OutgoingPacket, at now: Instant) {
    taken.append(packet)
    let text = answer(packet).map { UplinkNews.answer(Array($0.utf8), to: packet.sequence, kind: packet.kind) }
    let delivered = UplinkNews.delivered(sequence: packet.sequence)
    news += (answersFirst ? [text, delivered] : [delivered, text]).compactMap { $0 }
    onNews()
  }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  /// Packets of a kind; some forms make several messages of one.
  func count(_ kind: PacketKind) -> Int { Set(taken.filter { $0.kind == kind }.map(\.sequence)).count }
  /// Packets.
  var count: Int { Set(taken.map(\.sequence)).count }
}

/// A server that says the same to each packet, as a broken one does, or one whose owner has asked once.
@Suite struct RepeatedAnswerTests {
  /// An hour of riding, with a report each minute: what the server gets.
  private func hour(
    format: PacketFormat = .json, answersFirst: Bool = false, _ answer: @escaping (OutgoingPacket) -> String?
  ) throws -> (port: AnsweringPort, repeated: Int) {
    var configuration = RunConfiguration()
    configuration.tracker.outbox.window = 32
    let port = AnsweringPort(answer)
    port.answersFirst = answersFirst
    let delivery = PacketDelivery(
      [PacketDelivery.Way(port, format: format)], parameters: configuration.tracker.outbox, seed: 1)
    let run = try TrackerRun(configuration, delivery: delivery) { _, _ in }
    run.door[.answer(0)] = .all
    for second in 0..<3600 {
      var fix = GNSSFix(time: .seconds(1 + second))
      fix.mode = .threeDimensional
      fix.utc = UTCTime(microseconds: Int64(1_764_000_000 + second) * 1_000_000)
      fix.position = GeodeticPosition(latitudeDegrees: 52 + Double(second) * 5 / 111_000, longitudeDegrees: 4)
      fix.speed = 5
      try run.feed(.fix(fix))
    }
    return (port, delivery.repeatedRequestCount)
  }

  @Test(arguments: [PacketFormat.json, .osmAnd, .ownTracks], [false, true])
  func aServerThatAlwaysAsksTheSameIsAnsweredOnce(_ format: PacketFormat, _ answersFirst: Bool) throws {
    let request = format == .ownTracks ? #"[{"_type":"cmd","action":"status"}]"# : "status"
    let quiet = try hour(format: format, answersFirst: answersFirst) { _ in nil }
    let loud = try hour(format: format, answersFirst: answersFirst) { _ in request }
    #expect(quiet.port.count >= 30 && quiet.repeated == 0)
    #expect(loud.port.count(.status) == quiet.port.count(.status) + 1)
    #expect(loud.port.count == quiet.port.count + 1)
    #expect(loud.repeated >= 30)
    // It has nothing to say to the tracker's answers: that is no other word.
    let deaf = try hour(format: format, answersFirst: answersFirst) { $0.kind == .status ? nil : request }
    #expect(deaf.port.count == quiet.port.count + 1 && deaf.repeated >= 30)
  }

  @Test(arguments: [false, true]) func whoAsksAgainAfterAnAnswerWithoutItIsAnsweredAgain(_ answersFirst: Bool) throws {
    let quiet = try hour(answersFirst: answersFirst) { _ in nil }
    // A queue of requests: one each ten packets, and nothing, or something else, with the others.
    for other in [nil, "ok", "ping"] {
      var count = 0
      let asked = try hour(answersFirst: answersFirst) { packet in
        guard packet.kind != .status else { return nil }
        count += 1
        return count % 10 == 5 ? "status" : other
      }
      let due = asked.port.count(.status) - quiet.port.count(.status)
      let pings = other == "ping" ? 1 + count / 10 : 0
      #expect((count / 10...count / 10 + 1).contains(due - pings), "\(other ?? "nothing"): \(due) of \(count)")
    }
  }

  @Test func aNumberIsEnoughToAskAgain() throws {
    let quiet = try hour { _ in nil }
    var count = 0
    let asked = try hour { packet in
      guard packet.kind != .status else { return nil }
      count += 1
      return "#\(count / 10 + 1) status"
    }
    #expect(asked.repeated == 0 && asked.port.count(.status) > quiet.port.count(.status) + 10)
  }
}

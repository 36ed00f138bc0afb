import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import Recording
@testable import TrackerRuntime

/// A port that keeps what it gets, until it is told that its server has it.
private final class HeldPort: DeliveryPort {
  let name = "held"
  let state = UplinkState.open
  let capacity = 32
  var onNews: () -> Void = {}
  private(set) var taken: [UInt32] = []
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) { taken.append(packet.sequence) }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func acknowledgeAll() {
    for sequence in taken { news.append(.delivered(sequence: sequence)) }
    onNews()
  }
}

/// A port with text messages, which it deletes when they are kept.
private final class MessagePort: DeliveryPort {
  let name = "messages"
  let state = UplinkState.open
  var onNews: () -> Void = {}
  private(set) var keptCount = 0
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) {}
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func noteKept(at now: Instant) { keptCount += 1 }
  func say(_ text: String) {
    news.append(.textMessage(Array(text.utf8), isListedSender: true))
    onNews()
  }
}

/// A check looks at what was sent, and not only at what was made.
@Suite struct WayMessageTests {
  /// A record of a log with its bytes.
  private typealias Piece = (record: LogRecord, bytes: [UInt8])

  /// Forms that carry any packet with a position, one for each receiver there may be.
  private static let forms: [PacketFormat] = [.json, .text, .ownTracks, .osmAnd]

  /// A run with a receiver for each of the forms.
  private func pieces() throws -> [Piece] {
    let bytes = try writeLog(TemporaryDirectory()) { writer in
      var configuration = RunConfiguration()
      configuration.tracker.outbox.window = 32
      for _ in 1..<WayMessageTests.forms.count { configuration.tracker.outbox.receivers.append(.all) }
      let ports = WayMessageTests.forms.map { _ in HeldPort() }
      let ways = zip(ports, WayMessageTests.forms).enumerated().map { place, way in
        PacketDelivery.Way(way.0, receiver: place, format: way.1)
      }
      let delivery = PacketDelivery(ways, parameters: configuration.tracker.outbox, seed: 1)
      let run = try TrackerRun(configuration, log: writer, delivery: delivery) { _, _ in }
      var fix = GNSSFix(time: .seconds(1))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
      try run.feed(.fix(fix))
      for second in 2..<5 { try run.feed(.command(.seconds(second)), payload: Array("locate".utf8)) }
      for port in ports { port.acknowledgeAll() }
      try run.attend(at: .seconds(6))
      #expect(run.look { $0.outbox.count } == 0 && ports.allSatisfy { $0.taken == [1, 2, 3, 4] })
    }
    let reader = try LeashLogReader(ByteSource(bytes: bytes, name: "log"))
    var pieces: [Piece] = []
    while let record = try reader.next() { pieces.append((record, reader.payload)) }
    return pieces
  }

  private func check(_ pieces: [Piece]) throws -> ReplayVerdict {
    let bytes = try writeLog(TemporaryDirectory()) { writer in
      for (record, bytes) in pieces {
        switch record {
        case .configuration: try writer.append(configuration: bytes.span)
        case .input(let input): try writer.append(input, bytes: bytes.span)
        case .action(let time): try writer.append(action: bytes.span, at: time)
        case .output(let port, let time): try writer.append(output: bytes.span, to: port, at: time)
        case .note, .continuation: break
        }
      }
    }
    return try ReplayVerifier.check([LeashLogReader(ByteSource(bytes: bytes, name: "log"))])
  }

  private func isMessage(_ piece: Piece) -> Bool {
    if case .output(let port, _) = piece.record { port >= firstWayPort } else { false }
  }

  @Test func everyMessageThatWasSentIsOneOfAPacketThatWaited() throws {
    let pieces = try pieces()
    #expect(try check(pieces).difference == nil)
    let messages = pieces.indices.filter { isMessage(pieces[$0]) }
    #expect(messages.count == 4 * WayMessageTests.forms.count)
    for place in messages {
      var changed = pieces
      changed[place].bytes[changed[place].bytes.count / 2] ^= 1
      let found = try #require(try check(changed).difference)
      #expect(found.record == place + 1 && found.time == pieces[place].record.time && found.replayed == nil)
      #expect(found.logged == "message " + String(decoding: changed[place].bytes, as: UTF8.self))
      // The beginning of a message is none.
      changed[place].bytes = Array(pieces[place].bytes.dropLast())
      #expect(try check(changed).difference?.record == place + 1)
    }
  }

  @Test func aMessageOfAPacketThatHasLeftIsADifference() throws {
    var pieces = try pieces()
    let first = try #require(pieces.first { isMessage($0) })
    pieces.append(first)
    #expect(try check(pieces).difference?.record == pieces.count)
  }

  /// By its number the tracker knows that it has obeyed it, so it may stay until that is kept; one that nothing is known by goes first.
  @Test(arguments: [("locate", true), ("#0 locate", true), ("#7 locate", false), ("nonsense", true)])
  func aMessageWithoutANumberIsDeletedFirst(text: String, isFirst: Bool) throws {
    let port = MessagePort()
    let configuration = RunConfiguration()
    let delivery = PacketDelivery(
      [PacketDelivery.Way(port, format: .json)], parameters: configuration.tracker.outbox, seed: 1)
    let run = try TrackerRun(configuration, delivery: delivery) { _, _ in }
    try run.attend(at: .seconds(1))
    port.say(text)
    delivery.advance(to: .seconds(1))
    #expect(port.keptCount == (isFirst ? 1 : 0))
    for second in 2..<8 { try run.attend(at: .seconds(second)) }
    #expect(port.keptCount == 1)
  }
}

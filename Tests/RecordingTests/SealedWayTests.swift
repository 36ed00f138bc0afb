import OwnTracks
import Quantities
import SecretBox
import Telemetry
import Testing
import TrackerCore

@testable import TrackerRuntime

/// A port that keeps what it gets and says what it is told to.
private final class OpenPort: DeliveryPort {
  let name = "open"
  let state = UplinkState.open
  let capacity = 32
  var onNews: () -> Void = {}
  private(set) var taken: [OutgoingPacket] = []
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) {
    taken.append(packet)
    news.append(.delivered(sequence: packet.sequence))
  }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func say(_ text: [UInt8]) {
    news.append(.request(text))
    onNews()
  }
}

/// A way of OwnTracks whose messages nobody between can read.
@Suite struct SealedWayTests {
  private let port = OpenPort()
  private let delivery: PacketDelivery
  private let run: TrackerRun

  init() throws {
    var configuration = RunConfiguration()
    configuration.tracker.outbox.window = 32
    var way = PacketDelivery.Way(port, format: .ownTracks)
    var chance: UInt64 = 0
    way.seal = SealedWayTests.key("correct horse").map {
      MessageSeal(key: $0) {
        chance += 1
        return chance
      }
    }
    delivery = PacketDelivery([way], parameters: configuration.tracker.outbox, seed: 1)
    run = try TrackerRun(configuration, delivery: delivery) { _, _ in }
    var fix = GNSSFix(time: .seconds(1))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
    try run.feed(.fix(fix))
  }

  private static func key(_ passphrase: String) -> SecretKey? { SecretKey(passphrase: Array(passphrase.utf8).span) }

  private func opened(_ bytes: [UInt8], _ passphrase: String = "correct horse") -> String? {
    var text = ByteBuffer()
    guard let key = SealedWayTests.key(passphrase), OwnTracksSeal.open(bytes.span, key: key, into: &text) else {
      return nil
    }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private func sealed(_ text: String, _ passphrase: String = "correct horse") -> [UInt8] {
    var outer = ByteBuffer()
    let nonce = [UInt8](repeating: 7, count: 24)
    guard let key = SealedWayTests.key(passphrase) else { return [] }
    _ = OwnTracksSeal.seal(Array(text.utf8).span, key: key, nonce: nonce.span, into: &outer)
    return outer.bytes
  }

  @Test func nothingGoesOutThatCanBeReadWithoutTheKey() throws {
    try run.feed(.command(.seconds(2)), payload: Array("locate".utf8))
    #expect(port.taken.count == 2)
    for packet in port.taken {
      #expect(String(decoding: packet.bytes, as: UTF8.self).hasPrefix(#"{"_type":"encrypted","data":""#))
      #expect(opened(packet.bytes)?.hasPrefix(#"{"_type":"location""#) == true)
      #expect(opened(packet.bytes, "correct hors") == nil)
    }
    // 32 digits of base64 are the nonce.
    let nonces = Set(port.taken.map { $0.bytes.dropFirst(29).prefix(32) })
    #expect(nonces.count == 2, "never the same nonce twice")
  }

  @Test func onlyWhatIsSealedWithTheKeyIsHeard() throws {
    let command = #"{"_type":"cmd","action":"status"}"#
    for (second, text) in [
      Array(command.utf8), Array("status".utf8), sealed(command, "another"),
      sealed(command).dropLast(3) + [0x22, 0x7D],
    ].enumerated() {
      port.say(Array(text))
      try run.attend(at: .seconds(10 + second))
      #expect(delivery.unsealedCount == second + 1 && port.taken.count == 1)
    }
    port.say(sealed(command))
    try run.attend(at: .seconds(20))
    #expect(delivery.unsealedCount == 4 && port.taken.count == 2)
    #expect(port.taken.last.flatMap { opened($0.bytes) }?.contains(#""reason":"asked""#) == true)
    // The empty array is what servers answer when they have nothing to say.
    port.say(Array("[]".utf8))
    try run.attend(at: .seconds(21))
    #expect(delivery.unsealedCount == 4)
  }
}

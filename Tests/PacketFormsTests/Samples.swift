import ASCIIText
import InlineStorage
import OwnTracks
import PacketForms
import Quantities
import SecretBox
import Telemetry
import Testing

/// The bytes of a message of a packet; nil when the form can't carry it, or has no such part.
func message(_ packet: Packet, as form: some PacketForm, part: Int = 0, id: String = "bike-42") -> [UInt8]? {
  var bytes = InlineBytes<2048>()
  let head = packet.encode(part: part, as: form, trackerID: Array(id.utf8).span, into: &bytes)
  guard head != nil, !bytes.isTruncated else { return nil }
  return (0..<bytes.count).map { bytes[$0] }
}

func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

/// What a form takes out of what a server said.
func requests(in text: String, as form: some PacketForm) -> [String] {
  let bytes = Array(text.utf8)
  var place = 0
  var found: [String] = []
  while found.count < 100 {
    var request = InlineBytes<256>()
    guard form.nextRequest(in: bytes.span, at: &place, into: &request) else { break }
    found.append(String(decoding: (0..<request.count).map { request[$0] }, as: UTF8.self))
  }
  return found
}

/// A packet of 2023-11-14T22:13:20Z in Paris, with all that a packet can have.
func full(_ kind: PacketKind = .movement) -> Packet {
  var fix = GNSSFix(time: .seconds(100))
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeE9: 48_858_330_000, longitudeE9: 2_295_130_000)
  (fix.heightAboveSeaLevel, fix.speed, fix.course, fix.horizontalAccuracy) = (35, 5, 271 * .pi / 180, 5)
  fix.satellitesUsed = 9
  var packet = Packet(
    kind: kind, time: .seconds(100), utc: UTCTime(microseconds: 1_700_000_000_000_000), phase: .alarmed, isArmed: true)
  packet.sequence = 17
  packet.boot = 3
  packet.position = PacketPosition(fix)
  packet.distanceMetres = 1_234_567
  (packet.rollDecidegrees, packet.pitchDecidegrees) = (-12, 34)
  packet.supply = Supply(charge: 67, millivolts: 3950, isCharging: false, isExternal: false)
  packet.isOwnerNear = false
  packet.cell = NetworkCell(country: 262, network: 1, area: 0x10A0, cell: 0x0123_4567)
  packet.readings[.dilution] = 120
  packet.readings[.signal] = -71
  packet.readings[.temperature] = -35
  packet.readings[.steps] = 4321
  packet.readings[.fences] = 0x0301
  packet.alert = PacketAlert(
    id: 9, evidence: MovementEvidence(detector: .speed, ratio: 2, onset: .seconds(99), duration: .seconds(1)))
  return packet
}

/// Bytes without a limit.
struct GrowingSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

func key(_ passphrase: String) -> SecretKey? { SecretKey(passphrase: Array(passphrase.utf8).span) }

func sealed(_ message: [UInt8], _ nonce: [UInt8], _ passphrase: String) -> [UInt8]? {
  var sink = GrowingSink()
  guard let key = key(passphrase), OwnTracksSeal.seal(message.span, key: key, nonce: nonce.span, into: &sink) else {
    return nil
  }
  return sink.take()
}

func opened(_ text: [UInt8], _ passphrase: String) -> [UInt8]? {
  var sink = GrowingSink()
  guard let key = key(passphrase), OwnTracksSeal.open(text.span, key: key, into: &sink) else {
    #expect(sink.bytes.isEmpty, "nothing is written of what does not open")
    return nil
  }
  return sink.take()
}

func isSealed(_ text: [UInt8]) -> Bool { OwnTracksSeal.isSealed(text.span) }

func decodedBase64(_ text: String) -> [UInt8]? {
  var sink = GrowingSink()
  return decodeBase64(Array(text.utf8).span, into: &sink) ? sink.take() : nil
}

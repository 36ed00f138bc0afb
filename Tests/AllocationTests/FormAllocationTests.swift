import AllocationCounter
import HomeAssistant
import InlineStorage
import OwnTracks
import PacketForms
import Quantities
import SecretBox
import Telemetry
import Testing

/// Packets of every kind, with a position and without.
private let packets: [Packet] = PacketKind.allCases.flatMap { kind in
  var packet = Packet(
    kind: kind, time: .seconds(100), utc: UTCTime(microseconds: 1_700_000_000_000_000), phase: .alarmed, isArmed: true)
  packet.supply = Supply(charge: 67, millivolts: 3950, isCharging: false, isExternal: false)
  packet.isOwnerNear = false
  packet.readings[.signal] = -71
  packet.readings[.fences] = 0x0301
  packet.cell = NetworkCell(country: 262, network: 1, area: 0x10A0, cell: 0x0123_4567)
  switch kind {
  case .movement:
    packet.alert = PacketAlert(
      id: 9, repetition: 1,
      evidence: MovementEvidence(
        detector: .speed, ratio: 2.5, onset: .seconds(99), duration: .seconds(1), displacement: 4))
  case .ride: packet.ride = PacketRide(start: .seconds(10), end: .seconds(90), distanceMetres: 1200)
  case .status:
    packet.status = PacketStatus(reason: .setting, alertsEnabled: true, request: 3)
    packet.value = PacketText(Array("30 s".utf8).span)
  case .fence, .transition: packet.rule = PacketRule(.fence, 3, name: Array("Großer \"Garten".utf8).span, isEntry: true)
  case .location, .parking: break
  }
  let placeless = packet
  var fix = GNSSFix(time: .seconds(98))
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeE9: -33_858_330_000, longitudeE9: 151_209_130_000)
  (fix.heightAboveSeaLevel, fix.speed, fix.course, fix.horizontalAccuracy) = (35, 5, 4.73, 5)
  packet.position = PacketPosition(fix)
  return [packet, placeless]
}

private func allocations(_ work: () -> Void) -> UInt64 {
  // The runtime makes its own tables when a generic type is first used.
  work()
  let before = allocationCount()
  for _ in 0..<20 { work() }
  return allocationCount() - before
}

@Test(.enabled(if: allocationsAreCounted(), "the sanitizer replaces malloc itself"), arguments: PacketFormat.allCases)
func writingAPacketInAFormDoesNotAllocate(_ format: PacketFormat) {
  let id = Array("Fahrrad Süd".utf8)
  var line = InlineBytes<1024>()
  var messages = 0
  let count = allocations {
    var place = 0
    while place < packets.count {
      var part = 0
      line.removeAll()
      while packets[place].encode(part: part, as: format, trackerID: id.span, into: &line) != nil {
        messages += 1
        part += 1
        line.removeAll()
      }
      place += 1
    }
  }
  #expect(count == 0)
  // The shortest of the forms carries the seven packets with a position.
  #expect(messages >= 21 * 7)
}

@Test(.enabled(if: allocationsAreCounted(), "the sanitizer replaces malloc itself"))
func sealingAndOpeningAMessageDoesNotAllocate() throws {
  let passphrase = Array("mysecreTpass01".utf8)
  let secret = SecretKey(passphrase: passphrase.span)
  let key = try #require(secret)
  let id = Array("bike-42".utf8)
  let nonce = (0..<24).map { UInt8($0) }
  var plain = InlineBytes<1024>()
  var outer = InlineBytes<1536>()
  var opened = InlineBytes<1024>()
  var isWhole = true
  let count = allocations {
    plain.removeAll()
    outer.removeAll()
    opened.removeAll()
    packets[0].encode(as: OwnTracksForm(), trackerID: id.span, into: &plain)
    let isSealed = OwnTracksSeal.seal(plain.span, key: key, nonce: nonce.span, into: &outer)
    let isOpened = OwnTracksSeal.open(outer.span, key: key, into: &opened)
    isWhole = isWhole && isSealed && isOpened && opened == plain && !plain.isEmpty
  }
  #expect(count == 0)
  #expect(isWhole)
}

@Test(.enabled(if: allocationsAreCounted(), "the sanitizer replaces malloc itself"))
func discoveryDoesNotAllocate() {
  let id = Array("bike-42".utf8)
  let topic = Array("leash/bike-42/packet".utf8)
  var text = InlineBytes<16384>()
  var byteCount = 0
  let count = allocations {
    var device = HomeAssistantDevice(trackerID: id.span)
    device.topic.append(contentsOf: topic.span)
    device.commandTopic.append(contentsOf: topic.span)
    device.requests = HomeAssistantRequests(rawValue: .max)
    text.removeAll()
    var place: UInt8 = 0
    while let entity = HomeAssistantEntity(rawValue: place) {
      device.encodeTopic(of: entity, prefix: topic.span, into: &text)
      _ = device.encode(entity, into: &text)
      byteCount += text.count
      text.removeAll()
      place += 1
    }
    device.encode(into: &text)
    byteCount += text.count
  }
  #expect(count == 0)
  #expect(byteCount > 21 * 10_000)
}

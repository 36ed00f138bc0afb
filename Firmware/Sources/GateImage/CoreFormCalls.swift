import ASCIIText
import InlineStorage
import OwnTracks
import PacketForms
import Quantities
import SecretBox
import Telemetry

/// A packet in each form, and what servers say.
extension CoreRun {
  mutating func forms() {
    var fix = GNSSFix(time: .seconds(100))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 48.85833, longitudeDegrees: Double(opaque(-2.25)))
    (fix.heightAboveSeaLevel, fix.speed, fix.course, fix.horizontalAccuracy) = (35, 5, 4.73, 5)
    var packet = Packet(
      kind: .transition, time: .seconds(100), utc: UTCTime(microseconds: 1_700_000_000_000_000), phase: .riding,
      isArmed: true)
    packet.position = PacketPosition(fix)
    packet.readings[.signal] = Int64(opaque(71)) * -1
    packet.cell = NetworkCell(country: 262, network: 1, area: 4256, cell: 19_088_743)
    let name = InlineBytes<32>("garden")
    packet.rule = PacketRule(.fence, 3, name: name.span, isEntry: true, ago: .seconds(20))
    let tracker = InlineBytes<32>("bike-42")
    var place: UInt8 = 0
    while let format = PacketFormat(rawValue: place) {
      place += 1
      var part = 0
      while part < 3 {
        var text = InlineBytes<768>()
        let head = packet.encode(part: part, as: format, trackerID: tracker.span, into: &text)
        guard head != nil else { break }
        expect(!text.isTruncated)
        note(text.span)
        part += 1
      }
      expect(part == (format == .ownTracks ? 2 : 1))
    }
    topics(packet, tracker.span)
    seal()
    commands()
  }

  /// OwnTracks on a way with a topic, which is in both messages.
  private mutating func topics(_ packet: borrowing Packet, _ tracker: Span<UInt8>) {
    var topic = InlineBytes<32>("owntracks/me/bike")
    topic.append(opaque(0x31))
    let form = OwnTracksTopicForm(topic: topic.span)
    var part = 0
    while part < 2 {
      var text = InlineBytes<768>()
      expect(packet.encode(part: part, as: form, trackerID: tracker, into: &text) != nil && !text.isTruncated)
      note(text.span)
      part += 1
    }
  }

  private mutating func seal() {
    var nonce = InlineBytes<24>()
    for byte: UInt8 in 0..<24 { nonce.append(opaque(byte)) }
    let passphrase = InlineBytes<32>("mysecreTpass01")
    let message = InlineBytes<8>("hello")
    guard let key = SecretKey(passphrase: passphrase.span) else { return expect(false) }
    var outer = InlineBytes<160>()
    expect(OwnTracksSeal.seal(message.span, key: key, nonce: nonce.span, into: &outer))
    note(outer.span)
    var plain = InlineBytes<160>()
    expect(OwnTracksSeal.open(outer.span, key: key, into: &plain) && plain.count == 5)
  }

  private mutating func commands() {
    var answer = InlineBytes<160>("[{\"_type\":\"cmd\",\"action\":\"reportLocation\"},")
    answer.append("{\"_type\":\"cmd\",\"action\":\"status\"}]")
    var place = 0
    var found = 0
    while found < 5 {
      var request = InlineBytes<64>()
      guard OwnTracksForm().nextRequest(in: answer.span, at: &place, into: &request) else { break }
      note(request.span)
      found += 1
    }
    expect(found == 2)
  }

  private mutating func note(_ text: Span<UInt8>) {
    var sum = TextSum()
    sum.append(bytes: text)
    note(sum.sum)
  }
}

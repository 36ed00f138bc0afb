import ASCIIText
import CPUSupport
import Gear
import HomeAssistant
import InertialFusion
import InlineStorage
import OwnTracks
import Quantities
import SecretBox
import Telemetry
import Traccar

/// What a firmware with one form calls, or with none, or with gear or the attitude filter: `FORM` of the word decides. It is linked and looked at, not run.
///
/// The packet and the names are bytes that the compiler can't see through: all that a form may do stays in.
func runImage() {
  guard let packet = UnsafePointer<Packet>(bitPattern: UInt(cpu_opaque(0x2000_1000))),
    let id = UnsafePointer<InlineBytes<32>>(bitPattern: UInt(cpu_opaque(0x2000_2000)))
  else { return }
  var text = InlineBytes<1024>()
  text.append(contentsOf: id.pointee.span)
  if packet.pointee.position != nil { text.append(0x2B) }
  #if FORM_json
    write(packet, JSONForm(), id, &text)
  #elseif FORM_minimal
    write(packet, MinimalForm(), id, &text)
  #elseif FORM_text
    write(packet, TextMessageForm(), id, &text)
  #elseif FORM_ownTracks
    write(packet, OwnTracksForm(), id, &text)
  #elseif FORM_ownTracksCompact
    write(packet, OwnTracksCompactForm(), id, &text)
  #elseif FORM_osmAnd
    write(packet, OsmAndForm(), id, &text)
  #elseif FORM_traccar
    write(packet, TraccarForm(), id, &text)
  #elseif FORM_seal
    guard let key = SecretKey(passphrase: id.pointee.span) else { return }
    var outer = InlineBytes<1536>()
    if OwnTracksSeal.seal(text.span, key: key, nonce: id.pointee.span, into: &outer) { show(outer.span) }
    text.removeAll()
    if OwnTracksSeal.open(outer.span, key: key, into: &text) { show(text.span) }
  #elseif FORM_homeAssistant
    let device = HomeAssistantDevice(trackerID: id.pointee.span)
    var place: UInt8 = 0
    while let entity = HomeAssistantEntity(rawValue: place) {
      device.encodeTopic(of: entity, prefix: id.pointee.span, into: &text)
      if device.encode(entity, into: &text) { show(text.span) }
      text.removeAll()
      place += 1
    }
  #elseif FORM_gear
    keepGear(id.pointee.span, &text)
  #elseif FORM_attitude
    findAttitude()
  #endif
  show(text.span)
}

#if FORM_gear
  /// What a firmware with gear calls: no form of packets, but it stands beside the tracker as forms do, and is left out as they are.
  private func keepGear(_ words: Span<UInt8>, _ text: inout InlineBytes<1024>) {
    guard let ledger = UnsafeMutablePointer<GearLedger>(bitPattern: UInt(cpu_opaque(0x2000_4000))) else { return }
    ledger.initialize(to: GearLedger())
    ledger.pointee.restore(words)
    while cpu_opaque(1) != 0 {
      let utc = UTCTime(microseconds: Int64(cpu_opaque(2)))
      var ride = GearRide()
      ride.metres = cpu_opaque(3)
      ride.moving = cpu_opaque(4)
      ledger.pointee.note(ride, isHome: cpu_opaque(5) == 0)
      ledger.pointee.note(day: utc.daysSince1970)
      ledger.pointee.date(start: utc.secondsSince1970, end: cpu_opaque(6))
      ledger.pointee.lengthenLastRide(to: cpu_opaque(7))
      show(ledger.pointee.obey(words, request: cpu_opaque(8), utc: utc, tracker: words).value.span)
      ledger.pointee.carryLastRide()
      while let notice = ledger.pointee.nextNotice() { show(notice.value.span) }
      while let tag = ledger.pointee.nextChange() {
        ledger.pointee.encode(tag, into: &text)
        show(text.span)
        text.removeAll()
      }
      if cpu_opaque(9) == 0 { ledger.pointee.forgetOwner() }
    }
  }
#endif

#if FORM_attitude
  /// What a firmware with the attitude filter alone calls: 9D, rest, and all that is stated of its uncertainty.
  private func findAttitude() {
    guard let filter = UnsafeMutablePointer<AttitudeFilter>(bitPattern: UInt(cpu_opaque(0x2000_4000))),
      let sample = UnsafePointer<InertialSample>(bitPattern: UInt(cpu_opaque(0x2000_6000)))
    else { return }
    filter.initialize(to: AttitudeFilter())
    while cpu_opaque(1) != 0 {
      filter.pointee.update(with: sample.pointee)
      show(
        Estimate(
          earthFromBody: filter.pointee.earthFromBody, levelFromBody: filter.pointee.levelFromBody,
          bias: filter.pointee.gyroBias, heading: filter.pointee.headingUncertainty,
          tilt: filter.pointee.tiltUncertainty, biasUncertainty: filter.pointee.gyroBiasUncertainty,
          isAtRest: filter.pointee.isAtRest))
    }
  }

  /// All that is read after a sample, as bytes.
  private struct Estimate {
    var earthFromBody: Quaternion
    var levelFromBody: Quaternion
    var bias: Vector3
    var heading: Float
    var tilt: Float
    var biasUncertainty: Float
    var isAtRest: Bool
  }

  @inline(never)
  private func show(_ estimate: Estimate) {
    withUnsafeBytes(of: estimate) { bytes in
      for byte in bytes { cpu_write(byte) }
    }
  }
#endif

private func write(
  _ packet: UnsafePointer<Packet>, _ form: some PacketForm, _ id: UnsafePointer<InlineBytes<32>>,
  _ text: inout InlineBytes<1024>
) {
  var part = 0
  let source = Source(id: id)
  while form.encode(packet.pointee, part: part, trackerID: id.pointee.span, of: source, into: &text) != nil {
    part += 1
  }
  var place = 0
  var request = InlineBytes<96>()
  while form.nextRequest(in: text.span, at: &place, into: &request) {
    show(request.span)
    request.removeAll()
  }
}

/// A tracker of which nothing is known before it runs.
private struct Source: AnswerSource {
  let id: UnsafePointer<InlineBytes<32>>
  var answeredInterval: Interval { .seconds(Int(id.pointee[0])) }
  var answeredDistance: UInt32 { UInt32(id.pointee[1]) }
  var answeredFenceRows: Int { Int(id.pointee[2]) }
  func answeredFence(in row: Int) -> AnsweredFence? {
    guard id.pointee[3] != UInt8(truncatingIfNeeded: row) else { return nil }
    return AnsweredFence(number: id.pointee[4], middle: (Int32(row), -Int32(row)), radius: 50, name: id.pointee)
  }
}

private func show(_ text: Span<UInt8>) {
  var place = 0
  while place < text.count {
    cpu_write(text[place])
    place += 1
  }
}

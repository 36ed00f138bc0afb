public import ASCIIText
import InlineStorage
import Quantities

/// A packet as it is kept over a restart.
///
/// Its instants stay those of the clock it was made with: the packet is written from differences between them and from its own
/// UTC, so it reads the same in a later life.
extension Packet {
  /// What a record begins with.
  private static var version: UInt8 { 1 }
  /// The same where readings stand at the end: without them the record is that of before there were such.
  private static var versionWithReadings: UInt8 { 2 }
  /// How much higher the version is where a ride has more than its length and times.
  private static var rideStep: UInt8 { 2 }
  /// What is added to the version of a record whose ride was carried for a part.
  private static var carriedStep: UInt8 { 4 }

  /// Which of the optional parts follow.
  private struct Parts: BitwiseCopyable {
    var bits: UInt16 = 0

    mutating func note(_ bit: UInt16, _ isPresent: Bool) { if isPresent { bits |= 1 << bit } }
    func has(_ bit: UInt16) -> Bool { bits & (1 << bit) != 0 }
  }

  /// Writes the packet as a record, 160 bytes at most.
  public func encodeRecord(into sink: inout some ByteSink) {
    var parts = Parts()
    parts.note(0, utc != nil)
    parts.note(1, position != nil)
    parts.note(2, position?.altitudeDecimetres != nil)
    parts.note(3, position?.accuracyDecimetres != nil)
    parts.note(4, position?.speedCentimetres != nil)
    parts.note(5, position?.courseCentidegrees != nil)
    parts.note(6, rollDecidegrees != nil && pitchDecidegrees != nil)
    parts.note(7, alert != nil)
    parts.note(8, alert?.evidence.tilt != nil)
    parts.note(9, alert?.evidence.displacement != nil)
    parts.note(10, ride != nil)
    parts.note(11, status != nil)
    parts.note(12, isArmed)
    parts.note(13, isStale)
    parts.note(14, position?.satellites != nil)
    parts.note(15, supply != nil)
    let isLongRide = ride?.hasNumbers ?? false
    let isCarried = ride != nil && carriedMetres > 0
    sink.append(
      (readings.isEmpty ? Packet.version : Packet.versionWithReadings) + (isLongRide ? Packet.rideStep : 0)
        + (isCarried ? Packet.carriedStep : 0))
    sink.append(littleEndian: UInt64(parts.bits), bytes: 2)
    sink.append(littleEndian: UInt64(sequence), bytes: 4)
    // Its highest bits are the second and third of the seconds that are added to its time; the next says that it is told when made.
    let added = position?.addedSeconds ?? 0
    sink.append(kind.rawValue | (added & 6) << 5 | (isToldWhenMade ? 0x20 : 0))
    // Its highest bits say that positions are withheld, that it is disabled, whether it is known that the owner is near, and whether so;
    // the one below, the first of those seconds.
    var phaseByte = phase.rawValue | (isPrivate ? 0x80 : 0) | (isDisabled ? 0x40 : 0)
    if added & 1 != 0 { phaseByte |= 0x08 }
    if let isOwnerNear { phaseByte |= isOwnerNear ? 0x30 : 0x20 }
    sink.append(phaseByte)
    Packet.encode(time, into: &sink)
    sink.append(littleEndian: UInt64(distanceMetres), bytes: 4)
    if let utc { sink.append(littleEndian: UInt64(bitPattern: utc.microseconds), bytes: 8) }
    if let position { encode(position, into: &sink) }
    if let rollDecidegrees, let pitchDecidegrees {
      sink.append(littleEndian: UInt64(UInt16(bitPattern: rollDecidegrees)), bytes: 2)
      sink.append(littleEndian: UInt64(UInt16(bitPattern: pitchDecidegrees)), bytes: 2)
    }
    if let alert { encode(alert, into: &sink) }
    if let ride {
      Packet.encode(ride.start, into: &sink)
      Packet.encode(ride.end, into: &sink)
      sink.append(littleEndian: UInt64(ride.distanceMetres), bytes: 4)
      if isLongRide {
        sink.append(littleEndian: UInt64(ride.moving), bytes: 4)
        sink.append(littleEndian: UInt64(ride.top), bytes: 2)
        sink.append(littleEndian: UInt64(ride.rise), bytes: 2)
      }
      if isCarried { sink.append(littleEndian: UInt64(carriedMetres), bytes: 4) }
    }
    if let status {
      sink.append(status.reason.rawValue)
      // Behind it are the number of a request, a value and a rule where these bits say so.
      let own: UInt8 = (value != nil ? 4 : 0) | (rule != nil && !isAboutFence ? 8 : 0)
      sink.append((status.alertsEnabled ? 1 : 0) | (status.request != 0 ? 2 : 0) | own)
      if status.request != 0 { sink.append(littleEndian: UInt64(status.request), bytes: 4) }
      if let value {
        sink.append(value.count)
        sink.append(bytes: value.text.span)
      }
    }
    if isAboutFence { sink.append(rule != nil ? 1 : 0) }
    if let rule { encode(rule, into: &sink) }
    if let supply { Packet.encode(supply, into: &sink) }
    if !readings.isEmpty { readings.encode(into: &sink) }
  }

  /// True for kinds behind whose status a byte says whether a rule follows.
  private var isAboutFence: Bool { kind == .fence || kind == .transition }

  /// Table, number, when, and the name behind its length.
  private func encode(_ rule: PacketRule, into sink: inout some ByteSink) {
    sink.append(rule.table.rawValue | (rule.isEntry ? 0x80 : 0))
    sink.append(rule.number)
    sink.append(rule.code)
    sink.append(rule.name.count)
    sink.append(bytes: rule.name.text.span)
  }

  private static func rule(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> PacketRule? {
    let kind = reader.byte(bytes)
    let number = reader.byte(bytes)
    let code = reader.byte(bytes)
    let name = text(bytes, &reader)
    guard reader.isValid, let table = PacketRule.Table(rawValue: kind & 0x7F) else {
      reader.refuse()
      return nil
    }
    return PacketRule(table, number, name: name, isEntry: kind & 0x80 != 0, code: code)
  }

  /// A text behind its length.
  private static func text(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> PacketText {
    var text = InlineBytes<20>()
    let count = reader.byte(bytes)
    reader.require(count <= UInt8(PacketText.capacity))
    while reader.isValid, text.count < Int(count) { text.append(reader.byte(bytes)) }
    return PacketText(text.span)
  }

  /// A byte that says what is known, charge and voltage, four bytes in all.
  private static func encode(_ supply: Supply, into sink: inout some ByteSink) {
    var known: UInt8 = 0
    if supply.charge != nil { known |= 1 }
    if supply.millivolts != nil { known |= 2 }
    if let flag = supply.isCharging { known |= flag ? 0x0C : 0x04 }
    if let flag = supply.isExternal { known |= flag ? 0x30 : 0x10 }
    sink.append(known)
    sink.append(supply.charge ?? 0)
    sink.append(littleEndian: UInt64(supply.millivolts ?? 0), bytes: 2)
  }

  private static func supply(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> Supply? {
    let known = reader.byte(bytes)
    let charge = reader.byte(bytes)
    let millivolts = reader.uint16(bytes)
    // A flag that is set is known, and there are no others.
    reader.require(known < 0x40 && known & 0x0C != 0x08 && known & 0x30 != 0x20)
    reader.require(charge <= (known & 1 != 0 ? 100 : 0) && (known & 2 != 0 || millivolts == 0))
    guard reader.isValid else { return nil }
    return Supply(
      charge: known & 1 != 0 ? charge : nil, millivolts: known & 2 != 0 ? millivolts : nil,
      isCharging: known & 4 != 0 ? known & 8 != 0 : nil, isExternal: known & 0x10 != 0 ? known & 0x20 != 0 : nil)
  }

  private func encode(_ position: PacketPosition, into sink: inout some ByteSink) {
    sink.append(littleEndian: UInt64(UInt32(bitPattern: position.latitudeE7)), bytes: 4)
    sink.append(littleEndian: UInt64(UInt32(bitPattern: position.longitudeE7)), bytes: 4)
    Packet.encode(position.fixTime, into: &sink)
    if let value = position.altitudeDecimetres {
      sink.append(littleEndian: UInt64(UInt32(bitPattern: value)), bytes: 4)
    }
    if let value = position.accuracyDecimetres { sink.append(littleEndian: UInt64(value), bytes: 4) }
    if let value = position.speedCentimetres { sink.append(littleEndian: UInt64(value), bytes: 4) }
    if let value = position.courseCentidegrees { sink.append(littleEndian: UInt64(value), bytes: 2) }
    if let value = position.satellites { sink.append(value) }
  }

  private func encode(_ alert: PacketAlert, into sink: inout some ByteSink) {
    sink.append(littleEndian: UInt64(alert.id), bytes: 4)
    // Its highest bits say that turn and repetition are behind the rest; without them the record is that of before there were such.
    var kind = alert.evidence.detector.rawValue
    if alert.evidence.turn != nil { kind |= 0x80 }
    if alert.repetition > 0 { kind |= 0x40 }
    sink.append(kind)
    sink.append(bits: alert.evidence.ratio)
    Packet.encode(alert.evidence.onset, into: &sink)
    let limit = Packet.timeLimit
    let duration = min(max(-limit, alert.evidence.duration.microseconds), limit)
    sink.append(littleEndian: UInt64(bitPattern: duration), bytes: 8)
    if let tilt = alert.evidence.tilt { sink.append(bits: tilt) }
    if let displacement = alert.evidence.displacement { sink.append(bits: displacement) }
    if let turn = alert.evidence.turn { sink.append(bits: turn) }
    if alert.repetition > 0 { sink.append(littleEndian: UInt64(alert.repetition), bytes: 2) }
  }

  /// The tag of a section that holds a packet.
  public static var sectionTag: UInt8 { 16 }

  /// Writes the packet as a section of a state, 185 bytes at most: the life it is of, then its record.
  public func encodeSection(revision: UInt32, into sink: inout some ByteSink) {
    var content = InlineBytes<172>()
    content.append(littleEndian: UInt64(boot), bytes: 4)
    encodeRecord(into: &content)
    StoredSection(tag: Packet.sectionTag, version: 1, revision: revision).encode(content.span, into: &sink)
  }

  /// Reads a packet from a section.
  ///
  /// - Returns: nil when it is no packet, or in a form that this version does not know.
  public init?(_ section: StoredSection, of bytes: Span<UInt8>) {
    guard section.tag == Packet.sectionTag, section.version == 1 else { return nil }
    var reader = RecordReader(at: section.start)
    let boot = reader.uint32(bytes)
    self.init(record: bytes, &reader)
    guard reader.place == section.end else { return nil }
    self.boot = boot
  }

  /// Limit of the tracker's clock either way, µs: differences don't overflow.
  fileprivate static var timeLimit: Int64 { 1 << 62 }

  /// Writes an instant; one beyond the limit, as the onset of what began before the clock, at the limit.
  fileprivate static func encode(_ instant: Instant, into sink: inout some ByteSink) {
    let microseconds = min(max(-timeLimit, instant.microseconds), timeLimit)
    sink.append(littleEndian: UInt64(bitPattern: microseconds), bytes: 8)
  }

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - bytes: Any bytes.
  ///   - reader: Where the record begins; behind it afterwards.
  /// - Returns: nil when there is no record of this version; the reader is invalid then.
  public init?(record bytes: Span<UInt8>, _ reader: inout RecordReader) {
    var version = reader.byte(bytes)
    let isCarried = version > Packet.carriedStep
    if isCarried { version -= Packet.carriedStep }
    let isLongRide = version > Packet.rideStep
    if isLongRide { version -= Packet.rideStep }
    reader.require(version == Packet.version || version == Packet.versionWithReadings)
    let parts = Parts(bits: reader.uint16(bytes))
    reader.require(!isLongRide && !isCarried || parts.has(10))
    reader.require(!isCarried || !parts.has(11))
    let sequence = reader.uint32(bytes)
    let kindByte = reader.byte(bytes)
    let kind = PacketKind(rawValue: kindByte & 0x1F)
    let phaseByte = reader.byte(bytes)
    let added = (kindByte & 0xC0) >> 5 | (phaseByte & 0x08) >> 3
    let phase = MotionPhase(rawValue: phaseByte & 0x07)
    reader.require(phaseByte & 0x30 != 0x10 && (added == 0 && kindByte & 0x20 == 0 || parts.has(1)))
    let time = Packet.instant(bytes, &reader)
    let distance = reader.uint32(bytes)
    let utc = parts.has(0) ? UTCTime(microseconds: reader.int64(bytes)) : nil
    guard reader.isValid, let kind, let phase else {
      reader.refuse()
      return nil
    }
    self.init(kind: kind, time: time, utc: utc, phase: phase, isArmed: parts.has(12))
    self.sequence = sequence
    distanceMetres = distance
    isStale = parts.has(13)
    isToldWhenMade = kindByte & 0x20 != 0
    isPrivate = phaseByte & 0x80 != 0
    isDisabled = phaseByte & 0x40 != 0
    if phaseByte & 0x20 != 0 { isOwnerNear = phaseByte & 0x10 != 0 }
    if parts.has(1) { position = PacketPosition(bytes, parts.bits, &reader) }
    if added != 0 { position?.addedSeconds = added }
    if parts.has(6) {
      rollDecidegrees = Int16(bitPattern: reader.uint16(bytes))
      pitchDecidegrees = Int16(bitPattern: reader.uint16(bytes))
    }
    if parts.has(7) { alert = PacketAlert(bytes, hasTilt: parts.has(8), hasDisplacement: parts.has(9), &reader) }
    if parts.has(10) {
      let start = Packet.instant(bytes, &reader)
      let end = Packet.instant(bytes, &reader)
      var ride = PacketRide(start: start, end: end, distanceMetres: reader.uint32(bytes))
      if isLongRide {
        (ride.moving, ride.top, ride.rise) = (reader.uint32(bytes), reader.uint16(bytes), reader.uint16(bytes))
        reader.require(ride.hasNumbers)
      }
      if isCarried {
        carriedMetres = reader.uint32(bytes)
        reader.require(carriedMetres > 0)
      }
      self.ride = ride
    }
    var hasRule = false
    if parts.has(11) { hasRule = readStatus(bytes, hasOther: parts.has(10), &reader) }
    if isAboutFence {
      reader.require(!hasRule)
      hasRule = reader.byte(bytes) == 1
      reader.require(!hasRule || own == .none)
    }
    if hasRule, let rule = Packet.rule(bytes, &reader) { self.rule = rule }
    if parts.has(15) { supply = Packet.supply(bytes, &reader) }
    if version == Packet.versionWithReadings { readings = PacketReadings(bytes, &reader) }
    guard reader.isValid else { return nil }
  }

  /// - Returns: True when a rule is behind it.
  private mutating func readStatus(_ bytes: Span<UInt8>, hasOther: Bool, _ reader: inout RecordReader) -> Bool {
    let reason = StatusReason(rawValue: reader.byte(bytes))
    let flags = reader.byte(bytes)
    // A ride, a value and a rule have one place.
    reader.require(reason != nil && flags < 16 && (flags & 12 == 0 || !hasOther) && flags & 12 != 12)
    let request = flags & 2 != 0 ? reader.uint32(bytes) : 0
    reader.require(flags & 2 == 0 || request != 0)
    if let reason { status = PacketStatus(reason: reason, alertsEnabled: flags & 1 != 0, request: request) }
    if flags & 4 != 0, reader.isValid { value = Packet.text(bytes, &reader) }
    return flags & 8 != 0
  }

  /// An instant within the limits of the tracker's clock, so that differences don't overflow.
  fileprivate static func instant(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> Instant {
    let microseconds = reader.int64(bytes)
    reader.require(microseconds.magnitude <= timeLimit.magnitude)
    return Instant(microseconds: reader.isValid ? microseconds : 0)
  }
}

extension PacketPosition {
  fileprivate init(_ bytes: Span<UInt8>, _ parts: UInt16, _ reader: inout RecordReader) {
    let latitudeE7 = Int32(bitPattern: reader.uint32(bytes))
    let longitudeE7 = Int32(bitPattern: reader.uint32(bytes))
    reader.require(latitudeE7.magnitude <= 900_000_000 && longitudeE7.magnitude <= 1_800_000_000)
    self.init(latitudeE7: latitudeE7, longitudeE7: longitudeE7, fixTime: Packet.instant(bytes, &reader))
    if parts & (1 << 2) != 0 { altitudeDecimetres = Int32(bitPattern: reader.uint32(bytes)) }
    if parts & (1 << 3) != 0 { accuracyDecimetres = reader.uint32(bytes) }
    if parts & (1 << 4) != 0 { speedCentimetres = reader.uint32(bytes) }
    if parts & (1 << 5) != 0 { courseCentidegrees = reader.uint16(bytes) }
    if parts & (1 << 14) != 0 { satellites = reader.byte(bytes) }
  }
}

extension PacketAlert {
  fileprivate init?(
    _ bytes: Span<UInt8>, hasTilt: Bool, hasDisplacement: Bool, _ reader: inout RecordReader
  ) {
    let id = reader.uint32(bytes)
    let kind = reader.byte(bytes)
    let detector = MovementDetector(rawValue: kind & 0x3F)
    let ratio = Float(bitPattern: reader.uint32(bytes))
    let onset = Packet.instant(bytes, &reader)
    let duration = reader.int64(bytes)
    let tilt = hasTilt ? Float(bitPattern: reader.uint32(bytes)) : nil
    let displacement = hasDisplacement ? Float(bitPattern: reader.uint32(bytes)) : nil
    let turn = kind & 0x80 != 0 ? Float(bitPattern: reader.uint32(bytes)) : nil
    let repetition = kind & 0x40 != 0 ? reader.uint16(bytes) : 0
    reader.require(kind & 0x40 == 0 || repetition > 0)
    guard reader.isValid, let detector, duration.magnitude <= Packet.timeLimit.magnitude else {
      reader.refuse()
      return nil
    }
    let evidence = MovementEvidence(
      detector: detector, ratio: ratio, onset: onset, duration: Interval(microseconds: duration), tilt: tilt,
      displacement: displacement, turn: turn)
    self.init(id: id, repetition: repetition, evidence: evidence)
  }
}

public import ASCIIText
import InlineStorage
import Quantities
public import Telemetry

/// Packets as OwnTracks has them: recorders, Home Assistant, Traccar and the phone apps show them.
///
/// | packet | message |
/// |---|---|
/// | with a position | `location` on the topic of the way |
/// | `transition` | `transition` on `/event`, then the `location` |
/// | the answer to `status` | `status` on `/status`, then the `location` |
/// | any other `status`, and an alert, without a position | `status` on `/status` |
/// | the answers to `status settings`, `fences` and `steps` | `dump` on `/dump`, `waypoints` on `/waypoints`, `steps` on `/step` |
///
/// Anything else without a position is not carried: a `location` must have one. What the phone apps have no field for goes beside:
/// `motion`, `tow`, `odometer` (km), `ubatt` (V) as dedicated trackers send it, and `alert`, `detector`, `armed`, which others pass over. Over
/// HTTP the receiver knows the tracker by `topic`, `owntracks/leash/` and its id, or by the headers `X-Limit-U` and `X-Limit-D`. On a
/// way whose topic is known, `OwnTracksTopicForm` says that one.
///
/// `tst` is the second of the position; of an alert whose position is a second old or more, and of any other packet but a `location` on its
/// path whose position is 7 s old or more, it is the second of the packet, with `fixAge` beside it. As some receivers take two messages of one `tst` for the same, and the latest `tst` for the latest news, a packet whose
/// second was sent before has the next that was not: up to 6 s later than its own. Where those are all used the packet goes as one without a
/// position. See `Packet.epochSeconds`.
///
/// - Source: booklet of OwnTracks, "JSON", "MQTT" and "HTTP"; the triggers are those of its gateway for dedicated trackers.
@frozen public struct OwnTracksForm: PacketForm, Sendable {
  /// The form.
  @inlinable public init() {}

  /// Topics, a retained position, a will, and requests in answers; an answer of 200 says nothing.
  public var needs: FormNeeds { [.topics, .retain, .will, .answers, .blindAnswers] }

  /// Writes one of the messages of a packet.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, into sink: inout some ByteSink
  ) -> MessageHead? {
    packet.encodeOwnTracks(part: part, OwnTracksNames(trackerID), into: &sink)
  }

  /// Writes one of the messages of a packet, with what its answer is about.
  public func encode(
    _ packet: borrowing Packet, part: Int, trackerID: Span<UInt8>, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead? {
    packet.encodeOwnTracks(part: part, OwnTracksNames(trackerID), of: source, into: &sink)
  }

  /// The requests among what a server says: a `cmd`, or an array of such.
  public func nextRequest(in bytes: Span<UInt8>, at place: inout Int, into sink: inout some ByteSink) -> Bool {
    OwnTracksCommands.next(in: bytes, at: &place, hasAnswers: true, into: &sink)
  }
}

extension Packet {
  /// - Parameter name: The whole name of the fence of a transition; empty where the packet's is all that is known.
  func encodeOwnTracks(
    part: Int, _ names: OwnTracksNames, named name: InlineBytes<32> = InlineBytes<32>(), into sink: inout some ByteSink
  ) -> MessageHead? {
    var part = part
    if tellsTransition {
      if part == 0 {
        writeTransition(names, named: name, into: &sink)
        return MessageHead(isLast: false, topic: .event)
      }
      part -= 1
    } else if status?.reason == .asked, timedPosition != nil {
      // Whoever asks for a status and whoever asks for a location have theirs.
      if part == 0 {
        writeStatus(names, into: &sink)
        return MessageHead(isLast: false, topic: .status)
      }
      part -= 1
    }
    guard part == 0 else { return nil }
    if timedPosition != nil {
      writeLocation(names, into: &sink)
      return MessageHead()
    }
    guard kind == .status || kind.priority == .alert else { return nil }
    writeStatus(names, into: &sink)
    return MessageHead(topic: .status)
  }

  func encodeOwnTracks(
    part: Int, _ names: OwnTracksNames, of source: borrowing some AnswerSource & ~Copyable,
    into sink: inout some ByteSink
  ) -> MessageHead? {
    switch status?.reason {
    case .settings:
      guard part == 0 else { return nil }
      OwnTracksMessages.openDump(
        trackerID: names.trackerID, interval: source.answeredInterval, distance: source.answeredDistance, into: &sink)
      writeEnd(names, .dump, into: &sink)
      return MessageHead(topic: .dump)
    case .fences:
      guard part == 0 else { return nil }
      OwnTracksMessages.openWaypoints(of: source, trackerID: names.trackerID, withoutPlaces: isPrivate, into: &sink)
      writeEnd(names, .waypoints, into: &sink)
      return MessageHead(topic: .waypoints)
    case .steps, .activity:
      // Steps without a time are no message.
      guard let utc, utc.microseconds >= 0 else { break }
      guard part == 0 else { return nil }
      writeSteps(at: utc, into: &sink)
      writeEnd(names, .step, into: &sink)
      return MessageHead(topic: .step)
    default: break
    }
    return encodeOwnTracks(part: part, names, named: wholeName(in: source), into: &sink)
  }

  private func writeLocation(_ names: OwnTracksNames, into sink: inout some ByteSink) {
    sink.write { encodeLocation(names, into: &$0) }
  }

  private func writeTransition(
    _ names: OwnTracksNames, named name: InlineBytes<32>, into sink: inout some ByteSink
  ) {
    sink.write { encodeTransition(names, named: name, into: &$0) }
  }

  /// What a server acknowledges a message by, and where it goes; the end of its object.
  private func writeEnd(_ names: OwnTracksNames, _ kind: MessageTopic, into sink: inout some ByteSink) {
    sink.write { append(names, kind, to: &$0) }
  }

  /// The name of the fence of a transition as its waypoint has it, of which the packet has the beginning; empty when the fence is gone or
  /// has another name by now.
  private func wholeName(in source: borrowing some AnswerSource & ~Copyable) -> InlineBytes<32> {
    guard tellsTransition, let rule else { return InlineBytes<32>() }
    var row = 0
    while row < source.answeredFenceRows {
      if let fence = source.answeredFence(in: row), fence.number == rule.number {
        let (count, name) = (Int(rule.name.count), rule.name.text)
        var place = 0
        while place < count, place < fence.name.count, fence.name[place] == name[place] { place += 1 }
        return place == count ? fence.name : InlineBytes<32>()
      }
      row += 1
    }
    return InlineBytes<32>()
  }

  private func writeStatus(_ names: OwnTracksNames, into sink: inout some ByteSink) {
    sink.write { encodeStatus(names, into: &$0) }
  }

  private func writeSteps(at time: UTCTime, into sink: inout some ByteSink) {
    sink.write { encodeSteps(at: time, into: &$0) }
  }

  /// What an accuracy that is not known is said to be, m: receivers drop a location that has none, or 0 (trap 12).
  static var unknownAccuracy: Int64 { 100 }

  /// True when it is told as a `transition`, which needs a place, a time and a name.
  var tellsTransition: Bool { kind == .transition && timedPosition != nil && crossingSeconds != nil && rule != nil }

  /// When the edge was crossed, in seconds since 1970.
  var crossingSeconds: Int64? {
    guard let utc, let rule else { return nil }
    let time = utc.microseconds - rule.crossedAgo.microseconds
    return time < 0 ? nil : time / 1_000_000
  }

  func encodeLocation(_ names: OwnTracksNames, into sink: inout TextWriter) {
    guard let position else { return }
    sink.append("{\"_type\":\"location\"")
    appendShortName(of: names.trackerID, to: &sink)
    sink.append(",\"lat\":")
    sink.append(fixed: Int64(position.latitudeE7), decimals: 7)
    sink.append(",\"lon\":")
    sink.append(fixed: Int64(position.longitudeE7), decimals: 7)
    append(",\"acc\":", position.accuracyMetres ?? Packet.unknownAccuracy, to: &sink)
    append(",\"tst\":", epochSeconds, to: &sink)
    if isTimedWhenMade {
      sink.append(",\"fixAge\":")
      sink.append(fixed: fixAge.microseconds / 100_000, decimals: 1)
    } else if let utc, utc.microseconds >= 0, fixAge >= .seconds(1) {
      append(",\"created_at\":", utc.microseconds / 1_000_000, to: &sink)
    }
    append(",\"alt\":", position.altitudeMetres, to: &sink)
    append(",\"vel\":", position.speedKilometresPerHour, to: &sink)
    append(",\"cog\":", position.courseDegrees, to: &sink)
    if let trigger = PacketMeaning(self)?.words.ownTracks {
      sink.append(",\"t\":\"")
      sink.append(trigger)
      sink.append(0x22)
    }
    encodeKnownFields(into: &sink)
    sink.append(",\"odometer\":")
    sink.append(fixed: Int64(distanceMetres), decimals: 3)
    sink.append(",\"armed\":")
    sink.append(flag: isArmed)
    if alert != nil, kind == .movement { sink.append(",\"tow\":true") }
    encodeAlertMembers(into: &sink)
    encodeRuleMember(into: &sink)
    if let rule, kind == .transition {
      sink.append(rule.isEntry ? ",\"event\":\"enter\"" : ",\"event\":\"leave\"")
    }
    encodeStatusMembers(into: &sink)
    if status?.reason == .checkpoint, let value {
      sink.append(",\"poi\":")
      sink.append(jsonString: value.text.span)
    }
    append(names, .base, to: &sink)
  }

  /// A region entered or left; never retained.
  ///
  /// `wtst` is the key of the waypoint and, as the tracker keeps no time at which a fence was made, the number of the fence, as in the
  /// waypoint itself.
  ///
  /// - Parameters:
  ///   - names: What the tracker is called.
  ///   - name: The whole name of the fence; empty where the packet's is all that is known.
  ///   - sink: Takes the message.
  func encodeTransition(_ names: OwnTracksNames, named name: InlineBytes<32>, into sink: inout TextWriter) {
    guard let position, let rule, let crossingSeconds else { return }
    sink.append("{\"_type\":\"transition\"")
    appendShortName(of: names.trackerID, to: &sink)
    append(",\"wtst\":", Int64(rule.number), to: &sink)
    append(",\"tst\":", crossingSeconds, to: &sink)
    append(",\"acc\":", position.accuracyMetres ?? Packet.unknownAccuracy, to: &sink)
    sink.append(rule.isEntry ? ",\"event\":\"enter\"" : ",\"event\":\"leave\"")
    sink.append(",\"lat\":")
    sink.append(fixed: Int64(position.latitudeE7), decimals: 7)
    sink.append(",\"lon\":")
    sink.append(fixed: Int64(position.longitudeE7), decimals: 7)
    sink.append(",\"desc\":")
    if name.isEmpty { appendName(of: rule, to: &sink) } else { sink.append(jsonString: name.span) }
    sink.append(",\"rid\":\"")
    sink.append(decimal: Int64(rule.number))
    sink.append("\",\"t\":\"l\"")
    append(names, .event, to: &sink)
  }

  /// The steps of the time that was asked about, or of the day; -1 where nothing counts them.
  func encodeSteps(at time: UTCTime, into sink: inout TextWriter) {
    let now = time.microseconds / 1_000_000
    var (start, end) = (now / 86_400 * 86_400, now)
    // What is counted is counted by days.
    var steps: UInt32?
    if case .fixed(let number, _)? = PacketField.steps.value(in: self) { steps = UInt32(clamping: number) }
    if let value {
      let text = value.text
      var split = 0
      while split < text.count, text[split] != 0x2B { split += 1 }
      if split < text.count, let from = scanUnsigned(text.span.extracting(0..<split)),
        let duration = scanUnsigned(text.span.extracting(split + 1..<text.count)), from <= 0xFFFF_FFFF,
        duration <= 0xFFFF_FFFF
      {
        (start, end) = (Int64(from), Int64(from + duration))
        steps = nil
      }
    }
    OwnTracksMessages.openSteps(
      steps, from: UTCTime(microseconds: start * 1_000_000), to: UTCTime(microseconds: end * 1_000_000), at: time,
      into: &sink)
    // Beyond what its apps read.
    if let minutes = PacketField.activeMinutes.value(in: self) {
      encode(member: PacketField.activeMinutes.name, minutes, into: &sink)
    }
    if let minutes = PacketField.restMinutes.value(in: self) {
      encode(member: PacketField.restMinutes.name, minutes, into: &sink)
    }
  }

  /// What a status says, where there is no place to say it at.
  func encodeStatus(_ names: OwnTracksNames, into sink: inout TextWriter) {
    sink.append("{\"_type\":\"status\"")
    append(",\"tst\":", utc.flatMap { $0.microseconds < 0 ? nil : $0.microseconds / 1_000_000 }, to: &sink)
    sink.append(",\"leash\":{\"phase\":\"")
    sink.append(phase.name)
    sink.append("\",\"armed\":")
    sink.append(flag: isArmed)
    encodeKnownFields(into: &sink)
    encodeAlertMembers(into: &sink)
    encodeRuleMember(into: &sink)
    encodeStatusMembers(into: &sink)
    sink.append(0x7D)
    append(names, .status, to: &sink)
  }

  /// A name that receivers accept: `desc` must be there, so a fence without one is called by its number.
  private func appendName(of rule: PacketRule, to sink: inout TextWriter) {
    if rule.name.count > 0 { return sink.append(jsonString: rule.name.text.span) }
    sink.append("\"fence ")
    sink.append(decimal: Int64(rule.number))
    sink.append(0x22)
  }

  private func encodeKnownFields(into sink: inout TextWriter) { encodeFields(OwnTracksFields(), into: &sink) }

  /// 1: unplugged, 2: charging, 3: full; nil when it is none of these or not known.
  ///
  /// - Source: booklet of OwnTracks, "JSON", `bs`.
  fileprivate var batteryState: Int64? {
    guard let supply else { return nil }
    if supply.isCharging == true { return 2 }
    if supply.isExternal == false { return 1 }
    return supply.isExternal == true && supply.charge == 100 ? 3 : nil
  }

  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  fileprivate func appendHexadecimal(_ name: StaticString, _ value: UInt32?, to sink: inout TextWriter) {
    guard let value else { return }
    sink.append(",\"", name, "\":\"")
    sink.append(hexadecimal: UInt64(value))
    sink.append(0x22)
  }

  /// The last two characters, which receivers show beside a mark on the map.
  private func appendShortName(of trackerID: Span<UInt8>, to sink: inout TextWriter) {
    sink.append(",\"tid\":")
    sink.append(jsonString: OwnTracksMessages.shortName(of: trackerID))
  }

  private func append(_ names: OwnTracksNames, _ kind: MessageTopic, to sink: inout TextWriter) {
    names.appendTopic(kind, to: &sink)
    sink.append(",\"_id\":\"")
    sink.append(decimal: Int64(boot))
    sink.append("-")
    sink.append(decimal: Int64(sequence))
    sink.append("\"}")
  }

  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  private func append(_ key: StaticString, _ value: Int64?, to sink: inout TextWriter) {
    guard let value else { return }
    sink.append(key)
    sink.append(decimal: value)
  }
}

/// The fields that OwnTracks has words for.
private struct OwnTracksFields: FieldWriting {
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  func write(_ field: PacketField, of packet: borrowing Packet, into sink: inout TextWriter) {
    guard let name = field.ownTracksName else { return }
    switch field {
    case .charging:
      if let state = packet.batteryState { packet.encode(member: name, .fixed(state, decimals: 0), into: &sink) }
    case .area: packet.appendHexadecimal(name, packet.cell.map { UInt32($0.area) }, to: &sink)
    case .cell: packet.appendHexadecimal(name, packet.cell.map { $0.cell }, to: &sink)
    case .fences:
      guard let numbers = packet.readings[.fences] else { return }
      sink.append(",\"inrids\":[")
      packet.encode(list: UInt64(numbers), isQuoted: true, into: &sink)
      sink.append(0x5D)
    default: if let value = field.value(in: packet) { packet.encode(member: name, value, into: &sink) }
    }
  }
}

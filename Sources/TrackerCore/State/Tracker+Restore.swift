import MotionDetection
public import Quantities
import Telemetry

/// How a tracker goes on where an earlier life was.
extension Tracker {
  /// Goes on where an earlier life was; the first input of a tracker.
  ///
  /// Packets that waited are sent again under their lives and numbers, to those who did not have them. Positions are stale until
  /// there is a new fix, as nobody knows how long the tracker was off. What is damaged or missing costs itself alone: it begins
  /// anew, and the event `stateDamaged` and a `status` packet report it.
  ///
  /// - Parameters:
  ///   - state: Sections in any order, as `encodeState` and `encodePacket` wrote them, the mark among them where there is a
  ///     second place; or a whole state of the form of before there were sections, with its packets.
  ///   - time: Now.
  /// - Returns: False when there are no bytes, or when the tracker has seen something already; it is as it was then.
  @discardableResult public mutating func restore(_ state: Span<UInt8>, at time: Instant) -> Bool {
    defer { noteDeadline() }
    guard journal.firstInput == nil, isPossible(time), !state.isEmpty else { return false }
    var losses = StateLosses()
    let kept = KeptState(state, alertsEnabled: configuration.alertsEnabled)
    losses.sections = StateSections.state.subtracting(kept.found)
    journal.continueRevisions(at: kept.revision)
    restoreInPlace(kept, of: state, &losses, at: time)
    take(kept, &losses, at: time)
    takePackets(state, kept, &losses, at: time)
    // What was kept in another form is kept anew.
    journal.unkept = kept.isFirstForm ? .all : losses.sections
    if losses.packets > 0 { journal.unkept.insert(.waiting) }
    journal.noteChange(.numbering)
    pass(to: time)
    journal.emit(.restored(packets: UInt8(clamping: outbox.count), phase: monitor.phase), at: time)
    if !losses.isEmpty {
      journal.emit(.stateDamaged(losses), at: time)
      sendStatus(.stateDamaged)
    }
    tellRebooted()
    return true
  }

  private mutating func take(_ kept: borrowing KeptState, _ losses: inout StateLosses, at time: Instant) {
    var nextSequence = kept.nextSequence
    var boot = kept.boot
    var lastAlert = kept.lastAlert
    if let mark = kept.mark {
      let own = NumberingMark(boot: kept.boot, nextSequence: kept.nextSequence, lastAlert: kept.lastAlert)
      // The mark is written after the state and so never ahead of it.
      let isBehind = mark.boot > own.boot || mark.sequence > own.sequence || mark.alert > own.alert
      if isBehind {
        losses.isSetBack = kept.found.contains(.numbering)
        nextSequence = max(nextSequence, mark.sequence)
        boot = max(boot, mark.boot)
        lastAlert = max(lastAlert, mark.alert)
      }
      journal.keptMark = mark
    }
    if let utc = kept.trip.utc { journal.noteKept(utc, of: time) }
    outbox.continueNumbering(at: nextSequence, boot: boot == .max ? boot : boot + 1)
    alarm.continueNumbering(at: lastAlert)
    handover.seconds = ToldSeconds(after: kept.toldSecond)
    restoreParts(kept, at: time)
  }

  private mutating func takePackets(
    _ state: Span<UInt8>, _ kept: borrowing KeptState, _ losses: inout StateLosses, at time: Instant
  ) {
    if let records = kept.records {
      var reader = RecordReader(at: records)
      while reader.place < state.count {
        guard let packet = Packet(record: state, &reader) else {
          losses.sections.insert(.waiting)
          return
        }
        outbox.restore(packet, at: time)
      }
      return
    }
    let waiting = kept.waiting
    // Receivers that are others now are asked again, all of them.
    let isSameList = waiting?.identity == configuration.outbox.receivers.identity
    var place = 0
    while let section = StoredSection.next(in: state, from: place) {
      if section.start - StoredSection.headLength > place { losses.isDamaged = true }
      place = section.end
      guard let packet = Packet(section, of: state) else { continue }
      let pending = isSameList ? waiting?.pending(packet.sequence, of: state) : nil
      outbox.restore(packet, pending: pending, at: time)
    }
    if place < state.count { losses.isDamaged = true }
    guard let waiting else { return }
    var entry = 0
    while entry < waiting.count {
      let packet = waiting.entry(entry, of: state)
      entry += 1
      let kind = PacketKind(rawValue: packet.kind)
      let isWanted = isSameList || kind.map { !configuration.outbox.receivers.wanting($0).isEmpty } ?? true
      guard isWanted, outbox.place(of: packet.sequence) == nil else { continue }
      losses.packets &+= 1
      if kind == .movement { losses.alerts &+= 1 }
    }
  }
}

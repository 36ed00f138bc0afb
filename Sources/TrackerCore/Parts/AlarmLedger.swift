import ASCIIText
import InlineStorage
import Quantities
import Rules
import Telemetry

/// The numbers of alerts, which of them belong to the present alarm, and when the last is told again.
struct AlarmLedger: TrackerPart {
  /// Number of the last alert; 0 before the first.
  private(set) var lastAlert: UInt32 = 0
  /// The last alert of movement; `lastAlert` may be one of a fence.
  private(set) var ownAlert: UInt32 = 0
  /// The first alert of the last alarm.
  private var firstAlert: UInt32 = 0
  /// True when the next alert begins a new alarm.
  private(set) var isOver = true
  /// True while what moves is no alarm: it does so at a secure place, or where no rule guards it.
  private(set) var isDowngraded = false
  /// True while the last alert has a number and is held back, as the owner is near.
  private(set) var isHeld = false
  /// The meter when the last alarm began.
  private(set) var startDistance: Double = 0
  /// When the last alert is told again, and how many times it was.
  private var telling = AlertRepetition()
  /// What caused the last alert; of an alarm of an earlier life nothing but detector and ratio.
  private var evidence = MovementEvidence(detector: .touch, ratio: 0, onset: .zero, duration: .zero)
  private var pace: RepetitionPace

  init(_ configuration: TrackerConfiguration) { pace = AlarmLedger.pace(configuration.reports) }

  mutating func configure(_ configuration: TrackerConfiguration) {
    let former = pace
    pace = AlarmLedger.pace(configuration.reports)
    telling.configure(from: former, to: pace)
  }

  private static func pace(_ reports: ReportParameters) -> RepetitionPace {
    RepetitionPace(every: reports.repeatInterval, until: reports.repeatFor, then: reports.lateRepeatInterval)
  }

  /// When the last alert is told again; nil when somebody has answered it, or there is none.
  var nextDeadline: Instant? { telling.nextDeadline }
  /// True while the last alert is told again and again, as nobody has answered: the alarm itself may be over.
  var isUnanswered: Bool { telling.nextDeadline != nil }

  /// A number for an alert of another kind.
  mutating func nextNumber() -> UInt32 {
    lastAlert &+= 1
    return lastAlert
  }

  /// Numbers an alert.
  ///
  /// - Parameter distance: What the meter shows.
  mutating func raise(_ evidence: MovementEvidence, at time: Instant, distance: Double) -> PacketAlert {
    lastAlert &+= 1
    if isOver {
      isOver = false
      firstAlert = lastAlert
      startDistance = distance
    }
    self.evidence = evidence
    ownAlert = lastAlert
    telling.begin(at: time, pace)
    return PacketAlert(id: ownAlert, evidence: evidence)
  }

  /// Numbers an alert that is held back. What comes on top of it has its number and its onset.
  mutating func hold(_ evidence: MovementEvidence, at time: Instant, distance: Double) -> PacketAlert {
    if isHeld {
      let onset = min(self.evidence.onset, evidence.onset)
      self.evidence = evidence
      self.evidence.onset = onset
      self.evidence.duration = time - onset
    } else {
      _ = raise(evidence, at: time, distance: distance)
      isHeld = true
      telling.end()
    }
    return held
  }

  /// The alert that is held back.
  var held: PacketAlert { PacketAlert(id: ownAlert, evidence: evidence) }

  /// The alert that was held back is to be told.
  mutating func release(at time: Instant) -> PacketAlert {
    isHeld = false
    telling.begin(at: time, count: telling.count, pace)
    return held
  }

  /// It is due to be told again, and will be after that.
  ///
  /// - Parameter isHeard: False while the last one waits still: then there is nothing to tell again.
  /// - Returns: What to tell; nil for nothing.
  mutating func tellAgain(at time: Instant, isHeard: Bool) -> PacketAlert? {
    guard telling.advance(to: time, isHeard: isHeard, pace) else { return nil }
    return PacketAlert(id: ownAlert, repetition: telling.count, evidence: evidence)
  }

  /// The last alert is not told again: it is no alarm.
  mutating func downgrade() {
    isDowngraded = true
    telling.end()
  }

  /// The alarm is quiet: what moves now is a new one. Its alert is told again until somebody has answered it.
  mutating func close() {
    isOver = true
    isHeld = false
    isDowngraded = false
  }

  /// The alarm is answered, or turned out to be none: what moves now is a new one.
  mutating func end() {
    close()
    telling.end()
  }

  /// True for the newest alert of the last alarm, however often it was repeated.
  func isPresent(_ alert: UInt32) -> Bool { alert == ownAlert && alert != 0 }

  /// True for an alert that a newer one has followed, of the same alarm or while that one waits for its answer: whoever answers the old
  /// one may not have seen the new one.
  func isOutdone(_ alert: UInt32) -> Bool {
    alert != 0 && alert < ownAlert && (alert >= firstAlert || !isOver || isUnanswered)
  }

  /// Numbers that were given before, as a mark in a second place says.
  mutating func continueNumbering(at alert: UInt32) {
    lastAlert = alert
    ownAlert = alert
  }
}

// What is kept of it over a restart; the last number is in the section of all numbers.
extension AlarmLedger {
  struct Kept {
    var firstAlert: UInt32 = 0
    var startDistance = 0.0
    var detector = MovementDetector.touch
    var ratio: Float = 0
    var repetition: UInt16 = 0
    var isHeld = false
    /// True while nobody has answered the last alert of movement.
    var isUnanswered = false
    /// The last alert of movement; nil when it is the last of all.
    var ownAlert: UInt32?
    /// How it was outside its fences while that is told, and how long ago it left; nil for the former when it is not.
    var exit: FenceExit?
    var exitAge = Interval.zero
    /// When it left; nil when the time was not known.
    var exitUTC: UTCTime?

    init() {}

    /// Reads the section; in one of before alerts were told again the rest is missing, and the last byte is there for one that is held,
    /// when an alert of another kind came after it, while one about fences is open, or while nobody has answered.
    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
      firstAlert = reader.uint32(bytes)
      startDistance = reader.distance(bytes)
      guard reader.isValid, reader.place < end else { return }
      let detector = MovementDetector(rawValue: reader.byte(bytes))
      let ratio = Float(bitPattern: reader.uint32(bytes))
      reader.require(detector != nil && ratio.isFinite && ratio >= 0)
      self.detector = detector ?? .touch
      self.ratio = ratio
      repetition = reader.uint16(bytes)
      guard reader.isValid, reader.place < end else { return }
      let flags = reader.byte(bytes)
      reader.require(flags >= 1 && flags <= 31)
      isHeld = reader.isValid && flags & 1 != 0
      isUnanswered = reader.isValid && flags & 8 != 0
      if flags & 2 != 0 { ownAlert = reader.uint32(bytes) }
      guard reader.isValid, flags & 4 != 0 else { return }
      var exit = FenceExit()
      exit.fence = reader.byte(bytes)
      exit.distance = reader.float(bytes)
      exit.ratio = reader.float(bytes)
      exitAge = reader.age(bytes) ?? .zero
      if flags & 16 != 0 { exitUTC = UTCTime(microseconds: reader.int64(bytes)) }
      self.exit = exit
    }
  }

  /// - Parameters:
  ///   - exit: How it is outside its fences while that is told; nil when it is not.
  ///   - exitUTC: When it left; nil while the time is not known.
  func encode(into content: inout SectionContent, exit: FenceExit?, _ exitUTC: UTCTime?, at time: Instant) {
    content.append(littleEndian: UInt64(firstAlert), bytes: 4)
    content.append(distance: startDistance)
    content.append(evidence.detector.rawValue)
    content.append(bits: evidence.ratio.isFinite && evidence.ratio >= 0 ? evidence.ratio : 0)
    content.append(littleEndian: UInt64(telling.count), bytes: 2)
    let isLast = ownAlert == lastAlert
    let exitFlags: UInt8 = exit == nil ? 0 : exitUTC == nil ? 4 : 20
    let flags: UInt8 = (isHeld ? 1 : 0) | (isLast ? 0 : 2) | exitFlags | (isUnanswered ? 8 : 0)
    if flags != 0 { content.append(flags) }
    if !isLast { content.append(littleEndian: UInt64(ownAlert), bytes: 4) }
    guard let exit else { return }
    content.append(exit.fence)
    content.append(bits: exit.distance.isFinite ? exit.distance : 0)
    content.append(bits: exit.ratio.isFinite ? exit.ratio : 0)
    content.append(age: time - exit.since)
    if let exitUTC { content.append(littleEndian: UInt64(bitPattern: exitUTC.microseconds), bytes: 8) }
  }

  /// After `continueNumbering(at:)`.
  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    ownAlert = min(kept.alarm.ownAlert ?? lastAlert, lastAlert)
    firstAlert = min(kept.alarm.firstAlert, ownAlert)
    // The meter may be lost and this not.
    startDistance = min(kept.alarm.startDistance, kept.trip.distance)
    evidence = MovementEvidence(detector: kept.alarm.detector, ratio: kept.alarm.ratio, onset: time, duration: .zero)
    telling.remember(count: kept.alarm.repetition)
    isHeld = kept.alarm.isHeld && lastAlert > 0
    if isHeld { isOver = false }
    if kept.alarm.isUnanswered, !isHeld, ownAlert > 0 { telling.begin(at: time, count: telling.count, pace) }
  }

  /// A theft of an earlier life goes on; any other alarm is raised anew by what moves now.
  mutating func goOn(at time: Instant) {
    isOver = false
    if !isHeld, !isUnanswered { telling.begin(at: time, count: telling.count, pace) }
  }
}

import InlineStorage
public import Quantities

/// Assembles the sentences of one epoch into one fix, for receivers of any sentence order and rate.
///
/// An epoch begins when the time of day in the sentences changes. It is delivered as soon as the sentence is there that
/// ended the last epochs (`CycleLearner`), or, until that is known, when the next epoch begins or the line has been
/// silent for `silenceAfter`. What comes after the last sentence with a time (mostly GSA and GSV) still counts for what
/// lasts longer than an epoch: dilutions of precision and satellites.
///
/// Which sentence is believed for what follows gpsd 3.22, with which the results are compared in `docs/nmea.md`:
/// position, speed and course from the last sentence of the epoch that has them; the date from valid RMC and from ZDA
/// only; three dimensions once a height and four satellites are there, and then until a sentence says that there is no
/// fix (`holdsThreeDimensional`), because RMC and GLL can't tell two from three.
public struct EpochAssembler: SentenceVisitor, ~Copyable, Sendable {
  /// How long the line must be silent until an epoch without known end is delivered.
  ///
  /// - Default: 300 ms. Receivers send an epoch in one go; at 4800 baud a sentence takes up to 170 ms.
  public var silenceAfter: Interval
  /// Whether a three-dimensional fix stays so when a sentence says two-dimensional.
  ///
  /// - Default: true, as gpsd does.
  public var holdsThreeDimensional: Bool
  /// Whether a GGA that counts fewer than three satellites says that there is no fix, whatever other sentences say.
  ///
  /// - Default: false. Receivers count 00, or nothing, while they reckon or when the count is not theirs to give, and RMC, GNS or
  ///   GSA of the same epoch vouch for the position. gpsd 3.22 goes by the count; results are compared with it so.
  public var countsSatellites: Bool
  /// Dates to times.
  public var clock: UTCClock
  /// When the bytes being parsed arrived.
  public var now: Instant

  var draft: FixDraft
  /// The draft after the last sentence of the last epoch that had a time, and of the one before.
  var last: FixDraft
  var older: FixDraft
  var learner: CycleLearner
  var satellites: SatelliteLedger
  var dilution: DilutionOfPrecision
  var lastGGATime: Int64?
  var lastGGATalker: Talker?
  var isGGATimeStuck: Bool
  /// What a GSA since the last GGA vouched for: where GGA ends the epochs it comes too late for its own.
  var vouchedMode: UInt8?

  private var pending: FixDraft
  private var hasPending: Bool
  private var pendingDeadline: Instant
  private var reportCount: UInt16
  private var lastReportTag: UInt8
  private var firstReportTag: UInt8
  private var closingCount: UInt16
  private var closingTag: UInt8
  private var hasStamp: Bool
  private var ready = InlineQueue<8, GNSSFix>()

  /// Fixes that were lost because the queue of finished ones was full.
  public var droppedFixCount: UInt32 { ready.rejectedCount }

  /// An assembler that has seen nothing.
  public init(
    rolloverReference: CivilDate? = nil, silenceAfter: Interval = .milliseconds(300),
    holdsThreeDimensional: Bool = true, countsSatellites: Bool = false
  ) {
    self.silenceAfter = silenceAfter
    self.holdsThreeDimensional = holdsThreeDimensional
    self.countsSatellites = countsSatellites
    clock = UTCClock(rolloverReference: rolloverReference)
    now = .zero
    draft = FixDraft()
    last = FixDraft()
    older = FixDraft()
    learner = CycleLearner()
    satellites = SatelliteLedger()
    dilution = DilutionOfPrecision()
    lastGGATime = nil
    lastGGATalker = nil
    isGGATimeStuck = false
    vouchedMode = nil
    pending = FixDraft()
    hasPending = false
    pendingDeadline = .zero
    reportCount = 0
    lastReportTag = 0
    firstReportTag = 0
    closingCount = 0
    closingTag = 0
    hasStamp = false
  }

  /// The next finished fix, oldest first.
  public mutating func nextFix() -> GNSSFix? { ready.popFirst() }

  /// When `advance(to:)` must be called at the latest; nil when nothing waits.
  public var nextDeadline: Instant? { hasPending ? pendingDeadline : nil }

  /// Delivers an epoch whose end is overdue. Early and repeated calls do nothing.
  public mutating func advance(to now: Instant) {
    if hasPending, now >= pendingDeadline { deliver() }
  }

  /// Delivers what is there, as at the end of a recording.
  public mutating func flush() {
    if hasPending { deliver() }
  }

  /// Adds what one sentence said.
  ///
  /// - Parameter tag: The kind of the sentence, 0 for kinds that are not read.
  @inline(never) mutating func add(_ contribution: Contribution, tag: UInt8) {
    var part = contribution
    let verdict = learner.observe(tag: tag, stamp: part.stamp)
    if holdsThreeDimensional, let mode = part.mode, mode != 1, draft.mode == 3, last.hasHeight || older.hasHeight {
      part.mode = 3
    }
    if verdict.startsEpoch || part.startsEpoch {
      closeEpoch()
      draft = FixDraft()
      draft.arrival = now
    }
    if part.stamp != nil { hasStamp = true }
    draft.merge(part)
    remember()
    let changesFix = part.position != nil || part.mode != nil
    if verdict.endsEpoch || part.endsEpoch || (!learner.isReliable && changesFix) { report(tag) }
    if hasPending { pendingDeadline = now + silenceAfter }
  }

  /// Keeps the draft for the epochs to come, which must know whether there was a height.
  private mutating func remember() {
    guard let utc = draft.utc else { return }
    if let before = last.utc {
      let step = (utc - before).microseconds
      if step > 9_900 || step < -9_900 { older = last }
    } else {
      older = last
    }
    last = draft
  }

  /// The draft is as complete as it will be, as far as this sentence can tell.
  @inline(never) private mutating func report(_ tag: UInt8) {
    let isRepeated = !hasStamp && tag == firstReportTag
    let losesTime = pending.utc != nil && pending.utc != draft.utc
    if hasPending, isRepeated || losesTime {
      // Without times a sentence that comes again is a new epoch; so is one whose time went away or changed.
      deliver()
      reportCount = 0
      draft.arrival = now
    }
    if reportCount == 0 { firstReportTag = tag }
    reportCount = reportCount &+ 1
    lastReportTag = tag
    pending = draft
    hasPending = true
    let isLast = learner.isReliable && tag == closingTag && reportCount == closingCount
    if isLast, !learner.isOpenEnded { deliver() }
  }

  @inline(never) private mutating func closeEpoch() {
    if hasPending { deliver() }
    closingTag = lastReportTag
    closingCount = reportCount
    reportCount = 0
    hasStamp = false
  }

  // Not in the frames of all that may end an epoch.
  @inline(never) private mutating func deliver() {
    hasPending = false
    ready.append(EpochAssembler.finishedFix(pending, dilution, satellites))
  }
}

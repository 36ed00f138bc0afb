import InlineStorage
import Quantities

/// What all parts share: the time, the timeline for the owner, and what a restart must not lose.
struct TrackerJournal: ~Copyable {
  /// The latest time any input told.
  var now: Instant = .zero
  /// The time of the first input; nil before it.
  var firstInput: Instant?
  /// Counts of what could not be used or done.
  var counts = TrackerDiagnostics()
  /// How often the state was kept, in all lives: of two copies of a section the one of the higher revision is newer.
  private(set) var revision: UInt32 = 0
  /// Sections that this life has not kept and did not find whole.
  var unkept: StateSections = .all
  /// The mark as it was last kept.
  var keptMark = NumberingMark()

  private var utcOffset: Interval?
  /// True while the offset is that of the life before, as if no time had passed between the two.
  private var isOffsetEarlier = false
  /// Sections in which something has changed that a restart must not lose.
  private var toPersist = StateSections()
  private var events = InlineQueue<24, TrackerEvent>()

  // MARK: Time

  /// The UTC of an instant; nil while no receiver has told the time.
  func utc(of instant: Instant) -> UTCTime? {
    isOffsetEarlier ? nil : keptUTC(of: instant)
  }

  /// The UTC to keep with what is kept at an instant, from which the next life sees how long nothing was heard.
  func keptUTC(of instant: Instant) -> UTCTime? {
    utcOffset.map { UTCTime(microseconds: instant.microseconds) + $0 }
  }

  /// What the life before kept with an instant of this one.
  mutating func noteKept(_ utc: UTCTime, of instant: Instant) {
    note(utc, of: instant)
    isOffsetEarlier = true
  }

  /// What was taken for the UTC of the first input; nil where nothing is taken for it.
  var earlierUTC: UTCTime? { isOffsetEarlier ? firstInput.flatMap { keptUTC(of: $0) } : nil }

  /// A receiver has told the UTC of an instant.
  mutating func note(_ utc: UTCTime, of instant: Instant) {
    utcOffset = Interval(microseconds: utc.microseconds) - (instant - Instant.zero)
    isOffsetEarlier = false
  }

  // MARK: Timeline

  /// Tells the owner.
  mutating func emit(_ kind: TrackerEvent.Kind, at time: Instant) {
    events.append(TrackerEvent(time: time, utc: utc(of: time), kind: kind))
  }

  /// Fetches the next event, oldest first; nil when there is none.
  mutating func nextEvent() -> TrackerEvent? { events.popFirst() }

  /// True when all events are fetched.
  var isTold: Bool { events.isEmpty }
  /// Events that were refused because nobody fetched the earlier ones.
  var lostEventCount: UInt32 { events.rejectedCount }

  // MARK: Keeping

  /// Goes on behind what an earlier life kept.
  mutating func continueRevisions(at revision: UInt32) { self.revision = revision }

  /// Something has changed that a restart must not lose.
  mutating func noteChange(_ sections: StateSections = .state) { toPersist.formUnion(sections) }

  /// True when something is to be kept.
  var hasChanges: Bool { !toPersist.isEmpty }

  /// What is to be kept now, which counts as kept from here on.
  ///
  /// - Parameter mark: How far numbering may have come.
  mutating func sectionsToKeep(mark: NumberingMark) -> StateSections {
    var sections = toPersist.union(unkept)
    if mark != keptMark { sections.insert(.mark) }
    keptMark = mark
    toPersist = StateSections()
    unkept = StateSections()
    revision &+= 1
    return sections
  }
}

import CSQLite
import Activity
import Gear
import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry
import TrackerCore

/// The tracker's state in a SQLite file: one transaction for each change.
///
/// A change is made of what the tracker is at the time, as bytes; they are written in place, or, `beside` the loop, by a thread of
/// their own while the tracker goes on. One change is under way at a time, and what has changed in the meantime is the next. A
/// change is settled when it is on the storage, or refused; a packet that is new in it waits for that (see `TrackerRun`).
///
/// A disk that is full, or any other error, does not stop the tracker: what could not be kept is kept with the next change, or
/// by a retry, or when it stops, and until then `problem` tells. A file that is damaged is put aside, never overwritten, and
/// what is intact in it is taken over.
package final class StateStore: TrackerStore {
  /// The file.
  package let path: String
  /// Why the last change could not be kept, or is late; nil when all is kept.
  package private(set) var problem: String?
  /// What happened to an older file that was damaged; nil when there was none.
  package private(set) var remark: String?
  /// Transactions that succeeded.
  package private(set) var commitCount = 0
  /// Transactions that failed.
  package private(set) var failureCount = 0
  /// The longest a transaction took.
  package private(set) var longestCommit: Interval = .zero
  /// Packets that left before they were kept.
  package private(set) var unkeptCount = 0
  /// The last change that is on the storage, or was refused.
  package private(set) var settledChange: UInt64 = 0

  /// Reports that no longer fit into the outbox.
  package let spool: StateSpool

  private let clock: any LoopClock
  private let writer: StateWriter
  /// Where outcomes of changes come from their threads; nil when changes are written in place.
  private let outcomes: Mailbox<StateOutcome>?
  /// What the files hold, as they were found; nil once it has been looked at.
  private var salvage: StateSalvage?
  /// Sections of a file that was put aside, of tags that are not known: for the new one.
  private var rescued: [(key: SectionKey, record: [UInt8])] = []
  /// Packets that are in the file, or will be when the change under way is kept.
  private var held: Set<UInt32> = []
  /// Sections that have changed and are not kept.
  private var unkept = StateSections()
  /// Sections of what stands beside the tracker, as they are now.
  private var besides: [UInt8: [UInt8]] = [:]
  /// Tags of those that have changed and are not kept.
  private var unkeptBesides: Set<UInt8> = []
  /// The change under way: what it keeps, and what was in the file before it.
  private var underWay: (sections: StateSections, besides: Set<UInt8>, heldBefore: Set<UInt32>)?
  /// The change that was begun last.
  private var lastChange: UInt64 = 0
  /// The change that somebody waits for; greater than `lastChange` when it is to begin as soon as that is over.
  private var wantedChange: UInt64 = 0
  /// True while the file has nothing of this state yet.
  private var isAnew = false
  /// How long it may take until it is kept that a packet has been delivered: a power cut before makes it come twice, and loses nothing.
  private let grouping: Interval
  /// When what is delivered is kept at the latest.
  private var groupedUntil: Instant?
  private var retryAt: Instant?
  private var retryAfter: Interval = .seconds(1)
  private var isClosed = false

  /// Opens a file, or makes it with its folder.
  ///
  /// - Throws: One failure that says what is wrong: no permission, or another process has it. No room for a new file is none:
  ///   it is made when there is. Nor is a damaged file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - spoolCapacity: Packets in the spool at most.
  ///   - grouping: Deliveries that are told within this time are kept together; a new packet takes them along at once.
  ///   - isBesideLoop: True to write changes on threads of their own; `wakeUp` then tells when one is over.
  ///   - clock: The loop's; on another than the machine's, write in place.
  package init(
    path: String, spoolCapacity: Int = 20_000, grouping: Interval = .seconds(1), isBesideLoop: Bool = false,
    clock: any LoopClock
  ) throws(DeviceFailure) {
    self.path = path
    self.grouping = grouping
    spool = StateSpool(capacity: spoolCapacity)
    self.clock = clock
    writer = StateWriter(path: path, clock: clock)
    outcomes = isBesideLoop ? try Mailbox() : nil
    makeFolders(of: path)
    // Asked before: one that a full disk leaves half made holds nothing either.
    let isNew = isMissingOrEmpty(path)
    salvage = StateSalvage(path)
    do throws(SQLiteFailure) {
      try writer.open()
      spool.load(writer.file?.spooled() ?? [])
    } catch {
      if error.isDamage(of: path) {
        noteAnew(try writer.beginAnew(because: error))
        return
      }
      switch error.code & 0xFF {
      case SQLITE_FULL, SQLITE_IOERR:
        guard isNew else { throw StateWriter.deviceFailure(error, path) }
        fail(error.message, at: clock.now)
      default: throw StateWriter.deviceFailure(error, path)
      }
    }
  }

  /// The open file, for tests; nil while a disk has no room for a new one, and after `close`.
  var file: StateFile? { writer.file }

  /// A file was put aside: all is to be kept in the new one.
  private func noteAnew(_ remark: String) {
    self.remark = remark
    spool.noteLost()
    held = []
    isAnew = true
  }

  // MARK: An earlier life

  /// What an earlier life kept, as `Tracker.restore` takes it; nil when there was none.
  ///
  /// - Throws: When a damaged file could not be put aside.
  package func restoration() throws(DeviceFailure) -> [UInt8]? {
    guard let salvage else { return nil }
    self.salvage = nil
    var rows: [(key: SectionKey, record: [UInt8])] = []
    if let file, !isAnew {
      let (read, failure) = file.rows()
      rows = read
      if let failure {
        noteAnew(try writer.beginAnew(because: failure))
      } else {
        held = Set(rows.lazy.filter { $0.key.tag == Packet.sectionTag }.map(\.key.number))
      }
    }
    var table = SectionTable()
    let intact = rows.filter { SectionTable.isIntact($0.record) }
    for row in intact { table.add(row.record) }
    let older = table.sections.isEmpty ? file?.firstForm() ?? [] : []
    // Of the state an older copy is better than none; but not in the place of one that is there and wrong.
    let recovered = older.isEmpty ? salvage.complete(&table, withState: isAnew) : 0
    if isAnew { spool.adopt(salvage.spooled(behind: table)) }
    let isDamaged = isAnew || intact.count < rows.count || recovered > 0
    noteDamage(rows.count - intact.count, recovered)
    // What is of no tag that is known goes over into a new file.
    if isAnew { rescued = intact.filter { !StateStore.isKnown($0.key.tag) } }
    let known = table.sections.keys.filter { StateStore.isKnown($0.tag) }
    for tag in known.map(\.tag) where StateStore.isBeside(tag) {
      besides[tag] = table[SectionKey(tag: tag, number: 0)]
    }
    let ordered = known.sorted { ($0.tag, $0.number) < ($1.tag, $1.number) }
    let bytes = older + ordered.flatMap { table[$0] ?? [] } + writer.markFile.read()
    // The head of a section without the rest lets the activity of a pet tell that it is lost.
    let activity = SectionKey(tag: ActivityLedger.sectionTag, number: 0)
    let isActivityLost = table[activity] == nil && rows.contains { $0.key.tag == activity.tag }
    let lost = isActivityLost ? [StoredSection.sign, ActivityLedger.sectionTag, 1] : []
    // A byte that is no section lets the tracker tell.
    let all = isDamaged ? bytes + lost + [0] : bytes
    return all.isEmpty ? nil : all
  }

  private static func isKnown(_ tag: UInt8) -> Bool {
    !StateSections(tag: tag).isEmpty || tag == StateSections.firstFormTag || tag == Packet.sectionTag
      || isBeside(tag)
  }

  /// True for a section of what stands beside the tracker.
  private static func isBeside(_ tag: UInt8) -> Bool { GearLedger.isOwn(tag) || tag == ActivityLedger.sectionTag }

  private func noteDamage(_ damaged: Int, _ recovered: Int) {
    func sections(_ count: Int) -> String { count == 1 ? "1 section" : "\(count) sections" }
    var words = remark.map { [$0] } ?? []
    if damaged > 0 { words.append("\(remark == nil ? "\(path): " : "")\(sections(damaged)) damaged") }
    if recovered > 0 || remark != nil {
      words.append(
        "\(words.isEmpty ? "\(path): " : "")\(recovered == 0 ? "nothing" : sections(recovered)) recovered from its bytes"
      )
    }
    if !words.isEmpty { remark = words.joined(separator: "; ") }
  }

  // MARK: Keeping

  /// Takes a section of what stands beside the tracker; it is kept with the next change.
  package func keep(beside tag: UInt8, _ record: [UInt8]) {
    besides[tag] = record
    unkeptBesides.insert(tag)
  }

  /// Keeps sections of the state of a tracker, all of them or none.
  ///
  /// - Returns: The change they are part of: `settledChange` reaches it.
  @discardableResult package func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    unkept.formUnion(sections)
    let now = clock.now
    if isOnlyDelivery(tracker) {
      groupedUntil = groupedUntil ?? now + grouping
    } else {
      wantedChange = lastChange + 1
      if underWay == nil { begin(tracker, at: now) }
    }
    return wantedChange
  }

  /// True when nothing has changed but who has which packet.
  private func isOnlyDelivery(_ tracker: borrowing Tracker) -> Bool {
    // While a change is under way the file is its thread's.
    let isOpen = underWay != nil || writer.isOpen
    guard grouping > .zero, unkept == .waiting, unkeptBesides.isEmpty, !isAnew, isOpen, problem == nil,
      !spool.hasChanges
    else { return false }
    for place in 0..<tracker.outbox.count where !held.contains(tracker.outbox.name(at: place).sequence) { return false }
    return true
  }

  /// When a change that could not be kept is tried again, or deliveries are kept; nil when all is kept, or a change is under way.
  package var nextDeadline: Instant? { underWay == nil ? retryAt ?? groupedUntil : nil }

  /// True while a change is being written beside the loop.
  var isWriting: Bool { underWay != nil }

  /// Readable when a change that was written beside the loop is over; nil when all are written in place.
  package var wakeUp: WakeUp? { outcomes?.wakeUp }

  /// Takes what is over, and does what is due.
  package func advance(to now: Instant, _ tracker: borrowing Tracker) {
    if underWay != nil, let outcomes {
      for outcome in outcomes.takeAll() { take(outcome, tracker, at: now) }
    }
    guard let due = nextDeadline, now >= due else { return }
    begin(tracker, at: now)
  }

  /// Says that a packet left before it was kept, because the storage took longer than it could wait.
  package func noteUnkept(_ sequence: UInt32, after wait: Interval) {
    unkeptCount += 1
    let seconds = wait.microseconds / 1_000_000
    problem = "\(path): the storage has not answered for \(seconds) s; packet \(sequence) was sent but not saved"
  }

  /// The longest that `close` waits for a change under way, in real time: the work of a thread has no other.
  static var longestClosing: Interval { .seconds(20) }

  /// Keeps the whole state a last time and lets the file go.
  package func close(_ tracker: borrowing Tracker) {
    guard !isClosed else { return }
    unkept = .all
    let end = MonotonicClock.now + StateStore.longestClosing
    while underWay != nil, let outcomes, MonotonicClock.now < end {
      var wait = EventWait()
      wait.add(outcomes.wakeUp.descriptor)
      wait.wait(until: end)
      for outcome in outcomes.takeAll() { take(outcome, tracker, at: clock.now, mayThread: false) }
    }
    guard underWay == nil else {
      // The file is in the hands of a storage that hangs.
      problem = "\(path): the storage has not answered for \(StateStore.longestClosing.microseconds / 1_000_000) s"
      return
    }
    begin(tracker, at: clock.now, mayThread: false)
    isClosed = true
    writer.close()
  }

  // MARK: One change

  private func begin(_ tracker: borrowing Tracker, at now: Instant, mayThread: Bool = true) {
    guard !isClosed else { return }
    lastChange += 1
    let change = change(of: tracker)
    if mayThread, let outcomes {
      let writer = writer
      if BackgroundThread.start({ outcomes.post(writer.write(change)) }) { return }
    }
    take(writer.write(change), tracker, at: now, mayThread: mayThread)
  }

  /// What is to be kept now; it is under way then.
  private func change(of tracker: borrowing Tracker) -> StateChange {
    var change = StateChange()
    if isAnew || !writer.isOpen {
      unkept = .all
      unkeptBesides = Set(besides.keys)
    }
    let before = held
    change.sections = rescued
    if unkept.contains(.waiting) {
      held = []
      for place in 0..<tracker.outbox.count {
        let sequence = tracker.outbox.name(at: place).sequence
        held.insert(sequence)
        if before.contains(sequence) { continue }
        var record = ByteBuffer()
        tracker.encodePacket(at: place, into: &record)
        change.sections.append((SectionKey(tag: Packet.sectionTag, number: sequence), record.bytes))
      }
      change.delivered = before.subtracting(held).sorted()
    }
    (change.spooled, change.unspooled) = spool.takeChanges()
    for tag in StateSections.tags where tag != StateSections.markTag && unkept.contains(StateSections(tag: tag)) {
      var record = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &record)
      guard !record.bytes.isEmpty else { continue }
      change.sections.append((SectionKey(tag: tag, number: 0), record.bytes))
    }
    for tag in unkeptBesides.sorted() {
      change.sections.append((SectionKey(tag: tag, number: 0), besides[tag] ?? []))
    }
    change.isWhole = unkept.isSuperset(of: .state)
    if unkept.contains(.mark) {
      var mark = ByteBuffer()
      tracker.encodeState(.mark, into: &mark)
      change.mark = mark.bytes
    }
    underWay = (unkept, unkeptBesides, before)
    unkept = []
    unkeptBesides = []
    groupedUntil = nil
    return change
  }

  private func take(_ outcome: StateOutcome, _ tracker: borrowing Tracker, at now: Instant, mayThread: Bool = true) {
    guard let (sections, besides, heldBefore) = underWay else { return }
    underWay = nil
    switch outcome {
    case .kept(let duration, let markProblem):
      commitCount += 1
      longestCommit = max(longestCommit, duration)
      spool.noteWritten()
      isAnew = false
      rescued = []
      problem = nil
      retryAt = nil
      if let markProblem {
        unkept.formUnion(.mark)
        fail(markProblem, at: now)
      } else {
        retryAfter = .seconds(1)
      }
    case .refused(let message):
      spool.noteRefused()
      unkept.formUnion(sections)
      unkeptBesides.formUnion(besides)
      held = heldBefore
      fail(message, at: now)
    case .begunAnew(let remark):
      let isSecond = isAnew
      noteAnew(remark)
      // The same change again, with all there is: nobody who waits for it is told before. What makes two damaged files in a row
      // is no damage of a file.
      if !isSecond {
        lastChange -= 1
        return begin(tracker, at: now, mayThread: mayThread)
      }
      fail(remark, at: now)
    }
    settledChange = lastChange
    if wantedChange > lastChange { begin(tracker, at: now, mayThread: mayThread) }
  }

  private func fail(_ message: String, at now: Instant) {
    failureCount += 1
    problem = message
    retryAt = now + retryAfter
    retryAfter = min(.seconds(60), retryAfter + retryAfter)
  }
}

/// True when nothing would be lost by making the file anew.
private func isMissingOrEmpty(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) != 0 || status.st_size == 0
}

/// Makes the folders that lead to a file, as far as that is allowed, closed to others: where somebody was is nobody else's
/// business.
func makeFolders(of path: String) {
  var place = path.startIndex
  while let slash = path[place...].dropFirst().firstIndex(of: "/") {
    mkdir(String(path[..<slash]), 0o750)
    place = slash
  }
}

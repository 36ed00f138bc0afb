import CSQLite
import Glibc
public import LinuxDevices
public import Quantities
public import Recording
import Telemetry
public import TrackerCore

/// The tracker's state in a SQLite file: one transaction for each change, on the storage when it returns.
///
/// A disk that is full, or any other error, does not stop the tracker: what could not be kept is kept with the next change, or
/// by a retry, or when it stops, and until then `problem` tells. A file that is damaged is put aside, never overwritten, and
/// what is intact in it is taken over.
public final class StateStore: TrackerStore {
  /// The file.
  public let path: String
  /// Why the last change could not be kept; nil when all is kept.
  public private(set) var problem: String?
  /// What happened to an older file that was damaged; nil when there was none.
  public private(set) var remark: String?
  /// Transactions that succeeded.
  public private(set) var commitCount = 0
  /// Transactions that failed.
  public private(set) var failureCount = 0
  /// The longest a transaction took.
  public private(set) var longestCommit: Interval = .zero

  /// Reports that no longer fit into the outbox.
  public let spool: StateSpool

  /// The open file; nil while a disk has no room for a new one, and after `close`.
  private(set) var file: StateFile? {
    didSet { spool.file = file }
  }
  private let markFile: MarkFile
  /// What the files hold, as they were found; nil once it has been looked at.
  private var salvage: StateSalvage?
  /// Sections of a file that was put aside, of tags that are not known: for the new one.
  private var rescued: [(key: SectionKey, record: [UInt8])] = []
  /// Packets that are in the file.
  private var held: Set<UInt32> = []
  /// Sections that have changed and are not kept.
  private var unkept = StateSections()
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
  public init(
    path: String, spoolCapacity: Int = 20_000, grouping: Interval = .seconds(1)
  ) throws(DeviceFailure) {
    self.path = path
    self.grouping = grouping
    spool = StateSpool(capacity: spoolCapacity)
    markFile = MarkFile(ofState: path)
    makeFolders(of: path)
    // Asked before: one that a full disk leaves half made holds nothing either.
    let isNew = isMissingOrEmpty(path)
    salvage = StateSalvage(path)
    do throws(SQLiteFailure) {
      file = try StateFile(path: path)
      spool.file = file
    } catch {
      if error.isDamage(of: path) {
        try beginAnew(because: error)
        return
      }
      switch error.code & 0xFF {
      case SQLITE_FULL, SQLITE_IOERR:
        guard isNew else { throw StateStore.deviceFailure(error, path) }
        fail(error.message, at: MonotonicClock.now)
      default: throw StateStore.deviceFailure(error, path)
      }
    }
  }

  /// Gives the file another name and begins a new one, in which all is to be kept.
  private func beginAnew(because failure: SQLiteFailure) throws(DeviceFailure) {
    file = nil
    spool.noteLost()
    held = []
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).damaged-\(number)"
    guard rename(path, aside) == 0 else {
      // It stays as it is: nothing is kept in it.
      throw DeviceFailure(.create, aside, errorNumber: errno, .other)
    }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    remark = "\(path): damaged (\(failure.text(without: path))), put aside as \(aside)"
    isAnew = true
    do throws(SQLiteFailure) {
      file = try StateFile(path: path)
    } catch {
      throw StateStore.deviceFailure(error, path)
    }
  }

  private static func deviceFailure(_ failure: SQLiteFailure, _ path: String) -> DeviceFailure {
    switch failure.code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      let holders = PortHolder.holders(of: path).map(\.text).joined(separator: ", ")
      return DeviceFailure(
        .open, path, errorNumber: EBUSY,
        .explained(
          "busy: in use by \(holders.isEmpty ? "another process" : holders); each tracker needs a state of its own"))
    case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: return DeviceFailure(.open, path, errorNumber: EACCES)
    case SQLITE_CANTOPEN:
      // SQLite does not tell why; the system does.
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      let code = access(folder.isEmpty ? "/" : folder, W_OK) == 0 ? EACCES : errno
      return DeviceFailure(
        .open, path, errorNumber: code, code == EACCES ? .noPermission(group: nil, user: "") : .other)
    case SQLITE_FULL: return DeviceFailure(.open, path, errorNumber: ENOSPC, .other)
    default: return DeviceFailure(.open, path, errorNumber: EIO, .other)
    }
  }

  // MARK: An earlier life

  /// What an earlier life kept, as `Tracker.restore` takes it; nil when there was none.
  ///
  /// - Throws: When a damaged file could not be put aside.
  public func restoration() throws(DeviceFailure) -> [UInt8]? {
    guard let salvage else { return nil }
    self.salvage = nil
    var rows: [(key: SectionKey, record: [UInt8])] = []
    if let file, !isAnew {
      let (read, failure) = file.rows()
      rows = read
      if let failure {
        try beginAnew(because: failure)
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
    let ordered = known.sorted { ($0.tag, $0.number) < ($1.tag, $1.number) }
    let bytes = older + ordered.flatMap { table[$0] ?? [] } + markFile.read()
    // A byte that is no section lets the tracker tell.
    let all = isDamaged ? bytes + [0] : bytes
    return all.isEmpty ? nil : all
  }

  private static func isKnown(_ tag: UInt8) -> Bool {
    tag <= StateSections.lastTag || tag == StateSections.firstFormTag || tag == Packet.sectionTag
  }

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

  /// Keeps sections of the state of a tracker, all of them or none.
  public func keep(_ sections: StateSections, of tracker: borrowing Tracker) {
    unkept.formUnion(sections)
    let now = MonotonicClock.now
    if isOnlyDelivery(tracker) {
      groupedUntil = groupedUntil ?? now + grouping
    } else {
      keep(tracker, at: now)
    }
  }

  /// True when nothing has changed but who has which packet.
  private func isOnlyDelivery(_ tracker: borrowing Tracker) -> Bool {
    guard grouping > .zero, unkept == .waiting, !isAnew, file != nil, problem == nil, !spool.hasChanges else {
      return false
    }
    for place in 0..<tracker.outbox.count where !held.contains(tracker.outbox.name(at: place).sequence) { return false }
    return true
  }

  /// When a change that could not be kept is tried again, or deliveries are kept; nil when all is kept.
  public var nextDeadline: Instant? { retryAt ?? groupedUntil }

  /// Does what is due.
  public func advance(to now: Instant, _ tracker: borrowing Tracker) {
    guard let due = nextDeadline, now >= due else { return }
    keep(tracker, at: now)
  }

  /// Keeps the whole state a last time and lets the file go.
  public func close(_ tracker: borrowing Tracker) {
    guard !isClosed else { return }
    keep(.all, of: tracker)
    isClosed = true
    file = nil
  }

  private func keep(_ tracker: borrowing Tracker, at now: Instant) {
    guard !isClosed else { return }
    do throws(SQLiteFailure) {
      try keepState(tracker)
    } catch {
      // Nothing is lost by beginning anew: the tracker has it all.
      let isHeaderWrong = file?.database.isReadOnly == true && error.isDamage(of: path)
      guard error.isFoundDamage || isHeaderWrong, (try? beginAnew(because: error)) != nil,
        (try? keepState(tracker)) != nil
      else {
        return fail(error.message, at: now)
      }
    }
    guard keepMark(of: tracker, at: now) else { return }
    longestCommit = max(longestCommit, MonotonicClock.now - now)
    problem = nil
    retryAt = nil
    retryAfter = .seconds(1)
  }

  private func keepState(_ tracker: borrowing Tracker) throws(SQLiteFailure) {
    do throws(SQLiteFailure) {
      if file == nil {
        file = try StateFile(path: path)
        isAnew = true
      }
      if isAnew { unkept = .all }
      try commit(tracker)
    } catch {
      file?.rollBack()
      throw error
    }
    commitCount += 1
    unkept.formIntersection(.mark)
    isAnew = false
    groupedUntil = nil
    rescued = []
  }

  private func keepMark(of tracker: borrowing Tracker, at now: Instant) -> Bool {
    guard unkept.contains(.mark) else { return true }
    var bytes = ByteBuffer()
    tracker.encodeState(.mark, into: &bytes)
    let code = markFile.write(bytes.bytes)
    guard code == 0 else {
      fail("\(markFile.path): \(String(cString: strerror(code)))", at: now)
      return false
    }
    unkept = []
    return true
  }

  private func fail(_ message: String, at now: Instant) {
    failureCount += 1
    problem = message
    retryAt = now + retryAfter
    retryAfter = min(.seconds(60), retryAfter + retryAfter)
  }

  private func commit(_ tracker: borrowing Tracker) throws(SQLiteFailure) {
    guard let file else { return }
    var waiting = held
    try file.begin()
    for row in rescued { try file.insert(row.key, row.record) }
    if unkept.contains(.waiting) {
      waiting = []
      for place in 0..<tracker.outbox.count {
        let sequence = tracker.outbox.name(at: place).sequence
        waiting.insert(sequence)
        if held.contains(sequence) { continue }
        var record = ByteBuffer()
        tracker.encodePacket(at: place, into: &record)
        try file.insert(SectionKey(tag: Packet.sectionTag, number: sequence), record.bytes)
      }
      for sequence in held.subtracting(waiting) {
        try file.delete(SectionKey(tag: Packet.sectionTag, number: sequence))
      }
    }
    try spool.write(into: file)
    for tag in 1..<StateSections.lastTag where unkept.contains(StateSections(tag: tag)) {
      var record = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &record)
      try file.insert(SectionKey(tag: tag, number: 0), record.bytes)
    }
    if unkept.isSuperset(of: .state) { try file.dropFirstForm() }
    try file.commit()
    if unkept.isSuperset(of: .state) { file.noteFirstFormDropped() }
    held = waiting
    spool.noteWritten()
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

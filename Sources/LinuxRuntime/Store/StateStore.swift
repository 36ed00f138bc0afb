import CSQLite
import Glibc
public import LinuxDevices
public import Quantities
public import Recording
public import TrackerCore

/// The tracker's state in a SQLite file: one transaction for each change, on the storage when it returns.
///
/// A disk that is full, or any other error, does not stop the tracker: what could not be kept is kept with the next change, or
/// by a retry, or when it stops, and until then `problem` tells. A file that can't be read is put aside, never overwritten.
public final class StateStore: TrackerStore {
  /// The file.
  public let path: String
  /// Why the last change could not be kept; nil when all is kept.
  public private(set) var problem: String?
  /// What happened to an older file that could not be read; nil when there was none.
  public private(set) var remark: String?
  /// Transactions that succeeded.
  public private(set) var commitCount = 0
  /// Transactions that failed.
  public private(set) var failureCount = 0
  /// The longest a transaction took.
  public private(set) var longestCommit: Interval = .zero

  /// The open file; nil while a disk has no room for a new one, and after `close`.
  private(set) var file: StateFile?
  /// Packets that are in the file.
  private var held: Set<UInt32> = []
  private var retryAt: Instant?
  private var retryAfter: Interval = .seconds(1)
  private var isClosed = false

  /// Opens a file, or makes it with its folder.
  ///
  /// - Throws: One failure that says what is wrong: no permission, or another process has it. No room for a new file is none:
  ///   it is made when there is.
  public init(path: String) throws(DeviceFailure) {
    self.path = path
    makeFolders(of: path)
    // Asked before: one that a full disk leaves half made holds nothing either.
    let isNew = isMissingOrEmpty(path)
    do throws(SQLiteFailure) {
      file = try StateFile(path: path)
    } catch {
      switch error.code & 0xFF {
      case SQLITE_NOTADB, SQLITE_CORRUPT: try beginAnew(because: "damaged")
      case SQLITE_FULL, SQLITE_IOERR:
        guard isNew else { throw StateStore.deviceFailure(error, path) }
        fail(error, at: MonotonicClock.now)
      default: throw StateStore.deviceFailure(error, path)
      }
    }
  }

  /// Gives the file another name and begins a new one.
  private func beginAnew(because reason: String) throws(DeviceFailure) {
    file = nil
    held = []
    isClosed = true
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).damaged-\(number)"
    guard rename(path, aside) == 0 else {
      // It stays as it is: nothing is kept in it.
      throw DeviceFailure(.create, aside, errorNumber: errno, .other)
    }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    remark = "\(path): \(reason), put aside as \(aside); the tracker begins anew"
    do throws(SQLiteFailure) {
      file = try StateFile(path: path)
    } catch {
      throw StateStore.deviceFailure(error, path)
    }
    isClosed = false
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

  /// What an earlier life kept, as `Tracker.restore` takes it; nil when there is nothing.
  ///
  /// - Throws: When a file that can't be read could not be put aside.
  public func restoration() throws(DeviceFailure) -> [UInt8]? {
    guard let file else { return nil }
    do throws(SQLiteFailure) {
      guard let kept = try file.contents() else { return nil }
      held = kept.sequences
      return kept.state + kept.packets
    } catch {
      try beginAnew(because: "it can't be read (\(error.message))")
      return nil
    }
  }

  /// Puts aside a state that the tracker did not take, and gives one in which only numbering goes on where it was: a number
  /// that is used twice would look like an old packet to a server.
  ///
  /// - Returns: nil when not even the numbers are known.
  public func numbering() throws(DeviceFailure) -> [UInt8]? {
    let numbers = file.flatMap { $0.numbers() }
    try beginAnew(because: "its state is of no version that is known")
    guard let numbers else { return nil }
    var state = ByteBuffer()
    Tracker.encodeNumbering(nextSequence: numbers.nextSequence, lastAlert: numbers.lastAlert, into: &state)
    return state.bytes
  }

  // MARK: Keeping

  /// Keeps the state of a tracker, all of it or nothing.
  public func keep(_ tracker: borrowing Tracker) { keep(tracker, at: MonotonicClock.now) }

  /// When a change that could not be kept is tried again; nil when all is kept.
  public var nextDeadline: Instant? { retryAt }

  /// Tries again what could not be kept, when it is time.
  public func advance(to now: Instant, _ tracker: borrowing Tracker) {
    guard let retryAt, now >= retryAt else { return }
    keep(tracker, at: now)
  }

  /// Keeps the state a last time and lets the file go.
  public func close(_ tracker: borrowing Tracker) {
    guard !isClosed else { return }
    keep(tracker)
    isClosed = true
    file = nil
  }

  private func keep(_ tracker: borrowing Tracker, at now: Instant) {
    guard !isClosed else { return }
    do throws(SQLiteFailure) {
      if file == nil { file = try StateFile(path: path) }
      try commit(tracker)
      commitCount += 1
      longestCommit = max(longestCommit, MonotonicClock.now - now)
      problem = nil
      retryAt = nil
      retryAfter = .seconds(1)
    } catch {
      file?.rollBack()
      fail(error, at: now)
    }
  }

  private func fail(_ error: SQLiteFailure, at now: Instant) {
    failureCount += 1
    problem = error.message
    retryAt = now + retryAfter
    retryAfter = min(.seconds(60), retryAfter + retryAfter)
  }

  private func commit(_ tracker: borrowing Tracker) throws(SQLiteFailure) {
    guard let file else { return }
    var waiting: Set<UInt32> = []
    try file.begin()
    for place in 0..<tracker.outbox.count {
      let sequence = tracker.outbox.packet(at: place).sequence
      waiting.insert(sequence)
      if held.contains(sequence) { continue }
      var record = ByteBuffer()
      tracker.encodePacket(at: place, into: &record)
      try file.insert(sequence, record.bytes)
    }
    for sequence in held.subtracting(waiting) { try file.delete(sequence) }
    var state = ByteBuffer()
    tracker.encodeState(into: &state)
    try file.update(state.bytes, nextSequence: tracker.outbox.nextSequence, lastAlert: tracker.lastAlert)
    try file.commit()
    held = waiting
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

import CSQLite
import Glibc
public import LinuxDevices
public import Quantities
public import Recording
public import TrackerCore

/// The tracker's state in a SQLite file: one transaction for each change, on the storage when it returns.
///
/// A disk that is full, or any other error, does not stop the tracker: what could not be kept is kept with the next change, or
/// by a retry, and until then `problem` tells. A file that is no database is put aside, not overwritten.
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

  private let database: SQLiteDatabase
  private let insert: SQLiteStatement
  private let delete: SQLiteStatement
  private let update: SQLiteStatement
  /// Packets that are in the file.
  private var held: Set<UInt32> = []
  private var retryAt: Instant?
  private var retryAfter: Interval = .seconds(1)

  /// Opens a file, or makes it with its folder.
  ///
  /// - Throws: One failure that says what is wrong: no permission, or another process has it.
  public init(path: String) throws(DeviceFailure) {
    self.path = path
    makeFolders(of: path)
    var remark: String?
    do throws(SQLiteFailure) {
      let database: SQLiteDatabase
      do throws(SQLiteFailure) {
        database = try StateStore.open(path)
      } catch {
        guard error.code & 0xFF == SQLITE_NOTADB || error.code & 0xFF == SQLITE_CORRUPT else { throw error }
        let aside = StateStore.putAside(path)
        remark = "\(path): damaged, put aside as \(aside); the tracker begins anew"
        database = try StateStore.open(path)
      }
      self.database = database
      insert = try database.prepare("INSERT OR REPLACE INTO packets (sequence, record) VALUES (?, ?)")
      delete = try database.prepare("DELETE FROM packets WHERE sequence = ?")
      update = try database.prepare("INSERT OR REPLACE INTO state (id, record) VALUES (1, ?)")
    } catch {
      throw StateStore.deviceFailure(error, path)
    }
    self.remark = remark
  }

  private static func open(_ path: String) throws(SQLiteFailure) -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    try database.execute("CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, record BLOB NOT NULL)")
    try database.execute("CREATE TABLE IF NOT EXISTS packets (sequence INTEGER PRIMARY KEY, record BLOB NOT NULL)")
    database.reserveLog()
    return database
  }

  /// Gives a damaged file a name of its own; its write-ahead log goes with it.
  private static func putAside(_ path: String) -> String {
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).damaged-\(number)"
    rename(path, aside)
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    return aside
  }

  private static func deviceFailure(_ failure: SQLiteFailure, _ path: String) -> DeviceFailure {
    switch failure.code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return DeviceFailure(.open, path, errorNumber: EBUSY)
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

  /// What an earlier life kept, as `Tracker.restore` takes it; nil when there is nothing.
  public func restoration() -> [UInt8]? {
    var state: [UInt8] = []
    var packets: [UInt8] = []
    do throws(SQLiteFailure) {
      try database.prepare("SELECT record FROM state WHERE id = 1").rows { state = $0.bytes(0) }
      try database.prepare("SELECT sequence, record FROM packets ORDER BY sequence").rows { row in
        held.insert(UInt32(truncatingIfNeeded: row.number(0)))
        packets += row.bytes(1)
      }
    } catch {
      problem = error.message
      return nil
    }
    return state.isEmpty ? nil : state + packets
  }

  /// Says something about the file that its owner should know.
  public func note(_ text: String) { remark = text }

  /// Keeps the state of a tracker, all of it or nothing.
  public func keep(_ tracker: borrowing Tracker) { keep(tracker, at: MonotonicClock.now) }

  /// When a change that could not be kept is tried again; nil when all is kept.
  public var nextDeadline: Instant? { retryAt }

  private func keep(_ tracker: borrowing Tracker, at now: Instant) {
    do throws(SQLiteFailure) {
      try commit(tracker)
      commitCount += 1
      longestCommit = max(longestCommit, MonotonicClock.now - now)
      problem = nil
      retryAt = nil
      retryAfter = .seconds(1)
    } catch {
      failureCount += 1
      problem = error.message
      try? database.execute("ROLLBACK")
      retryAt = now + retryAfter
      retryAfter = min(.seconds(60), retryAfter + retryAfter)
    }
  }

  /// Tries again what could not be kept, when it is time.
  public func advance(to now: Instant, _ tracker: borrowing Tracker) {
    guard let retryAt, now >= retryAt else { return }
    keep(tracker, at: now)
  }

  private func commit(_ tracker: borrowing Tracker) throws(SQLiteFailure) {
    var waiting: Set<UInt32> = []
    try database.execute("BEGIN IMMEDIATE")
    for place in 0..<tracker.outbox.count {
      let sequence = tracker.outbox.packet(at: place).sequence
      waiting.insert(sequence)
      if held.contains(sequence) { continue }
      var record = ByteBuffer()
      tracker.encodePacket(at: place, into: &record)
      try insert.bind(1, Int64(sequence)).bind(2, record.bytes).run()
    }
    for sequence in held.subtracting(waiting) { try delete.bind(1, Int64(sequence)).run() }
    var state = ByteBuffer()
    tracker.encodeState(into: &state)
    try update.bind(1, state.bytes).run()
    try database.execute("COMMIT")
    held = waiting
  }
}

/// Makes the folders that lead to a file, as far as that is allowed.
func makeFolders(of path: String) {
  var place = path.startIndex
  while let slash = path[place...].dropFirst().firstIndex(of: "/") {
    mkdir(String(path[..<slash]), 0o755)
    place = slash
  }
}

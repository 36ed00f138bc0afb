import CSQLite
import Glibc

/// Why the database did not do what it was asked.
package struct SQLiteFailure: Error, Equatable, Sendable {
  /// SQLite's result code.
  package var code: Int32
  /// What SQLite says, and on which file.
  package var message: String

  /// True when SQLite itself says that the file is damaged.
  var isFoundDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

  /// True when a file that could not be opened has the wrong content, whatever SQLite calls it: a header, a page or a table that it does not
  /// understand. What is denied to us, or to everybody by the disk, is none.
  func isDamage(of path: String) -> Bool {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM, SQLITE_FULL, SQLITE_CONSTRAINT,
      SQLITE_ABORT,
      SQLITE_INTERRUPT:
      return false
    case SQLITE_IOERR: return code == SQLITE_IOERR | (2 << 8)  // SQLITE_IOERR_SHORT_READ
    case SQLITE_CANTOPEN, SQLITE_READONLY: return isOurs(path)
    default: return true
    }
  }

  /// What SQLite says, without the name of the file.
  func text(without path: String) -> String {
    message.hasPrefix("\(path): ") ? String(message.dropFirst(path.count + 2)) : message
  }

  /// True when the system lets us read and write the file and its log.
  private func isOurs(_ path: String) -> Bool {
    for name in [path, path + "-wal"] {
      let file = open(name, O_RDWR | O_CLOEXEC)
      guard file >= 0 || (name != path && errno == ENOENT) else { return false }
      if file >= 0 { close(file) }
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return access(folder, W_OK) == 0
  }
}

/// A SQLite database with the few calls that are needed: statements prepared once, bytes and numbers bound.
///
/// Write-ahead log, full synchronisation: a commit that has returned is on the storage. One process holds the file.
final class SQLiteDatabase {
  let path: String
  private var handle: OpaquePointer?

  /// Opens or makes a database.
  init(path: String) throws(SQLiteFailure) {
    self.path = path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK else {
      let failure = failure(code)
      sqlite3_close_v2(handle)
      handle = nil
      throw failure
    }
    sqlite3_extended_result_codes(handle, 1)
    do throws(SQLiteFailure) {
      // Held by one process: two trackers on one state would both send, and both forget.
      try execute("PRAGMA locking_mode = EXCLUSIVE")
      try execute("PRAGMA journal_mode = WAL")
      try execute("PRAGMA synchronous = FULL")
      try execute("PRAGMA journal_size_limit = \(SQLiteDatabase.logLength)")
      try execute("PRAGMA wal_autocheckpoint = \(SQLiteDatabase.logLength / 4400)")
      // Takes the lock now, not with the first alert.
      try execute("BEGIN IMMEDIATE; COMMIT")
    } catch {
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Length the write-ahead log is given at once, bytes: some hundred changes, and then it is begun anew.
  private static var logLength: Int { 1_048_576 }

  /// Gives the log its length in advance, with zeros, which are no frames to SQLite.
  ///
  /// A write that makes a file longer has to wait for the file system's journal, too: on a disk that others use that was 76 to
  /// 145 ms at 95 %, against 7 ms over blocks that are there. Whether it succeeds makes no other difference.
  func reserveLog() {
    let log = open(path + "-wal", O_WRONLY | O_CLOEXEC)
    guard log >= 0 else { return }
    // The locks are on the database: closing this file gives none of them up.
    defer { close(log) }
    let zeros = [UInt8](repeating: 0, count: 65_536)
    var length = Int(lseek(log, 0, SEEK_END))
    guard length >= 0 else { return }
    while length < SQLiteDatabase.logLength {
      let count = write(log, zeros, min(zeros.count, SQLiteDatabase.logLength - length))
      guard count > 0 else { return }
      length += count
    }
    fdatasync(log)
  }

  /// What SQLite says about its last error.
  func failure(_ code: Int32) -> SQLiteFailure {
    let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    return SQLiteFailure(code: code, message: "\(path): \(text)")
  }

  /// Runs statements without parameters and results.
  func execute(_ sql: String) throws(SQLiteFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// True when SQLite takes the file for one that it may not write: the file system says so, or a damaged header does.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Looks through all pages; a state is small.
  func requireSound() throws(SQLiteFailure) {
    var finding = "ok"
    try prepare("PRAGMA quick_check(1)").rows { row in finding = row.text(0) }
    guard finding == "ok" else { throw SQLiteFailure(code: SQLITE_CORRUPT, message: "\(path): \(finding)") }
  }

  /// Prepares a statement for many uses.
  func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    return SQLiteStatement(statement, of: self)
  }
}

/// A prepared statement.
final class SQLiteStatement {
  private let statement: OpaquePointer
  private let database: SQLiteDatabase

  init(_ statement: OpaquePointer, of database: SQLiteDatabase) {
    self.statement = statement
    self.database = database
  }

  deinit { sqlite3_finalize(statement) }

  /// Binds a number to a parameter, from 1.
  @discardableResult func bind(_ place: Int32, _ value: Int64) -> SQLiteStatement {
    sqlite3_bind_int64(statement, place, value)
    return self
  }

  /// Binds bytes to a parameter, from 1; they are copied.
  @discardableResult func bind(_ place: Int32, _ bytes: [UInt8]) -> SQLiteStatement {
    // The number that asks SQLite to copy; its macro does not reach Swift.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    _ = bytes.withUnsafeBytes { raw in
      // An empty array has no address, which would bind NULL.
      raw.isEmpty
        ? sqlite3_bind_zeroblob(statement, place, 0)
        : sqlite3_bind_blob(statement, place, raw.baseAddress, Int32(raw.count), copies)
    }
    return self
  }

  /// Runs it to its end.
  func run() throws(SQLiteFailure) {
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.failure(code) }
  }

  /// Runs it and calls a function with each row, whose columns `bytes` and `number` read.
  func rows(_ body: (SQLiteStatement) -> Void) throws(SQLiteFailure) {
    defer { sqlite3_reset(statement) }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw database.failure(code) }
      body(self)
    }
  }

  /// Bytes of a column of the present row, from 0.
  func bytes(_ column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Text of a column of the present row, from 0.
  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// Number of a column of the present row, from 0.
  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
}

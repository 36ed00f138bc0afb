import Glibc

/// The tables of a state file and what is done with them.
final class StateFile {
  let database: SQLiteDatabase
  private let insertion: SQLiteStatement
  private let deletion: SQLiteStatement
  private let replacement: SQLiteStatement

  /// What a file holds.
  struct Contents {
    var state: [UInt8]
    /// Their records one after another, the oldest first.
    var packets: [UInt8]
    var sequences: Set<UInt32>
  }

  init(path: String) throws(SQLiteFailure) {
    // SQLite would let everybody read it; the log gets the mode of the file.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    if file >= 0 { close(file) }
    database = try SQLiteDatabase(path: path)
    // The numbers stand beside the record, so that they can be read when the record is of another version.
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, record BLOB NOT NULL, next_sequence INTEGER NOT NULL,
        last_alert INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS packets (sequence INTEGER PRIMARY KEY, record BLOB NOT NULL)
      """)
    database.reserveLog()
    insertion = try database.prepare("INSERT OR REPLACE INTO packets (sequence, record) VALUES (?, ?)")
    deletion = try database.prepare("DELETE FROM packets WHERE sequence = ?")
    replacement = try database.prepare(
      "INSERT OR REPLACE INTO state (id, record, next_sequence, last_alert) VALUES (1, ?, ?, ?)")
  }

  /// Everything; nil when nothing was ever kept.
  func contents() throws(SQLiteFailure) -> Contents? {
    var contents = Contents(state: [], packets: [], sequences: [])
    try database.prepare("SELECT record FROM state WHERE id = 1").rows { contents.state = $0.bytes(0) }
    try database.prepare("SELECT sequence, record FROM packets ORDER BY sequence").rows { row in
      contents.sequences.insert(UInt32(truncatingIfNeeded: row.number(0)))
      contents.packets += row.bytes(1)
    }
    return contents.state.isEmpty ? nil : contents
  }

  /// How far numbering had come; nil when it can't be read.
  func numbers() -> (nextSequence: UInt32, lastAlert: UInt32)? {
    var numbers: (UInt32, UInt32)?
    do throws(SQLiteFailure) {
      try database.prepare("SELECT next_sequence, last_alert FROM state WHERE id = 1").rows { row in
        numbers = (UInt32(truncatingIfNeeded: row.number(0)), UInt32(truncatingIfNeeded: row.number(1)))
      }
    } catch {
      return nil
    }
    return numbers
  }

  func begin() throws(SQLiteFailure) { try database.execute("BEGIN IMMEDIATE") }
  func commit() throws(SQLiteFailure) { try database.execute("COMMIT") }
  /// Undoes what was begun; nothing when nothing was.
  func rollBack() { try? database.execute("ROLLBACK") }

  func insert(_ sequence: UInt32, _ record: [UInt8]) throws(SQLiteFailure) {
    try insertion.bind(1, Int64(sequence)).bind(2, record).run()
  }

  func delete(_ sequence: UInt32) throws(SQLiteFailure) { try deletion.bind(1, Int64(sequence)).run() }

  func update(_ state: [UInt8], nextSequence: UInt32, lastAlert: UInt32) throws(SQLiteFailure) {
    try replacement.bind(1, state).bind(2, Int64(nextSequence)).bind(3, Int64(lastAlert)).run()
  }
}

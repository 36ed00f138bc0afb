import Glibc
import TrackerRuntime
import Telemetry
import TrackerCore

/// The tables of a state file and what is done with them.
final class StateFile {
  let database: SQLiteDatabase
  private let insertion: SQLiteStatement
  private let deletion: SQLiteStatement
  /// True while the tables of before there were sections are there.
  private var hasFirstForm: Bool

  /// Opens a file, or makes it.
  ///
  /// - Throws: Also when SQLite finds it damaged.
  init(path: String) throws(SQLiteFailure) {
    // SQLite would let everybody read it; the log gets the mode of the file.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    if file >= 0 { close(file) }
    database = try SQLiteDatabase(path: path)
    try database.requireSound()
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS sections (tag INTEGER NOT NULL, number INTEGER NOT NULL, record BLOB NOT NULL,
        PRIMARY KEY (tag, number)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS spool (sequence INTEGER PRIMARY KEY, pending INTEGER NOT NULL,
        thinnable INTEGER NOT NULL, record BLOB NOT NULL)
      """)
    var tables = 0
    try database.prepare("SELECT name FROM sqlite_master WHERE name IN ('state', 'packets')").rows { _ in tables += 1 }
    hasFirstForm = tables == 2
    database.reserveLog()
    insertion = try database.prepare("INSERT OR REPLACE INTO sections (tag, number, record) VALUES (?, ?, ?)")
    deletion = try database.prepare("DELETE FROM sections WHERE tag = ? AND number = ?")
  }

  /// Every row, the state's before the packets', as far as they can be read.
  ///
  /// - Returns: Rows, and why there are not more.
  func rows() -> (rows: [(key: SectionKey, record: [UInt8])], failure: SQLiteFailure?) {
    var rows: [(key: SectionKey, record: [UInt8])] = []
    do throws(SQLiteFailure) {
      try database.prepare("SELECT tag, number, record FROM sections ORDER BY tag, number").rows { row in
        let key = SectionKey(
          tag: UInt8(truncatingIfNeeded: row.number(0)), number: UInt32(truncatingIfNeeded: row.number(1)))
        rows.append((key, row.bytes(2)))
      }
    } catch {
      return (rows, error)
    }
    return (rows, nil)
  }

  /// What the tables of before there were sections hold, as sections.
  func firstForm() -> [UInt8] {
    guard hasFirstForm else { return [] }
    var result = ByteBuffer()
    func add(_ tag: UInt8, _ content: [UInt8]) {
      StoredSection(tag: tag, version: 1, revision: 0).encode(content.span, into: &result)
    }
    // A row that can't be read is a section that is missing: the tracker says so.
    try? database.prepare("SELECT record, next_sequence, last_alert FROM state WHERE id = 1").rows { row in
      add(StateSections.firstFormTag, row.bytes(0))
      // The numbers stand beside the record; they may have been kept where it was not.
      var mark = ByteBuffer()
      mark.append(littleEndian: 0, bytes: 4)
      mark.append(littleEndian: UInt64(truncatingIfNeeded: row.number(1)), bytes: 4)
      mark.append(littleEndian: UInt64(truncatingIfNeeded: row.number(2)), bytes: 4)
      add(7, mark.bytes)
    }
    // These packets do not say of which life they are.
    try? database.prepare("SELECT record FROM packets ORDER BY sequence").rows { row in
      add(Packet.sectionTag, [0, 0, 0, 0] + row.bytes(0))
    }
    return result.bytes
  }

  // MARK: Spool

  /// The packets of the spool, those with the lowest numbers first; as many as can be read.
  func spooled() -> [SpooledPacket] {
    var result: [SpooledPacket] = []
    try? database.prepare("SELECT sequence, pending, thinnable, record FROM spool ORDER BY sequence").rows { row in
      result.append(
        SpooledPacket(
          sequence: UInt32(truncatingIfNeeded: row.number(0)), pending: UInt8(truncatingIfNeeded: row.number(1)),
          isThinnable: row.number(2) != 0, section: row.bytes(3)))
    }
    return result
  }

  func insertSpooled(_ packets: [SpooledPacket]) throws(SQLiteFailure) {
    guard !packets.isEmpty else { return }
    let insertion = try database.prepare(
      "INSERT OR REPLACE INTO spool (sequence, pending, thinnable, record) VALUES (?, ?, ?, ?)")
    for packet in packets {
      try insertion.bind(1, Int64(packet.sequence)).bind(2, Int64(packet.pending)).bind(3, packet.isThinnable ? 1 : 0)
        .bind(4, packet.section).run()
    }
  }

  func deleteSpooled(_ sequences: [UInt32]) throws(SQLiteFailure) {
    guard !sequences.isEmpty else { return }
    let deletion = try database.prepare("DELETE FROM spool WHERE sequence = ?")
    for sequence in sequences { try deletion.bind(1, Int64(sequence)).run() }
  }

  // MARK: Changes

  func begin() throws(SQLiteFailure) { try database.execute("BEGIN IMMEDIATE") }
  func commit() throws(SQLiteFailure) { try database.execute("COMMIT") }
  /// Undoes what was begun; nothing when nothing was.
  func rollBack() { try? database.execute("ROLLBACK") }

  func insert(_ key: SectionKey, _ record: [UInt8]) throws(SQLiteFailure) {
    try insertion.bind(1, Int64(key.tag)).bind(2, Int64(key.number)).bind(3, record).run()
  }

  func delete(_ key: SectionKey) throws(SQLiteFailure) {
    try deletion.bind(1, Int64(key.tag)).bind(2, Int64(key.number)).run()
  }

  /// Takes away what is in sections now.
  func dropFirstForm() throws(SQLiteFailure) {
    guard hasFirstForm else { return }
    try database.execute("DROP TABLE state; DROP TABLE packets")
  }

  /// The change that did so is on the storage.
  func noteFirstFormDropped() { hasFirstForm = false }
}

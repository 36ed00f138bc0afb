import CSQLite
import Glibc
import LinuxDevices
import Quantities
import Telemetry

/// The file of a state and the mark beside it, for one thread at a time.
///
/// `@unchecked Sendable`: a store gives it a change on a thread of its own and does not touch it before that thread has told the
/// outcome.
final class StateWriter: @unchecked Sendable {
  let path: String
  /// The open file; nil while a disk has no room for a new one, and after `close`.
  private(set) var file: StateFile?
  let markFile: MarkFile
  private let clock: any LoopClock
  /// True while a file is open.
  var isOpen: Bool { file != nil }

  /// No file is open before `open` or the first change.
  ///
  /// - Parameter clock: Measures how long a change takes.
  init(path: String, clock: any LoopClock) {
    self.path = path
    self.clock = clock
    markFile = MarkFile(ofState: path)
  }

  /// Opens the file, or makes it.
  func open() throws(SQLiteFailure) { file = try StateFile(path: path) }

  /// Lets the file go.
  func close() { file = nil }

  /// Gives the file another name and makes a new one.
  ///
  /// - Returns: What happened, for people.
  func beginAnew(because failure: SQLiteFailure) throws(DeviceFailure) -> String {
    file = nil
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).damaged-\(number)"
    guard rename(path, aside) == 0 else {
      // It stays as it is: nothing is kept in it.
      throw DeviceFailure(.create, aside, errorNumber: errno, .other)
    }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    do throws(SQLiteFailure) {
      try open()
    } catch {
      throw StateWriter.deviceFailure(error, path)
    }
    return "\(path): damaged (\(failure.text(without: path))), renamed to \(aside)"
  }

  static func deviceFailure(_ failure: SQLiteFailure, _ path: String) -> DeviceFailure {
    switch failure.code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      let holders = PortHolder.holders(of: path).map(\.text).joined(separator: ", ")
      return DeviceFailure(
        .open, path, errorNumber: EBUSY,
        .explained(
          "busy: in use by \(holders.isEmpty ? "another process" : holders); each tracker needs its own state file"))
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

  // MARK: Writing

  /// Writes a change, all of it or nothing; it is on the storage when this returns.
  func write(_ change: StateChange) -> StateOutcome {
    let begin = clock.now
    do throws(SQLiteFailure) {
      if file == nil { try open() }
      try commit(change)
    } catch {
      file?.rollBack()
      let isHeaderWrong = file?.database.isReadOnly == true && error.isDamage(of: path)
      // Nothing is lost by beginning anew: the tracker has it all.
      if error.isFoundDamage || isHeaderWrong, let remark = try? beginAnew(because: error) {
        return .begunAnew(remark: remark)
      }
      return .refused(error.message)
    }
    var problem: String?
    if let mark = change.mark {
      let code = markFile.write(mark)
      if code != 0 { problem = "\(markFile.path): \(String(cString: strerror(code)))" }
    }
    return .kept(in: clock.now - begin, markProblem: problem)
  }

  private func commit(_ change: StateChange) throws(SQLiteFailure) {
    guard let file else { return }
    try file.begin()
    for (key, record) in change.sections { try file.insert(key, record) }
    for sequence in change.delivered { try file.delete(SectionKey(tag: Packet.sectionTag, number: sequence)) }
    try file.insertSpooled(change.spooled)
    try file.deleteSpooled(change.unspooled)
    if change.isWhole { try file.dropFirstForm() }
    try file.commit()
    if change.isWhole { file.noteFirstFormDropped() }
  }
}

import Glibc
import StorageCalls

/// What one thread asks of the storage below a folder, from its making to its end; calls can be made to fail.
///
/// It watches the thread that makes it, so it is used in tests that do not wait for anything.
package final class StorageTrace {
  /// Something that was done to a file.
  package enum Call {
    /// A file was opened; `begins` when it is new or was emptied.
    case open(String, begins: Bool)
    /// Bytes were written.
    case write(String, offset: Int, bytes: [UInt8])
    /// A file was given a length.
    case truncate(String, length: Int)
    /// What was written is on the storage.
    case synchronize(String)
    /// A file got another name.
    case rename(String, to: String)
    /// A file is gone.
    case unlink(String)
    /// A file was closed.
    case close(String)
    /// The test noted a number.
    case mark(Int)
  }

  /// Sorts of calls.
  package struct Kinds: OptionSet, Sendable {
    /// A bit for each.
    package let rawValue: UInt32
    /// From the bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ kind: storage_kind) { rawValue = 1 << kind.rawValue }
    /// Opening.
    package static let open = Kinds(STORAGE_OPEN)
    /// Writing.
    package static let write = Kinds(STORAGE_WRITE)
    /// Giving a length.
    package static let truncate = Kinds(STORAGE_TRUNCATE)
    /// Waiting for the storage.
    package static let synchronize = Kinds(STORAGE_SYNC)
    /// Giving another name.
    package static let rename = Kinds(STORAGE_RENAME)
    /// Removing.
    package static let unlink = Kinds(STORAGE_UNLINK)
    /// Closing.
    package static let close = Kinds(STORAGE_CLOSE)
    /// All that a full or broken disk refuses.
    package static let all: Kinds = [.open, .write, .truncate, .synchronize]
  }

  /// What becomes of a chosen call.
  package enum Failure: Sendable {
    /// It does nothing.
    case refused
    /// Half of the bytes are written, then it fails.
    case torn
    /// Half of the bytes are written, and it says so.
    case shortened
  }

  /// Begins to watch this thread's calls on files below a folder.
  package init(_ folder: String) { storage_watch(folder) }

  deinit { storage_watch_end() }

  /// Lets calls fail, from the first to the last of these kinds, counted from 1 and from now.
  package func fail(
    _ kinds: Kinds = .all, from first: Int = 1, through last: Int = .max, with error: Int32 = EIO,
    _ failure: Failure = .refused
  ) {
    let how: storage_failure =
      switch failure {
      case .refused: STORAGE_REFUSE
      case .torn: STORAGE_TEAR
      case .shortened: STORAGE_SHORTEN
      }
    storage_fail(kinds.rawValue, Int64(first), Int64(last), error, how)
  }

  /// Lets all calls succeed again.
  package func heal() { storage_heal() }

  /// Calls that failed since `fail`.
  package var failureCount: Int { Int(storage_failed()) }
  /// Calls of the chosen kinds since `fail`.
  package var countedCount: Int { Int(storage_counted()) }
  /// Files that are open for writing.
  package var openFileCount: Int { Int(storage_open_files()) }

  /// Notes a number between the calls.
  package func mark(_ number: Int) { storage_mark(Int64(number)) }

  /// All calls so far that succeeded.
  package var calls: [Call] {
    (0..<storage_call_count()).map { place in
      let call = storage_call_at(place)
      let path = call.path.map { String(cString: $0) } ?? ""
      switch UInt32(call.kind) {
      case STORAGE_OPEN.rawValue: return .open(path, begins: call.begins)
      case STORAGE_WRITE.rawValue:
        let bytes = Array(UnsafeBufferPointer(start: call.bytes, count: Int(call.length)))
        return .write(path, offset: Int(call.offset), bytes: bytes)
      case STORAGE_TRUNCATE.rawValue: return .truncate(path, length: Int(call.length))
      case STORAGE_SYNC.rawValue: return .synchronize(path)
      case STORAGE_RENAME.rawValue: return .rename(path, to: call.target.map { String(cString: $0) } ?? "")
      case STORAGE_UNLINK.rawValue: return .unlink(path)
      case STORAGE_CLOSE.rawValue: return .close(path)
      default: return .mark(Int(call.offset))
      }
    }
  }

  /// What a power cut now would leave.
  package func image() -> StorageImage {
    var image = StorageImage()
    for call in calls { image.apply(call) }
    return image
  }
}

/// What is on the storage, and what is only on its way there.
///
/// Names change at once and for good; bytes are safe when their file was synchronised after they were written. Until then a power
/// cut may leave any of them out.
package struct StorageImage {
  private struct Change {
    var offset: Int
    /// nil gives the file the length `offset`.
    var bytes: [UInt8]?

    func apply(to content: inout [UInt8]) {
      guard let bytes else {
        if content.count > offset { content.removeSubrange(offset...) }
        while content.count < offset { content.append(0) }
        return
      }
      let end = offset + bytes.count
      if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
      content.replaceSubrange(offset..<end, with: bytes)
    }

    var torn: Change {
      guard let bytes else { return self }
      return Change(offset: offset, bytes: Array(bytes.prefix(bytes.count / 1024 * 512)))
    }
  }

  private struct File {
    var safe: [UInt8] = []
    var pending: [Change] = []
  }

  /// What a power cut takes of the bytes that are not safe.
  package enum Loss: CaseIterable, Sendable {
    /// Nothing: only the program died.
    case nothing
    /// All of them.
    case everything
    /// The last change is cut in its middle.
    case halfOfTheLast
    /// All but the last: the storage took them in another order.
    case allButTheLast
    /// All but the first.
    case theFirst
  }

  private var files: [String: File] = [:]

  /// Nothing.
  package init() {}

  /// Takes in what was done.
  package mutating func apply(_ call: StorageTrace.Call) {
    switch call {
    case .open(let path, let begins): if begins { files[path] = File() }
    case .write(let path, let offset, let bytes):
      files[path, default: File()].pending.append(Change(offset: offset, bytes: bytes))
    case .truncate(let path, let length):
      files[path, default: File()].pending.append(Change(offset: length, bytes: nil))
    case .synchronize(let path):
      guard var file = files[path] else { return }
      files[path] = nil
      for change in file.pending { change.apply(to: &file.safe) }
      file.pending = []
      files[path] = file
    case .rename(let path, let target):
      files[target] = files[path]
      files[path] = nil
    case .unlink(let path): files[path] = nil
    case .close, .mark: break
    }
  }

  /// The files by their paths, after a power cut with such a loss.
  package func files(after loss: Loss) -> [String: [UInt8]] {
    files.mapValues { file in
      var content = file.safe
      let changes: [Change] =
        switch loss {
        case .nothing: file.pending
        case .everything: []
        case .halfOfTheLast: file.pending.dropLast() + file.pending.suffix(1).map(\.torn)
        case .allButTheLast: file.pending.suffix(1)
        case .theFirst: Array(file.pending.dropFirst())
        }
      for change in changes { change.apply(to: &content) }
      return content
    }
  }

  /// Makes the files in another folder, as they are after such a power cut.
  ///
  /// - Parameters:
  ///   - folder: Where the watched files were.
  ///   - place: A folder that is there.
  package func write(after loss: Loss, from folder: String, to place: String) {
    for (path, content) in files(after: loss) {
      let name = path.dropFirst(folder.count)
      let file = Glibc.open(place + name, O_WRONLY | O_CREAT | O_TRUNC, 0o640)
      // Zeros behind the last frame of SQLite's log are no content, and there may be a megabyte of them.
      var count = content.count
      if name.hasSuffix("-wal") {
        while count > 0, content[count - 1] == 0 { count -= 1 }
        count = min(content.count, 32 + (max(0, count - 32) + 4119) / 4120 * 4120)
      }
      _ = Glibc.write(file, content, count)
      Glibc.close(file)
    }
  }
}

import Glibc
import Quantities
import Recording
import TrackerRuntime
import TrackerCore

/// Records a run into files of bounded size, of which the oldest make room.
///
/// Files are named `run-000012-003.leash`: the run, and its files in order. `leash replay --check` takes the files of a run
/// together. A recording must never disturb the tracker: a disk that is full ends the file, what comes then is counted and
/// lost, and a new file begins when there is room again.
///
/// What has been recorded reaches the operating system within a second; a power cut may take what its storage did not get.
package final class RideRecorder: RunLog {
  /// What is recorded, and how much is kept.
  package let settings: RecordingSettings
  /// The file that is written now; nil while there is none.
  package private(set) var file: String?
  /// Why nothing is recorded now; nil while all is well.
  package private(set) var problem: String?
  /// Records that could not be written, those that waited to be handed over included.
  package private(set) var lostCount = 0
  /// Bytes written in this run.
  package private(set) var byteCount = 0
  /// Files removed to make room.
  package private(set) var removedCount = 0

  private let run: Int
  private var segment = 0
  private var writer: LeashLogWriter?
  private var configuration: [UInt8] = []
  private var clock: () -> Instant
  private var flushAt: Instant?
  private var retryAt: Instant?
  private var retryAfter: Interval = .seconds(10)
  /// Bytes of the file at hand that are counted in `byteCount` already.
  private var countedBytes = 0
  /// Records that the operating system does not have yet.
  private var waitingCount = 0

  /// A recorder that begins with the first record.
  ///
  /// - Parameters:
  ///   - settings: Where to, and how much.
  ///   - clock: The monotonic clock.
  package init(_ settings: RecordingSettings, clock: @escaping () -> Instant) {
    self.settings = settings
    self.clock = clock
    makeFolders(of: settings.folder + "/")
    run = (RideRecorder.files(in: settings.folder).last?.run ?? 0) + 1
  }

  /// A file of some run.
  struct RecordedFile {
    var run: Int
    var segment: Int
    var name: String
    var size: Int
  }

  /// The recorder's files in a folder, oldest first.
  static func files(in folder: String) -> [RecordedFile] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var files: [RecordedFile] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let parts = name.split(whereSeparator: { $0 == "-" || $0 == "." })
      guard parts.count == 4, parts[0] == "run", parts[3] == "leash", let run = Int(parts[1]),
        let segment = Int(parts[2])
      else { continue }
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { continue }
      files.append(RecordedFile(run: run, segment: segment, name: name, size: Int(status.st_size)))
    }
    return files.sorted { ($0.run, $0.segment) < ($1.run, $1.segment) }
  }

  // MARK: Records

  /// The configuration, with which every file begins.
  package func append(configuration: Span<UInt8>) {
    self.configuration = configuration.withUnsafeBufferPointer { Array($0) }
    open(after: nil)
    if writer == nil { lostCount += 1 }
  }

  /// An input, with the bytes of those that have some.
  package func append(_ input: TrackerInput, bytes: Span<UInt8>) {
    guard let writer = ready() else { return }
    settle { () throws(RecordingError) in try writer.append(input, bytes: bytes) }
    // Before it is answered: a checkpoint's note and picture are nowhere else.
    if case .command = input { flush() }
  }

  /// Time moved on to this instant.
  package func append(tick time: Instant) {
    guard let writer = ready() else { return }
    settle { () throws(RecordingError) in try writer.append(tick: time) }
  }

  /// The server's acknowledgement of a packet.
  package func append(acknowledgement sequence: UInt32, at time: Instant) {
    guard let writer = ready() else { return }
    settle { () throws(RecordingError) in try writer.append(acknowledgement: sequence, at: time) }
  }

  /// A receiver has a packet, or will never have it.
  package func append(settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant) {
    guard let writer = ready() else { return }
    settle { () throws(RecordingError) in
      try writer.append(settlement: sequence, receiver: receiver, isDelivered: isDelivered, at: time)
    }
  }

  /// Something the tracker did, as JSON.
  package func append(action: Span<UInt8>, at time: Instant) {
    guard let writer = ready() else { return }
    settle { () throws(RecordingError) in try writer.append(action: action, at: time) }
  }

  /// Bytes the tracker sent to a port.
  package func append(output: Span<UInt8>, to port: UInt8, at time: Instant) {
    guard let writer = ready() else { return }
    settle { () throws(RecordingError) in try writer.append(output: output, to: port, at: time) }
  }

  /// A remark for people.
  package func append(note: String, at time: Instant) {
    guard let writer = ready() else { return }
    let bytes = Array(note.utf8)
    settle { () throws(RecordingError) in try writer.append(note: bytes.span, at: time) }
  }

  // MARK: Time

  /// When it has something to do; nil when it has not.
  package var nextDeadline: Instant? { flushAt }

  /// Hands what was recorded to the operating system, when it is time.
  package func advance(to now: Instant) {
    guard let due = flushAt, now >= due else { return }
    flush()
  }

  private func flush() {
    flushAt = nil
    guard let writer else { return }
    settle(recordCount: 0) { () throws(RecordingError) in try writer.flush() }
    waitingCount = 0
    flushAt = nil
  }

  /// Ends the recording; everything is on the storage when it returns.
  package func close() {
    guard let writer else { return }
    settle(recordCount: 0) { () throws(RecordingError) in
      try writer.synchronize()
      try writer.close()
    }
    self.writer = nil
    waitingCount = 0
    flushAt = nil
    synchronizeEarlierFiles()
  }

  /// Files that were full were left to the operating system.
  private func synchronizeEarlierFiles() {
    for earlier in RideRecorder.files(in: settings.folder) where earlier.run == run && earlier.segment < segment {
      let path = "\(settings.folder)/\(earlier.name)"
      let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if fdatasync(descriptor) != 0 { problem = "\(path): can't synchronise: \(String(cString: strerror(errno)))" }
      Glibc.close(descriptor)
    }
  }

  // MARK: Files

  /// The writer for the next record; nil, with the record counted as lost, when there is none.
  private func ready() -> LeashLogWriter? {
    let writer = presentWriter()
    if writer == nil { lostCount += 1 }
    return writer
  }

  /// The one at hand, the next when that is full, a new one after a failure.
  private func presentWriter() -> LeashLogWriter? {
    if let writer {
      guard writer.byteCount >= settings.segmentBytes else { return writer }
      let previous = file
      settle(recordCount: 0) { () throws(RecordingError) in try writer.flush() }
      guard problem == nil else { return nil }
      waitingCount = 0
      settle(recordCount: 0) { () throws(RecordingError) in try writer.close() }
      guard problem == nil else { return nil }
      self.writer = nil
      open(after: previous ?? "")
    } else if let retryAt, clock() >= retryAt {
      open(after: "")
    }
    return writer
  }

  /// Begins a file; `previous` is the name of the one it goes on from, empty when something is missing between them, and nil
  /// for the first of the run.
  private func open(after previous: String?) {
    makeRoom()
    segment += 1
    let digits = { (value: Int, count: Int) in
      String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
    }
    let name = "run-\(digits(run, 6))-\(digits(segment, 3)).leash"
    let path = "\(settings.folder)/\(name)"
    let bytes = configuration
    do throws(RecordingError) {
      let writer = try LeashLogWriter(path: path, isPrivate: true)
      try writer.append(configuration: bytes.span)
      if let previous { try writer.append(continuationOf: previous) }
      try writer.flush()
      self.writer = writer
      file = name
      countedBytes = 0
      problem = nil
      retryAt = nil
      retryAfter = .seconds(10)
    } catch {
      // Nothing worth keeping is in it.
      unlink(path)
      fail(error)
    }
  }

  private func settle(recordCount: Int = 1, _ write: () throws(RecordingError) -> Void) {
    waitingCount += recordCount
    do throws(RecordingError) {
      try write()
      if let writer {
        byteCount += writer.byteCount - countedBytes
        countedBytes = writer.byteCount
      }
      if flushAt == nil { flushAt = clock() + .seconds(1) }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: RecordingError) {
    problem = error.description
    lostCount += waitingCount
    waitingCount = 0
    writer = nil
    file = nil
    flushAt = nil
    retryAt = clock() + retryAfter
    retryAfter = min(.seconds(600), retryAfter + retryAfter)
  }

  /// Removes the oldest files until another segment fits.
  private func makeRoom() {
    var files = RideRecorder.files(in: settings.folder)
    var total = files.reduce(0) { $0 + $1.size }
    while total + settings.segmentBytes > settings.totalBytes, let oldest = files.first {
      files.removeFirst()
      guard unlink("\(settings.folder)/\(oldest.name)") == 0 else { continue }
      total -= oldest.size
      removedCount += 1
    }
  }
}

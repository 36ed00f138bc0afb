import Glibc
import InlineStorage
import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry
import Testing
import TrackerCore
import Uplinks

@testable import LinuxRuntime

/// A folder that goes with the test.
final class Folder {
  let path: String

  /// - Parameter isInMemory: On no disk, for tests that make hundreds of files.
  init(isInMemory: Bool = false) throws {
    let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/leash-test-XXXXXX".utf8CString)
    let made = mkdtemp(&template) != nil
    try #require(made)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove(path) }

  /// Removes what is in it.
  func empty() {
    remove(path)
    mkdir(path, 0o700)
  }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  private func remove(_ path: String) {
    if let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      closedir(stream)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}

/// A sensor whose life is told by the test.
final class FakeSensor: SensorSource {
  let name = "fake sensor"
  var sink: (SensorInput) -> Void = { _ in }
  var failure: DeviceFailure?
  var facts: [(name: String, value: String)] = []
  var patience: Interval?
  var savesWhenStopped = false
  /// What the next start throws.
  var refusal: DeviceFailure?
  private(set) var startCount = 0
  private(set) var stopCount = 0

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    startCount += 1
    failure = nil
    if let refusal { throw refusal }
  }

  func stop() { stopCount += 1 }
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  func advance(to now: Instant) {}
  var nextDeadline: Instant? { nil }
}

/// A way to the server whose answers are told by the test.
final class FakeUplink: Uplink {
  let name = "fake uplink"
  var state = UplinkState.open
  var onNews: () -> Void = {}
  var facts: [(name: String, value: String)] = []
  private(set) var taken: [OutgoingPacket] = []
  private var news: [UplinkNews] = []
  /// True when it acknowledges what it takes at once.
  var acknowledges = true

  /// What the start throws.
  var refusal: DeviceFailure?

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) { if let refusal { throw refusal } }
  func stop() { isStopped = true }
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  func advance(to now: Instant) {}
  var nextDeadline: Instant? { nil }

  let capacity = 200

  /// Looks on when a packet comes.
  var onTake: (OutgoingPacket) -> Void = { _ in }
  private(set) var isStopped = false

  func take(_ packet: OutgoingPacket, at now: Instant) {
    taken.append(packet)
    onTake(packet)
    if acknowledges { tell(.delivered(sequence: packet.sequence)) }
  }

  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }

  func text(_ place: Int) -> String { String(decoding: taken[place].bytes, as: UTF8.self) }
}

/// What a `BoardRun` needs, in a folder.
struct Board {
  let folder: Folder
  var configuration = BoardConfiguration()
  let sensor = FakeSensor()
  let uplink = FakeUplink()

  init(_ folder: Folder) {
    self.folder = folder
    configuration.stateFile = folder("state.db")
    configuration.controlSocket = folder("control")
    configuration.recording = RecordingSettings(folder: folder("rides"))
    configuration.hasFixedSeed = true
    configuration.tracker.tracker.motion.armAfter = .seconds(2)
  }

  /// - Parameter besideLoop: True as on a board; else what is to be kept is on the storage when a call returns.
  func start(besideLoop: Bool = false) throws -> BoardRun {
    let run = try BoardRun(
      configuration, parts: BoardParts(sensors: [sensor], uplinks: [uplink]),
      storage: BoardStorage(configuration, clock: MachineClock(), isBesideLoop: besideLoop),
      loop: EventLoop(clock: MachineClock()), at: MonotonicClock.now)
    try run.start()
    return run
  }
}

extension Tracker {
  /// What would be kept in the second place.
  func markBytes() -> [UInt8] {
    var buffer = ByteBuffer()
    encodeState(.mark, into: &buffer)
    return buffer.bytes
  }

  /// What would be kept, as `plain` shows it.
  func keptBytes(mark: Bool = true) -> [UInt8] {
    var buffer = ByteBuffer()
    encodeState(mark ? .all : .state, into: &buffer)
    for place in 0..<outbox.count { encodePacket(at: place, into: &buffer) }
    return plain(buffer.bytes)
  }
}

/// The sections of a state by their tags and numbers, without how often it had been kept; bytes that are no section stay as
/// they are, at the end.
func plain(_ state: [UInt8], mark: Bool = true) -> [UInt8] {
  var parts: [(UInt32, [UInt8])] = []
  var rest: [UInt8] = []
  var place = 0
  while place < state.count {
    guard let section = StoredSection(state.span, at: place) else {
      rest.append(state[place])
      place += 1
      continue
    }
    defer { place = section.end }
    guard mark || section.tag != 7 else { continue }
    let number = Packet(section, of: state.span)?.sequence ?? 0
    parts.append(
      (UInt32(section.tag) << 24 | number, [section.tag, section.version] + state[section.start..<section.end]))
  }
  return parts.sorted { $0.0 < $1.0 }.flatMap(\.1) + rest
}

extension StateStore {
  /// What a life that begins now finds, as `plain` shows it.
  func found() throws -> [UInt8]? { try restoration().map { plain($0) } }

  /// Keeps everything.
  func keep(_ tracker: borrowing Tracker) { keep(.all, of: tracker) }
}

extension StateStore {
  /// Refuses every change, or takes them again: as a disk that is full, or has gone read-only.
  func refuseChanges(_ isRefusing: Bool) throws {
    try file?.database.execute("PRAGMA query_only = \(isRefusing ? "ON" : "OFF")")
  }

  /// Puts bytes in place of a section of the state, as another version would; nothing is kept after it.
  func forge(tag: Int64, _ record: [UInt8]) throws {
    try refuseChanges(false)
    try file?.database.prepare("UPDATE sections SET record = ? WHERE tag = ?").bind(1, record).bind(2, tag).run()
    try refuseChanges(true)
  }
}

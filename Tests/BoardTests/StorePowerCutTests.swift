import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import TrackerRuntime
import ServerSupport
import Telemetry
import Testing
import TrackerCore

/// What a power cut may leave of the state's two files, tried against the state before and after the change that was cut.
///
/// SQLite appends a change to the write-ahead log and has it on the storage before the commit returns; of a write that was cut
/// any bytes may be new and any old. When the log has grown long its pages go to the database, after the log is on the storage
/// and before it is begun anew.
private struct PowerCut {
  /// The two files at one moment.
  struct Files {
    var database: [UInt8]
    var log: [UInt8]

    init(at path: String) {
      database = PowerCut.bytes(path)
      log = PowerCut.bytes(path + "-wal")
    }
  }

  let folder: String
  var tries = 0

  static func bytes(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }

  /// What a store finds in these files.
  mutating func restoration(_ database: [UInt8], _ log: [UInt8]) throws -> Set<[UInt8]>? {
    tries += 1
    let path = "\(folder)/cut\(tries).db"
    defer { for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) } }
    try Data(database).write(to: URL(filePath: path))
    try Data(log).write(to: URL(filePath: path + "-wal"))
    let store = try StateStore(path: path, clock: MachineClock())
    #expect(store.remark == nil, "the state file counts as damaged")
    return try store.restoration().map(contents)
  }

  /// Where two files begin to differ.
  static func firstDifference(_ old: [UInt8], _ new: [UInt8]) -> Int {
    var place = 0
    while place + 512 <= min(old.count, new.count), old[place..<place + 512] == new[place..<place + 512] {
      place += 512
    }
    while place < min(old.count, new.count), old[place] == new[place] { place += 1 }
    return place
  }

  /// New bytes up to a place, old ones behind; nothing where there were none.
  static func cut(_ old: [UInt8], _ new: [UInt8], at place: Int) -> [UInt8] {
    Array(new.prefix(place)) + Array(old.dropFirst(place))
  }

  /// Some blocks new, some old, each whole or cut, as a disk may have written them in any order.
  static func shuffled(_ old: [UInt8], _ new: [UInt8], block: Int, _ random: inout KillRandom) -> [UInt8] {
    var result: [UInt8] = []
    for start in stride(from: 0, to: new.count, by: block) {
      let fresh = Array(new[start..<min(start + block, new.count)])
      if start + block <= min(old.count, new.count), old[start..<start + block] == new[start..<start + block] {
        result += fresh
        continue
      }
      let stale =
        start < old.count ? Array(old[start..<min(start + block, old.count)]) : [UInt8](repeating: 0, count: block)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: result += fresh
      case 1: result += stale
      case 2: result += cut(stale, fresh, at: Int.random(in: 0...fresh.count, using: &random))
      default: result += random.oneIn(2) ? fresh : stale
      }
      if result.count < start + min(block, fresh.count) {
        result += [UInt8](repeating: 0, count: start + fresh.count - result.count)
      }
    }
    return result
  }
}

/// A tracker that changes at random, with what its store should hold.
private struct ChangingTracker: ~Copyable {
  var tracker = Tracker()
  var now = Instant.seconds(1000)
  /// Numbers of packets that were sent and may be acknowledged.
  var sent: [UInt32] = []

  /// Does something, and says whether there is something to keep.
  mutating func change(_ random: inout KillRandom) -> StateSections? {
    now = now + .milliseconds(Int.random(in: 1...20_000, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: tracker.submit(.locate, at: now)
    case 1: tracker.submit(.setAlerts(enabled: random.oneIn(2)), at: now)
    case 2: tracker.submit(.dismiss(alert: 7), at: now)
    default:
      if sent.isEmpty {
        tracker.submit(.locate, at: now)
      } else {
        tracker.acknowledge(sent.remove(at: Int.random(in: 0..<sent.count, using: &random)), at: now)
      }
    }
    var toKeep: StateSections?
    while let action = tracker.nextAction() {
      switch action {
      case .persist(let sections): toKeep = (toKeep ?? []).union(sections)
      case .transmit(let sequence, _): if !sent.contains(sequence) { sent.append(sequence) }
      case .event, .spool, .recall, .sound, .sense, .restart: break
      }
    }
    return toKeep
  }

  /// What is to be found of it.
  var record: Set<[UInt8]> {
    var buffer = ByteBuffer()
    tracker.encodeState([.numbering, .waiting], into: &buffer)
    for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &buffer) }
    return contents(buffer.bytes)
  }
}

/// The packets of a state, its numbers and its list of what waits; without how often they had been kept.
private func contents(_ state: [UInt8]) -> Set<[UInt8]> {
  var result: Set<[UInt8]> = []
  var place = 0
  while let section = StoredSection.next(in: state.span, from: place) {
    place = section.end
    if [1, 6, 16].contains(section.tag) { result.insert([section.tag] + state[section.start..<place]) }
  }
  return result
}

@Test func aPowerCutAtAnyByteOfAChangeLeavesTheStateBeforeItOrAfterIt() throws {
  let folder = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/leash-cut-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let isLong = ProcessInfo.processInfo.environment["LEASH_KILLS"] != nil
  var random = KillRandom(seed: 11)
  var cut = PowerCut(folder: folder)
  var subject = ChangingTracker()
  let path = folder + "/state.db"
  let store = try StateStore(path: path, grouping: .zero, clock: MachineClock())
  while subject.change(&random) == nil {}
  store.keep(.all, of: subject.tracker)
  var before = (files: PowerCut.Files(at: path), record: subject.record)
  var checkpoints = 0
  var changes = 0
  var sinceCheckpoint = 0
  while checkpoints < (isLong ? 8 : 1) || sinceCheckpoint < 20 {
    guard let sections = subject.change(&random) else { continue }
    store.keep(sections, of: subject.tracker)
    try #require(store.problem == nil)
    changes += 1
    sinceCheckpoint += 1
    let after = (files: PowerCut.Files(at: path), record: subject.record)
    if before.files.database != after.files.database {
      checkpoints += 1
      sinceCheckpoint = 0
      // The log is whole; of the database any page may be old, new or cut.
      for _ in 0..<(isLong ? 100 : 20) {
        let database = PowerCut.shuffled(before.files.database, after.files.database, block: 4096, &random)
        #expect(
          try cut.restoration(database, after.files.log) == after.record, "cut while the log went to the database")
      }
    } else if sinceCheckpoint < 5 || random.oneIn(isLong ? 5 : 40) {
      // The first changes after a checkpoint lie over older ones.
      #expect(try cut.restoration(after.files.database, after.files.log) == after.record, "what a commit returned for")
      let first = PowerCut.firstDifference(before.files.log, after.files.log)
      let same = Array(after.files.log.prefix(first))
      let (old, new) = (Array(before.files.log.dropFirst(first)), Array(after.files.log.dropFirst(first)))
      for _ in 0..<(isLong ? 32 : sinceCheckpoint < 5 ? 16 : 4) {
        // Of a log that goes on over older changes only the beginning is new.
        let place = Int.random(in: 0...min(new.count, 16_384), using: &random)
        for tail in [
          PowerCut.cut(old, new, at: place), Array(new.prefix(place)),
          PowerCut.shuffled(old, new, block: 512, &random),
        ] {
          let found = try cut.restoration(before.files.database, same + tail)
          #expect(
            found == before.record || found == after.record,
            "change \(changes), cut \(place) bytes after \(first) of \(after.files.log.count)")
        }
      }
    }
    before = after
  }
  #expect(changes > 100)
  print("\(changes) changes, \(checkpoints) checkpoints, \(cut.tries) power cuts")
}

import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import StorageSupport
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

/// Random numbers that are the same in each run, by the constants of Knuth's MMIX.
private struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
  }
}

@Suite struct StateDamageTests {
  /// Each damaged file is put aside under a name of its own, bytes and all.
  @Test func filesThatCannotBeReadAreAllPutAsideAndNoneIsOverwritten() throws {
    let folder = try Folder()
    let path = folder("state.db")
    var marks: [UInt8] = []
    for number in 1...3 {
      let garbage = [UInt8](repeating: UInt8(number), count: 5000)
      writeFile(path, garbage)
      // Its log, where SQLite could not see to it, may hold the newest packets.
      writeFile(path + "-wal", [UInt8(number), 7])
      let trace = StorageTrace(folder.path)
      trace.fail(.unlink, through: 1, with: EACCES)
      let store = try StateStore(path: path, clock: MachineClock())
      _ = consume trace
      #expect(
        store.remark == "\(path): damaged (file is not a database), renamed to \(path).damaged-\(number)")
      // Nothing is left; a byte lets the tracker tell. The numbers go on by the mark.
      let mark = number == 1 ? [] : marks
      #expect(try store.found() == mark + [0] && store.problem == nil)
      var changing = ChangingTracker()
      changing.change()
      store.keep(changing.tracker)
      #expect(store.problem == nil && store.commitCount == 1)
      for earlier in 1...number {
        #expect(readFile("\(path).damaged-\(earlier)") == [UInt8](repeating: UInt8(earlier), count: 5000))
        #expect(readFile("\(path).damaged-\(earlier)-wal") == [UInt8(earlier), 7])
      }
      marks = plain(readFile(path + ".mark"))
      #expect(!marks.isEmpty)
      store.close(changing.tracker)
    }
  }

  /// A file whose pages are gone: what lies in its bytes is found, and put into a new one.
  @Test func whatIsIntactInADamagedFileIsTakenOver() throws {
    let folder = try Folder()
    let path = folder("state.db")
    var changing = ChangingTracker()
    for _ in 0..<3 { changing.change() }
    let expected = changing.bytes
    do {
      let store = try StateStore(path: path, clock: MachineClock())
      store.keep(changing.tracker)
      store.close(changing.tracker)
    }
    var bytes = readFile(path)
    // What tells where rows begin is gone, and the rows are not.
    for page in stride(from: 0, to: bytes.count, by: 4096) { for place in page..<page + 24 { bytes[place] = 0xA5 } }
    writeFile(path, bytes)
    let store = try StateStore(path: path, clock: MachineClock())
    #expect(try store.found() == expected + [0])
    #expect(store.remark?.hasPrefix("\(path): damaged (") == true, "\(store.remark ?? "")")
    #expect(
      store.remark?.hasSuffix("), renamed to \(path).damaged-1; 9 sections recovered from its bytes") == true,
      "\(store.remark ?? "")")
    #expect(readFile(path + ".damaged-1") == bytes)
    // All of it is in the new file with the next change.
    store.keep(.waiting, of: changing.tracker)
    store.close(changing.tracker)
    let next = try StateStore(path: path, clock: MachineClock())
    #expect(try next.found() == expected && next.remark == nil)
  }

  /// The log is damaged in its middle: SQLite takes what is behind it for unwritten, in silence.
  @Test(arguments: [PacketKind.movement, .fence]) func anAlertBehindDamageInTheLogIsFound(kind: PacketKind) throws {
    let folder = try Folder()
    let path = folder("state.db")
    var tracker = Tracker()
    let sensorless = TrackerConfiguration()
    tracker = Tracker(configuration: sensorless)
    tracker.advance(to: .seconds(1))
    while tracker.nextAction() != nil {}
    let store = try StateStore(path: path, clock: MachineClock())
    store.keep(tracker)
    let before = readFile(path + "-wal")
    var alert = Packet(kind: kind, time: .seconds(2), utc: nil, phase: .alarmed, isArmed: true)
    (alert.sequence, alert.boot) = (tracker.outbox.nextSequence, 1)
    var section = ByteBuffer()
    alert.encodeSection(revision: 7, into: &section)
    try store.file?.insert(SectionKey(tag: Packet.sectionTag, number: alert.sequence), section.bytes)
    var after = readFile(path + "-wal")
    let first = try #require(zip(before, after).enumerated().first { $0.element.0 != $0.element.1 }?.offset)
    // A bit of the frame's head, and SQLite ends its reading there.
    after[first] ^= 1
    let database = readFile(path)
    store.close(tracker)
    unlink(path)
    unlink(path + "-wal")
    writeFile(path, database)
    writeFile(path + "-wal", after)
    let found = try StateStore(path: path, clock: MachineClock())
    let state = try #require(try found.restoration())
    #expect(found.remark == "\(path): 1 section recovered from its bytes", "\(found.remark ?? "")")
    var next = Tracker()
    next.restore(state.span, at: .zero)
    let kept = next.outbox.packet(at: 0).kind
    #expect(kept == kind)
  }

  /// A thousand state files damaged at random, cut, or with rows exchanged: each starts, no alert that is intact in its bytes is
  /// lost, and what is lost is told.
  @Test func aThousandDamagedFilesStartAndLoseNoIntactAlert() throws {
    let folder = try Folder(isInMemory: true)
    let path = folder("state.db")
    var tracker = Tracker()
    tracker.advance(to: .seconds(1))
    while tracker.nextAction() != nil {}
    for second in 2..<8 {
      tracker.submit(.setAlerts(enabled: true), at: .seconds(second))
      while tracker.nextAction() != nil {}
    }
    func alert(_ number: UInt32) -> [UInt8] {
      var alert = Packet(kind: .movement, time: .seconds(2), utc: nil, phase: .alarmed, isArmed: true)
      (alert.sequence, alert.boot) = (number, 1)
      var section = ByteBuffer()
      alert.encodeSection(revision: 7, into: &section)
      return section.bytes
    }
    let numbers = tracker.outbox.nextSequence..<tracker.outbox.nextSequence + 3
    do {
      let store = try StateStore(path: path, clock: MachineClock())
      store.keep(tracker)
      for number in numbers {
        try store.file?.insert(SectionKey(tag: Packet.sectionTag, number: number), alert(number))
      }
    }
    let whole = (database: readFile(path), log: readFile(path + "-wal"), mark: readFile(path + ".mark"))
    let expected = try StateStore(path: path, clock: MachineClock()).found()
    // Another seed, other damage: `LEASH_SEED=2 swift test --filter aThousandDamagedFiles`.
    var random = Dice(state: getenv("LEASH_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1)
    var losses = 0
    for trial in 0..<1000 {
      folder.empty()
      var (database, log) = (whole.database, whole.log)
      for _ in 0...trial % 4 {
        switch trial % 5 {
        case 0:
          database[Int.random(in: 0..<database.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        case 1: database = Array(database.prefix(Int.random(in: 0...database.count, using: &random)))
        case 2 where !log.isEmpty:
          log[Int.random(in: 0..<log.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        case 3:
          let length = Int.random(in: 1...400, using: &random)
          let (one, other) = (
            Int.random(in: 0..<database.count - length, using: &random),
            Int.random(in: 0..<database.count - length, using: &random)
          )
          database.replaceSubrange(one..<one + length, with: Array(database[other..<other + length]))
        default:
          let start = Int.random(in: 0..<100, using: &random)
          for place in start..<min(database.count, start + 20) {
            database[place] = UInt8.random(in: 0...255, using: &random)
          }
        }
      }
      writeFile(path, database)
      writeFile(path + "-wal", log)
      writeFile(path + ".mark", whole.mark)
      let name = "trial \(trial): \(folder.path)"
      guard let store = try? StateStore(path: path, clock: MachineClock()), let state = try? store.restoration() else {
        Issue.record("\(name): it does not start")
        continue
      }
      var next = Tracker()
      let isRestored = next.restore(state.span, at: .zero)
      #expect(isRestored)
      var found: Set<UInt32> = []
      for place in 0..<next.outbox.count { found.insert(next.outbox.packet(at: place).sequence) }
      for number in numbers {
        let bytes = alert(number)
        let isIntact = database.contains(bytes) || log.contains(bytes)
        #expect(!isIntact || found.contains(number), "\(name): alert \(number) is lost")
      }
      var isTold = false
      while let action = next.nextAction() {
        if case .event(let event) = action, case .stateDamaged = event.kind { isTold = true }
      }
      #expect(isTold || plain(state) == expected, "\(name): a loss in silence")
      if isTold { losses += 1 }
      store.keep(next)
      #expect(store.problem == nil, "\(name)")
    }
    #expect(losses > 100 && losses < 1000)
  }

  /// A header that makes SQLite open the file for reading only, or not at all, shows itself when it is opened or with the first
  /// change: the tracker starts and keeps its state either way.
  @Test func aHeaderThatIsWrongIsNoReasonNotToKeepTheState() throws {
    let folder = try Folder(isInMemory: true)
    let path = folder("state.db")
    var changing = ChangingTracker()
    changing.change()
    for hasLog in [true, false] {
      folder.empty()
      let store = try StateStore(path: path, clock: MachineClock())
      store.keep(changing.tracker)
      if !hasLog { store.close(changing.tracker) }
      let (database, log) = (readFile(path), readFile(path + "-wal"))
      store.close(changing.tracker)
      for place in 16..<28 {
        for value in [0, 3, 9, 255] as [UInt8] {
          folder.empty()
          var damaged = database
          damaged[place] = value
          writeFile(path, damaged)
          if hasLog { writeFile(path + "-wal", log) }
          let next = try StateStore(path: path, clock: MachineClock())
          var tracker = Tracker()
          if let state = try next.restoration() { tracker.restore(state.span, at: .zero) }
          while tracker.nextAction() != nil {}
          next.keep(tracker)
          #expect(next.problem == nil, "byte \(place) as \(value), \(hasLog ? "with" : "without") a log")
          next.close(tracker)
          let found = try StateStore(path: path, clock: MachineClock())
          #expect(try found.found() == tracker.keptBytes(), "byte \(place) as \(value)")
        }
      }
    }
  }

  /// A file of before there were sections: everything is taken over, and with the first change it has the form of today.
  @Test(arguments: [false, true])
  func aFileOfBeforeThereWereSectionsIsTakenOver(isDamaged: Bool) throws {
    let folder = try Folder()
    let path = folder("state.db")
    var root = #filePath
    for _ in 0..<3 { root = String(root[..<(root.lastIndex(of: "/") ?? root.startIndex)]) }
    writeFile(path, readFile(root + "/fixtures/state/first-form.db"))
    if isDamaged {
      let database = try SQLiteDatabase(path: path)
      try database.execute("UPDATE packets SET record = X'01FF' WHERE sequence = 5; UPDATE state SET record = X'0102'")
    }
    let store = try StateStore(path: path, clock: MachineClock())
    let state = try #require(try store.restoration())
    var tracker = Tracker()
    tracker.restore(state.span, at: .zero)
    // Of a damaged one the packets that are whole, the numbers beside the record, and a packet that tells.
    let (next, alert, distance) = (tracker.outbox.nextSequence, tracker.lastAlert, tracker.distance)
    var waiting: [UInt32] = []
    for place in 0..<tracker.outbox.count { waiting.append(tracker.outbox.packet(at: place).sequence) }
    #expect(waiting == (isDamaged ? [4, 6, 7, 9, 10] : [4, 5, 6, 7, 9]))
    #expect(next == (isDamaged ? 11 : 10) && alert == 1)
    #expect(isDamaged ? distance == 0 : (distance - 795.003).magnitude < 0.001)
    let position = tracker.outbox.packet(at: isDamaged ? 2 : 3).position
    #expect(position?.latitudeE7 == 520_071_899)
    var losses: StateLosses?
    while let action = tracker.nextAction() {
      if case .event(let event) = action, case .stateDamaged(let told) = event.kind { losses = told }
    }
    #expect(losses?.sections == (isDamaged ? .state : nil))
    store.keep(tracker)
    #expect(store.problem == nil)
    store.close(tracker)
    let later = try StateStore(path: path, clock: MachineClock())
    #expect(later.file?.firstForm().isEmpty == true, "its packets must not come back with another damage")
    #expect(try later.found() == tracker.keptBytes())
  }

  /// Numbers go on by the mark where the state is gone, and an older state in its place is noticed.
  @Test func aStateThatIsGoneOrOlderThanItsMarkIsNoticed() throws {
    let folder = try Folder()
    let path = folder("state.db")
    var changing = ChangingTracker()
    changing.change()
    func live(_ changes: Int) throws -> (told: StateLosses?, boot: UInt32, next: UInt32) {
      let store = try StateStore(path: path, clock: MachineClock())
      var tracker = Tracker()
      var told: StateLosses?
      func drain(_ tracker: inout Tracker) {
        while let action = tracker.nextAction() {
          switch action {
          case .persist(let sections): store.keep(sections, of: tracker)
          case .event(let event): if case .stateDamaged(let losses) = event.kind { told = losses }
          case .transmit(let sequence, _): tracker.acknowledge(sequence, at: tracker.now)
          case .spool, .recall, .sound, .sense, .restart: break
          }
        }
      }
      if let state = try store.restoration() { tracker.restore(state.span, at: .zero) }
      drain(&tracker)
      for second in 0..<changes {
        tracker.submit(.locate, at: .seconds(second + 1))
        drain(&tracker)
      }
      store.close(tracker)
      return (told, tracker.outbox.boot, tracker.outbox.nextSequence)
    }
    let first = try live(5)
    #expect(first.told == nil && first.boot == 1 && first.next == 6)
    let old = readFile(path)
    let second = try live(5)
    #expect(second.told == nil && second.boot == 2 && second.next == 11)
    writeFile(path, old)
    let third = try live(0)
    #expect(third.told?.isSetBack == true && third.boot == 3 && third.next == 65, "and a packet that tells")
    unlink(path)
    let fourth = try live(0)
    #expect(fourth.told?.sections == .state && fourth.boot == 4 && fourth.next == 129)
    // Without a mark there is none to be behind.
    unlink(path + ".mark")
    let fifth = try live(0)
    #expect(fifth.told == nil && fifth.boot == 5)
  }

  /// Sections of tags that nobody knows stay, also when the file must be begun anew.
  @Test func sectionsThatAreNotKnownStay() throws {
    let folder = try Folder()
    let path = folder("state.db")
    var changing = ChangingTracker()
    changing.change()
    let store = try StateStore(path: path, clock: MachineClock())
    store.keep(changing.tracker)
    var unknown = ByteBuffer()
    StoredSection(tag: 120, version: 3, revision: 1).encode([1, 2, 3].span, into: &unknown)
    try store.file?.insert(SectionKey(tag: 120, number: 0), unknown.bytes)
    changing.change()
    store.keep(changing.tracker)
    store.close(changing.tracker)
    let next = try StateStore(path: path, clock: MachineClock())
    #expect(try next.found() == changing.bytes, "the tracker does not get it")
    next.keep(changing.tracker)
    let rows = next.file?.rows().rows ?? []
    #expect(rows.contains { $0.key.tag == 120 && $0.record == unknown.bytes })
  }

  /// A file that can't be put aside is not written over: the owner is told.
  @Test func aFileThatCannotBePutAsideStaysAsItIs() throws {
    let folder = try Folder()
    let trace = StorageTrace(folder.path)
    trace.fail(.rename, with: EACCES)
    writeFile(folder("other.db"), [UInt8](repeating: 7, count: 5000))
    #expect(throws: DeviceFailure.self) { try StateStore(path: folder("other.db"), clock: MachineClock()) }
    _ = consume trace
    #expect(readFile(folder("other.db")) == [UInt8](repeating: 7, count: 5000))
  }

  /// Read-only, without a folder, or in somebody's hands: one line that says what is wrong, with the system's own word.
  @Test func whyAStateCannotBeHadIsTold() throws {
    let folder = try Folder()
    func failure(_ path: String) -> DeviceFailure? {
      do throws(DeviceFailure) {
        _ = try StateStore(path: path, clock: MachineClock())
        return nil
      } catch {
        return error
      }
    }
    mkdir(folder("state.db"), 0o755)
    #expect(failure(folder("state.db"))?.message.hasPrefix(folder("state.db")) == true)
    let trace = StorageTrace(folder.path)
    trace.fail(.open, with: EACCES)
    #expect(failure(folder("closed.db"))?.errorNumber == EACCES)
    trace.heal()
  }

  /// A disk that is full when the tracker starts again: what was kept is read, and the way goes on.
  @Test func anEarlierLifeIsReadFromAFullDisk() throws {
    let folder = try Folder(isInMemory: true)
    var changing = ChangingTracker()
    changing.change()
    let before = changing.bytes
    do {
      let store = try StateStore(path: folder("state.db"), clock: MachineClock())
      store.keep(changing.tracker)
    }
    let trace = StorageTrace(folder.path)
    trace.fail([.write, .truncate], with: ENOSPC)
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
    #expect(try store.found() == before && store.remark == nil)
    changing.change()
    store.keep(changing.tracker)
    #expect(store.problem != nil)
    trace.heal()
    store.advance(to: try #require(store.nextDeadline), changing.tracker)
    #expect(store.problem == nil)
    store.close(changing.tracker)
    #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == changing.bytes)
  }
}

import Glibc
import LinuxDevices
import Quantities
import Recording
import StorageSupport
import Testing
import TrackerCore

@testable import LinuxRuntime

/// A tracker whose outbox changes from step to step: packets come, and some are acknowledged.
private struct ChangingTracker: ~Copyable {
  var tracker = Tracker()
  private var step = 0

  init() {
    tracker.advance(to: .seconds(1))
    drain()
  }

  /// What a store that keeps it now has to give back.
  var bytes: [UInt8] { tracker.keptBytes() }

  /// One or two new packets; from time to time the oldest are acknowledged, first or last of the row.
  mutating func change() {
    step += 1
    let now = Instant.seconds(step + 1)
    for _ in 0..<(1 + step % 2) {
      tracker.submit(.locate, at: now)
      drain()
    }
    while tracker.outbox.count > 3 {
      tracker.acknowledge(tracker.outbox.packet(at: step % 2 == 0 ? 0 : 1).sequence, at: now)
      drain()
    }
  }

  private mutating func drain() { while tracker.nextAction() != nil {} }
}

/// What a store finds in a folder after a power cut; nil when there is nothing.
private func restored(
  _ image: StorageImage, _ loss: StorageImage.Loss, of folder: Folder, in other: Folder
) throws -> [UInt8]? {
  other.empty()
  image.write(after: loss, from: folder.path, to: other.path)
  let store = try StateStore(path: other("state.db"))
  #expect(store.remark == nil)
  return try store.restoration()
}

@Suite struct StateStoreFailureTests {
  /// Judged on the system calls: only what was synchronised is sure to be there after a power cut.
  @Test func whatWasCalledKeptIsThereAfterAPowerCutAtAnyCall() throws {
    let folder = try Folder(isInMemory: true)
    let trace = StorageTrace(folder.path)
    var changing = ChangingTracker()
    var states: [[UInt8]?] = [nil]
    let store = try StateStore(path: folder("state.db"))
    trace.mark(0)
    // Long enough that the write-ahead log is carried over into the database and begun anew.
    for step in 1...110 {
      changing.change()
      store.keep(changing.tracker)
      #expect(store.problem == nil && store.commitCount == step)
      states.append(changing.bytes)
      trace.mark(step)
    }
    store.close(changing.tracker)
    let calls = trace.calls
    _ = consume trace
    // The first changes at every call, later ones where something rare happens: calls on the database itself.
    let isNear = calls.indices.map { place in
      calls[max(0, place - 2)...min(calls.count - 1, place + 2)].contains { call in
        switch call {
        case .write(let path, _, _), .truncate(let path, _), .synchronize(let path): path.hasSuffix(".db")
        case .unlink: true
        default: false
        }
      }
    }
    #expect(isNear.count { $0 } > 10, "the log is carried over")
    let other = try Folder(isInMemory: true)
    var image = StorageImage()
    var kept = -1
    var trials = 0
    for (place, call) in calls.enumerated() {
      image.apply(call)
      if case .mark(let step) = call { kept = step }
      guard kept < 8 || isNear[place] else { continue }
      for loss in StorageImage.Loss.allCases {
        // Before the store is open nothing has been promised but that it can be opened.
        let found = try restored(image, loss, of: folder, in: other)
        let allowed = [states[max(0, kept)], states[min(max(0, kept) + 1, states.count - 1)]]
        trials += 1
        guard allowed.contains(where: { $0 == found }) else {
          Issue.record("call \(place) (\(call)), \(loss): after change \(kept) something else was found")
          return
        }
      }
    }
    #expect(kept == 110 && trials > 500)
  }

  /// Whatever call of the storage fails, once or from then on: one of the two states is there, nothing is called kept that is
  /// not, and the next try keeps all.
  @Test(arguments: [EIO, ENOSPC], [true, false])
  func aFailureAtAnyCallLosesNothingAndTheNextTryKeepsAll(error: Int32, isLasting: Bool) throws {
    let folder = try Folder(isInMemory: true)
    let other = try Folder(isInMemory: true)
    var calls = 0
    for call in 1...100 {
      folder.empty()
      let trace = StorageTrace(folder.path)
      var changing = ChangingTracker()
      changing.change()
      changing.change()
      let store = try StateStore(path: folder("state.db"))
      store.keep(changing.tracker)
      let before = changing.bytes
      for _ in 0..<3 { changing.change() }
      let after = changing.bytes
      trace.fail(.all, from: call, through: isLasting ? .max : call, with: error, call % 2 == 0 ? .refused : .torn)
      store.keep(changing.tracker)
      let hasFailed = trace.failureCount > 0
      if hasFailed { calls += 1 }
      trace.heal()
      let image = trace.image()
      if store.problem == nil {
        #expect(store.commitCount == 2 && store.failureCount == 0 && store.nextDeadline == nil)
        let found = try restored(image, .everything, of: folder, in: other)
        #expect(found == after, "call \(call): called kept, and it is not")
        if !hasFailed { break }
        continue
      }
      #expect(store.commitCount == 1 && store.failureCount == 1)
      #expect(store.problem?.hasPrefix(folder("state.db") + ": ") == true)
      for loss in [StorageImage.Loss.nothing, .everything] {
        let found = try restored(image, loss, of: folder, in: other)
        #expect(found == before || found == after, "call \(call): half of a change")
      }
      let due = try #require(store.nextDeadline)
      store.advance(to: due, changing.tracker)
      #expect(store.problem == nil && store.commitCount == 2 && store.nextDeadline == nil, "call \(call)")
      #expect(try restored(trace.image(), .everything, of: folder, in: other) == after, "call \(call)")
      // What is held is known, too: a packet that goes now goes from the file.
      changing.change()
      store.keep(changing.tracker)
      #expect(try restored(trace.image(), .everything, of: folder, in: other) == changing.bytes, "call \(call)")
      _ = consume trace
    }
    #expect(calls >= 3, "some calls are there to fail")
  }

  /// Each statement of a change is refused, after those before it were done.
  @Test(arguments: [
    "INSERT ON main.packets", "DELETE ON main.packets", "INSERT ON main.state",
    "INSERT ON main.packets WHEN NEW.sequence % 2 = 0", "DELETE ON main.packets WHEN OLD.sequence % 2 = 0",
  ])
  func aStatementThatIsRefusedUndoesTheWholeChange(statement: String) throws {
    let folder = try Folder(isInMemory: true)
    var changing = ChangingTracker()
    changing.change()
    changing.change()
    let before = changing.bytes
    for isTriedAgain in [true, false] {
      folder.empty()
      changing = ChangingTracker()
      changing.change()
      changing.change()
      var store: StateStore? = try StateStore(path: folder("state.db"))
      store?.keep(changing.tracker)
      let parts = statement.split(separator: " WHEN ").map(String.init)
      let condition = parts.count == 2 ? "WHEN \(parts[1])" : ""
      try store?.file?.database.execute(
        "CREATE TEMP TRIGGER no BEFORE \(parts[0]) \(condition) BEGIN SELECT RAISE(ABORT, 'refused'); END")
      for _ in 0..<4 { changing.change() }
      store?.keep(changing.tracker)
      #expect(store?.problem == "\(folder("state.db")): refused")
      let after = changing.bytes
      // Refused again: no transaction is open, and nothing that was not kept counts as kept.
      let due = try #require(store?.nextDeadline)
      store?.advance(to: due, changing.tracker)
      #expect(store?.problem == "\(folder("state.db")): refused" && store?.failureCount == 2)
      if isTriedAgain {
        try store?.file?.database.execute("DROP TRIGGER no")
        let later = try #require(store?.nextDeadline)
        store?.advance(to: later, changing.tracker)
        #expect(store?.problem == nil)
      }
      store = nil
      let found = try StateStore(path: folder("state.db")).restoration()
      #expect(found == (isTriedAgain ? after : before))
    }
  }

  @Test func waitsAfterFailuresGrowToAMinuteAndBeginAnewAfterASuccess() throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"))
    var changing = ChangingTracker()
    for _ in 0..<2 {
      changing.change()
      try store.refuseChanges(true)
      let commits = store.commitCount
      let earliest = MonotonicClock.now
      store.keep(changing.tracker)
      let latest = MonotonicClock.now
      var due = try #require(store.nextDeadline)
      #expect(due >= earliest + .seconds(1) && due <= latest + .seconds(1))
      for seconds in [2, 4, 8, 16, 32, 60, 60] {
        store.advance(to: due - Interval(microseconds: 1), changing.tracker)
        #expect(store.nextDeadline == due, "not before it is time")
        store.advance(to: due, changing.tracker)
        #expect(store.nextDeadline == due + .seconds(seconds))
        due = due + .seconds(seconds)
      }
      try store.refuseChanges(false)
      store.advance(to: due, changing.tracker)
      #expect(store.nextDeadline == nil && store.problem == nil && store.commitCount == commits + 1)
    }
    #expect(store.failureCount == 16)
    store.advance(to: .seconds(1_000_000_000), changing.tracker)
    #expect(store.commitCount == 2, "nothing to do when all is kept")
  }

  /// The next change keeps what could not be kept, without waiting for the time of the retry.
  @Test func theNextChangeKeepsWhatCouldNotBeKept() throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"))
    var changing = ChangingTracker()
    try store.refuseChanges(true)
    changing.change()
    store.keep(changing.tracker)
    try store.refuseChanges(false)
    changing.change()
    store.keep(changing.tracker)
    #expect(store.problem == nil && store.nextDeadline == nil && store.commitCount == 1 && store.failureCount == 1)
    #expect(store.longestCommit > .zero && store.longestCommit < .seconds(60))
    let bytes = changing.bytes
    store.close(changing.tracker)
    // Closed for good: the file belongs to the next life.
    changing.change()
    store.keep(changing.tracker)
    store.close(changing.tracker)
    #expect(store.commitCount == 2)
    #expect(try StateStore(path: folder("state.db")).restoration() == bytes)
  }

  /// Life after life goes on with what the one before kept: what is acknowledged in any of them is gone for good.
  @Test func whatIsAcknowledgedInALaterLifeDoesNotComeBack() throws {
    let folder = try Folder(isInMemory: true)
    var expected: [UInt8]?
    var newest: [UInt32] = []
    for life in 0..<5 {
      let store = try StateStore(path: folder("state.db"))
      let kept = try store.restoration()
      #expect(kept == expected, "life \(life)")
      var tracker = Tracker()
      if let kept {
        let isRestored = tracker.restore(kept.span, at: .seconds(1))
        #expect(isRestored && tracker.outbox.count == newest.count)
      }
      while tracker.nextAction() != nil {}
      // Two of the earlier life are acknowledged, one waits on, and three are new.
      for sequence in newest.prefix(2) { tracker.acknowledge(sequence, at: .seconds(2)) }
      for second in 3..<6 {
        tracker.submit(.locate, at: .seconds(second))
        while tracker.nextAction() != nil {}
      }
      newest = (0..<tracker.outbox.count).map { tracker.outbox.packet(at: $0).sequence }
      if life % 2 == 0 { store.keep(tracker) } else { store.close(tracker) }
      expected = tracker.keptBytes()
    }
  }

  /// A disk that is full when the tracker starts for the first time: it goes on, and the file is made when there is room.
  @Test func aFullDiskAtTheFirstStartDelaysTheFileAndNothingElse() throws {
    let folder = try Folder(isInMemory: true)
    var delayed = 0
    for call in 1...60 {
      folder.empty()
      let trace = StorageTrace(folder.path)
      var changing = ChangingTracker()
      changing.change()
      trace.fail([.write, .truncate], from: call, with: ENOSPC)
      let store = try StateStore(path: folder("state.db"))
      let isFull = trace.failureCount > 0
      if store.problem != nil {
        delayed += 1
        #expect(store.failureCount == 1 && store.nextDeadline != nil)
        #expect(try store.restoration() == nil, "there is no earlier life")
      }
      store.keep(changing.tracker)
      let isKept = store.problem == nil
      trace.heal()
      if let due = store.nextDeadline { store.advance(to: due, changing.tracker) }
      #expect(store.problem == nil && store.nextDeadline == nil, "call \(call)")
      changing.change()
      store.keep(changing.tracker)
      store.close(changing.tracker)
      #expect(try StateStore(path: folder("state.db")).restoration() == changing.bytes, "call \(call)")
      _ = consume trace
      if !isFull, isKept { break }
    }
    #expect(delayed > 1)
  }

  // MARK: Files that can't be used

  /// Each damaged file is put aside under a name of its own, bytes and all.
  @Test func filesThatCannotBeReadAreAllPutAsideAndNoneIsOverwritten() throws {
    let folder = try Folder()
    let path = folder("state.db")
    for number in 1...3 {
      let garbage = [UInt8](repeating: UInt8(number), count: 5000)
      writeFile(path, garbage)
      // Its log, where SQLite could not see to it, may hold the newest packets.
      writeFile(path + "-wal", [UInt8(number), 7])
      let trace = StorageTrace(folder.path)
      trace.fail(.unlink, through: 1, with: EACCES)
      let store = try StateStore(path: path)
      _ = consume trace
      #expect(
        store.remark == "\(path): damaged, put aside as \(path).damaged-\(number); the tracker begins anew")
      #expect(try store.restoration() == nil && store.problem == nil)
      var changing = ChangingTracker()
      changing.change()
      store.keep(changing.tracker)
      #expect(store.problem == nil && store.commitCount == 1)
      for earlier in 1...number {
        #expect(readFile("\(path).damaged-\(earlier)") == [UInt8](repeating: UInt8(earlier), count: 5000))
        #expect(readFile("\(path).damaged-\(earlier)-wal") == [UInt8(earlier), 7])
      }
      store.close(changing.tracker)
    }
  }

  /// Damage that shows only when the packets are read.
  @Test func aFileThatIsDamagedInItsMiddleIsPutAsideWhenItIsRead() throws {
    let folder = try Folder()
    let path = folder("state.db")
    var changing = ChangingTracker()
    changing.change()
    do {
      let store = try StateStore(path: path)
      store.keep(changing.tracker)
      store.close(changing.tracker)
    }
    var bytes = readFile(path)
    // All pages but the first, which tells what tables there are.
    for place in 4096..<bytes.count { bytes[place] = 0xA5 }
    writeFile(path, bytes)
    let store = try StateStore(path: path)
    #expect(try store.restoration() == nil)
    #expect(store.remark?.hasPrefix("\(path): it can't be read (\(path): ") == true, "\(store.remark ?? "")")
    #expect(store.remark?.hasSuffix(", put aside as \(path).damaged-1; the tracker begins anew") == true)
    #expect(readFile(path + ".damaged-1").suffix(from: 4096) == bytes.suffix(from: 4096))
    changing.change()
    store.keep(changing.tracker)
    store.close(changing.tracker)
    #expect(try StateStore(path: path).restoration() == changing.bytes)
  }

  /// A file that can't be put aside is not written over: the owner is told.
  @Test func aFileThatCannotBePutAsideStaysAsItIs() throws {
    let folder = try Folder()
    let path = folder("state.db")
    var changing = ChangingTracker()
    changing.change()
    let expected = changing.bytes
    do {
      let store = try StateStore(path: path)
      store.keep(changing.tracker)
    }
    let trace = StorageTrace(folder.path)
    trace.fail(.rename, with: EACCES)
    var store: StateStore? = try StateStore(path: path)
    #expect(throws: DeviceFailure.self) { try store?.numbering() }
    changing.change()
    store?.keep(changing.tracker)
    store = nil
    writeFile(folder("other.db"), [UInt8](repeating: 7, count: 5000))
    #expect(throws: DeviceFailure.self) { try StateStore(path: folder("other.db")) }
    _ = consume trace
    #expect(try StateStore(path: path).restoration() == expected)
    #expect(readFile(folder("other.db")) == [UInt8](repeating: 7, count: 5000))
  }

  /// Both numbers go on in the file that is begun anew, the state and the packets do not.
  @Test func onlyNumbersComeOverFromAStateOfAnotherVersion() throws {
    let folder = try Folder()
    var changing = ChangingTracker()
    for _ in 0..<6 { changing.change() }
    let store = try StateStore(path: folder("state.db"))
    store.keep(changing.tracker)
    try store.file?.database.execute("UPDATE state SET next_sequence = 4000000001, last_alert = 3999999999")
    let numbers = try #require(try store.numbering())
    var expected = ByteBuffer()
    Tracker.encodeNumbering(nextSequence: 4_000_000_001, lastAlert: 3_999_999_999, into: &expected)
    #expect(numbers == expected.bytes)
    #expect(try store.restoration() == nil, "the new file has nothing yet")
    // Nothing of the old file counts as held.
    store.keep(changing.tracker)
    store.close(changing.tracker)
    #expect(try StateStore(path: folder("state.db")).restoration() == changing.bytes)
    #expect(try StateStore(path: folder("nothing.db")).numbering() == nil)
  }

  /// Read-only, without a folder, or in somebody's hands: one line that says what is wrong, with the system's own word.
  @Test func whyAStateCannotBeHadIsTold() throws {
    let folder = try Folder()
    func failure(_ path: String) -> DeviceFailure? {
      do throws(DeviceFailure) {
        _ = try StateStore(path: path)
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
      let store = try StateStore(path: folder("state.db"))
      store.keep(changing.tracker)
    }
    let trace = StorageTrace(folder.path)
    trace.fail([.write, .truncate], with: ENOSPC)
    let store = try StateStore(path: folder("state.db"))
    #expect(try store.restoration() == before && store.remark == nil)
    changing.change()
    store.keep(changing.tracker)
    #expect(store.problem != nil)
    trace.heal()
    store.advance(to: try #require(store.nextDeadline), changing.tracker)
    #expect(store.problem == nil)
    store.close(changing.tracker)
    #expect(try StateStore(path: folder("state.db")).restoration() == changing.bytes)
  }
}

private func writeFile(_ path: String, _ bytes: [UInt8]) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o640)
  #expect(write(file, bytes, bytes.count) == bytes.count)
  close(file)
}

private func readFile(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 21)
  bytes.removeLast(bytes.count - max(0, read(file, &bytes, bytes.count)))
  return bytes
}

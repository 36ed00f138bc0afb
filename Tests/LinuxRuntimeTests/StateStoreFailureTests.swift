import Glibc
import LinuxDevices
import Quantities
import Recording
import StorageSupport
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

/// What a store finds in a folder after a power cut; nil when there is nothing.
private func restored(
  _ image: StorageImage, _ loss: StorageImage.Loss, of folder: Folder, in other: Folder
) throws -> [UInt8]? {
  other.empty()
  image.write(after: loss, from: folder.path, to: other.path)
  let store = try StateStore(path: other("state.db"), clock: MachineClock())
  #expect(store.remark == nil)
  guard let state = try store.restoration() else { return nil }
  // The mark is written after the state: it may be the one before, and is never ahead.
  var tracker = Tracker()
  tracker.restore(state.span, at: .zero)
  while let action = tracker.nextAction() {
    if case .event(let event) = action, case .stateDamaged(let losses) = event.kind { Issue.record("\(losses)") }
  }
  return plain(state, mark: false)
}

@Suite struct StateStoreFailureTests {
  /// Judged on the system calls: only what was synchronised is sure to be there after a power cut.
  @Test func whatWasCalledKeptIsThereAfterAPowerCutAtAnyCall() throws {
    let folder = try Folder(isInMemory: true)
    let trace = StorageTrace(folder.path)
    var changing = ChangingTracker()
    var states: [[UInt8]?] = [nil]
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
    trace.mark(0)
    // Long enough that the write-ahead log is carried over into the database and begun anew.
    for step in 1...140 {
      changing.change()
      store.keep(changing.tracker)
      #expect(store.problem == nil && store.commitCount == step)
      states.append(changing.stateBytes)
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
    #expect(kept == 140 && trials > 500)
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
      let store = try StateStore(path: folder("state.db"), clock: MachineClock())
      store.keep(changing.tracker)
      let before = changing.stateBytes
      for _ in 0..<3 { changing.change() }
      let after = changing.stateBytes
      trace.fail(.all, from: call, through: isLasting ? .max : call, with: error, call % 2 == 0 ? .refused : .torn)
      store.keep(.state, of: changing.tracker)
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
      #expect(try restored(trace.image(), .everything, of: folder, in: other) == changing.stateBytes, "call \(call)")
      _ = consume trace
    }
    #expect(calls >= 3, "some calls are there to fail")
  }

  /// A mark that can't be written is told and tried again; the state is kept all the same, and the old mark stays until then.
  @Test(arguments: [EIO, ENOSPC])
  func aMarkThatCannotBeWrittenIsToldAndTriedAgain(error: Int32) throws {
    let folder = try Folder(isInMemory: true)
    var failures = 0
    for call in 1...20 {
      folder.empty()
      var changing = ChangingTracker()
      let store = try StateStore(path: folder("state.db"), clock: MachineClock())
      store.keep(changing.tracker)
      let before = readFile(folder("state.db.mark"))
      for _ in 0..<60 { changing.change() }
      store.keep(.state, of: changing.tracker)
      let trace = StorageTrace(folder.path)
      trace.fail(.all, from: call, through: call, with: error, call % 2 == 0 ? .refused : .torn)
      store.keep(.mark, of: changing.tracker)
      let hasFailed = trace.failureCount > 0
      trace.heal()
      _ = consume trace
      if let problem = store.problem {
        failures += 1
        #expect(problem.hasPrefix(folder("state.db")) && store.nextDeadline != nil, "\(problem)")
        let now = readFile(folder("state.db.mark"))
        #expect(now == before || plain(now) == plain(changing.tracker.markBytes()), "call \(call)")
        store.advance(to: try #require(store.nextDeadline), changing.tracker)
      }
      #expect(store.problem == nil && plain(readFile(folder("state.db.mark"))) == plain(changing.tracker.markBytes()))
      if !hasFailed { break }
    }
    #expect(failures >= 3)
  }

  /// Each statement of a change is refused, after those before it were done.
  @Test(arguments: [
    "INSERT ON main.sections", "DELETE ON main.sections", "INSERT ON main.sections WHEN NEW.tag = 6",
    "INSERT ON main.sections WHEN NEW.tag = 16 AND NEW.number % 2 = 0",
    "DELETE ON main.sections WHEN OLD.tag = 16 AND OLD.number % 2 = 0",
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
      var store: StateStore? = try StateStore(path: folder("state.db"), clock: MachineClock())
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
      let found = try StateStore(path: folder("state.db"), clock: MachineClock()).found()
      #expect(found == (isTriedAgain ? after : before))
    }
  }

  @Test func waitsAfterFailuresGrowToAMinuteAndBeginAnewAfterASuccess() throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
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
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
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
    #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == bytes)
  }

  /// Life after life goes on with what the one before kept: what is acknowledged in any of them is gone for good.
  @Test func whatIsAcknowledgedInALaterLifeDoesNotComeBack() throws {
    let folder = try Folder(isInMemory: true)
    var expected: [UInt8]?
    var newest: [UInt32] = []
    for life in 0..<5 {
      let store = try StateStore(path: folder("state.db"), clock: MachineClock())
      let kept = try store.restoration()
      #expect(kept.map { plain($0) } == expected, "life \(life)")
      var tracker = Tracker()
      if let kept {
        let isRestored = tracker.restore(kept.span, at: .seconds(1))
        #expect(isRestored && tracker.outbox.count == newest.count)
      }
      while tracker.nextAction() != nil {}
      // Two of the earlier life are acknowledged, one waits on, and three are new.
      for sequence in newest.prefix(2) {
        tracker.acknowledge(sequence, at: .seconds(2))
        while tracker.nextAction() != nil {}
      }
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
      let store = try StateStore(path: folder("state.db"), clock: MachineClock())
      let isFull = trace.failureCount > 0
      if store.problem != nil {
        delayed += 1
        #expect(store.failureCount == 1 && store.nextDeadline != nil)
        #expect(try store.found() == nil, "there is no earlier life")
      }
      store.keep(changing.tracker)
      let isKept = store.problem == nil
      trace.heal()
      if let due = store.nextDeadline { store.advance(to: due, changing.tracker) }
      #expect(store.problem == nil && store.nextDeadline == nil, "call \(call)")
      changing.change()
      store.keep(changing.tracker)
      store.close(changing.tracker)
      #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == changing.bytes, "call \(call)")
      _ = consume trace
      if !isFull, isKept { break }
    }
    #expect(delayed > 1)
  }

  /// The disk fills up, the power goes, and the disk is full at the next start, too: what was raised while there was room is there.
  @Test func aFullDiskAndAPowerCutLoseNothingThatWasRaisedBefore() throws {
    let folder = try Folder(isInMemory: true)
    for isCheckpointed in [false, true] {
      folder.empty()
      let trace = StorageTrace(folder.path)
      var changing = ChangingTracker()
      changing.change()
      var store: StateStore? = try StateStore(path: folder("state.db"), clock: MachineClock())
      store?.keep(changing.tracker)
      #expect(store?.problem == nil)
      if isCheckpointed { try store?.file?.database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      let kept = changing.bytes
      trace.fail([.write, .truncate], with: ENOSPC)
      changing.change()
      store?.keep(changing.tracker)
      #expect(store?.problem != nil)
      store = nil
      let next = try StateStore(path: folder("state.db"), clock: MachineClock())
      #expect(try next.found() == kept, "checkpointed: \(isCheckpointed)")
      #expect(next.remark == nil)
      trace.heal()
      next.close(changing.tracker)
      let last = changing.bytes
      #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == last)
    }
  }
}

import Activity
import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

private func tracker(packets: Int) -> Tracker {
  var tracker = Tracker()
  tracker.advance(to: .seconds(1))
  while tracker.nextAction() != nil {}
  for _ in 0..<packets {
    tracker.submit(.locate, at: .seconds(2))
    while tracker.nextAction() != nil {}
  }
  return tracker
}

@Test func whatIsKeptIsThereInTheNextLife() throws {
  let folder = try Folder()
  let tracker = tracker(packets: 5)
  do {
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
    #expect(try store.found() == nil, "nothing was kept yet")
    store.keep(tracker)
    #expect(store.problem == nil && store.commitCount == 1)
  }
  let kept = try StateStore(path: folder("state.db"), clock: MachineClock()).found()
  #expect(kept == tracker.keptBytes())
}

@Test func packetsThatAreGoneAreGoneFromTheFileToo() throws {
  let folder = try Folder()
  var tracker = tracker(packets: 5)
  do {
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
    store.keep(tracker)
    for number: UInt32 in [2, 4] {
      tracker.acknowledge(number, at: .seconds(3))
      while tracker.nextAction() != nil {}
    }
    store.keep(tracker)
  }
  let store = try StateStore(path: folder("state.db"), clock: MachineClock())
  #expect(try store.found() == tracker.keptBytes())
  #expect(tracker.outbox.count == 3)
}

@Test func theFolderOfTheStateIsMade() throws {
  let folder = try Folder()
  let store = try StateStore(path: folder("var/lib/leash/state.db"), clock: MachineClock())
  store.keep(tracker(packets: 1))
  #expect(store.problem == nil)
  // Where somebody was is nobody else's business.
  for name in ["var/lib/leash", "var/lib/leash/state.db", "var/lib/leash/state.db-wal"] {
    var status = stat()
    #expect(stat(folder(name), &status) == 0 && status.st_mode & 0o007 == 0, "\(name)")
  }
}

@Test func twoTrackersCannotShareAState() throws {
  let folder = try Folder()
  let first = try StateStore(path: folder("state.db"), clock: MachineClock())
  first.keep(tracker(packets: 1))
  do throws(DeviceFailure) {
    _ = try StateStore(path: folder("state.db"), clock: MachineClock())
    Issue.record("opened twice")
  } catch {
    #expect(error.message.contains("state.db: busy"), "\(error.message)")
  }
}

@Test func aStateThatCannotBeKeptIsKeptWhenTheTrackerStops() throws {
  let folder = try Folder()
  var tracker = tracker(packets: 1)
  do {
    let store = try StateStore(path: folder("state.db"), clock: MachineClock())
    store.keep(tracker)
    try store.refuseChanges(true)
    tracker.submit(.locate, at: .seconds(9))
    while tracker.nextAction() != nil {}
    store.keep(tracker)
    #expect(store.problem != nil)
    try store.refuseChanges(false)
    store.close(tracker)
    #expect(store.problem == nil)
    store.keep(tracker)
  }
  #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == tracker.keptBytes())
}

@Test func aSectionOfAnotherVersionCostsItselfAlone() throws {
  let folder = try Folder()
  let path = folder("state.db")
  let tracker = tracker(packets: 4)
  do {
    let store = try StateStore(path: path, clock: MachineClock())
    store.keep(tracker)
    var other = ByteBuffer()
    StoredSection(tag: 3, version: 9, revision: 1).encode([1, 2, 3].span, into: &other)
    try store.forge(tag: 3, other.bytes)
  }
  let store = try StateStore(path: path, clock: MachineClock())
  let state = try #require(try store.restoration())
  #expect(store.remark == nil)
  var next = Tracker()
  next.restore(state.span, at: .zero)
  var losses: StateLosses?
  while let action = next.nextAction() {
    if case .event(let event) = action, case .stateDamaged(let told) = event.kind { losses = told }
  }
  #expect(losses?.sections == .trip && losses?.packets == 0)
  let count = next.outbox.count
  #expect(count == 5, "the four, and one that tells")
  store.keep(next)
  store.close(next)
  #expect(try StateStore(path: path, clock: MachineClock()).found() == next.keptBytes())
}

@Test func damagedActivityOfAPetIsToldAndWholeActivityComesBack() throws {
  for isDamaged in [false, true] {
    let folder = try Folder()
    let path = folder("state.db")
    var ledger = ActivityLedger()
    ledger.note(ActivityWindow(level: .active, steps: 512), isCarried: false)
    var section = ByteBuffer()
    ledger.encode(into: &section)
    do {
      let store = try StateStore(path: path, clock: MachineClock())
      store.keep(beside: ActivityLedger.sectionTag, section.bytes)
      store.keep(tracker(packets: 1))
      section.bytes[20] ^= 1
      if isDamaged { try store.forge(tag: Int64(ActivityLedger.sectionTag), section.bytes) }
    }
    let state = try #require(try StateStore(path: path, clock: MachineClock()).restoration())
    var next = ActivityLedger()
    next.restore(state.span)
    #expect(next.today.wholeSteps == (isDamaged ? 0 : 2) && next.isDamaged == isDamaged)
  }
}

@Test func aDamagedFileIsPutAsideAndSaidSo() throws {
  let folder = try Folder()
  let path = folder("state.db")
  let bytes = Array("this is no database, and longer than a header of one would be …………………………………………".utf8)
  let file = fopen(path, "w")
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
  let store = try StateStore(path: path, clock: MachineClock())
  #expect(store.remark?.contains("\(path).damaged-1") == true, "\(store.remark ?? "")")
  #expect(access("\(path).damaged-1", F_OK) == 0)
  store.keep(tracker(packets: 1))
  #expect(store.problem == nil)
}

@Test func aStateThatCannotBeMadeIsToldInOneLine() throws {
  let folder = try Folder()
  let file = fopen(folder("file"), "w")
  fclose(file)
  do throws(DeviceFailure) {
    _ = try StateStore(path: folder("file/state.db"), clock: MachineClock())
    Issue.record("made in a file")
  } catch {
    #expect(error.message.hasPrefix(folder("file/state.db")) && !error.message.contains("\n"), "\(error.message)")
  }
}

@Test func aStorageThatTakesNothingDelaysTheKeepingAndLosesNothing() throws {
  let folder = try Folder()
  let path = folder("state.db")
  var tracker = tracker(packets: 1)
  do {
    let store = try StateStore(path: path, clock: MachineClock())
    store.keep(tracker)
    try store.refuseChanges(true)
    for _ in 0..<20 {
      tracker.submit(.locate, at: tracker.now + .seconds(1))
      while tracker.nextAction() != nil {}
    }
    store.keep(tracker)
    #expect(store.problem?.contains(path) == true, "\(store.problem ?? "kept")")
    let due = try #require(store.nextDeadline)
    store.advance(to: due - .milliseconds(1), tracker)
    #expect(store.failureCount == 1, "not before it is time")
    store.advance(to: due, tracker)
    #expect(store.failureCount == 2)
    let later = try #require(store.nextDeadline)
    #expect(later - due >= .seconds(2), "each wait is longer")
    try store.refuseChanges(false)
    store.advance(to: later, tracker)
    #expect(store.problem == nil && store.nextDeadline == nil)
  }
  #expect(try StateStore(path: path, clock: MachineClock()).found() == tracker.keptBytes())
}

/// A delivery need not be on the storage at once: a power cut makes the packet come twice, and loses nothing.
@Test func deliveriesAreKeptTogetherAndTakenAlongByANewPacket() throws {
  let folder = try Folder(isInMemory: true)
  var tracker = tracker(packets: 6)
  let store = try StateStore(path: folder("state.db"), clock: MachineClock())
  store.keep(tracker)
  func acknowledge(_ sequence: UInt32, _ tracker: inout Tracker) {
    tracker.acknowledge(sequence, at: .seconds(3))
    while let action = tracker.nextAction() {
      if case .persist(let sections) = action { store.keep(sections, of: tracker) }
    }
  }
  let before = MonotonicClock.now
  acknowledge(1, &tracker)
  let due = try #require(store.nextDeadline)
  #expect(store.commitCount == 1 && due >= before + .seconds(1) && due <= MonotonicClock.now + .seconds(1))
  acknowledge(2, &tracker)
  #expect(store.commitCount == 1 && store.nextDeadline == due, "a second after the first of them")
  store.advance(to: due - .milliseconds(1), tracker)
  #expect(store.commitCount == 1)
  store.advance(to: due, tracker)
  #expect(store.commitCount == 2 && store.nextDeadline == nil && store.problem == nil)
  acknowledge(3, &tracker)
  // A new packet is kept before it is sent, and takes the delivery along.
  tracker.submit(.locate, at: .seconds(4))
  while let action = tracker.nextAction() {
    if case .persist(let sections) = action { store.keep(sections, of: tracker) }
  }
  #expect(store.commitCount == 3 && store.nextDeadline == nil)
  acknowledge(4, &tracker)
  #expect(store.commitCount == 3)
  store.close(tracker)
  let found = try StateStore(path: folder("state.db"), clock: MachineClock())
  #expect(try found.found() == tracker.keptBytes())
}

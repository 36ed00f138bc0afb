import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import StorageSupport
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

/// A tracker with a spool and without a server, as `TrackerRun` runs it.
private struct SpoolingTracker: ~Copyable {
  var tracker: Tracker
  let store: StateStore
  /// Numbers as they were handed over.
  var handed: [UInt32] = []
  var acknowledged: [UInt32] = []
  private var second = 1

  init(_ path: String, capacity: Int = 20_000) throws {
    // What may fail comes first: a value that can't be copied is whole or not there.
    let store = try StateStore(path: path, spoolCapacity: capacity, grouping: .zero, clock: MachineClock())
    let state = try store.restoration()
    var configuration = TrackerConfiguration()
    configuration.outbox.hasSpool = true
    tracker = Tracker(configuration: configuration)
    self.store = store
    if let state {
      let isRestored = tracker.restore(state.span, at: .seconds(1))
      #expect(isRestored)
    }
    tracker.noteSpool(count: store.spool.count)
    drain()
  }

  mutating func locate(_ count: Int) {
    for _ in 0..<count {
      second += 1
      tracker.submit(.locate, at: .seconds(second))
      drain()
    }
  }

  mutating func acknowledgeAll() {
    var rounds = 0
    while tracker.outbox.count > 0, rounds < 100_000 {
      rounds += 1
      let (sequence, _) = tracker.outbox.name(at: 0)
      acknowledged.append(sequence)
      tracker.acknowledge(sequence, at: .seconds(second))
      drain()
    }
  }

  mutating func drain() {
    while let action = tracker.nextAction() {
      switch action {
      case .persist(let sections): store.keep(sections, of: tracker)
      case .event, .sound, .sense, .restart: break
      case .transmit(let sequence, _): handed.append(sequence)
      case .spool(let sequence):
        guard let place = tracker.outbox.place(of: sequence) else { break }
        var section = ByteBuffer()
        tracker.encodePacket(at: place, into: &section)
        let isKept = store.spool.put(
          sequence, pending: tracker.outbox.pending(at: place).rawValue, isThinnable: true, section: section.bytes)
        tracker.spooled(sequence, isKept: isKept)
      case .recall(let count, let receivers):
        for packet in store.spool.take(Int(count), pending: receivers.rawValue) {
          tracker.recall(packet.section.span, pending: ReceiverSet(rawValue: packet.pending))
        }
        tracker.noteSpool(count: store.spool.count)
      }
    }
  }
}

@Suite struct StateSpoolTests {
  @Test func whatIsInTheSpoolIsThereInTheNextLifeAndLeavesInOrder() throws {
    let folder = try Folder(isInMemory: true)
    do {
      var first = try SpoolingTracker(folder("state.db"))
      first.locate(100)
      #expect(first.handed == Array(1...16) && first.store.spool.count == 84)
      // As power ends a life: nothing is closed in good order.
    }
    do {
      var second = try SpoolingTracker(folder("state.db"))
      #expect(second.store.spool.count == 84 && second.handed == Array(1...16))
      second.locate(1)
      #expect(second.store.spool.count == 85, "behind those that wait")
      second.acknowledgeAll()
      // The first answer after a silence: where it is now goes before where it was.
      #expect(second.handed.sorted() == Array(1...102))
      #expect(second.handed.filter { $0 != 102 } == Array(1...101) && second.handed.firstIndex(of: 102) == 16)
      #expect(second.store.spool.count == 0 && second.tracker.outbox.spooledCount == 0)
    }
    let third = try SpoolingTracker(folder("state.db"))
    #expect(third.handed.isEmpty && third.store.spool.count == 0)
  }

  /// The file is damaged so that SQLite can't read it: what is intact in its bytes is in the new one, the spool, too, and nothing
  /// that had been delivered comes back.
  @Test func theSpoolOfADamagedFileIsTakenOver() throws {
    let folder = try Folder(isInMemory: true)
    let path = folder("state.db")
    var (bytes, log): ([UInt8], [UInt8]) = ([], [])
    do {
      var first = try SpoolingTracker(path)
      first.locate(60)
      for sequence in UInt32(1)...20 {
        first.tracker.acknowledge(sequence, at: .seconds(100))
        first.drain()
      }
      first.locate(40)
      // The log still has what was delivered long ago.
      (bytes, log) = (readFile(path), readFile(path + "-wal"))
    }
    unlink(path + "-wal")
    for place in 0..<32 { log[place] = 0xA5 }
    writeFile(path + "-wal", log)
    for page in stride(from: 0, to: bytes.count, by: 4096) { for place in page..<page + 24 { bytes[place] = 0xA5 } }
    writeFile(path, bytes)
    var next = try SpoolingTracker(path)
    #expect(next.store.remark?.contains("renamed to") == true)
    next.acknowledgeAll()
    // 61 is the position that went first after the silence; it had been delivered or not like any other.
    #expect(Set(next.handed).isSuperset(of: Set(21...101).subtracting([61])))
    #expect(next.handed.allSatisfy { $0 > 20 })
    let reports = next.handed.filter { $0 <= 101 && $0 != 61 }
    #expect(reports == reports.sorted())
  }

  @Test func aFullSpoolIsThinnedOutAndCounted() throws {
    let folder = try Folder(isInMemory: true)
    var tracker = try SpoolingTracker(folder("state.db"), capacity: 100)
    tracker.locate(300)
    let spool = tracker.store.spool
    #expect(spool.count <= 100 && spool.count > 25 && spool.thinnedCount == 300 - 16 - spool.count)
    tracker.acknowledgeAll()
    let reports = tracker.handed.filter { $0 <= 300 }
    #expect(reports == reports.sorted() && reports.count == 300 - spool.thinnedCount)
    #expect(reports.last ?? 0 >= 299)
    for (one, next) in zip(reports, reports.dropFirst()) { #expect(next - one <= 16, "no part of the way is missing") }
  }

  /// A disk that takes nothing: 64 reports wait for it in memory, others in the outbox, and nothing is lost when it takes again.
  @Test func aFullDiskDelaysTheSpoolAndLosesNothing() throws {
    let folder = try Folder(isInMemory: true)
    do {
      var tracker = try SpoolingTracker(folder("state.db"))
      tracker.locate(20)
      try tracker.store.refuseChanges(true)
      tracker.locate(70)
      #expect(tracker.store.problem != nil && tracker.store.spool.count == 4 + 64 && tracker.tracker.outbox.count == 22)
      try tracker.store.refuseChanges(false)
      tracker.locate(1)
      #expect(tracker.store.problem == nil)
    }
    var next = try SpoolingTracker(folder("state.db"))
    next.acknowledgeAll()
    #expect(Set(next.handed).isSuperset(of: 1...91))
  }

  /// Each statement for the spool is refused, after those before it were done: the change as a whole is undone.
  @Test(arguments: ["INSERT ON main.spool", "DELETE ON main.spool", "INSERT ON main.sections WHEN NEW.tag = 1"])
  func aStatementThatIsRefusedUndoesTheWholeChange(statement: String) throws {
    let folder = try Folder(isInMemory: true)
    var delivered: [UInt32] = []
    do {
      var tracker = try SpoolingTracker(folder("state.db"))
      tracker.locate(40)
      try tracker.store.file?.database.execute(
        "CREATE TEMP TRIGGER no BEFORE \(statement) BEGIN SELECT RAISE(ABORT, 'refused'); END")
      tracker.locate(2)
      if statement.hasPrefix("DELETE") { tracker.acknowledgeAll() }
      #expect(tracker.store.problem?.hasSuffix("refused") == true)
      delivered = tracker.acknowledged
      // When it is refused no more, the next try keeps what waited for it.
      try tracker.store.file?.database.execute("DROP TRIGGER no")
      tracker.store.advance(to: try #require(tracker.store.nextDeadline), tracker.tracker)
      #expect(tracker.store.problem == nil)
    }
    var next = try SpoolingTracker(folder("state.db"))
    next.acknowledgeAll()
    #expect(Set(next.handed + delivered).isSuperset(of: 1...42), "all of it, some twice")
  }

  @Test func aBoardWithoutItsServerKeepsTheWholeWay() throws {
    var board = Board(try Folder())
    board.configuration.tracker.tracker.outbox.hasSpool = true
    board.uplink.acknowledges = false
    var run = try board.start()
    for _ in 0..<200 { #expect(run.request("locate")) }
    #expect(run.status(version: "1").outbox.evicted == 0 && run.store.spool.count == 184)
    run.stop()
    // In the next life the server is back.
    var next = Board(board.folder)
    next.configuration.tracker.tracker.outbox.hasSpool = true
    run = try next.start()
    for _ in 0..<50 { run.turn(until: MonotonicClock.now) }
    #expect(Set(next.uplink.taken.map(\.sequence)).isSuperset(of: 1...200))
    #expect(run.store.spool.count == 0 && run.run.look { $0.outbox.count } == 0)
    run.stop()
  }
}

import CLinuxShim
import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import StorageSupport
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

extension StateStore {
  /// Waits for a change that is under way and takes what became of it; one that begins with that is under way then.
  fileprivate func takeOutcome(_ tracker: borrowing Tracker) throws {
    let wakeUp = try #require(wakeUp)
    var wait = EventWait()
    let place = wait.add(wakeUp.descriptor)
    wait.wait(until: nil)
    #expect(wait.isReadable(place))
    advance(to: MonotonicClock.now, tracker)
  }
}

/// What is kept on a thread of its own, while the storage takes as long as it likes.
@Suite struct StateStoreBesideTests {
  @Test func whatChangesDuringAChangeIsTheNextAndAllOfItIsKept() throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"), isBesideLoop: true, clock: MachineClock())
    var changing = ChangingTracker()
    let hold = StorageHold(folder.path)
    #expect(hold.isHolding)
    #expect(store.keep(.all, of: changing.tracker) == 1)
    for _ in 0..<5 {
      changing.change()
      #expect(store.keep(.all, of: changing.tracker) == 2, "one change for all that came meanwhile")
    }
    #expect(store.settledChange == 0 && store.nextDeadline == nil && store.commitCount == 0)
    store.advance(to: MonotonicClock.now + .seconds(100), changing.tracker)
    #expect(store.settledChange == 0, "nothing is called kept that is not")
    hold.release()
    try store.takeOutcome(changing.tracker)
    #expect(store.settledChange == 1)
    try store.takeOutcome(changing.tracker)
    #expect(store.settledChange == 2 && store.commitCount == 2 && store.problem == nil && store.nextDeadline == nil)
    let bytes = changing.bytes
    let image = try Folder(isInMemory: true)
    for suffix in ["", "-wal", ".mark"] { writeFile(image("state.db\(suffix)"), readFile(folder("state.db\(suffix)"))) }
    #expect(try StateStore(path: image("state.db"), clock: MachineClock()).found() == bytes, "as power ends a life")
  }

  @Test func aRefusedChangeIsSettledTriedAgainAndKept() throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"), isBesideLoop: true, clock: MachineClock())
    var changing = ChangingTracker()
    changing.change()
    store.keep(changing.tracker)
    try store.takeOutcome(changing.tracker)
    try store.refuseChanges(true)
    changing.change()
    #expect(store.keep(.all, of: changing.tracker) == 2)
    changing.change()
    #expect(store.keep(.waiting, of: changing.tracker) == 3)
    try store.takeOutcome(changing.tracker)
    #expect(store.settledChange == 2 && store.failureCount == 1 && store.problem != nil)
    try store.takeOutcome(changing.tracker)
    #expect(store.settledChange == 3 && store.failureCount == 2)
    try store.refuseChanges(false)
    let due = try #require(store.nextDeadline)
    store.advance(to: due - Interval(microseconds: 1), changing.tracker)
    #expect(store.nextDeadline == due)
    store.advance(to: due, changing.tracker)
    try store.takeOutcome(changing.tracker)
    #expect(store.problem == nil && store.settledChange == 4)
    let bytes = changing.bytes
    store.close(changing.tracker)
    #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == bytes)
  }

  /// The stop waits for what is under way, and keeps what has changed since.
  @Test func theLastChangeIsKeptAfterTheOneUnderWay() throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"), isBesideLoop: true, clock: MachineClock())
    var changing = ChangingTracker()
    let hold = StorageHold(folder.path)
    store.keep(.all, of: changing.tracker)
    changing.change()
    changing.change()
    hold.release()
    store.close(changing.tracker)
    #expect(store.problem == nil)
    #expect(try StateStore(path: folder("state.db"), clock: MachineClock()).found() == changing.bytes)
  }

  /// SQLite finds the damage while a change is written: a new file has all there is, the spool, too, before anybody is told.
  @Test(arguments: [false, true]) func aFileThatIsFoundDamagedIsBegunAnewWithTheSpool(isBeside: Bool) throws {
    let folder = try Folder(isInMemory: true)
    let store = try StateStore(path: folder("state.db"), isBesideLoop: isBeside, clock: MachineClock())
    var changing = ChangingTracker()
    for number in UInt32(1)...40 {
      #expect(store.spool.put(number, pending: 1, isThinnable: true, section: [UInt8(number)]))
    }
    store.keep(changing.tracker)
    if isBeside { try store.takeOutcome(changing.tracker) }
    try store.file?.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var bytes = readFile(folder("state.db"))
    for place in 4096..<bytes.count { bytes[place] = 0xA5 }
    let file = open(folder("state.db"), O_WRONLY)
    #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
    close(file)
    try store.file?.database.execute("PRAGMA shrink_memory")
    changing.change()
    let change = store.keep(.all, of: changing.tracker)
    while isBeside, store.settledChange < change { try store.takeOutcome(changing.tracker) }
    #expect(store.remark?.contains("renamed to \(folder("state.db")).damaged-1") == true)
    #expect(store.settledChange == change && store.problem == nil && store.spool.count == 40)
    let expected = changing.bytes
    store.close(changing.tracker)
    let next = try StateStore(path: folder("state.db"), clock: MachineClock())
    #expect(try next.found() == expected && next.spool.take(100, pending: .max).map(\.sequence) == Array(1...40))
  }

  /// A spool and its table, with changes that are kept or refused while others come: they agree whenever nothing is under way.
  @Test func theSpoolAndItsTableAgreeWhateverIsRefused() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let spool = StateSpool(capacity: 40)
      var table: [UInt32: UInt8] = [:]
      var expected: [UInt32: UInt8] = [:]
      var change: (spooled: [SpooledPacket], unspooled: [UInt32])?
      var next: UInt32 = 1
      for _ in 0..<120 {
        switch generator.next() % 6 {
        case 0, 1:
          let number = generator.next() % 4 == 0 && next > 5 ? next - UInt32(generator.next() % 5) - 1 : next
          guard expected[number] == nil else { continue }
          let mark = UInt8(truncatingIfNeeded: generator.next())
          let before = spool.thinnedCount
          guard spool.put(number, pending: mark, isThinnable: true, section: []) else { continue }
          if spool.thinnedCount > before { expected = expected.filter { $0.key == number || spool.has($0.key) } }
          expected[number] = mark
          next = max(next, number + 1)
        case 2:
          for packet in spool.take(Int(generator.next() % 6), pending: .max) {
            #expect(expected.removeValue(forKey: packet.sequence) == packet.pending)
          }
        case 3: if change == nil { change = spool.takeChanges() }
        default:
          guard let done = change else { continue }
          change = nil
          if generator.next() % 3 == 0 {
            spool.noteRefused()
          } else {
            for packet in done.spooled { table[packet.sequence] = packet.pending }
            for number in done.unspooled { table[number] = nil }
            spool.noteWritten()
          }
        }
        #expect(spool.count == expected.count)
      }
      if change != nil { spool.noteRefused() }
      let last = spool.takeChanges()
      for packet in last.spooled { table[packet.sequence] = packet.pending }
      for number in last.unspooled { table[number] = nil }
      spool.noteWritten()
      #expect(table == expected && !spool.hasChanges)
    }
  }

  // MARK: The board

  /// The storage hangs: nothing else does, and a packet leaves when it is kept.
  @Test func aStorageThatHangsHoldsUpNothingButNewPackets() throws {
    let folder = try Folder(isInMemory: true)
    var board = Board(folder)
    board.configuration.recording = nil
    let run = try board.start(besideLoop: true)
    while run.store.isWriting { run.turn() }
    let hold = StorageHold(folder.path)
    #expect(run.request("alerts off"))
    for step in 1...50 {
      let time = MonotonicClock.now
      board.sensor.sink(.inertial(InertialSample(time: time, specificForce: Vector3(0, 0, 9.8))))
      var fix = GNSSFix(time: time)
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 50 + Double(step) * 1e-8, longitudeDegrees: 4)
      board.sensor.sink(.fix(fix))
      run.turn(until: MonotonicClock.now)
    }
    let status = run.status(version: "")
    #expect(status.position?.latitudeDegrees == 50.0000005 && !status.alertsEnabled && status.sensors[0].inputs == 100)
    // On a machine that stood still for two seconds it has left unkept.
    #expect(board.uplink.taken.count == run.store.unkeptCount && run.store.isWriting)
    hold.release()
    while run.run.look({ $0.outbox.count }) > 0 { run.turn() }
    #expect(board.uplink.text(0).contains("\"type\":\"status\"") && board.uplink.taken.map(\.sequence) == [1, 2])
    run.stop()
    let next = Board(folder)
    let later = try next.start()
    #expect(!later.status(version: "").alertsEnabled)
    #expect(next.uplink.taken.isEmpty, "delivered is delivered")
    later.stop()
  }

  /// It hangs for longer than an alert can wait: the packet leaves after two seconds, and the status says so for good.
  @Test func afterTwoSecondsAPacketLeavesUnkeptAndIsCounted() throws {
    let folder = try Folder(isInMemory: true)
    let board = Board(folder)
    let run = try board.start(besideLoop: true)
    while run.store.isWriting { run.turn() }
    let hold = StorageHold(folder.path)
    #expect(run.request("locate"))
    let since = run.run.now
    #expect(run.loop.nextDeadline.map { $0 <= since + .seconds(2) } == true, "the loop wakes for it")
    try run.run.attend(at: since + .seconds(2) - Interval(microseconds: 1))
    #expect(board.uplink.taken.isEmpty && run.store.problem == nil)
    try run.run.attend(at: since + .seconds(2))
    #expect(board.uplink.taken.count == 1 && run.store.unkeptCount == 1)
    let number = board.uplink.taken[0].sequence
    let problem = "\(folder("state.db")): the storage has not answered for 2 s; packet \(number) was sent but not saved"
    #expect(run.status(version: "").store.problem == problem && run.status(version: "").store.unkept == 1)
    hold.release()
    while run.store.problem != nil { run.turn() }
    #expect(run.status(version: "").store.unkept == 1 && run.store.failureCount == 0)
    #expect(board.uplink.taken.count == 1, "once")
    run.stop()
  }

  /// What was done last is told when the stop has kept it.
  @Test func whatTheStopKeepsIsTold() throws {
    let folder = try Folder(isInMemory: true)
    let board = Board(folder)
    let run = try board.start(besideLoop: true)
    while run.store.isWriting { run.turn() }
    var told: [String] = []
    run.onOutput = { output, _ in
      if case .packet(let sequence, _) = output { told.append("packet \(sequence)") }
    }
    let hold = StorageHold(folder.path)
    #expect(run.request("locate") { told.append("kept") } && told.isEmpty)
    hold.release()
    run.stop()
    #expect(told == ["packet 1", "kept"])
    let next = Board(folder)
    try next.start().stop()
    #expect(next.uplink.taken.map(\.sequence) == [1])
  }

  /// A disk that takes nothing answers at once, and packets leave at once: no room is no reason to wait.
  @Test func aDiskThatRefusesHoldsUpNoPacket() throws {
    let folder = try Folder(isInMemory: true)
    let board = Board(folder)
    let run = try board.start(besideLoop: true)
    while run.store.isWriting { run.turn() }
    try run.store.refuseChanges(true)
    #expect(run.request("locate"))
    while board.uplink.taken.isEmpty { run.turn() }
    #expect(run.store.problem != nil && run.store.unkeptCount == 0)
    run.stop()
  }
}

extension StateSpool {
  /// True when a packet is in it.
  fileprivate func has(_ sequence: UInt32) -> Bool { packets.all.contains { $0.sequence == sequence } }
}

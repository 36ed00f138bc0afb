import LinuxDevices
import Quantities
import Recording
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

private func hour(_ hours: Double) -> Instant { VirtualBoard.hour(hours) }

/// A day: the receiver is gone from hour 3 to 4, the sensor of movement from 5 to 5½, the server from 8 to 11 and 19 to 21; the
/// board starts again at hour 10 and the bike is taken at hour 20.
private func day(_ folder: Folder) throws -> VirtualBoard {
  let board = VirtualBoard(folder)
  board.receiverOutages.times = [hour(3)..<hour(4)]
  board.inertialOutages.times = [hour(5)..<hour(5.5)]
  board.serverOutages.times = [hour(8)..<hour(11), hour(19)..<hour(21)]
  board.thefts.times = [hour(20)..<hour(20) + .seconds(30)]
  return board
}

@Test func aBoardLivesThroughADayOfTroubleAndItsAlertArrives() throws {
  let board = try day(try Folder(isInMemory: true))
  try board.start()
  board.live(until: hour(2))
  var status = try #require(board.run).status(version: "")
  #expect(status.phase == "parked" && status.isArmed && status.outbox.waiting.isEmpty)
  #expect(status.position?.isStale == false && status.sensors.allSatisfy { $0.state == "running" && $0.failures == 0 })
  #expect(status.sensors.allSatisfy { (0...1).contains($0.lastInputSeconds ?? -1) })
  #expect(status.process.uptimeSeconds == 7200)

  board.live(until: hour(3.5))
  status = try #require(board.run).status(version: "")
  #expect(status.sensors.map(\.state) == ["running", "failed"] && status.position?.isStale == true)
  #expect((0...60).contains(status.sensors[1].retryInSeconds ?? -1))
  board.live(until: hour(4) + .seconds(61))
  status = try #require(board.run).status(version: "")
  #expect(status.sensors.map(\.state) == ["running", "running"] && status.position?.isStale == false)

  board.live(until: hour(5.25))
  #expect(try #require(board.run).status(version: "").sensors.map(\.state) == ["failed", "running"])
  board.live(until: hour(5.5) + .seconds(61))
  #expect(try #require(board.run).status(version: "").sensors.map(\.state) == ["running", "running"])

  board.live(until: hour(10))
  let before = try #require(board.run).unsentCount
  #expect(try #require(board.run).status(version: "").uplinks[0].state == "failed" && before > 0)
  board.stop()
  try board.start()
  #expect(try #require(board.run).isRestored && board.run?.unsentCount == before)
  board.live(until: hour(11) + .seconds(60))
  #expect(board.run?.unsentCount == 0)

  board.live(until: hour(20))
  let known = board.inbox.packets.count
  #expect(!board.inbox.packets.contains { $0.kind.priority == .alert }, "nothing moved")
  board.live(until: hour(20.5))
  #expect(board.inbox.packets.count == known && (board.run?.unsentCount ?? 0) > 0)
  board.live(until: hour(24) + .seconds(60))
  let alert = try #require(board.inbox.packets.first { $0.kind.priority == .alert })
  #expect(alert.time >= hour(21) && alert.time < hour(21) + .seconds(60), "as soon as there is a server")
  #expect(board.run?.unsentCount == 0)
  #expect(Set(board.inbox.packets.map(\.sequence)).count == board.inbox.packets.count, "each once")
  board.stop()
}

@Test func theSameTroubleTwiceGivesTheSamePacketsAtTheSameTimes() throws {
  func packets() throws -> [VirtualInbox.Packet] {
    let board = VirtualBoard(try Folder(isInMemory: true))
    board.receiverOutages.times = [hour(0.2)..<hour(0.4)]
    board.inertialOutages.times = [hour(0.5)..<hour(0.6)]
    board.serverOutages.times = [hour(0.7)..<hour(1.5)]
    board.thefts.times = [hour(1.2)..<hour(1.2) + .seconds(30)]
    try board.start()
    board.live(until: hour(1))
    board.stop()
    try board.start()
    board.live(until: hour(2))
    board.stop()
    return board.inbox.packets
  }
  let first = try packets()
  #expect(first.contains { $0.kind.priority == .alert })
  #expect(try packets() == first)
}

@Test func anAlertRaisedWithoutAnyWayArrivesOnceThereIsOne() throws {
  for (first, second) in [(3.0, 2.0), (2.0, 3.0)] {
    let folder = try Folder(isInMemory: true)
    let board = VirtualBoard(folder)
    board.configuration.recording = RecordingSettings(folder: folder("rides"))
    board.serverOutages.times = [hour(0.5)..<hour(first)]
    board.secondOutages = Outages(times: [hour(0.5)..<hour(second)])
    board.thefts.times = [hour(1)..<hour(1) + .seconds(30)]
    try board.start()
    board.live(until: hour(1.5))
    let status = try #require(board.run).status(version: "")
    #expect(status.uplinks.allSatisfy { $0.state == "failed" } && status.lastAlert > 0)
    #expect(!board.inbox.packets.contains { $0.kind.priority == .alert })
    board.live(until: hour(2) + .seconds(60))
    #expect(board.inbox.packets.contains { $0.kind.priority == .alert && $0.time >= hour(2) })
    #expect(board.run?.unsentCount == 0)
    board.stop()
    let files = RideRecorder.files(in: folder("rides")).map { "\(folder("rides"))/\($0.name)" }
    let verdict = try ReplayVerifier.check(try files.map { try LeashLogReader(path: $0) })
    #expect(verdict.difference == nil && verdict.matchCount >= board.inbox.packets.count)
  }
}

@Test func aSensorAtTheEndOfItsRangeIsCountedInTheStatusAndItsAlertArrives() throws {
  let file = try configuration("{ imu: { source: 'i2c', address: 0x68, part: 'mpu6050', specificForceRange: 2 } }")
  for isKnown in [true, false] {
    let board = VirtualBoard(try Folder(isInMemory: true))
    if isKnown { board.configuration.tracker = file.configuration.tracker }
    board.thefts.times = [hour(1)..<hour(1) + .seconds(30)]
    board.tell = { sample in
      guard var force = sample.specificForce else { return sample }
      // Thrown about, twice as hard as the part can tell.
      if abs(force.x) > 1 { force.x = force.x > 0 ? 19.613 : -19.613 }
      return InertialSample(time: sample.time, angularRate: sample.angularRate, specificForce: force)
    }
    try board.start()
    board.live(until: hour(0.9))
    var status = try #require(board.run).status(version: "")
    #expect(status.counters.isEmpty && status.phase == "parked")
    board.live(until: hour(1.1))
    status = try #require(board.run).status(version: "")
    let clipped = status.counters.first { $0.name == "samplesClipped" }
    // Of two that are the same to the last digit the second is no sample.
    #expect(clipped?.value == (isKnown ? "75" : nil), "\(status.counters)")
    #expect(status.counters.contains { $0.name == "samplesInvalid" && $0.value == "75" }, "\(status.counters)")
    #expect(board.inbox.packets.contains { $0.kind.priority == .alert })
    board.stop()
  }
}

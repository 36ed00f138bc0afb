import Foundation
import Glibc
import LinuxDevices
import Quantities
import Recording
import Testing
import TrackerCore
import Uplinks

@testable import LinuxRuntime

@Test func aRequestBecomesAPacketAndItsAcknowledgementClearsTheOutbox() throws {
  let board = Board(try Folder())
  let run = try board.start()
  #expect(run.request("locate") && !run.request("fly"))
  #expect(board.uplink.taken.count == 1 && board.uplink.text(0).contains("\"type\":\"location\""))
  #expect(run.status(version: "1").outbox.waiting.isEmpty)
  #expect(run.status(version: "1").outbox.acknowledged == 1)
  run.stop()
}

@Test func aPacketIsOnTheStorageBeforeItLeaves() throws {
  let board = Board(try Folder())
  board.uplink.acknowledges = false
  let run = try board.start()
  var commits: [Int] = []
  run.onOutput = { output, _ in
    if case .packet = output { commits.append(run.store.commitCount) }
  }
  let before = run.store.commitCount
  #expect(run.request("locate"))
  #expect(commits.count == 1 && commits[0] > before)
}

@Test func whatWasNotAcknowledgedGoesOutAgainInTheNextLife() throws {
  let folder = try Folder()
  let board = Board(folder)
  board.uplink.acknowledges = false
  do {
    let run = try board.start()
    #expect(run.request("alerts off"))
    run.stop()
  }
  let next = Board(folder)
  let run = try next.start()
  #expect(run.isRestored)
  #expect(next.uplink.taken.map(\.bytes) == board.uplink.taken.map(\.bytes))
  let status = run.status(version: "1")
  #expect(!status.alertsEnabled && status.outbox.waiting.isEmpty)
  run.stop()
}

@Test func requestsOfTheServerReachTheTracker() throws {
  let board = Board(try Folder())
  let run = try board.start()
  board.uplink.tell(.request(Array("alerts off".utf8)))
  run.turn(until: MonotonicClock.now)
  #expect(run.status(version: "1").alertsEnabled, "nobody has said that it may")
  run.run.door[.way(0)] = RequestKindSet(.alerts)
  board.uplink.tell(.request(Array("alerts off".utf8)))
  run.turn(until: MonotonicClock.now)
  #expect(!run.status(version: "1").alertsEnabled)
  board.uplink.tell(.request(Array("rubbish \u{0}".utf8)))
  run.turn(until: MonotonicClock.now)
  run.stop()
}

@Test func positionsOfTheModemsReceiverReachTheTracker() throws {
  let board = Board(try Folder())
  let run = try board.start()
  let now = MonotonicClock.now
  for step in 0..<3 {
    var fix = GNSSFix(time: now + .seconds(step))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
    board.uplink.tell(.fix(fix))
  }
  // In the same turn the tracker has something to say.
  #expect(run.request("locate"))
  board.uplink.tell(.sentences(Array("$GPGGA,".utf8)))
  run.turn(until: MonotonicClock.now)
  #expect(run.status(version: "1").position?.latitudeDegrees == 52)
  #expect(run.status(version: "1").counters.isEmpty)
  run.stop()
}

@Test func manyAcknowledgementsAndRequestsAtOnceReplayToTheSameBytes() throws {
  let folder = try Folder()
  var board = Board(folder)
  board.uplink.acknowledges = false
  board.configuration.tracker.tracker.motion.armAfter = .seconds(1)
  let run = try board.start()
  run.run.door[.way(0)] = .all
  for _ in 0..<4 { #expect(run.request("locate")) }
  // Deadlines have passed when the news comes: every input of this turn does something.
  for packet in board.uplink.taken { board.uplink.tell(.delivered(sequence: packet.sequence)) }
  board.uplink.tell(.request(Array("alerts off".utf8)))
  board.uplink.tell(.request(Array("track 10 60".utf8)))
  run.turn(until: MonotonicClock.now)
  run.stop()
  let files = RideRecorder.files(in: folder("rides")).map { "\(folder("rides"))/\($0.name)" }
  let verdict = try ReplayVerifier.check(try files.map { try LeashLogReader(path: $0) })
  #expect(verdict.difference == nil && verdict.matchCount >= 5)
}

@Test func theSwitchesOfABoardAreOneOfItsSensors() throws {
  let text =
    "{ gnss: { source: 'none' }, contacts: { lock: { chip: 'nochip', line: 4 }, tamper: { chip: 'nochip', line: 5 } } }"
  let sensors = try BoardParts(try configuration(text).configuration, clock: MachineClock()).sensors
  #expect(sensors.map(\.name) == ["contacts lock, tamper"])
  #expect(throws: DeviceFailure.self) { try sensors[0].start(in: EventLoop(clock: MachineClock()), at: .zero) }
  let none = try configuration("{ gnss: { source: 'none' } }").configuration
  #expect(try BoardParts(none, clock: MachineClock()).sensors.isEmpty)
}

@Test func whatTellsThatTheOwnerIsNearAreSensorsOfABoard() throws {
  let text =
    "{ gnss: { source: 'none' }, presence: { tags: 'C0:FF:EE:01:02:03', switch: { chip: 'nochip', line: 4 } } }"
  let sensors = try BoardParts(try configuration(text).configuration, clock: MachineClock()).sensors
  #expect(sensors.map(\.name) == ["presence by Bluetooth, 1 tag", "presence at nochip line 4"])
  #expect(throws: DeviceFailure.self) { try sensors[1].start(in: EventLoop(clock: MachineClock()), at: .zero) }
}

/// From the kernel's files by way of the configuration to the packet, and into the recording.
@Test func theSupplyOfABoardIsInItsPackets() throws {
  let folder = try Folder()
  let battery = folder("sys/class/power_supply/BAT0")
  try FileManager.default.createDirectory(atPath: battery, withIntermediateDirectories: true)
  for (name, text) in ["type": "Battery", "capacity": "42", "status": "Discharging"] {
    try (text + "\n").write(toFile: "\(battery)/\(name)", atomically: false, encoding: .utf8)
  }
  var board = Board(folder)
  let file = try configuration("{ gnss: { source: 'none' }, supply: { root: '\(folder.path)' } }")
  let parts = try BoardParts(file.configuration, clock: MachineClock())
  #expect(parts.sensors.count == 1)
  board.configuration.supply = file.configuration.supply
  let run = try BoardRun(
    board.configuration, parts: BoardParts(sensors: parts.sensors, uplinks: [board.uplink]),
    storage: BoardStorage(board.configuration, clock: MachineClock(), isBesideLoop: false),
    loop: EventLoop(clock: MachineClock()), at: MonotonicClock.now)
  try run.start()
  #expect(run.request("locate"))
  let packet = board.uplink.text(board.uplink.taken.count - 1)
  #expect(packet.contains(#""battery":42,"charging":false,"externalPower":false"#), "\(packet)")
  #expect(run.status(version: "1").sensors.map(\.name) == ["supply BAT0"])
  run.stop()
  let files = RideRecorder.files(in: folder("rides")).map { "\(folder("rides"))/\($0.name)" }
  let verdict = try ReplayVerifier.check(try files.map { try LeashLogReader(path: $0) })
  #expect(verdict.difference == nil && verdict.matchCount > 0)
}

@Test func theBarometerOfABoardIsInItsRecording() throws {
  let folder = try Folder()
  let device = folder("sys/bus/iio/devices/iio:device0")
  try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
  for (name, text) in ["name": "bmp280", "in_pressure_input": "101.325"] {
    try (text + "\n").write(toFile: "\(device)/\(name)", atomically: false, encoding: .utf8)
  }
  var board = Board(folder)
  let file = try configuration("{ gnss: { source: 'none' }, barometer: { root: '\(folder.path)' } }")
  let parts = try BoardParts(file.configuration, clock: MachineClock())
  #expect(parts.sensors.count == 1)
  board.configuration.barometer = file.configuration.barometer
  let run = try BoardRun(
    board.configuration, parts: BoardParts(sensors: parts.sensors, uplinks: [board.uplink]),
    storage: BoardStorage(board.configuration, clock: MachineClock(), isBesideLoop: false),
    loop: EventLoop(clock: MachineClock()), at: MonotonicClock.now)
  try run.start()
  let sensor = try #require(run.status(version: "1").sensors.first)
  #expect(sensor.name == "barometer bmp280", "\(sensor)")
  run.stop()
  let files = RideRecorder.files(in: folder("rides")).map { "\(folder("rides"))/\($0.name)" }
  var pressures: [UInt32] = []
  for file in files {
    let reader = try LeashLogReader(path: file)
    while let record = try reader.next() {
      if case .input(.reading(.pressure(let reading))) = record { pressures.append(reading.pascals) }
    }
  }
  #expect(pressures == [101_325])
}

@Test func theRecordingOfALiveRunReplaysToTheSameBytes() throws {
  let folder = try Folder()
  let board = Board(folder)
  let run = try board.start()
  var outputs = 0
  run.onOutput = { _, _ in outputs += 1 }
  let start = MonotonicClock.now
  for step in 0..<300 {
    var sample = InertialSample(
      time: start + .milliseconds(10 * step), angularRate: Vector3(0, 0, Float(step % 3) * 0.001),
      specificForce: Vector3(0, 0, 9.8))
    sample.magneticFluxDensity = nil
    board.sensor.sink(.inertial(sample))
  }
  board.sensor.sink(.sentences(Array("$GPRMC,rubbish\r\n".utf8), at: start + .seconds(3)))
  #expect(run.request("locate"))
  run.stop()
  let files = RideRecorder.files(in: folder("rides")).map { "\(folder("rides"))/\($0.name)" }
  let verdict = try ReplayVerifier.check(try files.map { try LeashLogReader(path: $0) })
  #expect(verdict.difference == nil && verdict.matchCount == outputs && outputs > 0)
}

@Test func theStatusIsWrittenAndReadAgain() throws {
  let board = Board(try Folder())
  let run = try board.start()
  board.sensor.facts = [("part", "made up")]
  let now = MonotonicClock.now
  board.sensor.sink(.inertial(InertialSample(time: now, angularRate: nil, specificForce: Vector3(.nan, 0, .infinity))))
  var fix = GNSSFix(time: now)
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeDegrees: 52.1, longitudeDegrees: 4.5)
  fix.horizontalAccuracy = 3
  board.sensor.sink(.fix(fix))
  let status = try JSONDecoder().decode(BoardStatus.self, from: Data(run.statusJSON(version: "1.2")))
  #expect(status.version == "1.2" && status.trackerID == "leash" && status.phase == "settling")
  #expect(status.position?.latitudeDegrees == 52.1 && status.position?.isStale == false)
  #expect(status.sensors[0].facts == [BoardStatus.Fact(name: "part", value: "made up")])
  #expect(status.sensors[0].inputs == 2 && status.uplinks[0].state == "open")
  #expect(status.counters == [BoardStatus.Fact(name: "samplesInvalid", value: "1")])
  #expect(status.process.residentKibibytes > 1000)
  let history = String(decoding: run.historyJSON(after: 0), as: UTF8.self)
  #expect(history.contains("\"lat\":52.1"))
  run.stop()
}

@Test func aStateOfAnUnknownVersionBeginsAnewAndTellsItByAPacket() throws {
  let folder = try Folder()
  let board = Board(folder)
  var last: UInt32 = 0
  do {
    let run = try board.start()
    #expect(run.request("locate"))
    last = board.uplink.taken.last?.sequence ?? 0
    for tag in 1...6 { try run.store.forge(tag: Int64(tag), [99, 1, 2, 3]) }
    run.stop()
  }
  let next = Board(folder)
  let run = try next.start()
  #expect(run.store.remark == "\(folder("state.db")): 6 sections damaged")
  let told = try #require(next.uplink.taken.first)
  #expect(told.sequence > last, "no number is used twice")
  #expect(next.uplink.text(0).contains("\"boot\":2,") && next.uplink.text(0).contains("\"reason\":\"stateDamaged\""))
  #expect(run.request("locate") && run.store.problem == nil)
  #expect(next.uplink.taken.last?.sequence == told.sequence + 1)
  run.stop()
}

@Test func packetsGivenUpForWantOfRoomDoNotPileUpOnTheWay() throws {
  let board = Board(try Folder())
  board.uplink.acknowledges = false
  let run = try board.start()
  for _ in 0..<200 { #expect(run.request("locate")) }
  #expect(run.delivery.count <= 32)
  #expect(run.status(version: "1").outbox.evicted > 100)
  run.stop()
}

@Test func theHistoryIsBoundedWhateverComes() {
  var history = LiveHistory()
  for step in 0..<20_000 {
    let time = Instant.milliseconds(100 * step)
    if let place = GeodeticPosition(latitudeE9: Int64(step) * 1000, longitudeE9: 0) {
      history.add(place, phase: "riding", at: time)
    }
    history.add(InertialSample(time: time, angularRate: Vector3(1, 0, 0), specificForce: nil), evidence: .nan)
    history.add("event", json: "{}", at: time)
  }
  #expect(history.track.count <= 4000 && history.track.first?.t == 0, "the whole way stays visible")
  #expect(history.curve.count <= 3600 && history.happenings.count <= 300)
  #expect(zip(history.track, history.track.dropFirst()).allSatisfy { $0.n < $1.n })
  #expect(history.curve.last?.rate == 1)
}

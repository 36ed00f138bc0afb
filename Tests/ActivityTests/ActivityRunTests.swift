import Activity
import Glibc
import Quantities
import Recording
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// A storage in memory.
private final class MemoryStore: TrackerStore {
  private var sections: [UInt8: [UInt8]] = [:]
  private(set) var state: [UInt8] = []
  private(set) var settledChange: UInt64 = 0
  func noteUnkept(_ sequence: UInt32, after wait: Interval) {}
  func keep(beside tag: UInt8, _ record: [UInt8]) { sections[tag] = record }

  func keep(_ wanted: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    for tag in StateSections.tags where wanted.contains(StateSections(tag: tag)) {
      var bytes = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &bytes)
      if !bytes.bytes.isEmpty { sections[tag] = bytes.bytes }
    }
    state = sections.keys.sorted().flatMap { sections[$0] ?? [] }
    settledChange += 1
    return settledChange
  }
}

/// A tracker at a collar, on virtual time.
private final class CollarBench {
  let run: TrackerRun
  private let store = MemoryStore()
  /// Everything that was told, as JSON.
  private(set) var told: [String] = []
  /// In 25ths of a second.
  private(set) var point = 0

  init(restoring state: [UInt8] = [], log: (any RunLog)? = nil) throws {
    var configuration = RunConfiguration()
    configuration.tracker.alertsEnabled = false
    var onOutput: (String) -> Void = { _ in }
    run = try TrackerRun(configuration, log: log, store: store) { _, bytes in
      onOutput(bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
    onOutput = { [unowned self] in told.append($0) }
    if !state.isEmpty { try run.restore(state, at: .zero) }
  }

  var state: [UInt8] { store.state }
  private var time: Instant { .milliseconds(point * 40) }

  /// A fix; the receiver knows the time, from 24 November 2025, 00:00 UTC, on.
  func fix(speed: Double = 0) throws {
    var fix = GNSSFix(time: time)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4)
    fix.horizontalAccuracy = 3
    fix.speed = speed
    fix.utc = UTCTime(microseconds: 1_763_942_400_000_000) + (time - .zero)
    try run.feed(.fix(fix))
  }

  func rest(seconds: Int, speed: Double? = nil) throws { try feel(seconds: seconds, speed: speed) { _ in 0 } }

  /// Walks with two steps a second.
  func walk(seconds: Int, speed: Double? = nil) throws {
    try feel(seconds: seconds, speed: speed) { Float(2 * sin(2 * .pi * 2 * Double($0) / 25)) }
  }

  private func feel(seconds: Int, speed: Double?, _ signal: (Int) -> Float) throws {
    for place in 0..<(seconds * 25) {
      point += 1
      if place % 25 == 0, let speed { try fix(speed: speed) }
      try run.feed(.inertial(InertialSample(time: time, specificForce: Vector3(0, 0, 9.81 + signal(point)))))
    }
  }

  func pass(seconds: Int) throws {
    point += seconds * 25
    try run.advance(to: time)
  }

  @discardableResult func ask(_ text: String) throws -> String {
    let heard = try run.hear(Array(text.utf8), from: .console, at: time)
    if case .refused(let reason, _) = heard.verdict { return "refused \(reason.word)" }
    let value = heard.value.map { value in String(decoding: (0..<Int(value.count)).map { value[$0] }, as: UTF8.self) }
    return (heard.answer.map { "\($0.name)" } ?? "none") + (value.map { " " + $0 } ?? "")
  }

  func packets(_ reason: String) -> [String] { told.filter { $0.contains("\"reason\":\"\(reason)\"") } }
  var today: ActivityDay? { run.lookAtActivity { $0.today } }
}

/// Activity beside a tracker that a pet wears.
@Suite struct ActivityRunTests {
  private static let dog = "profile set name \"Rex\" kind dog"

  @Test(arguments: [("dog", true), ("cat", true), ("horse", true), ("other", true), ("bike", false)])
  func onlyWhatAnAnimalWearsIsCounted(_ kind: String, _ isCounted: Bool) throws {
    let bench = try CollarBench()
    try bench.walk(seconds: 30)
    #expect(bench.today == nil, "nobody is known to wear it")
    try bench.ask("profile set name \"Rex\" kind \(kind)")
    try bench.walk(seconds: 60)
    #expect((bench.today != nil) == isCounted)
    if isCounted { #expect(abs(Int(bench.today?.wholeSteps ?? 0) - 116) < 6) }
    try bench.ask("profile delete")
    #expect(bench.today == nil)
  }

  @Test func anHourWithAWalkIsToldInAPacketWithItsNumbers() throws {
    let bench = try CollarBench()
    try bench.ask(Self.dog)
    try bench.fix()
    try bench.walk(seconds: 600)
    try bench.rest(seconds: 3100)
    let packets = bench.packets("activity")
    #expect(packets.count == 1)
    let day = try #require(bench.today)
    #expect(abs(Int(day.wholeSteps) - 1200) < 12 && day.activeMinutes >= 9 && day.activeMinutes <= 10)
    let packet = try #require(packets.first)
    #expect(packet.contains("\"steps\":\(day.wholeSteps),\"activeMinutes\":\(day.activeMinutes),\"restMinutes\":"))
    try bench.rest(seconds: 3600)
    #expect(bench.packets("activity").count == 1, "rest alone is not told")
  }

  @Test func stepsAreAnsweredWhereTheyAreCounted() throws {
    let bench = try CollarBench()
    #expect(try bench.ask("status steps") == "steps")
    #expect(try bench.ask("status activity") == "refused unsupported")
    try bench.ask(Self.dog)
    try bench.walk(seconds: 90)
    let steps = try #require(bench.today).wholeSteps
    #expect(try bench.ask("#7 status steps") == "steps \(steps) 1 0")
    #expect(try bench.ask("status activity") == "steps \(steps) 1 0")
    let packet = try #require(bench.packets("steps").first { $0.contains("\"request\":7") })
    #expect(packet.contains("\"steps\":\(steps),\"activeMinutes\":1,\"restMinutes\":0"))
    #expect(try bench.ask("#7 status steps") == "steps \(steps) 1 0")
    #expect(try bench.ask("status steps 1763942400 1763946000") == "steps 1763942400+3600")
    try bench.ask("profile delete")
    #expect(try bench.ask("status activity") == "refused unsupported")
  }

  @Test func aNoticeIsNoAnswer() throws {
    let bench = try CollarBench()
    try bench.ask(Self.dog)
    try bench.fix()
    try bench.walk(seconds: 600)
    #expect(try bench.ask("ping") == "pong")
    try bench.rest(seconds: 3100)
    #expect(bench.packets("activity").count == 1)
    #expect(bench.run.look { $0.lastRequestAnswer } == .pong)
  }

  @Test func inAVehicleNothingIsCountedThroughItsStops() throws {
    let bench = try CollarBench()
    try bench.ask(Self.dog)
    try bench.walk(seconds: 20, speed: 8)
    try bench.walk(seconds: 60, speed: 8)
    let before = try #require(bench.today)
    try bench.walk(seconds: 300, speed: 8)
    try bench.walk(seconds: 60, speed: 0)
    #expect(bench.today?.wholeSteps == before.wholeSteps && bench.today?.active == before.active)
    #expect((bench.today?.measuredMinutes ?? 0) >= 6, "but it was measured")
    try bench.walk(seconds: 60, speed: 1)
    try bench.walk(seconds: 60, speed: 1)
    #expect((bench.today?.wholeSteps ?? 0) > before.wholeSteps + 100)
  }

  @Test func midnightBeginsAnotherDayInTheZoneOfTheTracker() throws {
    let bench = try CollarBench()
    try bench.ask(Self.dog)
    try bench.ask("zone UTC-23")
    try bench.fix()
    try bench.walk(seconds: 600)
    try bench.rest(seconds: 10)
    let steps = try #require(bench.today).wholeSteps
    try bench.rest(seconds: 2890)
    #expect(bench.today?.wholeSteps == steps)
    try bench.rest(seconds: 110)
    #expect(bench.today?.wholeSteps == 0 && bench.today?.activeMinutes == 0)
    #expect(bench.packets("activity").count == 1, "what the day had is told")
  }

  @Test func aRestartGoesOnWithTheDay() throws {
    let bench = try CollarBench()
    try bench.ask(Self.dog)
    try bench.fix()
    try bench.walk(seconds: 120)
    try bench.ask("alerts on")
    let next = try CollarBench(restoring: bench.state)
    #expect(next.today == bench.today && (next.today?.wholeSteps ?? 0) > 200)
    var damaged = bench.state
    let place = try #require(
      damaged.indices.dropLast(2).first {
        damaged[$0] == StoredSection.sign && damaged[$0 + 1] == ActivityLedger.sectionTag && damaged[$0 + 2] == 1
      })
    damaged[place + 20] ^= 1
    let other = try CollarBench(restoring: damaged)
    #expect(other.today?.wholeSteps == 0)
    #expect(other.packets("stateDamaged").contains { $0.contains("\"value\":\"activity\"") })
  }

  @Test func aLogOfAPetReplaysToTheSameBytesAlsoWithoutActivity() throws {
    let path = "/tmp/leash-activity-\(getpid()).llog"
    defer { unlink(path) }
    let writer = try LeashLogWriter(path: path)
    let bench = try CollarBench(log: writer)
    try bench.ask(Self.dog)
    try bench.fix()
    try bench.walk(seconds: 300)
    try bench.ask("#3 status steps")
    try bench.ask("status activity")
    try bench.rest(seconds: 3400)
    try writer.close()
    #expect(bench.packets("activity").count == 1 && bench.packets("steps").count == 2)
    let verdict = try ReplayVerifier.check([LeashLogReader(path: path)])
    #expect(verdict.difference == nil && verdict.matchCount >= bench.told.count)
    let again = try CollarBench()
    let log = try openRecording(path, port: Port.gnss.rawValue)
    while let input = try log.next() {
      switch input {
      case .acknowledgement, .settlement, .spooled, .recalled, .spoolCount: break
      default: try again.run.feed(input, payload: log.payload)
      }
    }
    #expect(again.told == bench.told && again.today == bench.today)
  }

  @Test func anotherOwnerFindsNoActivity() throws {
    let bench = try CollarBench()
    try bench.ask(Self.dog)
    try bench.walk(seconds: 120)
    try bench.ask("unclaim")
    try bench.ask(Self.dog)
    #expect(bench.today?.wholeSteps == 0)
  }

  @Test func aTrackerAloneCountsNothing() {
    var tracker = Tracker()
    let text = Array("status activity".utf8)
    let verdict = tracker.receive(text.span, from: .console, by: RequestDoor(), at: .seconds(1))
    #expect(verdict == .refused(.unsupported, channel: 0))
  }
}

import LinuxDevices
import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

/// Receivers that sleep while the tracker needs no position.
struct ReceiverRestTests {
  private let source = FakeSensor()
  private let loop: EventLoop

  init() throws { loop = try EventLoop(clock: VirtualClock()) }

  private func resting() -> (sensor: SupervisedSensor, rest: ReceiverRest) {
    source.savesWhenStopped = true
    let sensor = SupervisedSensor(source)
    sensor.start(in: loop, at: .zero)
    return (sensor, ReceiverRest([sensor], modem: nil))
  }

  @Test func aReceiverThatMaySleepIsStoppedAndStartedWithTheNextTurn() {
    let (sensor, rest) = resting()
    rest.follow(SensingPlan(reception: .off))
    #expect(sensor.state == .running, "not in the middle of an input")
    rest.carryOut(at: .seconds(5))
    #expect(sensor.state == .asleep && sensor.state.word == "asleep" && source.stopCount == 1)
    #expect(sensor.nextDeadline == nil && rest.nextDeadline == nil && rest.isResting)
    source.failure = DeviceFailure(.read, "port", .explained("gone"))
    sensor.check(at: .seconds(6))
    sensor.advance(to: .seconds(600))
    #expect(sensor.state == .asleep && sensor.failureCount == 0, "its silence is no failure")
    rest.carryOut(at: .seconds(601))
    #expect(source.stopCount == 1)
    rest.follow(SensingPlan())
    rest.carryOut(at: .seconds(602))
    #expect(sensor.state == .running && source.startCount == 2 && !rest.isResting)
  }

  @Test func aReceiverThatCantBeStartedAgainIsTriedAsAnother() {
    let (sensor, rest) = resting()
    source.failure = DeviceFailure(.read, "port", .explained("gone"))
    sensor.check(at: .seconds(1))
    #expect(sensor.state == .failed(reason: "port: gone", retryAt: .seconds(2)))
    rest.follow(SensingPlan(reception: .off))
    rest.carryOut(at: .seconds(1))
    #expect(sensor.state == .asleep)
    source.refusal = DeviceFailure(.open, "port", .explained("away"))
    rest.follow(SensingPlan())
    rest.carryOut(at: .seconds(100))
    #expect(sensor.state == .failed(reason: "port: away", retryAt: .seconds(101)))
    source.refusal = nil
    sensor.advance(to: .seconds(101))
    #expect(sensor.state == .running)
  }

  @Test(arguments: [nil, 30, 59.999]) func aSingleFixIsWaitedForAMinuteAtMost(fixAfter: Double?) {
    let (sensor, rest) = resting()
    rest.follow(SensingPlan(reception: .off))
    rest.carryOut(at: .seconds(5))
    rest.noteFix(at: .seconds(6))
    rest.follow(SensingPlan(reception: .single))
    rest.carryOut(at: .seconds(100))
    #expect(sensor.state == .running && rest.nextDeadline == .seconds(160))
    rest.noteFix(at: Instant(microseconds: 99_999_999))
    rest.carryOut(at: .seconds(110))
    #expect(sensor.state == .running, "an old fix is none")
    if let fixAfter {
      let time = Instant.zero + Interval(microseconds: Int64((100 + fixAfter) * 1e6))
      rest.noteFix(at: time)
      rest.carryOut(at: time)
    } else {
      rest.carryOut(at: Instant(microseconds: 159_999_999))
      #expect(sensor.state == .running)
      rest.carryOut(at: .seconds(160))
    }
    #expect(sensor.state == .asleep && rest.nextDeadline == nil)
    rest.follow(SensingPlan(reception: .single))
    rest.carryOut(at: .seconds(4000))
    #expect(sensor.state == .running && rest.nextDeadline == .seconds(4060), "and once more")
  }

  @Test func whatCantSaveGoesOn() {
    let sensor = SupervisedSensor(source)
    sensor.start(in: loop, at: .zero)
    let rest = ReceiverRest([sensor], modem: nil)
    rest.follow(SensingPlan(reception: .off))
    rest.carryOut(at: .seconds(5))
    #expect(sensor.state == .running && source.stopCount == 0)
  }
}

@Test(arguments: [true, false]) func aParkedBoardLetsItsReceiverSleepAndTheAlertStillComes(sleeps: Bool) throws {
  let hour = VirtualBoard.hour
  let board = VirtualBoard(try Folder(isInMemory: true))
  board.configuration.tracker.tracker.sensorsSleep = sleeps
  board.thefts.times = [hour(5.5)..<hour(5.5) + .seconds(30)]
  try board.start()
  board.live(until: hour(0.2))
  var inputs = 0
  var running = 0
  var states: Set<String> = []
  func count() throws -> Int { try #require(board.run).sensors[1].inputCount }
  let first = try count()
  for minute in 0..<300 {
    board.live(until: hour(0.2) + .seconds(60 * minute + 60))
    let state = try #require(board.run).sensors[1].state.word
    states.insert(state)
    if state == "running" { running += 1 }
  }
  inputs = try count() - first
  if sleeps {
    // One fix before each hourly report, at five seconds a fix.
    #expect((4...8).contains(inputs) && states.contains("asleep") && running <= 10, "\(inputs) \(running)")
  } else {
    #expect((3595...3601).contains(inputs) && states == ["running"])
  }
  board.live(until: hour(5.5))
  #expect(!board.inbox.packets.contains { $0.kind.priority == .alert })
  board.live(until: hour(5.5) + .seconds(60))
  let alert = try #require(board.inbox.packets.first { $0.kind.priority == .alert })
  #expect(alert.time < hour(5.5) + .seconds(10) && alert.text.contains("52.0"), "\(alert)")
  let status = try #require(board.run).status(version: "")
  #expect(status.sensors.map(\.state) == ["running", "running"] && status.position?.isStale == false)
  board.stop()
}

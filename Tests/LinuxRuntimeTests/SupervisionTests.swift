import Glibc
import LinuxDevices
import Quantities
import Testing

@testable import LinuxRuntime

/// What an owner sees of a sensor over its whole life.
@Suite struct SupervisionTests {
  private let source = FakeSensor()
  private let sensor: SupervisedSensor
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop(clock: MachineClock())
    sensor = SupervisedSensor(source) { _ in }
  }

  private func failure(_ text: String) -> DeviceFailure { DeviceFailure(.read, text, .explained("gone")) }

  /// The pauses of a second outage begin with the first second again, once something has come between.
  @Test func pausesBeginAnewAfterAnInputAndOnlyThen() throws {
    sensor.start(in: loop, at: .zero)
    var now = Instant.seconds(100)
    func outage(_ seconds: [Int]) throws {
      for wait in seconds {
        source.failure = failure("port")
        sensor.check(at: now)
        #expect(sensor.state == .failed(reason: "port: gone", retryAt: now + .seconds(wait)))
        #expect(sensor.nextDeadline == now + .seconds(wait))
        now = now + .seconds(wait)
        sensor.advance(to: now)
        #expect(sensor.state == .running)
      }
    }
    // It starts, and fails before it gives anything.
    try outage([1, 2, 4, 8])
    source.sink(.fix(GNSSFix(time: now)))
    try outage([1, 2])
    source.sink(.fix(GNSSFix(time: now)))
    try outage([1])
    #expect(sensor.failureCount == 7 && sensor.inputCount == 2 && source.startCount == 8)
  }

  @Test func silenceIsCountedFromTheStartAndFromTheLastInput() throws {
    source.patience = .seconds(10)
    let start = MonotonicClock.now
    sensor.start(in: loop, at: start)
    #expect(sensor.nextDeadline == start + .seconds(10) && sensor.lastInput == nil)
    source.sink(.fix(GNSSFix(time: start)))
    let last = try #require(sensor.lastInput)
    #expect(last >= start && last <= MonotonicClock.now)
    #expect(sensor.nextDeadline == last + .seconds(10))
    sensor.advance(to: last + .seconds(10) - Interval(microseconds: 1))
    #expect(sensor.state == .running && source.stopCount == 0)
    sensor.advance(to: last + .seconds(10))
    #expect(source.stopCount == 1 && sensor.failureCount == 1)
    // Started again later: the old input says nothing about the new start.
    let retry = last + .seconds(3600)
    sensor.advance(to: retry)
    #expect(sensor.state == .running && sensor.nextDeadline == retry + .seconds(10))
    source.patience = nil
    #expect(sensor.nextDeadline == nil)
  }

  @Test func aSensorThatIsStoppedIsLeftAlone() throws {
    #expect(sensor.state == .idle && sensor.state.word == "idle" && sensor.nextDeadline == nil)
    sensor.start(in: loop, at: .zero)
    #expect(sensor.state.word == "running" && sensor.state.failure == nil)
    source.failure = failure("port")
    sensor.check(at: .seconds(1))
    #expect(sensor.state.word == "failed")
    let told = sensor.state.failure
    #expect(told?.reason == "port: gone" && told?.retryAt == .seconds(2))
    #expect(loop.nextDeadline == .seconds(2))
    sensor.stop()
    #expect(sensor.state == .idle && source.stopCount == 1 && loop.nextDeadline == nil)
    sensor.check(at: .seconds(9))
    sensor.advance(to: .seconds(9))
    #expect(source.startCount == 1 && sensor.failureCount == 1)
  }

  @Test func aSensorThatCannotBeStartedIsNotCheckedButStartedAgain() {
    source.refusal = failure("port")
    sensor.start(in: loop, at: .seconds(5))
    #expect(sensor.state == .failed(reason: "port: gone", retryAt: .seconds(6)))
    source.failure = failure("other")
    sensor.check(at: .seconds(5))
    #expect(sensor.failureCount == 1 && sensor.state.failure?.reason == "port: gone")
    source.refusal = nil
    sensor.advance(to: .seconds(6))
    #expect(sensor.state == .running && source.startCount == 2)
  }

  @Test func ratesAreThoseOfTheLastSeconds() {
    var meter = RateMeter()
    meter.look(at: 100, now: .seconds(10))
    #expect(meter.hertz == nil)
    meter.look(at: 150, now: .milliseconds(11_999))
    #expect(meter.hertz == nil, "two seconds at least")
    meter.look(at: 200, now: .seconds(12))
    #expect(meter.hertz == 50)
    meter.look(at: 1000, now: .seconds(13))
    #expect(meter.hertz == 50)
    meter.look(at: 1000, now: .seconds(16))
    #expect(meter.hertz == 200)
    meter.look(at: 1000, now: .seconds(20))
    #expect(meter.hertz == 0)
    for _ in 0..<30 { source.sink(.fix(GNSSFix(time: .zero))) }
    #expect(sensor.hertz(at: .seconds(1)) == nil)
    for _ in 0..<30 { source.sink(.fix(GNSSFix(time: .zero))) }
    #expect(sensor.hertz(at: .seconds(4)) == 10)
  }
}

import Glibc
import LinuxDevices
import Quantities
import Testing

@testable import LinuxRuntime

@Test func aSensorThatIsMissingIsTriedWithGrowingPauses() throws {
  let loop = try EventLoop(clock: MachineClock())
  let source = FakeSensor()
  source.refusal = DeviceFailure(.open, "/dev/nothing", errorNumber: ENOENT, .noSuchPort(others: []))
  let sensor = SupervisedSensor(source) { _ in }
  sensor.start(in: loop, at: .zero)
  var pauses: [Interval] = []
  var now = Instant.zero
  for _ in 0..<9 {
    let due = try #require(sensor.nextDeadline)
    pauses.append(due - now)
    sensor.advance(to: due - Interval(microseconds: 1))
    #expect(source.startCount == pauses.count)
    sensor.advance(to: due)
    now = due
  }
  #expect(pauses.map { $0.microseconds / 1_000_000 } == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  guard case .failed(let reason, _) = sensor.state else {
    Issue.record("\(sensor.state)")
    return
  }
  #expect(reason.contains("/dev/nothing"))
  source.refusal = nil
  sensor.advance(to: try #require(sensor.nextDeadline))
  #expect(sensor.state == .running)
}

@Test func aSensorThatFailsIsStartedAgain() throws {
  let loop = try EventLoop(clock: MachineClock())
  let source = FakeSensor()
  let sensor = SupervisedSensor(source) { _ in }
  sensor.start(in: loop, at: .zero)
  source.failure = DeviceFailure(.read, "/dev/ttyUSB0", .unplugged)
  sensor.check(at: .seconds(5))
  #expect(sensor.failureCount == 1 && sensor.nextDeadline == .seconds(6))
  sensor.advance(to: .seconds(6))
  #expect(sensor.state == .running && source.startCount == 2)
}

@Test func aSensorThatFallsSilentIsStartedAgain() throws {
  let loop = try EventLoop(clock: MachineClock())
  let source = FakeSensor()
  source.patience = .seconds(10)
  let sensor = SupervisedSensor(source) { _ in }
  sensor.start(in: loop, at: .zero)
  sensor.advance(to: .milliseconds(9999))
  #expect(sensor.state == .running)
  sensor.advance(to: .seconds(10))
  guard case .failed(let reason, let retry) = sensor.state else {
    Issue.record("\(sensor.state)")
    return
  }
  #expect(reason == "fake sensor: nothing came for 10 s" && retry == .seconds(11) && source.stopCount == 1)
}

@Test func whatASensorGivesIsHandedOnAndCounted() throws {
  let source = FakeSensor()
  var inputs = 0
  let sensor = SupervisedSensor(source) { _ in inputs += 1 }
  sensor.start(in: try EventLoop(clock: MachineClock()), at: .zero)
  source.sink(.fix(GNSSFix(time: .zero)))
  #expect(inputs == 1 && sensor.inputCount == 1 && sensor.lastInput != nil)
}

import Glibc
import Quantities
import Testing

@testable import LinuxDevices

/// A line whose falls a test makes; its descriptor is a pipe that has a byte while there are some.
private final class MadeEdges: EdgeInput {
  let descriptor: Int32
  private let writing: Int32
  private var falls: [Instant] = []
  var isBroken = false
  private(set) var isReleased = false

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  func fall(at milliseconds: Double...) {
    falls += milliseconds.map { Instant(microseconds: Int64($0 * 1000)) }
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  func takeFalls() throws(DeviceFailure) -> [Instant] {
    if isBroken { throw DeviceFailure(.pin, "gpiochip0 line 22", .explained("is gone")) }
    var byte: UInt8 = 0
    _ = read(descriptor, &byte, 1)
    defer { falls = [] }
    return falls
  }

  func release() { isReleased = true }
}

/// A sensor at a made line, and what it has told.
private final class MadeWheel {
  var line: MadeEdges
  var told: [WheelReading] = []
  var isMissing = false
  let loop: EventLoop
  var sensor: WheelSensor!
  var clock = Instant.seconds(100)

  init(bounce: Interval = .milliseconds(10)) throws {
    line = try MadeEdges()
    loop = try EventLoop(clock: MachineClock())
    sensor = WheelSensor(chip: "gpiochip0", line: 22, bounce: bounce) {
      [unowned self] chip, line throws(DeviceFailure) in
      if isMissing { throw DeviceFailure(.open, chip, .explained("has no line \(line)")) }
      return self.line
    }
    sensor.sink = { [unowned self] in if case .reading(.wheel(let reading)) = $0 { told.append(reading) } }
  }

  func start() throws { try sensor.start(in: loop, at: clock) }

  /// The kernel tells the falls, and time passes.
  func fall(at milliseconds: Double...) {
    for time in milliseconds { line.fall(at: time) }
    sensor.handle(.reading, of: line.descriptor, at: clock)
  }

  func pass(_ interval: Interval) {
    clock = clock + interval
    sensor.advance(to: clock)
  }
}

@Suite struct WheelSensorTests {
  @Test func itTellsItsPulsesOnceASecondAlsoWhenThereAreNone() throws {
    let wheel = try MadeWheel()
    try wheel.start()
    wheel.pass(.zero)
    wheel.fall(at: 100, 500)
    wheel.fall(at: 900)
    wheel.pass(.milliseconds(999))
    #expect(wheel.told.map(\.pulses) == [0])
    wheel.pass(.milliseconds(1))
    wheel.pass(.seconds(1))
    #expect(wheel.told.map(\.pulses) == [0, 3, 3])
    #expect(wheel.told.map(\.time) == [100, 101, 102].map { .seconds($0) })
    #expect(wheel.sensor.name == "wheel at gpiochip0 line 22" && wheel.sensor.facts.first?.value == "3")
  }

  @Test func aContactThatBouncesIsOnePulse() throws {
    let wheel = try MadeWheel()
    try wheel.start()
    wheel.fall(at: 100, 101, 104, 113.9, 123.9)
    wheel.pass(.zero)
    #expect(wheel.told.map(\.pulses) == [2], "9.9 ms are a bounce, 10 ms are none")
    let dynamo = try MadeWheel(bounce: .milliseconds(1))
    try dynamo.start()
    dynamo.fall(at: 100, 102, 104)
    dynamo.pass(.zero)
    #expect(dynamo.told.map(\.pulses) == [3])
  }

  @Test func aLineThatIsGoneIsAFailureAndTheCountGoesOnAfterIt() throws {
    let wheel = try MadeWheel()
    try wheel.start()
    wheel.fall(at: 100)
    wheel.line.isBroken = true
    wheel.fall(at: 200)
    #expect(String(describing: wheel.sensor.failure).contains("is gone") && wheel.line.isReleased)
    #expect(wheel.sensor.nextDeadline == nil)
    wheel.line = try MadeEdges()
    try wheel.start()
    #expect(wheel.sensor.failure == nil)
    wheel.fall(at: 5)
    wheel.pass(.zero)
    #expect(wheel.told.map(\.pulses) == [2])
  }

  @Test func aLineThatCanNotBeHadIsSaid() throws {
    let wheel = try MadeWheel()
    wheel.isMissing = true
    #expect(throws: DeviceFailure.self) { try wheel.start() }
    #expect(wheel.sensor.nextDeadline == nil && wheel.loop.nextDeadline == nil)
    wheel.isMissing = false
    try wheel.start()
    wheel.sensor.stop()
    #expect(wheel.line.isReleased && wheel.loop.nextDeadline == nil)
  }

  @Test func aChipThatIsNotThereIsNamed() {
    let failure = #expect(throws: DeviceFailure.self) { try GPIOPins.edges(chip: "gpiochip77", line: 3) }
    #expect(String(describing: failure).contains("/dev/gpiochip77"), "\(String(describing: failure))")
  }
}

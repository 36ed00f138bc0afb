import Quantities
import Testing

@testable import LinuxDevices

/// A line that a test pulls.
private final class MadeLine: DigitalInput {
  let name: String
  var present = PinLevel.high
  var isBroken = false
  var isReleased = false

  init(_ name: String) { self.name = name }

  func level() throws(DeviceFailure) -> PinLevel {
    if isBroken { throw DeviceFailure(.pin, name, .explained("is broken")) }
    return present
  }
  func release() { isReleased = true }
}

/// A sensor at made lines, and what it has told.
private final class MadeContacts {
  var lines: [UInt32: MadeLine] = [:]
  var told: [ContactReading] = []
  var missing: UInt32?
  let loop: EventLoop
  var sensor: ContactSensor!
  var clock = Instant.seconds(100)

  init(_ wiring: [Contact: ContactLine]) throws {
    loop = try EventLoop(clock: MachineClock())
    sensor = ContactSensor(wiring) { [unowned self] line throws(DeviceFailure) in
      if line.line == missing { throw DeviceFailure(.open, line.chip, .explained("has no line \(line.line)")) }
      let made = MadeLine("\(line.chip) line \(line.line)")
      lines[line.line] = made
      return made
    }
    sensor.sink = { [unowned self] in if case .reading(.contacts(let reading)) = $0 { told.append(reading) } }
  }

  func start() throws { try sensor.start(in: loop, at: clock) }

  /// Lets so many looks happen.
  func look(_ count: Int) {
    for _ in 0..<count {
      sensor.advance(to: clock)
      clock = clock + ContactSensor.interval
    }
  }
}

private let wiring: [Contact: ContactLine] = [
  .tamper: ContactLine(chip: "gpiochip0", line: 5, isOnWhenHigh: true),
  .lock: ContactLine(chip: "gpiochip0", line: 4, isOnWhenHigh: false),
]

@Test func switchesAreToldAtTheStartAndWhenTheyChange() throws {
  let made = try MadeContacts(wiring)
  try made.start()
  #expect(made.sensor.name == "contacts lock, tamper" && made.sensor.nextDeadline == made.clock)
  made.look(2)
  #expect(
    made.told.count == 1 && made.told.first?.contacts[.lock] == false && made.told.first?.contacts[.tamper] == true)
  #expect(made.told.first?.contacts[.brake] == nil && made.told.first?.time == .seconds(100) + .milliseconds(50))
  made.look(20)
  #expect(made.told.count == 1)
  made.lines[4]?.present = .low
  made.look(2)
  #expect(made.told.count == 2 && made.told.last?.contacts[.lock] == true && made.told.last?.contacts[.tamper] == nil)
  #expect(made.sensor.facts.map(\.value) == ["on", "on"] && made.sensor.facts.map(\.name) == ["lock", "tamper"])
}

@Test func aContactThatBouncesIsToldOnceItHasSettled() throws {
  let made = try MadeContacts([.lock: ContactLine(chip: "gpiochip0", line: 4, isOnWhenHigh: false)])
  try made.start()
  made.look(2)
  for level in [PinLevel.low, .high, .low, .high] {
    made.lines[4]?.present = level
    made.look(1)
  }
  #expect(made.told.count == 1)
  made.look(1)
  #expect(made.told.count == 1, "it is as it was")
  made.lines[4]?.present = .low
  made.look(2)
  #expect(made.told.count == 2)
}

@Test func aLineThatCanNotBeHadLetsTheOthersGo() throws {
  let made = try MadeContacts(wiring)
  made.missing = 5
  let failure = #expect(throws: DeviceFailure.self) { try made.start() }
  #expect(failure.map { "\($0)" }?.contains("has no line 5") == true)
  #expect(made.lines[4]?.isReleased == true && made.sensor.nextDeadline == nil)
  made.missing = nil
  try made.start()
  made.look(2)
  #expect(made.told.count == 1)
}

@Test func aLineThatBreaksEndsTheSensorUntilItIsStartedAgain() throws {
  let made = try MadeContacts(wiring)
  try made.start()
  made.look(3)
  made.lines[5]?.isBroken = true
  made.look(1)
  #expect(made.sensor.failure.map { "\($0)" }?.contains("is broken") == true && made.sensor.nextDeadline == nil)
  #expect(made.lines.values.filter(\.isReleased).count == 2)
  try made.start()
  made.look(2)
  #expect(made.sensor.failure == nil && made.told.count == 2, "how they stand is told anew")
}

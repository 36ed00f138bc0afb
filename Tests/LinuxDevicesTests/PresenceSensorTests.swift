import Quantities
import Testing

@testable import LinuxDevices

/// What a test lets be heard.
private final class MadeScanner: TagScanner {
  let name = "Bluetooth"
  var onSighting: (String, Set<String>, Instant) -> Void = { _, _, _ in }
  var failure: DeviceFailure?
  var isMissing = false
  var isStarted = false
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    if isMissing { throw DeviceFailure(.open, "Bluetooth", .explained("is not there")) }
    isStarted = true
  }
  func stop() { isStarted = false }
}

private final class MadeLevel: DigitalInput {
  let name = "made"
  var present = PinLevel.high
  var isBroken = false
  var isReleased = false
  func level() throws(DeviceFailure) -> PinLevel {
    if isBroken { throw DeviceFailure(.pin, name, .explained("is broken")) }
    return present
  }
  func release() { isReleased = true }
}

private let fd5a = "0000fd5a-0000-1000-8000-00805f9b34fb"

@Test func aTagIsAnAddressOrAServiceInAnyOfItsForms() {
  #expect(OwnerTag("c0:ff:ee:01:02:03") == .address("C0:FF:EE:01:02:03"))
  #expect(OwnerTag("FD5A") == .service(fd5a) && OwnerTag(fd5a.uppercased()) == .service(fd5a))
  #expect(OwnerTag("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")?.text == "6e400001-b5a3-f393-e0a9-e50e24dcca9e")
  for text in [
    "", "c0:ff:ee:01:02", "c0:ff:ee:01:02:03:04", "c0:ff:ee:01:02:0g", "c0ff:ee:01:02:03:", "fd5", "fd5a1", "fdxy",
    "6e400001-b5a3-f393-e0a9-e50e24dcca9", "6e400001b5a3-f393-e0a9-e50e24dcca9e0", "６Ｅ４０",
  ] {
    #expect(OwnerTag(text) == nil, "\(text)")
  }
}

@Test func aTagThatIsHeardIsToldEveryFiveSecondsByItsPlace() throws {
  let scanner = MadeScanner()
  let sensor = TagSensor([.address("C0:FF:EE:01:02:03"), .service(fd5a)], scanner: scanner)
  var told: [PresenceReading] = []
  sensor.sink = { if case .reading(.presence(let reading)) = $0 { told.append(reading) } }
  try sensor.start(in: EventLoop(clock: MachineClock()), at: .zero)
  #expect(sensor.name == "presence by Bluetooth, 2 tags" && scanner.isStarted && sensor.nextDeadline == nil)
  scanner.onSighting("00:00:00:00:00:01", [], .seconds(1))
  #expect(told.isEmpty, "somebody else's")
  scanner.onSighting("C0:FF:EE:01:02:03", [], .seconds(1))
  scanner.onSighting("C0:FF:EE:01:02:03", [], .seconds(6) - Interval(microseconds: 1))
  scanner.onSighting("00:00:00:00:00:02", [fd5a, "x"], .seconds(2))
  scanner.onSighting("C0:FF:EE:01:02:03", [], .seconds(6))
  #expect(told.map(\.token) == [1, 2, 1] && told.map(\.time) == [.seconds(1), .seconds(2), .seconds(6)])
  #expect(told.allSatisfy { $0.isNear })
  #expect(sensor.facts.map(\.value) == ["heard: C0:FF:EE:01:02:03", "heard: \(fd5a)"])
  sensor.stop()
  #expect(!scanner.isStarted)
  scanner.isMissing = true
  #expect(throws: DeviceFailure.self) { try sensor.start(in: EventLoop(clock: MachineClock()), at: .seconds(7)) }
  #expect(sensor.facts.map(\.value) == ["not heard", "not heard"])
}

/// A switch and what it has told, looked at ten times a second.
private final class MadeSwitch {
  let input = MadeLevel()
  var told: [PresenceReading] = []
  let loop: EventLoop
  var sensor: PresenceSwitch!
  var clock = Instant.seconds(100)

  init(tellsAway: Bool) throws {
    loop = try EventLoop(clock: MachineClock())
    let line = ContactLine(chip: "gpiochip0", line: 23, isOnWhenHigh: false)
    sensor = PresenceSwitch(line, token: 3, tellsAway: tellsAway) { [unowned self] _ throws(DeviceFailure) in input }
    sensor.sink = { [unowned self] in if case .reading(.presence(let reading)) = $0 { told.append(reading) } }
    try sensor.start(in: loop, at: clock)
  }

  func look(_ count: Int) {
    for _ in 0..<count {
      sensor.advance(to: clock)
      clock = clock + PresenceSwitch.interval
    }
  }
}

@Test func aSwitchTellsNearEveryFiveSecondsAndAwayOnce() throws {
  let made = try MadeSwitch(tellsAway: true)
  #expect(made.sensor.name == "presence at gpiochip0 line 23")
  made.look(2)
  #expect(made.told.map(\.isNear) == [false])
  made.input.present = .low
  made.look(1)
  #expect(made.told.count == 1, "it may bounce")
  made.look(1)
  #expect(made.told.map(\.isNear) == [false, true] && made.told[1].token == 3)
  made.look(49)
  #expect(made.told.count == 2)
  made.look(1)
  #expect(made.told.count == 3 && made.told[2].time - made.told[1].time == .seconds(5))
  made.input.present = .high
  made.look(100)
  #expect(made.told.map(\.isNear) == [false, true, true, false])
  made.input.isBroken = true
  made.look(1)
  #expect(made.sensor.failure != nil && made.input.isReleased && made.sensor.nextDeadline == nil)
}

@Test func aSwitchBesideTagsDoesNotSayAway() throws {
  let made = try MadeSwitch(tellsAway: false)
  made.look(2)
  made.input.present = .low
  made.look(2)
  made.input.present = .high
  made.look(100)
  #expect(made.told.map(\.isNear) == [true])
}

import Foundation
import Quantities
import Testing

@testable import LinuxDevices

/// A sensor on a simulated bus, and what it gave.
private final class Bench {
  let time = HandTime()
  let bus: SimulatedI2CBus
  let sensor: I2CInertialSensor
  let loop: EventLoop
  var samples: [InertialSample] = []
  /// When each came.
  var arrivals: [Instant] = []

  init(
    _ device: (any RegisterDevice)?, at address: UInt8, _ part: InertialPart? = nil,
    settings: InertialSettings = InertialSettings(), configurationFile: String? = nil
  ) throws {
    let bus = SimulatedI2CBus(time)
    if let device { bus.devices[address] = device }
    self.bus = bus
    let time = time
    sensor = I2CInertialSensor(
      path: "/dev/i2c-1", address: address, part: part, settings: settings, configurationFile: configurationFile,
      openBus: { () throws(DeviceFailure) -> any I2CBus in bus.reopen() }, clock: { time.now })
    loop = try EventLoop(clock: MachineClock())
    sensor.sink = { [unowned self] input in
      guard case .inertial(let sample) = input else { return }
      samples.append(sample)
      arrivals.append(self.time.now)
    }
  }

  func start() throws(DeviceFailure) { try sensor.start(in: loop, at: time.now) }

  /// Lets it live, woken up to `lateness` later than it asked for.
  func run(for interval: Interval, lateness: (Int) -> Int64 = { _ in 0 }) {
    let end = time.now + interval
    var turn = 0
    while let deadline = sensor.nextDeadline, deadline < end {
      time.now = max(time.now, deadline) + Interval(microseconds: lateness(turn))
      sensor.advance(to: time.now)
      turn += 1
    }
    time.now = max(time.now, end)
  }
}

/// All parts with what makes one.
private let parts: [(name: String, address: UInt8, make: @Sendable () -> any RegisterDevice)] = [
  ("MPU-6050", 0x68, { SimulatedMPU(identity: 0x68, capacity: 1024) }),
  ("MPU-6500", 0x69, { SimulatedMPU(identity: 0x70, capacity: 512) }),
  ("MPU-9250", 0x68, { SimulatedMPU(identity: 0x71, capacity: 512) }),
  ("LSM6DS3", 0x6A, { SimulatedLSM6DS3(identity: 0x69) }),
  ("LSM6DS3TR-C", 0x6B, { SimulatedLSM6DS3(identity: 0x6A) }),
  ("LSM6DSO", 0x6A, { SimulatedLSM6DSO() }),
  ("BMI160", 0x68, { SimulatedBMI(is270: false) }),
  ("BMI270", 0x69, { SimulatedBMI(is270: true) }),
]

/// A file that stands for the maker's configuration.
private func configurationFile(in folder: Folder, _ change: (inout [UInt8]) -> Void = { _ in }) throws -> String {
  var bytes = (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
  bytes[8191] = 0xC5
  change(&bytes)
  let path = folder.path + "/configuration"
  try Data(bytes).write(to: URL(filePath: path))
  return path
}

@Test(arguments: parts.indices, InertialSettings.variants.indices)
func everyPartGivesWhatItMeasuresInSIUnits(part: Int, variant: Int) throws {
  let folder = try Folder()
  let settings = InertialSettings.variants[variant]
  let bench = try Bench(
    parts[part].make(), at: parts[part].address, settings: settings, configurationFile: configurationFile(in: folder))
  try bench.start()
  bench.run(for: .seconds(3))
  #expect(bench.sensor.failure == nil)
  #expect(bench.sensor.gapCount == 0)
  #expect(bench.samples.count > Int(2.3 * settings.hertz), "set up in less than 0.7 s, all samples after it")
  let first = try #require(bench.samples.first)
  let number = Int(((try #require(first.angularRate).z) / 0.01).rounded())
  var forceError = 0.0
  var rateError = 0.0
  for (place, sample) in bench.samples.enumerated() {
    guard let force = sample.specificForce, let rate = sample.angularRate else {
      Issue.record("sample \(place) has one half only")
      return
    }
    let expectedForce = SimulatedMotion.force(number + place)
    let expectedRate = SimulatedMotion.rate(number + place)
    for (value, expected) in zip([force.x, force.y, force.z], expectedForce) {
      forceError = max(forceError, abs(Double(value) - expected))
    }
    for (value, expected) in zip([rate.x, rate.y, rate.z], expectedRate) {
      rateError = max(rateError, abs(Double(value) - expected))
    }
  }
  // A step of ±16 g is 0.005 m/s², one of ±2000 °/s 0.0012 rad/s.
  #expect(forceError < 0.003 && rateError < 0.0007, "\(forceError) m/s², \(rateError) rad/s")
  #expect(bench.sensor.facts.first?.value == "\(parts[part].name) at \(hexadecimal(parts[part].address))")
}

extension InertialSettings {
  fileprivate static let variants = [
    InertialSettings(),
    InertialSettings(hertz: 200, specificForceRange: .g16, angularRateRange: .degrees2000),
    InertialSettings(hertz: 50, specificForceRange: .g2, angularRateRange: .degrees250),
    InertialSettings(hertz: 25, specificForceRange: .g4, angularRateRange: .degrees500),
  ]
}

@Test(arguments: parts.indices)
func timesAreThoseOfTheMeasurementsThoughThePartsClockIsOff(part: Int) throws {
  let folder = try Folder()
  let device = parts[part].make()
  var times: () -> [Instant] = { [] }
  switch device {
  case let device as SimulatedMPU:
    device.oscillator.error = 0.03
    times = { device.oscillator.times }
  case let device as SimulatedLSM6DS3:
    device.oscillator.error = -0.04
    times = { device.oscillator.times }
  case let device as SimulatedLSM6DSO:
    device.oscillator.error = 0.05
    times = { device.oscillator.times }
  case let device as SimulatedBMI:
    device.oscillator.error = -0.01
    times = { device.oscillator.times }
  default: Issue.record("no such part")
  }
  let bench = try Bench(device, at: parts[part].address, configurationFile: configurationFile(in: folder))
  try bench.start()
  // Woken late by up to 4 ms, and once in a while by 40.
  bench.run(for: .seconds(30)) { turn in turn % 97 == 0 ? 40_000 : Int64(turn &* 7919 % 4000) }
  let truth = times()
  var worst = Int64(0)
  var sum = 0.0
  var spacings: [Int64] = []
  let settled = bench.samples.suffix(2000)
  for (sample, last) in zip(settled, [settled.first].compactMap { $0 } + settled) where sample.time > last.time {
    spacings.append((sample.time - last.time).microseconds)
  }
  var place = 0
  for sample in settled {
    func error(_ place: Int) -> Int64 { (sample.time - truth[place]).microseconds }
    while place + 1 < truth.count && abs(error(place + 1)) <= abs(error(place)) { place += 1 }
    worst = max(worst, abs(error(place)))
    sum += Double(error(place) * error(place))
  }
  #expect(worst < 1_500, "worst error \(worst) µs")
  #expect((sum / Double(settled.count)).squareRoot() < 500)
  // The spacing of neighbours is the part's, within a tenth.
  let mean = Double(spacings.reduce(0, +)) / Double(spacings.count)
  let odd = spacings.filter { abs(Double($0) - mean) > 0.15 * mean }
  #expect(odd.count * 50 < spacings.count, "\(odd.count) of \(spacings.count) spacings are off")
  #expect(zip(bench.samples, bench.samples.dropFirst()).allSatisfy { $0.time < $1.time })
  #expect(zip(bench.samples, bench.arrivals).allSatisfy { $0.time <= $1 })
}

@Test(arguments: parts.indices)
func aFIFOThatRanFullIsCountedAsOneGapAndWhatFollowsIsRight(part: Int) throws {
  let folder = try Folder()
  let bench = try Bench(
    parts[part].make(), at: parts[part].address, settings: InertialSettings(hertz: 400),
    configurationFile: configurationFile(in: folder))
  try bench.start()
  bench.run(for: .seconds(2))
  let before = bench.samples.count
  #expect(before > 400)
  // Nobody looks for long enough to fill the longest FIFO.
  bench.time.now = bench.time.now + .seconds(4)
  bench.run(for: .seconds(2))
  #expect(bench.sensor.gapCount == 1)
  #expect(bench.sensor.facts.contains { $0.name == "gaps" && $0.value == "1" })
  #expect(bench.sensor.failure == nil)
  #expect(bench.samples.count > before + 500)
  #expect(zip(bench.samples, bench.samples.dropFirst()).allSatisfy { $0.time < $1.time })
  #expect(
    bench.samples.allSatisfy {
      abs(($0.specificForce?.x ?? 0) - 1) < 0.01 && abs(($0.angularRate?.x ?? 0) - 0.5) < 0.01
    })
}

@Test func aPartThatIsAnotherIsToldWithWhatWasFoundAndWhatWasExpected() throws {
  let bench = try Bench(SimulatedBMI(is270: false), at: 0x68, .mpu6050)
  let failure = #expect(throws: DeviceFailure.self) { try bench.start() }
  #expect(
    failure?.message
      == "/dev/i2c-1: no mpu6050 at 0x68: register 0x75 says 0x00, expected 0x68 (MPU-6050); it is a BMI160: choose bmi160"
  )
  #expect(bench.bus.isClosed)
  #expect(bench.bus.writeCount == 0)
  #expect(bench.sensor.nextDeadline == nil)
  let clone = try Bench(SimulatedMPU(identity: 0x19, capacity: 1024), at: 0x68, .mpu6500)
  let other = #expect(throws: DeviceFailure.self) { try clone.start() }
  #expect(
    other?.message
      == "/dev/i2c-1: no mpu6500 at 0x68: register 0x75 says 0x19, expected 0x70 (MPU-6500), 0x71 (MPU-9250), "
      + "0x73 (MPU-9255), 0x74 (MPU-6515)")
}

@Test func nothingAtTheAddressIsToldWithWhatToCheck() throws {
  let bench = try Bench(nil, at: 0x6A, .lsm6dso)
  let failure = #expect(throws: DeviceFailure.self) { try bench.start() }
  #expect(
    failure?.message == "/dev/i2c-1: no answer at address 0x6a: check power, SDA and SCL, and the address pin")
  bench.bus.busy = [0x6A]
  let busy = #expect(throws: DeviceFailure.self) { try bench.start() }
  #expect(busy?.errorNumber == EBUSY)
}

@Test func aBMI270SaysThatItNeedsItsMakersFileAndTakesItByteForByte() throws {
  let folder = try Folder()
  let device = SimulatedBMI(is270: true)
  let bare = try Bench(device, at: 0x68)
  let failure = #expect(throws: DeviceFailure.self) { try bare.start() }
  #expect(failure?.message.contains("a BMI270 needs its maker's configuration file") == true)
  #expect(failure?.message.contains("\n") == false)
  let missing = try Bench(device, at: 0x68, configurationFile: folder.path + "/none")
  let none = #expect(throws: DeviceFailure.self) { try missing.start() }
  #expect(none?.message == "\(folder.path)/none: can't be opened: No such file or directory")
  let path = try configurationFile(in: folder)
  let bench = try Bench(device, at: 0x68, configurationFile: path)
  try bench.start()
  bench.run(for: .seconds(2))
  #expect(device.configuration == Array(try Data(contentsOf: URL(filePath: path))))
  #expect(bench.samples.count > 100)
  let wrong = try configurationFile(in: folder) { $0[8191] = 0 }
  let refused = try Bench(SimulatedBMI(is270: true), at: 0x68, configurationFile: wrong)
  try refused.start()
  refused.run(for: .seconds(2))
  #expect(
    refused.sensor.failure?.message
      == "/dev/i2c-1: the BMI270 refuses its configuration: is it the maker's file for the BMI270?")
  try Data([1, 2, 3]).write(to: URL(filePath: path))
  let short = try Bench(device, at: 0x68, configurationFile: path)
  let odd = #expect(throws: DeviceFailure.self) { try short.start() }
  #expect(odd?.message == "\(path): is not a configuration of a BMI270: expected 8192 bytes, found 3")
}

@Test(arguments: parts.indices)
func oneFailedTransferIsAGapThreeAreAFailureAndAStartMendsIt(part: Int) throws {
  let folder = try Folder()
  let bench = try Bench(
    parts[part].make(), at: parts[part].address, configurationFile: configurationFile(in: folder))
  try bench.start()
  bench.run(for: .seconds(2))
  bench.bus.failuresLeft = 1
  bench.run(for: .seconds(1))
  #expect(bench.sensor.failure == nil)
  #expect(bench.sensor.busErrorCount == 1 && bench.sensor.gapCount == 1)
  let before = bench.samples.count
  bench.bus.failuresLeft = 100
  bench.run(for: .seconds(1))
  #expect(bench.sensor.failure?.message.contains("the bus is stuck") == true)
  #expect(bench.sensor.nextDeadline == nil && bench.bus.isClosed)
  #expect(bench.samples.count <= before + 2)
  bench.bus.failuresLeft = 0
  try bench.start()
  #expect(bench.sensor.failure == nil)
  bench.run(for: .seconds(2))
  #expect(bench.samples.count > before + 100)
  #expect(zip(bench.samples, bench.samples.dropFirst()).allSatisfy { $0.time < $1.time })
}

@Test func aLSM6DS3ThatLostAWordIsReadFromTheNextWholeSample() throws {
  let device = SimulatedLSM6DS3(identity: 0x69)
  let bench = try Bench(device, at: 0x6A, settings: InertialSettings(readInterval: .milliseconds(100)))
  try bench.start()
  bench.run(for: .seconds(1))
  bench.time.now = bench.time.now + .milliseconds(60)
  _ = device.readRegisters(from: 0x3A, count: 1, at: bench.time.now)
  device.loseWord()
  bench.run(for: .seconds(1))
  #expect(bench.sensor.gapCount == 1)
  #expect(bench.samples.allSatisfy { abs(($0.specificForce?.y ?? 0) + 2) < 0.01 })
}

@Test func samplesAreNotOlderThanAReadIntervalWhenTheyCome() throws {
  for (hertz, limit) in [(100.0, 21), (200.0, 16), (25.0, 81)] {
    let bench = try Bench(
      SimulatedMPU(identity: 0x68, capacity: 1024), at: 0x68, settings: InertialSettings(hertz: hertz))
    try bench.start()
    bench.run(for: .seconds(4))
    let delays = zip(bench.samples, bench.arrivals).map { ($1 - $0.time).microseconds }
    #expect(try #require(delays.max()) < limit * 1000, "at \(hertz) Hz")
  }
}

@Test func theLowPassIsTheNextThatIsNotLowerOrBelowHalfTheRate() throws {
  let device = SimulatedMPU(identity: 0x70, capacity: 512)
  let bench = try Bench(device, at: 0x68)
  try bench.start()
  bench.run(for: .seconds(1))
  #expect(device.registers[0x1A] == 3 && device.registers[0x1D] == 3, "42 Hz at 100 samples per second")
  let wide = try Bench(device, at: 0x68, settings: InertialSettings(lowPassHertz: 60))
  try wide.start()
  wide.run(for: .seconds(1))
  #expect(device.registers[0x1A] == 2)
  let fixed = try Bench(SimulatedLSM6DSO(), at: 0x6A, settings: InertialSettings(lowPassHertz: 20))
  let failure = #expect(throws: DeviceFailure.self) { try fixed.start() }
  #expect(
    failure?.message
      == "/dev/i2c-1: the low-pass of a LSM6DSO depends on its rate; set the rate instead")
}

@Test func aStoppedPartSleepsAndItsBusIsClosed() throws {
  let device = SimulatedMPU(identity: 0x68, capacity: 1024)
  let bench = try Bench(device, at: 0x68)
  try bench.start()
  bench.run(for: .seconds(1))
  #expect(device.registers[107] == 0x01)
  bench.sensor.stop()
  #expect(device.registers[107] == 0x40 && bench.bus.isClosed)
  #expect(bench.sensor.nextDeadline == nil && bench.sensor.facts.isEmpty)
  #expect(bench.sensor.name == "imu part at i2c-1 0x68")
}

@Test func aPartIsFoundByAnyOfItsNames() {
  #expect(InertialPart.named("MPU-9250")?.name == "mpu6500")
  #expect(InertialPart.named("mpu6050")?.name == "mpu6050")
  #expect(InertialPart.named("LSM6DS3TR-C")?.name == "lsm6ds3")
  #expect(InertialPart.named("bno055") == nil)
}

@Test func lookingForPartsReadsIdentitiesAndWritesNothing() throws {
  let bus = SimulatedI2CBus(HandTime())
  bus.devices[0x68] = SimulatedMPU(identity: 0x71, capacity: 512)
  bus.devices[0x69] = SimulatedMPU(identity: 0x33, capacity: 512)
  bus.devices[0x6B] = SimulatedLSM6DSO()
  bus.busy = [0x6A]
  let found = InertialSensorListing.parts(on: bus)
  #expect(found.map(\.address) == [0x68, 0x69, 0x6A, 0x6B])
  #expect(found.map(\.family) == ["mpu6500", nil, nil, "lsm6dso"])
  #expect(found[0].text == "MPU-9250")
  #expect(found[2].text == "in use by a kernel driver: use its IIO device")
  #expect(bus.writeCount == 0)
}

@Test func aMachineWithoutTheBusIsTold() throws {
  let failure = #expect(throws: DeviceFailure.self) { try LinuxI2CBus("/dev/i2c-99") }
  #expect(failure?.message.hasPrefix("/dev/i2c-99: no such I²C bus") == true)
  let folder = try Folder()
  try FileManager.default.createDirectory(atPath: folder.path + "/dev", withIntermediateDirectories: true)
  #expect(FileManager.default.createFile(atPath: folder.path + "/dev/i2c-7", contents: nil))
  let buses = InertialSensorListing.i2cBuses(root: folder.path)
  #expect(buses.map(\.path) == [folder.path + "/dev/i2c-7"])
  #expect(buses.first?.parts.isEmpty == true, "a file that is no bus has no parts")
}

@Test func aPartsDescriptionIsThatOfItsDataSheetAtTheChosenSettings() throws {
  func part(_ name: String, _ settings: InertialSettings = InertialSettings()) throws -> SensorDescription {
    try #require(InertialPart.named(name)).description(for: settings)
  }
  // Rate, and the delay of the gyroscope's filter that is chosen for it, µs: [mpu6050-rm] and [mpu6500-rm] register 26.
  for (hertz, first, second) in [
    (10, 18_600, 33_480), (20, 13_400, 17_850), (40, 8_300, 9_900), (100, 4_800, 5_900), (200, 2_800, 3_900),
    (500, 1_900, 2_900),
  ] as [(Double, Int64, Int64)] {
    #expect(try part("mpu6050", InertialSettings(hertz: hertz)).latency.microseconds == first, "\(hertz) Hz")
    #expect(try part("MPU-9250", InertialSettings(hertz: hertz)).latency.microseconds == second, "\(hertz) Hz")
  }
  for name in ["lsm6ds3", "lsm6dso", "bmi160", "bmi270"] {
    #expect(try part(name).latency == .zero, "not in the data sheet")
  }
  for (name, degrees, g) in [
    ("mpu6050", 999, 8), ("bmi160", 999, 8), ("bmi270", 999, 8), ("lsm6ds3", 1146.8, 7.995), ("LSM6DSO", 1146.8, 7.995),
  ] as [(String, Float, Float)] {
    let ends = try part(name)
    #expect(abs(ends.angularRateRange * 180 / .pi - degrees) < 0.1, "\(name)")
    #expect(abs(ends.specificForceRange / 9.80665 - g) < 0.001, "\(name)")
  }
  let wide = InertialSettings(specificForceRange: .g16, angularRateRange: .degrees2000)
  #expect(try part("bmi160", wide).angularRateRange > 1.99 * part("bmi160").angularRateRange)
  #expect(try part("bmi160", wide).specificForceRange > 1.99 * part("bmi160").specificForceRange)
}

@Test func everyNameOfAPartIsKnown() {
  #expect(InertialPart.names.contains("mpu-9250") && InertialPart.names.contains("bmi160"))
  for name in InertialPart.names { #expect(InertialPart.named(name) != nil, "\(name)") }
  #expect(Set(InertialPart.names).count == InertialPart.names.count)
}

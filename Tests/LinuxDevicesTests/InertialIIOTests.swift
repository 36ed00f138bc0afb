import Foundation
import Glibc
import Quantities
import SkippedTests
import Testing

@testable import LinuxDevices

/// A made IIO tree below a folder, with FIFOs in place of the character devices.
final class MadeIIOTree {
  let folder: Folder
  var root: String { folder.path }

  init() throws {
    folder = try Folder()
    try make("sys/bus/iio/devices")
    try make("dev")
  }

  private func make(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: "\(root)/\(path)", withIntermediateDirectories: true)
  }

  func set(_ device: String, _ attribute: String, _ text: String) throws {
    let path = "sys/bus/iio/devices/\(device)/\(attribute)"
    try make((path as NSString).deletingLastPathComponent)
    try (text + "\n").write(toFile: "\(root)/\(path)", atomically: false, encoding: .utf8)
  }

  func text(_ device: String, _ attribute: String) -> String? {
    (try? String(contentsOfFile: "\(root)/sys/bus/iio/devices/\(device)/\(attribute)", encoding: .utf8))
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// When the attribute's file was changed last.
  func changed(_ device: String, _ attribute: String) throws -> Date? {
    let path = "\(root)/sys/bus/iio/devices/\(device)/\(attribute)"
    return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  /// Makes an attribute of the first device look as if it had been written then.
  func age(_ attribute: String, to date: Date) throws {
    let path = "\(root)/sys/bus/iio/devices/iio:device0/\(attribute)"
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }

  /// A device with channels as `accel_x`, in the order of their indices, and a FIFO.
  func add(
    _ number: Int, name: String, channels: [(name: String, type: String)], scales: [String: String],
    attributes: [String: String] = [:]
  ) throws {
    let device = "iio:device\(number)"
    try set(device, "name", name)
    for (index, channel) in channels.enumerated() {
      try set(device, "scan_elements/in_\(channel.name)_en", "0")
      try set(device, "scan_elements/in_\(channel.name)_index", "\(index)")
      try set(device, "scan_elements/in_\(channel.name)_type", channel.type)
    }
    try set(device, "buffer/enable", "0")
    try set(device, "buffer/length", "2")
    for (kind, scale) in scales { try set(device, "in_\(kind)_scale", scale) }
    for (attribute, text) in attributes { try set(device, attribute, text) }
    try #require(mkfifo("\(root)/dev/\(device)", 0o600) == 0)
  }

  /// The other end of a device's FIFO.
  func writer(_ number: Int) throws -> Int32 {
    let descriptor = open("\(root)/dev/iio:device\(number)", O_RDWR | O_NONBLOCK)
    try #require(descriptor >= 0)
    return descriptor
  }
}

/// What a sensor gave.
private final class Given {
  var samples: [InertialSample] = []
  func attach(_ sensor: IndustrialIOSensor) {
    sensor.sink = { [unowned self] input in if case .inertial(let sample) = input { samples.append(sample) } }
  }
}

private let sixAxes: [(name: String, type: String)] = [
  ("accel_x", "le:s16/16>>0"), ("accel_y", "le:s16/16>>0"), ("accel_z", "le:s16/16>>0"),
  ("anglvel_x", "le:s16/16>>0"), ("anglvel_y", "le:s16/16>>0"), ("anglvel_z", "le:s16/16>>0"),
  ("timestamp", "le:s64/64>>0"),
]

private func stamp(_ instant: Instant) -> [UInt8] {
  withUnsafeBytes(of: (instant.microseconds * 1000).littleEndian) { Array($0) }
}

private func send(_ bytes: [UInt8], to descriptor: Int32) {
  #expect(write(descriptor, bytes, bytes.count) == bytes.count)
}

/// A six-axis frame of 24 bytes: six numbers, four bytes of padding, the time.
private func frame(_ values: [Int16], at time: Instant) -> [UInt8] {
  littleEndian(values) + [0, 0, 0, 0] + stamp(time)
}

private func sensor(
  _ device: String, _ tree: MadeIIOTree, _ settings: InertialSettings = InertialSettings(),
  difference: @escaping (TimestampClock) -> Int64 = { _ in 0 }
) -> IndustrialIOSensor {
  IndustrialIOSensor(device, settings: settings, root: tree.root, difference: difference)
}

@Test func framesOfAnIIODeviceBecomeSamplesInSIUnitsHoweverReadsCutThem() throws {
  let tree = try MadeIIOTree()
  try tree.add(
    0, name: "bmi160", channels: sixAxes, scales: ["accel": "0.002", "anglvel": "0.001"],
    attributes: [
      "current_timestamp_clock": "realtime", "in_accel_sampling_frequency": "25",
      "in_accel_sampling_frequency_available": "25 50 100 200", "in_anglvel_sampling_frequency": "25",
      "in_anglvel_sampling_frequency_available": "25 50 104.5 200", "in_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1",
    ])
  let loop = try EventLoop(clock: MachineClock())
  let frames = (0..<5).flatMap { (number: Int) -> [UInt8] in
    let time: Instant = .seconds(100) + .milliseconds(10 * number)
    return frame([Int16(100 + number), -200, 4900, 10, 20, -30], at: time)
  }
  for size in 1...frames.count {
    let sensor = sensor("bmi160", tree)
    let given = Given()
    given.attach(sensor)
    let writer = try tree.writer(0)
    defer { close(writer) }
    try sensor.start(in: loop, at: .seconds(100))
    for start in stride(from: 0, to: frames.count, by: size) {
      send(Array(frames[start..<min(start + size, frames.count)]), to: writer)
      loop.turn(until: MonotonicClock.now)
    }
    #expect(given.samples.count == 5, "cut every \(size) bytes")
    #expect(given.samples.allSatisfy { $0.specificForce?.z == Float(4900 * 0.002) })
    sensor.stop()
  }
  let sensor = sensor("iio:device0", tree)
  let given = Given()
  given.attach(sensor)
  let writer = try tree.writer(0)
  defer { close(writer) }
  try sensor.start(in: loop, at: .seconds(100))
  send(frames, to: writer)
  sensor.handle(.reading, of: sensor.descriptors[0], at: .seconds(100) + .milliseconds(45))
  #expect(given.samples.count == 5)
  let second = try #require(given.samples.dropFirst().first)
  #expect(second.time == .seconds(100) + .milliseconds(10))
  // The matrix turns x into -y and y into x.
  #expect(second.specificForce == Vector3(-0.4, -0.202, 9.8))
  #expect(second.angularRate == Vector3(0.02, -0.01, -0.03))
  #expect(tree.text("iio:device0", "current_timestamp_clock") == "monotonic")
  #expect(tree.text("iio:device0", "in_accel_sampling_frequency") == "100")
  #expect(tree.text("iio:device0", "in_anglvel_sampling_frequency") == "104.5")
  #expect(tree.text("iio:device0", "buffer/enable") == "1")
  #expect(tree.text("iio:device0", "scan_elements/in_timestamp_en") == "1")
  #expect(sensor.name == "imu iio:device0")
  #expect(sensor.facts.contains { $0.name == "part" && $0.value == "bmi160 at iio:device0" })
  #expect(sensor.patience == .seconds(1))
  sensor.stop()
  #expect(tree.text("iio:device0", "buffer/enable") == "0")
}

@Test(
  arguments: [
    ("be:s16/16>>0", [0xFF, 0x38], -200), ("le:s16/16>>0", [0x38, 0xFF], -200),
    ("le:u16/16>>0", [0x38, 0xFF], 65336), ("le:s12/16>>4", [0x80, 0xF3], -200),
    ("be:s12/16>>4", [0xF3, 0x8F], -200), ("be:s24/32>>8", [0xFF, 0xFF, 0x38, 0x55], -200),
    ("le:s32/32>>0", [0x38, 0xFF, 0xFF, 0xFF], -200), ("le:u8/8>>0", [0x38], 56), ("le:s8/8>>0", [0x38], 56),
    ("be:u12/16>>0", [0xF3, 0x88], 904), ("le:s64/64>>0", [0x38, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -200),
  ] as [(String, [UInt8], Double)])
func everyTypeOfScanElementIsRead(type: String, bytes: [UInt8], value: Double) throws {
  let tree = try MadeIIOTree()
  let channels = ["accel_x", "accel_y", "accel_z"].map { ($0, type) }
  try tree.add(3, name: "kxsd9", channels: channels, scales: ["accel": "0.01"], attributes: ["in_accel_offset": "-4"])
  let sensor = sensor("3", tree)
  let given = Given()
  given.attach(sensor)
  let writer = try tree.writer(3)
  defer { close(writer) }
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .seconds(1))
  send(bytes + bytes + bytes, to: writer)
  sensor.handle(.reading, of: sensor.descriptors[0], at: .seconds(2))
  let force = try #require(given.samples.first?.specificForce)
  #expect(given.samples.count == 1 && given.samples[0].angularRate == nil)
  #expect(abs(Double(force.x) - (value - 4) * 0.01) < 1e-4 && force.x == force.z && force.y == force.z)
  sensor.stop()
}

@Test func elementsLieWhereTheKernelPutsThem() throws {
  func layout(_ types: [String]) throws -> ScanLayout {
    ScanLayout(try types.enumerated().map { ("\($0.offset)", $0.offset, try #require(ScanType($0.element))) })
  }
  let mixed = try layout(["le:s16/16>>0", "le:s32/32>>0", "le:s8/8>>0", "le:s16/16>>0", "le:s64/64>>0"])
  #expect(mixed.elements.map(\.offset) == [0, 4, 8, 10, 16])
  #expect(mixed.frameLength == 24)
  let three = try layout(["le:s16/16>>0", "le:s16/16>>0", "le:s16/16>>0"])
  #expect(three.frameLength == 6)
  let uneven = try layout(["le:s32/32>>0", "le:s8/8>>0"])
  #expect(uneven.frameLength == 8)
  let repeated = try layout(["le:s16/16>>0", "le:s16/16X4>>0", "le:s16/16>>0"])
  #expect(repeated.elements.map(\.offset) == [0, 8, 16] && repeated.frameLength == 24)
  for bad in [
    "", "le:s16", "xx:s16/16>>0", "le:s17/16>>0", "le:s16/12>>0", "le:s16/16>>1", "le:s0/16", "le:s16/16>>-1",
  ] {
    #expect(ScanType(bad) == nil, "\(bad)")
  }
}

@Test func ofTheAvailableRatesTheNextThatIsNotLowerIsTaken() {
  #expect(IndustrialIOSetup.choice(of: 100, from: "12.5 26 52 104 208") == "104")
  #expect(IndustrialIOSetup.choice(of: 104, from: "208 12.500000 104.000000") == "104.000000")
  #expect(IndustrialIOSetup.choice(of: 1000, from: "12.5 26 52") == "52")
  #expect(IndustrialIOSetup.choice(of: 100, from: "[10 10 500]") == "100")
  #expect(IndustrialIOSetup.choice(of: 101, from: "[10 10 500]") == "110")
  #expect(IndustrialIOSetup.choice(of: 1000, from: "[10 10 500]") == "500")
  #expect(IndustrialIOSetup.choice(of: 100, from: "none") == nil)
}

@Test func theFinestScaleThatHoldsTheRangeIsTakenAndWhatIsRightIsNotWritten() throws {
  let tree = try MadeIIOTree()
  try tree.add(
    0, name: "mpu6050", channels: sixAxes, scales: ["accel": "0.000598", "anglvel": "0.001064724"],
    attributes: [
      "in_accel_scale_available": "0.000598 0.001196 0.002392 0.004785",
      "in_anglvel_scale_available": "0.000133090 0.000266181 0.000532362 0.001064724",
      "sampling_frequency": "100.000000", "buffer/watermark": "1",
    ])
  try tree.set("iio:device0", "current_timestamp_clock", "monotonic")
  let right = ["sampling_frequency", "current_timestamp_clock"]
  let before = Date(timeIntervalSince1970: 1_000_000)
  for attribute in right { try tree.age(attribute, to: before) }
  let sensor = sensor("mpu6050", tree, InertialSettings(readInterval: .milliseconds(50)))
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .zero)
  defer { sensor.stop() }
  #expect(tree.text("iio:device0", "in_accel_scale") == "0.002392")
  #expect(tree.text("iio:device0", "in_anglvel_scale") == "0.000532362")
  #expect(tree.text("iio:device0", "buffer/watermark") == "5")
  for attribute in right { #expect(try tree.changed("iio:device0", attribute) == before, "\(attribute)") }
  #expect(sensor.facts.contains { $0.name == "range" && $0.value == "±8 g" })
  #expect(sensor.facts.contains { $0.name == "angular range" && $0.value == "±999 °/s" || $0.value == "±1000 °/s" })
}

@Test func aMagnetometersGaussBecomeMicrotesla() throws {
  let tree = try MadeIIOTree()
  let magnetic = ["x", "y", "z"].map { ("magn_\($0)", "le:s16/16>>0") }
  try tree.add(
    0, name: "mpu9250", channels: Array(sixAxes.dropLast()) + magnetic,
    scales: ["accel": "0.001", "anglvel": "0.001", "magn": "0.0015"], attributes: ["in_magn_x_scale": "0.003"])
  let sensor = sensor("mpu9250", tree)
  let given = Given()
  given.attach(sensor)
  let writer = try tree.writer(0)
  defer { close(writer) }
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .zero)
  send(littleEndian([0, 0, 9807, 0, 0, 0, 100, 200, -300]), to: writer)
  sensor.handle(.reading, of: sensor.descriptors[0], at: .seconds(5))
  let field = try #require(given.samples.first?.magneticFluxDensity)
  #expect(abs(field.x - 30) < 1e-4 && abs(field.y - 30) < 1e-4 && abs(field.z + 45) < 1e-4)
  #expect(sensor.facts.contains { $0.name == "clock" && $0.value == "arrival" })
  sensor.stop()
}

@Test func twoDevicesOfOnePartBecomeOneStream() throws {
  let tree = try MadeIIOTree()
  let stamped = ("timestamp", "le:s64/64>>0")
  try tree.add(
    0, name: "lsm6dso_gyro", channels: ["x", "y", "z"].map { ("anglvel_\($0)", "le:s16/16>>0") } + [stamped],
    scales: ["anglvel": "0.001"])
  try tree.add(
    1, name: "lsm6dso_accel", channels: ["x", "y", "z"].map { ("accel_\($0)", "le:s16/16>>0") } + [stamped],
    scales: ["accel": "0.01"])
  try tree.add(2, name: "hts221", channels: [("humidityrelative", "le:s16/16>>0")], scales: [:])
  let sensor = sensor("lsm6dso", tree) { $0.isSteady ? 0 : 1_700_000_000_000_000_000 }
  let given = Given()
  given.attach(sensor)
  let gyroscope = try tree.writer(0)
  let accelerometer = try tree.writer(1)
  defer {
    close(gyroscope)
    close(accelerometer)
  }
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .seconds(9))
  #expect(sensor.name == "imu lsm6dso at iio:device1 and iio:device0")
  let (force, rate) = (sensor.descriptors[0], sensor.descriptors[1])
  func sample(_ value: Int16, _ milliseconds: Int) -> [UInt8] {
    // The clock on the wall: the tree has no choice of clocks.
    let time = Int64(10_000 + milliseconds) * 1_000_000 + 1_700_000_000_000_000_000
    return littleEndian([value, 0, 0]) + [0, 0] + withUnsafeBytes(of: time.littleEndian) { Array($0) }
  }
  func at(_ milliseconds: Int) -> Instant { .milliseconds(10_000 + milliseconds) }
  send(sample(1, 0) + sample(2, 10) + sample(3, 20), to: gyroscope)
  sensor.handle(.reading, of: rate, at: at(21))
  #expect(given.samples.isEmpty, "each waits for the specific force that may be nearer")
  #expect(sensor.nextDeadline == at(30))
  send(sample(100, -4) + sample(101, 6) + sample(102, 16), to: accelerometer)
  sensor.handle(.reading, of: force, at: at(22))
  #expect(given.samples.map { ($0.time.microseconds - 10_000_000) / 1000 } == [0, 10])
  #expect(given.samples.map { $0.specificForce?.x } == [1, 1.01], "the nearest in time")
  #expect(given.samples.map { $0.angularRate?.x } == [0.001, 0.002])
  // The accelerometer falls silent: its last value holds, and then no longer.
  sensor.advance(to: at(50))
  #expect(given.samples.last?.specificForce?.x == 1.02 && given.samples.last?.time == at(20))
  send(sample(4, 110) + sample(5, 130), to: gyroscope)
  sensor.handle(.reading, of: rate, at: at(200))
  #expect(given.samples.suffix(2).map { $0.specificForce?.x } == [1.02, nil])
  sensor.stop()
  #expect(tree.text("iio:device0", "buffer/enable") == "0" && tree.text("iio:device1", "buffer/enable") == "0")
}

@Test func aStepOfTheClockOnTheWallDoesNotReachTheSamples() {
  let hour: Int64 = 3_600_000_000_000
  var conversion = TimestampConversion(clock: .realtime)
  let wall: Int64 = 1_700_000_000_000_000_000
  conversion.note(difference: wall)
  let first = conversion.instant(nanoseconds: wall + 5_000_000_000, expected: nil, readAt: .seconds(5))
  #expect(first == .seconds(5))
  // Set forward by an hour between two samples of one read.
  conversion.note(difference: wall + hour)
  let times = [(5_010, Int64(0)), (5_020, hour)].map { milliseconds, step in
    conversion.instant(
      nanoseconds: wall + Int64(milliseconds) * 1_000_000 + step, expected: .milliseconds(milliseconds),
      readAt: .milliseconds(5_021))
  }
  #expect(times == [.milliseconds(5_010), .milliseconds(5_020)])
  // Set back by 15 ms: both differences give times in the past, the expected one is nearer to the truth.
  conversion.note(difference: wall + hour - 15_000_000)
  let back = conversion.instant(
    nanoseconds: wall + hour - 15_000_000 + 5_030_000_000, expected: .milliseconds(5_030), readAt: .milliseconds(5_046))
  #expect(back == .milliseconds(5_030))
  #expect(conversion.instant(nanoseconds: 12, expected: nil, readAt: .seconds(6)) == nil, "nonsense has no time")
  var boot = TimestampConversion(clock: .boottime)
  boot.note(difference: 7_000_000_000)
  #expect(boot.instant(nanoseconds: 9_000_000_000, expected: nil, readAt: .seconds(2)) == .seconds(2))
}

@Test func aDriverThatKeepsItsClockIsConvertedAndTimesNeverGoBack() throws {
  let tree = try MadeIIOTree()
  try tree.add(
    0, name: "bmi160", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"],
    attributes: ["sampling_frequency": "100"])
  var ahead: Int64 = 50_000_000_000
  let sensor = sensor("bmi160", tree) { _ in ahead }
  let given = Given()
  given.attach(sensor)
  let writer = try tree.writer(0)
  defer { close(writer) }
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .seconds(20))
  func send(_ milliseconds: Int, _ ahead: Int64) {
    let time = Instant.milliseconds(milliseconds) + Interval(microseconds: ahead / 1000)
    LinuxDevicesTests.send(frame([1, 2, 3, 4, 5, 6], at: time), to: writer)
  }
  send(20_000, ahead)
  send(20_010, ahead)
  sensor.handle(.reading, of: sensor.descriptors[0], at: .milliseconds(20_011))
  // A step back of ten minutes, an old stamp behind it, and a stamp that never was.
  send(20_020, ahead)
  ahead -= 600_000_000_000
  send(20_030, ahead)
  send(20_005, ahead)
  send(99_000_000, ahead)
  sensor.handle(.reading, of: sensor.descriptors[0], at: .milliseconds(20_041))
  let times = given.samples.map(\.time.microseconds)
  #expect(times[..<4] == [20_000_000, 20_010_000, 20_020_000, 20_030_000])
  #expect(times.count == 6 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 } && times[5] == 20_041_000)
  #expect(sensor.facts.contains { $0.name == "dated by arrival" && $0.value == "1" })
  sensor.stop()
}

@Test func aDeviceThatIsPulledOutIsAFailureOfOneLine() throws {
  let tree = try MadeIIOTree()
  try tree.add(0, name: "bmi160", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"])
  let loop = try EventLoop(clock: MachineClock())
  let sensor = sensor("bmi160", tree)
  let writer = try tree.writer(0)
  try sensor.start(in: loop, at: MonotonicClock.now)
  close(writer)
  // The reader alone holds the FIFO open now: a writer that comes and goes makes it end.
  let last = open("\(tree.root)/dev/iio:device0", O_WRONLY | O_NONBLOCK)
  close(last)
  loop.turn(until: MonotonicClock.now + .seconds(5))
  #expect(
    sensor.failure?.message
      == "\(tree.root)/dev/iio:device0: lost while in use: unplugged, or the program behind it has ended")
  #expect(sensor.nextDeadline == nil && tree.text("iio:device0", "buffer/enable") == "0")
  let again = try tree.writer(0)
  defer { close(again) }
  try sensor.start(in: loop, at: MonotonicClock.now)
  #expect(sensor.failure == nil)
  sensor.stop()
}

@Test func aWrongNameIsToldWithTheNearestRightOne() throws {
  let tree = try MadeIIOTree()
  let none = #expect(throws: DeviceFailure.self) {
    try sensor("bmi160", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(none?.message.hasPrefix("bmi160: no such IIO device, and no other device has a buffer") == true)
  try tree.add(0, name: "mpu6050", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"])
  try tree.add(1, name: "bmi160", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"])
  let failure = #expect(throws: DeviceFailure.self) {
    try sensor("bmi106", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(failure?.message == "bmi106: no such IIO device; there are: bmi160 (iio:device1), mpu6050 (iio:device0)")
  try tree.add(2, name: "bmi160", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"])
  let two = #expect(throws: DeviceFailure.self) {
    try sensor("bmi160", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(two?.message == "bmi160: matches more than one IIO device: use one of iio:device1, iio:device2")
}

@Test func whatIsMissingOrSenselessInADevicesFilesIsNamed() throws {
  let tree = try MadeIIOTree()
  try tree.add(0, name: "a", channels: sixAxes, scales: ["anglvel": "1"])
  let scale = #expect(throws: DeviceFailure.self) {
    try sensor("a", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(scale?.message.hasSuffix("iio:device0/in_accel_scale: no scale; expected a number such as 0.000598") == true)
  #expect(tree.text("iio:device0", "buffer/enable") == "0", "what was begun is undone")
  try tree.set("iio:device0", "in_accel_scale", "1")
  try tree.set("iio:device0", "mount_matrix", "1, 0; 0, 1")
  let matrix = #expect(throws: DeviceFailure.self) {
    try sensor("a", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(matrix?.message.contains("'1, 0; 0, 1' is not a mount matrix") == true)
  try tree.set("iio:device0", "mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 1")
  try tree.set("iio:device0", "scan_elements/in_accel_x_type", "le:q9")
  let type = #expect(throws: DeviceFailure.self) {
    try sensor("a", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(type?.message.contains("'le:q9' is not a scan type") == true)
  try tree.add(1, name: "b", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"])
  try FileManager.default.removeItem(atPath: "\(tree.root)/dev/iio:device1")
  let node = #expect(throws: DeviceFailure.self) {
    try sensor("b", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(node?.message.contains("dev/iio:device1: missing although the device exists") == true)
}

@Test func withoutPermissionTheFileIsNamed() throws {
  guard geteuid() != 0 else {
    noteSkipped("root may write everything")
    return
  }
  let tree = try MadeIIOTree()
  try tree.add(0, name: "a", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"])
  let path = "\(tree.root)/sys/bus/iio/devices/iio:device0/scan_elements/in_accel_x_en"
  try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
  let failure = #expect(throws: DeviceFailure.self) {
    try sensor("a", tree).start(in: try EventLoop(clock: MachineClock()), at: .zero)
  }
  #expect(failure?.message == "\(path): no permission to write it: install the udev rule, or run as root")
}

@Test func noPermissionAndABusyDeviceAreToldInOneLine() {
  #expect(
    DeviceFailure.attribute(.write, "/sys/x", EACCES).message
      == "/sys/x: no permission to write it: install the udev rule, or run as root")
  #expect(
    DeviceFailure.attribute(.open, "/dev/iio:device0", EBUSY).message
      == "/dev/iio:device0: busy: another program uses this sensor; stop it")
}

@Test func aDeviceWithoutATriggerGetsItsOwn() throws {
  let tree = try MadeIIOTree()
  try tree.add(
    4, name: "bmi160", channels: sixAxes, scales: ["accel": "1", "anglvel": "1"],
    attributes: ["trigger/current_trigger": ""])
  try tree.set("trigger0", "name", "mpu6050-dev0")
  try tree.set("trigger1", "name", "bmi160-dev4")
  let sensor = sensor("bmi160", tree)
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .zero)
  #expect(tree.text("iio:device4", "trigger/current_trigger") == "bmi160-dev4")
  #expect(sensor.facts.contains { $0.name == "trigger" && $0.value == "bmi160-dev4" })
  sensor.stop()
  try tree.set("iio:device4", "trigger/current_trigger", "mpu6050-dev0")
  try sensor.start(in: try EventLoop(clock: MachineClock()), at: .zero)
  #expect(tree.text("iio:device4", "trigger/current_trigger") == "mpu6050-dev0", "a choice that was made stays")
  sensor.stop()
}

@Test func theListingTellsWhatIIODevicesMeasure() throws {
  let tree = try MadeIIOTree()
  try tree.add(0, name: "bmi160", channels: sixAxes, scales: [:])
  try tree.add(1, name: "hts221", channels: [("temp", "le:s16/16>>0")], scales: [:])
  let found = InertialSensorListing.industrialIO(root: tree.root)
  #expect(found.map(\.name) == ["bmi160", "hts221"])
  #expect(found.map(\.kinds) == [["accelerometer", "gyroscope"], []])
  #expect(InertialSensorListing.industrialIO(root: "/nowhere").isEmpty)
}

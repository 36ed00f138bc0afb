import Foundation
import Quantities
import Testing

@testable import LinuxDevices

/// Devices of industrial I/O as the kernel shows them.
private final class MadeDevices {
  let folder: Folder
  init() throws { folder = try Folder() }

  func set(_ device: String, _ attributes: [String: String]) throws {
    let path = "\(folder.path)/sys/bus/iio/devices/\(device)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in attributes {
      try (text + "\n").write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }
  }

  func remove(_ device: String) throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/sys/bus/iio/devices/\(device)")
  }

  var barometers: [IndustrialIOFiles] { Barometer.all(root: folder.path) }
}

@Suite struct BarometerTests {
  @Test func thePressureIsInKilopascalsWithAndWithoutAScale() throws {
    let made = try MadeDevices()
    try made.set("iio:device0", ["name": "mpu6050", "in_accel_x_raw": "3"])
    #expect(made.barometers.isEmpty)
    try made.set("iio:device1", ["name": "bmp280", "in_pressure_input": "101.324999"])
    try made.set(
      "iio:device2", ["name": "lps22hb", "in_pressure_raw": "4150000", "in_pressure_scale": "0.000024414"])
    try made.set(
      "iio:device3", ["name": "hp206c", "in_pressure_raw": "90000", "in_pressure_offset": "1", "scale": "0.001"])
    #expect(made.barometers.map(\.name) == ["bmp280", "lps22hb", "hp206c"])
    #expect(made.barometers.map(\.pascals) == [101_325, 101_318, 90_001])
    for text in ["", "x", "nan", "inf"] {
      try made.set("iio:device1", ["in_pressure_input": text])
      #expect(made.barometers.map(\.name) == ["lps22hb", "hp206c"], "\(text)")
    }
  }

  @Test func aBarometerIsReadAtTheStartAndAtEachInterval() throws {
    let made = try MadeDevices()
    try made.set("iio:device1", ["name": "bmp280", "in_pressure_input": "101.325"])
    let sensor = PolledSensor(Barometer(root: made.folder.path), every: .seconds(5))
    var readings: [PressureReading] = []
    sensor.sink = { if case .reading(.pressure(let reading)) = $0 { readings.append(reading) } }
    let loop = try EventLoop(clock: MachineClock())
    let start = Instant.seconds(1000)
    try sensor.start(in: loop, at: start)
    #expect(readings.map(\.pascals) == [101_325] && sensor.nextDeadline == start + .seconds(5))
    #expect(sensor.name == "barometer bmp280" && sensor.facts.map(\.value) == ["1013.25 hPa"])
    sensor.advance(to: start + .seconds(5) - Interval(microseconds: 1))
    #expect(readings.count == 1)
    try made.set("iio:device1", ["in_pressure_input": "99.5"])
    sensor.advance(to: start + .seconds(5))
    #expect(readings.count == 2 && readings[1].pascals == 99_500 && readings[1].time == start + .seconds(5))
    // What no barometer can measure is no reading, and it is asked again.
    try made.set("iio:device1", ["in_pressure_input": "0"])
    sensor.advance(to: start + .seconds(10))
    #expect(readings.count == 2 && sensor.failure == nil && sensor.nextDeadline == start + .seconds(15))
    try made.remove("iio:device1")
    sensor.advance(to: start + .seconds(15))
    #expect(sensor.failure != nil && sensor.nextDeadline == nil)
    try made.set("iio:device1", ["name": "bmp280", "in_pressure_input": "99.5"])
    try sensor.start(in: loop, at: start + .seconds(16))
    #expect(readings.count == 3 && sensor.failure == nil)
    sensor.stop()
    #expect(sensor.nextDeadline == nil)
  }

  @Test func aBarometerThatIsNotThereIsAFailureWithTheNamesOfOthers() throws {
    let made = try MadeDevices()
    let loop = try EventLoop(clock: MachineClock())
    func failure(_ name: String?) -> String {
      let sensor = PolledSensor(Barometer(device: name, root: made.folder.path), every: .seconds(5))
      do throws(DeviceFailure) { try sensor.start(in: loop, at: .zero) } catch { return error.message }
      sensor.stop()
      return ""
    }
    #expect(failure(nil).contains("the kernel reports none"), "\(failure(nil))")
    try made.set("iio:device4", ["name": "bmp280", "in_pressure_input": "101.325"])
    #expect(failure(nil).isEmpty && failure("bmp280").isEmpty && failure("iio:device4").isEmpty)
    #expect(failure("bmp388").contains("bmp388") && failure("bmp388").contains("there are: bmp280"))
  }
}

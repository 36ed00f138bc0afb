import Foundation
import Quantities
import Recording
import Testing
import TrackerRuntime

@testable import LeashTool

/// A sensor at 100 Hz that is turned about its z axis and back, at up to 3 rad/s, and tells no more than 2 rad/s and 15 m/s².
private func samples(_ count: Int) -> [InertialSample] {
  (0..<count).map { index in
    let seconds = Double(index) / 100
    func noise(_ axis: Int) -> Float { Float((index * 7919 + axis * 6) % 17 - 8) * 0.0005 }
    let rate = index < 200 ? 0 : Float(3 * sin((seconds - 2) * 2))
    let angle = index < 200 ? 0 : 1.5 * (1 - cos((seconds - 2) * 2))
    let blow: Float = index % 100 == 50 ? 15 : 0.1
    return InertialSample(
      time: .milliseconds(index * 10), angularRate: Vector3(noise(0), noise(1), min(max(rate, -2), 2) + noise(2)),
      specificForce: Vector3(noise(3), blow + noise(4), 9.8 + noise(5)),
      magneticFluxDensity: Vector3(Float(20 * sin(angle)), Float(20 * cos(angle)), -40 + noise(6)))
  }
}

private func csv(_ samples: [InertialSample]) -> String {
  var text = "t_s,gx,gy,gz,ax,ay,az,mx,my,mz\n"
  for sample in samples {
    let vectors = [sample.angularRate, sample.specificForce, sample.magneticFluxDensity].compactMap { $0 }
    let numbers = vectors.flatMap { [$0.x, $0.y, $0.z] }.map { "\($0)" }.joined(separator: ",")
    text += "\(sample.time.secondsDouble),\(numbers)\n"
  }
  return text
}

/// How many of them are at 99 % of these ends, or beyond.
private func clipped(_ samples: [InertialSample], rate: Float, force: Float) -> Int {
  func largest(_ vector: Vector3?) -> Float { vector.map { max(abs($0.x), abs($0.y), abs($0.z)) } ?? 0 }
  return samples.count {
    largest($0.angularRate) >= 0.99 * rate || largest($0.specificForce) >= 0.99 * force
  }
}

private func yaw(_ line: String) throws -> Double { try #require(Double(line.split(separator: ",")[7])) }

@Suite struct FuseSensorTests {
  @Test(arguments: [[], ["--offline"]]) func aClippedRecordingIsToldWithTheCount(more: [String]) throws {
    let folder = try TemporaryFolder()
    let samples = samples(1000)
    let input = try folder.file("imu.csv", csv(samples))
    func fuse(_ arguments: String...) -> ToolRun { ToolRun(["fuse", input, "--output", "-"] + arguments + more) }
    let unknown = fuse()
    #expect(unknown.code == .success && !unknown.err.contains("range"), "\(unknown.err)")
    let ends = fuse("--set", "sensor.angularRateRange=2", "--set", "sensor.specificForceRange=15")
    let count = clipped(samples, rate: 2, force: 15)
    #expect(ends.code == .success && count > 100 && ends.lines.count == 1001)
    #expect(ends.err.contains("\(count) samples at the end of the sensor's range: trusted less"), "\(ends.err)")
    let force = fuse("--set", "sensor.specificForceRange=15")
    #expect(force.err.contains("10 samples at the end of the sensor's range"), "\(force.err)")
    // The part's largest ranges are far above.
    #expect(!fuse("--part", "mpu6050").err.contains("range"))
    let won = fuse("--part", "mpu6050", "--set", "sensor.angularRateRange=2", "--set", "sensor.specificForceRange=0")
    let rates = clipped(samples, rate: 2, force: .infinity)
    #expect(rates < count && won.err.contains("\(rates) samples at the end"), "\(won.err)")
  }

  @Test func theLatencyOfThePartCarriesTheAttitudeForwardAndASettingTakesPrecedence() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", csv(samples(420)))
    func last(_ arguments: String...) throws -> Double {
      let run = ToolRun(["fuse", input, "--mode", "6d", "--output", "-"] + arguments)
      #expect(run.code == .success && run.err.isEmpty, "\(run.err)")
      return try yaw(try #require(run.lines.last))
    }
    // It turns by nearly −2 rad/s at the end.
    let none = try last()
    let rate = try (last("--set", "sensor.latency=0.01") - none) / 0.01
    #expect((-120 ... -100).contains(rate), "\(rate) °/s")
    for (arguments, latency) in [
      (["--part", "mpu6050"], 0.0048), (["--part", "MPU-9250", "--rate", "200"], 0.0039), (["--part", "bmi160"], 0),
      (["--part", "mpu6050", "--set", "sensor.latency=0.002"], 0.002),
      (["--part", "mpu6050", "--set", "sensor.latency=0"], 0),
    ] {
      let run = ToolRun(["fuse", input, "--mode", "6d", "--output", "-"] + arguments)
      let ahead = try yaw(try #require(run.lines.last)) - none
      #expect(abs(ahead - rate * latency) < 0.002, "\(arguments): \(ahead)°")
    }
  }

  @Test func theDeclinationTurnsNorthAndNoiseIsUsed() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", csv(samples(420)))
    func last(_ arguments: String...) throws -> [Double] {
      let run = ToolRun(["fuse", input, "--output", "-"] + arguments)
      #expect(run.code == .success, "\(run.err)")
      return try #require(run.lines.last).split(separator: ",").compactMap { Double($0) }
    }
    let magnetic = try last()
    let turned = try last("--set", "sensor.magneticDeclination=0.1")[7] - magnetic[7]
    #expect(abs(turned + 0.1 * 180 / .pi) < 0.01, "\(turned)°")
    // The deviation of the tilt follows both noises.
    let tilt = 15
    #expect(try last("--set", "sensor.angularRateNoise=0.01")[tilt] > 1.2 * magnetic[tilt])
    #expect(try last("--set", "sensor.specificForceNoise=1")[tilt] > 1.2 * magnetic[tilt])
  }

  @Test func aLogTellsWhatItsBoardKnewAboutTheSensor() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ride.leash")
    var configuration = RunConfiguration()
    configuration.tracker.sensor.angularRateRange = 2
    configuration.tracker.sensor.latency = .milliseconds(10)
    let writer = try LeashLogWriter(path: path)
    try writer.append(configuration: Array(configuration.text.utf8).span)
    let samples = samples(420)
    for sample in samples { try writer.append(sample) }
    try writer.close()
    let told = ToolRun("fuse", path, "--mode", "6d", "--output", "-")
    let count = clipped(samples, rate: 2, force: .infinity)
    #expect(told.err.contains("\(count) samples at the end of the sensor's range"), "\(told.err)")
    let plain = ToolRun(
      "fuse", path, "--mode", "6d", "--output", "-", "--set", "sensor.latency=0", "--set", "sensor.angularRateRange=0")
    #expect(plain.err.isEmpty, "\(plain.err)")
    let ahead = try yaw(try #require(told.lines.last)) - yaw(try #require(plain.lines.last))
    #expect((-1.3 ... -0.9).contains(ahead), "\(ahead)°")
    // A part takes the place of what the log tells of its own, and of that alone.
    let part = ToolRun("fuse", path, "--mode", "6d", "--output", "-", "--part", "bmi160")
    #expect(part.err.isEmpty && part.lines.last == plain.lines.last, "\(part.err)")
    configuration.tracker.sensor.magneticDeclination = 0.5
    let turned = folder.path("turned.leash")
    let other = try LeashLogWriter(path: turned)
    try other.append(configuration: Array(configuration.text.utf8).span)
    for sample in samples { try other.append(sample) }
    try other.close()
    let north = try yaw(try #require(ToolRun("fuse", path, "--output", "-", "--part", "bmi160").lines.last))
    let east = try yaw(try #require(ToolRun("fuse", turned, "--output", "-", "--part", "bmi160").lines.last))
    #expect(abs(north - east - 28.648) < 0.01, "\(north)°, \(east)°")
  }

  @Test func aReplayTellsWhatWasClipped() throws {
    let folder = try TemporaryFolder()
    let samples = samples(1000)
    let input = try folder.file("imu.csv", csv(samples))
    let run = ToolRun("replay", "--set", "sensor.angularRateRange=2", "--set", "sensor.specificForceRange=15", input)
    let count = clipped(samples, rate: 2, force: 15)
    #expect(
      run.code == .success && run.out.contains("\(count) inertial samples at the end of the sensor's range"),
      "\(run.out)")
    #expect(!ToolRun("replay", input).out.contains("clipped"))
    let wrong = ToolRun("replay", "--set", "sensor.latency=1", input)
    #expect(wrong.code == .usage && wrong.err.contains("sensor.latency: expected seconds from 0 to 0.1; found '1'"))
  }
}

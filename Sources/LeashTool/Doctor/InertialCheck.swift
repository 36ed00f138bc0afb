import LinuxDevices
import LinuxRuntime
import Quantities

extension DoctorCheck {
  /// What there is of inertial sensors, and what the configured one measures.
  static let inertial = DoctorCheck(name: "imu", limit: .seconds(15)) { patient in
    var findings = listing(patient)
    guard let configuration = patient.configuration, configuration.imu != .none else {
      if patient.configuration != nil {
        findings.append(
          .warn("imu", "none is configured: only positions show movement", advice: "set 'imu': docs/board.md"))
      }
      return findings
    }
    if case .running(let status) = patient.tracker,
      let device = status.sensors.first(where: { $0.name.hasPrefix("imu") })
    {
      return findings + [told("imu", device)]
    }
    // A part on a bus can be started by two programs, which would spoil both.
    if patient.tracker.isThere { return findings + [unasked("imu", patient)] }
    var alone = configuration
    alone.gnss = .none
    alone.modem = nil
    alone.uplinks = []
    do throws(DeviceFailure) {
      guard let sensor = try patient.machine.sensor(alone) else { return findings }
      let trial = SensorTrial(sensor, for: .seconds(8)) { inputs in
        guard case .inertial(let first)? = inputs.first, case .inertial(let last)? = inputs.last else { return false }
        return last.time - first.time >= .seconds(2)
      }
      if let failure = trial.failure {
        return findings + [.fail("imu", line: failure, otherwise: advice(configuration.imu))]
      }
      var samples: [InertialSample] = []
      for case .inertial(let sample) in trial.inputs { samples.append(sample) }
      let facts = trial.facts.prefix(3).map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      return findings
        + InertialVerdict(samples).findings(name: sensor.name, facts: facts, wanted: hertz(of: configuration.imu))
    } catch {
      return findings + [.fail("imu", line: error.message, otherwise: advice(configuration.imu))]
    }
  }

  private static func listing(_ patient: DoctorCase) -> [Finding] {
    var findings: [Finding] = []
    for device in patient.machine.industrialIO() where !device.kinds.isEmpty {
      findings.append(.ok("imu", "\(device.node) \(device.name): \(device.kinds.joined(separator: ", "))"))
    }
    // Reading who is there would fall between the transfers of the tracker.
    guard !patient.tracker.isThere else { return findings }
    for bus in patient.machine.buses() {
      if let problem = bus.problem {
        findings.append(.warn("imu", problem, advice: "ls -l \(bus.path); groups"))
      }
      for part in bus.parts {
        findings.append(.ok("imu", "\(bus.path) 0x\(String(part.address, radix: 16)): \(part.text)"))
      }
    }
    if findings.isEmpty, patient.configuration == nil {
      findings.append(
        .ok(
          "imu", "no inertial sensor of the kernel, and none on an I²C bus; I²C is switched on by 'sudo raspi-config'"))
    }
    return findings
  }

  private static func advice(_ settings: InertialSourceSettings) -> String? {
    switch settings {
    case .i2c: "sudo raspi-config nonint do_i2c 0; then check wiring and address: i2cdetect -y 1"
    case .iio: "ls /sys/bus/iio/devices; check the dtoverlay line in /boot/firmware/config.txt"
    case .witMotion: "check cable and supply: ls -l /dev/serial/by-id"
    case .none: nil
    }
  }

  private static func hertz(of settings: InertialSourceSettings) -> Double? {
    switch settings {
    case .iio(_, _, let hertz, _, _), .i2c(_, _, _, let hertz, _, _, _): hertz
    case .none, .witMotion: nil
    }
  }
}

/// What two seconds of an inertial sensor say about it.
struct InertialVerdict {
  /// Samples per second.
  private(set) var hertz = 0.0
  /// Length of the mean specific force, m/s².
  private(set) var specificForce: Double?
  /// Standard deviation of the specific force, all axes together, m/s².
  private(set) var specificForceNoise = 0.0
  /// Length of the mean angular rate, rad/s.
  private(set) var angularRate: Double?
  /// Standard deviation of the angular rate, all axes together, rad/s.
  private(set) var angularRateNoise = 0.0
  private let count: Int

  /// From samples in the order of time.
  init(_ samples: [InertialSample]) {
    count = samples.count
    if let first = samples.first, let last = samples.last, last.time > first.time {
      hertz = Double(samples.count - 1) / (last.time - first.time).secondsDouble
    }
    (specificForce, specificForceNoise) = InertialVerdict.statistics(samples.compactMap(\.specificForce))
    (angularRate, angularRateNoise) = InertialVerdict.statistics(samples.compactMap(\.angularRate))
  }

  private static func statistics(_ values: [Vector3]) -> (mean: Double?, noise: Double) {
    guard !values.isEmpty else { return (nil, 0) }
    let number = Double(values.count)
    var mean = (0.0, 0.0, 0.0)
    for value in values { mean = (mean.0 + Double(value.x), mean.1 + Double(value.y), mean.2 + Double(value.z)) }
    mean = (mean.0 / number, mean.1 / number, mean.2 / number)
    var sum = 0.0
    for value in values {
      let (x, y, z) = (Double(value.x) - mean.0, Double(value.y) - mean.1, Double(value.z) - mean.2)
      sum += x * x + y * y + z * z
    }
    return ((mean.0 * mean.0 + mean.1 * mean.1 + mean.2 * mean.2).squareRoot(), (sum / number).squareRoot())
  }

  /// The judgement.
  ///
  /// The limits are far beyond what parts of this kind do at rest (below 0.05 m/s² and 0.01 rad/s of noise,
  /// below 0.1 rad/s of offset) and below what a hand does.
  func findings(name: String, facts: String, wanted: Double?) -> [Finding] {
    guard count >= 10 else {
      return [
        .fail(
          "imu", "\(name): \(count) samples within 8 s",
          advice: "check wiring and 'imu' in the configuration; sudo dmesg | tail")
      ]
    }
    var text = "\(name): \(TimeText.decimal(hertz, 1)) Hz"
    if let specificForce {
      text += ", |a| \(TimeText.decimal(specificForce, 2)) ± \(TimeText.decimal(specificForceNoise, 3)) m/s²"
    }
    if let angularRate {
      text += ", |ω| \(TimeText.decimal(angularRate, 4)) ± \(TimeText.decimal(angularRateNoise, 4)) rad/s"
    }
    if !facts.isEmpty { text += "; \(facts)" }
    var findings: [Finding] = []
    if let wanted, hertz < wanted * 0.8 {
      findings.append(
        .warn(
          "imu", "\(TimeText.decimal(hertz, 1)) samples a second, \(TimeText.decimal(wanted, 0)) are wanted",
          advice: "choose a rate the part supports, or a faster bus (400 kHz)"))
    }
    if specificForce == nil {
      findings.append(.fail("imu", "no accelerometer", advice: "choose a device that has one"))
    }
    if angularRate == nil {
      findings.append(.warn("imu", "no gyroscope: rotation is not detected", advice: "choose a device that has one"))
    }
    let isMoving = specificForceNoise > 0.5 || angularRateNoise > 0.05
    if specificForce != nil, specificForceNoise == 0, angularRateNoise == 0 {
      findings.append(
        .fail("imu", "the values never change: the part is stuck", advice: "switch its supply off for a second"))
    } else if isMoving {
      findings.append(
        .warn(
          "imu", "it is moving, so its offsets are not checked", advice: "keep it still and repeat: leash doctor"
        ))
    } else {
      if let force = specificForce, abs(force - 9.80665) > 2 {
        findings.append(
          .fail("imu", "|a| should be about 9.8 m/s² at rest", advice: "check the part's name and range in 'imu'"))
      } else if let force = specificForce, abs(force - 9.80665) > 0.35 {
        findings.append(
          .warn(
            "imu", "|a| is off by \(TimeText.decimal(force - 9.80665, 2)) m/s²",
            advice: "leash calibrate accelerometer --help"))
      }
      if let rate = angularRate, rate > 0.2 {
        findings.append(
          .warn(
            "imu", "the gyroscope shows at rest \(TimeText.decimal(rate, 3)) rad/s",
            advice: "keep it still until it is warm, and repeat: leash doctor"))
      }
    }
    let worst = findings.contains { $0.state == .fail } ? Finding.State.fail : .ok
    // The numbers come first: they are what the judgement is about.
    return [Finding(name: "imu", state: worst == .fail ? .fail : .ok, found: text)] + findings
  }
}

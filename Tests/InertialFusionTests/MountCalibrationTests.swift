import InertialFusion
import Quantities
import Recording
import TestSupport
import Testing
import VehicleSimulation

private let degree = Float.pi / 180

/// The inputs of a ride as a calibration takes them.
private struct Ride {
  enum Input {
    case sample(InertialSample)
    case fix(GNSSFix)
  }
  var inputs: [Input] = []

  /// A ride that follows a recorded track, on a simulated bicycle with a sensor at an angle.
  init(simulated seed: UInt64, bodyFromSensor: Quaternion, seconds: Double = 900, from start: Double = 600) throws {
    var model = SensorModel.seatTubeMPU6050
    model.bodyFromSensor = bodyFromSensor
    var synthesizer = RideSynthesizer(seed: seed, hertz: 50, sensor: model)
    let file = #filePath.replacing("Tests/InertialFusionTests/MountCalibrationTests.swift", with: "")
    for fix in try recordedFixes(file + "fixtures/rides/ardennes_edge1000_gnss.csv.gz") {
      let time = fix.time.secondsDouble
      guard time >= start else { continue }
      guard time < start + seconds else { break }
      synthesizer.receive(fix)
      while let sample = synthesizer.next() { inputs.append(.sample(sample)) }
      // Samples lag the fixes; each fix is put where it belongs when all are there.
      inputs.append(.fix(fix))
    }
    synthesizer.finish()
    while let sample = synthesizer.next() { inputs.append(.sample(sample)) }
    sort()
  }

  /// A recorded ride.
  init?(recorded name: String, speeds: String?) throws {
    guard let folder = recordedDataFolder("rides") else { return nil }
    inputs = try recordedSamples("\(folder)/\(name).csv.gz").map { .sample($0) }
    if let speeds { inputs += try Ride.speeds("\(folder)/\(speeds).csv.gz").map { .fix($0) } }
    sort()
  }

  /// Fixes of a receiver, or of a wheel sensor, which has no position and is no recording of its own.
  private static func speeds(_ path: String) throws -> [GNSSFix] {
    guard path.contains("_wheel") else { return try recordedFixes(path) }
    let source = try ByteSource(path: path)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    try bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      while count < buffer.count {
        let more = try source.read(into: base + count, capacity: buffer.count - count)
        if more == 0 { break }
        count += more
      }
    }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
      let cells = line.split(separator: ",").compactMap { Double($0) }
      guard cells.count >= 2 else { return nil }
      var fix = GNSSFix(time: Instant(microseconds: Int64(cells[0] * 1e6)))
      fix.speed = cells[1]
      return fix
    }
  }

  private mutating func sort() {
    func key(_ input: Input) -> (Int64, Int) {
      switch input {
      case .sample(let sample): (sample.time.microseconds, 0)
      case .fix(let fix): (fix.time.microseconds, 1)
      }
    }
    inputs.sort { key($0) < key($1) }
  }

  /// The same ride with the sensor turned in its mount, from a time on.
  func turned(_ rotation: Quaternion, from start: Instant = .zero) -> Ride {
    var result = self
    result.inputs = inputs.map { input in
      guard case .sample(var sample) = input, sample.time >= start else { return input }
      sample.angularRate = sample.angularRate.map(rotation.rotate)
      sample.specificForce = sample.specificForce.map(rotation.rotate)
      return .sample(sample)
    }
    return result
  }

  func calibrated(
    hasSpeed: Bool = true, parameters: MountParameters = MountParameters()
  ) -> MountCalibration {
    var calibration = MountCalibration(parameters: parameters)
    for input in inputs {
      switch input {
      case .sample(let sample): calibration.process(sample)
      case .fix(let fix): if hasSpeed { calibration.process(fix) }
      }
    }
    return calibration
  }
}

/// Error of forward about up, and of up, rad.
private func errors(_ estimate: MountEstimate, bodyFromSensor truth: Quaternion) -> (forward: Float, up: Float) {
  func angle(_ axis: Vector3) -> Float {
    let a = estimate.bodyFromSensor.conjugate.rotate(axis)
    let b = truth.conjugate.rotate(axis)
    return Elementary.atan2(a.cross(b).length, a.dot(b))
  }
  return (angle(Vector3(1, 0, 0)), angle(Vector3(0, 0, 1)))
}

private func randomRotation(_ seed: UInt64) -> Quaternion {
  var random = TestSupport.SeededRandom(seed: seed)
  return Quaternion(
    w: Float(random.normal()), x: Float(random.normal()), y: Float(random.normal()), z: Float(random.normal())
  ).normalized
}

/// Error of the direction about the vertical, rad.
private func turnError(_ estimate: MountEstimate, bodyFromSensor truth: Quaternion) -> Float {
  let forward = estimate.bodyFromSensor.rotate(truth.conjugate.rotate(Vector3(1, 0, 0)))
  return abs(Elementary.atan2(forward.y, forward.x))
}

@Test func aSimulatedRideShowsTheMountingOrSaysThatItDoesNot() throws {
  var reliable = (speed: 0, none: 0)
  for seed in UInt64(1)...8 {
    let truth = randomRotation(seed)
    let ride = try Ride(simulated: seed, bodyFromSensor: truth)
    for hasSpeed in [true, false] {
      let calibration = ride.calibrated(hasSpeed: hasSpeed)
      let estimate = calibration.estimate
      #expect(calibration.hasSpeed == hasSpeed && calibration.remountCount == 0)
      #expect(!estimate.cornering.isUsed)
      // Reliable or not, what is said to be known is known so well.
      guard estimate.forwardDeviation < 0.25 else { continue }
      let error = errors(estimate, bodyFromSensor: truth)
      let turn = turnError(estimate, bodyFromSensor: truth)
      #expect(turn < 2.5 * estimate.forwardDeviation, "\(seed) \(hasSpeed): \(turn / degree)°")
      #expect(error.up < 2.5 * estimate.upDeviation, "\(seed) \(hasSpeed): \(error.up / degree)°")
      guard estimate.isReliable else { continue }
      #expect(estimate.lean.isUsed && turn < 15 * degree)
      if hasSpeed { reliable.speed += 1 } else { reliable.none += 1 }
    }
  }
  #expect(reliable.speed >= 3 && reliable.none >= 3, "\(reliable)")
}

/// Recorded rides, forward in the sensor frame as their provenance states it, and how exactly it does.
private let recordedRides: [(name: String, speeds: String, forward: Vector3, within: Float)] = [
  ("car_dresden_1_imu", "car_dresden_1_gnss", Vector3(1, 0, 0), 5),
  ("car_rtk_drive_imu", "car_rtk_drive_gnss", Vector3(-1, 0, 0), 8),
  ("bike_campus_laps_2_imu", "bike_campus_laps_2_wheel", Vector3(0, -0.28, 0.96), 5),
  ("bike_campus_laps_2_imu2", "bike_campus_laps_2_wheel", Vector3(0, -0.28, 0.96), 5),
]

/// What the parts of a ride show differs by more than chance makes likely: refused, though the mean is right.
private func isRefused(_ name: String, hasSpeed: Bool) -> Bool {
  name == "car_dresden_1_imu" && hasSpeed || name == "car_rtk_drive_imu" && !hasSpeed
}

@Test(arguments: recordedRides.indices)
func aRecordedRideShowsTheMountingItsProvenanceStates(place: Int) throws {
  let known = recordedRides[place]
  guard let ride = try Ride(recorded: known.name, speeds: known.speeds) else { return }
  for hasSpeed in [true, false] {
    let calibration = ride.calibrated(hasSpeed: hasSpeed)
    let estimate = calibration.estimate
    #expect(estimate.isReliable != isRefused(known.name, hasSpeed: hasSpeed), "\(known.name) \(hasSpeed)")
    #expect(calibration.remountCount == 0)
    #expect(estimate.lean.isUsed == known.name.hasPrefix("bike"))
    #expect(estimate.cornering.isUsed == known.name.hasPrefix("car"))
    let level = try #require((known.forward - estimate.up * known.forward.dot(estimate.up)).normalized)
    let body = estimate.bodyFromSensor.rotate(level)
    let error = Elementary.atan2(body.y, body.x)
    #expect(abs(error) < known.within * degree, "\(known.name) \(hasSpeed): \(error / degree)°")
    #expect(estimate.bodyFromSensor.rotate(estimate.up).z > 0.999)
  }
}

@Test func turningTheSensorTurnsTheAnswer() throws {
  guard let ride = try Ride(recorded: "motorbike_dresden_imu", speeds: "motorbike_dresden_gnss") else { return }
  let plain = ride.calibrated().estimate
  #expect(plain.isReliable)
  for seed in UInt64(1)...6 {
    let turn = randomRotation(seed)
    let turned = ride.turned(turn).calibrated().estimate
    let error = errors(turned, bodyFromSensor: plain.bodyFromSensor * turn.conjugate)
    #expect(error.forward < 0.05 * degree && error.up < 0.05 * degree, "\(error.forward / degree)°")
    #expect(abs(turned.forwardDeviation - plain.forwardDeviation) < 0.02 * plain.forwardDeviation)
  }
}

@Test func aSensorTurnedDuringTheRideIsNeverReliablyWrong() throws {
  var noticed = (tipped: 0, reversed: 0)
  let seeds = UInt64(31)...36
  for seed in seeds {
    let truth = randomRotation(seed)
    let ride = try Ride(simulated: seed, bodyFromSensor: truth, seconds: 1500)
    let start = Instant.seconds(600 + 750)
    func turned(_ v: Vector3) -> (MountCalibration, truth: Quaternion) {
      let turn = Quaternion(rotationVector: truth.conjugate.rotate(v))
      return (ride.turned(turn, from: start).calibrated(), truth * turn.conjugate)
    }
    // Tipped over; turned back to front and across about the vertical, which gravity does not show.
    for (place, v) in [Vector3(1.2, 0, 0), Vector3(0, 0, 3), Vector3(0, 0, 1.6)].enumerated() {
      let (calibration, now) = turned(v)
      let estimate = calibration.estimate
      if place == 0, calibration.remountCount > 0 { noticed.tipped += 1 }
      if place == 1, calibration.remountCount > 0 { noticed.reversed += 1 }
      guard estimate.isReliable else { continue }
      let error = errors(estimate, bodyFromSensor: now)
      #expect(error.forward < 20 * degree && error.up < 5 * degree, "\(seed) \(place): \(error.forward / degree)°")
    }
    // A turn within the limit is not a new mounting.
    #expect(turned(Vector3(0.1, 0, 0)).0.remountCount == 0, "\(seed)")
  }
  #expect(noticed.tipped == seeds.count && noticed.reversed >= 3, "\(noticed)")
}

/// Turns and tips by less than makes a new mounting, half and four fifths through the ride: averaged in, they look as
/// certain as any.
@Test func aSensorTurnedALittleIsSeldomReliablyWrong() throws {
  var (turned, tipped, wrong, tiltWrong, still, reliable) = (0, 0, 0, 0, 0, 0)
  for seed in UInt64(61)...64 {
    let truth = randomRotation(seed)
    let ride = try Ride(simulated: seed, bodyFromSensor: truth, seconds: 1500)
    let hasSpeed = seed % 2 == 0
    still += 1
    if ride.calibrated(hasSpeed: hasSpeed).estimate.isReliable { reliable += 1 }
    for share in [0.5, 0.8] {
      for v in [Vector3(0, 0, 25), Vector3(0, 0, 35), Vector3(0, 0, -45), Vector3(12, 0, 0), Vector3(0, 20, 0)] {
        let turn = Quaternion(rotationVector: truth.conjugate.rotate(v * degree))
        let start = Instant.seconds(600 + Int(1500 * share))
        let estimate = ride.turned(turn, from: start).calibrated(hasSpeed: hasSpeed).estimate
        if v.z == 0 { tipped += 1 } else { turned += 1 }
        guard estimate.isReliable else { continue }
        let error = errors(estimate, bodyFromSensor: truth * turn.conjugate)
        if v.z != 0, error.forward > 15 * degree { wrong += 1 }
        if v.z == 0, error.up > 6 * degree { tiltWrong += 1 }
      }
    }
  }
  print(
    "turned by 25, 35, 45°: \(wrong) of \(turned) reliably wrong by more than 15°; tipped by 12, 20°: \(tiltWrong) of \(tipped) "
      + "by more than 6°; reliable where nothing was turned: \(reliable) of \(still)")
  #expect(wrong <= turned / 8, "\(wrong) of \(turned)")
  #expect(tiltWrong == 0, "\(tiltWrong) of \(tipped)")
  #expect(reliable >= still / 2, "\(reliable) of \(still)")
}

@Test func aTurnedSensorIsFoundAgainOnARecordedRide() throws {
  guard let ride = try Ride(recorded: "bike_campus_laps_2_imu2", speeds: "bike_campus_laps_2_wheel") else { return }
  let plain = ride.calibrated().estimate
  guard case .sample(let first)? = ride.inputs.first(where: { if case .sample = $0 { true } else { false } }) else {
    return
  }
  let tipped = Quaternion(rotationVector: Vector3(0, 1.2, 0.9))
  let calibration = ride.turned(tipped, from: first.time + .seconds(300)).calibrated()
  #expect(calibration.remountCount >= 1 && calibration.estimate.isReliable)
  let error = errors(calibration.estimate, bodyFromSensor: plain.bodyFromSensor * tipped.conjugate)
  #expect(error.forward < 8 * degree && error.up < 3 * degree, "\(error.forward / degree)° \(error.up / degree)°")
}

/// A vehicle on a straight level road.
private func straightRide(
  seconds: Int, speed: (Double) -> Double, acceleration: (Double) -> Float
) -> MountCalibration {
  var random = TestSupport.SeededRandom(seed: 41)
  var calibration = MountCalibration()
  for step in 0..<seconds * 25 {
    let time = Double(step) / 25
    let instant = Instant.milliseconds(40 * step)
    calibration.process(
      InertialSample(
        time: instant, angularRate: random.vector(deviation: 0.02),
        specificForce: Vector3(acceleration(time), 0, 9.8) + random.vector(deviation: 0.5)))
    if step % 25 == 0 {
      var fix = GNSSFix(time: instant)
      fix.speed = speed(time)
      calibration.process(fix)
    }
  }
  return calibration
}

@Test func aRideThatShowsNothingSaysWhatIsMissing() {
  let steady = straightRide(seconds: 200, speed: { _ in 6 }, acceleration: { _ in 0 })
  #expect(steady.estimate.obstacle == .forwardUnknown)
  #expect(steady.estimate.bodyFromSensor == .identity)
  let slow = straightRide(seconds: 200, speed: { _ in 1.9 }, acceleration: { _ in 0 })
  #expect(slow.estimate.obstacle == .tooLittleRiding)
  #expect(MountCalibration().estimate.obstacle == .tooLittleRiding)
  #expect(!MountCalibration().estimate.isReliable)
}

@Test func speedingUpAndBrakingAloneAreEnoughAfterAMinute() {
  // A sawtooth of ±1 m/s² between 4 and 14 m/s.
  func ride(_ seconds: Int) -> MountEstimate {
    straightRide(
      seconds: seconds,
      speed: { time in
        let phase = time.truncatingRemainder(dividingBy: 20)
        return phase < 10 ? 4 + phase : 24 - phase
      }, acceleration: { $0.truncatingRemainder(dividingBy: 20) < 10 ? 1 : -1 }
    ).estimate
  }
  #expect(ride(50).obstacle == .tooLittleRiding)
  let estimate = ride(120)
  #expect(estimate.isReliable && estimate.uncertaintyRatio < 1)
  #expect(estimate.acceleration.isUsed && !estimate.cornering.isUsed && !estimate.lean.isUsed)
  let error = errors(estimate, bodyFromSensor: .identity)
  #expect(error.forward < 3 * degree && error.up < 1 * degree)
}

@Test func poorFixesAndImpossibleSpeedsAreNotUsed() {
  var calibration = MountCalibration()
  for (speed, accuracy) in [(Double.nan, 1.0), (-1, 1), (250, 1), (5, 31), (5, Double.nan)] {
    var fix = GNSSFix(time: .seconds(1))
    fix.speed = speed
    fix.horizontalAccuracy = accuracy
    calibration.process(fix)
  }
  #expect(!calibration.hasSpeed)
  var fix = GNSSFix(time: .seconds(1))
  fix.speed = 5
  fix.horizontalAccuracy = 29
  calibration.process(fix)
  #expect(calibration.hasSpeed)
}

@Test func parkedAndHandledIsNoRide() throws {
  guard let folder = recordedDataFolder("rides") else { return }
  for name in ["bike_still_15min_imu", "bike_tilt_by_hand_imu", "still_mpu6050_11min_imu", "leaning_by_hand_1_imu"] {
    var calibration = MountCalibration()
    for sample in try recordedSamples("\(folder)/\(name).csv.gz") { calibration.process(sample) }
    #expect(!calibration.estimate.isReliable, "\(name)")
  }
}

@Test func hostileSamplesNeverGiveANumberThatIsNone() {
  var random = TestSupport.SeededRandom(seed: 43)
  let odd: [Float] = [.nan, .infinity, -.infinity, 0, 1e30, -0.0, 3999, .leastNonzeroMagnitude]
  var calibration = MountCalibration()
  var rejected: UInt32 = 0
  for step in 0..<40_000 {
    let isOdd = random.oneIn(5)
    func value() -> Float { isOdd && random.oneIn(2) ? odd[Int(random.next() % 8)] : Float(random.normal()) * 10 }
    let time = random.oneIn(50) ? Instant.zero : Instant.milliseconds(step * 20 + (random.oneIn(1000) ? 100_000 : 0))
    calibration.process(
      InertialSample(
        time: time, angularRate: random.oneIn(4) ? nil : Vector3(value(), value(), value()),
        specificForce: random.oneIn(9) ? nil : Vector3(value(), value(), value())))
    if random.oneIn(40) {
      var fix = GNSSFix(time: time)
      fix.speed = Double(value())
      fix.horizontalAccuracy = Double(value())
      calibration.process(fix)
    }
    guard step % 100 == 0 else { continue }
    let estimate = calibration.estimate
    let q = estimate.bodyFromSensor
    #expect(abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-4)
    #expect(!estimate.uncertaintyRatio.isNaN && !estimate.forwardDeviation.isNaN && !estimate.upDeviation.isNaN)
    rejected = calibration.rejectedSamples
  }
  #expect(rejected > 1000)
}

@Test func theCalibrationsStaySmall() {
  #expect(MemoryLayout<MountCalibration>.size <= 1376)
  #expect(MemoryLayout<AccelerometerCalibrator>.size <= 616)
}

import InertialFusion
import Quantities
import TestSupport
import Testing

/// An accelerometer with errors that lies in one pose after the other and is carried about in between.
private struct Bench: ~Copyable {
  var offset = Vector3(0.25, -0.18, 0.35)
  var scale = Vector3(1.02, 0.985, 0.99)
  var noise: Float = 0.04
  var gravity = Gravity.standard
  var time = Instant.zero
  var random: SeededRandom
  var calibrator: AccelerometerCalibrator

  init(seed: UInt64, parameters: AccelerometerParameters = AccelerometerParameters()) {
    random = SeededRandom(seed: seed)
    calibrator = AccelerometerCalibrator(parameters: parameters)
  }

  /// What the sensor reads: scale and offset of the calibration undone.
  func reading(_ force: Vector3) -> Vector3 {
    Vector3(force.x / scale.x, force.y / scale.y, force.z / scale.z) + offset
  }

  mutating func feed(_ force: Vector3, rate: Vector3 = .zero) {
    calibrator.process(
      InertialSample(
        time: time, angularRate: rate + random.vector(deviation: 0.004) + Vector3(0.08, -0.01, 0.02),
        specificForce: reading(force) + random.vector(deviation: noise)))
    time = time + .milliseconds(20)
  }

  /// Lies still with `up` upwards.
  mutating func lie(_ up: Vector3, seconds: Double = 5, pushed push: Vector3 = .zero) {
    let force = (up.normalized ?? up) * gravity + push
    for _ in 0..<Int(seconds * 50) { feed(force) }
  }

  /// Is carried to another place for two seconds.
  mutating func carry() {
    for _ in 0..<100 {
      feed(Vector3(0, 0, 9.8) + random.vector(deviation: 3), rate: random.vector(deviation: 1))
    }
  }

  mutating func visit(_ poses: [Vector3], tilt: Float = 0) {
    for pose in poses {
      lie(pose + random.vector(deviation: tilt))
      carry()
    }
    calibrator.finish()
  }
}

private let axes: [(axis: SensorAxis, up: Vector3)] = [
  (.plusX, Vector3(1, 0, 0)), (.minusX, Vector3(-1, 0, 0)), (.plusY, Vector3(0, 1, 0)), (.minusY, Vector3(0, -1, 0)),
  (.plusZ, Vector3(0, 0, 1)), (.minusZ, Vector3(0, 0, -1)),
]

private func largest(_ v: Vector3) -> Float { max(abs(v.x), max(abs(v.y), abs(v.z))) }

@Test func sixPosesGiveOffsetAndScale() {
  var bench = Bench(seed: 1)
  bench.visit(axes.map(\.up))
  let solution = bench.calibrator.solution
  #expect(solution.outcome == .solved)
  #expect(solution.poseCount == 6)
  #expect(largest(solution.offset - bench.offset) < 0.01)
  #expect(largest(solution.scale - bench.scale) < 0.001)
  #expect(solution.residualBefore > 0.2)
  #expect(solution.residual < 0.005)
  // 0.02 m/s² of a pose's length, two poses on each axis.
  #expect(abs(solution.offsetDeviation.x - 0.0141) < 0.001)
  #expect(abs(solution.scaleDeviation.x - 0.00144) < 0.0001)
  let calibrated = solution.applied(to: InertialCalibration()).apply(
    to: InertialSample(time: .zero, specificForce: bench.reading(Vector3(6, 7, 3))))
  #expect(largest((calibrated.specificForce ?? .zero) - Vector3(6, 7, 3)) < 0.02)
}

@Test func errorsStayWithinWhatIsStatedForPosesByHand() {
  var worst: Float = 0
  for seed in 1...40 {
    var bench = Bench(seed: UInt64(seed))
    bench.offset = bench.random.vector(deviation: 0.3)
    bench.scale = Vector3(1, 1, 1) + bench.random.vector(deviation: 0.02)
    bench.visit(axes.map(\.up), tilt: 0.25)
    let solution = bench.calibrator.solution
    guard solution.outcome == .solved else { continue }
    for (error, deviation) in [
      (solution.offset.x - bench.offset.x, solution.offsetDeviation.x),
      (solution.offset.y - bench.offset.y, solution.offsetDeviation.y),
      (solution.scale.z - bench.scale.z, solution.scaleDeviation.z),
    ] {
      worst = max(worst, abs(error) / deviation)
    }
  }
  #expect(worst > 0 && worst < 4, "\(worst)")
}

@Test(arguments: axes.indices)
func aMissingPoseIsNamedAndNothingIsChanged(left out: Int) {
  var bench = Bench(seed: 3)
  var poses = axes.map(\.up)
  poses.remove(at: out)
  // Others as often as one likes do not make up for it.
  poses += [Vector3(0.3, 0.2, 1), Vector3(-0.2, 0.3, 1), Vector3(0.2, -0.3, -1)].filter { $0.dot(axes[out].up) < 0.5 }
  bench.visit(poses)
  let solution = bench.calibrator.solution
  #expect(solution.outcome == .posesMissing)
  for (axis, _) in axes { #expect(solution.coverage.isMissing(axis) == (axis == axes[out].axis)) }
  #expect(solution.offset == .zero && solution.scale == Vector3(1, 1, 1))
  #expect(solution.applied(to: InertialCalibration()) == InertialCalibration())
}

@Test func posesThatCannotTellTheAxesApartAreRefused() {
  // On the corners of a cube the three factors act alike.
  var bench = Bench(seed: 5)
  var corners: [Vector3] = []
  for corner in 0..<8 {
    corners.append(Vector3(corner & 1 == 0 ? 1 : -1, corner & 2 == 0 ? 1 : -1, corner & 4 == 0 ? 1 : -1))
  }
  bench.visit(corners)
  #expect(bench.calibrator.solution.poseCount == 8)
  #expect(bench.calibrator.solution.outcome == .posesMissing)
  #expect(axes.allSatisfy { bench.calibrator.solution.coverage.isMissing($0.axis) })
  // With the axes besides, all is well.
  bench.visit(axes.map(\.up))
  #expect(bench.calibrator.solution.outcome == .solved)
}

@Test func randomPosesAreSolvedWellOrRefused() {
  var solved = 0
  for seed in 1...200 {
    var random = SeededRandom(seed: UInt64(seed))
    var calibrator = AccelerometerCalibrator()
    let offset = random.vector(deviation: 0.3)
    let scale = Vector3(1, 1, 1) + random.vector(deviation: 0.02)
    for _ in 0..<(4 + seed % 8) {
      guard let up = random.vector(deviation: 1).normalized else { continue }
      let force = up * (Gravity.standard + Float(random.normal()) * 0.02)
      calibrator.add(
        StillPose(
          specificForce: Vector3(force.x / scale.x, force.y / scale.y, force.z / scale.z) + offset, seconds: 3))
    }
    let solution = calibrator.solution
    guard solution.outcome == .solved else { continue }
    solved += 1
    #expect(solution.uncertaintyRatio < 1)
    #expect(largest(solution.offset - offset) < 4 * AccelerometerParameters().offsetLimit, "seed \(seed)")
    #expect(largest(solution.scale - scale) < 4 * AccelerometerParameters().scaleLimit, "seed \(seed)")
  }
  #expect(solved > 30 && solved < 190, "\(solved)")
}

@Test func aPoseThatWasNotStillIsNoticed() {
  var bench = Bench(seed: 7)
  bench.visit(axes.map(\.up) + [Vector3(1, 1, 0), Vector3(0, 1, 1)])
  #expect(bench.calibrator.solution.outcome == .solved)
  // In a lift that speeds up, say.
  bench.lie(Vector3(1, 0, -1), pushed: Vector3(0.5, 0, -0.5))
  bench.calibrator.finish()
  let solution = bench.calibrator.solution
  #expect(solution.outcome == .inconsistent)
  #expect(solution.offset == .zero)
}

@Test func theRightGravityMatters() {
  var parameters = AccelerometerParameters()
  parameters.gravity = Gravity.normal(latitude: 0)
  var bench = Bench(seed: 8, parameters: parameters)
  bench.gravity = parameters.gravity
  bench.visit(axes.map(\.up))
  #expect(largest(bench.calibrator.solution.scale - bench.scale) < 0.001)
}

@Test func normalGravityIsThatOfTheEllipsoid() {
  // Tabulated values of WGS-84.
  #expect(abs(Gravity.normal(latitude: 0) - 9.780_325) < 2e-6)
  #expect(abs(Gravity.normal(latitude: .pi / 4) - 9.806_198) < 2e-6)
  #expect(abs(Gravity.normal(latitude: -.pi / 2) - 9.832_185) < 2e-6)
  #expect(abs(Gravity.normal(latitude: .pi / 4, height: 1000) - 9.803_113) < 5e-5)
}

@Test func errorsNoPartHasAreRefused() {
  var bench = Bench(seed: 9)
  bench.scale = Vector3(1.02, 1.25, 0.99)
  bench.visit(axes.map(\.up))
  #expect(bench.calibrator.solution.outcome == .implausible)
  var wrongUnit = Bench(seed: 9)
  wrongUnit.gravity = 1
  wrongUnit.visit(axes.map(\.up))
  #expect(wrongUnit.calibrator.poses.count == 0)
  #expect(wrongUnit.calibrator.implausiblePoses == 6)
}

@Test func aPoseNeedsItsTimeItsQuietAndItsPlace() {
  func poses(_ body: (inout Bench) -> Void) -> Int {
    var bench = Bench(seed: 11)
    bench.noise = 0.01
    body(&bench)
    bench.calibrator.finish()
    return bench.calibrator.poses.count
  }
  // Two seconds and a window before and after.
  #expect(poses { $0.lie(Vector3(0, 0, 1), seconds: 2.8) } == 0)
  #expect(poses { $0.lie(Vector3(0, 0, 1), seconds: 3.8) } == 1)
  // Scatter on both sides of 0.15 m/s² per axis.
  func shaken(_ noise: Float) -> Int {
    poses {
      $0.noise = noise
      $0.lie(Vector3(0, 0, 1))
    }
  }
  #expect(shaken(0.1) == 1)
  #expect(shaken(0.25) == 0)
  // Two degrees apart is one pose, five are two; in between there must be movement or a jump.
  func apart(_ degrees: Float) -> Int {
    poses {
      $0.lie(Vector3(0, 0, 1))
      $0.lie(Vector3(Elementary.sin(degrees * .pi / 180), 0, Elementary.cos(degrees * .pi / 180)))
    }
  }
  #expect(apart(2) == 1)
  #expect(apart(5) == 2)
  // A slow turn of three degrees a second is no pose.
  #expect(
    poses { bench in
      for step in 0..<500 {
        let angle = Float(step) * 0.02 * 3 * .pi / 180
        bench.feed(Vector3(Elementary.sin(angle), 0, Elementary.cos(angle)) * 9.80665)
      }
    } == 0)
  // A break in the recording ends a pose.
  #expect(
    poses {
      $0.lie(Vector3(0, 0, 1), seconds: 2.5)
      $0.time = $0.time + .seconds(5)
      $0.lie(Vector3(0, 0, 1), seconds: 2.5)
    } == 0)
}

@Test func damagedSamplesAreCountedAndChangeNothing() {
  var clean = Bench(seed: 13)
  clean.visit(axes.map(\.up))
  var damaged = Bench(seed: 13)
  for (place, pose) in axes.enumerated() {
    damaged.lie(pose.up + damaged.random.vector(deviation: 0))
    damaged.calibrator.process(InertialSample(time: damaged.time, specificForce: Vector3(.nan, 0, 0)))
    damaged.calibrator.process(InertialSample(time: damaged.time, specificForce: Vector3(0, .infinity, 0)))
    damaged.calibrator.process(InertialSample(time: .zero, specificForce: Vector3(0, 0, 99)))
    damaged.calibrator.process(InertialSample(time: damaged.time, angularRate: .zero))
    damaged.carry()
    #expect(damaged.calibrator.rejectedSamples == UInt32(4 * (place + 1)))
  }
  damaged.calibrator.finish()
  #expect(damaged.calibrator.solution == clean.calibrator.solution)
}

@Test func thePosesKeepTheirSpreadWhenThereAreTooMany() {
  var random = SeededRandom(seed: 17)
  var calibrator = AccelerometerCalibrator()
  // Hundreds about one direction first.
  for _ in 0..<300 {
    if let up = (Vector3(0, 0, 1) + random.vector(deviation: 0.2)).normalized {
      calibrator.add(StillPose(specificForce: up * 9.8, seconds: 2))
    }
  }
  #expect(calibrator.poses.count == 24)
  #expect(calibrator.thinnedPoses > 0)
  for (_, up) in axes { calibrator.add(StillPose(specificForce: up * 9.8, seconds: 2)) }
  #expect(calibrator.solution.outcome == .solved)
}

@Test func noLaboratoryTrialHasEnoughPoses() throws {
  guard let folder = recordedDataFolder("broad") else { return }
  for name in fileNames(in: folder, endingWith: ".csv.gz").prefix(3) {
    var calibrator = AccelerometerCalibrator()
    for sample in try recordedSamples(folder + "/" + name) { calibrator.process(sample) }
    calibrator.finish()
    // It begins and ends at rest on the table, and turns or moves in between.
    #expect(calibrator.poses.count == 1, "\(name)")
    #expect(calibrator.solution.outcome == .posesMissing)
    #expect(!calibrator.solution.coverage.isMissing(.plusZ) && calibrator.solution.coverage.isMissing(.minusZ))
  }
}

@Test func aBikeTiltedByHandHasThreePosesAndNoCalibration() throws {
  guard let folder = recordedDataFolder("rides") else { return }
  for sensor in ["imu", "imu2"] {
    var calibrator = AccelerometerCalibrator()
    for sample in try recordedSamples("\(folder)/bike_tilt_by_hand_\(sensor).csv.gz") { calibrator.process(sample) }
    calibrator.finish()
    #expect(calibrator.poses.count == 3, "\(sensor)")
    #expect(calibrator.solution.outcome == .posesMissing)
  }
}

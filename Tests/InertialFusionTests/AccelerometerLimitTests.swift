import Glibc
import Quantities
import Testing

@testable import InertialFusion

/// A finder that is fed window by window, 25 samples in half a second, whose content is exact.
private struct Table {
  var finder: StillPoseFinder
  var time = Instant.zero
  var found: [StillPose] = []

  init(_ change: (inout StillPoseParameters) -> Void = { _ in }) {
    var parameters = StillPoseParameters()
    change(&parameters)
    finder = StillPoseFinder(parameters: parameters)
  }

  mutating func take(_ sample: InertialSample) { if let pose = finder.process(sample) { found.append(pose) } }

  /// Windows whose values alternate about a mean.
  mutating func lie(
    windows: Int, force: Vector3 = Vector3(0, 0, 9.8), forceSwing: Float = 0, rateSwing: Float = 0, hasRate: Bool = true
  ) {
    for index in 0..<25 * windows {
      let swing = Vector3(1, 1, 1) * (index % 2 == 0 ? 1 : -1)
      take(
        InertialSample(
          time: time, angularRate: hasRate ? Vector3(0.1, 0, 0) + swing * rateSwing : nil,
          specificForce: force + swing * forceSwing))
      time = time + .milliseconds(20)
    }
  }

  mutating func end() -> [StillPose] {
    if let pose = finder.finish() { found.append(pose) }
    return found
  }
}

/// Both sides of each limit of the accelerometer's calibration.
@Suite struct AccelerometerLimitTests {
  @Test func theDefaultsAreThoseOfTheManual() {
    let still = StillPoseParameters()
    #expect(still.window == .milliseconds(500) && still.minimumSeconds == 2 && still.specificForceScatter == 0.15)
    #expect(still.angularRateScatter == 0.03 && still.drift == 0.12)
    let p = AccelerometerParameters()
    #expect(p.gravity == 9.80665 && p.still == still && p.poseDeviation == 0.02 && p.offsetLimit == 0.05)
    #expect(p.scaleLimit == 0.005 && p.residualLimit == 0.1)
  }

  /// The first window and the last of a stretch do not count; what is left must last.
  @Test func aPoseLastsWithoutItsFirstAndItsLastWindow() {
    for (windows, seconds) in [(4, nil), (5, nil), (6, Float(2)), (9, 3.5)] as [(Int, Float?)] {
      var table = Table()
      table.lie(windows: windows)
      // The 26th sample closes the first window of half a second.
      table.lie(windows: 1)
      let poses = table.end()
      #expect(poses.count == (seconds == nil ? 0 : 1), "\(windows): \(poses)")
      if let pose = poses.first, let seconds {
        #expect(abs(pose.seconds - seconds) < 0.03, "\(pose.seconds)")
        #expect((pose.specificForce - Vector3(0, 0, 9.8)).length < 1e-4)
      }
    }
    for (minimum, isPose) in [(Float(1.9), true), (2.1, false)] {
      var table = Table { $0.minimumSeconds = minimum }
      table.lie(windows: 7)
      #expect((table.end().count == 1) == isPose)
    }
  }

  @Test(arguments: [250, 500, 1000])
  func aWindowIsAsLongAsStatedAndHoldsFourSamples(milliseconds: Int) {
    func seconds(of samples: Int, every step: Int) -> Float {
      var table = Table {
        $0.window = .milliseconds(milliseconds)
        $0.minimumSeconds = 0.1
      }
      for index in 0..<samples {
        table.take(InertialSample(time: .milliseconds(step * index), specificForce: Vector3(0, 0, 9.8)))
      }
      return table.end().first?.seconds ?? 0
    }
    // Of three windows the one in the middle.
    let perWindow = milliseconds / 50
    #expect(abs(seconds(of: 3 * perWindow + 1, every: 50) - Float(milliseconds) / 1000) < 0.001)
    #expect(seconds(of: 3 * perWindow, every: 50) == 0)
    // A slow sensor gets longer ones.
    #expect(abs(seconds(of: 13, every: 900) - (milliseconds == 1000 ? 3.6 : 3.6)) < 0.95)
  }

  @Test func scatterAndDriftHaveTheirLimits() {
    func isPose(_ change: (inout StillPoseParameters) -> Void = { _ in }, _ body: (inout Table) -> Void) -> Bool {
      var table = Table(change)
      body(&table)
      return !table.end().isEmpty
    }
    // Values that alternate scatter by a fiftieth more than their amplitude.
    #expect(isPose { $0.lie(windows: 8, forceSwing: 0.145) } && !isPose { $0.lie(windows: 8, forceSwing: 0.15) })
    #expect(isPose { $0.lie(windows: 8, rateSwing: 0.029) } && !isPose { $0.lie(windows: 8, rateSwing: 0.0305) })
    #expect(isPose({ $0.specificForceScatter = 0.3 }) { $0.lie(windows: 8, forceSwing: 0.28) })
    #expect(isPose({ $0.angularRateScatter = 0.06 }) { $0.lie(windows: 8, rateSwing: 0.05) })
    #expect(isPose { $0.lie(windows: 8, hasRate: false) })
    /// Two stretches of 2.5 s, the second so far from the first: one pose or none.
    func isOne(_ distance: Float) -> Bool {
      isPose {
        $0.lie(windows: 4)
        $0.lie(windows: 5, force: Vector3(distance, 0, 9.8))
      }
    }
    #expect(isOne(0.115) && !isOne(0.13))
    #expect(
      isPose({ $0.drift = 0.3 }) { table in
        table.lie(windows: 4)
        table.lie(windows: 5, force: Vector3(0.28, 0, 9.8))
      })
  }

  @Test func aBreakOfMoreThanASecondEndsAPose() {
    for (milliseconds, isEnd) in [(1000, false), (1001, true)] {
      var table = Table()
      table.lie(windows: 7)
      table.time = table.time - .milliseconds(20) + .milliseconds(milliseconds)
      table.take(InertialSample(time: table.time, angularRate: .zero, specificForce: Vector3(0, 0, 9.8)))
      #expect((table.found.count == 1) == isEnd)
    }
    // After its end it begins anew, with nothing of before; the clock may begin anew, too.
    var table = Table()
    table.lie(windows: 7)
    #expect(table.end().count == 1)
    table.time = .zero
    table.lie(windows: 7, force: Vector3(9.8, 0, 0))
    let poses = table.end()
    #expect(poses.count == 2 && table.finder.rejectedSamples == 0)
    #expect(poses.last.map { ($0.specificForce - Vector3(9.8, 0, 0)).length < 1e-4 } == true)
  }

  @Test func whatIsNoSampleIsCounted() {
    var table = Table()
    table.take(InertialSample(time: .milliseconds(5), angularRate: .zero))
    table.take(
      InertialSample(time: .milliseconds(5), angularRate: Vector3(.nan, 0, 0), specificForce: Vector3(0, 0, 9.8)))
    table.take(InertialSample(time: .milliseconds(5), specificForce: Vector3(0, .infinity, 9.8)))
    table.take(InertialSample(time: .milliseconds(5), specificForce: Vector3(0, 4000, 0)))
    #expect(table.finder.rejectedSamples == 4)
    table.take(InertialSample(time: .milliseconds(5), specificForce: Vector3(0, 3999, 0)))
    #expect(table.finder.rejectedSamples == 4)
    table.take(InertialSample(time: .milliseconds(5), specificForce: Vector3(0, 0, 9.8)))
    table.take(InertialSample(time: .milliseconds(4), specificForce: Vector3(0, 0, 9.8)))
    #expect(table.finder.rejectedSamples == 6)
  }

  private static let axes = [
    Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1), Vector3(0, 0, -1),
  ]

  private func solution(
    offset: Vector3 = Vector3(0.1, -0.2, 0.15), scale: Vector3 = Vector3(1.01, 0.99, 1.02), extra: [Vector3] = [],
    _ change: (inout AccelerometerParameters) -> Void = { _ in }
  ) -> AccelerometerSolution {
    var parameters = AccelerometerParameters()
    change(&parameters)
    var calibrator = AccelerometerCalibrator(parameters: parameters)
    for force in Self.axes.map({ $0 * parameters.gravity }) + extra {
      calibrator.add(
        StillPose(
          specificForce: Vector3(force.x / scale.x, force.y / scale.y, force.z / scale.z) + offset, seconds: 3))
    }
    return calibrator.solution
  }

  @Test func theUncertaintyHasItsLimits() {
    // Two poses on an axis, each good to 0.02 m/s².
    let plain = solution()
    #expect(plain.outcome == .solved && plain.poseCount == 6)
    let deviations = (offset: Float(0.02) / Float(2).squareRoot(), scale: 0.02 / Float(2).squareRoot() / 9.80665)
    #expect(abs(plain.offsetDeviation.y / deviations.offset - 1) < 0.05)
    #expect(abs(plain.scaleDeviation.z / deviations.scale - 1) < 0.05)
    #expect(abs(plain.uncertaintyRatio - max(deviations.offset / 0.05, deviations.scale / 0.005)) < 0.02)
    let double = solution { $0.poseDeviation = 0.04 }
    #expect(abs(double.offsetDeviation.x / plain.offsetDeviation.x - 2) < 0.001)
    #expect(abs(double.scaleDeviation.x / plain.scaleDeviation.x - 2) < 0.001)
    let worst = max(plain.offsetDeviation.x, max(plain.offsetDeviation.y, plain.offsetDeviation.z))
    #expect(solution { $0.offsetLimit = worst * 1.04 }.outcome == .solved)
    #expect(solution { $0.offsetLimit = worst * 0.96 }.outcome != .solved)
    let widest = max(plain.scaleDeviation.x, max(plain.scaleDeviation.y, plain.scaleDeviation.z))
    #expect(solution { $0.scaleLimit = widest * 1.04 }.outcome == .solved)
    #expect(solution { $0.scaleLimit = widest * 0.96 }.outcome != .solved)
    // The largest against its limit says how far it is from being refused.
    #expect(abs(solution { $0.offsetLimit = worst * 2 }.uncertaintyRatio - 0.5) < 0.02)
  }

  @Test func whatIsLeftInThePosesHasItsLimit() {
    let odd = [Vector3(1, 1, 1.4), Vector3(-1, 1, -1)].map { $0 * (9.80665 * 1.003 / $0.length) }
    let found = solution(extra: odd) { $0.residualLimit = 9 }
    #expect(found.outcome == .solved && found.residual > 0.004 && found.residual < found.residualBefore)
    // What the poses show of themselves counts where it is more than is assumed: eight poses, six unknowns.
    let shown = found.residual * Float(8.0 / 2).squareRoot()
    let plain = solution(extra: odd) {
      $0.residualLimit = 9
      $0.poseDeviation = 2 * shown
    }
    #expect(abs(plain.offsetDeviation.x / found.offsetDeviation.x - 2) < 0.01)
    #expect(solution(extra: odd) { $0.residualLimit = found.residual * 1.01 }.outcome == .solved)
    let refused = solution(extra: odd) { $0.residualLimit = found.residual * 0.99 }
    #expect(refused.outcome == .inconsistent && refused.offset == .zero && refused.scale == Vector3(1, 1, 1))
    #expect(refused.offsetDeviation == .zero && refused.scaleDeviation == .zero && refused.residual == found.residual)
  }

  @Test func errorsBeyondThoseOfPartsAreRefused() {
    for (offset, outcome) in [(Float(1.67), AccelerometerOutcome.solved), (1.78, .implausible)] {
      #expect(solution(offset: Vector3(offset, -offset, offset)) { $0.offsetLimit = 0.5 }.outcome == outcome)
    }
    for (scale, outcome) in [
      (Float(1.19), AccelerometerOutcome.solved), (1.21, .implausible), (0.81, .solved), (0.79, .implausible),
    ] {
      for place in 0..<3 {
        var scales = Vector3(1, 1, 1)
        if place == 0 { scales.x = scale } else if place == 1 { scales.y = scale } else { scales.z = scale }
        #expect(solution(offset: .zero, scale: scales).outcome == outcome, "\(scales)")
      }
    }
  }

  @Test func posesAreJoinedLeftOutOrThinnedByTheirDistance() {
    var calibrator = AccelerometerCalibrator()
    calibrator.add(StillPose(specificForce: Vector3(0, 0, 9.8), seconds: 2))
    calibrator.add(StillPose(specificForce: Vector3(0.49, 0, 9.8), seconds: 6))
    #expect(calibrator.poses.count == 1 && calibrator.poses[0].seconds == 8)
    #expect(abs(calibrator.poses[0].specificForce.x - 0.49 * 0.75) < 1e-5)
    calibrator.add(StillPose(specificForce: Vector3(0.49 * 0.75 + 0.51, 0, 9.8), seconds: 6))
    #expect(calibrator.poses.count == 2 && calibrator.implausiblePoses == 0)
    for (length, isPlausible) in [(Float(0.699), false), (0.701, true), (1.299, true), (1.301, false)] {
      var calibrator = AccelerometerCalibrator()
      calibrator.add(StillPose(specificForce: Vector3(0, 9.80665 * length, 0), seconds: 2))
      #expect(calibrator.poses.count == (isPlausible ? 1 : 0) && calibrator.implausiblePoses == (isPlausible ? 0 : 1))
    }
    calibrator.add(StillPose(specificForce: Vector3(0, 0, -9.8), seconds: 0))
    calibrator.add(StillPose(specificForce: Vector3(.nan, 0, -9.8), seconds: 5))
    #expect(calibrator.implausiblePoses == 2 && calibrator.poses.count == 2)
    // 24 about a circle; the two that are nearest are thinned, the shorter goes, be it the earlier or the later.
    for shorter in [11, 12] {
      var full = AccelerometerCalibrator()
      func onCircle(_ degrees: Float) -> Vector3 {
        Vector3(9.8 * Elementary.cos(degrees * .pi / 180), 9.8 * Elementary.sin(degrees * .pi / 180), 0)
      }
      for place in 0..<24 {
        let degrees = Float(place) * 15 - (place == 12 ? 5 : 0)
        full.add(StillPose(specificForce: onCircle(degrees), seconds: place == shorter ? 2 : 3))
      }
      #expect(full.poses.count == 24 && full.thinnedPoses == 0)
      // Nearer than those two are to each other: left out. Farther: in place of the shorter one of them.
      full.add(StillPose(specificForce: onCircle(5), seconds: 9))
      #expect(full.thinnedPoses == 1 && !(0..<24).contains { full.poses[$0].seconds == 9 })
      full.add(StillPose(specificForce: Vector3(0, 0, 9.8), seconds: 9))
      #expect(full.thinnedPoses == 2 && full.poses.count == 24)
      #expect((0..<24).filter { full.poses[$0].seconds == 9 }.count == 1)
      #expect(!(0..<24).contains { full.poses[$0].seconds == 2 })
    }
  }

  @Test func anAxisIsCoveredFromThirtySevenDegreesOn() {
    for (degrees, isMissing) in [(Float(36), false), (38, true)] {
      for (place, axis) in [SensorAxis.plusX, .plusY, .plusZ, .minusX, .minusY, .minusZ].enumerated() {
        var calibrator = AccelerometerCalibrator()
        let cosine = Elementary.cos(degrees * .pi / 180) * (place < 3 ? 1 : -1)
        let side = Elementary.sin(degrees * .pi / 180) * Float(0.5).squareRoot()
        let ups = [Vector3(cosine, side, side), Vector3(side, cosine, side), Vector3(side, side, cosine)]
        calibrator.add(StillPose(specificForce: ups[place % 3] * 9.8, seconds: 3))
        let solution = calibrator.solution
        #expect(solution.coverage.isMissing(axis) == isMissing && abs(solution.coverage[axis] - abs(cosine)) < 1e-5)
        #expect(solution.outcome == .posesMissing && solution.poseCount == 1 && solution.uncertaintyRatio == .infinity)
        #expect(SensorAxis.allCases.filter { !solution.coverage.isMissing($0) }.count == (isMissing ? 0 : 1))
      }
    }
  }
}

/// Where the sensor's axes point, each of the 24 ways, against products of matrices.
@Suite struct MountingTests {
  @Test func eachAxisIsItsOwnComponent() {
    let v = Vector3(1, 2, 3)
    let components = SensorAxis.allCases.map { $0.component(of: v) }
    #expect(SensorAxis.allCases.count == 6)
    #expect(components == [1, 2, 3, -1, -2, -3])
    for forward in SensorAxis.allCases {
      for left in SensorAxis.allCases {
        for up in SensorAxis.allCases {
          let f = forward.component(of: Vector3(1, 2, 4))
          let l = left.component(of: Vector3(1, 2, 4))
          let u = up.component(of: Vector3(1, 2, 4))
          let remap = AxisRemap(forward: forward, left: left, up: up)
          // The determinant of the three rows.
          func row(_ a: SensorAxis) -> Vector3 {
            Vector3(
              a.component(of: Vector3(1, 0, 0)), a.component(of: Vector3(0, 1, 0)), a.component(of: Vector3(0, 0, 1)))
          }
          let determinant = row(forward).cross(row(left)).dot(row(up))
          #expect((remap != nil) == (determinant == 1))
          guard let remap else { continue }
          #expect(remap.body(fromSensor: Vector3(1, 2, 4)) == Vector3(f, l, u))
          #expect(remap.forward == forward && remap.left == left && remap.up == up)
          #expect(Mounting.axes(remap).body(fromSensor: Vector3(1, 2, 4)) == Vector3(f, l, u))
        }
      }
    }
  }

  @Test func aRotationIsTakenAsItIsScaledOrRefused() throws {
    let unit = Quaternion(rotationVector: Vector3(0.3, -0.5, 0.7)).normalized
    func scaled(_ s: Float) -> Quaternion { Quaternion(w: unit.w * s, x: unit.x * s, y: unit.y * s, z: unit.z * s) }
    let exact = try #require(Mounting(bodyFromSensor: unit))
    #expect(exact == .rotation(unit))
    #expect(exact.body(fromSensor: Vector3(1, 2, 3)) == unit.rotate(Vector3(1, 2, 3)))
    // Within 1 % of unit norm it was typed with few digits.
    for s: Float in [0.9902, 0.999, 1.001, 1.0098] {
      guard case .rotation(let q)? = Mounting(bodyFromSensor: scaled(s)) else {
        Issue.record("\(s) is refused")
        continue
      }
      #expect(q == scaled(s).normalized && q != scaled(s))
    }
    for s: Float in [0, 0.5, 0.9898, 1.0101, 2, .nan, .infinity] { #expect(Mounting(bodyFromSensor: scaled(s)) == nil) }
    #expect(Mounting.identity.body(fromSensor: Vector3(1, 2, 3)) == Vector3(1, 2, 3))
  }

  @Test func gravityIsThatOfThePlaceAndTheHeight() {
    #expect(Gravity.standard == 9.80665)
    for (degrees, height) in [(0.0, 0.0), (30, 500), (-47.5, 2000), (60, 8848), (90, -400)] {
      // Somigliana's formula and its height correction in double precision.
      let s = sin(degrees * .pi / 180)
      let onGround = 9.7803253359 * (1 + 0.00193185265241 * s * s) / (1 - 0.00669437999013 * s * s).squareRoot()
      let (a, f, m) = (6_378_137.0, 1 / 298.257223563, 0.00344978650684)
      let wanted = onGround * (1 - 2 / a * (1 + f + m - 2 * f * s * s) * height + 3 * height * height / (a * a))
      let found = Gravity.normal(latitude: Float(degrees * .pi / 180), height: Float(height))
      #expect(
        abs(Double(found) - wanted) < 1.5e-4 * (1 + height / 10000), "\(degrees)° \(height) m: \(found), \(wanted)")
    }
  }
}

import Glibc
import Quantities
import Testing

@testable import InertialFusion

private let up = Vector3(0, 0, 9.80665)
private let field = Vector3(20, 0, -40)
private let degree = Float.pi / 180

/// A filter with perfect readings, a hundred in a second.
private struct Steady {
  var filter: LiteAttitudeFilter

  init(_ change: (inout LiteParameters) -> Void = { _ in }) {
    var parameters = LiteParameters()
    change(&parameters)
    filter = LiteAttitudeFilter(parameters: parameters)
  }

  mutating func run(
    _ seconds: Double, rate: Vector3 = .zero, force: Vector3 = up, field: Vector3? = field
  ) {
    for _ in 0..<Int((seconds * 100).rounded()) { take(rate: rate, force: force, field: field) }
  }

  mutating func take(rate: Vector3 = .zero, force: Vector3 = up, field: Vector3? = field) {
    if let field {
      filter.update(
        angularRate: rate, specificForce: force, magneticFluxDensity: field, seconds: filter.isAligned ? 0.01 : 0)
    } else {
      filter.update(angularRate: rate, specificForce: force, seconds: filter.isAligned ? 0.01 : 0)
    }
  }

  /// Heading of the x axis, degrees counterclockwise from east.
  var heading: Float {
    let forward = filter.earthFromBody.rotate(Vector3(1, 0, 0))
    return Elementary.atan2(forward.y, forward.x) / degree
  }

  /// Angle between the force and the vertical, degrees.
  func tilt(_ force: Vector3) -> Float {
    let level = filter.levelFromBody.rotate(force)
    return Elementary.atan2((level.x * level.x + level.y * level.y).squareRoot(), level.z) / degree
  }
}

private func turned(_ v: Vector3, about axis: Vector3, degrees: Float) -> Vector3 {
  Quaternion(rotationVector: axis * (degrees * degree)).rotate(v)
}

/// Both sides of each limit of the lite filter.
@Suite struct LiteLimitTests {
  @Test func theDefaultsAreThoseOfTheManual() {
    let p = LiteParameters()
    #expect(p.correctionInterval == 0.05 && p.tiltTimeConstant == 3 && p.headingTimeConstant == 15)
    #expect(p.fieldStrengthTolerance == 0.15 && p.fieldDipTolerance == 0.12 && p.fieldTimeConstant == 20)
    #expect(p.restRateDeviation == 0.02 && p.restForceDeviation == 0.5 && p.restDwell == 1.5)
    #expect(p.restRelearnDwell == 10 && p.biasStep == 0.02 && p.biasTimeConstant == 20 && p.biasLimit == 0.35)
    #expect(p.longestGap == 1)
  }

  @Test(arguments: [(Float(0.0124), 5), (0.0126, 4), (0.051, 1), (0.026, 2)])
  func aCorrectionFallsWithTheIntervalFilled(seconds: Float, samples: Int) {
    var filter = LiteAttitudeFilter()
    filter.update(angularRate: .zero, specificForce: up, seconds: 0)
    for place in 1...40 {
      filter.update(angularRate: .zero, specificForce: up, seconds: seconds)
      #expect((filter.state.seconds == 0) == (place % samples == 0))
    }
  }

  /// A vertical that the gyroscope has not seen move is followed as by a low-pass of two poles.
  @Test(arguments: [Float(1.5), 3, 6])
  func theTiltFollowsWithItsTimeConstant(constant: Float) {
    var steady = Steady { ($0.tiltTimeConstant, $0.restDwell) = (constant, 1e6) }
    steady.run(Double(3 * constant), field: nil)
    let force = turned(up, about: Vector3(0.6, 0.8, 0), degrees: 4)
    var half: Float = 0
    var least: Float = 0
    var seconds: Float = 0
    while seconds < 4 * constant {
      steady.take(force: force, field: nil)
      seconds += 0.01
      if half == 0, steady.tilt(force) < 2 { half = seconds }
      least = max(least, seconds > 2 * constant ? steady.tilt(force) : 0)
    }
    // Butterworth's answer to a step: half after 1.43 and 4 % over at 4.4 of its corner, which is √2 over the constant.
    #expect(abs(half / constant - 1.43 / 2.0.squareRoot().floatValue) < 0.06, "\(half)")
    #expect(least > 0.1 && least < 0.6, "\(least)°")
  }

  /// At first a plain mean: as much time as the constant itself.
  @Test func theFirstForcesAreAveraged() {
    var steady = Steady { $0.restDwell = 1e6 }
    let one = turned(up, about: Vector3(1, 0, 0), degrees: 2)
    steady.run(1, force: one, field: nil)
    steady.run(1, field: nil)
    // Half of the time on one side, half on the other.
    #expect(abs(steady.tilt(up) - 1) < 0.1, "\(steady.tilt(up))°")
  }

  @Test(arguments: [Float(5), 15])
  func theHeadingFollowsWithItsTimeConstant(constant: Float) {
    var steady = Steady { $0.headingTimeConstant = constant }
    steady.run(Double(2 * constant))
    let before = steady.heading
    let moved = turned(field, about: Vector3(0, 0, 1), degrees: 20)
    steady.run(Double(constant), field: moved)
    #expect(abs(abs(steady.heading - before) / 20 - 0.632) < 0.02, "\(steady.heading - before)°")
    // Until then a plain mean: half of the time each.
    var young = Steady { $0.headingTimeConstant = constant }
    young.run(2)
    let first = young.heading
    young.run(2, field: moved)
    #expect(abs(abs(young.heading - first) - 10) < 0.5, "\(young.heading - first)°")
  }

  /// A tolerance takes three quarters of the weight.
  @Test func aFieldOfAnotherStrengthOrDipWeighsLess() {
    func step(_ change: (inout LiteParameters) -> Void = { _ in }, strength: Float = 1, upward: Float = 0) -> Float {
      var steady = Steady(change)
      steady.run(40)
      let before = steady.heading
      // The same strength, its upward share changed.
      let total = field.length
      let sine = field.z / total + upward
      let level = total * (1 - sine * sine).squareRoot()
      let moved = turned(Vector3(level, 0, total * sine) * strength, about: Vector3(0, 0, 1), degrees: 20)
      steady.run(0.05, field: moved)
      return abs(steady.heading - before)
    }
    let full = step()
    #expect(full > 0.04)
    #expect(abs(step(strength: 1.15) / full - 0.25) < 0.02 && abs(step(strength: 0.85) / full - 0.25) < 0.02)
    #expect(abs(step(upward: 0.12) / full - 0.25) < 0.02 && abs(step(upward: -0.08) / full - 0.48) < 0.03)
    #expect(abs(step({ $0.fieldStrengthTolerance = 0.3 }, strength: 1.15) / full - 0.64) < 0.03)
    #expect(abs(step({ $0.fieldDipTolerance = 0.24 }, upward: 0.12) / full - 0.64) < 0.03)
  }

  @Test(arguments: [Float(10), 20])
  func theExpectedFieldFollowsTheMeasuredOne(constant: Float) {
    var steady = Steady { $0.fieldTimeConstant = constant }
    steady.run(Double(3 * constant))
    #expect(abs(steady.filter.state.fieldStrength - field.length) < 0.01)
    let upward = steady.filter.state.fieldUpward
    #expect(abs(upward - field.z / field.length) < 0.001)
    let moved = Vector3(30, 0, -20)
    steady.run(Double(constant), field: moved)
    #expect(abs((steady.filter.state.fieldStrength - field.length) / (moved.length - field.length) - 0.632) < 0.02)
    #expect(abs((steady.filter.state.fieldUpward - upward) / (moved.z / moved.length - upward) - 0.632) < 0.02)
  }

  /// A change of rate or force against the last half second is movement from its limit on.
  @Test func aChangeBeyondItsLimitEndsRest() {
    func rests(_ rate: Vector3, _ force: Vector3, _ change: (inout LiteParameters) -> Void = { _ in }) -> Bool {
      // Five samples to an interval, the first of all apart.
      var steady = Steady {
        $0.correctionInterval = 0.045
        change(&$0)
      }
      steady.run(4.01)
      #expect(steady.filter.isAtRest && steady.filter.state.seconds == 0)
      steady.run(0.05, rate: rate, force: up + force)
      return steady.filter.isAtRest
    }
    for axis in [Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0.6, 0.8)] {
      #expect(rests(axis * 0.0195, .zero) && !rests(axis * 0.0205, .zero))
      #expect(rests(.zero, axis * 0.49) && !rests(.zero, axis * 0.51))
    }
    #expect(rests(Vector3(0.03, 0, 0), .zero) { $0.restRateDeviation = 0.04 })
    #expect(rests(.zero, Vector3(0.7, 0, 0)) { $0.restForceDeviation = 0.8 })
  }

  @Test(arguments: [Float(1.5), 0.6])
  func restBeginsAfterItsDwell(dwell: Float) {
    var steady = Steady { $0.restDwell = dwell }
    for step in 0..<300 {
      steady.take()
      let seconds = Float(step) * 0.01
      if seconds < dwell - 0.005 { #expect(!steady.filter.isAtRest, "\(seconds)") }
      if seconds > dwell + 0.06 { #expect(steady.filter.isAtRest, "\(seconds)") }
    }
    // Moved once, it waits as long again.
    steady.run(0.05, rate: Vector3(1, 0, 0))
    #expect(!steady.filter.isAtRest)
    steady.run(Double(dwell) + 2)
    #expect(steady.filter.isAtRest)
  }

  @Test func anEvenTurnFasterThanTheLargestBiasIsNone() {
    for (rate, isLearnt) in [(Float(0.34), true), (0.36, false)] {
      var steady = Steady()
      steady.run(30, rate: Vector3(0, 0, rate), field: nil)
      #expect((steady.filter.state.bias.z > 0.1) == isLearnt, "\(steady.filter.state.bias)")
      #expect(!isLearnt || abs(steady.filter.state.bias.z - rate) < 0.001)
    }
  }

  /// A rate near the known bias is followed at once, one that lies far only when it stays.
  @Test func aRateFarFromAKnownBiasMustStay() {
    func bias(_ step: Float, after seconds: Double, _ change: (inout LiteParameters) -> Void = { _ in }) -> Float {
      var steady = Steady(change)
      steady.run(6, field: nil)
      #expect(steady.filter.state.biasSeconds > 4)
      steady.run(seconds, rate: Vector3(step, 0, 0), field: nil)
      return steady.filter.state.bias.x
    }
    // 0.6 s of it are movement: until the mean of half a second has followed.
    #expect(bias(0.0195, after: 3) > 0.002)
    #expect(abs(bias(0.04, after: 9.5)) < 1e-4 && bias(0.04, after: 11.5) > 0.035)
    #expect(bias(0.04, after: 3) { $0.biasStep = 0.05 } > 0.002)
    #expect(bias(0.04, after: 5) { $0.restRelearnDwell = 3 } > 0.035)
    // What was known for less than a second is no ground to wait.
    var young = Steady()
    young.run(2, field: nil)
    #expect(young.filter.state.biasSeconds < 1)
    young.run(3.5, rate: Vector3(0.04, 0, 0), field: nil)
    #expect(young.filter.state.bias.x > 0.03)
  }

  @Test(arguments: [Float(20), 8])
  func theBiasIsAMeanUntilItsTimeConstant(constant: Float) {
    var steady = Steady { $0.biasTimeConstant = constant }
    steady.run(Double(constant) + 4, field: nil)
    #expect(steady.filter.state.biasSeconds == constant)
    steady.run(Double(constant), rate: Vector3(0.015, 0, 0), field: nil)
    #expect(abs(steady.filter.state.bias.x / 0.015 - 0.632) < 0.04, "\(steady.filter.state.bias.x)")
  }

  @Test(arguments: [(Float(0.99), false), (1.01, true), (5000, true)])
  func aPauseOfMoreThanASecondBeginsAnew(seconds: Float, isNew: Bool) {
    var steady = Steady()
    steady.run(5)
    let tilted = turned(up, about: Vector3(1, 0, 0), degrees: 30)
    steady.filter.update(
      angularRate: .zero, specificForce: tilted,
      magneticFluxDensity: turned(field, about: Vector3(1, 0, 0), degrees: 30), seconds: seconds)
    #expect(steady.filter.gapCount == (isNew ? 1 : 0) && (steady.tilt(tilted) < 0.1) == isNew)
    #expect(steady.filter.isAtRest != isNew || !isNew)
    #expect(steady.filter.hasHeading && steady.filter.rejections.total == 0)
    // By the clock of the samples, too; the first sample is no gap.
    var timed = LiteAttitudeFilter()
    for time in [Int64(5_000_000), 5_010_000, 5_010_000 + Int64(Double(seconds) * 1e6)] {
      timed.update(with: InertialSample(time: Instant(microseconds: time), angularRate: .zero, specificForce: up))
    }
    #expect(timed.gapCount == (isNew ? 1 : 0))
  }

  /// What was learnt of a bias is used from the first sample of the next start on.
  @Test func aStoredBiasAndAttitudeAreGoneOnFrom() {
    let level = Quaternion(rotationVector: Vector3(0, 0, 1.2))
    let state = LiteState(bias: Vector3(0.1, 0, 0), levelFromBody: level)
    #expect(state.bias == Vector3(0.1, 0, 0) && !state.isAligned && state.biasSeconds == 0)
    var filter = LiteAttitudeFilter(state: state)
    for step in 0..<50 {
      filter.update(
        with: InertialSample(
          time: .milliseconds(10 * step), angularRate: Vector3(0.1, 0, 0.2), specificForce: up))
    }
    let turn = (level.conjugate * filter.levelFromBody).normalized
    #expect(abs(turn.angle - 0.098) < 0.003 && turn.z > 0.04)
    #expect(LiteState(bias: Vector3(.nan, 0, 0)).bias == .zero)
    #expect(LiteState(levelFromBody: Quaternion(w: 0, x: 0, y: 0, z: 0)).levelFromBody == .identity)
  }
}

extension Double {
  fileprivate var floatValue: Float { Float(self) }
}

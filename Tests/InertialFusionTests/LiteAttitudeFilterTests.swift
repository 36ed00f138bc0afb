import InertialFusion
import Quantities
import TestSupport
import Testing

private let degree = Float.pi / 180

/// The angle between two attitudes, rad.
private func angle(_ a: Quaternion, _ b: Quaternion) -> Float { (a.conjugate * b).normalized.angle }

/// The angle between the verticals of two attitudes, rad.
private func tilt(_ a: Quaternion, _ b: Quaternion) -> Float {
  let up = Vector3(0, 0, 1)
  let u = a.conjugate.rotate(up)
  let v = b.conjugate.rotate(up)
  return Elementary.atan2(u.cross(v).length, u.dot(v))
}

private func randomAttitude(_ random: inout SeededRandom) -> Quaternion {
  Quaternion(
    w: Float(random.normal()), x: Float(random.normal()), y: Float(random.normal()), z: Float(random.normal())
  ).normalized
}

/// A body that turns and shakes in every direction, with truth: rates and forces are means over the time since the sample
/// before, as sensors with a filter of their own give them.
private struct MovingBody {
  var earthFromBody = Quaternion.identity
  var time = 0.0
  var restUntil = 3.0
  var bias = Vector3.zero
  let field = Vector3(0, 18, -44)

  func rate(at t: Double) -> Vector3 {
    guard t > restUntil else { return .zero }
    let s = Float(t - restUntil)
    return Vector3(2 * Elementary.sin(2.1 * s), 1.5 * Elementary.sin(3.3 * s + 1), 1.2 * Elementary.sin(1.3 * s + 2))
  }

  func acceleration(at t: Double) -> Vector3 {
    guard t > restUntil else { return .zero }
    let s = Float(t - restUntil)
    return Vector3(3 * Elementary.sin(5 * s), 2 * Elementary.cos(4 * s), 2 * Elementary.sin(7 * s))
  }

  mutating func next(after seconds: Double) -> InertialSample {
    let steps = max(2, Int(seconds / 0.0005))
    let step = seconds / Double(steps)
    var rateSum = Vector3.zero
    var forceSum = Vector3.zero
    for _ in 0..<steps {
      let rate = rate(at: time + step / 2)
      earthFromBody = earthFromBody * Quaternion(rotationVector: rate * Float(step))
      time += step
      rateSum += rate
      forceSum += earthFromBody.conjugate.rotate(acceleration(at: time) + Vector3(0, 0, 9.81))
    }
    earthFromBody = earthFromBody.normalized
    let share = 1 / Float(steps)
    return InertialSample(
      time: Instant(microseconds: Int64(time * 1e6)), angularRate: rateSum * share + bias,
      specificForce: forceSum * share, magneticFluxDensity: earthFromBody.conjugate.rotate(field))
  }
}

@Suite struct LiteAttitudeFilterTests {
  /// Trials of each kind; the bars stand a tenth over what was measured.
  @Test(arguments: [
    ("03_undisturbed_slow_rotation_C", 2.1, 0.5), ("09_undisturbed_fast_rotation_with_breaks_B", 1.4, 1.0),
    ("15_undisturbed_fast_translation_A", 2.4, 0.55), ("31_disturbed_stationary_magnet_D", 2.9, 1.1),
    ("35_disturbed_attached_magnet_4cm", 1.3, 0.65),
  ])
  func laboratoryTrialsAreFollowed(name: String, totalBar: Double, tiltBar: Double) throws {
    guard let folder = recordedDataFolder("broad"),
      let trial = try LaboratoryTrial(folder + "/" + name + ".csv.gz")
    else { return }
    var filter = LiteAttitudeFilter()
    var score = AttitudeScore()
    for (sample, truth) in zip(trial.samples, trial.truth) {
      filter.update(with: sample)
      if let truth { score.add(filter.earthFromBody, truth: truth) }
    }
    #expect(filter.rejections.total == 0)
    #expect(score.totalDegrees < totalBar)
    #expect(score.tiltDegrees < tiltBar)
  }

  @Test(arguments: [26.0, 50, 100, 208, 400])
  func everyRateIsFollowed(hertz: Double) {
    var body = MovingBody()
    body.bias = Vector3(0.1, -0.12, 0.08)
    var filter = LiteAttitudeFilter()
    var worst: Float = 0
    while body.time < 40 {
      filter.update(with: body.next(after: 1 / hertz))
      guard body.time > 8 else { continue }
      worst = max(worst, angle(filter.earthFromBody, body.earthFromBody))
    }
    #expect(worst < 3 * degree, "\(worst / degree)°")
    #expect((filter.state.bias - body.bias).length < 0.002)
  }

  @Test func irregularSamplesAreWeighedByTheirOwnTime() {
    var random = SeededRandom(seed: 31)
    var body = MovingBody()
    var filter = LiteAttitudeFilter()
    var worst: Float = 0
    while body.time < 40 {
      filter.update(with: body.next(after: 0.002 + 0.03 * random.uniform()))
      guard body.time > 8 else { continue }
      worst = max(worst, angle(filter.earthFromBody, body.earthFromBody))
    }
    #expect(worst < 3 * degree, "\(worst / degree)°")
  }

  @Test func aTurnedSensorGivesATurnedAttitude() {
    var random = SeededRandom(seed: 32)
    for _ in 0..<10 {
      let turn = randomAttitude(&random)
      var body = MovingBody()
      var filter = LiteAttitudeFilter()
      var turned = LiteAttitudeFilter()
      while body.time < 15 {
        let sample = body.next(after: 0.01)
        filter.update(with: sample)
        turned.update(
          with: InertialSample(
            time: sample.time, angularRate: sample.angularRate.map { turn.rotate($0) },
            specificForce: sample.specificForce.map { turn.rotate($0) },
            magneticFluxDensity: sample.magneticFluxDensity.map { turn.rotate($0) }))
        #expect(angle(turned.earthFromBody * turn, filter.earthFromBody) < 0.05 * degree)
        #expect(tilt(turned.levelFromBody * turn, filter.levelFromBody) < 0.05 * degree)
      }
    }
  }

  @Test func aSavedStateGoesOnToTheSameBits() {
    var random = SeededRandom(seed: 33)
    var body = MovingBody()
    var filter = LiteAttitudeFilter()
    for step in 0..<4000 {
      if random.oneIn(50) { filter = LiteAttitudeFilter(parameters: filter.parameters, state: filter.state) }
      filter.update(with: body.next(after: step == 2000 ? 90 : 0.005))
    }
    var again = LiteAttitudeFilter()
    body = MovingBody()
    for step in 0..<4000 { again.update(with: body.next(after: step == 2000 ? 90 : 0.005)) }
    #expect(again.state == filter.state)
    #expect(again.gapCount == 1)
  }

  @Test func bothDoorsGiveTheSameBits() {
    var body = MovingBody()
    var one = LiteAttitudeFilter()
    var other = LiteAttitudeFilter()
    var last: Instant?
    for step in 0..<2000 {
      var sample = body.next(after: 0.005)
      if step % 3 != 0 { sample.magneticFluxDensity = nil }
      one.update(with: sample)
      let seconds = last.map { (sample.time - $0).seconds } ?? 0
      last = sample.time
      guard let rate = sample.angularRate, let force = sample.specificForce else { continue }
      if let field = sample.magneticFluxDensity {
        other.update(angularRate: rate, specificForce: force, magneticFluxDensity: field, seconds: seconds)
      } else {
        other.update(angularRate: rate, specificForce: force, seconds: seconds)
      }
      #expect(one.earthFromBody == other.earthFromBody)
    }
  }

  @Test func whatCannotBeUsedIsCountedAndChangesNothing() {
    var body = MovingBody()
    var filter = LiteAttitudeFilter()
    var sample = body.next(after: 0.01)
    for _ in 0..<500 {
      sample = body.next(after: 0.01)
      filter.update(with: sample)
    }
    let state = filter.state
    filter.update(with: sample)
    var early = sample
    early.time = .zero
    filter.update(with: early)
    #expect(filter.rejections.outOfOrder == 2)
    filter.update(with: InertialSample(time: sample.time + .milliseconds(10)))
    #expect(filter.rejections.empty == 1)
    let later = body.next(after: 0.01)
    for bad in [Float.nan, .infinity, -.infinity] {
      for part in 0..<3 {
        var broken = later
        if part == 0 { broken.angularRate = Vector3(0, bad, 0) }
        if part == 1 { broken.specificForce = Vector3(0, 0, bad) }
        if part == 2 { broken.magneticFluxDensity = Vector3(bad, 20, 0) }
        filter.update(with: broken)
      }
      filter.update(angularRate: .zero, specificForce: Vector3(0, 0, 9.8), seconds: bad == -.infinity ? .nan : -bad)
    }
    #expect(filter.rejections.notFinite == 12)
    filter.update(angularRate: .zero, specificForce: Vector3(0, 0, 9.8), seconds: -1)
    #expect(filter.rejections.outOfOrder == 3)
    filter.update(angularRate: Vector3(300, 0, 0), specificForce: Vector3(0, 0, 9.8), seconds: 0.01)
    filter.update(angularRate: .zero, specificForce: Vector3(0, 5000, 9.8), seconds: 0.01)
    filter.update(
      angularRate: .zero, specificForce: Vector3(0, 0, 9.8), magneticFluxDensity: Vector3(2e4, 0, 0), seconds: 0.01)
    #expect(filter.rejections.outOfRange == 3)
    #expect(filter.state == state)
  }

  @Test func everyAttitudeIsFoundAtOnce() {
    var random = SeededRandom(seed: 34)
    let half = Float(0.5).squareRoot()
    var attitudes = [
      Quaternion.identity, Quaternion(w: 0, x: 1, y: 0, z: 0), Quaternion(w: 0, x: 0, y: 1, z: 0),
      Quaternion(w: 0, x: 0, y: 0, z: 1), Quaternion(w: half, x: half, y: 0, z: 0),
      Quaternion(w: half, x: 0, y: 0, z: -half), Quaternion(w: 0, x: half, y: half, z: 0),
    ]
    for _ in 0..<100 { attitudes.append(randomAttitude(&random)) }
    for attitude in attitudes {
      var body = MovingBody()
      body.earthFromBody = attitude
      var filter = LiteAttitudeFilter()
      #expect(!filter.isAligned && !filter.hasHeading)
      for _ in 0..<3 {
        filter.update(with: body.next(after: 0.01))
        #expect(angle(filter.earthFromBody, attitude) < 0.1 * degree)
      }
      #expect(filter.isAligned && filter.hasHeading)
    }
  }

  @Test func aWrongAttitudeIsLeftWhateverItIs() {
    var random = SeededRandom(seed: 35)
    for place in 0..<40 {
      var body = MovingBody()
      body.restUntil = .infinity
      var filter = LiteAttitudeFilter()
      for _ in 0..<500 { filter.update(with: body.next(after: 0.01)) }
      // Exactly upside down first, then exactly south, then anything; the gyroscope has not seen it.
      switch place {
      case 0: filter.state.levelFromBody = Quaternion(w: 0, x: 1, y: 0, z: 0)
      case 1: filter.state.levelFromBody = Quaternion(w: 0, x: 0, y: 0, z: 1)
      default: filter.state.levelFromBody = randomAttitude(&random)
      }
      for _ in 0..<12000 { filter.update(with: body.next(after: 0.01)) }
      #expect(tilt(filter.earthFromBody, body.earthFromBody) < 0.2 * degree)
      #expect(angle(filter.earthFromBody, body.earthFromBody) < 2 * degree)
    }
  }

  @Test func noInputMakesItNotANumber() {
    var random = SeededRandom(seed: 36)
    for seed in 0..<40 {
      var filter = LiteAttitudeFilter()
      var time = Instant.zero
      var force = Vector3(0, 0, 9.81)
      var field = Vector3(0, 20, -40)
      var rate = Vector3.zero
      for _ in 0..<2000 {
        if random.oneIn(20) { force = random.oneIn(4) ? .zero : random.vector(deviation: random.oneIn(9) ? 1000 : 9) }
        if random.oneIn(20) { field = random.oneIn(4) ? .zero : random.vector(deviation: 40) }
        if random.oneIn(20) { rate = random.oneIn(4) ? .zero : random.vector(deviation: random.oneIn(9) ? 90 : 3) }
        if random.oneIn(100) { force = Vector3(0, 0, seed % 2 == 0 ? 9.81 : -9.81) }
        if random.oneIn(100) { field = Vector3(0, 0, -40) }
        time = time + .milliseconds(random.oneIn(200) ? 5000 : Int(1 + random.uniform() * 30))
        filter.update(
          with: InertialSample(
            time: time, angularRate: random.oneIn(30) ? nil : random.oneIn(99) ? Vector3(.nan, 0, 0) : rate,
            specificForce: random.oneIn(30) ? nil : force, magneticFluxDensity: random.oneIn(3) ? nil : field))
        for q in [filter.levelFromBody, filter.earthFromBody] {
          let length = (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z).squareRoot()
          #expect(abs(length - 1) < 1e-3)
        }
        #expect(filter.state.bias.length < 0.36)
      }
    }
  }

  @Test(arguments: [Float(1), 3, 10, -10])
  func aBiasOfManyDegreesPerSecondIsLearntAtRest(degreesPerSecond: Float) {
    var sensor = SimulatedSensor(hertz: 100, rateNoise: 0.005, forceNoise: 0.1, seed: 37)
    sensor.bias = Vector3(1, -1, 1) * (degreesPerSecond * degree)
    var filter = LiteAttitudeFilter()
    for _ in 0..<500 { filter.update(with: sensor.next()) }
    #expect(filter.isAtRest)
    #expect((filter.state.bias - sensor.bias).length < 0.002)
    let before = filter.levelFromBody
    for _ in 0..<360_00 { filter.update(with: sensor.next()) }
    #expect(tilt(filter.levelFromBody, sensor.earthFromBody) < 0.5 * degree)
    #expect(angle(filter.levelFromBody, before) < 4 * degree)
  }

  @Test func aSlowEvenTurnIsNotTakenForBias() {
    var sensor = SimulatedSensor(hertz: 100, seed: 38)
    var filter = LiteAttitudeFilter()
    for _ in 0..<1000 { filter.update(with: sensor.next()) }
    let before = filter.levelFromBody
    let truth = sensor.earthFromBody
    for _ in 0..<600 { filter.update(with: sensor.next(rate: Vector3(0, 0, 0.1))) }
    #expect(angle(before.conjugate * filter.levelFromBody, truth.conjugate * sensor.earthFromBody) < 1 * degree)
  }

  @Test func aPauseOfAnHourBeginsAnew() {
    var body = MovingBody()
    var filter = LiteAttitudeFilter()
    for _ in 0..<500 { filter.update(with: body.next(after: 0.01)) }
    // Carried elsewhere while nothing was measured.
    body.earthFromBody = Quaternion(rotationVector: Vector3(2, 1, -0.5)) * body.earthFromBody
    body.time += 3600
    body.restUntil = .infinity
    for _ in 0..<3 { filter.update(with: body.next(after: 0.01)) }
    #expect(filter.gapCount == 1)
    #expect(angle(filter.earthFromBody, body.earthFromBody) < 0.2 * degree)
  }

  @Test func aPassingMagnetHardlyTurnsTheHeading() {
    var body = MovingBody()
    body.restUntil = 10
    var filter = LiteAttitudeFilter()
    while body.time < 30 { filter.update(with: body.next(after: 0.01)) }
    #expect(angle(filter.earthFromBody, body.earthFromBody) < 2 * degree)
    while body.time < 36 {
      var sample = body.next(after: 0.01)
      sample.magneticFluxDensity = sample.magneticFluxDensity.map {
        $0 + body.earthFromBody.conjugate.rotate(Vector3(40, 0, 0))
      }
      filter.update(with: sample)
      #expect(angle(filter.earthFromBody, body.earthFromBody) < 4 * degree)
    }
  }

  @Test func partsThatAreMissingAreDoneWithout() {
    var body = MovingBody()
    var filter = LiteAttitudeFilter()
    var step = 0
    while body.time < 20 {
      var sample = body.next(after: 0.005)
      if step % 4 != 0 { sample.specificForce = nil }
      if step % 10 != 0 { sample.magneticFluxDensity = nil }
      filter.update(with: sample)
      step += 1
    }
    #expect(filter.rejections.total == 0)
    #expect(angle(filter.earthFromBody, body.earthFromBody) < 3 * degree)
    // Without gyroscope it still finds the vertical.
    body.restUntil = .infinity
    while body.time < 60 {
      var sample = body.next(after: 0.02)
      sample.angularRate = nil
      filter.update(with: sample)
    }
    #expect(tilt(filter.levelFromBody, body.earthFromBody) < 0.2 * degree)
  }
}

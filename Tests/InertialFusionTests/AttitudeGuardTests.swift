import InertialFusion
import Quantities
import TestSupport
import Testing

private let up = Vector3(0, 0, 9.80665)

/// True when nothing that the filter says is NaN, and its attitudes are rotations.
private func isSound(_ filter: AttitudeFilter) -> Bool {
  filter.levelFromBody.normError < 1e-3 && filter.earthFromBody.normError < 1e-3 && filter.gyroBias.isFinite
    && filter.gyroScale.isFinite && filter.hardIron.isFinite && filter.tiltUncertainty.isFinite
    && filter.gyroBiasUncertainty.isFinite && filter.headingUncertainty.isFinite
}

/// A filter that has followed a body for some seconds, and the body.
private func running(
  seed: UInt64, seconds: Double = 8, parameters: AttitudeParameters = .simulated
) -> (filter: AttitudeFilter, body: TumblingBody) {
  var body = TumblingBody(seed: seed)
  var filter = AttitudeFilter(parameters: parameters)
  for sample in body.samples(seconds: seconds, hertz: 100) { filter.update(with: sample) }
  return (filter, body)
}

/// What comes from a broken sensor is counted, by its kind, and harms nothing. See `HostileSampleTests` for the estimator.
@Suite struct AttitudeGuardTests {
  @Test(arguments: [Float.nan, .infinity, -.infinity, .signalingNaN])
  func aValueThatIsNoNumberInAnyPlaceIsCounted(bad: Float) {
    var (filter, body) = running(seed: 71)
    let sample = body.next(after: 0.01)
    let before = filter.state
    let places: [WritableKeyPath<Vector3, Float>] = [\.x, \.y, \.z]
    for place in places {
      var broken = sample
      broken.angularRate?[keyPath: place] = bad
      filter.update(with: broken)
      broken = sample
      broken.specificForce?[keyPath: place] = bad
      filter.update(with: broken)
    }
    #expect(filter.rejections.notFinite == 6 && filter.rejections.total == 6)
    #expect(filter.state == before)
    // The rest of a sample with a broken magnetometer is used.
    var later = sample
    for place in places {
      later.magneticFluxDensity = sample.magneticFluxDensity
      later.magneticFluxDensity?[keyPath: place] = bad
      filter.update(with: later)
      later.time = later.time + .milliseconds(10)
    }
    #expect(filter.rejections.repeatedMagnetometer == 3 && filter.rejections.total == 6)
    #expect(filter.lastSampleTime == sample.time + .milliseconds(20))
    #expect(filter.state.magnetic == before.magnetic && isSound(filter))
  }

  @Test func absurdValuesAreCountedAsOutOfRange() {
    var (filter, body) = running(seed: 72)
    let sample = body.next(after: 0.01)
    let before = filter.state
    for value in [Float(201), -300, 1e19, 3e38] {
      filter.update(with: InertialSample(time: sample.time, angularRate: Vector3(0, value, 0), specificForce: up))
    }
    for value in [Float(4001), -1e6, 2e19, -3e38] {
      filter.update(with: InertialSample(time: sample.time, angularRate: .zero, specificForce: Vector3(value, 0, 0)))
    }
    #expect(filter.rejections.outOfRange == 8 && filter.rejections.total == 8)
    #expect(filter.state == before)
    filter.update(with: InertialSample(time: sample.time, magneticFluxDensity: Vector3(1, 2, 3)))
    #expect(filter.rejections.empty == 1 && filter.state == before)
    for value in [Float(1.1e4), 1e30] {
      var absurd = body.next(after: 0.01)
      absurd.magneticFluxDensity = Vector3(value, 0, 0)
      filter.update(with: absurd)
    }
    #expect(filter.rejections.repeatedMagnetometer == 2 && filter.state.magnetic == before.magnetic)
  }

  @Test func timeThatStandsOrGoesBackIsCounted() {
    var (filter, body) = running(seed: 73)
    let last = body.next(after: 0.01)
    filter.update(with: last)
    let before = filter.state
    for microseconds in [Int64(0), -1, -10_000, -3_600_000_000, .min] {
      var late = last
      late.time = last.time + Interval(microseconds: microseconds)
      filter.update(with: late)
    }
    #expect(filter.rejections.outOfOrder == 5 && filter.rejections.total == 5)
    #expect(filter.state == before)
    filter.update(with: body.next(after: 0.01))
    #expect(filter.rejections.total == 5)
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 2)
  }

  @Test func theEndsOfTimeAreBorne() {
    for start: Int64 in [.min, .min + 1, .max - 30_000] {
      var filter = AttitudeFilter()
      for step in 0..<6 {
        filter.update(
          with: InertialSample(
            time: Instant(microseconds: start) + .milliseconds(10 * step), angularRate: .zero, specificForce: up))
        #expect(isSound(filter))
      }
      #expect(filter.isAligned)
    }
    var filter = AttitudeFilter()
    for time: Int64 in [.min + 1, .max - 1, .max] {
      filter.update(with: InertialSample(time: Instant(microseconds: time), angularRate: .zero, specificForce: up))
      #expect(isSound(filter))
    }
    #expect(filter.rejections.total == 0 && filter.state.gapCount == 1)
  }

  @Test func samplesAtTheEndOfTheRangeAreUsedAndTrustedLess() {
    var parameters = AttitudeParameters.simulated
    parameters.gyroscopeRange = 2
    parameters.accelerometerRange = 40
    var (filter, body) = running(seed: 74, seconds: 3, parameters: parameters)
    var blind = AttitudeFilter(parameters: .simulated, resuming: filter.state)
    let before = filter.rejections.clipped
    var clippedCount: UInt32 = 0
    var worst: Float = 0
    var worstBlind: Float = 0
    body.liveliness = 1.6
    while body.time < 30 {
      var sample = body.next(after: 0.01)
      if let rate = sample.angularRate {
        let clipped = Vector3(min(max(rate.x, -2), 2), min(max(rate.y, -2), 2), min(max(rate.z, -2), 2))
        if max(abs(clipped.x), abs(clipped.y), abs(clipped.z)) >= 1.98 { clippedCount += 1 }
        sample.angularRate = clipped
      }
      filter.update(with: sample)
      blind.update(with: sample)
      worst = max(worst, degreesOfTilt(filter.levelFromBody, body.earthFromBody))
      worstBlind = max(worstBlind, degreesOfTilt(blind.levelFromBody, body.earthFromBody))
    }
    #expect(before == 0 && clippedCount > 300 && filter.rejections.clipped == clippedCount)
    #expect(filter.rejections.total == 0 && blind.rejections.clipped == 0)
    #expect(worst < worstBlind && worst < 60, "\(worst)° with the range known, \(worstBlind)° without")
    // After it the vertical comes back.
    body.liveliness = 0.5
    while body.time < 50 { filter.update(with: body.next(after: 0.01)) }
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 2)
  }

  @Test(arguments: 0..<6)
  func anAxisThatStandsStillIsCounted(axis: Int) {
    var (filter, body) = running(seed: 75, seconds: 6)
    #expect(filter.rejections.stuck == 0)
    let places: [WritableKeyPath<Vector3, Float>] = [\.x, \.y, \.z]
    for _ in 0..<500 {
      var sample = body.next(after: 0.01)
      if axis < 3 { sample.angularRate?[keyPath: places[axis]] = 0.25 }
      if axis >= 3 { sample.specificForce?[keyPath: places[axis - 3]] = 1.5 }
      filter.update(with: sample)
      #expect(isSound(filter))
    }
    // Five seconds less the two after which it is sure, in tenths.
    #expect((25...33).contains(filter.rejections.stuck), "\(filter.rejections.stuck)")
    let stuck = filter.rejections.stuck
    // What it made of the scale meanwhile is forgotten in a minute.
    for _ in 0..<6000 { filter.update(with: body.next(after: 0.01)) }
    #expect(filter.rejections.stuck <= stuck + 1 && filter.rejections.total == 0)
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 2)
  }

  @Test func repeatedMagnetometerValuesAreNoNewReadings() {
    var body = TumblingBody(seed: 76)
    var repeating = AttitudeFilter(parameters: .simulated)
    var sparing = AttitudeFilter(parameters: .simulated)
    var held: Vector3?
    for step in 0..<3000 {
      var sample = body.next(after: 0.01)
      if step % 10 == 0, step > 0 { held = sample.magneticFluxDensity }
      sample.magneticFluxDensity = held
      repeating.update(with: sample)
      if step % 10 != 0 { sample.magneticFluxDensity = nil }
      sparing.update(with: sample)
    }
    #expect(repeating.rejections.repeatedMagnetometer == 2691 && repeating.rejections.total == 0)
    #expect(sparing.rejections.repeatedMagnetometer == 0)
    #expect(repeating.state == sparing.state)
    #expect(degreesBetween(repeating.earthFromBody, body.earthFromBody) < 2)
  }

  @Test func aFieldThatNeverChangesStillGivesTheHeading() {
    var filter = AttitudeFilter(parameters: .simulated)
    var sample = InertialSample(
      time: .zero, angularRate: .zero, specificForce: up, magneticFluxDensity: Vector3(0, -20, -40))
    for _ in 0..<100 {
      filter.update(with: sample)
      sample.time = sample.time + .milliseconds(10)
    }
    #expect(filter.headingUncertainty < 1)
    #expect(degreesBetween(filter.earthFromBody, Quaternion(w: 0, x: 0, y: 0, z: 1)) < 0.1)
    #expect(filter.rejections.repeatedMagnetometer == 98)
  }

  /// Seconds of silence, and whether the attitude is found anew after it.
  @Test(arguments: [(1.0, false), (2.4, false), (2.5, false), (2.6, true), (3600, true), (1e7, true)])
  func aSilenceIsBridgedOrBeginsAnew(seconds: Double, isNew: Bool) {
    var (filter, body) = running(seed: 77, seconds: 12)
    let bias = filter.gyroBias
    body.restUntil = .infinity
    if isNew { body.earthFromBody = Quaternion(rotationVector: Vector3(1.9, -0.8, 1)) * body.earthFromBody }
    // The last rate before it would be carried on over the silence: it has stopped.
    for _ in 0..<300 { filter.update(with: body.next(after: 0.01)) }
    if isNew { body.earthFromBody = Quaternion(rotationVector: Vector3(2, 1, -0.5)) * body.earthFromBody }
    filter.update(with: body.next(after: seconds))
    #expect(filter.state.gapCount == (isNew ? 1 : 0) && filter.rejections.total == 0 && isSound(filter))
    #expect(!isNew || filter.headingUncertainty == .pi)
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 1.5)
    #expect((filter.gyroBias - bias).length < 0.003)
    for _ in 0..<300 { filter.update(with: body.next(after: 0.01)) }
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 0.5)
    #expect(degreesBetween(filter.earthFromBody, body.earthFromBody) < 4)
    #expect(filter.isAtRest)
  }

  @Test func aBatchMayBeBrokenToo() {
    var (filter, body) = running(seed: 78)
    let before = filter.state
    let now = body.next(after: 0.04).time
    var broken = InertialBatch(following: filter)
    for bad in [Float.nan, .infinity, 1e19, 3e38] {
      broken.add(angularRate: Vector3(0, bad, 0), specificForce: up, seconds: 0.01)
      broken.add(angularRate: .zero, specificForce: Vector3(bad, 0, 0), seconds: 0.01)
      broken.add(angularRate: .zero, specificForce: up, seconds: bad)
    }
    broken.add(angularRate: .zero, specificForce: up, seconds: 0)
    broken.add(angularRate: .zero, specificForce: up, seconds: -1)
    #expect(broken.rejectedCount == 14)
    filter.update(with: broken, endingAt: now)
    #expect(filter.rejections.notFinite == 6 && filter.rejections.outOfRange == 6 && filter.rejections.outOfOrder == 2)
    #expect(filter.state == before)
    var batch = InertialBatch(following: filter)
    for _ in 0..<4 { batch.add(angularRate: .zero, specificForce: up, seconds: 0.01) }
    for late in [filter.lastSampleTime ?? .zero, .zero, Instant(microseconds: .min)] {
      filter.update(with: batch, endingAt: late)
    }
    #expect(filter.rejections.outOfOrder == 5 && filter.state == before)
    filter.update(with: batch, endingAt: now, magneticFluxDensity: Vector3(.nan, 0, 0))
    #expect(filter.state.magnetic == before.magnetic && isSound(filter))
    #expect(filter.rejections.repeatedMagnetometer == 1 && filter.lastSampleTime == now)
  }

  @Test func coursesThatAreNoneAreIgnored() {
    var (filter, _) = running(seed: 79)
    let before = filter.state
    for bad in [Float.nan, .infinity, -.infinity, 1e9] { filter.update(course: bad, uncertainty: 0.1) }
    for bad in [Float.nan, .infinity, 0, -1, 4] { filter.update(course: 1, uncertainty: bad) }
    #expect(filter.state == before)
    for _ in 0..<3 {
      filter.update(course: 1, uncertainty: 1e-30)
      #expect(filter.state.course.offset.isFinite && filter.state.course.variance.isFinite && isSound(filter))
    }
  }

  @Test func aStoredBiasThatIsNoneIsIgnored() {
    var filter = AttitudeFilter()
    let before = filter.state
    filter.warmStart(gyroBias: Vector3(0, .nan, 0), uncertainty: 0.01)
    filter.warmStart(gyroBias: .zero, uncertainty: .infinity)
    #expect(filter.state == before)
    filter.warmStart(gyroBias: Vector3(100, -100, 1e30), uncertainty: 1e30)
    #expect(filter.gyroBias.length < 1 && isSound(filter))
  }

  /// An axis that is stuck for a minute in a tumble says nothing about the scale of the others.
  @Test func aStuckAxisDoesNotPullTheScale() {
    var filter = AttitudeFilter()
    var body = TumblingBody(seed: 437)
    for sample in body.samples(seconds: 90, hertz: 100) {
      var sample = sample
      if sample.time > .seconds(30) { sample.angularRate = sample.angularRate.map { Vector3($0.x, $0.y, 0.2) } }
      filter.update(with: sample)
    }
    #expect(filter.rejections.stuck > 500 && filter.gyroScale.length < 0.03, "\(filter.gyroScale)")
  }
}

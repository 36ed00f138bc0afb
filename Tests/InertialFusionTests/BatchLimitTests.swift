import Quantities
import Testing

@testable import InertialFusion

private let up = Vector3(0, 0, 9.80665)

private func batch(
  _ filter: AttitudeFilter, count: Int = 4, rate: Vector3 = .zero, force: Vector3 = up, seconds: Float = 0.01
) -> InertialBatch {
  var batch = InertialBatch(following: filter)
  for _ in 0..<count { batch.add(angularRate: rate, specificForce: force, seconds: seconds) }
  return batch
}

/// What is folded is what happened, and both sides of each limit of a batch.
@Suite struct BatchLimitTests {
  /// The integral of a force that is still in the earth's frame, seen from a body that turns and cones.
  @Test func aFoldedStretchHasTheRotationAndTheForceOfItsSamples() {
    let force = Vector3(1, -2, 9)
    var motion = PreintegratedMotion()
    var attitude = Quaternion.identity
    var previous = Vector3.zero
    var turned = Vector3.zero
    for step in 0..<40 {
      let phase = Float(step) * 0.3
      let angle = Vector3(0.06 * Elementary.cos(phase), 0.06 * Elementary.sin(phase), 0.04)
      // The force in the middle of the sample.
      let middle = attitude * Quaternion(rotationVector: angle * 0.5)
      motion.fold(
        angle: Lanes3(angle), previousAngle: Lanes3(previous), force: Lanes3(middle.conjugate.rotate(force)),
        seconds: 0.02)
      attitude = attitude * Quaternion(rotationVector: angle + previous.cross(angle) * (1.0 / 12))
      previous = angle
      turned += angle
    }
    #expect(degreesBetween(motion.rotation.normalized, attitude.normalized) < 0.01)
    #expect((motion.forceIntegral - force * 0.8).length < 0.01, "\(motion.forceIntegral)")
    #expect((motion.angleIntegral - turned).length < 1e-5 && abs(motion.seconds - 0.8) < 1e-5)
    let later = PreintegratedMotion(from: attitude)
    #expect(later.rotation == attitude && later.forceIntegral == .zero && later.angleIntegral == .zero)
    #expect(later.seconds == 0)
  }

  @Test func aTurnIsThatOfItsVectorOnBothSidesOfTheSeries() {
    for angle: Float in [0, 1e-4, 0.1, 0.4, 0.499, 0.501, 1, 3, 6] {
      for axis in [Vector3(1, 0, 0), Vector3(0, 0.6, -0.8)] {
        let turned = Quaternion.identity.turned(by: axis * angle)
        let exact = Quaternion(rotationVector: axis * angle)
        #expect(abs(turned.w - exact.w) < 5e-7 && abs(turned.x - exact.x) < 5e-7)
        #expect(abs(turned.y - exact.y) < 5e-7 && abs(turned.z - exact.z) < 5e-7)
      }
    }
  }

  @Test func aBatchDoesWhatItsSamplesWould() {
    var body = TumblingBody(seed: 451)
    body.bias = Vector3(0.03, -0.02, 0.01)
    var single = AttitudeFilter(parameters: .simulated)
    var batched = AttitudeFilter(parameters: .simulated)
    let samples = body.samples(seconds: 25, hertz: 200)
    var waiting = InertialBatch(following: batched)
    var worst: (tilt: Float, earth: Float) = (0, 0)
    for (place, sample) in samples.enumerated() {
      single.update(with: sample)
      waiting.add(
        angularRate: sample.angularRate ?? .zero, specificForce: sample.specificForce ?? .zero, seconds: 0.005)
      guard place % 8 == 7 else { continue }
      #expect(abs(waiting.seconds - 0.04) < 1e-6)
      batched.update(with: waiting, endingAt: sample.time, magneticFluxDensity: sample.magneticFluxDensity)
      waiting = InertialBatch(following: batched)
      guard place > 2000 else { continue }
      worst.tilt = max(worst.tilt, degreesOfTilt(single.levelFromBody, batched.levelFromBody))
      worst.earth = max(worst.earth, degreesBetween(single.earthFromBody, batched.earthFromBody))
    }
    #expect(worst.tilt < 0.15 && worst.earth < 1, "\(worst)")
    #expect((single.gyroBias - batched.gyroBias).length < 1e-3 && batched.rejections.total == 0)
    #expect(batched.state.gapCount == 0)
  }

  /// A sample of a batch is longer than nothing and shorter than a second.
  @Test func aSampleOfABatchHasALength() {
    for (seconds, isUsed) in [(Float(0), false), (1e-6, true), (0.999, true), (1, false), (-0.1, false)] {
      let one = batch(AttitudeFilter(), count: 1, seconds: seconds)
      #expect((one.seconds == seconds) == (isUsed || seconds == 0) && one.rejectedCount == (isUsed ? 0 : 1))
    }
  }

  @Test func theRateBeforeABadSampleHoldsOn() {
    var batch = InertialBatch(following: AttitudeFilter())
    // Before there is any force there is nothing to hold.
    batch.add(angularRate: Vector3(.nan, 0, 0), specificForce: up, seconds: 0.01)
    #expect(batch.seconds == 0 && batch.rejectedCount == 1)
    for _ in 0..<5 { batch.add(angularRate: Vector3(0, 0, 2), specificForce: up, seconds: 0.01) }
    batch.add(angularRate: .zero, specificForce: Vector3(0, 0, .infinity), seconds: 0.01)
    #expect(abs(batch.motion.rotation.normalized.angle - 0.12) < 1e-5 && abs(batch.seconds - 0.06) < 1e-6)
    #expect(abs(batch.motion.forceIntegral.z - 0.06 * 9.80665) < 1e-4)
    #expect(batch.angularRate.count == 5 && batch.specificForce.count == 5 && batch.rejectedCount == 2)
    // The filter counts them, also when nothing else is in the batch.
    var filter = AttitudeFilter()
    filter.update(with: batch, endingAt: .seconds(1))
    #expect(filter.rejections.notFinite == 2 && filter.lastSampleTime == .seconds(1))
    filter.update(with: InertialBatch(following: filter), endingAt: .seconds(2))
    #expect(filter.lastSampleTime == .seconds(1) && filter.rejections.total == 2)
  }

  /// Time that is missing between two batches is bridged with the last rate, beyond the longest gap it is a silence.
  @Test(
    arguments: [
      (0.04, 0), (0.059, 0), (0.061, 1), (0.5, 1), (2.539, 1), (2.541, 2), (100, 2),
    ] as [(Double, Int)])
  func timeThatIsMissingBetweenBatchesIsBridgedOrASilence(seconds: Double, kind: Int) {
    let rate = Vector3(0, 0, 0.5)
    var filter = AttitudeFilter(parameters: .simulated)
    filter.update(with: batch(filter, rate: rate), endingAt: .seconds(1))
    filter.update(with: batch(filter, rate: rate), endingAt: .milliseconds(1040))
    let before = filter.levelFromBody
    var whole = filter
    let gap = Interval(microseconds: Int64(seconds * 1e6))
    filter.update(with: batch(filter, rate: rate), endingAt: .milliseconds(1040) + gap)
    #expect(filter.state.gapCount == (kind == 2 ? 1 : 0) && filter.rejections.total == 0)
    let turned = (before.conjugate * filter.levelFromBody).normalized.angle
    let expected: Float = kind == 1 ? 0.5 * Float(seconds) : 0.02
    #expect(abs(turned - expected) < 0.01 + 0.05 * expected, "\(turned) rad")
    // What was bridged is trusted less.
    whole.update(
      with: batch(whole, rate: rate, seconds: min(Float(seconds) / 4, 0.9)), endingAt: .milliseconds(1040) + gap)
    if kind == 1 { #expect(filter.tiltUncertainty > 1.001 * whole.tiltUncertainty) }
    if kind == 0 { #expect(abs(filter.tiltUncertainty / whole.tiltUncertainty - 1) < 0.06) }
  }

  /// The same time or an earlier one is counted, and nothing else changes; the first may come at any time.
  @Test func aBatchThatIsNotLaterIsCounted() {
    var filter = AttitudeFilter()
    filter.update(with: batch(filter), endingAt: Instant(microseconds: -5))
    #expect(filter.rejections.total == 0 && filter.isAligned)
    let before = filter.state
    filter.update(with: batch(filter), endingAt: Instant(microseconds: -5))
    filter.update(with: batch(filter), endingAt: Instant(microseconds: -6))
    #expect(filter.rejections.outOfOrder == 2 && filter.state == before)
    filter.update(with: batch(filter), endingAt: Instant(microseconds: 39_995))
    #expect(filter.rejections.outOfOrder == 2 && filter.lastSampleTime == Instant(microseconds: 39_995))
  }

  /// A correction falls when the next half batch would be beyond the interval.
  @Test(arguments: [(4, 1), (2, 2), (1, 4), (8, 1), (3, 1)])
  func batchesAreCorrectedAboutOnceInAnInterval(count: Int, batches: Int) {
    var filter = AttitudeFilter()
    var time = Instant.seconds(1)
    var open: [Bool] = []
    for _ in 0..<24 {
      filter.update(with: batch(filter, count: count), endingAt: time)
      time = time + .milliseconds(10 * count)
      open.append(filter.state.motion.seconds > 0)
    }
    for (place, isOpen) in open.enumerated() { #expect(isOpen == (place % batches != batches - 1), "\(open)") }
  }
}

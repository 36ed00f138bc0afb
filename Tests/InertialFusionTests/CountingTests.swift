import Quantities
import Testing

@testable import InertialFusion

private let up = Vector3(0, 0, 9.80665)

/// What is counted, and that nothing hangs on a counter that is full.
@Suite struct CountingTests {
  /// A sensor that sleeps once a minute has slept 65,535 times in 45 days.
  @Test func aSilenceIsOneHoweverManyThereWere() {
    var estimator = InertialEstimator()
    var smoother = FixedLagSmoother<16>(lag: .milliseconds(500), parameters: .simulated)
    // Hears the same, until the last silence.
    var waiting = FixedLagSmoother<16>(lag: .milliseconds(500), parameters: .simulated)
    var time = Instant.zero
    func take(after milliseconds: Int, force: Vector3 = up) -> SmoothedAttitude? {
      time = time + .milliseconds(milliseconds)
      let sample = InertialSample(time: time, angularRate: .zero, specificForce: force)
      _ = estimator.update(with: sample)
      if milliseconds < 60_000 { _ = waiting.update(with: sample) }
      return smoother.update(with: sample)
    }
    for _ in 0..<65_600 { _ = take(after: 3000) }
    #expect(estimator.gapCount == .max && smoother.filter.state.gapCount == .max)
    for _ in 0..<200 { _ = take(after: 20) }
    let watched = time - Interval.milliseconds(4000)
    #expect(estimator.rest.isAtRest && estimator.watchedSince == watched)
    // One more: it is not watched through, and what waited leaves as it was.
    var expected: [SmoothedAttitude] = []
    while let smoothed = waiting.finish() { expected.append(smoothed) }
    var left: [SmoothedAttitude] = []
    let tilted = Quaternion(rotationVector: Vector3(0.5, 0, 0)).rotate(up)
    if let smoothed = take(after: 60_000, force: tilted) { left.append(smoothed) }
    #expect(!estimator.rest.isAtRest && estimator.watchedSince == time && estimator.rest.angularRate.count == 0)
    for _ in 0..<40 { if let smoothed = take(after: 20, force: tilted) { left.append(smoothed) } }
    #expect(expected.count > 5 && Array(left.prefix(expected.count)) == expected)
  }

  /// A rate alone tells nothing before there is a vertical.
  @Test func theLiteFilterCountsEverySampleThatItDoesNotUse() {
    var filter = LiteAttitudeFilter()
    for step in 1...3 {
      filter.update(with: InertialSample(time: .milliseconds(step), angularRate: Vector3(0, 0, 1)))
      #expect(filter.rejections.empty == UInt32(step) && filter.rejections.total == UInt32(step))
    }
    #expect(filter.state == LiteState())
    filter.update(with: InertialSample(time: .milliseconds(1), specificForce: up))
    #expect(filter.isAligned && filter.rejections.total == 3)
    filter.update(with: InertialSample(time: .milliseconds(2), angularRate: Vector3(0, 0, 1)))
    #expect(filter.rejections.total == 3)
  }

  /// A converter so coarse that most axes stand still for minutes is whole as long as nothing moves.
  @Test(arguments: [false, true])
  func anAxisThatStandsStillIsBrokenOnlyWhileOthersMove(isMoving: Bool) {
    var filter = AttitudeFilter()
    for step in 0..<3000 {
      // A step of the converter now and then, or a hand that turns it to and fro.
      let flips: Float = isMoving ? 0.5 * Elementary.sin(Float(step) * 0.05) : step % 37 < 12 ? 0.0011 : 0
      filter.update(
        with: InertialSample(
          time: .milliseconds(10 * step), angularRate: Vector3(0.03, 0.02 + flips, -0.01),
          specificForce: up + Vector3(0, step % 41 < 9 ? 0.0024 : 0, 0)))
    }
    #expect(filter.isAtRest != isMoving)
    #expect(isMoving ? filter.rejections.stuck > 200 : filter.rejections.stuck == 0, "\(filter.rejections.stuck)")
  }

  @Test func samplesOfABatchAreCountedByTheirReason() {
    var filter = AttitudeFilter()
    var batch = InertialBatch(following: filter)
    for (rate, force, seconds) in [
      (Vector3(0, .nan, 0), up, 0.01), (.zero, Vector3(.infinity, 0, 0), 0.01), (.zero, up, .nan),
      (Vector3(0, 0, 300), up, 0.01), (.zero, Vector3(0, 5000, 0), 0.01), (.zero, up, 1), (.zero, up, 0),
      (.zero, up, -1),
    ] as [(Vector3, Vector3, Float)] {
      batch.add(angularRate: rate, specificForce: force, seconds: seconds)
    }
    #expect(batch.rejectedCount == 8)
    filter.update(with: batch, endingAt: .seconds(1))
    #expect(filter.rejections.notFinite == 3 && filter.rejections.outOfRange == 3 && filter.rejections.outOfOrder == 2)
    #expect(filter.rejections.total == 8)
  }
}

import InertialFusion
import Quantities
import Testing

/// A gyroscope that gives nothing while the accelerometer goes on.
@Suite struct BlindGyroscopeTests {
  /// Rest, movement, rest, an even turn of 20 s in which the gyroscope is silent, rest.
  private static func trial(turning rate: Float) -> (samples: [InertialSample], truth: [Quaternion]) {
    let trial = SimulatedTrial(
      seed: 411, start: Quaternion(rotationVector: Vector3(0.5, 0.3, -1)),
      phases: [
        .rest(20), .tumble(25), .rest(15), SimulatedTrial.Phase(seconds: 20, evenTurn: Vector3(0, 0, rate)), .rest(60),
      ])
    var samples = trial.samples
    for place in 6000..<8000 { samples[place].angularRate = nil }
    return (samples, trial.truth)
  }

  private static func heading(_ estimate: Quaternion, _ truth: Quaternion) -> Float {
    let error = estimate * truth.conjugate
    return 2 * Elementary.atan2(error.z.magnitude, error.w.magnitude) * 180 / .pi
  }

  @Test(arguments: [Float(0.785), 0.2, 1.5]) func whatIsTurnedMeanwhileIsKnownToBeUnknown(rate: Float) {
    let (samples, truth) = BlindGyroscopeTests.trial(turning: rate)
    var filter = AttitudeFilter()
    var without = AttitudeFilter()
    let degree = 180 / Float.pi
    for (place, sample) in samples.enumerated() {
      filter.update(with: sample)
      if sample.angularRate != nil { without.update(with: sample) }
      // It begins to turn with the first silent sample: nobody can know that at once.
      guard place > 4600, place % 10 == 0, !(6000..<6030).contains(place) else { continue }
      let (off, stated) = (
        BlindGyroscopeTests.heading(filter.earthFromBody, truth[place]), filter.headingUncertainty * degree
      )
      #expect(off < 3 * stated, "\(place): \(off)° with \(stated)° stated")
      let (leaning, known) = (
        degreesOfTilt(filter.levelFromBody, truth[place]), filter.tiltUncertainty * degree
      )
      #expect(leaning < 3 * 1.414 * known, "\(place): tilt \(leaning)° with \(known)° stated")
      // In the rest behind it a wrong heading is no more than without those samples.
      guard place > 8300 else { continue }
      let other = BlindGyroscopeTests.heading(without.earthFromBody, truth[place])
      #expect(off < other + 3, "\(place): \(off)°, and \(other)° when they are left out")
    }
    #expect(filter.state.gapCount == 1)
  }

  /// In movement of a radian a second and more the attitude is lost after 0.3 s at the latest, at rest after 2.5 s.
  @Test(arguments: [(4000, 10, 0), (4000, 32, 1), (2000 - 300, 240, 0), (2000 - 300, 260, 1)])
  func itIsLostWhenItMayHaveTurnedTooFar(start: Int, count: Int, gaps: UInt16) {
    var filter = AttitudeFilter()
    for (place, sample) in BlindGyroscopeTests.trial(turning: 0.2).samples[..<5000].enumerated() {
      var sample = sample
      if (start..<start + count).contains(place) { sample.angularRate = nil }
      filter.update(with: sample)
    }
    #expect(filter.state.gapCount == gaps)
  }

  @Test func aSensorWithoutAGyroscopeHasATiltAndNoHeading() {
    let (samples, truth) = BlindGyroscopeTests.trial(turning: 0.2)
    var filter = AttitudeFilter()
    for (place, sample) in samples.enumerated() {
      var sample = sample
      sample.angularRate = nil
      filter.update(with: sample)
      #expect(filter.headingUncertainty == .pi)
      guard place > 9000, place % 100 == 0 else { continue }
      #expect(filter.isAtRest && degreesOfTilt(filter.levelFromBody, truth[place]) < 1)
      #expect(filter.tiltUncertainty < 0.1)
    }
  }
}

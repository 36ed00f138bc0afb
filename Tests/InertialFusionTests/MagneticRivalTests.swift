import Quantities
import TestSupport
import Testing

@testable import InertialFusion

private let degree = Float.pi / 180

/// Readings that are refused: what the heading does, and how certain it says it is.
@Suite struct MagneticRivalTests {
  /// How a filter does over some seconds.
  private struct Course {
    /// Seconds with an error beyond three of the stated deviations.
    var beyond: Float = 0
    /// Largest and last error of the heading, degrees, and the last time it was beyond 8°, s.
    var worst: Float = 0
    var last: Float = 0
    var wrongUntil: Float = 0
    var sigma: Float = 0
  }

  private func run(
    _ filter: inout AttitudeFilter, _ body: inout TumblingBody, seconds: Float, disturbance: Vector3 = .zero
  ) -> Course {
    var course = Course()
    for step in 1...Int(seconds * 100) {
      var sample = body.next(after: 0.01)
      let toBody = body.earthFromBody.conjugate
      sample.magneticFluxDensity = sample.magneticFluxDensity.map { $0 + toBody.rotate(disturbance) }
      filter.update(with: sample)
      guard step % 10 == 0 else { continue }
      let error = degreesBetween(filter.earthFromBody, body.earthFromBody)
      course.sigma = filter.headingUncertainty / degree
      if error > 3 * course.sigma { course.beyond += 0.1 }
      if error > 8 { course.wrongUntil = Float(step) * 0.01 }
      course.worst = max(course.worst, error)
      course.last = error
    }
    return course
  }

  /// A filter that has moved for so long beside a body of the same movement.
  private func moved(
    seed: UInt64, seconds: Float, disturbance: Vector3 = .zero, field: Vector3 = Vector3(0, 18, -44),
    relearnAfter: Float = 60
  ) -> (AttitudeFilter, TumblingBody) {
    var parameters = AttitudeParameters.simulated
    parameters.magnetic.relearnAfter = relearnAfter
    var body = TumblingBody(seed: seed)
    body.field = field
    var filter = AttitudeFilter(parameters: parameters)
    _ = run(&filter, &body, seconds: seconds, disturbance: disturbance)
    return (filter, body)
  }

  private func turn(_ body: inout TumblingBody, degrees: Float) {
    body.earthFromBody =
      (Quaternion(rotationVector: Vector3(0, 0, degrees * degree)) * body.earthFromBody).normalized
  }

  @Test(arguments: [Float(30), 60, 120, 180, -90])
  func aTurnThatNobodySawIsDoubtedAtOnceAndMended(degrees: Float) {
    for field in [Vector3(0, 18, -44), Vector3(0, 30, 5), Vector3(0, 14, 60)] {
      var (filter, body) = moved(seed: 131, seconds: 40, field: field)
      turn(&body, degrees: degrees)
      let after = run(&filter, &body, seconds: 20)
      #expect(after.beyond < 2, "\(degrees)°, \(field): \(after)")
      #expect(after.wrongUntil < 8 && after.last < 5, "\(degrees)°, \(field): \(after)")
      #expect(filter.evidence.magneticRelearning < 1)
    }
  }

  @Test func aWrongHeadingDoesNotSurviveTheNextRest() {
    for degrees in [Float(45), 100, 180] {
      var (filter, body) = moved(seed: 132, seconds: 40)
      turn(&body, degrees: degrees)
      _ = run(&filter, &body, seconds: 8)
      body.restUntil = .infinity
      let resting = run(&filter, &body, seconds: 10)
      #expect(filter.isAtRest && resting.last < 5 && resting.beyond == 0, "\(degrees)°: \(resting)")
    }
  }

  @Test func aTurnWhileSamplesAreMissingAtRestIsSeenThere() {
    var (filter, body) = moved(seed: 133, seconds: 40)
    body.restUntil = .infinity
    _ = run(&filter, &body, seconds: 10)
    turn(&body, degrees: 130)
    filter.update(with: body.next(after: 0.35))
    let after = run(&filter, &body, seconds: 10)
    #expect(after.beyond < 0.5 && after.last < 8, "\(after)")
  }

  /// An iron door, a car beside the path: wide, steady, and left again.
  @Test(arguments: [Vector3(12, 5, -8), Vector3(-20, 10, 15), Vector3(0, -25, 9)])
  func aDisturbedPlaceOfHalfAMinuteIsNotLearnt(disturbance: Vector3) {
    var (filter, body) = moved(seed: 134, seconds: 50)
    let inside = run(&filter, &body, seconds: 25, disturbance: disturbance)
    #expect(inside.worst < 5 && inside.beyond == 0, "\(inside)")
    // That it may be the earth's after all is said.
    #expect(inside.sigma > 10 && filter.evidence.magneticRelearning > 0.3, "\(inside)")
    let outside = run(&filter, &body, seconds: 20)
    #expect(outside.worst < 5 && outside.beyond == 0, "\(outside)")
  }

  /// Another place for longer than the first is taken for the earth's; then the first may be so still.
  @Test func aFieldThatIsSeenForLongerIsTakenForTheEarths() {
    for relearnAfter in [Float(10), 60] {
      var (filter, body) = moved(seed: 135, seconds: 60, relearnAfter: relearnAfter)
      let disturbance = Vector3(15, -8, 12)
      let inside = run(&filter, &body, seconds: 30, disturbance: disturbance)
      #expect((inside.last > 30) == (relearnAfter == 10), "\(inside)")
      // Either way the other is thought possible.
      #expect(inside.sigma > 12 && inside.beyond < 1, "\(inside)")
      let outside = run(&filter, &body, seconds: 30)
      #expect(outside.last < 5, "\(outside)")
    }
  }

  @Test func aStartBesideIronIsForgottenWithinSecondsOfMoving() {
    var (filter, body) = moved(seed: 136, seconds: 3, disturbance: Vector3(-15, -12, 10))
    let after = run(&filter, &body, seconds: 20)
    #expect(after.wrongUntil < 12 && after.beyond < 1 && after.last < 5, "\(after)")
  }

  /// Beside a magnet the field changes with each step: nothing of it is learnt however long it lasts.
  @Test func aFieldThatChangesAsTheSensorMovesIsNoRival() {
    var (filter, body) = moved(seed: 137, seconds: 40)
    var random = TestSupport.SeededRandom(seed: 138)
    var worst: Float = 0
    var beyond: Float = 0
    for _ in 0..<180 {
      let here = run(&filter, &body, seconds: 0.5, disturbance: random.vector(deviation: 25))
      worst = max(worst, here.worst)
      beyond += here.beyond
    }
    #expect(worst < 8 && beyond < 1, "\(worst)° \(beyond) s")
  }

  /// The share and the doubt of one reading, by hand.
  @Test func theFirstReadingIsWeighedByItsLengthAndDip() {
    let p = MagneticParameters()
    let m = Vector3(0, 20, -40)
    func first(_ field: Vector3) -> MagneticRival {
      var rival = MagneticRival()
      let reading = MagneticRival.Sighting(
        deviation: field - m, ratio: 3, field: m, seconds: 0.04, turning: 0, variance: 2)
      let hasWon = rival.update(reading, p)
      #expect(!hasWon && rival.isThere && rival.seconds == 0)
      return rival
    }
    // A quarter turn: 28.3 µT, 22,627 / (2 · 20) times one in a hundred against one; if none, one place against two and one each.
    let turn = first(Vector3(20, 0, -40)).share(against: m)
    #expect(abs(turn - (5.657 + 0.25) / 6.657) < 0.02, "\(turn)")
    // Ten more of dip: hardly a turn.
    let other = first(Vector3(20, 0, -26)).share(against: m)
    #expect(abs(other - 0.25) < 0.01, "\(other)")
    // The same direction says nothing about the heading.
    #expect(first(Vector3(0, 32, -40)).doubt == 0)
  }
}

import Foundation
import FusionEvaluation
import Recording
import TestSupport
import Testing

/// The rotation by an angle (rad) about an axis of unit length.
private func rotation(_ angle: Double, _ x: Double, _ y: Double, _ z: Double) -> PreciseQuaternion {
  PreciseQuaternion(w: cos(angle / 2), x: sin(angle / 2) * x, y: sin(angle / 2) * y, z: sin(angle / 2) * z)
}

private let identity = PreciseQuaternion(w: 1, x: 0, y: 0, z: 0)

private func isNear(_ a: Double, _ b: Double, within tolerance: Double = 1e-9) -> Bool { abs(a - b) <= tolerance }

@Test func aTurnAboutTheVerticalIsHeadingAndATiltIsInclination() {
  let turned = OrientationError(of: rotation(0.3, 0, 0, 1), against: identity)
  #expect(isNear(turned.heading, 0.3) && isNear(turned.total, 0.3) && isNear(turned.inclination, 0, within: 1e-7))
  let tilted = OrientationError(of: rotation(0.3, 0.6, 0.8, 0), against: identity)
  #expect(isNear(tilted.inclination, 0.3) && isNear(tilted.total, 0.3) && isNear(tilted.heading, 0))
}

@Test func theSignAndTheLengthOfAQuaternionDoNotMatter() {
  let reference = rotation(2, 0.6, 0, 0.8)
  let estimate = rotation(1.8, 0.6, 0, 0.8)
  let scaled = PreciseQuaternion(
    w: -3 * estimate.w, x: -3 * estimate.x, y: -3 * estimate.y, z: -3 * estimate.z)
  let error = OrientationError(of: estimate, against: reference)
  let other = OrientationError(of: scaled, against: reference)
  #expect(isNear(error.total, 0.2) && isNear(other.total, 0.2))
  #expect(isNear(error.heading, other.heading) && isNear(error.inclination, other.inclination))
}

@Test func theErrorIsMeasuredInTheEarthFrame() {
  // The sensor lies on its side: an error about the earth's vertical is one about the sensor's x axis.
  let reference = rotation(.pi / 2, 0, 1, 0)
  let error = OrientationError(of: rotation(0.1, 0, 0, 1) * reference, against: reference)
  #expect(isNear(error.heading, 0.1) && isNear(error.inclination, 0, within: 1e-7))
}

/// Expected: `metric` of the evaluation script in NumPy, on the same five rows.
@Test func theScoreAgreesWithAnIndependentComputation() {
  let estimates = [
    identity, rotation(0.1, 1, 0, 0), rotation(0.2, 0, 0, 1), PreciseQuaternion(w: 2, x: 0, y: 0.2, z: 0.4), .missing,
  ]
  let score = OrientationScore(
    estimates: estimates, references: [PreciseQuaternion](repeating: identity, count: 5))
  #expect(isNear(score.total, 14.138795610726854) && isNear(score.heading, 12.678431924611752))
  #expect(isNear(score.inclination, 6.290596069722481) && isNear(score.totalAligned, 11.293991041693163, within: 1e-6))
  #expect(isNear(score.headingAligned, 9.389169078986177, within: 1e-4))
  #expect(score.count == 5 && score.badCount == 1)
}

@Test func aConstantHeadingIsAlignedAway() {
  let references = (0..<100).map { rotation(Double($0) * 0.05, 0.6, 0, 0.8) }
  for offset in [-3.0, -0.4, 0, 1.2, 3.1] {
    let estimates = references.map { rotation(offset, 0, 0, 1) * $0 }
    let score = OrientationScore(estimates: estimates, references: references)
    #expect(isNear(score.total, abs(offset) * 180 / .pi, within: 1e-5), "\(offset)")
    // 24 steps of golden section over 40° end within 0.0004°.
    #expect(score.totalAligned < 0.001 && score.inclination < 0.001, "\(offset): \(score)")
    #expect(isNear(score.headingOffset, -offset, within: 1e-5), "\(offset): \(score.headingOffset)")
  }
}

@Test func onlyRowsInMovementWithAReferenceCount() {
  let references = [identity, .missing, identity, identity]
  let estimates = [identity, identity, rotation(1, 0, 0, 1), rotation(0.5, 0, 0, 1)]
  let score = OrientationScore(
    estimates: estimates, references: references, isMoving: [true, true, false, true])
  #expect(score.count == 2 && score.badCount == 0)
  #expect(isNear(score.total, (0.5 * 0.5 / 2.0).squareRoot() * 180 / .pi))
  let nothing = OrientationScore(estimates: estimates, references: references, isMoving: [false, true, false, false])
  #expect(nothing.count == 0 && nothing.total.isNaN && nothing.totalAligned.isNaN)
}

@Test func restIsScoredByRowsAndByPhases() {
  // 10 Hz: 3 s still, 2 s moving, 1 s still, 2 s moving, 2 s still.
  let isMoving = [(30, false), (20, true), (10, false), (20, true), (20, false)].flatMap { count, value in
    [Bool](repeating: value, count: count)
  }
  var isResting = [Bool](repeating: false, count: 100)
  for row in 10..<32 { isResting[row] = true }  // two rows too long
  for row in 65..<67 { isResting[row] = true }  // an onset in the middle of movement
  let score = RestScore(isResting: isResting, isMoving: isMoving, hertz: 10)
  #expect(score.truePositives == 20 && score.falsePositives == 4)
  #expect(score.falseNegatives == 40 && score.trueNegatives == 36)
  #expect(score.phases == 2 && score.phasesFound == 1 && score.falseOnsets == 1)
  #expect(score.settledCount == 15 + 5 && score.settledTruePositives == 15)
  #expect(isNear(score.precision, 20.0 / 24) && isNear(score.recall, 1.0 / 3))
}

@Test func theRateComesFromTheMedianStep() {
  #expect(isNear(RestScore.hertz(ofTimes: [0, 0.01, 0.02, 5, 5.01, .nan, 5.02]), 100, within: 1e-6))
  #expect(RestScore.hertz(ofTimes: [1]).isNaN)
}

/// Expected: `metric` and `rest_score` of the evaluation script on the same estimate, which is the reference 50 rows ago,
/// turned a little, and for rest the movement 200 rows ago.
@Test(arguments: [
  (
    "01_undisturbed_slow_rotation_A", [79.20292388, 77.86526893, 15.72075618, 18.86036086, 10.44624002], 35855, 152,
    20733
  ),
  ("25_disturbed_tapping_B", [80.64846649, 80.32006589, 7.98427330, 9.10781759, 4.38541999], 33898, 0, 22396),
])
func theScoreOfARecordedTrialAgreesWithTheScript(
  name: String, expected: [Double], count: Int, badCount: Int, truePositives: Int
) throws {
  guard let folder = recordedDataFolder("broad") else { return }
  let table = try OrientationTable(path: folder + "/\(name).csv.gz")
  let isMoving = try #require(table.isMoving)
  let turn = PreciseQuaternion.aboutVertical(1.2)
  let twist = PreciseQuaternion(w: 0.99, x: 0.05, y: -0.03, z: 0.1)
  let estimates = table.references.indices.map { turn * (table.references[max(0, $0 - 50)] * twist) }
  let score = OrientationScore(estimates: estimates, references: table.references, isMoving: isMoving)
  let values = [score.total, score.heading, score.inclination, score.totalAligned, score.headingAligned]
  for (value, right) in zip(values, expected) { #expect(isNear(value, right, within: 1e-5)) }
  #expect(score.count == count && score.badCount == badCount)
  #expect(isNear(table.hertz, 285.714, within: 0.001))
  let rest = isMoving.indices.map { !isMoving[max(0, $0 - 200)] }
  let restScore = RestScore(isResting: rest, isMoving: isMoving, hertz: table.hertz)
  #expect(restScore.truePositives == truePositives && restScore.falsePositives == 200)
  #expect(restScore.phases == 2 && restScore.phasesFound == 2 && restScore.falseOnsets == 0)
}

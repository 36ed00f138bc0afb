import Foundation
import FusionEvaluation
import Testing

/// The quaternion of a rotation vector, scalar first.
func rotation(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
  let angle = (x * x + y * y + z * z).squareRoot()
  guard angle > 0 else { return [1, 0, 0, 0] }
  let s = sin(angle / 2) / angle
  return [cos(angle / 2), s * x, s * y, s * z]
}

/// Hamilton product.
func product(_ a: [Double], _ b: [Double]) -> [Double] {
  [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ]
}

/// A trial of 400 samples at 50 Hz that turns steadily, with two rests and a part without truth.
func turningTrial() -> OrientationTrial {
  var trial = OrientationTrial(name: "turning")
  for sample in 0..<400 {
    let k = Double(sample)
    trial.times.append(k * 0.02)
    trial.angularRate += [k, 2 * k, -k]
    trial.specificForce += [0, k, 9.8]
    trial.magneticFluxDensity += [20, 0, -k]
    let isKnown = !(50..<60).contains(sample)
    trial.reference += isKnown ? rotation(1 + k * 0.01, 2 - k * 0.02, 0.5 + k * 0.003) : [.nan, .nan, .nan, .nan]
    trial.isMoving.append(sample >= 20 && !(201..<300).contains(sample))
  }
  return trial
}

/// Estimates of that trial, each wrong by the given rotation of the earth frame.
func estimates(_ error: (Double) -> [Double]) -> [Double] {
  (0..<400).flatMap { sample in
    let k = Double(sample)
    return product(error(k), rotation(1 + k * 0.01, 2 - k * 0.02, 0.5 + k * 0.003))
  }
}

@Test func aPureHeadingErrorIsGoneAfterAlignment() {
  let score = OrientationScore(estimates { _ in rotation(0, 0, 10 * .pi / 180) }, against: turningTrial())
  #expect(abs(score.total - 10) < 1e-6 && abs(score.heading - 10) < 1e-6)
  #expect(score.inclination < 1e-5)
  #expect(score.totalAligned < 1e-3)
  #expect(score.count == 271 && score.badCount == 0)
}

@Test func aTiltIsInclinationAndStaysAfterAlignment() {
  let score = OrientationScore(estimates { _ in rotation(3 * .pi / 180, 0, 0) }, against: turningTrial())
  #expect(abs(score.inclination - 3) < 1e-6 && abs(score.total - 3) < 1e-6)
  #expect(abs(score.totalAligned - 3) < 1e-3)
  #expect(score.heading < 1e-5)
}

@Test func theScoreEqualsAnIndependentOne() {
  // Expected values from a separate implementation in NumPy.
  let score = OrientationScore(
    estimates { k in rotation(0.02 * sin(k * 0.1) + 0.01, 0.03 * cos(k * 0.07), 0.3 + 0.001 * k) },
    against: turningTrial())
  #expect(abs(score.total - 29.560768) < 1e-5)
  #expect(abs(score.heading - 29.520649) < 1e-5)
  #expect(abs(score.inclination - 1.557285) < 1e-5)
  #expect(abs(score.totalAligned - 7.189745) < 1e-5)
}

@Test func theSignOfAQuaternionDoesNotMatter() {
  let values = estimates { k in rotation(0.01, 0.02, 0.001 * k) }
  let flipped = values.enumerated().map { ($0.offset / 4) % 2 == 0 ? $0.element : -$0.element }
  let (one, other) = (
    OrientationScore(values, against: turningTrial()), OrientationScore(flipped, against: turningTrial())
  )
  #expect(abs(one.total - other.total) < 1e-9 && abs(one.totalAligned - other.totalAligned) < 1e-6)
}

@Test func estimatesThatAreNoNumberAreCounted() {
  var values = estimates { _ in [1, 0, 0, 0] }
  for place in 400..<420 { values[place] = .nan }
  let score = OrientationScore(values, against: turningTrial())
  #expect(score.count == 271 && score.badCount == 5)
  #expect(score.total < 1e-5)
}

@Test func restIsCountedBySamplesPhasesAndOnsets() {
  let said = (0..<400).map { $0 % 7 == 0 || (211..<290).contains($0) }
  // Expected values from a separate implementation in NumPy.
  let score = RestScore(said, against: turningTrial())
  #expect(score.truePositives == 85 && score.falsePositives == 41 && score.falseNegatives == 34)
  #expect(score.falseOnsets == 41)
  #expect(score.phases == 0, "99 samples at 50 Hz are shorter than 2 s")
  #expect(abs(score.precision - 85.0 / 126) < 1e-12 && abs(score.recall - 85.0 / 119) < 1e-12)
}

@Test func aLongRestIsFoundOrMissed() {
  var trial = turningTrial()
  for sample in 190..<310 { trial.isMoving[sample] = false }
  var sum = RestScore((0..<400).map { $0 == 250 }, against: trial)
  #expect(sum.phases == 1 && sum.phasesFound == 1 && sum.falseOnsets == 0)
  sum += RestScore([Bool](repeating: false, count: 400), against: trial)
  #expect(sum.phases == 2 && sum.phasesFound == 1)
  #expect(sum.precision == 1)
}

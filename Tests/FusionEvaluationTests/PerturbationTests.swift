import Foundation
import FusionEvaluation
import TrackerRuntime
import Testing

@Test func blocksAreMeansStampedAtTheirEnd() {
  let trial = turningTrial()
  let slow = Perturbation.blockAverage(6).applied(to: trial)
  #expect(slow.count == 66, "four samples are left over")
  #expect(slow.times[0] == trial.times[5] && slow.times[65] == trial.times[395])
  #expect(abs(slow.angularRate[3] - 8.5) < 1e-12, "the mean of 6 to 11")
  #expect(abs(slow.specificForce[4] - 8.5) < 1e-12 && abs(slow.magneticFluxDensity[5] + 8.5) < 1e-12)
  #expect(Array(slow.reference[0..<4]) == Array(trial.reference[20..<24]))
  #expect(slow.isMoving[3] == trial.isMoving[23])
  #expect(abs(slow.period - 0.12) < 1e-9)
}

@Test func aBiasAddsToTheAxesWithItsSigns() {
  let trial = turningTrial()
  let biased = Perturbation.gyroscopeBias(degreesPerSecond: 180).applied(to: trial)
  for axis in 0..<3 {
    let difference = biased.angularRate[30 + axis] - trial.angularRate[30 + axis]
    #expect(abs(difference - [Double.pi, -Double.pi, Double.pi][axis]) < 1e-9)
  }
  #expect(biased.specificForce == trial.specificForce && biased.reference.count == trial.reference.count)
  let pushed = Perturbation.accelerometerBias(milligravities: 50).applied(to: trial)
  #expect(abs(pushed.specificForce[1] - trial.specificForce[1] + 0.4903325) < 1e-9)
}

@Test func noiseHasItsStrengthAndRepeatsWithItsSeed() {
  let trial = turningTrial()
  let noise = Perturbation.noise(degreesPerSecond: 0.3, milligravities: 20, seed: 7)
  let noisy = noise.applied(to: trial)
  #expect(noisy.specificForce == noise.applied(to: trial).specificForce)
  #expect(noisy.magneticFluxDensity == trial.magneticFluxDensity)
  func spread(_ a: [Double], _ b: [Double]) -> Double {
    (zip(a, b).map { ($0 - $1) * ($0 - $1) }.reduce(0, +) / Double(a.count)).squareRoot()
  }
  // 1,200 draws scatter by 2 %.
  #expect(abs(spread(noisy.angularRate, trial.angularRate) / (0.3 * .pi / 180) - 1) < 0.1)
  #expect(abs(spread(noisy.specificForce, trial.specificForce) / 0.196133 - 1) < 0.1)
  let other = Perturbation.noise(degreesPerSecond: 0.3, milligravities: 20, seed: 8).applied(to: trial)
  #expect(other.angularRate != noisy.angularRate)
  var renamed = trial
  renamed.name = "another"
  #expect(noise.applied(to: renamed).angularRate != noisy.angularRate)
}

@Test func scaleAndHardIronChangeOnlyTheirSensor() {
  let trial = turningTrial()
  let scaled = Perturbation.gyroscopeScale(percent: 2).applied(to: trial)
  #expect(abs(scaled.angularRate[31] - 20.4) < 1e-9)
  #expect(scaled.magneticFluxDensity == trial.magneticFluxDensity)
  let magnetised = Perturbation.hardIron(x: 10, y: -8, z: 6).applied(to: trial)
  #expect(Array(magnetised.magneticFluxDensity[0..<3]) == [30, -8, 6])
  #expect(magnetised.angularRate == trial.angularRate)
  #expect(Perturbation.none.applied(to: trial).angularRate == trial.angularRate)
}

private let rows = """
  0.0000,0.00123,-0.5,0,0.1,0.2,9.8100,20.5,-1,-42.125,0.500000,-0.500000,0.500000,0.500000,0
  0.0035,0.1,0.2,0.3,-0.1,0.2,9.7900,20.5,-1,-42.125,,,,,1
  """

@Test func aTrialIsReadWithItsMissingTruth() throws {
  for text in ["\(OrientationTrial.header)\n\(rows)\n", "\(OrientationTrial.header)\r\n\(rows)"] {
    let trial = try OrientationTrial(text: text, name: "two")
    #expect(trial.count == 2 && trial.isMoving == [false, true])
    #expect(Array(trial.angularRate[0..<3]) == [0.00123, -0.5, 0])
    #expect(trial.magneticFluxDensity[5] == -42.125 && trial.specificForce[2] == 9.81)
    #expect(trial.reference[1] == -0.5 && trial.reference[4].isNaN)
    #expect(trial.period == 0.0035)
  }
}

@Test func aBadTrialNamesItsLine() {
  let good = "\(OrientationTrial.header)\n\(rows)\n"
  let bad: [(String, String)] = [
    ("", "fewer than two samples"), ("t,x\n1,2\n", "other columns"),
    (good + "0.007,1,2,3,4,5,6,7,8,9,1,0,0\n", ":4: 13 columns"),
    (good + "0.007,1,2,x,4,5,6,7,8,9,1,0,0,0,1\n", ":4: column 4 is not a number"),
    (good + "0.007,1,,3,4,5,6,7,8,9,1,0,0,0,1\n", ":4: column 3 is not a number"),
    (good + "0.007,1,2,3,4,5,6,7,8,9,1,0,0,0,1,5\n", ":4: column 16"),
  ]
  for (text, expected) in bad {
    let error = #expect(throws: RecordingError.self) { try OrientationTrial(text: text, name: "bad.csv") }
    #expect(error.map { "\($0)".contains(expected) } == true, "\(expected)")
  }
}

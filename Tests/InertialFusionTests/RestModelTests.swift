import Quantities
import TestSupport
import Testing

@testable import InertialFusion

/// A sensor's half a minute, as the detector may meet it.
private struct Scene: Sendable {
  var name: String
  var seconds: Double
  /// Standard deviations, rad/s and m/s².
  var noise: (rate: Float, force: Float) = (0.003, 0.03)
  var mean: (rate: Vector3, force: Vector3) = (Vector3(0.1, -0.05, 0.02), Vector3(0.3, -0.2, 9.75))
  /// Added at a time in seconds since the scene began.
  var motion: @Sendable (Float) -> (rate: Vector3, force: Vector3) = { _ in (.zero, .zero) }
  /// Steps of a coarse converter.
  var steps: (rate: Float, force: Float) = (0, 0)
  var has = (rate: true, force: true)
  var begins = false
}

private let scenes: [Scene] = [
  Scene(name: "rest", seconds: 4),
  Scene(name: "a touch", seconds: 0.2, motion: { _ in (Vector3(0.02, 0, 0.01), Vector3(0.1, 0.1, 0)) }),
  Scene(name: "rest after a touch", seconds: 3),
  Scene(
    name: "handling", seconds: 2,
    motion: { (Vector3(0.3, 0.2, 0) * Elementary.sin(7 * $0), Vector3(1, 0, 0.5) * Elementary.sin(11 * $0)) }),
  Scene(name: "a pause", seconds: 0.7),
  Scene(
    name: "a stronger one", seconds: 1,
    motion: { (Vector3(1, 0.2, 2) * Elementary.sin(5 * $0), Vector3(3, 2, 0.5) * Elementary.sin(9 * $0)) }),
  Scene(name: "rest after it", seconds: 6),
  Scene(name: "a slow tilt", seconds: 5, motion: { (.zero, Vector3(0.06, 0.03, 0) * $0) }),
  Scene(name: "rest tilted", seconds: 5, mean: (Vector3(0.1, -0.05, 0.02), Vector3(0.6, -0.05, 9.75))),
  Scene(name: "a slow turn", seconds: 4, mean: (Vector3(0.1, -0.05, 0.06), Vector3(0.6, -0.05, 9.75))),
  Scene(name: "rest again", seconds: 3, mean: (Vector3(0.1, -0.05, 0.02), Vector3(0.6, -0.05, 9.75))),
  Scene(name: "a bias that moved", seconds: 13, mean: (Vector3(0.13, -0.05, 0.02), Vector3(0.6, -0.05, 9.75))),
  Scene(name: "a bias no part has", seconds: 12, mean: (Vector3(0.13, -0.6, 0.02), Vector3(0.6, -0.05, 9.75))),
  Scene(name: "after a silence", seconds: 3, begins: true),
  Scene(
    name: "a coarse converter", seconds: 5, noise: (0.001, 0.002),
    mean: (Vector3(0.1, -0.05, 0.02), Vector3(0.32, -0.24, 9.76)), steps: (0.0175, 0.08)),
  Scene(
    name: "a step of it", seconds: 3, noise: (0.001, 0.002),
    mean: (Vector3(0.11, -0.05, 0.02), Vector3(0.32, -0.24, 9.84)),
    steps: (0.0175, 0.08)),
  Scene(name: "gyroscope alone", seconds: 4, has: (true, false)),
  Scene(name: "accelerometer alone", seconds: 4, has: (false, true)),
  Scene(name: "a louder sensor", seconds: 26, noise: (0.011, 0.16)),
  Scene(name: "a quiet one", seconds: 8, noise: (0.0005, 0.004)),
]

/// Louder from the first sample on than the detector expects, in different ways.
private let loudScenes: [Scene] = [
  Scene(name: "loud", seconds: 6, noise: (0.014, 0.2)),
  Scene(
    name: "handling", seconds: 2, noise: (0.014, 0.2),
    motion: { (Vector3(0.3, 0.2, 0) * Elementary.sin(7 * $0), Vector3(1, 0, 0.5) * Elementary.sin(11 * $0)) }),
  Scene(name: "loud again", seconds: 4, noise: (0.014, 0.2)),
  Scene(name: "louder still", seconds: 22, noise: (0.018, 0.27)),
  Scene(name: "too loud", seconds: 22, noise: (0.025, 0.2)),
  Scene(name: "force too loud", seconds: 5, noise: (0.01, 0.4), begins: true),
  Scene(
    name: "a vibration", seconds: 5, noise: (0.0005, 0.01),
    motion: { (Vector3(0.012, 0, 0) * Elementary.sin(130 * $0), Vector3(0.2, 0, 0.2) * Elementary.sin(140 * $0)) },
    begins: true),
]

/// The detector against the one that keeps all samples in an array.
@Suite struct RestModelTests {
  @Test(arguments: [25.0, 100], [0, 1, 2])
  func theDetectorDecidesAsTheManualSays(hertz: Double, variant: Int) {
    var parameters = RestParameters()
    // Not on the edge of a window, where rounding decides.
    parameters.firstLevelTime = .milliseconds(1550)
    parameters.levelTime = .milliseconds(20_050)
    parameters.biasChangeTime = .milliseconds(10_050)
    if variant == 1 {
      // Every number another, so that none stands in for another.
      parameters.window = .milliseconds(160)
      parameters.minimumSamples = 5
      parameters.scatterQuantile = 4
      parameters.meanFactor = 4.5
      parameters.entryShare = 0.5
      parameters.minimumAngularRate = 0.006
      parameters.minimumSpecificForce = 0.05
      parameters.minimumAngularRateChange = 0.004
      parameters.minimumSpecificForceChange = 0.06
      parameters.maximumBias = 0.7
      parameters.dwell = .milliseconds(900)
      parameters.shortestDwell = .milliseconds(500)
      parameters.firstLevelTime = .milliseconds(2550)
      parameters.levelTime = .milliseconds(12_100)
      parameters.biasChangeTime = .milliseconds(6100)
    }
    let coefficients = RestCoefficients(parameters)
    var state = RestState()
    var reference = RestReference(parameters)
    var random = SeededRandom(seed: 411 + UInt64(variant))
    var seen = (rest: 0, movement: 0, changed: 0)
    var isKnown = false
    func coarse(_ v: Vector3, _ step: Float) -> Vector3 {
      guard step > 0 else { return v }
      return Vector3((v.x / step).rounded() * step, (v.y / step).rounded() * step, (v.z / step).rounded() * step)
    }
    for scene in variant == 2 ? loudScenes : scenes {
      if scene.begins {
        state.interrupt()
        reference.interrupt()
        #expect(!state.isAtRest)
      }
      for index in 0..<Int(scene.seconds * hertz) {
        let moved = scene.motion(Float(index) / Float(hertz))
        let rate = coarse(scene.mean.rate + moved.rate + random.vector(deviation: scene.noise.rate), scene.steps.rate)
        let force = coarse(
          scene.mean.force + moved.force + random.vector(deviation: scene.noise.force), scene.steps.force)
        let (r, f) = (scene.has.rate ? rate : nil, scene.has.force ? force : nil)
        let isFull = state.add(
          angularRate: r, specificForce: f, seconds: Float(1 / hertz), coefficients: coefficients)
        let isModelFull = reference.add(r, f, seconds: 1 / hertz)
        guard isFull == isModelFull else {
          Issue.record("\(scene.name) at \(index): window \(isFull)")
          return
        }
        guard isFull else { continue }
        let bias = Vector3(0.1, -0.05, 0.02)
        let uncertainty: Float? = isKnown ? 0.001 : nil
        let window = state.close(bias: bias, biasUncertainty: uncertainty, coefficients: coefficients)
        let wanted = reference.close(bias: bias, uncertainty: uncertainty)
        if window.isAtRest { seen.rest += 1 } else { seen.movement += 1 }
        if window.biasHasChanged { seen.changed += 1 }
        // Known from the first rest on, as in the filter.
        if seen.rest == 10 { isKnown = true }
        let pairs = [
          (window.evidence.angularRateRatio, wanted.scatter.rate),
          (window.evidence.specificForceRatio, wanted.scatter.force),
          (window.evidence.rateChangeRatio, wanted.change.rate),
          (window.evidence.forceChangeRatio, wanted.change.force),
          (window.evidence.meanRateRatio, wanted.meanRate), (window.evidence.activity, wanted.activity),
        ]
        let worst = pairs.map { abs(Double($0.0) - $0.1) / (0.1 + $0.1) }.max() ?? 0
        // Whether a window shows no change at all is decided by the last bit of a sum, when the one before was another.
        let isUnsure = scene.steps.rate > 0 && Double(index) < 0.5 * hertz
        let noise = [
          (state.angularRateNoise.variance, reference.rate.variance),
          (state.angularRateNoise.colour, reference.rate.colour),
          (state.specificForceNoise.variance, reference.force.variance),
          (state.specificForceNoise.colour, reference.force.colour),
        ]
        let floor = noise.map { abs(Double($0.0) / $0.1 - 1) }.max() ?? 0
        guard window.isAtRest == wanted.isAtRest, state.isAtRest == wanted.isAtRest,
          window.biasHasChanged == wanted.biasHasChanged, worst < 0.01 || isUnsure, floor < 0.01
        else {
          Issue.record(
            "\(scene.name) at \(index): \(window.isAtRest) \(window.biasHasChanged) \(window.evidence), not \(wanted); \(floor)"
          )
          return
        }
      }
    }
    #expect(seen.rest > 100 && seen.movement > 50, "\(seen)")
    #expect(variant != 2 || state.angularRateNoise.variance > 1e-4)
    #expect(variant == 2 || seen.changed >= 1, "\(seen)")
  }

  @Test func aWindowSaysWhatItHasSeen() {
    let coefficients = RestCoefficients()
    var state = RestState()
    var random = SeededRandom(seed: 421)
    var rates: [Vector3] = []
    var forces: [Vector3] = []
    var windows = 0
    for index in 0..<400 {
      let rate = Vector3(0.2, 0, -0.1) + random.vector(deviation: 0.004)
      let force = Vector3(0, 0.1, 9.8) + random.vector(deviation: 0.05)
      rates.append(rate)
      forces.append(force)
      let isFull = state.add(angularRate: rate, specificForce: force, seconds: 0.01, coefficients: coefficients)
      // The first sample has no time of its own.
      #expect(isFull == (index == 10 || (index > 10 && index % 10 == 0)))
      guard isFull else { continue }
      let before = state.angularRateNoise
      let window = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
      windows += 1
      let count = rates.count
      func moments(_ values: [Vector3]) -> (mean: Vector3, variance: Float) {
        let mean = values.reduce(.zero) { $0 + $1 } * (1 / Float(count))
        return (mean, values.reduce(0) { $0 + ($1 - mean).squaredLength } / Float(3 * (count - 1)))
      }
      let (turning, felt) = (moments(rates), moments(forces))
      #expect(abs(window.seconds - 0.1) < 1e-5)
      #expect(window.angularRate.count == Int32(count) && window.specificForce.count == Int32(count))
      #expect((window.angularRate.mean - turning.mean).length < 1e-5)
      #expect((window.specificForce.mean - felt.mean).length < 1e-4)
      #expect(abs(window.angularRate.variance / turning.variance - 1) < 0.01)
      #expect(abs(window.specificForce.variance / felt.variance - 1) < 0.01)
      #expect(abs(window.angularRate.varianceOfMean / (before.colour * before.variance / Float(count)) - 1) < 1e-4)
      #expect(!window.isUnchanged && window.unchangedAxes == 0)
      rates = []
      forces = []
    }
    #expect(windows == 39)
  }

  /// Which axes have stood still, and whether all did: one bit for each.
  @Test func axesThatStandStillAreNamed() {
    let coefficients = RestCoefficients()
    for stuck in UInt8(0)..<64 {
      var state = RestState()
      var last = RestWindow()
      for index in 0..<33 {
        let value = Float(index % 7) * 0.01
        func axis(_ bit: UInt8, _ at: Float) -> Float { stuck & bit == 0 ? at + value : at }
        let rate = Vector3(axis(1, 0.1), axis(2, 0.2), axis(4, -0.1))
        let force = Vector3(axis(8, 0.5), axis(16, 0.25), axis(32, 9.75))
        if state.add(angularRate: rate, specificForce: force, seconds: 0.01, coefficients: coefficients) {
          last = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
        }
      }
      // A sensor of which nothing moves is not stuck in one axis.
      let wanted = (stuck & 7 == 7 ? 0 : stuck & 7) | (stuck & 56 == 56 ? 0 : stuck & 56)
      #expect(last.unchangedAxes == wanted, "\(stuck)")
      #expect(last.isUnchanged == (stuck == 63), "\(stuck)")
    }
  }
}

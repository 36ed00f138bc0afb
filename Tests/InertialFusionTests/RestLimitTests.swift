import Quantities
import TestSupport
import Testing

@testable import InertialFusion

/// A detector fed with windows of ten samples, a hundredth of a second each, whose content is exact.
private struct Windows {
  var state = RestState()
  let coefficients: RestCoefficients
  var bias: (Vector3, Float)?
  private var random = SeededRandom(seed: 461)

  init(_ parameters: RestParameters = RestParameters()) { coefficients = RestCoefficients(parameters) }

  /// One window whose values alternate about a mean.
  mutating func close(
    rate: Vector3 = .zero, force: Vector3 = Vector3(0, 0, 9.8), rateSwing: Float = 0, forceSwing: Float = 0
  ) -> RestWindow {
    for index in 0..<40 {
      let swing = Vector3(1, 1, 1) * (index % 2 == 0 ? 1 : -1)
      let faint = random.vector(deviation: 1e-5)
      if state.add(
        angularRate: rate + swing * rateSwing + faint, specificForce: force + swing * forceSwing + faint * 10,
        seconds: 0.01, coefficients: coefficients)
      {
        return state.close(bias: bias?.0 ?? .zero, biasUncertainty: bias?.1, coefficients: coefficients)
      }
    }
    return RestWindow()
  }

  /// Seconds of quiet until it rests; nil when it never does.
  mutating func secondsToRest(rate: Vector3 = .zero, force: Vector3 = Vector3(0, 0, 9.8)) -> Float? {
    var seconds: Float = 0
    for _ in 0..<300 {
      let window = close(rate: rate, force: force)
      seconds += window.seconds
      if window.isAtRest { return seconds }
    }
    return nil
  }
}

/// Both sides of each limit of the rest detector.
@Suite struct RestLimitTests {
  @Test func theDefaultsAreThoseOfTheManual() {
    let p = RestParameters()
    #expect(p.window == .milliseconds(100) && p.minimumSamples == 3 && p.halfWindow == .milliseconds(200))
    #expect(p.noiseFactor == 3 && p.scatterQuantile == 5 && p.meanFactor == 5.5 && p.entryShare == 0.75)
    #expect(p.minimumAngularRate == 0.01 && p.minimumSpecificForce == 0.1)
    #expect(p.minimumAngularRateChange == 0.007 && p.minimumSpecificForceChange == 0.1 && p.maximumBias == 0.5)
    #expect(p.dwell == .milliseconds(1200) && p.shortestDwell == .milliseconds(300))
    #expect(p.firstLevelTime == .milliseconds(1500) && p.levelTime == .seconds(20) && p.biasChangeTime == .seconds(10))
    let fresh = RestState()
    #expect(fresh.angularRateNoise.variance == 0.005 * 0.005 && fresh.specificForceNoise.variance == 0.05 * 0.05)
    #expect(fresh.angularRateNoise.colour == 1 && !fresh.isAtRest)
  }

  /// A window is full from its length less a thousandth on, and with as many samples as it must hold.
  @Test(
    arguments: [
      (0.0333, 3, 3), (0.0332, 3, 4), (0.05, 2, 2), (0.05, 3, 2), (0.05, 4, 3), (0.2, 1, 1), (0.2, 3, 2), (0.01, 3, 10),
    ] as [(Float, Int32, Int)])
  func aWindowIsFullWhenItIsLongEnoughAndHoldsEnough(seconds: Float, minimum: Int32, samples: Int) {
    var parameters = RestParameters()
    parameters.minimumSamples = minimum
    let coefficients = RestCoefficients(parameters)
    for has in [(true, true), (true, false), (false, true)] {
      var state = RestState()
      var full: [Int] = []
      for index in 0..<30 {
        if state.add(
          angularRate: has.0 ? .zero : nil, specificForce: has.1 ? Vector3(0, 0, 9.8) : nil, seconds: seconds,
          coefficients: coefficients)
        {
          full.append(index)
          _ = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
        }
      }
      // The first sample begins the first window and has no length.
      #expect(full.first == samples, "\(full.prefix(3))")
      let later = zip(full, full.dropFirst()).map { $1 - $0 }
      #expect(later.allSatisfy { $0 == max(samples, Int(max(2, minimum))) }, "\(full)")
    }
  }

  /// Each kind of evidence: just below one it rests on, just above it moves.
  @Test(arguments: 0..<5)
  func eachEvidenceIsMovementFromOneOn(kind: Int) {
    var resting = Windows()
    if kind == 4 { resting.bias = (.zero, 0.0001) }
    for _ in 0..<40 { _ = resting.close() }
    #expect(resting.state.isAtRest)
    func ratio(_ e: RestEvidence) -> Float {
      [e.angularRateRatio, e.specificForceRatio, e.rateChangeRatio, e.forceChangeRatio, e.meanRateRatio][kind]
    }
    func apply(_ size: Float) -> RestWindow {
      var copy = resting
      switch kind {
      case 0: return copy.close(rateSwing: size)
      case 1: return copy.close(forceSwing: size)
      case 2: return copy.close(rate: Vector3(size, 0, 0))
      case 3: return copy.close(force: Vector3(0, size, 9.8))
      // Slowly, so that the change of the mean takes no part.
      default:
        var window = RestWindow()
        for step in 1...60 { window = copy.close(rate: Vector3(0, 0, size * Float(step) / 60)) }
        return window
      }
    }
    let unit = [Float(0.01), 0.1, 0.007, 0.1, 0.01][kind]
    let size = unit / ratio(apply(unit).evidence)
    // The documented minima stand above the noise of this sensor.
    #expect(abs(size / unit - (kind < 2 ? 0.95 : 1)) < 0.05, "\(size)")
    for (factor, rests) in [(Float(0.97), true), (1.03, false)] {
      let window = apply(size * factor)
      #expect(abs(ratio(window.evidence) - factor) < 0.02 && window.isAtRest == rests, "\(window.evidence)")
    }
  }

  @Test func whileNoBiasIsKnownTheLargestThereCanBeIsTheLimit() {
    for (rate, rests) in [
      (Vector3(0.49, 0, 0), true), (Vector3(0.51, 0, 0), false), (Vector3(0, -0.51, 0), false),
      (Vector3(0, 0, 0.51), false), (Vector3(0.49, -0.49, 0.49), true),
    ] {
      var windows = Windows()
      let seconds = windows.secondsToRest(rate: rate)
      #expect((seconds != nil) == rests, "\(rate)")
      let window = windows.close(rate: rate)
      #expect(abs(window.evidence.meanRateRatio - rate.largestComponent / 0.5) < 0.001)
    }
  }

  /// As long as it does not rest, the means must change by less than three quarters of what ends rest.
  @Test(arguments: [(Float(0.72), true), (0.78, false)])
  func restBeginsOnlyWhenTheMeansHardlyChange(factor: Float, rests: Bool) {
    for isRate in [true, false] {
      var windows = Windows()
      for _ in 0..<80 { _ = windows.close() }
      _ = windows.close(rateSwing: 1)
      var rested = false
      for step in 0..<20 {
        // To and fro; the mean of the quiet begins with the first.
        let size = (step % 2 == 0 ? 0 : 1) * factor * (isRate ? 0.007 : 0.1)
        let window = windows.close(
          rate: Vector3(isRate ? size : 0, 0, 0), force: Vector3(0, isRate ? 0 : size, 9.8))
        rested = rested || window.isAtRest
        #expect(window.evidence.activity < 1)
      }
      #expect(rested == rests)
    }
  }

  /// The stronger the movement, the longer a pause may be: 0.3 s at the threshold, 1.2 s at four times it and beyond.
  @Test(arguments: [
    (Float(1.02), Float(0.31)), (1.5, 0.45), (2.5, 0.75), (3.9, 1.17), (4.2, 1.2), (30, 1.2),
  ])
  func theDwellGrowsWithTheMovement(activity: Float, seconds: Float) {
    for isRate in [true, false] {
      var windows = Windows()
      for _ in 0..<20 { _ = windows.close() }
      #expect(windows.state.isAtRest)
      let moved =
        isRate ? windows.close(rateSwing: 0.0095 * activity) : windows.close(forceSwing: 0.095 * activity)
      #expect(!moved.isAtRest && abs(moved.evidence.activity / activity - 1) < 0.03)
      let rested = windows.secondsToRest() ?? -1
      #expect(rested >= seconds * 0.97 && rested < seconds * 1.03 + 0.1, "\(rested) s")
      // A weaker one during the dwell of a stronger does not shorten it.
      if activity == 30 {
        _ = windows.close(rateSwing: 0.3)
        for _ in 0..<3 { _ = windows.close() }
        _ = windows.close(rateSwing: 0.011)
        let waited = windows.secondsToRest() ?? -1
        #expect(waited > 1.15)
      }
      // Once it has rested, the next faint touch costs the shortest dwell again.
      _ = windows.close(rateSwing: 0.0098)
      let again = windows.secondsToRest() ?? -1
      #expect(again < 0.45)
    }
  }

  @Test func aTiltNeedsTheWholeDwellAndTheStartTheShortest() {
    var windows = Windows()
    let first = windows.secondsToRest() ?? -1
    #expect(abs(first - 0.3) < 0.01)
    for _ in 0..<20 { _ = windows.close() }
    let tilted = windows.close(force: Vector3(0.103, 0, 9.8))
    #expect(!tilted.isAtRest && tilted.evidence.forceChangeRatio < 1.1)
    let second = windows.secondsToRest(force: Vector3(0.103, 0, 9.8)) ?? -1
    #expect(abs(second - 1.2) < 0.11)
    // A dwell below the shortest is the shortest.
    var parameters = RestParameters()
    parameters.dwell = .milliseconds(100)
    parameters.shortestDwell = .milliseconds(600)
    var short = Windows(parameters)
    for _ in 0..<20 { _ = short.close() }
    _ = short.close(rateSwing: 0.5)
    let third = short.secondsToRest() ?? -1
    #expect(abs(third - 0.6) < 0.01)
  }

  @Test(arguments: [(Float(9.85), false), (10.15, true)])
  func aRateThatStaysIsTheBiasAfterTenSeconds(seconds: Float, hasChanged: Bool) {
    var windows = Windows()
    windows.bias = (.zero, 0.001)
    for _ in 0..<30 { _ = windows.close() }
    #expect(windows.state.isAtRest)
    // Rest is over at once; the change of the mean counts until the mean of the quiet has begun anew.
    _ = windows.close(rate: Vector3(0.05, 0, 0))
    var changed = 0
    for _ in 0..<Int(seconds * 10) {
      let window = windows.close(rate: Vector3(0.05, 0, 0))
      if window.biasHasChanged { changed += 1 }
      #expect(window.isAtRest == window.biasHasChanged)
      #expect(!window.biasHasChanged || window.evidence.meanRateRatio == 0)
    }
    #expect(changed == (hasChanged ? 1 : 0))
    // A disturbance in between begins the time anew.
    var disturbed = Windows()
    disturbed.bias = (.zero, 0.001)
    for step in 0..<190 {
      let window = disturbed.close(rate: Vector3(0.05, 0, 0), rateSwing: step == 95 ? 0.05 : 0)
      #expect(!window.biasHasChanged && !window.isAtRest)
    }
  }

  /// A sensor louder than expected: after a second and a half, and with no less than 120 samples.
  @Test(arguments: [(200.0, 1.5), (100, 1.5), (50, 2.4), (30, 4)])
  func aLoudSensorRestsAfterItsFirstLevelTime(hertz: Double, seconds: Double) {
    var rested: [Double] = []
    for seed in UInt64(471)...476 {
      var random = SeededRandom(seed: seed)
      var state = RestState()
      let coefficients = RestCoefficients()
      for index in 0..<Int(hertz * 20) {
        if state.add(
          angularRate: random.vector(deviation: 0.015),
          specificForce: Vector3(0, 0, 9.8) + random.vector(deviation: 0.2),
          seconds: Float(1 / hertz), coefficients: coefficients)
        {
          _ = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
        }
        if state.isAtRest {
          rested.append(Double(index) / hertz)
          break
        }
      }
    }
    // Whatever is not level begins the time anew: the earliest shows it.
    let first = rested.min() ?? -1
    #expect(rested.count == 6 && first >= seconds * 0.99 && first < seconds + 0.35, "\(rested)")
  }

  /// A sensor whose noise was learnt and is another one now: after twenty seconds.
  @Test func aSensorThatGrewLoudRestsAfterItsLevelTime() {
    var random = SeededRandom(seed: 481)
    var state = RestState()
    let coefficients = RestCoefficients()
    var rested: Double?
    for index in 0..<6000 {
      let deviation: Float = index < 1000 ? 0.004 : 0.015
      if state.add(
        angularRate: random.vector(deviation: deviation),
        specificForce: Vector3(0, 0, 9.8) + random.vector(deviation: deviation * 12), seconds: 0.01,
        coefficients: coefficients)
      {
        _ = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
      }
      if index < 1000, index > 100 { #expect(state.isAtRest) }
      if index > 1010, state.isAtRest, rested == nil { rested = Double(index - 1000) / 100 }
    }
    let seconds = rested ?? -1
    #expect(seconds >= 19.9 && seconds < 41, "\(seconds) s")
    #expect(abs(state.angularRateNoise.variance / (0.015 * 0.015) - 1) < 0.1)
  }

  @Test func theFloorFollowsWithinItsBounds() {
    var floor = NoiseFloor(prior: 0.01)
    floor.follow(variance: 3e-4, colour: 5, share: 0.25, smallest: 1e-4)
    #expect(abs(floor.variance - 1.5e-4) < 1e-9 && floor.colour == 2)
    #expect(abs(floor.varianceOfMean(count: 10) - 3e-5) < 1e-10)
    floor.follow(variance: 0, colour: 0, share: 1, smallest: 1e-3)
    #expect(abs(floor.variance - 1e-6) < 1e-11 && floor.colour == 1)
    floor.follow(variance: 1e-4, colour: 100, share: 1, smallest: 1e-4)
    #expect(floor.colour == 9)
    floor.replace(variance: 2e-4, colour: 12)
    #expect(floor.variance == 2e-4 && floor.colour == 9)
    floor.replace(variance: 3e-4, colour: 0.7)
    #expect(floor.variance == 3e-4 && floor.colour == 1)
  }
}

/// The windows of the parked vehicle, out of short ones.
@Suite struct RestDetectorLimitTests {
  private func window(
    seconds: Float = 0.1, rate: Vector3 = .zero, rateVariance: Float = 1e-6, forceVariance: Float = 1e-4,
    moves: Float = 0, isUnchanged: Bool = false, count: Int32 = 10
  ) -> RestWindow {
    var window = RestWindow()
    window.seconds = seconds
    window.angularRate = RestSummary(count: count, mean: rate, variance: rateVariance)
    window.specificForce = RestSummary(count: count, mean: Vector3(0, 0, 9.8), variance: forceVariance)
    window.evidence.angularRateRatio = moves
    window.isAtRest = moves < 1
    window.isUnchanged = isUnchanged
    return window
  }

  private let rest = RestState()

  private func take(
    _ detector: inout RestDetector, _ window: RestWindow, at milliseconds: Int, known: Float? = nil
  ) -> Bool {
    let bias = Vector3(0.01, 0, 0)
    return detector.take(
      window, from: rest, endingAt: .milliseconds(milliseconds), bias: bias, biasUncertainty: known)
  }

  /// What three samples show of shaking without a slope through them, and without what is no sample of theirs.
  @Test func threeSamplesShowWhatIsFasterThanASway() {
    func ripple(_ x: (Float, Float, Float), middle: Float?, count: Int32 = 3) -> Float {
      let mean = (x.0 + x.1 + x.2) / 3
      let squares = (x.0 - mean) * (x.0 - mean) + (x.1 - mean) * (x.1 - mean) + (x.2 - mean) * (x.2 - mean)
      var window = RestWindow()
      window.seconds = 0.24
      window.specificForce = RestSummary(count: count, mean: Vector3(0, 0, 9.8 + mean), variance: squares / 6)
      var detector = RestDetector()
      _ = detector.take(
        window, from: rest, endingAt: .milliseconds(240), middle: middle.map { Vector3(0, 0, 9.8 + $0) }, bias: .zero,
        biasUncertainty: nil)
      return detector.specificForceRipple
    }
    #expect(ripple((-1, 0, 1), middle: 0) < 1e-6, "a slope")
    #expect(abs(ripple((-1, 0, 1), middle: nil) - 1.0 / 3) < 1e-5)
    #expect(abs(ripple((-1, 0.6, 1), middle: 0.6) - 0.08) < 1e-5, "half of the square of 0.4")
    #expect(abs(ripple((1, -1, 1), middle: -1) - 4.0 / 9) < 1e-5, "never more than the scatter")
    #expect(abs(ripple((-1, 0, 1), middle: 0, count: 4) - 1.0 / 3) < 1e-5, "one of four is none in the middle")
    // Of three values none is farther from their mean than two on one side of one.
    #expect(abs(ripple((-1, 0, 1), middle: 1.16) - 1.0 / 3) < 1e-5 && ripple((1, -2, 1), middle: -2) > 0.99)
    #expect(abs(ripple((-1, 0, 1), middle: .nan) - 1.0 / 3) < 1e-5)
  }

  @Test(arguments: [(199, 2), (200, 2), (201, 3), (300, 3)])
  func aHalfWindowIsAtLeastAsLongAsStated(milliseconds: Int, windows: Int) {
    var parameters = RestParameters()
    parameters.halfWindow = .milliseconds(milliseconds)
    var detector = RestDetector(parameters: parameters)
    var closed: [Int] = []
    for step in 1...12 { if take(&detector, window(), at: 100 * step) { closed.append(step) } }
    #expect(closed == Array(stride(from: windows, through: 12, by: windows)))
    #expect(detector.windowEnd - detector.windowStart == .milliseconds(100 * windows))
    // Two halves, and no more.
    #expect(detector.angularRate.count == Int32(20 * windows) && detector.specificForce.count == Int32(20 * windows))
  }

  /// Scatter over two halves against three deviations of the learnt noise, or the least there is.
  @Test func evidenceIsTheScatterOverItsLimit() {
    for (rate, force, factor) in [
      (Float(1e-4), Float(0.01), Float(3)), (1e-3, 0.09, 3), (1e-3, 0.09, 1), (1e-6, 1e-3, 3),
    ] {
      var parameters = RestParameters()
      parameters.noiseFactor = factor
      var detector = RestDetector(parameters: parameters)
      for step in 1...4 { _ = take(&detector, window(rateVariance: rate, forceVariance: force), at: 100 * step) }
      // Priors: 0.005 rad/s and 0.05 m/s²; minima 0.01 and 0.1. Forty samples of groups of ten lose a little.
      let share: Float = 36.0 / 39
      let rateLimit = max(factor * 0.005, 0.01)
      let forceLimit = max(factor * 0.05, 0.1)
      #expect(abs(detector.evidence.angularRateRatio / ((rate * share).squareRoot() / rateLimit) - 1) < 0.01)
      #expect(abs(detector.evidence.specificForceRatio / ((force * share).squareRoot() / forceLimit) - 1) < 0.01)
      #expect(detector.evidence.meanRateRatio == 0)
    }
    // The mean rate less a known bias, against its own uncertainty.
    for (uncertainty, loud) in [(Float(0.0005), Float(1e-8)), (0.004, 1e-8), (0.0005, 2e-3)] {
      var detector = RestDetector()
      for step in 1...4 {
        _ = take(
          &detector, window(rate: Vector3(0.05, 0.03, 0), rateVariance: loud), at: 100 * step, known: uncertainty)
      }
      let noise = max(0.005 * 0.005 / 40, loud * 36.0 / 39 / 40)
      let limit = max(5.5 * (noise + uncertainty * uncertainty).squareRoot(), 0.01)
      #expect(abs(detector.evidence.meanRateRatio / (0.05 / limit) - 1) < 0.01)
    }
    // One sample has no scatter, none at all no mean.
    var empty = RestDetector()
    for step in 1...2 {
      _ = take(&empty, window(rateVariance: 0, forceVariance: 0, count: 0), at: 100 * step, known: 0.001)
    }
    #expect(empty.evidence == RestEvidence())
  }

  /// When it moved and since when: the end of the last short window that did, the start of the first half that did.
  @Test func movementIsDatedByItsWindows() {
    var detector = RestDetector()
    func run(_ moves: [Bool], from start: Int) -> Int {
      for (place, isMoving) in moves.enumerated() {
        _ = take(
          &detector, isMoving ? window(rateVariance: 0.04, moves: 5) : window(), at: start + 100 * (place + 1))
      }
      return start + 100 * moves.count
    }
    var now = run([false, false, false, false], from: 0)
    #expect(detector.movementOnset == nil && detector.lastMovement == nil)
    now = run([true, false], from: now)
    #expect(detector.movementOnset == .milliseconds(400) && detector.lastMovement == .milliseconds(500))
    // The window reaches back over the half before; what moved then moved then.
    now = run([false, false], from: now)
    #expect(detector.movementOnset == .milliseconds(400) && detector.lastMovement == .milliseconds(600))
    now = run([false, false], from: now)
    #expect(detector.movementOnset == nil && detector.lastMovement == .milliseconds(600))
    now = run([false, true, true, true], from: now)
    #expect(detector.movementOnset == .milliseconds(1000) && detector.lastMovement == .milliseconds(1400))
    // A silence: the movement is over, its end remembered.
    detector.interrupt()
    #expect(detector.movementOnset == nil && detector.lastMovement == .milliseconds(1400))
    #expect(!detector.isAtRest && detector.evidence == RestEvidence() && detector.angularRate.count == 0)
    // The next half begins with the first window after it.
    let closed = [60_100, 60_200].map { take(&detector, window(), at: $0) }
    #expect(closed == [false, true])
    #expect(detector.windowStart == .milliseconds(60_000) && detector.windowEnd == .milliseconds(60_200))
    #expect(detector.angularRate.count == 20 && detector.isAtRest)
  }

  @Test func aSensorThatShowsNoNoiseIsFrozenForAsLong() {
    var detector = RestDetector()
    for step in 1...30 { _ = take(&detector, window(isUnchanged: step > 5), at: 100 * step) }
    #expect(detector.frozen == .milliseconds(2500))
    _ = take(&detector, window(), at: 3100)
    #expect(detector.frozen == .zero)
    _ = take(&detector, window(isUnchanged: true), at: 3200)
    #expect(detector.frozen == .milliseconds(100))
    detector.interrupt()
    #expect(detector.frozen == .zero)
  }

  @Test func whatWasLearntOfTheNoiseOutlastsASilence() {
    var state = RestState()
    var random = SeededRandom(seed: 491)
    let coefficients = RestCoefficients()
    var detector = RestDetector()
    for index in 1...2000 {
      if state.add(
        angularRate: random.vector(deviation: 0.002),
        specificForce: Vector3(0, 0, 9.8) + random.vector(deviation: 0.02),
        seconds: 0.01, coefficients: coefficients)
      {
        let window = state.close(bias: .zero, biasUncertainty: nil, coefficients: coefficients)
        _ = detector.take(window, from: state, endingAt: .milliseconds(10 * index), bias: .zero, biasUncertainty: nil)
      }
    }
    let (rate, force) = (state.angularRateNoise, state.specificForceNoise)
    #expect(abs(rate.variance / 4e-6 - 1) < 0.1 && abs(force.variance / 4e-4 - 1) < 0.1)
    #expect(detector.angularRateNoise == rate && detector.specificForceNoise == force && detector.isAtRest)
    state.interrupt()
    detector.interrupt()
    #expect(state.angularRateNoise == rate && state.specificForceNoise == force && !state.isAtRest)
    #expect(detector.angularRateNoise == rate && detector.specificForceNoise == force)
  }
}

public import Quantities

/// What one short window showed the rest detector.
@frozen public struct RestWindow: Equatable, BitwiseCopyable, Sendable {
  /// Length, s.
  public var seconds: Float = 0
  /// Mean and scatter of the angular rate, rad/s.
  public var angularRate = RestSummary()
  /// Mean and scatter of the specific force, m/s².
  public var specificForce = RestSummary()
  /// How near it was to being movement.
  public var evidence = RestEvidence()
  /// True when it is at rest at the end of this window: the mean angular rate is the bias.
  public var isAtRest = false
  /// True when the angular rate has stayed the same for so long that the bias must have changed to it: take it as it is.
  public var biasHasChanged = false

  /// True when no value has changed since the window before: a sensor that works shows at least its own noise.
  public var isUnchanged = false
  /// Axes whose values have not changed since the window before while another axis of that sensor did: bits 0 to 2 for the
  /// angular rate, 3 to 5 for the specific force.
  public var unchangedAxes: UInt8 = 0

  @inlinable init() {}
}

/// The state of the rest detector: everything it remembers, and nothing of its tuning. It continues where it was saved.
///
/// Samples are summed over short windows (`add`), and all decisions fall when a window closes (`close`). A window is quiet when
/// its scatter is that of the sensor's own noise, when its means have not changed since it is quiet, and, once a gyroscope
/// bias is known, when the mean rate is the bias. A single window that is not quiet ends rest; rest begins after a dwell
/// that grows with the movement before. Nothing of it depends on the value of a constant bias.
///
/// - Complexity: `add`: O(1), some sums; `close`: O(1), ten or twenty times a second. No allocation.
/// - Source: [skog] generalised likelihood ratio tests for zero velocity; thresholds, learning and dwell are our own
///   (`docs/rest.md`).
public struct RestState: Equatable, BitwiseCopyable, Sendable {
  private var rate = RestSignal(prior: 0.005)
  private var force = RestSignal(prior: 0.05)
  /// Length of the open window, s; negative before the first sample.
  private var openSeconds: Float = -1
  /// For how long it is quiet, s.
  private(set) var quietSeconds: Float = 0
  /// How long it must be quiet to be called rest, s; zero stands for the shortest dwell.
  private var dwell: Float = 0
  /// Seconds of rest that the noise was learnt from.
  private var learntSeconds: Float = 0
  /// For how long the mean rate has differed from the bias while all else was quiet, s.
  private(set) var differingSeconds: Float = 0
  private var levelSeconds: Float = 0
  private var levelWindows: Float = 0
  private var levelSamples: Int32 = 0
  /// True when it has been quiet for the dwell.
  public private(set) var isAtRest = false

  /// A detector that knows nothing yet.
  public init() {}

  /// Learnt noise of the gyroscope, (rad/s)².
  public var angularRateNoise: NoiseFloor { rate.noise }
  /// Learnt noise of the accelerometer, (m/s²)².
  public var specificForceNoise: NoiseFloor { force.noise }

  /// A silence: what was seen before it says nothing about now. What was learnt of the noise stays.
  public mutating func interrupt() {
    openSeconds = -1
    quietSeconds = 0
    dwell = 0
    differingSeconds = 0
    levelWindows = 0
    isAtRest = false
  }

  /// Drops the window that is open: what follows is not to be mixed with it.
  ///
  /// - Returns: Mean angular rate of it, rad/s, nil without one, and its length, s.
  mutating func drop() -> (rate: Vector3?, seconds: Float) {
    guard openSeconds >= 0 else { return (nil, 0) }
    let dropped = (rate: rate.count > 0 ? rate.summary.mean : nil, seconds: openSeconds)
    rate.startAnew(at: nil)
    force.startAnew(at: nil)
    openSeconds = 0
    return dropped
  }

  /// Takes one sample in.
  ///
  /// - Parameters:
  ///   - angularRate: rad/s, body frame, finite; nil without gyroscope.
  ///   - specificForce: m/s², body frame, finite; nil without accelerometer.
  ///   - seconds: Since the sample before, positive; of no effect for the first one.
  /// - Returns: True when the window is full: `close` must follow.
  @inline(__always) public mutating func add(
    angularRate: Vector3?, specificForce: Vector3?, seconds: Float, coefficients: RestCoefficients
  ) -> Bool {
    add(
      InertialLanes(angularRate: angularRate, specificForce: specificForce), seconds: seconds,
      coefficients: coefficients)
  }

  /// The same of a sample in lanes.
  @inline(__always) mutating func add(
    _ values: InertialLanes, seconds: Float, coefficients: RestCoefficients
  ) -> Bool {
    if openSeconds < 0 {
      let (first, force) = (
        values.hasRate ? values.rate.vector : nil, values.hasForce ? values.force.vector : nil
      )
      if Lanes3.isWhole { startAnew(rate: first, force: force) } else { startOnce(rate: first, force: force) }
    } else {
      openSeconds += seconds
    }
    if values.hasRate { rate.add(values.rate) }
    if values.hasForce { force.add(values.force) }
    return openSeconds >= coefficients.window && max(rate.count, force.count) >= coefficients.minimumSamples
  }

  /// The first sample, or the first after a silence.
  @inline(__always) private mutating func startAnew(rate first: Vector3?, force: Vector3?) {
    rate.startAnew(at: first)
    self.force.startAnew(at: force)
    openSeconds = 0
  }

  @inline(never) private mutating func startOnce(rate first: Vector3?, force: Vector3?) {
    startAnew(rate: first, force: force)
  }

  /// Takes a batch of samples in, of both sensors.
  ///
  /// - Parameter seconds: Length of the batch.
  /// - Returns: True when the window is full: `close` must follow.
  mutating func add(
    angularRate: WindowStatistics, specificForce: WindowStatistics, seconds: Float, coefficients: RestCoefficients
  ) -> Bool {
    if openSeconds < 0 {
      rate.startAnew(at: angularRate.mean)
      force.startAnew(at: specificForce.mean)
      openSeconds = 0
    }
    openSeconds += seconds
    rate.add(angularRate)
    force.add(specificForce)
    return openSeconds >= coefficients.window && max(rate.count, force.count) >= coefficients.minimumSamples
  }

  /// What is quiet but for another rate is no other bias: something has seen that it turns.
  mutating func noteTurn() { differingSeconds = 0 }

  /// Closes the window and decides.
  ///
  /// - Parameters:
  ///   - bias: Gyroscope bias, rad/s, body frame; of no effect while its uncertainty is nil.
  ///   - biasUncertainty: Its standard deviation, rad/s per axis; nil while it is unknown.
  public mutating func close(
    bias: Vector3, biasUncertainty: Float?, coefficients: RestCoefficients
  ) -> RestWindow {
    var window = RestWindow()
    window.seconds = openSeconds
    window.angularRate = rate.summary
    window.specificForce = force.summary
    window.evidence = judge(window, bias, biasUncertainty, coefficients)
    if window.evidence.disturbance < 1, window.evidence.meanRateRatio >= 1, biasUncertainty != nil,
      isPossibleBias(window.angularRate.mean, coefficients)
    {
      differingSeconds += window.seconds
      window.biasHasChanged = differingSeconds >= coefficients.biasChangeTime
    } else {
      differingSeconds = 0
    }
    if window.biasHasChanged {
      window.evidence.meanRateRatio = 0
      differingSeconds = 0
    }
    follow(window, coefficients)
    lookForLevelNoise(window, coefficients)
    window.isAtRest = isAtRest
    window.isUnchanged = rate.isUnchanged(window.angularRate) && force.isUnchanged(window.specificForce)
    window.unchangedAxes =
      rate.unchangedAxes(window.angularRate) | force.unchangedAxes(window.specificForce) << 3
    rate.close(window.angularRate)
    force.close(window.specificForce)
    openSeconds = 0
    return window
  }

  private func judge(
    _ window: RestWindow, _ bias: Vector3, _ uncertainty: Float?, _ coefficients: RestCoefficients
  ) -> RestEvidence {
    let parameters = coefficients.parameters
    var seen = RestEvidence()
    seen.angularRateRatio = rate.scatterRatio(
      window.angularRate, quantile: parameters.scatterQuantile, minimum: parameters.minimumAngularRate)
    seen.specificForceRatio = force.scatterRatio(
      window.specificForce, quantile: parameters.scatterQuantile, minimum: parameters.minimumSpecificForce)
    if quietSeconds > 0 {
      let share = window.seconds / quietSeconds
      seen.rateChangeRatio = rate.changeRatio(
        window.angularRate, factor: parameters.meanFactor, share: share, minimum: parameters.minimumAngularRateChange)
      seen.forceChangeRatio = force.changeRatio(
        window.specificForce, factor: parameters.meanFactor, share: share,
        minimum: parameters.minimumSpecificForceChange)
    }
    guard window.angularRate.count > 0 else { return seen }
    let mean = window.angularRate.mean
    if let uncertainty {
      let factor = parameters.meanFactor
      let limit = factor * factor * (window.angularRate.varianceOfMean + uncertainty * uncertainty)
      let minimum = parameters.minimumAngularRate
      seen.meanRateRatio = ((mean - bias).squaredLength / max(limit, minimum * minimum, .leastNormalMagnitude))
        .squareRoot()
    } else {
      seen.meanRateRatio = max(mean.x.magnitude, mean.y.magnitude, mean.z.magnitude) / parameters.maximumBias
    }
    return seen
  }

  private func isPossibleBias(_ rate: Vector3, _ coefficients: RestCoefficients) -> Bool {
    max(rate.x.magnitude, rate.y.magnitude, rate.z.magnitude) < coefficients.parameters.maximumBias
  }

  /// Lets rest begin, last or end, and learns from it.
  private mutating func follow(_ window: RestWindow, _ coefficients: RestCoefficients) {
    let evidence = window.evidence
    let change = max(evidence.rateChangeRatio, evidence.forceChangeRatio)
    guard evidence.disturbance < 1, isAtRest || change < coefficients.parameters.entryShare else {
      leaveRest(evidence, coefficients)
      quietSeconds = 0
      beginQuiet(window)
      return
    }
    if quietSeconds == 0 { beginQuiet(window) }
    quietSeconds += window.seconds
    rate.follow(window.angularRate, share: window.seconds / min(quietSeconds, coefficients.rateMemory))
    force.follow(window.specificForce, share: window.seconds / min(quietSeconds, coefficients.forceMemory))
    guard evidence.meanRateRatio < 1 else {
      leaveRest(evidence, coefficients)
      return
    }
    guard quietSeconds >= max(dwell, coefficients.shortestDwell) else { return }
    isAtRest = true
    dwell = 0
    learn(window, coefficients)
  }

  /// Ends rest; the stronger the movement was, the longer a pause of it may be. A new mean of the specific force is a tilt,
  /// which may go on slowly, and needs the whole dwell.
  private mutating func leaveRest(_ evidence: RestEvidence, _ coefficients: RestCoefficients) {
    isAtRest = false
    if evidence.forceChangeRatio >= 1 {
      dwell = coefficients.dwell
    } else if evidence.activity >= 1 {
      dwell = min(coefficients.dwell, max(dwell, coefficients.shortestDwell * evidence.activity))
    }
  }

  /// The noise floors learn from a window at rest, unless noise alone would hardly make it: faint movement must not teach them.
  private mutating func learn(_ window: RestWindow, _ coefficients: RestCoefficients) {
    let parameters = coefficients.parameters
    guard rate.couldBeNoise(window.angularRate, faint: parameters.minimumAngularRate / 2),
      force.couldBeNoise(window.specificForce, faint: parameters.minimumSpecificForce / 2)
    else {
      // Once is chance, again and again says that the floor is not this sensor's.
      learntSeconds = max(0, learntSeconds - window.seconds)
      return
    }
    learntSeconds = min(learntSeconds + window.seconds, coefficients.noiseMemory)
    let share = window.seconds / max(learntSeconds, 1)
    rate.learn(window.angularRate, share: min(share, 0.5), smallest: 1e-4)
    force.learn(window.specificForce, share: min(share, 0.5), smallest: 0.003)
  }

  /// The mean of the quiet begins with this window.
  private mutating func beginQuiet(_ window: RestWindow) {
    rate.follow(window.angularRate, share: 1)
    force.follow(window.specificForce, share: 1)
  }

  /// A sensor louder than the prior guess never seems to rest: noise that stays level and white is its own.
  private mutating func lookForLevelNoise(_ window: RestWindow, _ coefficients: RestCoefficients) {
    guard levelWindows > 0 else {
      startLevel(window)
      return
    }
    let isRateLevel = rate.addLevel(window.angularRate)
    let isForceLevel = force.addLevel(window.specificForce)
    guard isRateLevel, isForceLevel else {
      startLevel(window)
      return
    }
    levelWindows += 1
    levelSeconds += window.seconds
    levelSamples &+= max(window.angularRate.count, window.specificForce.count)
    let isNew = learntSeconds < coefficients.firstLevelTime
    guard levelSeconds >= (isNew ? coefficients.firstLevelTime : coefficients.levelTime),
      levelSamples >= coefficients.levelSamples
    else { return }
    let windows = levelWindows
    levelWindows = 0
    // The colour of white noise is 1 and scatters by this; the noise of a sensor behind a low-pass needs the longer time.
    let scatter = (2 / (3 * (windows - 1))).squareRoot()
    let most: Float = isNew ? 1 + 6 * scatter : 9
    let rateNoise = rate.levelNoise(window.angularRate, windows: windows, largest: 0.02, colours: 0.6...most)
    let forceNoise = force.levelNoise(window.specificForce, windows: windows, largest: 0.3, colours: 0.6...most)
    guard rateNoise != nil || window.angularRate.count < 2, forceNoise != nil || window.specificForce.count < 2 else {
      return
    }
    if let rateNoise { rate.replaceNoise(rateNoise) }
    if let forceNoise { force.replaceNoise(forceNoise) }
    guard !isAtRest, window.evidence.meanRateRatio < 1 else { return }
    isAtRest = true
    quietSeconds = window.seconds
    dwell = 0
    learntSeconds = max(learntSeconds, levelSeconds)
  }

  @inline(never) private mutating func startLevel(_ window: RestWindow) {
    rate.startLevel(window.angularRate)
    force.startLevel(window.specificForce)
    levelWindows = 1
    levelSeconds = window.seconds
    levelSamples = max(window.angularRate.count, window.specificForce.count)
  }
}

public import Quantities

/// Tuning of `RestDetector`.
@frozen public struct RestParameters: Equatable, BitwiseCopyable, Sendable {
  /// Length of half a window. Default 250 ms; small reacts sooner, large tells smaller movements from noise.
  public var halfWindow: Interval = .milliseconds(250)
  /// Samples that half a window must hold; a slow sensor gets longer windows. Default 4.
  public var minimumSamples: Int32 = 4
  /// Movement begins at this many standard deviations of the learnt noise. Default 3; small is more sensitive.
  ///
  /// The standard deviation of a window of 36 values (25 Hz) scatters by 12 %, so 3 stands far above chance.
  public var noiseFactor: Float = 3
  /// Scatter of the angular rate that is never called movement, rad/s per axis. Default 0.01 (0.6 °/s).
  public var minimumAngularRate: Float = 0.01
  /// Scatter of the specific force that is never called movement, m/s² per axis. Default 0.1 (10 mg).
  public var minimumSpecificForce: Float = 0.1
  /// How long it must be quiet to be called rest. Default 1 s.
  public var dwell: Interval = .seconds(1)

  /// The defaults.
  @inlinable public init() {}
}

/// What the rest detector saw in one window, each part as a ratio to its threshold: 1 and more is movement.
@frozen public struct RestEvidence: Equatable, BitwiseCopyable, Sendable {
  /// Scatter of the angular rate against its threshold; 0 without gyroscope.
  public var angularRateRatio: Float = 0
  /// Scatter of the specific force against its threshold; 0 without accelerometer.
  public var specificForceRatio: Float = 0
  /// Mean angular rate less the learnt bias against its threshold; 0 while no bias is known.
  public var meanRateRatio: Float = 0

  @inlinable init() {}

  /// The largest of the three.
  @inlinable public var activity: Float { max(angularRateRatio, max(specificForceRatio, meanRateRatio)) }
}

/// Tells rest from movement by comparing the scatter in a sliding window with the sensor's own learnt noise.
///
/// It looks at the scatter, not at the mean: a gyroscope bias of several degrees per second, usual in consumer parts, does
/// not disturb it. A slow steady rotation, which scatters little, is seen by the mean once the bias is known.
///
/// - Complexity: O(1) per sample; no allocation.
/// - Source: [skog] generalised likelihood ratio tests for zero velocity in the form of moving variances; the learning of
///   the noise floor is our own.
public struct RestDetector: Equatable, BitwiseCopyable, Sendable {
  /// Tuning.
  public let parameters: RestParameters
  /// Learnt noise of the gyroscope, (rad/s)².
  public private(set) var angularRateNoise = NoiseFloor(prior: 0.005, smallest: 1e-4, largest: 0.02)
  /// Learnt noise of the accelerometer, (m/s²)².
  public private(set) var specificForceNoise = NoiseFloor(prior: 0.05, smallest: 0.003, largest: 0.3)
  /// Learnt bias of the gyroscope.
  public private(set) var bias = GyroBias()
  /// What the last whole window showed.
  public private(set) var evidence = RestEvidence()
  /// Statistics of the angular rate over the last window.
  public private(set) var angularRate = WindowStatistics()
  /// Statistics of the specific force over the last window.
  public private(set) var specificForce = WindowStatistics()
  /// True when it has been quiet for the dwell time.
  public private(set) var isAtRest = false
  /// When movement was last seen: its last jerk, or the end of the half window when it is smooth; nil when there was none.
  public private(set) var lastMovement: Instant?
  /// Start of the present unbroken movement; nil when it is quiet.
  public private(set) var movementOnset: Instant?

  /// Start of the half window that closed last.
  public private(set) var windowStart = Instant.zero
  /// End of the half window that closed last.
  public private(set) var windowEnd = Instant.zero
  /// How long no value has changed at all: a sensor that works shows at least its own noise.
  public private(set) var frozen: Interval = .zero

  private var rateHalf = WindowStatistics()
  private var forceHalf = WindowStatistics()
  private var previousRateHalf = WindowStatistics()
  private var previousForceHalf = WindowStatistics()
  private var halfStart: Instant?
  private var lastRate: Vector3?
  private var lastForce: Vector3?
  /// The last sample that differed from the one before by more than noise does.
  private var lastStep: Instant?
  private var quietSince: Instant?
  private var steadiness = Steadiness()

  /// A detector that knows nothing yet.
  public init(parameters: RestParameters = RestParameters()) {
    self.parameters = parameters
  }

  /// Takes one sample of the body frame in.
  ///
  /// - Parameters:
  ///   - sample: Finite values; times must increase.
  ///   - isAfterGap: True when the samples before this one are too old to belong to the same window.
  /// - Returns: True when a window has closed and `evidence` is new.
  public mutating func update(with sample: InertialSample, isAfterGap: Bool) -> Bool {
    if isAfterGap { startAnew() }
    let start = halfStart ?? sample.time
    halfStart = start
    if let rate = sample.angularRate {
      rateHalf.add(rate)
      if isStep(rate - (lastRate ?? rate), angularRateNoise, parameters.minimumAngularRate) { lastStep = sample.time }
      lastRate = rate
    }
    if let force = sample.specificForce {
      forceHalf.add(force)
      if isStep(force - (lastForce ?? force), specificForceNoise, parameters.minimumSpecificForce) {
        lastStep = sample.time
      }
      lastForce = force
    }
    let samples = max(rateHalf.count, forceHalf.count)
    guard sample.time - start >= parameters.halfWindow, samples >= parameters.minimumSamples else { return false }
    closeHalf(from: start, to: sample.time)
    return true
  }

  private mutating func startAnew() {
    rateHalf = WindowStatistics()
    forceHalf = WindowStatistics()
    previousRateHalf = WindowStatistics()
    previousForceHalf = WindowStatistics()
    halfStart = nil
    quietSince = nil
    isAtRest = false
    steadiness = Steadiness()
    frozen = .zero
    movementOnset = nil
    lastRate = nil
    lastForce = nil
    lastStep = nil
  }

  private mutating func closeHalf(from start: Instant, to end: Instant) {
    angularRate = previousRateHalf.merged(with: rateHalf)
    specificForce = previousForceHalf.merged(with: forceHalf)
    let rateMean = rateHalf.mean
    previousRateHalf = rateHalf
    previousForceHalf = forceHalf
    rateHalf = WindowStatistics(reference: rateMean)
    forceHalf = WindowStatistics(reference: previousForceHalf.mean)
    halfStart = end
    windowStart = start
    windowEnd = end
    let length = end - start
    frozen = angularRate.variance == 0 && specificForce.variance == 0 ? frozen + length : .zero
    judge()
    learn(over: length.seconds, mean: rateMean)
    follow(from: start, to: end)
  }

  private mutating func judge() {
    var seen = RestEvidence()
    if angularRate.count > 1 {
      seen.angularRateRatio = ratio(angularRate.variance, angularRateNoise, parameters.minimumAngularRate)
      if bias.isKnown {
        // Five standard deviations of the mean, or the smallest rate that is called movement. A loud sensor's noise is not
        // yet learnt in its first seconds: the scatter of the window itself then says how far its mean can be trusted.
        let scatter = max(angularRateNoise.variance, angularRate.variance)
        let scatterOfMean = 5 * (scatter / Float(angularRate.count)).squareRoot()
        let threshold = max(bias.threshold(minimumRate: parameters.minimumAngularRate), scatterOfMean)
        seen.meanRateRatio = (angularRate.mean - bias.value).length / threshold
      }
    }
    if specificForce.count > 1 {
      seen.specificForceRatio = ratio(specificForce.variance, specificForceNoise, parameters.minimumSpecificForce)
    }
    evidence = seen
  }

  private func ratio(_ variance: Float, _ noise: NoiseFloor, _ minimum: Float) -> Float {
    let factor = parameters.noiseFactor
    return (variance / max(factor * factor * noise.variance, minimum * minimum)).squareRoot()
  }

  /// Quiet windows teach the floor and the bias; noise that stays level for twenty seconds is taken as the floor.
  private mutating func learn(over seconds: Float, mean: Vector3) {
    let scatterIsQuiet = evidence.angularRateRatio < 1 && evidence.specificForceRatio < 1
    if scatterIsQuiet {
      if angularRate.count > 1 { angularRateNoise.follow(angularRate.variance, seconds: seconds) }
      if specificForce.count > 1 { specificForceNoise.follow(specificForce.variance, seconds: seconds) }
      if rateHasSamples { bias.learn(mean, seconds: seconds, isSlowRotation: evidence.meanRateRatio >= 1) }
    } else {
      bias.interrupt()
    }
    let isLevel = steadiness.add(
      rate: angularRate.variance, force: specificForce.variance, up: specificForce.mean, seconds: seconds)
    if isLevel, angularRateNoise.accepts(steadiness.rateMean), specificForceNoise.accepts(steadiness.forceMean) {
      if angularRate.count > 1 { angularRateNoise.replace(with: steadiness.rateMean) }
      if specificForce.count > 1 { specificForceNoise.replace(with: steadiness.forceMean) }
    }
  }

  /// Whether two samples in turn differ by more than their noise: the difference has twice the variance, on three axes, and the
  /// limit is nine times that.
  private func isStep(_ difference: Vector3, _ noise: NoiseFloor, _ minimum: Float) -> Bool {
    let factor = parameters.noiseFactor
    return difference.squaredLength > 6 * max(factor * factor * noise.variance, minimum * minimum)
  }

  /// When, inside the half window, the movement was last seen to jerk; a smooth one lasts to the end of it.
  private func stepTime(from start: Instant) -> Instant? {
    guard let lastStep, lastStep > start else { return nil }
    return lastStep
  }

  private var latestHalfMoves: Bool {
    evidence.meanRateRatio >= 1
      || ratio(previousRateHalf.variance, angularRateNoise, parameters.minimumAngularRate) >= 1
      || ratio(previousForceHalf.variance, specificForceNoise, parameters.minimumSpecificForce) >= 1
  }

  private var rateHasSamples: Bool { previousRateHalf.count > 0 }

  private mutating func follow(from start: Instant, to end: Instant) {
    if evidence.activity >= 1 {
      if movementOnset == nil { movementOnset = start }
      // The window reaches back over the half before: the half that has just closed may be quiet already.
      let latest = latestHalfMoves ? (stepTime(from: start) ?? end) : start
      lastMovement = max(lastMovement ?? start, latest)
      quietSince = nil
      isAtRest = false
    } else {
      movementOnset = nil
      let since = quietSince ?? start
      quietSince = since
      isAtRest = end - since >= parameters.dwell
    }
  }
}

/// Recognises noise that stays level, unlike anything a hand or a road does.
struct Steadiness: Equatable, BitwiseCopyable {
  private(set) var rateMean: Float = 0
  private(set) var forceMean: Float = 0
  private var rateLeast = Float.infinity
  private var rateMost: Float = 0
  private var forceLeast = Float.infinity
  private var forceMost: Float = 0
  private var rateSum: Float = 0
  private var forceSum: Float = 0
  private var windows: Float = 0
  private var seconds: Float = 0
  private var firstUp = Vector3.zero

  /// Takes one window in; true when twenty seconds have passed in which no window had four times the variance of
  /// another and gravity did not turn by more than a degree.
  mutating func add(rate: Float, force: Float, up: Vector3, seconds length: Float) -> Bool {
    if windows == 0 { firstUp = up }
    rateLeast = min(rateLeast, rate)
    rateMost = max(rateMost, rate)
    forceLeast = min(forceLeast, force)
    forceMost = max(forceMost, force)
    rateSum += rate
    forceSum += force
    windows += 1
    seconds += length
    guard seconds >= 20 else { return false }
    rateMean = rateSum / windows
    forceMean = forceSum / windows
    let turned = up.cross(firstUp).length > 0.0175 * up.length * firstUp.length
    let isLevel = rateMost <= 4 * rateLeast && forceMost <= 4 * forceLeast && !turned
    let means = (rateMean, forceMean)
    self = Steadiness()
    (rateMean, forceMean) = means
    return isLevel
  }
}

public import Quantities

/// Rest, movement and when each began, for sleep, for the parked vehicle and for zero-rate updates alike.
///
/// `RestState` decides after every short window. This type keeps the clock beside it, and collects short windows into
/// overlapping windows of 0.4 s, whose statistics show what matters to a parked vehicle: handling, a tilt, the road. A
/// slam of the neighbour's door ends rest for an instant, but it does not fill such a window.
///
/// - Complexity: O(1) per sample; no allocation.
public struct RestDetector: Equatable, BitwiseCopyable, Sendable {
  /// Tuning and what follows from it.
  public let coefficients: RestCoefficients
  /// What it remembers from sample to sample.
  public private(set) var state = RestState()
  /// What the last window of two halves showed.
  public private(set) var evidence = RestEvidence()
  /// Statistics of the angular rate over the last window.
  public private(set) var angularRate = WindowStatistics()
  /// Statistics of the specific force over the last window.
  public private(set) var specificForce = WindowStatistics()
  /// When movement was last seen: the end of its last short window; nil when there was none.
  public private(set) var lastMovement: Instant?
  /// Start of the present unbroken movement; nil when it is quiet.
  public private(set) var movementOnset: Instant?

  /// Start of the half window that closed last.
  public private(set) var windowStart = Instant.zero
  /// End of the half window that closed last.
  public private(set) var windowEnd = Instant.zero
  /// How long no value has changed at all: a sensor that works shows at least its own noise.
  public private(set) var frozen: Interval = .zero
  /// True when the short window that was closed last has also closed a half window: `evidence` is new.
  public private(set) var hasClosedHalf = false

  private var rateHalf = WindowStatistics()
  private var forceHalf = WindowStatistics()
  private var previousRateHalf = WindowStatistics()
  private var previousForceHalf = WindowStatistics()
  /// End of the last short window that moved.
  private var lastShortMovement: Instant?
  private var halfStart: Instant?
  private var shortStart = Instant.zero
  private var lastSample = Instant.zero

  /// A detector that knows nothing yet.
  public init(parameters: RestParameters = RestParameters()) { coefficients = RestCoefficients(parameters) }

  /// True when it has been quiet for the dwell time.
  public var isAtRest: Bool { state.isAtRest }
  /// Learnt noise of the gyroscope, (rad/s)².
  public var angularRateNoise: NoiseFloor { state.angularRateNoise }
  /// Learnt noise of the accelerometer, (m/s²)².
  public var specificForceNoise: NoiseFloor { state.specificForceNoise }

  /// Takes one sample of the body frame in.
  ///
  /// - Parameters:
  ///   - sample: Finite values; times must increase.
  ///   - isAfterGap: True when the samples before this one are too old to belong to the same window.
  /// - Returns: True when a short window is full: `closeWindow` must follow before the next sample.
  public mutating func add(_ sample: InertialSample, isAfterGap: Bool) -> Bool {
    if isAfterGap { startAnew() }
    if halfStart == nil {
      halfStart = sample.time
      shortStart = sample.time
      lastSample = sample.time
    }
    let seconds = (sample.time - lastSample).seconds
    lastSample = sample.time
    return state.add(
      angularRate: sample.angularRate, specificForce: sample.specificForce, seconds: seconds, coefficients: coefficients
    )
  }

  /// Closes the short window that is full, and decides.
  ///
  /// - Parameters:
  ///   - bias: Gyroscope bias, rad/s, body frame; of no effect while its uncertainty is nil.
  ///   - biasUncertainty: Its standard deviation, rad/s per axis; nil while it is unknown.
  /// - Returns: What the window showed; at rest its mean angular rate is a measurement of the bias.
  public mutating func closeWindow(bias: Vector3, biasUncertainty: Float?) -> RestWindow {
    let window = state.close(bias: bias, biasUncertainty: biasUncertainty, coefficients: coefficients)
    rateHalf = rateHalf.merged(with: WindowStatistics(window.angularRate))
    forceHalf = forceHalf.merged(with: WindowStatistics(window.specificForce))
    frozen = window.isUnchanged ? frozen + (lastSample - shortStart) : .zero
    if window.evidence.activity >= 1 { lastShortMovement = lastSample }
    shortStart = lastSample
    hasClosedHalf = lastSample - (halfStart ?? lastSample) >= coefficients.parameters.halfWindow
    if hasClosedHalf { closeHalf(bias: bias, biasUncertainty: biasUncertainty) }
    return window
  }

  private mutating func closeHalf(bias: Vector3, biasUncertainty: Float?) {
    windowStart = halfStart ?? lastSample
    windowEnd = lastSample
    halfStart = lastSample
    angularRate = previousRateHalf.merged(with: rateHalf)
    specificForce = previousForceHalf.merged(with: forceHalf)
    evidence = judge(angularRate, specificForce, bias, biasUncertainty)
    if evidence.activity >= 1 {
      if movementOnset == nil { movementOnset = windowStart }
      // The window reaches back over the half before: the half that has just closed may be quiet already.
      let isLatest = judge(rateHalf, forceHalf, bias, biasUncertainty).activity >= 1
      let end = lastShortMovement.map { $0 > windowStart ? $0 : windowEnd } ?? windowEnd
      lastMovement = max(lastMovement ?? windowStart, isLatest ? end : windowStart)
    } else {
      movementOnset = nil
    }
    previousRateHalf = rateHalf
    previousForceHalf = forceHalf
    rateHalf = WindowStatistics()
    forceHalf = WindowStatistics()
  }

  /// Scatter and mean of some windows against the learnt noise, by standard deviations: there are samples enough.
  private func judge(
    _ rate: WindowStatistics, _ force: WindowStatistics, _ bias: Vector3, _ uncertainty: Float?
  ) -> RestEvidence {
    let parameters = coefficients.parameters
    let square = parameters.noiseFactor * parameters.noiseFactor
    func ratio(_ variance: Float, _ noise: NoiseFloor, _ minimum: Float) -> Float {
      (variance / max(square * noise.variance, minimum * minimum, .leastNormalMagnitude)).squareRoot()
    }
    var seen = RestEvidence()
    if rate.count > 1 {
      seen.angularRateRatio = ratio(rate.variance, angularRateNoise, parameters.minimumAngularRate)
      if let uncertainty {
        // A loud sensor's noise is not yet learnt in its first seconds: the scatter itself then says how far to trust the mean.
        let noise = max(angularRateNoise.varianceOfMean(count: rate.count), rate.variance / Float(rate.count))
        let limit = parameters.meanFactor * parameters.meanFactor * (noise + uncertainty * uncertainty)
        let minimum = parameters.minimumAngularRate
        seen.meanRateRatio =
          ((rate.mean - bias).squaredLength / max(limit, minimum * minimum, .leastNormalMagnitude)).squareRoot()
      }
    }
    if force.count > 1 {
      seen.specificForceRatio = ratio(force.variance, specificForceNoise, parameters.minimumSpecificForce)
    }
    return seen
  }

  private mutating func startAnew() {
    let kept = (state, lastMovement)
    self = RestDetector(parameters: coefficients.parameters)
    (state, lastMovement) = kept
    state.interrupt()
  }
}

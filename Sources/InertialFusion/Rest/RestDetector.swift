public import Quantities

/// Rest, movement and when each began, as a parked vehicle needs it: short windows of `RestState` collected into overlapping
/// windows of some tenths of a second, whose statistics show handling, a tilt, the road.
///
/// The slam of the neighbour's door ends rest for an instant, but it does not fill such a window.
///
/// - Complexity: O(1) per short window; no allocation.
public struct RestDetector: Equatable, BitwiseCopyable, Sendable {
  /// Tuning.
  public let parameters: RestParameters
  /// True when it has been quiet for the dwell time.
  public private(set) var isAtRest = false
  /// Learnt noise of the gyroscope, (rad/s)².
  public private(set) var angularRateNoise = RestState().angularRateNoise
  /// Learnt noise of the accelerometer, (m/s²)².
  public private(set) var specificForceNoise = RestState().specificForceNoise
  /// What the last window of two halves showed.
  public private(set) var evidence = RestEvidence()
  /// Statistics of the angular rate over the last window.
  public private(set) var angularRate = WindowStatistics()
  /// Statistics of the specific force over the last window.
  public private(set) var specificForce = WindowStatistics()
  /// Statistics of the angular rate over the half window that closed last.
  public var angularRateHalf: WindowStatistics { previousRateHalf }
  /// Statistics of the specific force over the half window that closed last.
  public var specificForceHalf: WindowStatistics { previousForceHalf }
  /// Scatter of the specific force within the short windows of the last half, (m/s²)² per axis: what is faster than a sway.
  public private(set) var specificForceRipple: Float = 0
  /// When movement was last seen: the end of its last short window; nil when there was none.
  public private(set) var lastMovement: Instant?
  // Bytes stand behind what leaves room for them.
  /// Axes whose mean stayed the same from short window to short window in the half window that closed last: bits 0 to 2 for the
  /// angular rate, 3 to 5 for the specific force.
  public private(set) var unchangedAxes: UInt8 = 0
  private var unchangedSoFar: UInt8 = 63
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
  private var rippleSum: Float = 0
  private var lastShortRate: Vector3?
  private var lastShortForce: Vector3?
  private var rippleFreedom: Float = 0
  private var previousRateHalf = WindowStatistics()
  private var previousForceHalf = WindowStatistics()
  /// End of the last short window that moved.
  private var lastShortMovement: Instant?
  private var halfStart: Instant?
  private var shortStart = Instant.zero

  /// A detector that knows nothing yet.
  public init(parameters: RestParameters = RestParameters()) { self.parameters = parameters }

  /// Takes a short window in.
  ///
  /// - Parameters:
  ///   - window: What it showed.
  ///   - rest: The state that has closed it.
  ///   - end: When it ended; times must increase.
  ///   - middle: Specific force of its last sample but one, m/s², body frame; nil if it is not known.
  ///   - bias: Gyroscope bias, rad/s, body frame; of no effect while its uncertainty is nil.
  ///   - biasUncertainty: Its standard deviation, rad/s per axis; nil while it is unknown.
  /// - Returns: True when it has closed a half window: `evidence` is new.
  public mutating func take(
    _ window: RestWindow, from rest: borrowing RestState, endingAt end: Instant, middle: Vector3? = nil, bias: Vector3,
    biasUncertainty: Float?
  ) -> Bool {
    isAtRest = window.isAtRest
    angularRateNoise = rest.angularRateNoise
    specificForceNoise = rest.specificForceNoise
    let start = end - Interval(microseconds: Int64(Int(window.seconds * 1e6 + 0.5)))
    if halfStart == nil { shortStart = start }
    rateHalf = rateHalf.merged(with: WindowStatistics(window.angularRate))
    forceHalf = forceHalf.merged(with: WindowStatistics(window.specificForce))
    if window.specificForce.count > 1 {
      let freedom = Float(window.specificForce.count - 1)
      rippleSum += ripple(window.specificForce, seconds: window.seconds, middle: middle) * freedom
      rippleFreedom += freedom
    }
    unchangedSoFar &=
      RestDetector.same(window.angularRate, lastShortRate) | RestDetector.same(window.specificForce, lastShortForce)
      << 3
    lastShortRate = window.angularRate.count > 0 ? window.angularRate.mean : nil
    lastShortForce = window.specificForce.count > 0 ? window.specificForce.mean : nil
    frozen = window.isUnchanged ? frozen + (end - shortStart) : .zero
    if window.evidence.activity >= 1 { lastShortMovement = end }
    let beginning = halfStart ?? shortStart
    halfStart = beginning
    shortStart = end
    guard end - beginning >= parameters.halfWindow else { return false }
    closeHalf(from: beginning, to: end, bias: bias, biasUncertainty: biasUncertainty)
    return true
  }

  /// Scatter of a short window without that of a sway, (m/s²)² per axis.
  ///
  /// A sway passes through it as a slope, which the step between the means of two windows shows: a slope that steps by d scatters by d²/12;
  /// in the longer windows of a slow sensor a sway of 2 Hz bends, and scatters by more. Three samples tell more: their second difference,
  /// three times that of the middle one from the mean, is blind to a slope and scatters by six times the variance of noise.
  ///
  /// - Source: our derivation. Of a sway of 2 Hz at 12.5 samples a second the scatter holds 0.35 of the square of its amplitude, the second
  ///   difference 0.07.
  private func ripple(_ force: borrowing RestSummary, seconds: Float, middle: Vector3?) -> Float {
    let share = seconds < 0.105 ? 1.0 / 12 : 1.54 * seconds - 0.05
    var step: Float = 0
    if let lastShortForce { step = (force.mean - lastShortForce).squaredLength }
    let scatter = max(0, force.variance - step * share / 3)
    guard force.count == 3, let middle else { return scatter }
    let off = (middle - force.mean).squaredLength
    // No sample of three is farther from their mean: what is, is none of them.
    return off <= 4.001 * force.variance ? min(scatter, 0.5 * off) : scatter
  }

  /// Axes of a short window whose mean is that of the one before, a bit each.
  private static func same(_ summary: borrowing RestSummary, _ before: Vector3?) -> UInt8 {
    guard summary.count > 1, let before else { return 0 }
    let mean = summary.mean
    return (mean.x == before.x ? 1 : 0) | (mean.y == before.y ? 2 : 0) | (mean.z == before.z ? 4 : 0)
  }

  /// A silence: windows begin anew after it.
  public mutating func interrupt() {
    var fresh = RestDetector(parameters: parameters)
    fresh.lastMovement = lastMovement
    fresh.angularRateNoise = angularRateNoise
    fresh.specificForceNoise = specificForceNoise
    self = fresh
  }

  /// Drops the half window that is open: what follows is not to be mixed with it.
  ///
  /// - Returns: Mean angular rate of it, rad/s, nil without one, and its length, s.
  mutating func drop() -> (rate: Vector3?, seconds: Float) {
    guard let halfStart else { return (nil, 0) }
    let dropped = (rate: rateHalf.count > 0 ? rateHalf.mean : nil, seconds: (shortStart - halfStart).seconds)
    rateHalf = WindowStatistics()
    forceHalf = WindowStatistics()
    rippleSum = 0
    rippleFreedom = 0
    unchangedSoFar = 63
    lastShortRate = nil
    lastShortForce = nil
    self.halfStart = nil
    return dropped
  }

  private mutating func closeHalf(from start: Instant, to end: Instant, bias: Vector3, biasUncertainty: Float?) {
    windowStart = start
    windowEnd = end
    halfStart = end
    angularRate = previousRateHalf.merged(with: rateHalf)
    specificForce = previousForceHalf.merged(with: forceHalf)
    evidence = RestDetector.judge(
      angularRate, specificForce, angularRateNoise, specificForceNoise, bias, biasUncertainty, parameters)
    if evidence.activity >= 1 {
      if movementOnset == nil { movementOnset = windowStart }
      // The window reaches back over the half before: the half that has just closed may be quiet already.
      let latest = RestDetector.judge(
        rateHalf, forceHalf, angularRateNoise, specificForceNoise, bias, biasUncertainty, parameters)
      let end = lastShortMovement.map { $0 > windowStart ? $0 : windowEnd } ?? windowEnd
      lastMovement = max(lastMovement ?? windowStart, latest.activity >= 1 ? end : windowStart)
    } else {
      movementOnset = nil
    }
    specificForceRipple = rippleFreedom > 0 ? rippleSum / rippleFreedom : 0
    unchangedAxes = unchangedSoFar
    unchangedSoFar = 63
    rippleSum = 0
    rippleFreedom = 0
    previousRateHalf = rateHalf
    previousForceHalf = forceHalf
    rateHalf = WindowStatistics()
    forceHalf = WindowStatistics()
  }

  /// Scatter and mean of some windows against the learnt noise, by standard deviations: there are samples enough.
  ///
  /// It is given what it needs: a method that reads a detector which is being changed would be given a copy of the whole.
  private static func judge(
    _ rate: borrowing WindowStatistics, _ force: borrowing WindowStatistics, _ angularRateNoise: NoiseFloor,
    _ specificForceNoise: NoiseFloor, _ bias: Vector3, _ uncertainty: Float?, _ parameters: borrowing RestParameters
  ) -> RestEvidence {
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
}

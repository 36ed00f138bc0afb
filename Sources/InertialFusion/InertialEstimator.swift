import InlineStorage
public import Quantities

/// From raw inertial samples of the sensor frame to rest, bias and attitude of the body: calibration before an
/// `AttitudeFilter`.
///
/// - Complexity: O(1) per sample; no allocation.
public struct InertialEstimator: ~Copyable, Sendable {
  /// Offsets, scales and mounting.
  public let calibration: InertialCalibration
  /// Bias and attitude.
  public internal(set) var attitude: AttitudeFilter
  /// Rest and movement.
  public internal(set) var rest: RestDetector
  /// The first sample since which there was no silence of more than `longestGap`.
  public internal(set) var watchedSince: Instant?
  /// Whether the sensor can be believed.
  var watch = SensorWatch()
  /// Nearly every board runs without a calibration: its samples are not turned by nothing, 170 instructions each.
  let isCalibrated: Bool
  /// Full scales of the sensor, rad/s and m/s², where the filter can't see them: behind a calibration the axes are others.
  private let rawRateRange: Float
  private let rawForceRange: Float
  /// The readings before, to notice that they stand still where nothing can stay.
  private var lastRate = Vector3.zero
  private var lastForce = Vector3.zero
  /// How long an axis of the angular rate has stood at what is no rest, s, and which: 0 to 2.
  private var endSeconds: Float = 0
  private var endAxis: UInt8 = 0
  /// Whether one has for an instant: bit 0 in the half window that is open, bit 1 in the one that closed last.
  private var endSeen: UInt8 = 0
  /// Whether an axis of the specific force stands there.
  private var forceEnd = ForceEnd.none
  /// What is passed over, and what tones make the gyroscope tell.
  var passed = Passed()
  var tone = Tone()
  private let inPlace = InPlace()

  /// A pause longer than this starts a new window. Slow sensors (1 Hz) are still continuous.
  public static var longestGap: Interval { AttitudeFilter.longestGap }

  /// An estimator that knows nothing yet.
  public init(
    calibration: InertialCalibration = InertialCalibration(), sensor: SensorDescription = SensorDescription(),
    rest: RestParameters = RestParameters()
  ) {
    self.calibration = calibration
    isCalibrated = calibration != InertialCalibration()
    var parameters = AttitudeParameters(sensor: sensor)
    parameters.rest = rest
    rawRateRange = isCalibrated ? sensor.angularRateRange : 0
    rawForceRange = isCalibrated ? sensor.specificForceRange : 0
    if isCalibrated { (parameters.gyroscopeRange, parameters.accelerometerRange) = (0, 0) }
    // What is parked does not turn for hours: nothing would tell an offset of the accelerometer from a slow tilt.
    parameters.initialAccelerometerOffset = 0
    attitude = AttitudeFilter(parameters: parameters)
    self.rest = RestDetector(parameters: rest)
  }

  /// Whether all values are those of the sample before, and such as a sensor can't go on reading: it is at the end of its range or
  /// broken. An axis of the accelerometer is enough: what the vehicle is pushed by can't be told then, and a gyroscope alone would take
  /// a gust for more than it is. Such a sample is counted and not used.
  @inline(__always) private mutating func standsAtAnEnd(_ raw: InertialSample) -> Bool {
    let rate = raw.angularRate ?? .zero
    let force = raw.specificForce ?? .zero
    guard
      endSeconds > 0 || forceEnd != .none || rate.squaredLength > InertialEstimator.leastEnd
        || InertialEstimator.isLoud(force)
    else {
      lastRate = rate
      lastForce = force
      return false
    }
    return standsAtAnEnd(rate, force, at: raw.time)
  }

  /// Only for what is no rest: of it every sample would pay.
  @inline(never) private mutating func standsAtAnEnd(_ rate: Vector3, _ force: Vector3, at time: Instant) -> Bool {
    if endSeconds > 0 || rate.squaredLength > InertialEstimator.leastEnd { noteEnd(of: rate, at: time) }
    let isLoud = InertialEstimator.isLoud(force)
    let isForceAtEnd = (isLoud || forceEnd != .none) && noteEnd(ofForce: force, at: time)
    let isSame = rate == lastRate && force == lastForce
    lastRate = rate
    lastForce = force
    guard isForceAtEnd || (isSame && (isLoud || rate.squaredLength > 1)) else { return false }
    attitude.rejections.outOfRange &+= 1
    return true
  }

  @inline(__always) private static func isLoud(_ force: Vector3) -> Bool {
    force.squaredLength > leastEndForce * leastEndForce
  }

  /// Least rate that no axis goes on reading to the last digit, rad/s.
  private static var leastEnd: Float { 1 }
  /// How long it may while the accelerometer is calm, s.
  private static var longestEnd: Float { 0.25 }
  /// Least specific force that no axis goes on reading to the last digit, m/s².
  private static var leastEndForce: Float { 15 }

  /// How an axis of the specific force stands at an end of its range.
  private enum ForceEnd: UInt8, BitwiseCopyable {
    case none
    /// As a blow does that the range is too small for.
    case short
    /// So long that it is a fault.
    case long
  }

  /// True while an axis of the gyroscope stands at an end of its range, or broken beside it: such a rate is none. The accelerometer
  /// goes on alone; attitude and rest have begun anew from it. Of a gyroscope alone nothing is left, which is a silence.
  package var isRateAtEnd: Bool { endSeconds >= InertialEstimator.longestEnd }
  /// True when an axis of it has read what it had read before to the last digit, in the half window that closed last: soon it is known
  /// whether it stands at an end.
  package var mayRateBeAtEnd: Bool { endSeen & 2 != 0 }

  private mutating func noteEnd(of rate: Vector3, at time: Instant) {
    let (x, y, z) = (rate.x.magnitude, rate.y.magnitude, rate.z.magnitude)
    if !isRateAtEnd { endAxis = x >= y && x >= z ? 0 : y >= z ? 1 : 2 }
    let (value, before) =
      endAxis == 0 ? (rate.x, lastRate.x) : endAxis == 1 ? (rate.y, lastRate.y) : (rate.z, lastRate.z)
    guard value == before, value.magnitude > InertialEstimator.leastEnd, let last = lastSampleTime, time > last else {
      if isRateAtEnd {
        // Of a gyroscope alone nothing has been taken meanwhile, and what comes next is a window as long as that.
        let unheard = lastSampleTime.map { time - $0 } ?? .zero
        watch.noteEnd(isNew: false, unheard: unheard > InertialEstimator.longestGap ? 0 : unheard.seconds)
      }
      endSeconds = 0
      return
    }
    guard !isRateAtEnd else { return }
    // What turns that fast is felt. A gyroscope alone has no witness; it tells nothing then.
    let force = rest.specificForceHalf
    guard force.count == 0 || (force.count > 1 && force.variance <= FrameWatch.calm) else {
      endSeconds = 0
      return
    }
    endSeconds += (time - last).seconds
    endSeen |= 1
    guard isRateAtEnd else { return }
    watch.noteEnd(isNew: true)
    attitude.beginAnew(bias: nil, variance: 0, force: rest.specificForceHalf)
    watchedSince = time
  }

  /// - Returns: True when the largest component is that of the sample before to the last digit.
  private mutating func noteEnd(ofForce force: Vector3, at time: Instant) -> Bool {
    let (x, y, z) = (force.x.magnitude, force.y.magnitude, force.z.magnitude)
    let (value, before) =
      x >= y && x >= z ? (force.x, lastForce.x) : y >= z ? (force.y, lastForce.y) : (force.z, lastForce.z)
    // Nothing has been taken meanwhile, and what comes next is a window as long as that.
    let unheard = lastSampleTime.map { time - $0 } ?? .zero
    guard value == before, value.magnitude > InertialEstimator.leastEndForce else {
      if forceEnd == .long {
        watch.noteEnd(isNew: false, unheard: unheard > InertialEstimator.longestGap ? 0 : unheard.seconds)
      }
      forceEnd = .none
      return false
    }
    if forceEnd == .none { forceEnd = .short }
    if forceEnd == .short, unheard.seconds >= InertialEstimator.longestEnd {
      forceEnd = .long
      watch.noteEnd(isNew: true)
    }
    return true
  }

  /// Samples that were not used, by reason.
  public var rejections: InertialRejections { attitude.rejections }
  /// The time of the last sample that was used.
  public var lastSampleTime: Instant? { attitude.lastSampleTime }
  /// Silences of more than `longestGap` between two samples.
  public var gapCount: UInt16 { attitude.state.gapCount }

  /// Times that an axis stood still, or that all readings stepped as no movement can make them.
  public var faultCount: UInt32 { watch.faultCount }
  /// True while such a fault is so young that nothing the sensor shows is to be believed.
  public var isInTrouble: Bool { watch.troubleSeconds > 0 }
  /// True while an axis stands still.
  public var isAxisStuck: Bool { watch.stuckAxes != 0 }

  /// Takes one raw sample of the sensor frame in.
  ///
  /// - Returns: True when a half window of the rest detector has closed. A sample that can't be used is counted and changes
  ///   nothing else.
  public mutating func update(with raw: InertialSample) -> Bool {
    let before = lastForce
    if standsAtAnEnd(raw) { return false }
    return isRateAtEnd ? takeWithoutRate(raw, after: before) : take(raw, after: before)
  }

  @inline(never) private mutating func takeWithoutRate(_ raw: InertialSample, after before: Vector3) -> Bool {
    take(
      InertialSample(
        time: raw.time, specificForce: raw.specificForce, magneticFluxDensity: raw.magneticFluxDensity), after: before)
  }

  // Inlined, because a call takes a copy of the sample.
  @inline(__always) private mutating func take(_ raw: InertialSample, after forceBefore: Vector3) -> Bool {
    let before = attitude.lastSampleTime
    if rawRateRange > 0 || rawForceRange > 0, raw.isClipped(rawRateRange, rawForceRange), attitude.wouldTake(raw) {
      attitude.noteClipping()
    }
    // In two calls: one would be given a copy of the sample.
    let window = isCalibrated ? attitude.update(with: calibration.apply(to: raw)) : attitude.update(with: raw)
    if attitude.wasSilent(since: before) {
      watchedSince = raw.time
      rest.interrupt()
      watch.interrupt()
    } else if watchedSince == nil {
      watchedSince = attitude.lastSampleTime
    }
    guard let window else { return false }
    let hasClosed = rest.take(
      window, from: attitude.state.rest, endingAt: raw.time,
      middle: isCalibrated ? calibration.apply(toForce: forceBefore) : forceBefore, bias: attitude.gyroBias,
      biasUncertainty: attitude.knownBiasUncertainty)
    if hasClosed {
      endSeen = (endSeen & 1) << 1
      watchSensor(at: raw.time)
    }
    return hasClosed
  }

  /// Not in the frame of `update`, where every sample would pay for it.
  @inline(never) private mutating func watchSensor(at time: Instant) {
    switch watch.judge(rest) {
    case .nothing: return
    case .atRest:
      let rate = rest.angularRateHalf
      attitude.beginAnew(
        bias: rate.count > 0 ? rate.mean : nil, variance: rest.angularRateNoise.varianceOfMean(count: rate.count),
        force: rest.specificForceHalf)
    case .swaying(let bias):
      let deviation = SensorWatch.swayDeviation
      attitude.beginAnew(bias: bias, variance: deviation * deviation, force: rest.specificForceHalf)
    }
    watchedSince = time
  }
}

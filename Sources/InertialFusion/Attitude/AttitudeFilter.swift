public import Quantities

/// Attitude, gyroscope bias and scale, rest and heading from a gyroscope, an accelerometer and, where there is one, a
/// magnetometer; causal, without heap.
///
/// Two attitudes come out at once: `levelFromBody` (6D: z up, heading of arbitrary origin, untouched by magnetics) and
/// `earthFromBody` (9D: x east, y north, z up). Each sample carries its own time, so
/// the rate needs no setting; but the times must be those of the samples: what stamps them when a buffer is read needs a
/// clock of the samples in between (`FrameClock`).
///
///     var filter = AttitudeFilter()
///     for sample in recording { filter.update(with: sample); use(filter.earthFromBody) }
///
/// How it works: samples are folded into stretches of 40 ms by exact strapdown; after each a Kalman filter of thirteen states
/// (`LevelEstimate`) corrects tilt, bias, scale and the accelerometer's offset, and hypotheses about the magnetic fields
/// (`MagneticEstimate`) are weighed against each other. See docs/fusion.md.
///
/// Nothing that comes in can make an output NaN: what can't be used is counted in `rejections`.
///
/// - Complexity: O(1) per sample.
public struct AttitudeFilter: BitwiseCopyable, Sendable {
  /// Tuning.
  public let parameters: AttitudeParameters
  let coefficients: AttitudeCoefficients
  let restCoefficients: RestCoefficients
  /// Everything that changes: save it, and `init(parameters:resuming:)` continues bit for bit.
  public internal(set) var state: AttitudeState
  /// Samples that were not used or not trusted, by reason; not part of the state, a filter that resumes counts from zero.
  public internal(set) var rejections = InertialRejections()

  /// A filter that knows nothing yet.
  @inline(__always) public init(parameters: AttitudeParameters = AttitudeParameters()) {
    self.parameters = parameters
    coefficients = AttitudeCoefficients(parameters)
    restCoefficients = RestCoefficients(parameters.rest)
    state = AttitudeState(parameters, coefficients)
  }

  /// A filter that continues where another stopped; both must have the same parameters.
  public init(parameters: AttitudeParameters, resuming state: AttitudeState) {
    self.parameters = parameters
    coefficients = AttitudeCoefficients(parameters)
    restCoefficients = RestCoefficients(parameters.rest)
    self.state = state
  }

  /// A silence longer than this, s, leaves the rotation meanwhile unknown: the attitude is found anew, bias and scale are kept.
  public static var longestGap: Interval { .milliseconds(2500) }

  /// After a longer silence, the sleep of a sensor, the bias is not known as well any more: it has wandered.
  static var longestNap: Interval { .seconds(60) }

  /// A step longer than this, s, and four times longer than usual, is a gap: something was missed.
  static var longestStep: Float { 0.1 }

  /// Starts from a bias that was stored.
  ///
  /// - Parameters:
  ///   - bias: rad/s, body frame.
  ///   - uncertainty: One standard deviation, rad/s per axis; what temperature and age may have changed.
  public mutating func warmStart(gyroBias bias: Vector3, uncertainty: Float) {
    guard bias.isFinite, uncertainty.isFinite else { return }
    state.level.gyroBias = bias.clamped(to: coefficients.maximumBias)
    state.restWindows = .max
    state.level.setBiasVariance(min(uncertainty * uncertainty, coefficients.initialBiasVariance))
    stateUncertainty()
  }

  /// Takes one sample in.
  ///
  /// - Parameter sample: SI units, body frame. A sample that can't be used is counted and changes nothing else.
  /// - Returns: What a short window of the rest detector has shown, when the sample has filled one.
  @discardableResult
  @inlinable @inline(__always) public mutating func update(with sample: InertialSample) -> RestWindow? {
    var correction: Vector3?
    return update(with: sample, correction: &correction)
  }

  /// The same, and tells by what rotation vector, level frame, the tilt was corrected; nil when it was not.
  ///
  /// Nothing more than folding is done with most samples, and so it stands alone: what is rare takes a call of its own, and its results
  /// are not made where there are none.
  @inlinable @inline(__always)
  mutating func update(with sample: InertialSample, correction: inout Vector3?) -> RestWindow? {
    let due = fold(sample)
    return due.work == .nothing ? nil : settle(due, sample, correction: &correction)
  }

  /// What a sample that has been folded makes due.
  @usableFromInline struct Due {
    @usableFromInline enum Work: UInt8 {
      case nothing
      case correction
      /// A correction by the sample's magnetometer, too.
      case reading
      /// The short window of the rest detector is full; what else there is to do is seen after that.
      case window
    }

    @usableFromInline let work: Work
    /// Seconds since the sample before.
    let length: Float
  }

  /// Folds a sample into the present stretch and into the open window of the rest detector.
  @usableFromInline @inline(never)
  mutating func fold(_ sample: InertialSample) -> Due {
    // Without lanes this saves less than its code is worth.
    guard Lanes3.isWhole, let rate = sample.angularRate, let force = sample.specificForce else {
      return foldPart(sample)
    }
    return fold(sample, InertialLanes(rate: rate, force: force))
  }

  /// The same of any sample. That gyroscope or accelerometer gave nothing is rare, and nothing of it is looked at in the others.
  @inline(never)
  private mutating func foldPart(_ sample: InertialSample) -> Due { fold(sample, InertialLanes(sample)) }

  @inline(__always)
  private mutating func fold(_ sample: InertialSample, _ values: InertialLanes) -> Due {
    guard let length = admit(sample, values) else { return Due(work: .nothing, length: 0) }
    let force = values.hasForce ? values.force - Lanes3(state.level.accelerometerOffset) : .zero
    if values.hasRate, state.blindTime != 0 { endBlindness() }
    if !state.isAligned { align(to: values.hasForce ? force.vector : nil) }
    let rate = values.hasRate ? corrected(values.rate) : Lanes3(goBlind(seconds: length))
    state.motion.fold(angle: rate * length, previousAngle: Lanes3(state.rate) * length, force: force, seconds: length)
    state.rate = rate.vector
    state.secondsSinceMagnetometer += length
    if state.rest.add(values, seconds: length, coefficients: restCoefficients) {
      return Due(work: .window, length: length)
    }
    if let flux = sample.magneticFluxDensity, newReading(flux) != nil { return Due(work: .reading, length: length) }
    return Due(work: isStretchFull ? .correction : .nothing, length: length)
  }

  /// Does what is due after a sample.
  @usableFromInline @inline(never)
  mutating func settle(_ due: Due, _ sample: InertialSample, correction: inout Vector3?) -> RestWindow? {
    // A window is large: none is made where none is due.
    guard due.work == .window else {
      end(due, sample, reading: due.work == .reading ? sample.magneticFluxDensity : nil, correction: &correction)
      return nil
    }
    let window = closeRestWindow()
    end(due, sample, reading: sample.magneticFluxDensity.flatMap { newReading($0) }, correction: &correction)
    return window
  }

  /// Ends the present stretch, when it is full or there is a reading to correct by.
  @inline(never)
  private mutating func end(
    _ due: Due, _ sample: InertialSample, reading: Vector3?, correction: inout Vector3?
  ) {
    guard isStretchFull || reading != nil else { return }
    // Rate and force hold over the time since the sample before; so does the field, and its middle is half of that ago.
    correction = correct(
      hasRate: sample.angularRate != nil, hasForce: sample.specificForce != nil, reading: reading,
      fieldDelay: 0.5 * due.length)
  }

  private var isStretchFull: Bool {
    @inline(__always) get { state.motion.seconds >= parameters.fusionInterval * 1.25 }
  }

  /// Lets the rest detector decide, and learns from what it has seen.
  mutating func closeRestWindow() -> RestWindow {
    if isTurnSeen { state.rest.noteTurn() }
    let window = state.rest.close(
      bias: state.level.gyroBias, biasUncertainty: knownBiasUncertainty, coefficients: restCoefficients)
    state.restActivity = UInt16(truncatingIfNeeded: Elementary.whole(window.evidence.activity * 16, upTo: 65_535))
    if state.stuck.update(unchanged: window.isAtRest ? 0 : window.unchangedAxes) {
      rejections.stuck &+= 1
      state.isSuspect = true
    }
    learnBias(from: window)
    return window
  }

  /// True when a magnetometer says of what may be a bias that it is a turn: its last reading is where it should be after the turn, and would
  /// be off by more than √5 times what is refused if there had been none. Behind nearly a whole turn the field is where it was: that shows nothing.
  @inline(__always) private var isTurnSeen: Bool {
    let seconds = state.rest.differingSeconds
    let squaredTurn = seconds * seconds * state.meanSquareRate
    guard squaredTurn < 25, state.secondsSinceMagnetometer < 1, state.magnetic.disturbance < 1,
      state.statedHeading < 0.2
    else { return false }
    let field = state.magnetic.field
    let chord = min(squaredTurn, 1) * (field.x * field.x + field.y * field.y)
    return chord > 5 * parameters.magnetic.rejection * parameters.magnetic.rejection
  }

  /// The reading, when it is a new one and its turn has come; what is no new one is counted.
  @inline(__always)
  mutating func newReading(_ flux: Vector3) -> Vector3? { Lanes3.isWhole ? newOf(flux) : newOnce(flux) }

  @inline(never) private mutating func newOnce(_ flux: Vector3) -> Vector3? { newOf(flux) }

  @inline(__always)
  private mutating func newOf(_ flux: Vector3) -> Vector3? {
    // At the first sample, and the first after a silence, there is no stretch yet to correct: a value that is held is taken
    // with the next one.
    guard state.motion.seconds > 0 || !flux.isFinite else { return nil }
    let fold = UInt16(truncatingIfNeeded: flux.fold)
    guard fold != state.lastMagnetometer, flux.squaredLength < 1e8 else {
      rejections.repeatedMagnetometer &+= 1
      return nil
    }
    state.lastMagnetometer = fold
    return state.secondsSinceMagnetometer >= parameters.fusionInterval ? flux : nil
  }

  /// The rate with bias and scale taken away, rad/s.
  func correctedRate(_ rate: Vector3) -> Vector3 { corrected(Lanes3(rate)).vector }

  /// The same in lanes.
  @inline(__always)
  func corrected(_ rate: Lanes3) -> Lanes3 {
    let w = rate - Lanes3(state.level.gyroBias)
    return w + w.scaled(by: Lanes3(state.level.gyroScale))
  }

  /// Whether the sample can be used.
  ///
  /// - Returns: Seconds since the sample before, 0 for the first and after a silence; nil when it can't be used.
  @inline(__always)
  mutating func admit(_ sample: InertialSample, _ values: InertialLanes) -> Float? {
    guard values.isSound else { return reject(sample) }
    let last = state.lastTime
    if sample.time <= last, isLate(after: last) { return nil }
    // Seldom known, and then looked at more closely.
    if parameters.gyroscopeRange.bitPattern | parameters.accelerometerRange.bitPattern != 0 { noteClipping(sample) }
    state.lastTime = sample.time
    guard last != AttitudeState.never else { return 0 }
    let elapsed = sample.time - last
    if elapsed > AttitudeFilter.longestGap {
      if elapsed > AttitudeFilter.longestNap { noteSleep(of: elapsed.seconds) }
      beginAfterSilence()
      return 0
    }
    let seconds = elapsed.seconds
    if seconds > AttitudeFilter.longestStep, seconds > 4 * state.usualStep, state.usualStep > 0,
      bridge(seconds: seconds)
    {
      beginAfterSilence()
      return 0
    }
    state.usualStep += (min(seconds, 4 * state.usualStep + 0.01) - state.usualStep) * 0.0625
    return seconds
  }

  /// Counts a sample that is not later than the one before; the first has none before it.
  @inline(never)
  private mutating func isLate(after last: Instant) -> Bool {
    guard last != AttitudeState.never else { return false }
    rejections.outOfOrder &+= 1
    return true
  }

  /// Counts a sample at the end of a range.
  @inline(never)
  private mutating func noteClipping(_ sample: InertialSample) {
    guard sample.isClipped(parameters.gyroscopeRange, parameters.accelerometerRange) else { return }
    noteClipping()
  }

  /// Counts a sample at the end of a range: until the next correction it is trusted less.
  mutating func noteClipping() {
    rejections.clipped &+= 1
    state.isSuspect = true
  }

  /// Whether the filter would take a sample: one that it can use, later than the one before.
  func wouldTake(_ sample: InertialSample) -> Bool {
    InertialLanes(sample).isSound && (sample.time > state.lastTime || state.lastTime == AttitudeState.never)
  }

  /// Counts a sample that can't be used, by its reason.
  private mutating func reject(_ sample: InertialSample) -> Float? {
    if sample.angularRate == nil && sample.specificForce == nil {
      rejections.empty &+= 1
    } else if !(sample.angularRate?.isFinite ?? true) || !(sample.specificForce?.isFinite ?? true) {
      rejections.notFinite &+= 1
    } else {
      rejections.outOfRange &+= 1
    }
    return nil
  }
}

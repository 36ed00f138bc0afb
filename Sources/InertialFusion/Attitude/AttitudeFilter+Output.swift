public import Quantities

/// Why the filter decides as it does: each number is a ratio to its threshold, 1 and more means that it has passed.
public struct AttitudeEvidence: Equatable, BitwiseCopyable, Sendable {
  /// Activity against the rest detector's threshold: below 1 is quiet.
  public var rest: Float
  /// Deviation of the last magnetometer reading against that which halves its weight.
  public var magneticDisturbance: Float
  /// What speaks for another field of the earth than the one believed, against the half at which it is believed instead.
  public var magneticRelearning: Float
  /// How much of gravity is not vertical against the half at which the attitude is found anew.
  public var misalignment: Float
}

extension AttitudeFilter {
  /// Attitude without magnetometer: body frame to a frame with z up whose heading has an arbitrary origin.
  ///
  /// Carried forward by the gyroscope's latency. The identity until the vertical is known.
  @inlinable public var levelFromBody: Quaternion { @inline(__always) get { ahead.quaternion } }

  /// Attitude with heading: body frame to ENU (x east, y north, z up).
  ///
  /// North is magnetic north unless `magneticDeclination` is set or courses lead. As long as no heading is known it is
  /// `levelFromBody`, and `headingUncertainty` is π.
  @inlinable public var earthFromBody: Quaternion {
    @inline(__always) get {
      ahead.turnedAboutVertical(cosine: state.headingCosine, sine: state.headingSine).quaternion
    }
  }

  // Looked at in place, as all that is read after each sample, in the modules of users as well: a call takes a copy of the whole filter.
  @inlinable var ahead: LaneRotation {
    @inline(__always) get {
      let present = LaneRotation(state.motion.rotation)
      // Nothing to make up for: most sensors' latency is not known.
      if parameters.gyroscopeLatency == 0 { return present }
      return present.turned(by: Lanes3(state.rate) * parameters.gyroscopeLatency)
    }
  }

  /// The time of the last sample that was used.
  public var lastSampleTime: Instant? {
    @inline(__always) get { state.lastTime == AttitudeState.never ? nil : state.lastTime }
  }
  /// Whether there was a silence between the sample at that time, the last before the present one, and this. The count of
  /// silences ends at its largest number, so it can't tell.
  @inline(__always) func wasSilent(since before: Instant?) -> Bool {
    guard let before, let now = lastSampleTime else { return false }
    return now - before > AttitudeFilter.longestGap
  }

  /// True once the vertical is known.
  @inlinable public var isAligned: Bool { @inline(__always) get { state.isAligned } }
  /// Bias of the gyroscope, rad/s, body frame.
  @inlinable public var gyroBias: Vector3 { @inline(__always) get { state.level.gyroBias } }
  /// Its standard deviation, rad/s per axis.
  @inlinable public var gyroBiasUncertainty: Float { @inline(__always) get { state.statedBias } }
  /// True once the bias is known to half a degree per second.
  public var isGyroBiasKnown: Bool { @inline(__always) get { knownBiasUncertainty != nil } }
  /// Scale error of the gyroscope: the true rate is (measured − bias)·(1 + scale).
  public var gyroScale: Vector3 { state.level.gyroScale }
  /// Standard deviation of the tilt, rad, per horizontal axis. It counts noise, bias, scale and the accelerometer's offset,
  /// but not errors between its axes.
  @inlinable public var tiltUncertainty: Float { @inline(__always) get { state.statedTilt } }
  /// Offset of the accelerometer: the true specific force is measured − offset, m/s², body frame. Only what the sensor has
  /// turned shows it.
  public var accelerometerOffset: Vector3 { state.level.accelerometerOffset }
  /// Its standard deviation, m/s² per axis.
  public var accelerometerOffsetUncertainty: Float { (state.level.aa.trace * (1.0 / 3)).squareRoot() }
  /// Standard deviation of the heading of `earthFromBody`, rad; π while it is unknown.
  @inlinable public var headingUncertainty: Float { @inline(__always) get { state.statedHeading } }

  /// Finds the stated deviations anew, after what they depend on has changed: once per stretch, not each time they are read.
  mutating func stateUncertainty() {
    var tilt = state.level.statedTiltVariance(coefficients)
    // Without a gyroscope the accelerometer is about a second late: what is turned meanwhile is not known.
    if isBlind, state.isAligned, !state.rest.isAtRest { tilt += parameters.unseenRate * parameters.unseenRate }
    state.statedTilt = tilt.squareRoot()
    state.stateBias(parameters)
    let magnetic = magneticHeadingVariance(of: state.magnetic.field, isStated: true)
    let course = state.course.variance
    let information = (magnetic.isFinite ? 1 / magnetic : 0) + (course.isFinite ? 1 / course : 0)
    state.statedHeading = information > 0.1 ? min(.pi, (1 / information).squareRoot()) : .pi
  }
  /// The body's own magnetic field as it is taken away, µT, body frame; zero while none is certain.
  public var hardIron: Vector3 { state.magnetic.hardIron }
  /// Standard deviation of the likely field of the body, µT per axis, whether it is taken away or not.
  public var hardIronUncertainty: Float { state.magnetic.hardIronUncertainty }
  /// How late the magnetometer is against the gyroscope, s, as found from turns.
  public var magnetometerDelay: Float { state.magnetic.delay }
  /// True when the sensor lies still.
  @inlinable public var isAtRest: Bool { @inline(__always) get { state.rest.isAtRest } }
  /// True when the last magnetometer reading did not fit.
  public var isMagneticallyDisturbed: Bool { state.magnetic.disturbance >= 1 }
  /// Evidence of every decision.
  public var evidence: AttitudeEvidence {
    AttitudeEvidence(
      rest: Float(Int(state.restActivity)) * (1.0 / 16), magneticDisturbance: state.magnetic.disturbance,
      magneticRelearning: 2 * state.magnetic.rival.share(against: state.magnetic.field),
      misalignment: misalignment)
  }

  /// How little of gravity is vertical against the half at which the attitude is found anew.
  private var misalignment: Float {
    guard state.isAligned else { return 0 }
    return max(0, 2 - 2 * state.meanVerticalForce / LevelEstimate.gravity)
  }
}

public import Quantities

/// Attitude, heading and gyroscope bias for the lowest power.
///
/// Per sample there is one strapdown step and one rotation of the specific force to the level frame, all of it products and
/// sums; everything else happens once per `correctionInterval`, with four square roots as a rule and no trigonometry:
///
/// - the mean specific force passes a second-order low-pass in the level frame, which is almost inertial, so that the
///   accelerations of movement average out, and its direction is turned to the vertical about a horizontal axis;
/// - the mean angular rate of quiet times becomes the bias;
/// - one magnetic sample, weighted by how well strength and dip agree with the expected field, moves the heading offset,
///   a rotation about the vertical that can't tilt the attitude.
///
/// The rate and the force of a sample belong to the same moment, so the turn over the time since the sample before is taken to
/// be centred on it: force and field are rotated by the attitude in the middle of the step. That alone takes a tenth off the
/// tilt error at 286 Hz and half of it at 26 Hz.
///
/// It learns the bias at rest only: without any rest, give it a stored bias.
///
/// - Complexity: O(1) per sample; no allocation.
/// - Source: smoothing in the inertial frame and the separate heading offset after [laidig-seel] section 3; the second-order
///   rotation correction after [bortz]; series, gating and batching are our own. Measured in `docs/fusion-lite.md`.
@frozen public struct LiteAttitudeFilter: Equatable, BitwiseCopyable, Sendable {
  /// Tuning.
  public let parameters: LiteParameters
  /// All that is remembered; may be read at any time and set to go on from there.
  public var state: LiteState
  /// Samples that were not used.
  public internal(set) var rejections = InertialRejections()
  /// Pauses longer than `longestGap`.
  public internal(set) var gapCount: UInt32 = 0
  @usableFromInline let coefficients: LiteCoefficients

  /// A filter that goes on from a state, by default one that knows nothing.
  public init(parameters: LiteParameters = LiteParameters(), state: LiteState = LiteState()) {
    self.parameters = parameters
    self.state = state
    coefficients = LiteCoefficients(parameters)
  }

  /// Attitude without heading: from the body frame to a level frame, z up, whose heading origin is arbitrary.
  @inlinable public var levelFromBody: Quaternion { state.levelFromBody }

  /// Attitude with magnetic heading: from the body frame to x = east, y = magnetic north, z = up. Before the
  /// first heading it is `levelFromBody`; while `hasHeading` is false later on, the last known offset holds.
  @inlinable public var earthFromBody: Quaternion {
    let q = state.levelFromBody
    let c = state.halfCosine
    let s = state.halfSine
    return Quaternion(w: c * q.w - s * q.z, x: c * q.x - s * q.y, y: c * q.y + s * q.x, z: c * q.z + s * q.w)
  }

  /// True once the vertical is known.
  @inlinable public var isAligned: Bool { state.isAligned }
  /// True once a magnetic sample has set the heading.
  @inlinable public var hasHeading: Bool { state.headingSeconds > 0 }
  /// True when it has been quiet for the dwell time.
  @inlinable public var isAtRest: Bool { state.quietSeconds >= parameters.restDwell }

  /// Takes one sample in.
  ///
  /// Without angular rate the attitude stands still between corrections; without specific force the tilt is not corrected.
  /// A sample that can't be used is counted in `rejections` and changes nothing else.
  ///
  /// - Parameter sample: Body frame; times must increase.
  @inlinable public mutating func update(with sample: InertialSample) {
    let last = state.lastMicroseconds
    let now = sample.time.microseconds
    guard now > last else {
      rejectOutOfOrder()
      return
    }
    guard let (rate, force) = reading(of: sample) else { return }
    let elapsed = last == Int64.min ? 0 : seconds(from: last, to: now)
    let isUsed =
      if let field = sample.magneticFluxDensity {
        update(angularRate: rate, specificForce: force, magneticFluxDensity: field, seconds: elapsed)
      } else {
        update(angularRate: rate, specificForce: force, seconds: elapsed)
      }
    if isUsed { state.lastMicroseconds = now }
  }

  /// Takes one reading without magnetometer in; the same as `update(with:)` where the caller knows the time that has passed.
  ///
  /// - Parameters:
  ///   - angularRate: rad/s, body frame.
  ///   - specificForce: m/s², body frame.
  ///   - seconds: Time since the reading before, s; 0 for the first. More than `longestGap` begins anew.
  /// - Returns: False when the reading was counted as rejected and changed nothing.
  @inlinable @inline(__always) @discardableResult
  public mutating func update(angularRate: Vector3, specificForce: Vector3, seconds: Float) -> Bool {
    // False for NaN and infinity too.
    guard angularRate.squaredLength < 4e4, specificForce.squaredLength < 1.6e7, seconds >= 0 else {
      reject(angularRate, specificForce, .zero, seconds)
      return false
    }
    guard state.isAligned, seconds <= coefficients.longestGap else {
      restart(rate: angularRate, force: specificForce, field: nil)
      return true
    }
    _ = step(angularRate, specificForce, seconds)
    if state.seconds >= coefficients.interval { correct() }
    return true
  }

  /// Takes one reading with magnetometer in.
  ///
  /// - Parameters:
  ///   - angularRate: rad/s, body frame.
  ///   - specificForce: m/s², body frame.
  ///   - magneticFluxDensity: µT, body frame; a value that repeats the one before does no harm.
  ///   - seconds: Time since the reading before, s; 0 for the first. More than `longestGap` begins anew.
  /// - Returns: False when the reading was counted as rejected and changed nothing.
  @inlinable @inline(__always) @discardableResult
  public mutating func update(
    angularRate: Vector3, specificForce: Vector3, magneticFluxDensity: Vector3, seconds: Float
  ) -> Bool {
    guard angularRate.squaredLength < 4e4, specificForce.squaredLength < 1.6e7,
      magneticFluxDensity.squaredLength < 1e8, seconds >= 0
    else {
      reject(angularRate, specificForce, magneticFluxDensity, seconds)
      return false
    }
    guard state.isAligned, seconds <= coefficients.longestGap else {
      restart(rate: angularRate, force: specificForce, field: magneticFluxDensity)
      return true
    }
    let turn = step(angularRate, specificForce, seconds)
    if state.fieldPending > 0 {
      turnToNorth(field: magneticFluxDensity - turn.cross(magneticFluxDensity) * 0.5)
    }
    if state.seconds >= coefficients.interval { correct() }
    return true
  }

  /// One strapdown step; answers the rotation vector it turned by, rad, body frame.
  ///
  /// Vectors lie in the last three of four lanes, the scalar part of a quaternion in the first.
  @inlinable @inline(__always) mutating func step(_ measured: Vector3, _ force: Vector3, _ seconds: Float) -> Vector3 {
    let rate = lanes(0, measured) - lanes(0, state.bias)
    var turn = rate * seconds
    if seconds > LiteAttitudeFilter.coningInterval {
      turn += cross(lanes(0, state.previousRate), rate) * (seconds * seconds * (1.0 / 12))
      state.previousRate = vector(rate)
    }
    let squares = turn * turn
    let squaredHalf = (squares[1] + squares[2] + squares[3]) * 0.25
    var w: Float
    var change: SIMD4<Float>
    if squaredHalf < 0.0625 {
      // Series of cos and sin(a)/a: below 0.5 rad wrong by less than 4e-7.
      w = 1 - squaredHalf * (0.5 - squaredHalf * (1.0 / 24))
      change = turn * (0.5 - squaredHalf * (1.0 / 12 - squaredHalf * (1.0 / 240)))
    } else {
      let exact = Quaternion(rotationVector: vector(turn))
      w = exact.w
      change = lanes(0, Vector3(exact.x, exact.y, exact.z))
    }
    let before = SIMD4(state.levelFromBody.w, state.levelFromBody.x, state.levelFromBody.y, state.levelFromBody.z)
    // Hamilton's product by columns, so that what depends on the step before is one product and two sums deep.
    let byX = SIMD4(before[1], before[0], before[3], before[2]) * (SIMD4(-1, 1, 1, -1) * change[1])
    let byY = SIMD4(before[2], before[3], before[0], before[1]) * (SIMD4(-1, -1, 1, 1) * change[2])
    let byZ = SIMD4(before[3], before[2], before[1], before[0]) * (SIMD4(-1, 1, -1, 1) * change[3])
    let after = (before * w + byX) + (byY + byZ)
    state.levelFromBody = Quaternion(w: after[0], x: after[1], y: after[2], z: after[3])
    // The sum of the two is the attitude in the middle, of length 2 cos(angle/4): divided out to second order. In the first
    // lane the force carries a one, which counts.
    let middle = before + after
    let counted = lanes(1, force)
    let across = cross(middle, counted) * (0.5 + 0.125 * squaredHalf)
    state.force += (counted + across * middle[0]) + cross(middle, across)
    state.seconds += seconds
    return vector(turn)
  }

  /// A number and the three components of a vector as four lanes.
  @inlinable @inline(__always) func lanes(_ first: Float, _ v: Vector3) -> SIMD4<Float> { SIMD4(first, v.x, v.y, v.z) }

  /// The vector in the last three lanes.
  @inlinable @inline(__always) func vector(_ lanes: SIMD4<Float>) -> Vector3 { Vector3(lanes[1], lanes[2], lanes[3]) }

  /// Cross product of the last three lanes; the first is zero.
  @inlinable @inline(__always) func cross(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    let c = a * SIMD4(b[0], b[2], b[3], b[1]) - SIMD4(a[0], a[2], a[3], a[1]) * b
    return SIMD4(c[0], c[2], c[3], c[1])
  }

  /// Steps no longer than this, s, need no second-order correction of the rotation: it is below 1 % of the tilt error at 95 Hz.
  @inlinable static var coningInterval: Float { 0.005 }

  /// Rate and force of a sample, missing ones completed; nil when there is nothing to use.
  @inlinable @inline(__always) mutating func reading(of sample: InertialSample) -> (Vector3, Vector3)? {
    if let rate = sample.angularRate, let force = sample.specificForce { return (rate, force) }
    return completedReading(of: sample)
  }

  /// The time between two instants, s; no more than 2,147. The later less the earlier fits 64 bits without sign, and a
  /// processor without 64-bit registers converts only small integers cheaply.
  @inlinable @inline(__always) func seconds(from earlier: Int64, to later: Int64) -> Float {
    let difference = UInt64(bitPattern: later &- earlier)
    // From `Int`: the library converts every other integer by way of 64 bits.
    let microseconds = Float(Int(truncatingIfNeeded: difference))
    return difference > 0x7FFF_FFFF ? 2147 : microseconds * 1e-6
  }
}

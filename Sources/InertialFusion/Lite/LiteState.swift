public import Quantities

/// All that `LiteAttitudeFilter` remembers between two samples: saved and restored, it goes on to the same bits.
///
/// - Complexity: 176 bytes.
@frozen public struct LiteState: Equatable, BitwiseCopyable, Sendable {
  /// Attitude: from the body frame to a level frame, z up, whose heading origin is arbitrary.
  public var levelFromBody: Quaternion
  /// Bias of the gyroscope, rad/s, body frame.
  public var bias: Vector3
  /// Rest the bias was learnt from, s, counted up to the bias's time constant; 0 while nothing was learnt.
  public internal(set) var biasSeconds: Float = 0
  /// How long it has been quiet, s.
  public internal(set) var quietSeconds: Float = 0
  /// How long the magnetic heading has been averaged, s; 0 while it is unknown.
  public internal(set) var headingSeconds: Float = 0

  /// The time of the last sample, µs; the smallest number before the first.
  @usableFromInline var lastMicroseconds = Int64.min
  /// Half the heading offset, as cosine and sine: the rotation about z from the level frame to the earth frame.
  @usableFromInline var halfCosine: Float = 1
  @usableFromInline var halfSine: Float = 0
  /// Since the last correction: number and sum of the specific forces in the level frame, time, and the attitude right after.
  @usableFromInline var force = SIMD4<Float>.zero
  @usableFromInline var seconds: Float = 0
  var firstAttitude = Quaternion.identity
  @usableFromInline var previousRate = Vector3.zero
  /// Time for which no magnetic sample was used, s; below zero while none is wanted.
  @usableFromInline var fieldPending: Float = 0
  /// The two integrators of the second-order low-pass, in the level frame; the second holds the smoothed force.
  var band = Vector3.zero
  @usableFromInline var smoothed = Vector3.zero
  /// Time since the smoothing began anew, s; below zero before the first alignment.
  @usableFromInline var smoothedSeconds: Float = -1
  /// Expected strength of the field, µT, and its upward share.
  var fieldStrength: Float = 0
  var fieldUpward: Float = 0
  /// Means of the last half second, body frame.
  var recentRate = Vector3.zero
  var recentForce = Vector3.zero

  /// Knows nothing but, perhaps, a bias and an attitude from before.
  ///
  /// - Parameters:
  ///   - bias: A stored bias of the gyroscope, rad/s.
  ///   - levelFromBody: An attitude to begin with: its heading is kept, its tilt comes from the first sample.
  public init(bias: Vector3 = .zero, levelFromBody: Quaternion = .identity) {
    self.bias = bias.isFinite ? bias : .zero
    self.levelFromBody = levelFromBody.normalized
  }

  /// True once the vertical is known.
  @inlinable public var isAligned: Bool { smoothedSeconds >= 0 }
}

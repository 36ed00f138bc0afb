public import Quantities

/// Tuning of `AccelerometerCalibrator`.
@frozen public struct AccelerometerParameters: Equatable, BitwiseCopyable, Sendable {
  /// Length of gravity where the poses were taken, m/s². Default: standard gravity; `Gravity.normal` knows it better.
  public var gravity: Float = Gravity.standard
  /// What counts as lying still.
  public var still = StillPoseParameters()
  /// Standard deviation of a pose's length that is assumed at least, m/s². Default 0.02: non-linearity and temperature; the
  /// noise of a mean over seconds is far below.
  public var poseDeviation: Float = 0.02
  /// Most standard deviation of an offset, m/s². Default 0.05: a tilt error of 0.3°.
  public var offsetLimit: Float = 0.05
  /// Most standard deviation of a factor. Default 0.005, which is as much as the offset's limit at one g.
  public var scaleLimit: Float = 0.005
  /// Most root mean square of what is left in the poses, m/s². Default 0.1: beyond, they were not still, or the part is not
  /// described by offset and factor.
  public var residualLimit: Float = 0.1

  /// The defaults.
  @inlinable public init() {}
}

/// What came of a calibration.
@frozen public enum AccelerometerOutcome: UInt8, BitwiseCopyable, Sendable {
  /// Offset and factors are found.
  case solved
  /// Fewer poses than needed, or none in some direction; `coverage` says which.
  case posesMissing
  /// The poses do not agree with each other.
  case inconsistent
  /// Offset or factor lie beyond what parts have (3 m/s², 20 %).
  case implausible
}

/// How near the poses come to having each signed sensor axis straight up: 1 is straight up, 0 is level.
@frozen public struct AxisCoverage: Equatable, BitwiseCopyable, Sendable {
  /// With +x, +y, +z up.
  public private(set) var plus = Vector3.zero
  /// With −x, −y, −z up.
  public private(set) var minus = Vector3.zero

  @inlinable init() {}

  /// An axis is covered from here on: it stands within 37° of the vertical.
  @inlinable public static var sufficient: Float { 0.8 }

  /// How near the poses come to having this axis straight up.
  public subscript(axis: SensorAxis) -> Float {
    switch axis {
    case .plusX: return plus.x
    case .plusY: return plus.y
    case .plusZ: return plus.z
    case .minusX: return minus.x
    case .minusY: return minus.y
    case .minusZ: return minus.z
    }
  }

  /// True when no pose has this axis near the vertical.
  public func isMissing(_ axis: SensorAxis) -> Bool { self[axis] < AxisCoverage.sufficient }

  mutating func include(_ up: Vector3) {
    plus = Vector3(max(plus.x, up.x), max(plus.y, up.y), max(plus.z, up.z))
    minus = Vector3(max(minus.x, -up.x), max(minus.y, -up.y), max(minus.z, -up.z))
  }
}

/// Offset and factors of an accelerometer with their uncertainty, or why there are none.
@frozen public struct AccelerometerSolution: Equatable, BitwiseCopyable, Sendable {
  /// What came of it.
  public internal(set) var outcome = AccelerometerOutcome.posesMissing
  /// To subtract, m/s², sensor frame; zero unless solved.
  public internal(set) var offset = Vector3.zero
  /// Factor per axis after the offset; one unless solved.
  public internal(set) var scale = Vector3(1, 1, 1)
  /// Standard deviation of the offset, m/s²; zero unless solved.
  public internal(set) var offsetDeviation = Vector3.zero
  /// Standard deviation of the factors; zero unless solved.
  public internal(set) var scaleDeviation = Vector3.zero
  /// Root mean square of length minus gravity over the poses after the fit, m/s²; as before unless a fit was made.
  public internal(set) var residual: Float = 0
  /// The same before the fit.
  public internal(set) var residualBefore: Float = 0
  /// Poses it rests on. With six there is nothing left to check the fit with.
  public internal(set) var poseCount: Int32 = 0
  /// Largest standard deviation against its limit: refused from 1 on; infinite when a parameter is not seen at all.
  public internal(set) var uncertaintyRatio = Float.infinity
  /// In which directions there are poses.
  public internal(set) var coverage = AxisCoverage()

  @inlinable init() {}

  /// The calibration with these values in place of its own.
  public func applied(to calibration: InertialCalibration) -> InertialCalibration {
    var result = calibration
    result.specificForceOffset = offset
    result.specificForceScale = scale
    return result
  }
}

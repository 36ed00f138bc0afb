public import Quantities

/// The mean specific force of a stretch in which the sensor lay still.
@frozen public struct StillPose: Equatable, BitwiseCopyable, Sendable {
  /// Mean specific force, m/s², sensor frame, uncalibrated.
  public var specificForce: Vector3
  /// How long it lay still, s.
  public var seconds: Float

  /// A pose from its parts.
  @inlinable public init(specificForce: Vector3, seconds: Float) {
    self.specificForce = specificForce
    self.seconds = seconds
  }
}

/// What counts as lying still.
@frozen public struct StillPoseParameters: Equatable, BitwiseCopyable, Sendable {
  /// Length of a window, at least four samples. Default 500 ms.
  public var window: Interval = .milliseconds(500)
  /// How long a pose must last, without its first and last window. Default 2 s; small takes in poses of a resting hand.
  public var minimumSeconds: Float = 2
  /// Most scatter of the specific force inside a window, m/s² per axis. Default 0.15: three times an MPU-6050's noise.
  public var specificForceScatter: Float = 0.15
  /// Most scatter of the angular rate inside a window, rad/s per axis. Default 0.03.
  public var angularRateScatter: Float = 0.03
  /// Most distance of a window's mean from that of its stretch, m/s². Default 0.12, which is 0.7° of turn.
  public var drift: Float = 0.12

  /// The defaults.
  @inlinable public init() {}
}

/// Finds the stretches of a recording in which the sensor lay still.
///
/// Windows are judged by their scatter, neighbours by their means, so that neither noise nor bias matters and a slow turn
/// ends a stretch. The first and the last window of a stretch are left out: the hand that puts the sensor down is in them.
///
/// - Complexity: O(1) per sample; no allocation.
public struct StillPoseFinder: BitwiseCopyable, Sendable {
  /// What counts as lying still.
  public let parameters: StillPoseParameters
  /// Samples that were not used: without specific force, not finite, or not later than the one before.
  public private(set) var rejectedSamples: UInt32 = 0
  private var force = WindowStatistics()
  private var rate = WindowStatistics()
  private var windowStart: Instant?
  private var lastTime: Instant?
  /// Mean of the stretch; its seconds do not count the first window.
  private var stretch = StillPose(specificForce: .zero, seconds: 0)
  /// The last quiet window, which counts when the next is quiet, too.
  private var pending: StillPose?
  /// True when the pending window is the first of its stretch.
  private var pendingIsFirst = false

  /// A finder that has seen nothing.
  public init(parameters: StillPoseParameters = StillPoseParameters()) { self.parameters = parameters }

  /// Takes one sample in.
  ///
  /// - Parameter sample: Sensor frame, uncalibrated; the gyroscope may be missing.
  /// - Returns: A pose that has just ended.
  public mutating func process(_ sample: InertialSample) -> StillPose? {
    guard let value = sample.specificForce, value.isFinite, value.squaredLength < 1.6e7,
      sample.angularRate?.isFinite ?? true, lastTime.map({ sample.time > $0 }) ?? true
    else {
      rejectedSamples &+= 1
      return nil
    }
    var ended: StillPose?
    if let last = lastTime, sample.time - last > .seconds(1) {
      ended = finish()
    }
    lastTime = sample.time
    let start = windowStart ?? sample.time
    windowStart = start
    force.add(value)
    if let turning = sample.angularRate { rate.add(turning) }
    guard sample.time - start >= parameters.window, force.count >= 4 else { return ended }
    let closed = closeWindow(seconds: (sample.time - start).seconds)
    windowStart = sample.time
    return ended ?? closed
  }

  /// The recording ends, or what follows is another one.
  ///
  /// - Returns: The pose it ended in.
  public mutating func finish() -> StillPose? {
    let ended = endStretch()
    force = WindowStatistics()
    rate = WindowStatistics()
    windowStart = nil
    lastTime = nil
    return ended
  }

  private mutating func closeWindow(seconds: Float) -> StillPose? {
    let window = StillPose(specificForce: force.mean, seconds: seconds)
    let isQuiet =
      force.variance <= parameters.specificForceScatter * parameters.specificForceScatter
      && rate.variance <= parameters.angularRateScatter * parameters.angularRateScatter
    force = WindowStatistics(reference: window.specificForce)
    rate = WindowStatistics(reference: rate.mean)
    guard isQuiet else { return endStretch() }
    var ended: StillPose?
    if let before = pending {
      let reference = stretch.seconds > 0 ? stretch.specificForce : before.specificForce
      if (window.specificForce - reference).length > parameters.drift {
        ended = endStretch()
      } else if !pendingIsFirst {
        stretch.seconds += before.seconds
        stretch.specificForce += (before.specificForce - stretch.specificForce) * (before.seconds / stretch.seconds)
      }
    }
    pendingIsFirst = pending == nil
    pending = window
    return ended
  }

  private mutating func endStretch() -> StillPose? {
    let ended = stretch
    stretch = StillPose(specificForce: .zero, seconds: 0)
    pending = nil
    pendingIsFirst = false
    return ended.seconds >= parameters.minimumSeconds ? ended : nil
  }
}

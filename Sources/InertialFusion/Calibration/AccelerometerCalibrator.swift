public import InlineStorage
public import Quantities

/// Finds offset and scale of an accelerometer from poses in which it lay still.
///
/// Lying still, the calibrated reading has the length of gravity whichever way the sensor lies, so no pose need be exact.
/// Six unknowns ask for six poses, best with each axis once up and once down. What the poses do not show is refused: a fit
/// that is not observable makes readings worse than none.
///
/// Cross-axis terms are not fitted: they ask for nine or more poses between the axes, and lengths alone tell only how the
/// axes of the accelerometer stand to each other, not to those of the gyroscope (`docs/calibration.md`).
///
/// - Complexity: O(1) per sample; `solution` some thousand operations per pose; no allocation.
public struct AccelerometerCalibrator: ~Copyable, Sendable {
  /// Tuning.
  public let parameters: AccelerometerParameters
  /// The different poses so far. At most 24: with more, the nearest neighbours are thinned out.
  public private(set) var poses = InlineVector<24, StillPose>()
  /// Poses left out because others lie near and the list is full.
  public private(set) var thinnedPoses: UInt32 = 0
  /// Poses whose length is not within 30 % of gravity: a wrong unit, or no accelerometer.
  public private(set) var implausiblePoses: UInt32 = 0
  private var finder: StillPoseFinder

  /// Means nearer than this are one pose, m/s² (3°): averaging them loses 0.0004 of the length.
  static var sameDistance: Float { 0.5 }

  /// A calibrator that has seen nothing.
  public init(parameters: AccelerometerParameters = AccelerometerParameters()) {
    self.parameters = parameters
    finder = StillPoseFinder(parameters: parameters.still)
  }

  /// Samples that were not used.
  public var rejectedSamples: UInt32 { finder.rejectedSamples }

  /// Takes one sample in.
  ///
  /// - Parameter sample: Sensor frame, uncalibrated.
  public mutating func process(_ sample: InertialSample) {
    if let pose = finder.process(sample) { add(pose) }
  }

  /// The recording ends; the pose it ends in counts. Another recording of the same sensor may follow.
  public mutating func finish() {
    if let pose = finder.finish() { add(pose) }
  }

  /// Adds a pose, or joins it with one that is the same.
  public mutating func add(_ pose: StillPose) {
    let length = pose.specificForce.length
    guard pose.seconds > 0, length > 0.7 * parameters.gravity, length < 1.3 * parameters.gravity else {
      implausiblePoses &+= 1
      return
    }
    if let (place, distance) = nearest(to: pose, besides: -1), distance < AccelerometerCalibrator.sameDistance {
      var joined = poses[place]
      joined.seconds += pose.seconds
      joined.specificForce += (pose.specificForce - joined.specificForce) * (pose.seconds / joined.seconds)
      poses[place] = joined
      return
    }
    if poses.isFull {
      thinnedPoses &+= 1
      guard let crowded = mostCrowded(), let (_, distance) = nearest(to: pose, besides: -1),
        distance > crowded.distance
      else { return }
      poses.remove(at: crowded.place)
    }
    poses.append(pose)
  }

  private func nearest(to pose: StillPose, besides: Int) -> (place: Int, distance: Float)? {
    var best: (place: Int, distance: Float)?
    for place in 0..<poses.count where place != besides {
      let distance = (poses[place].specificForce - pose.specificForce).length
      if distance < best?.distance ?? .infinity { best = (place, distance) }
    }
    return best
  }

  /// Of the two poses that lie nearest to each other, the one that was shorter.
  private func mostCrowded() -> (place: Int, distance: Float)? {
    var best: (place: Int, distance: Float)?
    for place in 0..<poses.count {
      guard let (other, distance) = nearest(to: poses[place], besides: place) else { continue }
      guard distance < best?.distance ?? .infinity else { continue }
      best = (poses[place].seconds < poses[other].seconds ? place : other, distance)
    }
    return best
  }

  /// Offset and factors from the poses so far, or why there are none.
  public var solution: AccelerometerSolution {
    var result = AccelerometerSolution()
    result.poseCount = Int32(truncatingIfNeeded: poses.count)
    for place in 0..<poses.count {
      if let up = poses[place].specificForce.normalized { result.coverage.include(up) }
    }
    let start = AccelerometerFit(gravity: parameters.gravity)
    result.residualBefore = start.residual(over: poses.span)
    result.residual = result.residualBefore
    guard poses.count >= 6 else { return result }
    // What is not observable here would not be at the solution either, and the fit would wander off.
    result.uncertaintyRatio = ratio(start.deviations(over: poses.span), residual: 0, count: poses.count)
    guard result.uncertaintyRatio < 1 else { return result }
    var fit = start
    fit.improve(over: poses.span)
    guard fit.isPlausible else {
      result.outcome = .implausible
      return result
    }
    result.residual = fit.residual(over: poses.span)
    let deviations = fit.deviations(over: poses.span)
    result.uncertaintyRatio = ratio(deviations, residual: result.residual, count: poses.count)
    guard result.residual <= parameters.residualLimit, result.uncertaintyRatio < 1, let deviations else {
      result.outcome = .inconsistent
      return result
    }
    let deviation = poseDeviation(residual: result.residual, count: poses.count)
    result.outcome = .solved
    result.offset = fit.offset
    result.scale = fit.scale
    result.offsetDeviation = deviations.offset * deviation
    result.scaleDeviation = deviations.scale * deviation
    return result
  }

  /// Standard deviation of a pose's length: what the poses show, and never less than is assumed.
  private func poseDeviation(residual: Float, count: Int) -> Float {
    guard count > 6 else { return parameters.poseDeviation }
    let shown = residual * (Float(count) / Float(count - 6)).squareRoot()
    return max(shown, parameters.poseDeviation)
  }

  private func ratio(
    _ deviations: (offset: Vector3, scale: Vector3)?, residual: Float, count: Int
  ) -> Float {
    guard let deviations else { return .infinity }
    let offset = max(deviations.offset.x, max(deviations.offset.y, deviations.offset.z)) / parameters.offsetLimit
    let scale = max(deviations.scale.x, max(deviations.scale.y, deviations.scale.z)) / parameters.scaleLimit
    return max(offset, scale) * poseDeviation(residual: residual, count: count)
  }
}

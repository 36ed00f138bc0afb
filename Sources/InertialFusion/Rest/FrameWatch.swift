import Quantities

/// Notices axes that change places while the vehicle is not at rest, in wind or beside a road: `SensorWatch` sees smaller steps,
/// and only from rest to rest.
///
/// Gravity jumps from one direction of the body to another within a sample, keeps its size, and the gyroscope has seen next to
/// nothing. A hand turns a vehicle as far only with a turn the gyroscope tells, and what accelerates changes the size, too.
///
/// - Complexity: O(1) per half window; no allocation.
/// - Source: our derivation; axes that change places keep the length of every vector.
struct FrameWatch: BitwiseCopyable, Sendable {
  /// Mean specific force of the last calm half window; zero while unknown.
  private var force = Vector3.zero
  /// What has been turned by since, rad, body frame.
  private var turned = Vector3.zero
  /// Half windows since then: one in which the step fell, if it fell between two of them none.
  private var loudCount: UInt8 = 0
  /// Mean specific force of the first calm half window after the step; zero while there was none.
  private var stepped = Vector3.zero

  /// Largest variance of a calm half window, per axis, (m/s²)².
  static var calm: Float { 0.1 }
  /// Least step, m/s²: 24°.
  static var leastStep: Float { 4 }
  /// Most that the size may change by, m/s², and the two half windows after the step may differ by.
  static var sameSize: Float { 0.4 }
  static var sameForce: Float { 0.8 }
  /// Most that the gyroscope may have seen, rad: 20°.
  static var mostTurn: Float { 0.35 }
  /// Share of the step that it must leave unexplained.
  static var unexplained: Float { 0.7 }

  /// Takes in the half window that has just closed; the bias of the gyroscope turns by little in the three of them.
  ///
  /// - Returns: True when it confirms that the frame is another. Nothing is told of a sensor without accelerometer or gyroscope.
  mutating func hasTurned(_ half: HalfWindow) -> Bool {
    guard half.rateCount > 1, half.forceCount > 1 else {
      self = FrameWatch()
      return false
    }
    turned += half.rate * half.seconds
    let isAfter = stepped != .zero
    guard half.forceVariance <= FrameWatch.calm else {
      if isAfter || loudCount > 0 { self = FrameWatch() }
      loudCount = 1
      return false
    }
    let mean = half.force
    guard force != .zero, isStep(to: mean) else {
      (force, turned, loudCount, stepped) = (mean, .zero, 0, .zero)
      return false
    }
    guard isAfter else {
      stepped = mean
      return false
    }
    let isSame = (mean - stepped).squaredLength <= FrameWatch.sameForce * FrameWatch.sameForce
    self = FrameWatch()
    return isSame
  }

  private func isStep(to mean: Vector3) -> Bool {
    let step = mean - force
    let square = step.squaredLength
    let unexplained = FrameWatch.unexplained * FrameWatch.unexplained * square
    return square >= FrameWatch.leastStep * FrameWatch.leastStep
      && (mean.length - force.length).magnitude <= FrameWatch.sameSize
      && turned.squaredLength <= FrameWatch.mostTurn * FrameWatch.mostTurn
      && (step - force.cross(turned)).squaredLength > unexplained
  }
}

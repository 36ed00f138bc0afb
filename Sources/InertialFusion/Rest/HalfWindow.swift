import Quantities

/// Means and variances of the half window that has just closed, worked out once for all who look at them.
struct HalfWindow: BitwiseCopyable, Sendable {
  /// Its length, s.
  let seconds: Float
  /// Samples of the angular rate; without any its mean means nothing, and the variance is zero.
  let rateCount: Int32
  /// Mean angular rate, rad/s, body frame.
  let rate: Vector3
  /// Its variance, averaged over the axes, (rad/s)².
  let rateVariance: Float
  /// Samples of the specific force.
  let forceCount: Int32
  /// Mean specific force, m/s², body frame.
  let force: Vector3
  /// Its variance, averaged over the axes, (m/s²)².
  let forceVariance: Float

  /// Samples of that of which there are more.
  var count: Int32 { max(rateCount, forceCount) }

  /// That which a detector of rest has just closed.
  init(_ rest: borrowing RestDetector, seconds: Float) {
    let (rates, forces) = (rest.angularRateHalf, rest.specificForceHalf)
    self.seconds = seconds
    (rateCount, rate, rateVariance) = (rates.count, rates.mean, rates.variance)
    (forceCount, force, forceVariance) = (forces.count, forces.mean, forces.variance)
  }
}

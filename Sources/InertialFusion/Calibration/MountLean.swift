import Quantities

/// The lean of the vehicle, once as turns ask for it and once as the gyroscope feels it, ready for comparison.
///
/// Angles are compared, not rates: a rider balances speed times yaw rate over seconds, while from one second to the next the
/// handlebar and the road disturb the yaw. Both sides leak away with the same time constant, which keeps the gyroscope's bias
/// from growing, and both are averaged over two intervals.
struct MountLean: BitwiseCopyable {
  private var expected: Float = 0
  private var felt = Vector3.zero
  private var lastBalance: Float?
  private var lastExpected: Float = 0
  private var lastFelt: Vector3?

  /// Takes one interval in.
  ///
  /// - Parameters:
  ///   - balance: The lean to the right that balances the turn, rad.
  ///   - rate: Mean angular rate less its vertical part, rad/s, sensor frame.
  ///   - seconds: Length of the interval, s.
  ///   - timeConstant: Of the leak, s.
  /// - Returns: The expected angle and the felt turn; nil at the beginning.
  mutating func add(
    balance: Float, rate: Vector3, seconds: Float, timeConstant: Float
  ) -> (expected: Float, felt: Vector3)? {
    let keep = 1 / (1 + seconds / timeConstant)
    let feltBefore = felt
    felt = (felt + rate * seconds) * keep
    guard let before = lastBalance else {
      lastBalance = balance
      return nil
    }
    expected = (expected + balance - before) * keep
    lastBalance = balance
    let middle = (feltBefore + felt) * 0.5
    defer {
      lastExpected = expected
      lastFelt = middle
    }
    guard let earlier = lastFelt else { return nil }
    return ((expected + lastExpected) * 0.5, (middle + earlier) * 0.5)
  }
}

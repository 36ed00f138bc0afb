// What others may know of how fixes scatter.

/// How far the fixes of a vehicle that stands scatter, as it was learnt from themselves.
public struct FixScatter: Equatable, BitwiseCopyable, Sendable {
  /// Standard deviation per axis, m; 0 before a minute's change has been seen twice. What little is known is doubted.
  public var deviation: Float
  /// What fixes stated meanwhile, m.
  public var usualAccuracy: Float
  /// True after half an hour at rest: it is believed instead of what fixes state.
  public var isLearnt: Bool
}

extension MotionMonitor {
  /// How far fixes scatter at rest.
  public var fixScatter: FixScatter {
    let scatter = travel.scatter
    return FixScatter(
      deviation: scatter.isKnown ? scatter.walkingDeviation : 0, usualAccuracy: scatter.usualAccuracy,
      isLearnt: scatter.isLearnt)
  }
}

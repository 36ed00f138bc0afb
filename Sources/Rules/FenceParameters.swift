public import Quantities

/// What is asked of fixes before a fence is left or entered.
public struct FenceParameters: Equatable, BitwiseCopyable, Sendable {
  /// How long fixes must say so, 60 s. Shorter: reported sooner, and outliers of a sparse receiver are. Longer: later.
  public var confirmAfter: Interval = .seconds(60)
  /// Deviations beyond the edge, 3.5. Fewer: one that rests at the edge is out several times a week. More: reported later.
  public var exitDeviations: Float = 3.5
  /// Deviations within for an entry, 1. Fewer: drift ends an alarm. More: small fences are never entered.
  public var entryDeviations: Float = 1
  /// Radius for 68 % of fixes that state none, m, 25.
  public var assumedAccuracy: Float = 25
  /// An alert is repeated so often while nobody is back, 60 s; 30 to 86,400 s.
  public var repeatInterval: Interval = .seconds(60)

  /// The defaults.
  public init() {}

  /// How often an alert is told again, within what is allowed.
  var pace: RepetitionPace {
    let allowed = FenceParameters.repeatIntervals
    return RepetitionPace(every: min(max(repeatInterval, allowed.lowerBound), allowed.upperBound))
  }

  /// Deviations that one fix counts at most, which is more than any exit needs.
  var clip: Float { exitDeviations + 3.5 }

  /// Least and largest time between two alerts.
  static var repeatIntervals: ClosedRange<Interval> { .seconds(30)...(.seconds(86_400)) }
  /// Time in which a receiver forgets its error.
  static var errorTime: Float { 300 }
  /// Time over which the short mean reaches.
  static var shortTime: Float { 30 }
  /// However good a receiver says it is, m.
  static var leastDeviation: Float { 1 }
  /// Radius for 68 % of fixes, by the deviation per axis: √(−2 ln 0.32).
  static var radiusOfDeviation: Float { 1.51 }
}

/// How far the fixes of one that rests scatter, as motion detection has learnt it.
public struct LearntScatter: Equatable, BitwiseCopyable, Sendable {
  /// Standard deviation per axis, m.
  public var deviation: Float
  /// What fixes stated meanwhile, m.
  public var usualAccuracy: Float
  /// True when it is known well enough to be believed instead of what is stated.
  public var isLearnt: Bool

  /// What was learnt.
  public init(deviation: Float, usualAccuracy: Float, isLearnt: Bool) {
    self.deviation = deviation
    self.usualAccuracy = usualAccuracy
    self.isLearnt = isLearnt
  }
}

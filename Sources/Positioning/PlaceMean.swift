import Quantities

/// The mean of the fixes at a place where something stands, each by the time it stands for and by its accuracy.
///
/// The error of a receiver that stands is nearly the same for minutes: a mean of a minute is no better than its fixes, one of an hour is,
/// and fixes ten times a second are not better than one. So each fix counts for the time since the one before, up to `longestStep`, by
/// 1/σ². No more than `span` counts: what has come to stand a few metres on is found there after that time.
///
/// **Accuracy.** How many of the errors are one and the same is not known, so that nothing is gained by their number: with weights
/// w = t/σ², a mean of errors that are all one has the standard deviation Σ w σ / Σ w, which is Σ(t/σ) / Σ(t/σ²).
///
/// - Source: our derivation.
@frozen package struct PlaceMean: Equatable, BitwiseCopyable, Sendable {
  /// The mean.
  package private(set) var position: GeodeticPosition
  /// When the last fix came.
  package private(set) var time: Instant
  /// Time that counts, s.
  package private(set) var seconds: Float
  /// Standard deviation of the mean if the errors of its fixes are one and the same, m.
  package private(set) var accuracy: Float
  /// Sum of t/σ², s/m².
  private var weight: Float

  /// A fix stands for no longer time than this.
  @inlinable package static var longestStep: Interval { .seconds(60) }
  /// The most time that counts, s.
  @inlinable package static var span: Float { 3600 }
  /// Receivers that state a tenth of their error wander no farther at rest, m.
  @inlinable static var reach: Double { 50 }
  /// What the first fix counts for, s.
  @inlinable package static var firstStep: Float { 1 }
  /// Accuracies beyond these, m, are taken for these: nothing is known to a millimetre.
  @inlinable static var accuracies: ClosedRange<Double> { 0.1...100_000 }

  /// The first fix, or what an earlier mean was.
  ///
  /// - Parameters:
  ///   - position: Where.
  ///   - accuracy: Its standard deviation, m.
  ///   - time: When.
  ///   - seconds: Time that counts, s; of one fix if it is none.
  package init(_ position: GeodeticPosition, accuracy: Double, at time: Instant, seconds: Float = PlaceMean.firstStep) {
    self.position = position
    self.time = time
    self.seconds = seconds >= PlaceMean.firstStep ? min(seconds, PlaceMean.span) : PlaceMean.firstStep
    self.accuracy = PlaceMean.bounded(accuracy)
    weight = self.seconds / (self.accuracy * self.accuracy)
  }

  /// False for a fix that is at another place: farther away than both may err, three standard deviations each, and by more than `reach`.
  package func isNear(_ other: GeodeticPosition, accuracy: Double) -> Bool {
    let bound = 3 * Double(self.accuracy + PlaceMean.bounded(accuracy)) + PlaceMean.reach
    return Geodesic.fastDistance(from: position, to: other) <= bound
  }

  /// Takes the next fix in; an earlier one than the last counts for no time.
  ///
  /// - Parameters:
  ///   - next: Where.
  ///   - accuracy: Its standard deviation, m.
  ///   - time: When.
  package mutating func record(_ next: GeodeticPosition, accuracy: Double, at time: Instant) {
    let step = min(max(.zero, time - self.time), PlaceMean.longestStep)
    self.time = max(self.time, time)
    let sigma = PlaceMean.bounded(accuracy)
    let elapsed = Float(step.secondsDouble)
    let own = elapsed / (sigma * sigma)
    let whole = weight + own
    self.accuracy = (self.accuracy * weight + sigma * own) / whole
    // Of more than `span` all that was counts for less.
    let rest = min(1, PlaceMean.span / (seconds + elapsed))
    (seconds, weight) = ((seconds + elapsed) * rest, whole * rest)
    let share = Double(own / whole)
    let latitude =
      position.latitudeE9 + Elementary.roundedInteger(Double(next.latitudeE9 - position.latitudeE9) * share)
    var longitude =
      position.longitudeE9 + Elementary.roundedInteger(Double(longitudeDifferenceE9(position, next)) * share)
    if longitude > 180_000_000_000 { longitude -= 360_000_000_000 }
    if longitude < -180_000_000_000 { longitude += 360_000_000_000 }
    position = GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude) ?? next
  }

  private static func bounded(_ accuracy: Double) -> Float {
    // Of NaN nothing is known either.
    guard accuracy >= accuracies.lowerBound else {
      return Float(accuracy.isNaN ? accuracies.upperBound : accuracies.lowerBound)
    }
    return Float(min(accuracy, accuracies.upperBound))
  }
}

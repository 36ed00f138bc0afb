public import Quantities

/// The numbers of the ride that is under way, or of the last one.
@frozen public struct Trip: Equatable, BitwiseCopyable, Sendable {
  /// When it really began.
  public var start: Instant
  /// When it really ended; nil while it is under way.
  public var end: Instant?
  /// Its length, m.
  public var distance: Double
  /// What was carried and not ridden, m: no part of `distance`.
  public var carried: Float
  /// Its time without stops.
  public var moving: Interval
  /// The highest speed that two fixes in a row had, m/s; nil when unknown.
  public var topSpeed: Float?
  /// How far it went up, m; nil when no height is known.
  public var climb: Float?
  /// How far `climb` may be off, m.
  public var climbUncertainty: Float

  /// Speed while it moved, m/s; nil for a ride that took no time, and where it was above the highest: of the way in a silence the time is
  /// not known.
  public var meanSpeed: Double? {
    pace.flatMap { pace in topSpeed.map { pace > Trip.mostOfTop * Double($0) } ?? false ? nil : pace }
  }

  /// How many times the highest speed, which two fixes in a row must have had, the mean may be found: positions wander.
  package static var mostOfTop: Double { 1.1 }

  /// Its distance by its moving time, m/s, whether or not that time has all of the way; nil for a ride that took no time.
  var pace: Double? { moving > .zero ? distance / moving.secondsDouble : nil }
}

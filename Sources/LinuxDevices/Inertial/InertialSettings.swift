public import Quantities

/// The largest specific force an accelerometer is set to measure.
public enum SpecificForceRange: Int, CaseIterable, Comparable, Sendable {
  /// ±2 g: the potholes of any road are beyond.
  case g2 = 2
  /// ±4 g.
  case g4 = 4
  /// ±8 g: rides.
  case g8 = 8
  /// ±16 g: rides with falls and blows.
  case g16 = 16

  /// By size.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The bound, m/s².
  var limit: Double { Double(rawValue) * standardGravity }
}

/// The largest angular rate a gyroscope is set to measure.
public enum AngularRateRange: Int, CaseIterable, Comparable, Sendable {
  /// ±250 °/s.
  case degrees250 = 250
  /// ±500 °/s.
  case degrees500 = 500
  /// ±1000 °/s.
  case degrees1000 = 1000
  /// ±2000 °/s.
  case degrees2000 = 2000

  /// By size.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The bound, rad/s.
  var limit: Double { Double(rawValue) * .pi / 180 }
}

/// m/s² per g.
///
/// - Source: the standard value of the General Conference on Weights and Measures, 1901.
let standardGravity = 9.80665

/// What an inertial sensor is set to.
public struct InertialSettings: Equatable, Sendable {
  /// Samples per second wanted; the part's next one that is not lower is taken.
  public var hertz: Double
  /// Large values: blows are measured in full; small values: less noise of the steps.
  public var specificForceRange: SpecificForceRange
  /// Large values: fast turns are measured in full; small values: less noise of the steps.
  public var angularRateRange: AngularRateRange
  /// Where the part's low-pass cuts off, Hz; nil for its own choice, below half the rate. Not every part has the choice.
  public var lowPassHertz: Double?
  /// How long samples may gather in the part before they are read. Long: fewer wake-ups; short: less delay.
  /// Nil for 10 ms, or one sample where those are further apart.
  public var readInterval: Interval?

  /// Settings that suit a bike or a collar.
  public init(
    hertz: Double = 100, specificForceRange: SpecificForceRange = .g8,
    angularRateRange: AngularRateRange = .degrees1000, lowPassHertz: Double? = nil, readInterval: Interval? = nil
  ) {
    self.hertz = hertz
    self.specificForceRange = specificForceRange
    self.angularRateRange = angularRateRange
    self.lowPassHertz = lowPassHertz
    self.readInterval = readInterval
  }

  /// How long samples gather at that rate.
  func readInterval(hertz: Double) -> Interval {
    if let readInterval { return max(readInterval, .milliseconds(1)) }
    return max(.milliseconds(10), Interval(microseconds: Int64(1_000_000 / hertz)))
  }

  /// The longest silence of a part at that rate that is no failure.
  static func patience(hertz: Double) -> Interval {
    max(.seconds(1), Interval(microseconds: Int64(20_000_000 / hertz)))
  }
}

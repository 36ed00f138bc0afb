import Quantities

/// Adds up how far a way has gone up, from heights that are noisy.
///
/// A height counts as a rise once it is a threshold above the last height that counted, and as a fall once it is as far below: so what
/// goes up and down by less is noise. The threshold is two standard deviations of a height, and at least `leastRise`, or
/// `leastSatelliteRise` for heights of satellites, whose error wanders by metres within minutes. Of three heights in a row the middle
/// one is taken: a single height that lies is never it.
///
/// Each rise from a valley to a top is found late and ends early, each by up to the threshold: the uncertainty of the sum grows by a
/// threshold with each rise, and begins with one for a rise that has not counted yet. How many smaller ones there were nobody knows.
///
/// - Source: our derivation.
@frozen public struct ClimbMeter: Equatable, BitwiseCopyable, Sendable {
  /// What was climbed, m; nil before the first height since the beginning.
  public private(set) var climb: Float?
  /// How far that may be off, m.
  public private(set) var uncertainty: Float = 0
  /// The height that counted last, m; nil before the first.
  private var reference: Float?
  /// The two heights before, m, the older one first.
  private var older: Float = 0
  private var newer: Float = 0
  private var count: UInt8 = 0
  private var isRising = false
  private var isBarometric = false
  /// When the barometer told its last height; nil before the first.
  private var lastPressure: Instant?

  /// A change of a barometer's height by less is noise, m.
  @inlinable public static var leastRise: Float { 1 }
  /// The same of satellites, m.
  @inlinable public static var leastSatelliteRise: Float { 5 }
  /// Standard deviation of a height of satellites that does not state its own, m.
  @inlinable public static var assumedDeviation: Float { 5 }
  /// As long after a height of the barometer those of satellites don't count.
  @inlinable public static var barometerLifetime: Interval { .seconds(60) }
  /// Heights beyond are no heights of anything on the ground, m.
  @inlinable public static var highest: Float { 12_000 }

  /// Nothing is climbed yet.
  public init() {}

  /// Goes on with what an earlier one had.
  public init(climb: Float?, uncertainty: Float) {
    self.climb = climb
    self.uncertainty = uncertainty
  }

  /// A ride begins where it stands now.
  public mutating func begin() {
    climb = nil
    uncertainty = 0
    isRising = false
  }

  /// Takes a height of satellites in.
  ///
  /// - Parameters:
  ///   - height: m.
  ///   - deviation: Its standard deviation, m; nil when unknown.
  ///   - time: When.
  ///   - isCounted: Whether a ride is under way; without one the meter only follows.
  public mutating func record(satelliteHeight height: Float, deviation: Float?, at time: Instant, isCounted: Bool) {
    if let lastPressure, time - lastPressure <= ClimbMeter.barometerLifetime { return }
    var deviation = deviation ?? ClimbMeter.assumedDeviation
    if !(deviation >= 0) { deviation = ClimbMeter.assumedDeviation }
    switchSource(toBarometer: false)
    record(height, threshold: max(ClimbMeter.leastSatelliteRise, 2 * deviation), isCounted: isCounted)
  }

  /// Takes a height of a barometer in, m above any fixed one; one that is older than the last changes nothing.
  public mutating func record(barometricHeight height: Float, at time: Instant, isCounted: Bool) {
    if let lastPressure, time < lastPressure { return }
    lastPressure = time
    switchSource(toBarometer: true)
    record(height, threshold: ClimbMeter.leastRise, isCounted: isCounted)
  }

  /// The two differ by any constant: what one has told says nothing to the other.
  private mutating func switchSource(toBarometer isNow: Bool) {
    guard isNow != isBarometric else { return }
    isBarometric = isNow
    reference = nil
    count = 0
  }

  private mutating func beginClimb(_ threshold: Float) {
    guard climb == nil else { return }
    climb = 0
    uncertainty += threshold
  }

  private mutating func record(_ height: Float, threshold: Float, isCounted: Bool) {
    guard height.magnitude <= ClimbMeter.highest else { return }
    let middle = count < 2 ? height : max(min(older, newer), min(max(older, newer), height))
    older = count < 1 ? height : newer
    newer = height
    count = min(count + 1, 2)
    guard isCounted, let from = reference else {
      reference = middle
      if isCounted { beginClimb(threshold) }
      return
    }
    beginClimb(threshold)
    if middle >= from + threshold {
      climb = (climb ?? 0) + (middle - from)
      if !isRising { uncertainty += threshold }
      isRising = true
      reference = middle
    } else if middle <= from - threshold {
      isRising = false
      reference = middle
    }
  }
}

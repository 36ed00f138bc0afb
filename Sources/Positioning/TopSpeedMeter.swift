public import Quantities

/// The highest speed of a ride that no single fix can raise.
///
/// A speed counts if two fixes in a row have at least that much. Receivers that report no speed, or a wrong one, are measured by their
/// positions, each with the one before the last: a position that lies is in the middle of one such pair, and at the end of two others that
/// are not in a row. Again the lower one of two in a row counts.
///
/// - Source: our derivation.
@frozen public struct TopSpeedMeter: Equatable, BitwiseCopyable, Sendable {
  /// The highest speed, m/s; nil while there is none.
  public private(set) var top: Float?
  /// The fix before the last.
  private var place: GeodeticPosition?
  private var time: Instant = .zero
  /// Speed between the last two pairs of positions, m/s; nil when there is none.
  private var pace: Float?

  /// Fixes further apart say nothing of each other.
  @inlinable public static var longestStep: Interval { .seconds(60) }

  /// Nothing is known yet.
  public init() {}

  /// Goes on with what an earlier one had, m/s.
  public init(top: Float?) { self.top = top }

  /// Takes a fix of a ride in.
  ///
  /// - Parameters:
  ///   - sight: The fix.
  ///   - previous: The one before; nil when there is none.
  ///   - isToldWrong: Whether the receiver is known to report wrong speeds.
  public mutating func record(_ sight: TripMeter.Sight, after previous: TripMeter.Sight?, isToldWrong: Bool) {
    guard let previous, sight.time > previous.time, sight.time - previous.time <= TopSpeedMeter.longestStep else {
      (place, pace) = (nil, nil)
      return
    }
    let last = pace
    pace = nil
    if let place, previous.time - time <= TopSpeedMeter.longestStep {
      let way = Geodesic.fastDistance(from: place, to: sight.position)
      pace = Float(min(way / (sight.time - time).secondsDouble, 1e6))
    }
    (place, time) = (previous.position, previous.time)
    if !isToldWrong, let first = previous.speed, let second = sight.speed, first >= 0, second >= 0 {
      note(Float(min(first, second, 1e6)))
    } else if let last, let pace {
      note(min(last, pace))
    }
  }

  private mutating func note(_ speed: Float) {
    if speed > top ?? -1 { top = speed }
  }
}

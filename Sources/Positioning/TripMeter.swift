public import Quantities

/// Adds up the distance travelled from fix to fix.
///
/// While the vehicle stands the meter keeps the place where it came to stand, so that the wander of a standing receiver adds
/// nothing; when it sets off again the straight line from there is added.
@frozen public struct TripMeter: Equatable, BitwiseCopyable, Sendable {
  /// Distance since the beginning, m.
  public private(set) var distance: Double = 0
  /// Where the vehicle was last known to be; nil before the first position.
  public private(set) var last: GeodeticPosition?

  /// A meter at zero.
  public init() {}

  /// A meter that goes on where an earlier one was.
  public init(distance: Double, last: GeodeticPosition?) {
    self.distance = distance
    self.last = last
  }

  /// Farther than this, m, and faster than `fastest`, a step from fix to fix is a receiver that errs or another receiver.
  @inlinable public static var farthestStep: Double { 1000 }
  /// No vehicle on the ground is faster, m/s.
  @inlinable public static var fastest: Double { 150 }

  /// Takes one position in.
  ///
  /// A step that no vehicle can make is not travelled: the meter goes on from where it ends.
  ///
  /// - Parameters:
  ///   - position: A position the receiver vouches for.
  ///   - isTravelling: Whether the vehicle travels, as motion detection sees it.
  ///   - previous: The fix with a position before this one; nil when there is none.
  ///   - elapsed: Time since that fix.
  public mutating func record(
    _ position: GeodeticPosition, isTravelling: Bool, previous: GeodeticPosition? = nil, elapsed: Interval = .zero
  ) {
    guard let from = last else {
      last = position
      return
    }
    if let previous {
      let step = Geodesic.fastDistance(from: previous, to: position)
      if step > TripMeter.farthestStep, step > TripMeter.fastest * elapsed.secondsDouble {
        last = position
        return
      }
    }
    guard isTravelling else { return }
    distance += Geodesic.fastDistance(from: from, to: position)
    last = position
  }
}

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

  /// Takes one position in.
  ///
  /// - Parameters:
  ///   - position: A position the receiver vouches for.
  ///   - isTravelling: Whether the vehicle travels, as motion detection sees it.
  public mutating func record(_ position: GeodeticPosition, isTravelling: Bool) {
    guard let from = last else {
      last = position
      return
    }
    guard isTravelling else { return }
    distance += Geodesic.fastDistance(from: from, to: position)
    last = position
  }
}

import Quantities

/// A short way on the ground, flat, m.
struct PlaneStep: Equatable, BitwiseCopyable, Sendable {
  var east = 0.0
  var north = 0.0

  /// Up to here its length is within 1 mm of the distance, m.
  static var longest: Double { 1000 }

  init(east: Double = 0, north: Double = 0) {
    self.east = east
    self.north = north
  }

  /// - Source: our derivation, as in `Geodesic.fastDistance`, to the second order.
  init(from start: GeodeticPosition, to end: GeodeticPosition) {
    let middle = Double(start.latitudeE9 + end.latitudeE9) * (0.5 * radiansPerNanodegree)
    let sine = Elementary.sin(middle)
    let square = sine * sine
    let w = 1 - WGS84.eccentricitySquared * square
    let normalRadius = WGS84.equatorialRadius / Elementary.squareRoot(w)
    north =
      normalRadius * (1 - WGS84.eccentricitySquared) / w * radiansPerNanodegree
      * Double(end.latitudeE9 - start.latitudeE9)
    east =
      normalRadius * Elementary.squareRoot(max(0, 1 - square)) * radiansPerNanodegree
      * Double(longitudeDifferenceE9(start, end))
  }

  var length: Double { Elementary.squareRoot(east * east + north * north) }
}

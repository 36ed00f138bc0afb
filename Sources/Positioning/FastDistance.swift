import Quantities

extension Geodesic {
  /// Distance in m from the radii of curvature at the middle latitude, for filters and fences.
  ///
  /// Within 1 mm of `Geodesic` up to 10 km, anywhere on earth; places further than 0.05 rad apart in latitude or
  /// longitude get the exact distance, so that the answer is never wrong.
  ///
  /// - Source: our derivation. With x = N cos φ Δλ and y = M Δφ the square of the distance is
  ///   x² + y² − Δλ²(x² sin² φ + y²(1 + 2 sin² φ))/12, from the haversine formula to the fourth order.
  /// - Complexity: one sine, one square root, two divisions.
  public static func fastDistance(from start: GeodeticPosition, to end: GeodeticPosition) -> Double {
    let deltaLatitude = Double(end.latitudeE9 - start.latitudeE9) * radiansPerNanodegree
    let deltaLongitude = Double(longitudeDifferenceE9(start, end)) * radiansPerNanodegree
    guard deltaLatitude.magnitude < 0.05, deltaLongitude.magnitude < 0.05 else {
      return Geodesic(from: start, to: end).distance
    }
    let middle = Double(start.latitudeE9 + end.latitudeE9) * (0.5 * radiansPerNanodegree)
    let sine = Elementary.sin(middle)
    let square = sine * sine
    let w = 1 - WGS84.eccentricitySquared * square
    let normalRadius = WGS84.equatorialRadius / Elementary.squareRoot(w)
    let meridianRadius = normalRadius * (1 - WGS84.eccentricitySquared) / w
    let northward = meridianRadius * deltaLatitude
    let easting = normalRadius * deltaLongitude
    let northSquared = northward * northward
    let eastSquared = easting * easting * (1 - square)
    let correction = eastSquared * square + northSquared * (1 + 2 * square)
    let squared = northSquared + eastSquared - deltaLongitude * deltaLongitude * correction / 12
    return Elementary.squareRoot(max(0, squared))
  }
}

/// Metres east and north of a place, for short steps: right by a hundredth of the way within 10 km of it and 100 km from a pole.
///
/// - Source: our derivation; the radii of curvature at the place.
package struct LocalScale: BitwiseCopyable, Sendable {
  private let place: GeodeticPosition
  /// Metres in a radian of longitude and of latitude.
  private let eastward: Double
  private let northward: Double

  /// The scale at a place; nil within 100 km of a pole, where east turns too fast.
  package init?(at place: GeodeticPosition) {
    guard place.latitudeE9.magnitude < 89_100_000_000 else { return nil }
    self.place = place
    let latitude = Elementary.sincos(Double(place.latitudeE9) * radiansPerNanodegree)
    let w = 1 - WGS84.eccentricitySquared * latitude.sin * latitude.sin
    let normalRadius = WGS84.equatorialRadius / Elementary.squareRoot(w)
    eastward = normalRadius * latitude.cos * radiansPerNanodegree
    northward = normalRadius * (1 - WGS84.eccentricitySquared) / w * radiansPerNanodegree
  }

  /// Metres from the place to another.
  package func offset(of other: GeodeticPosition) -> (east: Double, north: Double) {
    (
      Double(longitudeDifferenceE9(place, other)) * eastward,
      Double(other.latitudeE9 - place.latitudeE9) * northward
    )
  }

  /// What is so many metres from the place; nil beyond 10 km, and for what is no number.
  package func position(east: Double, north: Double) -> GeodeticPosition? {
    guard east.magnitude <= 10_000, north.magnitude <= 10_000 else { return nil }
    var longitude = place.longitudeE9 + Int64(east / eastward)
    if longitude > 180_000_000_000 { longitude -= 360_000_000_000 }
    if longitude < -180_000_000_000 { longitude += 360_000_000_000 }
    return GeodeticPosition(latitudeE9: place.latitudeE9 + Int64(north / northward), longitudeE9: longitude)
  }
}

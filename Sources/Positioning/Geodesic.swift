import Quantities

/// The shortest line between two places on the WGS-84 ellipsoid.
///
/// Every pair of places is answered: coincident, polar, across the antimeridian, on the equator and antipodal ones. The
/// distance is within 1e-7 m of the truth. Vincenty's iteration was rejected because it does not converge near the
/// antipode.
///
/// - Source: [karney] section 4 (inverse problem).
@frozen public struct Geodesic: Equatable, BitwiseCopyable, Sendable {
  /// Length, m.
  public let distance: Double
  /// Azimuth at the start, rad clockwise from north, 0 to 2π; 0 for coincident places.
  public let initialAzimuth: Double
  /// Azimuth at the end (pointing on), rad clockwise from north, 0 to 2π; 0 for coincident places.
  public let finalAzimuth: Double

  /// The shortest line from `start` to `end`. Where several are equally long, one of them.
  ///
  /// - Complexity: three to five iterations of two arc tangents and 200 operations as a rule, bounded by 83 iterations.
  public init(from start: GeodeticPosition, to end: GeodeticPosition) {
    guard start != end else {
      distance = 0
      initialAzimuth = 0
      finalAzimuth = 0
      return
    }
    // The problem is turned so that the first latitude is the southern one of larger magnitude and the second place lies
    // to the east; the azimuths are turned back at the end.
    let swaps = magnitude(start.latitudeE9) < magnitude(end.latitudeE9)
    var latitude1 = swaps ? end.latitudeE9 : start.latitudeE9
    var latitude2 = swaps ? start.latitudeE9 : end.latitudeE9
    let flips = latitude1 >= 0
    if flips { (latitude1, latitude2) = (-latitude1, -latitude2) }
    let difference = longitudeDifferenceE9(start, end)
    let goesWest = difference < 0

    let solution = CanonicalGeodesic.solve(
      latitude1E9: latitude1, latitude2E9: latitude2, longitudeE9: magnitude(difference))
    let first = swaps ? solution.azimuth2 : solution.azimuth1
    let second = swaps ? solution.azimuth1 : solution.azimuth2
    // Swapping the ends turns the line round: both components change sign, the sine once more for the mirrored longitude.
    let sineSign: Double = goesWest ? -1 : 1
    let cosineSign: Double = swaps != flips ? -1 : 1
    distance = solution.distance
    initialAzimuth = Elementary.positiveAngle(Elementary.atan2(sineSign * first.sin, cosineSign * first.cos))
    finalAzimuth = Elementary.positiveAngle(Elementary.atan2(sineSign * second.sin, cosineSign * second.cos))
  }
}

private func magnitude(_ x: Int64) -> Int64 { x < 0 ? -x : x }

/// The inverse problem for latitude 1 ≤ 0, |latitude 2| ≤ |latitude 1|, longitude difference 0 to 180°.
struct CanonicalGeodesic {
  var distance: Double
  var azimuth1: Direction
  var azimuth2: Direction

  static func solve(latitude1E9: Int64, latitude2E9: Int64, longitudeE9: Int64) -> CanonicalGeodesic {
    let ends = GeodesicEnds(latitude1E9: latitude1E9, latitude2E9: latitude2E9, longitudeE9: longitudeE9)
    let isMeridian = latitude1E9 == -90_000_000_000 || longitudeE9 == 0 || longitudeE9 == 180_000_000_000
    if isMeridian, let solution = alongMeridian(ends) { return solution }
    if latitude1E9 == 0, Double(longitudeE9) <= (1 - WGS84.flattening) * 180e9 {
      let east = Direction(sin: 1, cos: 0)
      return CanonicalGeodesic(
        distance: WGS84.equatorialRadius * ends.lambda12, azimuth1: east, azimuth2: east)
    }
    return general(ends)
  }

  /// The meridian through both places, or nil when it is not the shortest line.
  private static func alongMeridian(_ ends: GeodesicEnds) -> CanonicalGeodesic? {
    let azimuth1 = ends.longitude
    let azimuth2 = Direction(sin: 0, cos: 1)
    let sigma1 = Direction(sin: ends.beta1.sin, cos: azimuth1.cos * ends.beta1.cos)
    let sigma2 = Direction(sin: ends.beta2.sin, cos: ends.beta2.cos)
    let sigma12 = arc(from: sigma1, to: sigma2)
    let lengths = ends.lengths(WGS84.thirdFlattening, sigma12, sigma1, sigma2)
    guard sigma12 < 1 || lengths.reduced >= 0 else { return nil }
    return CanonicalGeodesic(
      distance: lengths.distance * WGS84.polarRadius, azimuth1: azimuth1, azimuth2: azimuth2)
  }

  /// Newton's method for the azimuth at the first place, inside a bracket that is halved when Newton fails.
  private static func general(_ ends: GeodesicEnds) -> CanonicalGeodesic {
    let tolerance = 0x1p-52
    var azimuth1: Direction
    switch ends.startingPoint() {
    case .short(let solution): return solution
    case .azimuth(let guess): azimuth1 = guess
    }
    let newtonLimit = 20
    var low = Direction(sin: tinyCosine, cos: 1)
    var high = Direction(sin: tinyCosine, cos: -1)
    var isLastNewton = false
    var isLastHalving = false
    var trial = ends.trial(azimuth1)
    for iteration in 0..<(newtonLimit + 63) {
      let miss = trial.longitudeError
      if isLastHalving || !(miss.magnitude >= (isLastNewton ? 8 : 1) * tolerance) { break }
      if miss > 0, iteration > newtonLimit || azimuth1.cos / azimuth1.sin > high.cos / high.sin {
        high = azimuth1
      } else if miss < 0, iteration > newtonLimit || azimuth1.cos / azimuth1.sin < low.cos / low.sin {
        low = azimuth1
      }
      if iteration < newtonLimit {
        let slope = ends.slope(of: trial)
        let step = slope > 0 ? -miss / slope : .infinity
        if step.magnitude < .pi {
          let next = azimuth1.turned(by: Direction(angle: step))
          if next.sin > 0 {
            azimuth1 = next.normalized
            isLastNewton = miss.magnitude <= 16 * tolerance
            trial = ends.trial(azimuth1)
            continue
          }
        }
      }
      azimuth1 = Direction(sin: (low.sin + high.sin) / 2, cos: (low.cos + high.cos) / 2).normalized
      isLastNewton = false
      isLastHalving =
        (low.sin - azimuth1.sin).magnitude + (low.cos - azimuth1.cos) < tolerance
        || (azimuth1.sin - high.sin).magnitude + (azimuth1.cos - high.cos) < tolerance
      trial = ends.trial(azimuth1)
    }
    let lengths = ends.lengths(trial.e, trial.sigma12, trial.sigma1, trial.sigma2)
    return CanonicalGeodesic(
      distance: lengths.distance * WGS84.polarRadius, azimuth1: azimuth1, azimuth2: trial.azimuth2)
  }

  /// The arc from one angle to a larger one, 0 to π.
  static func arc(from a: Direction, to b: Direction) -> Double {
    let difference = b.turned(backBy: a)
    // Not `max`, which may keep a negative zero, and that would be −π.
    return Elementary.atan2(difference.sin > 0 ? difference.sin : 0, difference.cos)
  }
}

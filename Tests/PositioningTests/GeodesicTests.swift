import Glibc
import Positioning
import Quantities
import Testing

/// A small generator (SplitMix64), so that every run tries the same places.
struct Places {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    return low + (high - low) * Double(generator.next() >> 11) * 0x1p-53
  }

  /// A place anywhere; more near the poles than on an evenly covered globe.
  mutating func next() throws -> GeodeticPosition {
    try #require(GeodeticPosition(latitudeDegrees: uniform(-90, 90), longitudeDegrees: uniform(-180, 180)))
  }

  /// A place at most `limit` metres away, and the exact distance.
  mutating func neighbour(of place: GeodeticPosition, within limit: Double) throws -> GeodeticPosition {
    let destination = GeodesicDestination(
      from: place, azimuth: uniform(0, 2 * .pi), distance: limit * uniform(0, 1))
    return try #require(destination?.position)
  }
}

/// Metres between a place in nanodegrees and one in radians, both nearly equal.
func metres(_ place: GeodeticPosition, _ latitude: Double, _ longitude: Double) -> Double {
  let turn = 2 * Double.pi
  let north = (place.latitude - latitude) * 6_378_137
  let east = remainder(place.longitude - longitude, turn) * cos(latitude) * 6_378_137
  return (north * north + east * east).squareRoot()
}

struct GeodesicTests {
  @Test func inverseAgreesWithGeographicLib() throws {
    var worst = 0.0
    for row in referenceGeodesics {
      let start = try #require(GeodeticPosition(latitudeE9: row.latitude1E9, longitudeE9: row.longitude1E9))
      let end = try #require(GeodeticPosition(latitudeE9: row.latitude2E9, longitudeE9: row.longitude2E9))
      let geodesic = Geodesic(from: start, to: end)
      worst = max(worst, (geodesic.distance - row.distance).magnitude)
      #expect((geodesic.distance - row.distance).magnitude < 1e-7, "\(row) \(geodesic)")
      // Equally long ones in all or two directions.
      let isOpen =
        row.distance == 0
        || (row.latitude1E9 == -row.latitude2E9 && (row.longitude1E9 - row.longitude2E9) % 180_000_000_000 == 0)
      if isOpen { continue }
      let radians = Double.pi / 180
      let first = remainder(geodesic.initialAzimuth - row.azimuth1 * radians, 2 * .pi).magnitude
      let second = remainder(geodesic.finalAzimuth - row.azimuth2 * radians, 2 * .pi).magnitude
      #expect(first * row.reducedLength.magnitude < 1e-6, "\(row) \(geodesic)")
      #expect(second * row.reducedLength.magnitude < 1e-6, "\(row) \(geodesic)")
      #expect(geodesic.initialAzimuth >= 0 && geodesic.initialAzimuth < 2 * .pi)
      #expect(geodesic.finalAzimuth >= 0 && geodesic.finalAzimuth < 2 * .pi)
    }
    print("inverse: largest difference \(worst) m over \(referenceGeodesics.count) geodesics")
  }

  @Test func directAgreesWithGeographicLib() throws {
    for row in referenceGeodesics {
      let start = try #require(GeodeticPosition(latitudeE9: row.latitude1E9, longitudeE9: row.longitude1E9))
      let end = try #require(GeodeticPosition(latitudeE9: row.latitude2E9, longitudeE9: row.longitude2E9))
      let destination = try #require(
        GeodesicDestination(from: start, azimuth: row.azimuth1 * .pi / 180, distance: row.distance))
      #expect(metres(end, destination.latitude, destination.longitude) < 1e-6, "\(row) \(destination)")
    }
  }

  @Test func followingTheInverseArrivesEverywhere() throws {
    var places = Places(seed: 1)
    for k in 0..<3000 {
      let start = try places.next()
      var end = try places.next()
      if k % 3 == 1 {
        let spread = pow(10, places.uniform(-9, 0))
        let longitude = remainder(start.longitudeDegrees + 180 + spread * places.uniform(-1, 1), 360)
        let latitude = -start.latitudeDegrees + spread * places.uniform(-1, 1)
        end = try #require(
          GeodeticPosition(latitudeDegrees: max(-90, min(90, latitude)), longitudeDegrees: longitude))
      }
      if k % 3 == 2 { end = try places.neighbour(of: start, within: pow(10, places.uniform(-3, 6))) }
      let geodesic = Geodesic(from: start, to: end)
      let destination = try #require(
        GeodesicDestination(from: start, azimuth: geodesic.initialAzimuth, distance: geodesic.distance))
      #expect(metres(end, destination.latitude, destination.longitude) < 1e-6, "\(start) \(end)")
      let turn = remainder(destination.finalAzimuth - geodesic.finalAzimuth, 2 * .pi).magnitude
      if start.latitudeDegrees.magnitude < 89, end.latitudeDegrees.magnitude < 89, geodesic.distance > 1 {
        #expect(turn * min(geodesic.distance, 1e6) < 1e-5, "\(start) \(end)")
      }
    }
  }

  @Test func theWayBackIsAsLongAndTurnedRound() throws {
    var places = Places(seed: 2)
    for _ in 0..<1000 {
      let (a, b) = (try places.next(), try places.next())
      let there = Geodesic(from: a, to: b)
      let back = Geodesic(from: b, to: a)
      #expect((there.distance - back.distance).magnitude < 1e-8)
      #expect(remainder(there.initialAzimuth + .pi - back.finalAzimuth, 2 * .pi).magnitude < 1e-12)
      let mirrored = try #require(GeodeticPosition(latitudeE9: -a.latitudeE9, longitudeE9: -a.longitudeE9))
      let other = try #require(GeodeticPosition(latitudeE9: -b.latitudeE9, longitudeE9: -b.longitudeE9))
      #expect((Geodesic(from: mirrored, to: other).distance - there.distance).magnitude < 1e-8)
    }
  }

  @Test func noDetourIsShorter() throws {
    var places = Places(seed: 3)
    for _ in 0..<1000 {
      let (a, b, c) = (try places.next(), try places.next(), try places.next())
      let direct = Geodesic(from: a, to: c).distance
      #expect(direct <= Geodesic(from: a, to: b).distance + Geodesic(from: b, to: c).distance + 1e-7)
      #expect(direct >= 0 && direct < 20_003_931.5)
    }
  }

  @Test func aPlaceIsNoDistanceFromItself() throws {
    let place = try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 180))
    let same = try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: -180))
    #expect(Geodesic(from: place, to: place).distance == 0)
    #expect(Geodesic(from: place, to: same).distance == 0)
    #expect(Geodesic.fastDistance(from: place, to: same) == 0)
  }

  @Test func nonsenseHasNoDestination() throws {
    let place = try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13))
    #expect(GeodesicDestination(from: place, azimuth: .nan, distance: 1) == nil)
    #expect(GeodesicDestination(from: place, azimuth: .infinity, distance: 1) == nil)
    #expect(GeodesicDestination(from: place, azimuth: 1, distance: .nan) == nil)
    #expect(GeodesicDestination(from: place, azimuth: 1, distance: .infinity) == nil)
    #expect(GeodesicDestination(from: place, azimuth: 1, distance: 0)?.position == place)
    #expect(GeodesicDestination(from: place, azimuth: 0, distance: 20_003_931.4586254 * 4)?.position != nil)
  }

  @Test func polesAreReachedAlongAnyMeridian() throws {
    for longitude in [-180.0, -90, 0, 13, 180] {
      let start = try #require(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: longitude))
      let pole = try #require(GeodeticPosition(latitudeDegrees: 90, longitudeDegrees: 77))
      let geodesic = Geodesic(from: start, to: pole)
      #expect((geodesic.distance - 10_001_965.729_312_7).magnitude < 1e-6)
      #expect(remainder(geodesic.initialAzimuth, 2 * .pi).magnitude < 1e-15)
    }
  }
}

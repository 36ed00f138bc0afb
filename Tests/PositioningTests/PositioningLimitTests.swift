import Glibc
import Positioning
import Quantities
import Testing

private func place(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
  try #require(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
}

struct PositioningLimitTests {
  @Test func theEllipsoidIsThatOfWGS84() {
    #expect(WGS84.equatorialRadius == 6_378_137 && WGS84.flattening == 1 / 298.257223563)
    #expect((WGS84.polarRadius - 6_356_752.314_245_179).magnitude < 1e-8)
    #expect((WGS84.eccentricitySquared - 0.006_694_379_990_141_317).magnitude < 1e-17)
    #expect((WGS84.secondEccentricitySquared - 0.006_739_496_742_276_435).magnitude < 1e-17)
    #expect((WGS84.thirdFlattening - 0.001_679_220_386_383_705).magnitude < 1e-17)
  }

  @Test func beyondTheTwentiethOfARadianTheDistanceIsTheExactOne() throws {
    // 0.05 rad are 2.8647889 degrees, of latitude or of longitude.
    for (north, east, isExact) in [
      (2.864_789, 0, true), (2.864_788, 0, false), (0, 2.864_789, true), (0, 2.864_788, false), (-2.864_789, 0, true),
      (0, -2.864_789, true), (0, 40, true), (40, 0, true), (0.01, 2.9, true), (2.9, 0.01, true),
    ] {
      for latitude in [-40.0, 5, 40] {
        let start = try place(latitude, 179)
        let end = try place(latitude + north, 179 + east > 180 ? east - 181 : 179 + east)
        let exact = Geodesic(from: start, to: end).distance
        let fast = Geodesic.fastDistance(from: start, to: end)
        #expect((fast == exact) == isExact, "\(latitude) \(north) \(east)")
        #expect((fast - exact).magnitude < 3, "\(fast) \(exact)")
      }
    }
  }

  @Test func aPlaceHasNoDirectionToItself() throws {
    let here = try place(52, 13)
    let none = Geodesic(from: here, to: here)
    #expect(none.distance == 0 && none.initialAzimuth == 0 && none.finalAzimuth == 0)
  }

  @Test func azimuthsAreClockwiseFromNorth() throws {
    let here = try place(0, 0)
    for (north, east, azimuth) in [
      (1.0, 0.0, 0.0), (0, 1, 0.5), (-1, 0, 1), (0, -1, 1.5),
    ] {
      let geodesic = Geodesic(from: here, to: try place(north, east))
      #expect((geodesic.initialAzimuth - azimuth * .pi).magnitude < 1e-12)
      #expect((geodesic.finalAzimuth - azimuth * .pi).magnitude < 1e-12)
    }
    let up = Geodesic(from: try place(50, 10), to: try place(51, 11))
    #expect(up.initialAzimuth > 0 && up.initialAzimuth < .pi / 2 && up.finalAzimuth > up.initialAzimuth)
  }

  @Test func aDestinationTakesAnyNumberOfTurnsAndGoesBackwardToo() throws {
    var places = Places(seed: 21)
    for _ in 0..<200 {
      let start = try places.next()
      let azimuth = places.uniform(0, 2 * .pi)
      let distance = places.uniform(1, 5e6)
      let once = try #require(GeodesicDestination(from: start, azimuth: azimuth, distance: distance))
      for turns in [-3.0, -1, 2] {
        let again = try #require(
          GeodesicDestination(from: start, azimuth: azimuth + turns * 2 * .pi, distance: distance))
        #expect((again.latitude - once.latitude).magnitude < 1e-11)
      }
      let back = try #require(GeodesicDestination(from: start, azimuth: azimuth + .pi, distance: -distance))
      #expect((back.latitude - once.latitude).magnitude < 1e-11)
      #expect(remainder(back.longitude - once.longitude, 2 * .pi).magnitude * cos(once.latitude) < 1e-11)
      #expect(once.longitude > -.pi && once.longitude <= .pi)
      #expect(once.finalAzimuth >= 0 && once.finalAzimuth < 2 * .pi)
    }
    let start = try place(10, 20)
    #expect(GeodesicDestination(from: start, azimuth: 1, distance: 0.99e15) != nil)
    #expect(GeodesicDestination(from: start, azimuth: 1, distance: 1e15) == nil)
    #expect(GeodesicDestination(from: start, azimuth: 1, distance: -1e15) == nil)
    // Once around a meridian.
    let around = try #require(GeodesicDestination(from: start, azimuth: 0, distance: 4 * 10_001_965.729_312_7))
    #expect(
      (around.latitude - start.latitude).magnitude < 1e-9 && (around.longitude - start.longitude).magnitude < 1e-9)
  }

  @Test func aPlaneKeepsItsOriginAndRefusesWhatIsNoPlace() throws {
    let origin = try place(48, -179.999_99)
    let plane = LocalTangentPlane(origin: origin, height: 123)
    #expect(plane.origin == origin && plane.originHeight == 123)
    #expect(LocalTangentPlane(origin: origin).originHeight == 0)
    for axis in 0..<3 {
      for (value, isPlace) in [(0.99e9, true), (1e9, false), (-1e9, false), (.nan, false), (-.infinity, false)] {
        let offset = LocalOffset(
          east: axis == 0 ? value : 0, north: axis == 1 ? value : 0, up: axis == 2 ? value : 0)
        #expect((plane.position(at: offset) != nil) == isPlace, "\(axis) \(value)")
      }
    }
    // West across the antimeridian.
    let west = try #require(plane.position(at: LocalOffset(east: -100, north: 0, up: 0)))
    #expect(west.position.longitudeE9 > 179_900_000_000 && (west.height - 123).magnitude < 0.01)
  }

  @Test func theWayBackFromThePlaneIsRightAsHighAsSatellites() throws {
    var places = Places(seed: 23)
    for height in [9_000.0, 100_000, 1_000_000, 20_000_000] {
      for _ in 0..<300 {
        let plane = LocalTangentPlane(origin: try places.next(), height: places.uniform(-100, 5000))
        let place = try places.next()
        let back = try #require(plane.position(at: plane.offset(of: place, height: height)))
        #expect((back.height - height).magnitude < 1e-7 * max(1, height / 1_000_000), "\(height)")
        #expect((back.position.latitudeE9 - place.latitudeE9).magnitude <= 1, "\(height) \(place)")
      }
    }
  }
}

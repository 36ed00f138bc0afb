import Glibc
import Positioning
import Quantities
import Testing

#if arch(x86_64)
  typealias Wide = Float80
#else
  typealias Wide = Double
#endif

/// Earth-centred coordinates with more digits than the core has.
func centredCoordinates(_ place: GeodeticPosition, _ height: Double) -> (x: Wide, y: Wide, z: Wide) {
  let latitude = Wide(place.latitudeE9) * (Wide.pi / 180e9)
  let longitude = Wide(place.longitudeE9) * (Wide.pi / 180e9)
  let flattening = 1 / (Wide(298_257_223_563) / 1e9)
  let square = flattening * (2 - flattening)
  let radius = 6_378_137 / (1 - square * sin(latitude) * sin(latitude)).squareRoot()
  let fromAxis = (radius + Wide(height)) * cos(latitude)
  return (
    fromAxis * cos(longitude), fromAxis * sin(longitude), (radius * (1 - square) + Wide(height)) * sin(latitude)
  )
}

struct LocalGeometryTests {
  @Test func offsetsAgreeWithCentredCoordinatesOfMoreDigits() throws {
    var places = Places(seed: 8)
    var worst = 0.0
    for _ in 0..<3000 {
      let origin = try places.next()
      let place = try places.neighbour(of: origin, within: 20_000)
      let (low, high) = (places.uniform(-400, 9000), places.uniform(-400, 9000))
      let offset = LocalTangentPlane(origin: origin, height: low).offset(of: place, height: high)
      let (a, b) = (centredCoordinates(origin, low), centredCoordinates(place, high))
      let (x, y, z) = (b.x - a.x, b.y - a.y, b.z - a.z)
      let latitude = Wide(origin.latitudeE9) * (Wide.pi / 180e9)
      let longitude = Wide(origin.longitudeE9) * (Wide.pi / 180e9)
      let outward = cos(longitude) * x + sin(longitude) * y
      let east = cos(longitude) * y - sin(longitude) * x
      let north = cos(latitude) * z - sin(latitude) * outward
      let up = cos(latitude) * outward + sin(latitude) * z
      worst = max(worst, Double((Wide(offset.east) - east).magnitude))
      worst = max(worst, Double((Wide(offset.north) - north).magnitude))
      worst = max(worst, Double((Wide(offset.up) - up).magnitude))
    }
    print("tangent plane: largest difference \(worst) m up to 20 km")
    #expect(worst < 1e-8)
  }

  @Test func fastDistanceIsWithinAMillimetreUpToTenKilometres() throws {
    var places = Places(seed: 4)
    var worst = 0.0
    for k in 0..<10_000 {
      var a = try places.next()
      if k % 4 == 0 {
        let latitude = 90 - pow(10, places.uniform(-6, 1))
        a = try #require(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: a.longitudeDegrees))
      }
      let b = try places.neighbour(of: a, within: 10_000)
      worst = max(worst, (Geodesic.fastDistance(from: a, to: b) - Geodesic(from: a, to: b).distance).magnitude)
    }
    print("fast distance: largest difference \(worst) m up to 10 km")
    #expect(worst < 0.001)
  }

  @Test func fastDistanceFallsBackToTheExactOneForFarPlaces() throws {
    var places = Places(seed: 5)
    for _ in 0..<500 {
      let (a, b) = (try places.next(), try places.next())
      let exact = Geodesic(from: a, to: b).distance
      #expect((Geodesic.fastDistance(from: a, to: b) - exact).magnitude < 1 + exact * 1e-5)
    }
  }

  @Test func fastDistanceCrossesTheAntimeridianAndThePole() throws {
    let west = try #require(GeodeticPosition(latitudeDegrees: -17, longitudeDegrees: 179.999))
    let east = try #require(GeodeticPosition(latitudeDegrees: -17.001, longitudeDegrees: -179.998))
    #expect(
      (Geodesic.fastDistance(from: west, to: east) - Geodesic(from: west, to: east).distance).magnitude < 1e-6)
    let here = try #require(GeodeticPosition(latitudeDegrees: 89.99, longitudeDegrees: 0))
    let beyond = try #require(GeodeticPosition(latitudeDegrees: 89.99, longitudeDegrees: 180))
    #expect(
      (Geodesic.fastDistance(from: here, to: beyond) - Geodesic(from: here, to: beyond).distance).magnitude < 1e-6)
  }

  @Test func offsetsHaveTheLengthOfTheChordAndTheRightDirections() throws {
    var places = Places(seed: 6)
    for _ in 0..<3000 {
      let origin = try places.next()
      let place = try places.neighbour(of: origin, within: 20_000)
      let plane = LocalTangentPlane(origin: origin)
      let offset = plane.offset(of: place)
      let geodesic = Geodesic(from: origin, to: place)
      let horizontal = (offset.east * offset.east + offset.north * offset.north).squareRoot()
      let chord = (horizontal * horizontal + offset.up * offset.up).squareRoot()
      // The chord is shorter by d³/24R², 8 mm at 20 km.
      let sag = geodesic.distance * geodesic.distance * geodesic.distance / (24 * 6_371_000 * 6_371_000)
      #expect((chord + sag - geodesic.distance).magnitude < 1e-4)
      if geodesic.distance > 1 {
        let azimuth = atan2(offset.east, offset.north)
        #expect(remainder(azimuth - geodesic.initialAzimuth, 2 * .pi).magnitude < 1e-6)
      }
      let drop = geodesic.distance * geodesic.distance / (2 * 6_371_000)
      #expect((offset.up + drop).magnitude < 0.01 * drop + 1e-6)
    }
  }

  @Test func planeAndBackIsTheSamePlace() throws {
    var places = Places(seed: 7)
    for k in 0..<3000 {
      let origin = try places.next()
      let plane = LocalTangentPlane(origin: origin, height: places.uniform(-100, 5000))
      let place = k % 10 == 0 ? try places.next() : try places.neighbour(of: origin, within: 20_000)
      let height = places.uniform(-400, 9000)
      let back = try #require(plane.position(at: plane.offset(of: place, height: height)))
      #expect((back.height - height).magnitude < 1e-7)
      #expect((back.position.latitudeE9 - place.latitudeE9).magnitude <= 1)
      let east = (back.position.longitude - place.longitude) * cos(place.latitude)
      #expect(remainder(east, 2 * .pi * cos(place.latitude)).magnitude < 3.5e-11, "\(place) \(back)")
    }
  }

  @Test func axesPointEastNorthAndUp() throws {
    let origin = try #require(GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 180))
    let plane = LocalTangentPlane(origin: origin, height: 100)
    #expect(plane.offset(of: origin, height: 100) == LocalOffset(east: 0, north: 0, up: 0))
    let above = plane.offset(of: origin, height: 150)
    #expect(above.east == 0 && above.north.magnitude < 1e-8 && (above.up - 50).magnitude < 1e-8)
    let east = try #require(GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: -179.999))
    #expect(plane.offset(of: east, height: 100).east > 74)
    let north = try #require(GeodeticPosition(latitudeDegrees: 48.001, longitudeDegrees: -180))
    #expect(plane.offset(of: north, height: 100).north > 111)
    #expect(plane.position(at: LocalOffset(east: .nan, north: 0, up: 0)) == nil)
    #expect(plane.position(at: LocalOffset(east: 0, north: .infinity, up: 0)) == nil)
    let beyond = try #require(plane.position(at: LocalOffset(east: 1000, north: 0, up: 0)))
    #expect(beyond.position.longitudeE9 < 0)
  }
}

/// Metres about a place, for steps between fixes.
@Suite struct LocalScaleTests {
  @Test func stepsAreThoseOfTheEllipsoidToAHundredth() throws {
    var places = Places(seed: 17)
    var worst = 0.0
    for _ in 0..<5000 {
      let a = try places.next()
      guard let scale = LocalScale(at: a) else {
        #expect(a.latitudeDegrees.magnitude >= 89.1)
        continue
      }
      let b = try places.neighbour(of: a, within: 1000)
      let offset = scale.offset(of: b)
      let exact = LocalTangentPlane(origin: a).offset(of: b)
      let error = max((offset.east - exact.east).magnitude, (offset.north - exact.north).magnitude)
      worst = max(worst, error / max(10, Geodesic(from: a, to: b).distance))
      // And back, to the nanodegree.
      let back = try #require(scale.position(east: offset.east, north: offset.north))
      #expect((back.latitudeE9 - b.latitudeE9).magnitude <= 1 && Geodesic(from: back, to: b).distance < 0.001)
    }
    #expect(worst < 0.01, "\(worst)")
  }

  @Test func itGoesOnAcrossTheAntimeridianAndEndsNearAPole() throws {
    for (latitude, degrees, east) in [(10.0, 179.999, 300.0), (-60, -179.999, -300), (0, 180, 50), (45, -180, -50)] {
      let place = try #require(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: degrees))
      let scale = try #require(LocalScale(at: place))
      let other = try #require(scale.position(east: east, north: 0))
      #expect((scale.offset(of: other).east - east).magnitude < 0.01, "\(degrees)")
      #expect((Geodesic(from: place, to: other).distance - east.magnitude).magnitude < 0.5, "\(degrees)")
    }
    for (latitude, isThere) in [(89.0999, true), (-89.0999, true), (89.1, false), (-89.1, false), (90, false)] {
      let place = try #require(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 13))
      #expect((LocalScale(at: place) != nil) == isThere)
    }
  }

  @Test func whatIsFarOrNoNumberIsNoPlace() throws {
    let place = try #require(GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13))
    let scale = try #require(LocalScale(at: place))
    #expect(scale.position(east: 10_000, north: -10_000) != nil)
    for way in [10_001, -10_001, Double.nan, .infinity] {
      #expect(scale.position(east: way, north: 0) == nil && scale.position(east: 0, north: way) == nil)
    }
  }
}

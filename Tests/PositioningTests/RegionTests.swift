import Positioning
import Quantities
import Testing

private struct NoPlace: Error {}

private func place(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
  guard let position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude) else { throw NoPlace() }
  return position
}

/// Why corners in degrees are no polygon of eight corners at most.
private func error(
  _ corners: [(Double, Double)], holes: [[(Double, Double)]] = [], shape: RegionShape = .polygon, width: Double = 0,
  limits: RegionLimits = .simple
) -> RegionError? {
  var region = GeodeticRegion<64, 0>()
  region.begin(shape, width: width)
  for (number, ring) in ([corners] + holes).enumerated() {
    if number > 0 { region.beginHole() }
    for corner in ring {
      region.append(latitudeE9: Int64(corner.0 * 1e9), longitudeE9: Int64(corner.1 * 1e9))
    }
  }
  let error = region.finish(limits)
  let isReady = region.isReady
  #expect(isReady == (error == nil))
  return error
}

/// Corners on a circle of 100 m or so, in their order.
private func ring(_ count: Int, at latitude: Double = 52, _ longitude: Double = 13, size: Double = 0.001) -> [(
  Double, Double
)] {
  (0..<count).map { number in
    let angle = Elementary.sincos(2 * .pi * Double(number) / Double(count))
    return (latitude + size * angle.cos, longitude + size * angle.sin)
  }
}

/// The six rows of the table of boundary values, and each other error.
@Suite struct RegionValidationTests {
  @Test func twoCornersAreTooFew() { #expect(error(ring(2)) == .tooFewPoints) }
  @Test func threeCornersAreAFence() { #expect(error(ring(3)) == nil) }
  @Test func eightCornersAreAFence() { #expect(error(ring(8)) == nil) }
  @Test func nineCornersAreTooMany() { #expect(error(ring(9)) == .tooManyPoints) }
  @Test func eightCornersWhoseEdgesCrossAreNone() {
    var corners = ring(8)
    corners.swapAt(2, 5)
    #expect(error(corners) == .crossing)
  }
  /// The two triangles of a bow tie are as large, and run around the other way.
  @Test func aBowTieWhoseHalvesAreEqualCrosses() {
    let bow = [(52.0, 4.0), (52.001, 4.001), (52.001, 4.0), (52.0, 4.001)]
    #expect(error(bow) == .crossing)
    #expect(error(bow.map { ($0.0 + 1e-7 * $0.1, $0.1) }) == .crossing)
    #expect(error([(52, 4), (52.003, 4), (52.001, 4), (52.002, 4)]) == .zeroArea, "a line, there and back")
  }
  /// Three corners can cross in one way only: when they lie in a line.
  @Test func threeCornersThatLieOnEachOtherAreNone() {
    #expect(error([(52, 13), (52.002, 13), (52.001, 13)]) == .zeroArea)
    #expect(error([(0, 13), (0, 13.001), (0, 13.002)]) == .zeroArea)
  }

  @Test func aFenceIsWiderThanItsCornersAreTyped() {
    // Area by circumference of a thin triangle is a quarter of its height: 5 cm at 20 cm.
    func thin(_ metres: Double) -> [(Double, Double)] { [(0, 0), (0, 0.01), (metres / 110_574.4, 0.005)] }
    #expect(error(thin(0.19)) == .zeroArea && error(thin(0.21)) == nil)
  }

  @Test func aCornerThatStandsTwiceIsToldAndSoIsOneOutOfRange() {
    #expect(error([(52, 13), (52.001, 13), (52.001, 13.001), (52, 13)]) == .duplicatePoint)
    #expect(error([(52, 180), (52.001, 180), (52.001, 179.999), (52, -180)]) == .duplicatePoint)
    #expect(error([(90, 0), (89.9, 50), (89.9, 120), (90, 77)]) == .duplicatePoint)
    #expect(
      error([(90, 0), (89.9, 50), (89.9, 120)]) == nil
        && error([(90.000_000_001, 0), (89.9, 50), (89.9, 120)]) == .outOfRange)
    #expect(
      error([(52, 180), (52, 179), (51, 179)]) == nil
        && error([(52, 180.000_001), (52, 179), (51, 179)]) == .outOfRange)
    #expect(error([(52, 180), (52, 179), (-91, 179)]) == .outOfRange)
  }

  @Test func anEdgeThatFoldsBackOrTouchesCrosses() {
    #expect(error([(52, 13), (52.002, 13), (52.001, 13), (52.001, 13.002)]) == .crossing)
    // A corner on another edge.
    #expect(error([(0, 0), (0, 0.002), (0.001, 0.002), (0, 0.001), (0.001, 0)]) == .crossing)
    #expect(error([(0, 0), (0, 0.002), (0.001, 0.002), (0.000_1, 0.001), (0.001, 0)]) == nil)
  }

  @Test func whatIsHalfTheEarthIsNoFence() {
    #expect(error([(0, 0), (0, 120), (0, -120)]) == .tooLarge)
    #expect(error([(31, 0), (31, 120), (31, -120)]) == nil && error([(29, 0), (29, 120), (29, -120)]) == .tooLarge)
    #expect(error([(0, 0), (0, 90), (0, 180), (0, -90)]) == .tooLarge)
  }

  @Test func aHoleLiesWithinAndHolesLieBesideEachOther() {
    let outline = ring(5)
    let all = RegionLimits.room
    #expect(error(outline, holes: [ring(3, size: 0.000_5)], limits: all) == nil)
    #expect(
      error(outline, holes: [ring(3, size: 0.000_5)]) == nil
        && error(outline, holes: [ring(4, size: 0.000_5)]) == .tooManyPoints)
    #expect(error(outline, holes: [ring(3, size: 0.001_3)], limits: all) == .crossing)
    #expect(error(outline, holes: [ring(3, size: 0.01)], limits: all) == .holeOutside)
    #expect(error(outline, holes: [ring(3, at: 52.01, size: 0.000_1)], limits: all) == .holeOutside)
    #expect(error(outline, holes: [ring(3, size: 0.000_4), ring(3, size: 0.000_1)], limits: all) == .holeOutside)
    #expect(error(outline, holes: [ring(2, size: 0.000_4)], limits: all) == .tooFewPoints)
    let small = (0..<8).map { ring(3, at: 52 + 0.000_1 * Double($0 - 3), size: 0.000_02) }
    #expect(error(outline, holes: Array(small[..<7]), limits: all) == nil)
    #expect(error(outline, holes: small, limits: all) == .tooManyPoints)
  }

  @Test func circlesAndCorridorsHaveAWidthAndTheirCorners() {
    #expect(error(ring(1), shape: .circle, width: 1) == nil && error(ring(1), shape: .circle, width: 0.99) == .badWidth)
    #expect(
      error(ring(1), shape: .circle, width: 1e6) == nil && error(ring(1), shape: .circle, width: 1e6 + 1) == .badWidth)
    #expect(error(ring(1), shape: .circle, width: .nan) == .badWidth)
    #expect(
      error([], shape: .circle, width: 50) == .tooFewPoints
        && error(ring(2), shape: .circle, width: 50) == .tooManyPoints)
    #expect(
      error(ring(1), shape: .corridor, width: 50) == .tooFewPoints && error(ring(2), shape: .corridor, width: 50) == nil
    )
    #expect(error(ring(9), shape: .corridor, width: 50) == .tooManyPoints)
    #expect(error([(52, 13), (52, 13), (52, 14)], shape: .corridor, width: 50) == .duplicatePoint)
    // A way may cross itself.
    #expect(error([(52, 13), (52.01, 13.01), (52.01, 13), (52, 13.01)], shape: .corridor, width: 5) == nil)
  }

  @Test func aHundredCornersFitAndAThousandAndNoMoreThanThereIsRoom() {
    for count in [100, 1000, 1001] {
      var region = GeodeticRegion<1000, 4000>()
      region.begin(.polygon)
      for corner in ring(count, size: 0.1) {
        region.append(latitudeE9: Int64(corner.0 * 1e9), longitudeE9: Int64(corner.1 * 1e9))
      }
      let error = region.finish()
      #expect(error == (count > 1000 ? .tooManyPoints : nil))
    }
  }
}

@Suite struct RegionTests {
  private func region(
    _ corners: [(Double, Double)], holes: [[(Double, Double)]] = [], _ shape: RegionShape = .polygon, width: Double = 0
  ) throws -> Regions {
    let box = Regions()
    box.region.begin(shape, width: width)
    for corner in corners { box.region.append(try place(corner.0, corner.1)) }
    for hole in holes {
      box.region.beginHole()
      for corner in hole { box.region.append(try place(corner.0, corner.1)) }
    }
    let error = box.region.finish()
    #expect(error == nil)
    return box
  }

  /// A region for expectations, which want to copy what they look at.
  private final class Regions {
    var region = GeodeticRegion<64, 256>()
    func contains(_ position: GeodeticPosition) -> Bool { region.contains(position) }
    func signedDistance(of position: GeodeticPosition) -> Double { region.signedDistance(of: position) }
    func corner(_ place: Int) -> GeodeticPosition { region.corner(place) }
    func finish() -> RegionError? { region.finish() }
    var depth: Double { region.depth }
    var count: Int { region.count }
  }

  @Test func cornersAndEdgesAreWithin() throws {
    let box = try region([(0, 13), (0, 13.01), (0.01, 13.01), (0.01, 13)])
    for corner in 0..<4 { #expect(box.contains(box.corner(corner))) }
    for share in 0..<1000 {
      // The equator and meridians are edges of which every point has whole nanodegrees.
      let step = 0.000_01 * Double(share)
      #expect(try box.contains(place(0, 13 + step)) && box.contains(place(step, 13)))
      #expect(try box.signedDistance(of: place(step, 13.01)) == 0)
      #expect(try !box.contains(place(-0.000_000_001, 13 + step)))
      #expect(try !box.contains(place(step, 12.999_999_999)))
      #expect(try box.contains(place(0.000_000_001, 13.000_01 + step * 0.99)))
    }
  }

  /// Between two corners at 60° north and 60° apart the shortest way passes 4.6° north of the parallel, at atan(2 tan 60° / √3).
  @Test func anEdgeIsTheShortestWay() throws {
    let box = try region([(60, -30), (60, 30), (50, 0)])
    let top = Elementary.atan(Elementary.tan(Double.pi / 3) / Elementary.cos(Double.pi / 6)) * 180 / Double.pi
    #expect(try box.contains(place(top - 0.000_001, 0)) && !box.contains(place(top + 0.000_001, 0)))
  }

  @Test func aFenceAcrossTheAntimeridianIsAsOneElsewhere() throws {
    let box = try region([(10, 179.99), (10, -179.99), (10.02, -179.99), (10.02, 179.99)])
    let elsewhere = try region([(10, 20.99), (10, 21.01), (10.02, 21.01), (10.02, 20.99)])
    for north in -5..<25 {
      for east in -15..<15 {
        let (latitude, longitude) = (10 + 0.001 * Double(north) + 0.000_3, 0.001 * Double(east) + 0.000_3)
        let here = try place(latitude, longitude < 0 ? 180 + longitude : longitude - 180)
        let there = try place(latitude, 21 + longitude)
        #expect(box.contains(here) == elsewhere.contains(there))
        #expect((box.signedDistance(of: here) - elsewhere.signedDistance(of: there)).magnitude < 1e-4)
      }
    }
    #expect(try box.contains(place(10.01, 180)) && box.contains(place(10.01, -180)))
  }

  @Test func aFenceAboutAPoleHoldsIt() throws {
    for sign in [1.0, -1] {
      let box = try region([(sign * 89, 0), (sign * 89, 90), (sign * 89, 180), (sign * 89, -90)])
      for longitude in stride(from: -180.0, through: 180, by: 7.5) {
        #expect(try box.contains(place(sign * 90, longitude)))
        #expect(try box.contains(place(sign * 89.4, longitude)) && !box.contains(place(sign * 88.9, longitude)))
        #expect(try !box.contains(place(-sign * 89.9, longitude)))
      }
    }
  }

  @Test func distancesOfCirclesAndCorridorsAreThoseOfTheEllipsoid() throws {
    let home = try place(52, 13)
    let circle = try region([(52, 13)], .circle, width: 50)
    let corridor = try region([(52, 13), (52, 13.1), (52.1, 13.1)], .corridor, width: 30)
    for step in 0..<200 {
      let angle = Double(step) * 0.2
      guard let there = GeodesicDestination(from: home, azimuth: angle, distance: Double(step))?.position else {
        throw NoPlace()
      }
      #expect((circle.signedDistance(of: there) - (50 - Double(step))).magnitude < 1e-3)
      #expect(circle.contains(there) == (step <= 50) || step == 50)
      // North of the first piece, and beyond its beginning.
      guard let north = GeodesicDestination(from: try place(52, 13.05), azimuth: 0, distance: Double(step))?.position
      else { throw NoPlace() }
      // The shortest way between the two corners bends 4.5 m to the north of the parallel.
      let bend = -corridor.signedDistance(of: try place(52, 13.05)) + 30
      #expect((corridor.signedDistance(of: north) - (30 - (Double(step) - bend).magnitude)).magnitude < 2e-3)
      guard let west = GeodesicDestination(from: home, azimuth: 1.5 * .pi, distance: Double(step))?.position else {
        throw NoPlace()
      }
      #expect((corridor.signedDistance(of: west) - (30 - Double(step))).magnitude < 2e-3)
      #expect(corridor.contains(west) == (step <= 30) || step == 30)
    }
  }

  @Test func whatIsNotReadyHoldsNothing() throws {
    let box = Regions()
    let home = try place(0, 0)
    #expect(!box.contains(home) && box.signedDistance(of: home) == -.infinity)
    box.region.begin(.circle, width: 50)
    box.region.append(home)
    #expect(!box.contains(home))
    #expect(box.finish() == nil)
    #expect(box.contains(home))
    box.region.begin(.circle, width: 50)
    box.region.append(latitudeE9: 100_000_000_000, longitudeE9: 0)
    #expect(box.finish() == .outOfRange)
    #expect(!box.contains(home) && box.count == 0)
  }

  @Test func aCopyIsTheSameRegion() throws {
    let (one, other) = (Regions(), Regions())
    one.region.begin(.polygon)
    for corner in ring(20) { one.region.append(try place(corner.0, corner.1)) }
    one.region.beginHole()
    for corner in ring(5, size: 0.000_5) { one.region.append(try place(corner.0, corner.1)) }
    #expect(one.finish() == nil)
    let ends = (one.region.ringCount, one.region.ringEnd(0), one.region.ringEnd(1))
    #expect(ends == (2, 20, 25))
    other.region.copy(one.region)
    let isReady = other.region.isReady
    #expect(isReady && other.count == 25 && other.depth == one.depth)
    var places = Places(seed: 5)
    let home = try place(52, 13)
    for _ in 0..<300 {
      let there = try places.neighbour(of: home, within: 150)
      #expect(one.signedDistance(of: there) == other.signedDistance(of: there))
      #expect(one.contains(there) == (one.signedDistance(of: there) >= 0))
    }
    #expect(!one.contains(home), "the middle is a hole")
  }

  /// The nearest point of each edge is looked for along it, with exact geodesics.
  @Test func distancesAreThoseToTheNearestPointOfAnEdge() throws {
    typealias Vector = SIMD3<Double>
    func vector(_ position: GeodeticPosition) -> Vector {
      let (latitude, longitude) = (Elementary.sincos(position.latitude), Elementary.sincos(position.longitude))
      return Vector(latitude.cos * longitude.cos, latitude.cos * longitude.sin, latitude.sin)
    }
    var places = Places(seed: 9)
    for story in 0..<120 {
      let size = [60.0, 600, 6000, 60_000][story % 4]
      let about = story % 5 == 0 ? try place(places.uniform(-70, 70), 180) : try places.next()
      var corners: [GeodeticPosition] = []
      for number in 0..<5 {
        let azimuth = 2 * Double.pi * (Double(number) + places.uniform(0, 0.8)) / 5
        let end = GeodesicDestination(from: about, azimuth: azimuth, distance: size * places.uniform(0.3, 1))
        corners.append(try #require(end?.position))
      }
      let box = Regions()
      box.region.begin(.polygon)
      for corner in corners { box.region.append(corner) }
      #expect(box.finish() == nil)
      for _ in 0..<4 {
        let asked = try places.neighbour(of: about, within: size * 1.2)
        var least = Double.infinity
        for number in 0..<5 {
          let (a, b) = (vector(corners[number]), vector(corners[(number + 1) % 5]))
          func distance(_ share: Double) throws -> Double {
            let p = a * (1 - share) + b * share
            let degrees = 180 / Double.pi
            let there = try place(
              Elementary.atan2(p.z, (p.x * p.x + p.y * p.y).squareRoot()) * degrees,
              Elementary.atan2(p.y, p.x) * degrees)
            return Geodesic(from: asked, to: there).distance
          }
          var (low, high) = (0.0, 1.0)
          for _ in 0..<60 {
            let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
            if try distance(first) < distance(second) { high = second } else { low = first }
          }
          least = min(least, try distance((low + high) / 2))
        }
        let miss = (box.signedDistance(of: asked).magnitude - least).magnitude
        #expect(miss < (least < 1000 ? 1e-3 : 1e-5 * least), "\(least) m, \(miss) m off, \(asked) of \(corners)")
      }
    }
  }

  /// From a place within, the other ends of all edges are a quarter of the earth away.
  @Test func edgesOfAQuarterOfTheEarthAreMeasuredToTheirNearEnds() throws {
    let box = try region([(0.080_755_2, 0), (89, 90), (0.000_000_256, -0.000_065_536), (89.803_747_332, -90)])
    var within = 0
    for north in -20..<30 {
      for east in -20..<20 {
        let there = try place(0.01 * Double(north) + 0.001, 0.01 * Double(east) + 0.001)
        let distance = box.signedDistance(of: there)
        #expect(box.contains(there) == (distance >= 0) && distance.magnitude < 60_000, "\(there)")
        if distance >= 0 { within += 1 }
      }
    }
    #expect(within > 0)
  }

  @Test func theDepthIsNeverMoreThanTheDeepestPlace() throws {
    let square = try region([(0, 13), (0, 13.01), (0.01, 13.01), (0.01, 13)])
    // A square of 1.1 km is 553 m deep.
    #expect(square.depth > 250 && square.depth < 553)
    #expect(try (square.signedDistance(of: place(0.005, 13.005)) - 553).magnitude < 3)
    // About a hole it is as deep as the strip between: 111 m, whose area is half of its circumference times that.
    let strip = try region(
      [(0, 13), (0, 13.01), (0.01, 13.01), (0.01, 13)],
      holes: [[(0.001, 13.001), (0.001, 13.009), (0.009, 13.009), (0.009, 13.001)]])
    #expect(strip.depth > 50 && strip.depth < 60)
    #expect(try region([(0, 13)], .circle, width: 50).depth == 50)
    #expect(try region([(0, 13), (0, 14)], .corridor, width: 20).depth == 20)
  }
}

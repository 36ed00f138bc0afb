import Glibc
import Positioning
import Quantities
import Testing

/// Which fixes of a ride are the points of its path, as their numbers.
func pathPoints(of positions: [GeodeticPosition], bound: Double) -> [Int] {
  var path = PathSimplifier(bound: bound)
  var points: [Int] = []
  var held = 0
  for (place, position) in positions.enumerated() {
    let step = path.process(position)
    if step.tellsHeld { points.append(held) }
    if step.tellsFix { points.append(place) }
    if step.holdsFix { held = place }
  }
  if path.end() { points.append(held) }
  return points
}

private func place(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
  try #require(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
}

/// Places at offsets in m from one, east and north.
private func places(_ offsets: [(Double, Double)], from origin: GeodeticPosition) throws -> [GeodeticPosition] {
  try offsets.map { east, north in
    let destination = GeodesicDestination(
      from: origin, azimuth: atan2(east, north), distance: (east * east + north * north).squareRoot())
    return try #require(destination?.position)
  }
}

/// The smallest distance of a place from a line between two others, by geodesics; the line is a shortest one, or a straight one of a map
/// of latitude and longitude.
private func distance(
  of fix: GeodeticPosition, fromLine start: GeodeticPosition, _ end: GeodeticPosition, isProportional: Bool
) -> Double {
  let line = Geodesic(from: start, to: end)
  func at(_ share: Double) -> Double {
    var point = GeodesicDestination(from: start, azimuth: line.initialAzimuth, distance: share * line.distance)?
      .position
    if isProportional {
      var east = Double(end.longitudeE9 - start.longitudeE9)
      if east.magnitude > 180e9 { east += east < 0 ? 360e9 : -360e9 }
      var longitude = Double(start.longitudeE9) + share * east
      if longitude.magnitude > 180e9 { longitude += longitude < 0 ? 360e9 : -360e9 }
      point = GeodeticPosition(
        latitudeE9: Int64(Double(start.latitudeE9) + share * Double(end.latitudeE9 - start.latitudeE9)),
        longitudeE9: Int64(longitude))
    }
    return point.map { Geodesic(from: fix, to: $0).distance } ?? .infinity
  }
  var (low, high) = (0.0, 1.0)
  for _ in 0..<36 {
    let third = (high - low) / 3
    if at(low + third) < at(high - third) { high -= third } else { low += third }
  }
  return min(at((low + high) / 2), at(0), at(1))
}

/// The largest distance of a ride from the lines between its points, each fix from the line it belongs to.
private func largestDistance(_ ride: [GeodeticPosition], points: [Int]) throws -> Double {
  var largest = 0.0
  for (from, to) in zip(points, points.dropFirst()) {
    for fix in from...to {
      for isProportional in [false, true] {
        largest = max(
          largest, distance(of: ride[fix], fromLine: ride[from], ride[to], isProportional: isProportional))
      }
    }
  }
  let last = try #require(points.last)
  for fix in last..<ride.count { largest = max(largest, Geodesic(from: ride[last], to: ride[fix]).distance) }
  return largest
}

/// A made ride: straights, curves, stops with a wandering receiver, ways back, jumps.
private func madeRide(from origin: GeodeticPosition, fixes: Int, _ random: inout Places) throws -> [GeodeticPosition] {
  var here = origin
  var course = random.uniform(0, 2 * .pi)
  var (turn, speed, left) = (0.0, 8.0, 0)
  return try (0..<fixes).map { _ in
    if left == 0 {
      left = Int(random.uniform(1, 40))
      turn = random.uniform(0, 1) < 0.4 ? 0 : random.uniform(-0.15, 0.15)
      speed = random.uniform(0, 1) < 0.2 ? 0 : random.uniform(1, 25)
      if random.uniform(0, 1) < 0.1 { course += .pi }
      if random.uniform(0, 1) < 0.02 { speed = random.uniform(100, 40_000) }
    }
    left -= 1
    course += turn
    here = try #require(GeodesicDestination(from: here, azimuth: course, distance: speed)?.position)
    if speed > 100 { speed = 5 }
    return try random.neighbour(of: here, within: 3)
  }
}

@Suite struct PathTests {
  @Test(arguments: [0.0, 38, -52.2, 71, 89.2]) func everyFixIsWithinTheBoundOfThePathAnywhere(latitude: Double) throws {
    var random = Places(seed: 5)
    for bound in [0.1, 1, 5, 30, 250] {
      let ride = try madeRide(from: place(latitude, 179.99), fixes: 250, &random)
      let points = pathPoints(of: ride, bound: bound)
      let largest = try largestDistance(ride, points: points)
      #expect(largest < bound, "\(bound) m at \(latitude)°: \(largest) m with \(points.count) points")
      #expect(points.count < ride.count)
      // A bound that nobody comes near would need too many points.
      if bound >= 1 { #expect(largest > 0.6 * bound, "\(bound) m at \(latitude)°: \(largest) m") }
    }
  }

  @Test func aStraightRoadIsTwoPointsAndACornerOneMore() throws {
    let origin = try place(53.3, -6.25)
    let straight = try places((0..<100).map { (Double($0) * 7, $0 % 2 == 0 ? 1.5 : -1.5) }, from: origin)
    #expect(pathPoints(of: straight, bound: 5) == [0, 99])
    let bend = (0..<200).map { (fix: Int) -> (Double, Double) in
      (Double(min(fix, 99)) * 7, Double(max(fix - 99, 0)) * 7)
    }
    let corner = try places(bend, from: origin)
    let points = pathPoints(of: corner, bound: 5)
    #expect(points.count == 3 && (points[1] - 99).magnitude <= 1, "\(points)")
  }

  @Test func aWayBackIsNotCutShort() throws {
    let there = (0..<50).map { (Double($0) * 10, 0.0) }
    let ride = try places(there + there.reversed().map { ($0.0, 1) }, from: place(53.3, -6.25))
    let points = pathPoints(of: ride, bound: 5)
    #expect(points.first == 0 && points.contains { (48...51).contains($0) } && points.last == 99, "\(points)")
    #expect(points.count == 3, "\(points)")
  }

  @Test func aReceiverThatWandersWithinTheBoundTellsNothing() throws {
    var random = Places(seed: 9)
    let origin = try place(53.3, -6.25)
    let rest = try (0..<500).map { _ in try random.neighbour(of: origin, within: 2) }
    #expect(pathPoints(of: rest, bound: 5) == [0])
    let ridden = try places((0..<60).map { (Double($0) * 8, 0) }, from: origin)
    let lights = try #require(ridden.last)
    let ride = try ridden + (0..<500).map { _ in try random.neighbour(of: lights, within: 2) }
    #expect(pathPoints(of: ride, bound: 5).count == 2)
  }

  @Test func pointsAreFarApartOnlyWhereNothingLiesBetween() throws {
    let equator = try places((0..<1300).map { (Double($0) * 10, 0) }, from: place(0, 20))
    let points = pathPoints(of: equator, bound: 10)
    // Ten kilometres, in steps of ten metres.
    #expect(points == [0, 1000, 1299], "\(points)")
    let ferry = try places([(0, 0), (10, 0), (90_000, 10), (90_010, 10), (90_020, 10)], from: place(53, -5))
    #expect(pathPoints(of: ferry, bound: 5) == [0, 1, 2, 4])
    let around = try [place(0, 10), place(0, -170), place(0, 10.0001), place(0, 10.0002)]
    #expect(pathPoints(of: around, bound: 5) == [0, 1, 2, 3])
  }

  @Test func linesOfAMapKeepTheBoundFarNorth() throws {
    // Along a circle of latitude the shortest line swings north: 1.3 m in 2 km at 70 degrees.
    let ride = try (0..<600).map { try place(70, Double($0) * 2e-4) }
    for bound in [0.5, 1, 4] {
      let points = pathPoints(of: ride, bound: bound)
      #expect(try largestDistance(ride, points: points) < bound / 8, "\(bound) m")
      #expect(points.count > 2)
    }
    let pole = try (0..<20).map { try place(89.96, Double($0)) }
    #expect(pathPoints(of: pole, bound: 1).count == 20)
  }

  @Test func aFixThatIsToldAnywayIsAPoint() throws {
    var random = Places(seed: 77)
    for bound in [1.0, 6] {
      let ride = try madeRide(from: place(48, 11), fixes: 400, &random)
      var path = PathSimplifier(bound: bound)
      var (points, held) = ([Int](), 0)
      for (fix, position) in ride.enumerated() {
        let step = path.process(position)
        if step.tellsHeld { points.append(held) }
        if step.tellsFix { points.append(fix) }
        if step.holdsFix { held = fix }
        if fix % 7 == 3 {
          if path.tell(position) { points.append(held) }
          if points.last != fix { points.append(fix) }
          #expect(path.heldPosition == nil)
        }
      }
      if path.end() { points.append(held) }
      #expect(points == points.sorted() && Set(points).count == points.count)
      #expect((0..<400).allSatisfy { $0 % 7 != 3 || points.contains($0) })
      #expect(try largestDistance(ride, points: points) < bound)
    }
  }

  @Test func aFixBesideTheHeldOneCountsForThoseAfterIt() throws {
    // The third is beside the second, and 8 m from the line to the last.
    let ride = try places([(0, 0), (20, 0), (19, 4.5), (60, -12)], from: place(53, -5))
    #expect(pathPoints(of: ride, bound: 5) == [0, 1, 3])
    #expect(pathPoints(of: [ride[0], ride[1], ride[3]], bound: 5) == [0, 2])
  }

  @Test func theHeldFixGoesBeforeOneThatIsToldAnyway() throws {
    // The last is beside the held one; from the line to it alone the second is 9 m away.
    let ride = try places([(0, 0), (19, 9.5), (20.8, 5), (20.3, 0.3)], from: place(53, -5))
    var path = PathSimplifier(bound: 5)
    let steps = ride.map { path.process($0) }
    #expect(steps == [PathStep(tellsFix: true), PathStep(holdsFix: true), PathStep(holdsFix: true), PathStep()])
    #expect(path.tell(ride[3]) && path.heldPosition == nil && !path.tell(ride[3]))
  }

  @Test func aPathThatHasEndedBeginsAnew() throws {
    let ride = try places([(0, 0), (20, 0), (40, 0)], from: place(53, -5))
    var path = PathSimplifier(bound: 5)
    #expect(!path.hasBegun && path.process(ride[0]) == PathStep(tellsFix: true) && path.hasBegun)
    #expect(!path.end() && !path.hasBegun)
    #expect(path.process(ride[0]) == PathStep(tellsFix: true))
    #expect(path.process(ride[1]) == PathStep(holdsFix: true) && path.heldPosition == ride[1])
    #expect(path.end() && path.heldPosition == nil)
    #expect(path.process(ride[2]) == PathStep(tellsFix: true))
  }

  @Test func aBoundIsATenthOfAMetreOrMore() {
    for (bound, expected) in [
      (0.1, 0.1), (0.0999, 0.1), (0, 0.1), (-3, 0.1), (.nan, 0.1), (0.1001, 0.1001), (250, 250),
    ] {
      #expect(PathSimplifier(bound: bound).bound == expected)
    }
    #expect(PathSimplifier.leastBound == 0.1 && PathSimplifier.longestReach == 10_000)
  }

  @Test func aCopyGoesOnAlike() throws {
    var random = Places(seed: 3)
    let ride = try madeRide(from: place(-33, 151), fixes: 300, &random)
    var one = PathSimplifier(bound: 4)
    for fix in ride.prefix(150) { _ = one.process(fix) }
    var other = one
    #expect(ride.dropFirst(150).allSatisfy { one.process($0) == other.process($0) })
    #expect(one == other && MemoryLayout<PathSimplifier>.size <= 256)
  }
}

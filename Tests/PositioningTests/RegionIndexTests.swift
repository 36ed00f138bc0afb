import Positioning
import Quantities
import Testing

/// Regions with an index and without one, of the same corners, are asked about the same places.
@Suite struct RegionIndexTests {
  private final class Pair {
    var quick = GeodeticRegion<256, 1024>()
    var plain = GeodeticRegion<256, 0>()

    func begin(_ shape: RegionShape, width: Double = 0) {
      quick.begin(shape, width: width)
      plain.begin(shape, width: width)
    }
    func append(_ position: GeodeticPosition) {
      quick.append(position)
      plain.append(position)
    }
    func beginHole() {
      quick.beginHole()
      plain.beginHole()
    }
    func finish() -> RegionError? {
      let (error, other) = (quick.finish(), plain.finish())
      #expect(error == other)
      return error
    }
    func check(_ position: GeodeticPosition, _ note: @autoclosure () -> String) {
      let (a, b) = (quick.signedDistance(of: position), plain.signedDistance(of: position))
      #expect(a.bitPattern == b.bitPattern, "\(note()): \(a) and \(b) m at \(position)")
      #expect(quick.contains(position) == plain.contains(position), "\(note()) at \(position)")
    }
  }

  /// A place at an angle and a bearing from a middle, on the sphere.
  private func place(_ middle: (north: Double, east: Double), _ angle: Double, _ bearing: Double) -> GeodeticPosition? {
    let (north, along, around) = (
      Elementary.sincos(middle.north), Elementary.sincos(angle), Elementary.sincos(bearing)
    )
    let sine = max(-1, min(1, north.sin * along.cos + north.cos * along.sin * around.cos))
    let east =
      middle.east + Elementary.atan2(around.sin * along.sin * north.cos, along.cos - north.sin * sine)
    let turn = 2 * Double.pi
    let degrees = 180 / Double.pi
    let wrapped = east > .pi ? east - turn : east < -.pi ? east + turn : east
    return GeodeticPosition(latitudeDegrees: Elementary.asin(sine) * degrees, longitudeDegrees: wrapped * degrees)
  }

  private static let middles: [(north: Double, east: Double)] = [
    (0.9, 0.2), (0, 0), (-0.6, .pi), (0.3, -3.1415), (1.57, 1), (-1.5707, -2), (1.2, 3.14),
  ]

  @Test func anIndexChangesNoDistance() throws {
    var random = Places(seed: 17)
    var regions = 0
    for number in 0..<420 {
      let middle = RegionIndexTests.middles[number % RegionIndexTests.middles.count]
      let size = [2e-6, 1e-5, 2e-4, 0.02, 0.8][number / 7 % 5]
      let isCorridor = number % 3 == 2
      let count = [11, 12, 13, 16, 40, 100, 200][number / 35 % 7]
      let pair = Pair()
      pair.begin(isCorridor ? .corridor : .polygon, width: 30)
      var corners: [GeodeticPosition] = []
      var (angle, bearing) = (0.0, 0.0)
      for corner in 0..<count {
        if isCorridor {
          angle = min(size, max(0, angle + size * random.uniform(-0.1, 0.1)))
          bearing += random.uniform(-0.3, 0.3)
        } else {
          angle = size * random.uniform(0.5, 1)
          bearing = 2 * .pi * Double(corner) / Double(count)
        }
        corners.append(try #require(place(middle, angle, bearing)))
        pair.append(corners[corner])
      }
      if !isCorridor {
        pair.beginHole()
        for corner in 0..<12 {
          corners.append(try #require(place(middle, 0.3 * size, 2 * .pi * Double(corner) / 12)))
          pair.append(corners[corners.count - 1])
        }
      }
      guard pair.finish() == nil else { continue }
      regions += 1
      let note = "outline \(number)"
      for corner in corners { pair.check(corner, note) }
      for _ in 0..<60 {
        // As near as its edges, in its midst, a bit beyond, and at the other end of the earth.
        let reach = [size, 1.2 * size, 0.1 * size, min(3, 10 * size), 1.5, 3.1][Int(random.uniform(0, 6))]
        let there = try #require(place(middle, random.uniform(0, reach), random.uniform(0, 2 * .pi)))
        pair.check(there, note)
        // Beside a corner by nanodegrees.
        let corner = corners[Int(random.uniform(0, Double(corners.count)))]
        let beside = GeodeticPosition(
          latitudeE9: corner.latitudeE9 + Int64(random.uniform(-2.9, 2.9)),
          longitudeE9: corner.longitudeE9 + Int64(random.uniform(-2.9, 2.9)))
        if let beside { pair.check(beside, note) }
      }
    }
    #expect(regions >= 300)
  }

  /// On a ray from the middle of a star the nearest of two equal corners is that of the earlier edge.
  @Test func ofTwoEdgesAsNearItIsTheEarlierOne() throws {
    let pair = Pair()
    pair.begin(.polygon)
    for corner in 0..<64 {
      pair.append(try #require(place((0, 0), corner % 2 == 0 ? 0.4 : 0.3, 2 * .pi * (Double(corner) + 0.5) / 64)))
    }
    #expect(pair.finish() == nil)
    let middle = GeodeticPosition(latitudeE9: 0, longitudeE9: 0)
    pair.check(try #require(middle), "the middle")
    for step in -40...40 {
      let east = GeodeticPosition(latitudeE9: 0, longitudeE9: Int64(step) * 1_000_000_000)
      let north = GeodeticPosition(latitudeE9: Int64(step) * 1_000_000_000, longitudeE9: 0)
      pair.check(try #require(east), "\(step) east")
      pair.check(try #require(north), "\(step) north")
    }
  }

  /// What a tracker has no use for takes no room of it.
  @Test func aRegionWithoutAnIndexIsNoLarger() {
    // Corners, edges and ends of strips, and what else it knows: its frame, its rings, and counts.
    let room = 8 * (16 + 32 + 2)
    #expect(MemoryLayout<GeodeticRegion<8, 0>>.size <= room + 184)
    #expect(MemoryLayout<GeodeticRegion<8, 32>>.size >= MemoryLayout<GeodeticRegion<8, 0>>.size + 32 * 4)
  }
}

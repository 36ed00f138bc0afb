import BenchmarkHarness
import CGEOS
import Positioning
import Quantities

// Fences of 8, 100 and 1,000 corners against fixes about them: GEOS's prepared polygon, whose points are made beforehand, and ours,
// which takes latitude and longitude as they are. The tracker asks for the distance from the edge, with its side: GEOS is asked for both,
// of its prepared outline and polygon.

/// A star of a kilometre with spikes, which GEOS and we are given in the same order.
func star(_ corners: Int, _ random: inout SplitMix64) -> [GeodeticPosition] {
  (0..<corners).compactMap { number in
    let angle = Elementary.sincos(2 * .pi * Double(number) / Double(corners))
    let size = 0.005 + 0.005 * Double(random.next() >> 11) * 0x1p-53
    return GeodeticPosition(latitudeDegrees: 52 + size * angle.cos, longitudeDegrees: 13 + 1.6 * size * angle.sin)
  }
}

final class Fence<let corners: Int, let entries: Int> {
  var region = GeodeticRegion<corners, entries>()
  let context: GEOSContextHandle_t?
  let prepared: OpaquePointer?
  let ring: OpaquePointer?
  var points: [OpaquePointer?] = []
  var fixes: [GeodeticPosition] = []

  init(_ outline: [GeodeticPosition], fixes: [GeodeticPosition]) {
    region.begin(.polygon)
    for corner in outline { region.append(corner) }
    if let error = region.finish() { print("no region: \(error)") }
    self.fixes = fixes
    context = GEOS_init_r()
    let row = GEOSCoordSeq_create_r(context, UInt32(outline.count + 1), 2)
    for (place, corner) in (outline + outline.prefix(1)).enumerated() {
      GEOSCoordSeq_setXY_r(context, row, UInt32(place), corner.longitudeDegrees, corner.latitudeDegrees)
    }
    let polygon = GEOSGeom_createPolygon_r(context, GEOSGeom_createLinearRing_r(context, row), nil, 0)
    prepared = GEOSPrepare_r(context, polygon)
    ring = GEOSPrepare_r(context, GEOSGetExteriorRing_r(context, polygon))
    points = fixes.map { GEOSGeom_createPointFromXY_r(context, $0.longitudeDegrees, $0.latitudeDegrees) }
  }

  func peer() -> Int64 {
    var count: Int64 = 0
    for point in points where GEOSPreparedContains_r(context, prepared, point) == 1 { count += 1 }
    return count
  }

  func peerDistances() -> Int64 {
    var sum = 0.0
    for point in points {
      var distance = 0.0
      _ = GEOSPreparedDistance_r(context, ring, point, &distance)
      sum += GEOSPreparedContains_r(context, prepared, point) == 1 ? distance : -distance
    }
    return Int64(sum)
  }

  func contains() -> Int64 {
    var count: Int64 = 0
    for place in fixes.indices where region.contains(fixes[place]) { count += 1 }
    return count
  }

  func distances() -> Int64 {
    var sum = 0.0
    for place in fixes.indices { sum += region.signedDistance(of: fixes[place]) }
    return Int64(sum)
  }

  func measure(rounds: Int) {
    let group = BenchmarkGroup(
      "Fence of \(region.count) corners", byteCount: 16 * fixes.count, itemName: "fix", itemCount: fixes.count,
      cases: [
        BenchmarkCase("GEOS, prepared, contains", key: "geos", body: peer),
        BenchmarkCase("GeodeticRegion.contains", key: "contains", body: contains),
      ])
    let edge = BenchmarkGroup(
      "Edge of \(region.count) corners, as the tracker asks", byteCount: 16 * fixes.count, itemName: "fix",
      itemCount: fixes.count,
      cases: [
        BenchmarkCase("GEOS, prepared, distance and contains", key: "geos", body: peerDistances),
        BenchmarkCase("GeodeticRegion.signedDistance", key: "distance", body: distances),
      ])
    for group in [group, edge] {
      print(group.header)
      for line in group.measure(rounds: rounds) { print(line) }
      print()
    }
    let (ours, theirs) = (contains(), peer())
    print("Inside: \(theirs) fixes by GEOS, \(ours) by ours; edges bend by millimetres.\n")
  }
}

var random = SplitMix64(seed: 17)
let fixes = (0..<20_000).compactMap { _ in
  GeodeticPosition(
    latitudeE9: 51_988_000_000 + Int64(random.next() % 24_000_000),
    longitudeE9: 12_980_000_000 + Int64(random.next() % 40_000_000))
}
let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 15 : 15
Fence<8, 0>(star(8, &random), fixes: fixes).measure(rounds: rounds)
Fence<100, 400>(star(100, &random), fixes: fixes).measure(rounds: rounds)
Fence<1000, 4000>(star(1000, &random), fixes: fixes).measure(rounds: rounds)

import Foundation
import Positioning
import Quantities

/// What GEOS and S2 say of random outlines and places (`Judges/region_judge.cc`), and whether a region says the same.
struct RegionJudge {
  /// How many outlines and places were compared, and how many distances.
  private(set) var outlines = 0
  private(set) var places = 0
  private(set) var distances = 0
  /// What differed; the first hundred.
  private(set) var differences: [String] = []
  /// How much farther than S2's nearest point an edge was called: by share beyond 1 km, m within.
  private(set) var worstShare = 0.0
  private(set) var worstMetres = 0.0

  private var bytes: [UInt8]
  private var place = 0
  private var region = GeodeticRegionBox()

  /// The judgements of a file.
  init(path: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// A region of the largest outline that is judged; in a class, because it can't be copied.
  final class GeodeticRegionBox {
    var region = GeodeticRegion<256, 1024>()
    var plain = GeodeticRegion<256, 0>()
  }

  private mutating func word() -> String {
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    let start = place
    while place < bytes.count, bytes[place] > 0x20 { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func number() -> Int64 {
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    let isNegative = place < bytes.count && bytes[place] == 0x2D
    if isNegative { place += 1 }
    var value: Int64 = 0
    while place < bytes.count, bytes[place] >= 0x30, bytes[place] <= 0x39 {
      value = value * 10 + Int64(bytes[place] - 0x30)
      place += 1
    }
    return isNegative ? -value : value
  }

  /// Compares all.
  mutating func run() {
    while place < bytes.count {
      judgeLine()
      while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      place += 1
    }
  }

  private mutating func judgeLine() {
    let start = place
    region.region.begin(.polygon)
    region.plain.begin(.polygon)
    var rings = 0
    var key = word()
    while key == "R" {
      if rings > 0 {
        region.region.beginHole()
        region.plain.beginHole()
      }
      rings += 1
      for _ in 0..<number() {
        let (latitude, longitude) = (number(), number())
        region.region.append(latitudeE9: latitude, longitudeE9: longitude)
        region.plain.append(latitudeE9: latitude, longitudeE9: longitude)
      }
      key = word()
    }
    guard key == "V" else { return }
    let isValid = number() == 1
    let isSphereValid = number() == 1
    let error = region.region.finish()
    _ = region.plain.finish()
    outlines += 1
    func note(_ text: String) {
      guard differences.count < 100 else { return }
      let line = bytes[start..<min(bytes.count, start + 200)].prefix { $0 != 0x0A }
      differences.append("\(text): \(String(decoding: line, as: UTF8.self))")
    }
    // What is narrow, or half the earth, is refused here and is somebody else's polygon.
    if error == .zeroArea || error == .tooLarge { return }
    guard (error == nil) == (isValid && isSphereValid) else {
      // Each of the two judges another plane: what one of them takes may touch to the last digit in the other.
      if isValid == isSphereValid { note("valid \(isValid), ours \(String(describing: error))") }
      return
    }
    while word() == "P" {
      guard let asked = GeodeticPosition(latitudeE9: number(), longitudeE9: number()) else { return }
      let inPlane = word()
      let onSphere = number() == 1
      guard let nearest = GeodeticPosition(latitudeE9: number(), longitudeE9: number()) else { return }
      places += 1
      let isWithin = region.region.contains(asked)
      if isWithin != onSphere { note("S2 \(onSphere), ours \(isWithin) at \(asked)") }
      if inPlane != "-", isWithin != (inPlane == "1") { note("GEOS \(inPlane), ours \(isWithin) at \(asked)") }
      if region.plain.contains(asked) != isWithin { note("without an index \(!isWithin) at \(asked)") }
      let signed = region.region.signedDistance(of: asked)
      let exact = Geodesic(from: asked, to: nearest).distance
      if (signed >= 0) != isWithin { note("distance \(signed) of \(isWithin) at \(asked)") }
      // S2 looks for the nearest point on a sphere: on the ellipsoid another may be nearer, by a 149th at most.
      guard exact < 1_000_000 else { continue }
      distances += 1
      let miss = exact - signed.magnitude
      if exact < 1000 { worstMetres = max(worstMetres, -miss) } else { worstShare = max(worstShare, -miss / exact) }
      if -miss > 0.001 + exact * 2e-5 || miss > 0.001 + exact * 0.0068 {
        note("\(signed) m, S2's point is \(exact) m away from \(asked)")
      }
    }
  }
}

import Foundation
import Positioning
import Quantities
import Testing

/// For `make paths`: `LEASH_PATHS` names a file of rides, and the points of their paths are written beside it, for `path_judge.cc`.
@Suite struct PathCampaignTests {
  @Test func pointsOfRides() throws {
    guard let name = ProcessInfo.processInfo.environment["LEASH_PATHS"] else { return }
    var rides: [(name: String, positions: [GeodeticPosition])] = []
    for line in try String(contentsOfFile: name, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == "ride" {
        rides.append((String(words[1]), []))
      } else {
        let (latitude, longitude) = try #require(Double(words[0]).flatMap { lat in Double(words[1]).map { (lat, $0) } })
        let position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
        rides[rides.count - 1].positions.append(try #require(position))
      }
    }
    var text = ""
    for bound in [1.0, 2, 5, 10, 20, 50] {
      for ride in rides {
        text += "ride \(ride.name) \(bound)\n"
        for place in pathPoints(of: ride.positions, bound: bound) { text += "\(place)\n" }
      }
    }
    try text.write(toFile: name + ".told", atomically: false, encoding: .utf8)
  }
}

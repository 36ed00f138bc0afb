import Positioning
import Quantities

/// Pictures of rides: the map, north up, and height and speed along the way.
enum TripDrawing {
  private static let width = 1000.0
  private static let mapSize = 420.0
  private static let height = 520.0

  /// All rides, one below the other.
  static func svg(_ trips: [FoundTrip], _ checkpoints: [FoundCheckpoint] = []) -> String {
    let drawn = trips.filter { $0.points.count > 1 }
    let total = max(1, Double(drawn.count)) * height
    var body = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(total))" font-family="sans-serif" \
      font-size="14">
      <rect width="100%" height="100%" fill="white"/>

      """
    for (place, trip) in drawn.enumerated() {
      body += "<g transform=\"translate(0,\(number(Double(place) * height)))\">\n"
      body += ride(trip, place + 1, checkpoints.filter { trip.has($0) })
      body += "</g>\n"
    }
    return body + "</svg>\n"
  }

  private static func number(_ value: Double) -> String { PlotDrawing.number(value) }

  private static func ride(_ found: FoundTrip, _ count: Int, _ checkpoints: [FoundCheckpoint]) -> String {
    var ways = [0.0]
    for place in 1..<found.points.count {
      let step = Geodesic.fastDistance(from: found.points[place - 1].position, to: found.points[place].position)
      ways.append(ways[place - 1] + step)
    }
    let begin = found.startUTC.map { TripText.iso8601($0).prefix(10) + " " + TimeText.timeOfDay($0) + ", " } ?? ""
    let carried = found.trip.carried > 0 ? ", carried \(TimeText.distance(Double(found.trip.carried)))" : ""
    let length = "\(TimeText.distance(found.trip.distance)) in \(TimeText.length(found.trip.moving))\(carried)"
    let title = "Ride \(count): \(begin)\(length)"
    var text = "<text x=\"24\" y=\"32\" font-size=\"19\" font-weight=\"600\">\(PlotDrawing.escaped(title))</text>\n"
    text += map(found, checkpoints)
    text += panel(found, ways, "height, m", top: 70, colour: "#009e73") { $0.height }
    text += panel(found, ways, "speed, km/h", top: 290, colour: "#0072b2") { $0.speed.map { $0 * 3.6 } }
    text += "<text x=\"976\" y=\"486\" text-anchor=\"end\">track, \(TimeText.distance(ways.last ?? 0))</text>\n"
    return text
  }

  private static func map(_ found: FoundTrip, _ checkpoints: [FoundCheckpoint]) -> String {
    let place = RideMap(found.points.map(\.position), left: 24, top: 50, size: mapSize)
    let path = found.points.map { place.spot($0.position) }
    var text = "<rect x=\"24\" y=\"50\" width=\"\(number(mapSize))\" height=\"\(number(mapSize))\" fill=\"#f4f4f4\"/>\n"
    text += "<polyline fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2\" points=\""
    text += path.map { "\($0.x),\($0.y)" }.joined(separator: " ") + "\"/>\n"
    for (end, colour) in [(path[0], "#009e73"), (path[path.count - 1], "#000000")] {
      text += "<circle cx=\"\(end.x)\" cy=\"\(end.y)\" r=\"5\" fill=\"\(colour)\"/>\n"
    }
    for mark in checkpoints {
      let (x, y) = place.spot(mark.position)
      text += "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"4\" fill=\"#ffffff\" stroke=\"#0072b2\" stroke-width=\"2\"/>\n"
      if !mark.title.isEmpty {
        // To the middle of the map, so that it stays on it.
        let side = place.isEast(mark.position) ? "dx=\"-8\" text-anchor=\"end\"" : "dx=\"8\""
        text += "<text x=\"\(x)\" y=\"\(y)\" dy=\"5\" \(side)>\(PlotDrawing.escaped(mark.title))</text>\n"
      }
    }
    return text + "<text x=\"24\" y=\"490\">north is up, \(TimeText.distance(place.metres)) from edge to edge</text>\n"
  }

  private static func panel(
    _ found: FoundTrip, _ ways: [Double], _ title: String, top: Double, colour: String,
    _ value: (FoundTrip.Point) -> Double?
  ) -> String {
    let known = found.points.indices.compactMap { place in
      value(found.points[place]).flatMap { $0.isFinite ? (ways[place], $0) : nil }
    }
    var text = "<text x=\"520\" y=\"\(number(top - 8))\">\(title)</text>\n"
    text += "<rect x=\"520\" y=\"\(number(top))\" width=\"456\" height=\"180\" fill=\"#f4f4f4\"/>\n"
    guard let low = known.map(\.1).min(), let high = known.map(\.1).max(), let length = ways.last, length > 0 else {
      return text + "<text x=\"540\" y=\"\(number(top + 94))\">unknown</text>\n"
    }
    let span = max(high - low, 1)
    let points = known.map { way, value in
      "\(number(520 + way / length * 456)),\(number(top + 180 - (value - low) / span * 180))"
    }
    text += "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.5\" points=\""
    text += points.joined(separator: " ") + "\"/>\n"
    text += "<text x=\"512\" y=\"\(number(top + 12))\" text-anchor=\"end\">\(TimeText.decimal(low + span, 0))</text>\n"
    return text + "<text x=\"512\" y=\"\(number(top + 180))\" text-anchor=\"end\">\(TimeText.decimal(low, 0))</text>\n"
  }
}

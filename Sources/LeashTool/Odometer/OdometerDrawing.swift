import MotionEvaluation
import Quantities

/// Pictures of rides: the map, and by how much the odometer is ahead of the track, fix by fix.
enum OdometerDrawing {
  private static let width = 1000.0
  private static let height = 330.0
  private static let mapSize = 250.0
  private static let (left, right, top, bottom) = (360.0, 976.0, 60.0, 280.0)
  private static let (all, few) = ("#0072b2", "#d55e00")

  /// All rides, one below the other.
  static func svg(_ rides: [RiddenDistance]) -> String {
    let drawn = rides.filter { $0.steps.count > 1 }.map(thinned)
    let total = max(1, Double(drawn.count)) * height
    var body = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(total))" font-family="sans-serif" \
      font-size="13">
      <rect width="100%" height="100%" fill="white"/>

      """
    for (place, ride) in drawn.enumerated() {
      body += "<g transform=\"translate(0,\(number(Double(place) * height)))\">\n"
      body += title(ride) + map(ride) + curves(ride) + "</g>\n"
    }
    return body + "</svg>\n"
  }

  /// No more fixes than there are pixels to tell them apart.
  private static func thinned(_ ride: RiddenDistance) -> RiddenDistance {
    var ride = ride
    let every = (ride.steps.count + 299) / 300
    let last = ride.steps.count - 1
    ride.steps = ride.steps.enumerated().filter { $0.offset.isMultiple(of: every) || $0.offset == last }.map(\.element)
    return ride
  }

  private static func number(_ value: Double) -> String { PlotDrawing.number(value) }
  private static func percent(_ share: Double) -> String {
    (share < 0 ? "−" : "+") + TimeText.decimal(100 * abs(share), 2) + " %"
  }
  private static func text(_ words: String, _ x: Double, _ y: Double, _ style: String = "") -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\"\(style.isEmpty ? "" : " " + style)>\(PlotDrawing.escaped(words))</text>\n"
  }
  private static func line(_ points: [String], _ colour: String) -> String {
    "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.5\" points=\"\(points.joined(separator: " "))\"/>\n"
  }

  private static func title(_ ride: RiddenDistance) -> String {
    let device = ride.deviceMetres.map { ", device \(TimeText.decimal($0, 0)) m" } ?? ""
    let words = "\(ride.name): track \(TimeText.decimal(ride.trackMetres, 0)) m\(device)"
    return text(words, 24, 28, "font-size=\"17\" font-weight=\"600\"")
  }

  private static func map(_ ride: RiddenDistance) -> String {
    let place = RideMap(ride.steps.map(\.position), left: 24, top: 40, size: mapSize)
    let points = ride.steps.map { place.spot($0.position) }
    var body = "<rect x=\"24\" y=\"40\" width=\"\(number(mapSize))\" height=\"\(number(mapSize))\" fill=\"#f4f4f4\"/>\n"
    body += line(points.map { "\($0.x),\($0.y)" }, "#555555")
    // Each fix: where they are far apart, the way between them is not known.
    for point in points {
      body += "<circle cx=\"\(point.x)\" cy=\"\(point.y)\" r=\"1.6\" fill=\"#555555\"/>\n"
    }
    return body + text("north is up, \(TimeText.distance(place.metres)) from edge to edge", 24, 308)
  }

  private static func curves(_ ride: RiddenDistance) -> String {
    let whole = ride.steps.map { $0.metres - $0.trackMetres }
    let some = ride.steps.map { $0.thinnedMetres - $0.trackMetres }
    let low = min(0, (whole + some).min() ?? 0)
    let high = max(0, (whole + some).max() ?? 0)
    let span = max(high - low, 1)
    let seconds = max(ride.steps[ride.steps.count - 1].seconds, 1)
    func y(_ value: Double) -> Double { bottom - (value - low) / span * (bottom - top) }
    func points(_ values: [Double]) -> [String] {
      zip(ride.steps, values).map { "\(number(left + $0.seconds / seconds * (right - left))),\(number(y($1)))" }
    }
    var body = "<rect x=\"\(number(left))\" y=\"\(number(top))\" width=\"\(number(right - left))\" "
    body += "height=\"\(number(bottom - top))\" fill=\"#f4f4f4\"/>\n"
    body += line(["\(number(left)),\(number(y(0)))", "\(number(right)),\(number(y(0)))"], "#999999")
    body += line(points(whole), all) + line(points(some), few)
    body += text("odometer less track, m:", left, 50)
    body += text("all fixes, \(percent(ride.metres / ride.trackMetres - 1))", left + 160, 50, "fill=\"\(all)\"")
    body += text("every 5 s, \(percent(ride.thinnedError))", left + 330, 50, "fill=\"\(few)\"")
    for value in Set([low, 0, high]).sorted() {
      body += text(TimeText.decimal(value, 0), left - 8, y(value) + 4, "text-anchor=\"end\"")
    }
    return body + text("time, \(TimeText.length(.seconds(Int(seconds))))", right, 308, "text-anchor=\"end\"")
  }
}

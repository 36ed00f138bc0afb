import Quantities

/// Places of a ride on a square map, north up, in the middle of it.
struct RideMap {
  private let first: Int64
  private let (shrink, scale): (Double, Double)
  private let (west, north): (Double, Double)
  private let (left, top, middle): (Double, Double, Double)
  /// From edge to edge, m.
  let metres: Double

  /// - Parameters:
  ///   - positions: All of the ride, at least one.
  ///   - left: Its left edge, pixels.
  ///   - top: Its upper edge, pixels.
  ///   - size: Its width and height, pixels.
  init(_ positions: [GeodeticPosition], left: Double, top: Double, size: Double) {
    let first = positions[0].longitudeE9
    self.first = first
    let latitudes = positions.map { Double($0.latitudeE9) / 1e9 }
    // Across the date line a ride goes on.
    let longitudes = positions.map { Double(TripFinder.wrapped($0.longitudeE9 - first)) / 1e9 }
    let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
    let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    shrink = Elementary.cos((south + north) / 2 * .pi / 180)
    let span = max(max(north - south, (east - west) * shrink), 1e-5)
    scale = (size - 20) / span
    metres = span * .pi / 180 * 6_371_000
    (self.west, self.north) = (west, north)
    middle = left + size / 2
    self.left = left + 10 + (size - 20 - (east - west) * shrink * scale) / 2
    self.top = top + 10 + (size - 20 - (north - south) * scale) / 2
  }

  /// How far from the western edge of the ride a place is, pixels.
  private func reach(_ position: GeodeticPosition) -> Double {
    (Double(TripFinder.wrapped(position.longitudeE9 - first)) / 1e9 - west) * shrink * scale
  }

  /// True for a place on the right half of the map.
  func isEast(_ position: GeodeticPosition) -> Bool { left + reach(position) > middle }

  /// Where a place is, in pixels as SVG writes them.
  func spot(_ position: GeodeticPosition) -> (x: String, y: String) {
    (
      PlotDrawing.number(left + reach(position)),
      PlotDrawing.number(top + (north - Double(position.latitudeE9) / 1e9) * scale)
    )
  }
}

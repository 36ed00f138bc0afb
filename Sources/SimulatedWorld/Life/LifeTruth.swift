import Quantities

/// Where the vehicle was, to hold against what packets say.
struct LifeTruth {
  private var places: [(time: Instant, place: GeodeticPosition)] = []

  /// It is there now; the last 4096 are kept at least.
  mutating func note(_ place: GeodeticPosition, at time: Instant) {
    places.append((time, place))
    if places.count > 8192 { places.removeFirst(4096) }
  }

  /// How far a position of a packet is from where the vehicle was then, m; nil when nobody knows.
  ///
  /// - Parameters:
  ///   - fields: The packet's.
  ///   - time: When it was made, on the world's clock.
  ///   - boot: When the tracker began.
  func error(of fields: PacketFields, at time: Instant, since boot: Instant) -> Double? {
    guard let latitude = fields.latitude, let longitude = fields.longitude, let age = fields.fixAge else { return nil }
    func distance(from truth: GeodeticPosition) -> Double {
      let (once, twice) = (Elementary.sincos(truth.latitude), Elementary.sincos(2 * truth.latitude))
      let north = (latitude - Double(truth.latitudeE9) / 1e9) * (111_133 - 560 * twice.cos)
      var degrees = longitude - Double(truth.longitudeE9) / 1e9
      if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
      let east = degrees * (111_508 - 187 * twice.cos / 2) * once.cos
      return (north * north + east * east).squareRoot()
    }
    let then = time - Interval(microseconds: Int64((age * 1e6).rounded()))
    if then < boot {
      // An earlier life knew it, and nobody knows how long ago: it was there at some time.
      return places.lazy.filter { $0.time <= then + .milliseconds(60) }.map { distance(from: $0.place) }.min() ?? 0
    }
    guard let truth = places.last(where: { $0.time <= then + .milliseconds(60) }), then - truth.time < .seconds(3)
    else { return nil }
    return distance(from: truth.place)
  }
}

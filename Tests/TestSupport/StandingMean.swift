import Glibc
import Quantities

/// Where it stands, as the manual says: fixes by their accuracy and by the time they stand for, of which an hour counts.
struct StandingMean {
  private var latitude: Double
  private var longitude: Double
  private var seconds: Double
  private var weight: Double
  private var inverse: Double
  private var time: Instant

  init(_ position: GeodeticPosition, _ accuracy: Double, at time: Instant, seconds: Double = 1) {
    (latitude, longitude) = (Double(position.latitudeE9), Double(position.longitudeE9))
    let radius = StandingMean.radius(accuracy)
    (self.seconds, weight, inverse) = (seconds, seconds / pow(radius, 2), seconds / radius)
    self.time = time
  }

  private static func radius(_ stated: Double) -> Double { stated.isNaN ? 100_000 : min(max(stated, 0.1), 100_000) }

  mutating func take(_ position: GeodeticPosition, _ accuracy: Double, at now: Instant) {
    let step = min(60, max(0, (now - time).secondsDouble))
    time = max(time, now)
    let radius = StandingMean.radius(accuracy)
    let own = step / pow(radius, 2)
    (seconds, weight, inverse) = (seconds + step, weight + own, inverse + step / radius)
    latitude += (Double(position.latitudeE9) - latitude) * own / weight
    let east = (Double(position.longitudeE9) - longitude).remainder(dividingBy: 360e9)
    longitude = (longitude + east * own / weight).remainder(dividingBy: 360e9)
    let share = min(1, 3600 / seconds)
    (seconds, weight, inverse) = (seconds * share, weight * share, inverse * share)
  }

  /// Farther away than both may err, and 50 m.
  func isElsewhere(_ other: GeodeticPosition, _ accuracy: Double) -> Bool {
    let north = (Double(other.latitudeE9) - latitude) * 1.11e-4
    let east =
      (Double(other.longitudeE9) - longitude).remainder(dividingBy: 360e9) * 1.113e-4 * cos(latitude / 1e9 * .pi / 180)
    return hypot(north, east) > 50 + 3 * (self.accuracy + StandingMean.radius(accuracy))
  }

  var position: GeodeticPosition? {
    GeodeticPosition(latitudeE9: Int64(latitude.rounded()), longitudeE9: Int64(longitude.rounded()))
  }

  var accuracy: Double { inverse / weight }

  /// After a restart: nobody knows how long nothing was seen, so the first fix stands for as long as any.
  func restored(at now: Instant) -> StandingMean? {
    position.map { StandingMean($0, accuracy, at: now - .seconds(60), seconds: seconds) }
  }
}

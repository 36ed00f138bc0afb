import Positioning
import Quantities

/// What an odometer counts, told plainly: it keeps the way as a list of places, and shares nothing with the tracker's but geodesics.
package struct ReferenceOdometer {
  package var distance: Double
  /// Up to where the way is counted.
  package private(set) var place: GeodeticPosition?
  /// The places after that, as far as they are apart, and the length of each step with its corner.
  private var way: [(place: GeodeticPosition, length: Double)] = []
  private var wasTravelling = false
  /// The last step, counted or not.
  private var step: Geodesic?
  /// What was travelled lately as places have it, and as speeds do: a way counts less the more has been travelled since.
  private var lately = (seen: 0.0, told: 0.0)

  package init(distance: Double = 0, place: GeodeticPosition? = nil) {
    self.distance = distance
    self.place = place
  }

  /// One after a restart: it knows how far it has come, and up to where.
  package var restarted: ReferenceOdometer { ReferenceOdometer(distance: distance, place: place) }

  /// Takes a fix in that has a place, and the one before.
  package mutating func take(_ fix: GNSSFix, after before: GNSSFix?, isTravelling: Bool) {
    guard let here = fix.position else { return }
    if let start = place, wasTravelling, !isTravelling, let stop = before?.position {
      distance += Geodesic(from: start, to: stop).distance
      place = stop
    }
    guard let start = place else {
      place = here
      return
    }
    wasTravelling = isTravelling
    if let before, let from = before.position {
      let seconds = (fix.time - before.time).secondsDouble
      let seen = Geodesic(from: from, to: here).distance
      if seen > 1000, seen > 150 * seconds { return begin(at: here) }
      if seconds > 10 {
        step = nil
      } else if isTravelling, let first = before.speed, let second = fix.speed, first >= 0, second >= 0 {
        let told = (first + second) / 2 * seconds
        if speedsAreRight, seen > 20 + 3 * max(first, second) * seconds {
          distance += way.reduce(0) { $0 + $1.length }
          distance += Geodesic(from: way.last?.place ?? start, to: from).distance + told
          return begin(at: here)
        }
        let share = 200 / (200 + seen)
        lately = (lately.seen * share + seen, lately.told * share + min(told, 1e6))
      }
    }
    let next = Geodesic(from: way.last?.place ?? start, to: here)
    let stands = fix.speed.map { $0 < 0.5 } ?? false
    let wasOpen = !way.isEmpty
    if next.distance >= 4.5,
      !stands || next.distance >= fix.horizontalAccuracy ?? 0 || fix.horizontalAccuracy?.isNaN == true
    {
      way.append((here, next.distance + corner(before: next)))
      step = next
    }
    guard let tip = way.last?.place else { return }
    let length = way.reduce(0) { $0 + $1.length }
    let straight = Geodesic(from: start, to: tip).distance
    if isTravelling {
      distance += wasOpen && length > 1.5 * straight ? straight : length
      place = tip
      way = []
    } else if length > 1.5 * straight || straight < 15 || straight < fix.horizontalAccuracy ?? 0 {
      way = []
      step = nil
    }
  }

  private mutating func begin(at here: GeodeticPosition) {
    place = here
    way = []
    step = nil
  }

  private func corner(before next: Geodesic) -> Double {
    guard let step else { return 0 }
    let cosine = Elementary.cos(next.initialAzimuth - step.finalAzimuth)
    return 0.1 * min(2, 2 * (1 - cosine)) * min(step.distance, next.distance)
  }

  private var speedsAreRight: Bool {
    lately.seen > 50 && lately.told > 0.7 * lately.seen && lately.told < 1.4 * lately.seen
  }
}

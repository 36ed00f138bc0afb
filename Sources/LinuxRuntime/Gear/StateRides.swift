import Glibc
import Gear
import Quantities
import TrackerCore

/// The rides in a state file: those that the gear remembers, and the numbers of the last one. The tracker may be running.
package struct StateRides {
  /// A ride.
  package struct Row: Equatable, Sendable {
    /// Its number; nil for one that is under way, and for the last one of a state that remembers none.
    package var number: UInt32?
    /// When it began and ended; nil where the time was not known.
    package var start: UTCTime?
    package var end: UTCTime?
    package var isUnderWay = false
    /// Its length, m.
    package var distance: Double
    /// Its time without stops.
    package var moving: Interval
    /// The highest speed, m/s, and how far it went up, m: only of the last ride.
    package var topSpeed: Double?
    package var climb: Double?
    package var climbUncertainty = 0.0
    /// The name of its gear; nil for none.
    package var gear: String?

    /// From its beginning to its end.
    package var duration: Interval? {
      guard let start, let end else { return nil }
      return Interval(microseconds: end.microseconds - start.microseconds)
    }
    /// Speed while it moved, m/s; nil for a ride of no time, and where it was above the highest, as `Trip.meanSpeed`.
    package var meanSpeed: Double? {
      guard moving > .zero else { return nil }
      let pace = distance / moving.secondsDouble
      return topSpeed.map { pace > Trip.mostOfTop * $0 } ?? false ? nil : pace
    }

    /// True if some of it was between these times; where its own are not known, if there are none.
    package func isWithin(_ from: UTCTime?, _ to: UTCTime?) -> Bool {
      guard from != nil || to != nil else { return true }
      guard let start, let end else { return false }
      return (from.map { end >= $0 } ?? true) && (to.map { start <= $0 } ?? true)
    }
  }

  /// The oldest first.
  package private(set) var rides: [Row]

  /// True for a file that begins as a state file does.
  package static func isState(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var head = [UInt8](repeating: 0, count: 16)
    guard fread(&head, 1, head.count, file) == head.count else { return false }
    return head == Array("SQLite format 3\0".utf8)
  }

  /// The rides of a state file; nil when no state can be read.
  package init?(stateFile path: String) {
    let salvage = StateSalvage(path)
    let (bytes, gear) = (salvage.state, salvage.gear)
    var tracker = Tracker(configuration: TrackerConfiguration())
    guard !bytes.isEmpty, tracker.restore(bytes.span, at: .zero) else { return nil }
    var ledger = GearLedger()
    ledger.restore(gear.span)
    rides = GearStatus(ledger).rides.map { ride in
      func utc(_ second: UInt32?) -> UTCTime? { second.map { UTCTime(microseconds: Int64($0) * 1_000_000) } }
      return Row(
        number: ride.number, start: utc(ride.start), end: utc(ride.end), distance: Double(ride.distanceMetres),
        moving: .seconds(Int(ride.movingSeconds)), gear: ride.gear)
    }
    guard let trip = tracker.lastTrip else { return }
    if trip.end == nil || rides.isEmpty {
      rides.append(
        Row(
          start: tracker.keptUTC(of: trip.start), isUnderWay: trip.end == nil, distance: trip.distance,
          moving: trip.moving))
    }
    rides[rides.count - 1].topSpeed = trip.topSpeed.map { Double($0) }
    rides[rides.count - 1].climb = trip.climb.map { Double($0) }
    rides[rides.count - 1].climbUncertainty = Double(trip.climbUncertainty)
  }
}

import Quantities
import VehicleSimulation

/// Knows which rides there were and how long they are, and holds against that what a tracker tells of them.
struct LifeTrips {
  private struct TrueRide {
    let begin: Instant
    let end: Instant
    /// Told rides that overlap it, by number.
    var told: [Int] = []
    /// True when the owner said so before; thieves' need not be told.
    let isOwners: Bool
    var metres = 0.0
  }

  private struct ToldRide {
    let number: Int
    let start: Instant
    let end: Instant
    let time: Instant
    var rides = 0
    var isNear = false
  }

  private let tolerance: Interval
  private let sigma: Double
  private var rides: [TrueRide] = []
  private var told: [ToldRide] = []
  private var toldCount = 0
  private var wheelTroubles: [(from: Instant, until: Instant)] = []
  private var position: (east: Double, north: Double)?
  private var kind = StreetDeed.Kind.stand
  private var lastMove = Instant.zero

  /// What the wheel has rolled in rides, and how many, m.
  private(set) var ridden = 0.0
  private var rideCount = 0
  /// What was rolled and carried besides: the odometer may have it or not, m.
  private var besides = 0.0
  /// Ways of rides that the tracker could not see well: it may have more or less of them, m.
  private var blind = 0.0
  /// Rides that were judged, and that were excused.
  private(set) var judged = 0
  private(set) var excused = 0
  /// How far the odometer was off at worst, as a share of what it may be off.
  private(set) var worst = 0.0

  /// - Parameters:
  ///   - every: From fix to fix, s.
  ///   - sigma: Of positions per axis, m.
  init(every: Double, sigma: Double) {
    tolerance = LifeTrips.slack + Interval(microseconds: Int64((2e6 * every).rounded()))
    self.sigma = sigma
  }

  /// A ride begins and ends within this of when it truly does, and two fixes: docs/trips.md.
  static var slack: Interval { .seconds(10) }
  /// A ride is over, and the tracker has told it, for `motion.armAfter` and more.
  static var patience: Interval { .seconds(900) }
  /// Before a ride, a tracker that starts, or a sensor that goes wrong, may disturb its beginning.
  static var before: Interval { .seconds(60) }

  // MARK: What happens

  /// A deed begins.
  mutating func begin(_ kind: StreetDeed.Kind, isOwners: Bool, from begin: Instant, to end: Instant) {
    self.kind = kind
    guard kind.isTravel else { return }
    rides.append(TrueRide(begin: begin, end: end, isOwners: isOwners && kind == .ride))
  }

  /// The vehicle is at a displacement, m.
  ///
  /// - Returns: What its wheel has rolled since the last time, m.
  mutating func move(east: Double, north: Double, at time: Instant) -> Double {
    defer { position = (east, north) }
    guard let position, kind.isTravel else { return 0 }
    let (e, n) = (east - position.east, north - position.north)
    let way = (e * e + n * n).squareRoot()
    guard way > 0 else { return 0 }
    lastMove = time
    if let last = rides.indices.last, rides[last].isOwners {
      rides[last].metres += way
      ridden += way
    } else {
      besides += way
    }
    return kind == .ride || kind == .roll ? way : 0
  }

  /// The sensor of the wheel is out of order.
  mutating func noteWheelTrouble(from: Instant, until: Instant) { wheelTroubles.append((from, until)) }

  /// A ride is told.
  mutating func noteTold(from start: Instant, to end: Instant, at time: Instant) {
    var ride = ToldRide(number: toldCount, start: start, end: end, time: time)
    toldCount += 1
    for place in rides.indices where rides[place].begin <= end && rides[place].end >= start {
      rides[place].told.append(ride.number)
      if rides[place].isOwners { ride.rides += 1 } else { ride.isNear = true }
    }
    told.append(ride)
  }

  // MARK: Judging

  /// Judges the rides of an hour ago and longer, and forgets them.
  ///
  /// - Parameters:
  ///   - isExcused: True when the tracker was off, or a sensor out of order, at some time from one to another.
  mutating func settle(at now: Instant, isExcused: (Instant, Instant) -> Bool, checker: LifeChecker) {
    while let first = rides.first, first.end + .seconds(3600) <= now {
      rides.removeFirst()
      if first.isOwners {
        judge(first, isExcused(first.begin - LifeTrips.before, first.end + LifeTrips.patience), checker)
      }
    }
    while let first = told.first, first.time + .seconds(7200) <= now {
      told.removeFirst()
      let isFree = first.isNear || isExcused(first.start - LifeTrips.before, first.time)
      checker.check(
        .ridesAreTold, first.rides == 1 || isFree, at: first.time,
        "a ride from \(first.start.secondsDouble) s to \(first.end.secondsDouble) s is told; there were \(first.rides)")
    }
    wheelTroubles.removeAll { $0.until + .seconds(86_400) < now }
  }

  private mutating func judge(_ ride: TrueRide, _ isExcused: Bool, _ checker: LifeChecker) {
    rideCount += 1
    if isExcused {
      blind += ride.metres
      excused += 1
      return
    }
    if wheelTroubles.contains(where: { $0.from <= ride.end && $0.until >= ride.begin }) {
      // What is missing shows by four standard deviations of two fixes and a tenth of the way: docs/odometer.md.
      blind += 0.1 * ride.metres + 5.66 * 1.5 * sigma
    }
    judged += 1
    let tellings = told.filter { ride.told.contains($0.number) }
    let isRight =
      tellings.count == 1 && (tellings[0].start - ride.begin).magnitude <= tolerance
      && (tellings[0].end - ride.end).magnitude <= tolerance
    checker.check(
      .ridesAreTold, isRight, at: ride.end,
      "the ride from \(ride.begin.secondsDouble) s to \(ride.end.secondsDouble) s is told as "
        + (tellings.isEmpty
          ? "none"
          : tellings.map { "\($0.start.secondsDouble) s to \($0.end.secondsDouble) s" }.joined(separator: ", ")))
  }

  /// True when all that was ridden is judged, and the vehicle stands.
  func isSettled(at now: Instant) -> Bool { rides.isEmpty && now - lastMove > .seconds(3600) }

  /// Holds the odometer against the way, where all is settled.
  ///
  /// It may be off by three of its own standard deviations, and by what could not be seen.
  mutating func judge(odometer metres: Double, uncertainty: Double, at now: Instant, checker: LifeChecker) {
    let limit = 3 * uncertainty + blind + 1
    let (low, high) = (ridden - limit, ridden + besides + limit)
    let error = max(ridden - metres, metres - ridden - besides)
    worst = max(worst, error / limit)
    checker.check(
      .odometerIsTrue, metres >= low && metres <= high, at: now,
      "the odometer says \(Int(metres)) m ± \(Int(uncertainty)) m; ridden were \(Int(ridden)) m in \(rideCount) rides, and \(Int(besides)) m more "
        + "rolled or carried")
  }
}

extension Interval {
  fileprivate var magnitude: Interval { self < .zero ? .zero - self : self }
}

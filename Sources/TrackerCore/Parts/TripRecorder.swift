import ASCIIText
import InlineStorage
import Positioning
import Quantities
import Telemetry

/// The odometer, and the ride that is under way, or was the last.
struct TripRecorder: TrackerPart {
  private var meter = TripMeter()
  /// Where the whole of the odometer is from.
  private var source = OdometerSource.measured
  private var rideStart: Double = 0
  /// Length of the ride that ended last, m.
  private(set) var lastRideDistance: Double = 0
  /// The meter when the state was last kept.
  private var keptDistance: Double = 0
  /// The ride that is under way, or was the last; nil before the first.
  private var ride: RideMeter?
  private var topSpeed = TopSpeedMeter()
  private var climb = ClimbMeter()

  /// What the owner has added to what was measured, m.
  private var offset: Int64 = 0
  /// How many rides have ended in this life.
  private(set) var endedRides: UInt32 = 0
  /// What of the ride the owner says was carried, m; below zero for a ride that the owner has said nothing of.
  private var saidCarriedMetres: Float = -1
  private var change: Odometer.Change?

  init(_ configuration: TrackerConfiguration) { configure(configuration) }

  mutating func configure(_ configuration: TrackerConfiguration) {
    meter.beginWheel(circumference: configuration.wheelCircumference)
  }

  /// The section of the trip has the UTC, which the tracker knows.
  static var sections: StateSections { .odometer }

  /// Once a request has changed the odometer there is a section for that.
  func isUsed(_ section: StateSections) -> Bool { change != nil }

  /// Where it stands, m. A damaged state may hold any distance.
  private var metres: Int64 {
    // Of a ride that is said to be carried nothing counts.
    let counted = isRiding && isRideCarried ? rideStart : meter.distance
    return offset + min(Elementary.roundedInteger(counted), 1 << 60)
  }

  /// The odometer as the owner sees it.
  var odometer: Odometer {
    Odometer(metres: metres, uncertainty: meter.uncertainty, source: source, change: change)
  }

  /// Puts the odometer where a request wants it.
  mutating func change(to metres: Int64, _ source: OdometerSource, request: UInt32, utc: UTCTime?) {
    let before = self.metres
    // Farther than light goes in a year nobody has ridden.
    let after = min(metres, 1 << 53)
    offset += after - before
    self.source = source
    change = Odometer.Change(before: before, after: after, utc: utc, request: request)
  }

  /// What is known of the wheel.
  var wheel: WheelMeter { meter.wheel }

  /// The owner says that the ride under way, or the last one, was carried: what was counted of it leaves the odometer.
  ///
  /// - Returns: False when there is no ride, or that was said before.
  mutating func carryRide(request: UInt32, utc: UTCTime?) -> Bool {
    guard ride != nil, saidCarried == nil else { return false }
    let distance = isRiding ? max(0, meter.distance - rideStart) : lastRideDistance
    change(to: max(0, metres - Elementary.roundedInteger(distance)), .corrected, request: request, utc: utc)
    saidCarried = Float(distance)
    if isRiding { rideStart = meter.distance } else { lastRideDistance = 0 }
    return true
  }

  private var saidCarried: Float? {
    get { saidCarriedMetres < 0 ? nil : saidCarriedMetres }
    set { saidCarriedMetres = newValue ?? -1 }
  }

  /// True when the ride, or the last one, was carried, as the owner says.
  var isRideCarried: Bool { saidCarried != nil }

  /// Distance measured since the tracker is there, m.
  var distance: Double { meter.distance }

  /// Takes a fix in, once motion detection has seen it, with the one before.
  mutating func process(
    _ sight: TripMeter.Sight, after previous: TripMeter.Sight?, isTravelling: Bool, stillFor: Interval,
    unseen: (straightness: Float, seconds: Float), _ journal: inout TrackerJournal
  ) {
    meter.record(
      sight, after: previous, isTravelling: isTravelling, stillFor: stillFor, straightness: unseen.straightness,
      unseenFor: unseen.seconds)
    if isTravelling, isRiding { topSpeed.record(sight, after: previous, isToldWrong: meter.isToldWrong) }
    noteTravel(&journal)
  }

  /// Between other changes the odometer is kept every hundred metres: often enough for an odometer, and easy on flash memory.
  private func noteTravel(_ journal: inout TrackerJournal) {
    if meter.distance - keptDistance >= 100 { journal.noteChange(.travel) }
  }

  /// Takes the height of a fix in, m, with its standard deviation, where it is known.
  mutating func process(height: Double, deviation: Double?, at time: Instant) {
    climb.record(
      satelliteHeight: Float(height), deviation: deviation.map { Float($0) }, at: time, isCounted: isRiding)
  }

  /// Takes a height of a barometer in, and what the sensor of the wheel has counted.
  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    switch reading {
    case .pressure(let reading):
      climb.record(barometricHeight: reading.height, at: reading.time, isCounted: isRiding)
    case .wheel(let reading):
      meter.record(pulses: reading.pulses, at: reading.time)
      noteTravel(&journal)
    default: break
    }
  }

  /// No fix is there to say whether the wheel may count.
  mutating func trustWheel(at time: Instant) { meter.trustWheel(at: time) }

  /// It is under way by its wheel alone: what that has turned is counted.
  mutating func countWheel(_ journal: inout TrackerJournal) {
    meter.countWheel()
    noteTravel(&journal)
  }

  /// True while a ride is under way.
  var isRiding: Bool { ride.map { $0.end == nil } ?? false }

  /// A ride has begun where the meter stood at `distance`.
  mutating func beginRide(at distance: Double, since onset: Instant) {
    saidCarried = nil
    ride = RideMeter(start: onset)
    rideStart = distance + meter.beginRide()
    topSpeed = TopSpeedMeter()
    climb.begin()
  }

  /// The ride stands.
  mutating func stand(since time: Instant) {
    if isRiding { ride?.stop(at: time) }
  }

  /// The ride goes on.
  mutating func resume(at onset: Instant, stoodSince: Instant) {
    if !isRiding { beginRide(at: rideStart, since: stoodSince) }
    ride?.move(from: onset, stoodSince: stoodSince)
  }

  /// The ride went on unseen: as long as it takes at the speed so far, or all the time.
  mutating func goOn(unseenSince since: Instant, distance: Float, at time: Instant) {
    var moved = time - since
    if let mean = trip(at: since)?.pace, mean > 0 {
      moved = min(moved, Interval(microseconds: Elementary.roundedInteger(1e6 * min(Double(distance) / mean, 1e9))))
    }
    if !isRiding { beginRide(at: rideStart, since: since) }
    ride?.goOn(for: moved, stoodSince: since, until: time)
  }

  /// So long nothing was heard before the first input: a ride of before has begun as much earlier, and has moved meanwhile for as long as the
  /// way to where it is now takes at its speed.
  ///
  /// - Returns: How long that is.
  mutating func noteTimeOff(_ time: Interval, before first: Instant, at place: GeodeticPosition?) -> Interval {
    var moved = Interval.zero
    if isRiding, let place, let last = meter.last, let pace = trip(at: first)?.pace, pace > 0 {
      let seconds = Geodesic.fastDistance(from: last, to: place) / pace
      moved = min(time, Interval(microseconds: Elementary.roundedInteger(1e6 * min(seconds, 1e9))))
    }
    ride?.shift(time, before: first, moved: moved)
    return moved
  }

  /// It is found elsewhere after it was off.
  mutating func arrive(at position: GeodeticPosition, isCounted: Bool) {
    meter.arrive(at: position, isCounted: isCounted)
  }

  /// A fix has shown what was travelled since an earlier one: that was the ride which has ended meanwhile.
  mutating func credit(_ way: Double, unseenSince last: Instant?, _ journal: inout TrackerJournal) {
    guard way > 0, let end = ride?.end, let last, last < end else { return }
    journal.noteChange(.travel)
    guard let carried = saidCarried else {
      lastRideDistance += way
      return
    }
    saidCarried = carried + Float(way)
    // Nothing of it counts.
    offset -= Elementary.roundedInteger(meter.distance) - Elementary.roundedInteger(meter.distance - way)
    journal.noteChange(.odometer)
  }

  /// It is parked, whether or not a fix has shown it.
  mutating func park() { meter.stand() }

  /// The ride is over.
  mutating func endRide(from start: Instant, to end: Instant) {
    endedRides &+= 1
    lastRideDistance = meter.distance - rideStart
    if !isRiding { beginRide(at: rideStart, since: start) }
    let before = metres
    if isRideCarried {
      saidCarried = (saidCarried ?? 0) + Float(lastRideDistance)
      lastRideDistance = 0
    }
    ride?.finish(from: start, to: end)
    // What came after the owner said that it is carried has not been counted, and stays so.
    offset += before - metres
  }

  /// The ride that is under way, or was the last; nil before the first.
  func trip(at time: Instant) -> Trip? {
    guard let ride else { return nil }
    return Trip(
      start: ride.start, end: ride.end, distance: rideDistance,
      carried: meter.wheel.carried + (saidCarried ?? 0) + restCarried,
      moving: ride.moving(at: time), topSpeed: knownTop, climb: climb.climb, climbUncertainty: climb.uncertainty)
  }

  /// Where only a wheel or an inertial sensor has told of a ride, fixes have seen it stand, and its highest speed is not known.
  private var knownTop: Float? { topSpeed.top.flatMap { $0 > 0 ? $0 : nil } }

  /// Of a ride that is said to be carried nothing counts.
  private var rideDistance: Double {
    if !isRiding { return lastRideDistance }
    return isRideCarried ? 0 : max(0, meter.distance - rideStart)
  }

  /// What is carried of a ride that is said to be, and not taken out yet, m.
  private var restCarried: Float {
    isRiding && isRideCarried ? Float(max(0, meter.distance - rideStart)) : 0
  }

  /// The odometer has been kept, or has just been restored.
  mutating func noteKept() { keptDistance = meter.distance }

  func describe(in packet: inout Packet) {
    packet.distanceMetres = UInt32(clamping: metres)
  }

  /// Puts the ride that is under way, or was the last, into a packet.
  func describeRide(in packet: inout Packet) {
    guard let trip = trip(at: packet.time) else { return }
    var ride = PacketRide(
      start: trip.start, end: trip.end ?? packet.time,
      distanceMetres: UInt32(clamping: Elementary.roundedInteger(trip.distance)))
    ride.movingSeconds = UInt32(clamping: (trip.moving.microseconds + 500_000) / 1_000_000)
    ride.topSpeedCentimetres = trip.topSpeed.map { UInt16(clamping: Elementary.roundedInteger(Double($0) * 100)) }
    ride.climbMetres = trip.climb.map { UInt16(clamping: Elementary.roundedInteger(Double($0))) }
    packet.ride = ride
    packet.carriedMetres = UInt32(clamping: Elementary.roundedInteger(Double(trip.carried)))
  }
}

// What is kept of it over a restart.
extension TripRecorder {
  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    encodeOdometer(into: &content)
  }

  /// - Parameter keptUTC: When that is, as far as it is known.
  func encode(keptUTC: UTCTime?, at time: Instant, into content: inout SectionContent) {
    content.append(distance: meter.distance + Double(meter.held))
    content.append(distance: rideStart)
    content.append(distance: lastRideDistance)
    content.append(place: meter.last, accuracy: 0)
    content.append(distance: meter.corners)
    content.append(distance: meter.silences)
    let utc = ride == nil ? nil : keptUTC
    content.append(
      (ride == nil ? 0 : Kept.hasRide) | (meter.disagreement == 0 ? 0 : Kept.hasDisagreement)
        | (utc == nil ? 0 : Kept.hasUTC) | (meter.ends == 0 ? 0 : Kept.hasEnds))
    if meter.disagreement != 0 { content.append(littleEndian: UInt64(meter.disagreement.bitPattern), bytes: 4) }
    if let utc { content.append(littleEndian: UInt64(bitPattern: utc.microseconds), bytes: 8) }
    if meter.ends != 0 { content.append(littleEndian: UInt64(meter.ends.bitPattern), bytes: 4) }
    if let ride {
      ride.encode(into: &content, at: time)
      content.append(noise: topSpeed.top)
      content.append(noise: climb.climb)
      content.append(noise: climb.uncertainty)
    }
    meter.wheel.kept?.encode(into: &content)
  }

  /// What requests have changed.
  private func encodeOdometer(into content: inout SectionContent) {
    guard let change else { return }
    content.append(littleEndian: UInt64(bitPattern: offset), bytes: 8)
    content.append(source.rawValue)
    content.append(littleEndian: UInt64(bitPattern: change.before), bytes: 8)
    content.append(littleEndian: UInt64(bitPattern: change.after), bytes: 8)
    content.append(change.utc == nil ? 0 : 1)
    content.append(littleEndian: UInt64(bitPattern: change.utc?.microseconds ?? 0), bytes: 8)
    content.append(littleEndian: UInt64(change.request), bytes: 4)
    if saidCarried != nil { content.append(noise: saidCarried) }
  }

  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    meter.restore(
      distance: kept.trip.distance, last: kept.trip.position, corners: kept.trip.corners,
      silences: kept.trip.silences, disagreement: kept.trip.disagreement, ends: kept.trip.ends,
      wheel: kept.trip.wheel)
    offset = kept.odometer.offset
    source = kept.odometer.source
    change = kept.odometer.change
    saidCarried = kept.odometer.saidCarried
    rideStart = kept.trip.rideStart
    lastRideDistance = kept.trip.lastRideDistance
    ride = kept.trip.ride.map { RideMeter($0, at: time) }
    topSpeed = TopSpeedMeter(top: kept.trip.topSpeed)
    climb = ClimbMeter(climb: kept.trip.climb, uncertainty: kept.trip.climbUncertainty)
    noteKept()
  }
}

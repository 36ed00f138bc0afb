import ASCIIText
import InlineStorage
import Positioning
import Quantities
import Telemetry

/// The odometer, and the ride that is under way, or was the last.
struct TripRecorder: TrackerPart {
  private var meter = TripMeter()
  private var rideStart: Double = 0
  /// Length of the ride that ended last, m.
  private(set) var lastRideDistance: Double = 0
  /// The meter when the state was last kept.
  private var keptDistance: Double = 0
  /// The ride that is under way, or was the last; nil before the first.
  private var ride: RideMeter?
  private var topSpeed = TopSpeedMeter()
  private var climb = ClimbMeter()

  /// What the owner has added to what was measured, m, and where the whole is from.
  private var offset: Int64 = 0
  private var source = OdometerSource.measured
  /// How many rides have ended in this life.
  private(set) var endedRides: UInt32 = 0
  private var change: Odometer.Change?

  static var sections: StateSections { [.trip, .odometer] }

  /// Once a request has changed the odometer there is a section for that.
  func isUsed(_ section: StateSections) -> Bool { section == .trip || change != nil }

  /// Where it stands, m. A damaged state may hold any distance.
  private var metres: Int64 { offset + min(Elementary.roundedInteger(meter.distance), 1 << 60) }

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

  /// Distance measured since the tracker is there, m.
  var distance: Double { meter.distance }

  /// Takes a fix in, once motion detection has seen it, with the one before.
  mutating func process(
    _ sight: TripMeter.Sight, after previous: TripMeter.Sight?, isTravelling: Bool, _ journal: inout TrackerJournal
  ) {
    meter.record(sight, after: previous, isTravelling: isTravelling)
    if isTravelling, isRiding { topSpeed.record(sight, after: previous, isToldWrong: meter.isToldWrong) }
    // Between other changes the odometer is kept every hundred metres: often enough for an odometer, and easy on flash memory.
    if meter.distance - keptDistance >= 100 { journal.noteChange(.travel) }
  }

  /// Takes the height of a fix in, m, with its standard deviation, where it is known.
  mutating func process(height: Double, deviation: Double?, at time: Instant) {
    climb.record(
      satelliteHeight: Float(height), deviation: deviation.map { Float($0) }, at: time, isCounted: isRiding)
  }

  /// Takes a height of a barometer in, m above any fixed one.
  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    guard case .pressure(let reading) = reading else { return }
    climb.record(barometricHeight: reading.height, at: reading.time, isCounted: isRiding)
  }

  /// True while a ride is under way.
  private var isRiding: Bool { ride.map { $0.end == nil } ?? false }

  /// A ride has begun where the meter stood at `distance`.
  mutating func beginRide(at distance: Double, since onset: Instant) {
    rideStart = distance
    ride = RideMeter(start: onset)
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
    var onset = since
    if let mean = trip(at: since)?.meanSpeed, mean > 0 {
      let unseen = (time - since).secondsDouble
      onset = time - Interval(microseconds: Elementary.roundedInteger(1e6 * min(unseen, Double(distance) / mean)))
    }
    resume(at: max(since, onset), stoodSince: since)
  }

  /// The ride is over.
  mutating func endRide(from start: Instant, to end: Instant) {
    endedRides &+= 1
    lastRideDistance = meter.distance - rideStart
    if !isRiding { beginRide(at: rideStart, since: start) }
    ride?.finish(from: start, to: end)
  }

  /// The ride that is under way, or was the last; nil before the first.
  func trip(at time: Instant) -> Trip? {
    guard let ride else { return nil }
    return Trip(
      start: ride.start, end: ride.end, distance: isRiding ? max(0, meter.distance - rideStart) : lastRideDistance,
      moving: ride.moving(at: time), topSpeed: topSpeed.top, climb: climb.climb, climbUncertainty: climb.uncertainty)
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
  }
}

// What is kept of it over a restart.
extension TripRecorder {
  struct Kept {
    var distance = 0.0
    var rideStart = 0.0
    var lastRideDistance = 0.0
    var position: GeodeticPosition?
    var corners = 0.0
    var silences = 0.0
    var ride: RideMeter.Kept?
    var topSpeed: Float?
    var climb: Float?
    var climbUncertainty: Float = 0

    init() {}

    /// - Parameter end: Where the section ends: what is in doubt about the distance, and the numbers of the ride, are not in earlier ones.
    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
      distance = reader.distance(bytes)
      rideStart = reader.distance(bytes)
      lastRideDistance = reader.distance(bytes)
      position = reader.place(bytes)?.position
      guard reader.place < end else { return }
      corners = reader.distance(bytes)
      silences = reader.distance(bytes)
      guard reader.place < end, reader.flag(bytes) else { return }
      ride = RideMeter.Kept(bytes, &reader)
      topSpeed = reader.noise(bytes)
      climb = reader.noise(bytes)
      climbUncertainty = reader.noise(bytes) ?? 0
    }
  }

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    if section == .odometer { return encodeOdometer(into: &content) }
    content.append(distance: meter.distance)
    content.append(distance: rideStart)
    content.append(distance: lastRideDistance)
    content.append(place: meter.last, accuracy: 0)
    content.append(distance: meter.corners)
    content.append(distance: meter.silences)
    content.append(ride == nil ? 0 : 1)
    guard let ride else { return }
    ride.encode(into: &content, at: time)
    content.append(noise: topSpeed.top)
    content.append(noise: climb.climb)
    content.append(noise: climb.uncertainty)
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
  }

  /// What requests have changed, as kept.
  struct KeptOdometer {
    var offset: Int64 = 0
    var source = OdometerSource.measured
    var change: Odometer.Change?

    init() {}

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      offset = reader.int64(bytes)
      let kind = OdometerSource(rawValue: reader.byte(bytes))
      let (before, after) = (reader.int64(bytes), reader.int64(bytes))
      let isDated = reader.flag(bytes)
      let time = reader.int64(bytes)
      change = Odometer.Change(
        before: before, after: after, utc: isDated ? UTCTime(microseconds: time) : nil, request: reader.uint32(bytes))
      reader.require(kind != nil && offset.magnitude <= 1 << 61)
      source = kind ?? .measured
    }
  }

  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    meter = TripMeter(
      distance: kept.trip.distance, last: kept.trip.position, corners: kept.trip.corners,
      silences: kept.trip.silences)
    offset = kept.odometer.offset
    source = kept.odometer.source
    change = kept.odometer.change
    rideStart = kept.trip.rideStart
    lastRideDistance = kept.trip.lastRideDistance
    ride = kept.trip.ride.map { RideMeter($0, at: time) }
    topSpeed = TopSpeedMeter(top: kept.trip.topSpeed)
    climb = ClimbMeter(climb: kept.trip.climb, uncertainty: kept.trip.climbUncertainty)
    noteKept()
  }
}

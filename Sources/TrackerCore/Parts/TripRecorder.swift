import ASCIIText
import InlineStorage
import Positioning
import Quantities
import Telemetry

/// The odometer, and the ride that is under way.
struct TripRecorder: TrackerPart {
  private var meter = TripMeter()
  private var rideStart: Double = 0
  /// Length of the ride that ended last, m.
  private(set) var lastRideDistance: Double = 0
  /// The meter when the state was last kept.
  private var keptDistance: Double = 0

  /// What the owner has added to what was measured, m, and where the whole is from.
  private var offset: Int64 = 0
  private var source = OdometerSource.measured
  private var change: Odometer.Change?

  /// True once a request has changed the odometer: from then on there is a section.
  var isChanged: Bool { change != nil }

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
    // Between other changes the odometer is kept every hundred metres: often enough for an odometer, and easy on flash memory.
    if meter.distance - keptDistance >= 100 { journal.noteChange(.travel) }
  }

  /// A ride has begun where the meter stood at `start`.
  mutating func beginRide(at start: Double) { rideStart = start }

  /// The ride is over.
  mutating func endRide() { lastRideDistance = meter.distance - rideStart }

  /// The odometer has been kept, or has just been restored.
  mutating func noteKept() { keptDistance = meter.distance }

  func describe(in packet: inout Packet) {
    packet.distanceMetres = UInt32(clamping: metres)
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

    init() {}

    /// - Parameter end: Where the section ends: what is in doubt about the distance is not in earlier ones.
    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
      distance = reader.distance(bytes)
      rideStart = reader.distance(bytes)
      lastRideDistance = reader.distance(bytes)
      position = reader.place(bytes)?.position
      guard reader.place < end else { return }
      corners = reader.distance(bytes)
      silences = reader.distance(bytes)
    }
  }

  func encode(into content: inout SectionContent) {
    content.append(distance: meter.distance)
    content.append(distance: rideStart)
    content.append(distance: lastRideDistance)
    content.append(place: meter.last, accuracy: 0)
    content.append(distance: meter.corners)
    content.append(distance: meter.silences)
  }

  /// What requests have changed.
  func encodeOdometer(into content: inout SectionContent) {
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
    noteKept()
  }
}

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

  /// Distance travelled since switching on, m.
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
    packet.distanceMetres = UInt32(clamping: Elementary.roundedInteger(meter.distance))
  }
}

// What is kept of it over a restart.
extension TripRecorder {
  struct Kept {
    var distance = 0.0
    var rideStart = 0.0
    var lastRideDistance = 0.0
    var position: GeodeticPosition?

    init() {}

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      distance = reader.distance(bytes)
      rideStart = reader.distance(bytes)
      lastRideDistance = reader.distance(bytes)
      position = reader.place(bytes)?.position
    }
  }

  func encode(into content: inout SectionContent) {
    content.append(distance: meter.distance)
    content.append(distance: rideStart)
    content.append(distance: lastRideDistance)
    content.append(place: meter.last, accuracy: 0)
  }

  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    meter = TripMeter(distance: kept.trip.distance, last: kept.trip.position)
    rideStart = kept.trip.rideStart
    lastRideDistance = kept.trip.lastRideDistance
    noteKept()
  }
}

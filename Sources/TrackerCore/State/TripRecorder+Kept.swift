import Positioning
import Quantities
import Telemetry

// What is kept of the odometer and the ride, as it is read.
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
    var wheel: WheelMeter.Kept?
    var disagreement: Float = 0
    var ends: Float = 0
    /// When it was kept.
    var utc: UTCTime?

    init() {}

    /// What is there behind the doubts about the distance, a bit each.
    static var hasRide: UInt8 { 1 }
    static var hasDisagreement: UInt8 { 2 }
    static var hasUTC: UInt8 { 4 }
    static var hasEnds: UInt8 { 8 }
    /// The year 2200, µs: later no clock is right.
    static var latestUTC: Int64 { 7_258_118_400_000_000 }

    /// - Parameter end: Where the section ends: what is in doubt about the distance, the numbers of the ride, and the wheel are not in
    ///   earlier ones.
    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
      distance = reader.distance(bytes)
      rideStart = reader.distance(bytes)
      lastRideDistance = reader.distance(bytes)
      position = reader.place(bytes)?.position
      guard reader.place < end else { return }
      corners = reader.distance(bytes)
      silences = reader.distance(bytes)
      guard reader.place < end else { return }
      let parts = reader.byte(bytes)
      reader.require(parts < 16)
      if parts & Kept.hasDisagreement != 0 { disagreement = reader.float(bytes) }
      if parts & Kept.hasUTC != 0 {
        let time = reader.int64(bytes)
        // A clock that was never right costs no odometer.
        if time > 0, time < Kept.latestUTC { utc = UTCTime(microseconds: time) }
      }
      if parts & Kept.hasEnds != 0 {
        ends = reader.float(bytes)
        reader.require(ends >= 0)
      }
      if parts & Kept.hasRide != 0 {
        ride = RideMeter.Kept(bytes, &reader)
        topSpeed = reader.noise(bytes)
        climb = reader.noise(bytes)
        climbUncertainty = reader.noise(bytes) ?? 0
      }
      if reader.place < end { wheel = WheelMeter.Kept(bytes, &reader, end: end) }
    }
  }

  /// What requests have changed, as kept.
  struct KeptOdometer {
    var offset: Int64 = 0
    var source = OdometerSource.measured
    var change: Odometer.Change?
    var saidCarried: Float?

    init() {}

    /// - Parameter end: Where the section ends: whether the ride was carried is not in earlier ones.
    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, end: Int) {
      offset = reader.int64(bytes)
      let kind = OdometerSource(rawValue: reader.byte(bytes))
      let (before, after) = (reader.int64(bytes), reader.int64(bytes))
      let isDated = reader.flag(bytes)
      let time = reader.int64(bytes)
      change = Odometer.Change(
        before: before, after: after, utc: isDated ? UTCTime(microseconds: time) : nil, request: reader.uint32(bytes))
      reader.require(kind != nil && offset.magnitude <= 1 << 61)
      source = kind ?? .measured
      if reader.place < end { saidCarried = reader.noise(bytes) }
    }
  }
}

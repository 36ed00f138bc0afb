import Quantities
import TrackerCore
import TrackerRuntime

extension BoardStatus.TripStatus {
  /// A ride, with the times of day that are known.
  init(_ trip: Trip, at now: Instant, _ utc: (Instant) -> UTCTime?) {
    let end = trip.end ?? now
    self.init(
      isUnderWay: trip.end == nil, start: utc(trip.start).map(isoText),
      end: trip.end.flatMap(utc).map(isoText), distanceMetres: trip.distance,
      durationSeconds: (end - trip.start).secondsDouble, movingSeconds: trip.moving.secondsDouble,
      meanMetresPerSecond: trip.meanSpeed, topMetresPerSecond: trip.topSpeed.map { Double($0) },
      climbMetres: trip.climb.map { Double($0) },
      climbUncertaintyMetres: trip.climb.map { _ in Double(trip.climbUncertainty) },
      carriedMetres: trip.carried > 0 ? Double(trip.carried) : nil)
  }
}

extension BoardStatus.OdometerStatus {
  /// What is known of it.
  init(_ odometer: Odometer) {
    self.init(
      source: "\(odometer.source)", uncertaintyMetres: odometer.uncertainty,
      change: odometer.change.map { change in
        BoardStatus.OdometerChangeStatus(
          beforeMetres: Double(change.before), afterMetres: Double(change.after), time: change.utc.map(isoText),
          request: change.request > 0 ? Int(change.request) : nil)
      })
  }
}

/// A time of day as ISO 8601.
func isoText(_ time: UTCTime) -> String {
  var buffer = ByteBuffer()
  buffer.append(iso8601: time)
  return String(decoding: buffer.bytes, as: UTF8.self)
}

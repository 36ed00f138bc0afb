import Quantities
import Telemetry
import TrackerCore

extension ReferenceTracker {
  /// How a packet must show a fix: rounded to the nearest unit, halves away from zero; what is no number is left out.
  package static func position(of fix: GNSSFix) -> PacketPosition? {
    guard fix.mode == .twoDimensional || fix.mode == .threeDimensional, let place = fix.position else { return nil }
    guard var result = PacketPosition(fix) else { return nil }
    func scaled(_ value: Double?, _ scale: Double) -> Int64? {
      guard let value, value.isFinite else { return nil }
      return Int64(clamping: (value * scale).rounded(.toNearestOrAwayFromZero))
    }
    result.latitudeE7 = Int32((Double(place.latitudeE9) / 100).rounded(.toNearestOrAwayFromZero))
    result.longitudeE7 = Int32((Double(place.longitudeE9) / 100).rounded(.toNearestOrAwayFromZero))
    result.altitudeDecimetres = scaled(fix.heightAboveSeaLevel, 10).map { Int32(clamping: $0) }
    result.accuracyDecimetres = scaled(fix.horizontalAccuracy, 10).map { max(1, UInt32(clamping: $0)) }
    result.speedCentimetres = scaled(fix.speed, 100).map { UInt32(clamping: $0) }
    result.courseCentidegrees = scaled(fix.course, 18_000 / .pi).map { hundredths in
      // Clockwise from north, within the circle.
      UInt16(((hundredths % 36_000) + 36_000) % 36_000)
    }
    result.satellites = fix.satellitesUsed
    result.fixTime = fix.time
    return result
  }

  /// A tracker that goes on where this one was when its state was last kept.
  package func restored(at time: Instant) -> ReferenceTracker {
    var next = ReferenceTracker(configuration)
    next.now = time
    next.firstInput = time
    next.alertsEnabled = alertsEnabled
    switch phase {
    case .starting, .riding, .settling: next.phase = .settling
    case .parked, .suspicious, .alarmed: next.phase = .parked
    case .stolen: next.phase = alertsEnabled ? .stolen : .parked
    }
    next.nextSequence = nextSequence
    next.boot = boot + 1
    next.waiting = waiting
    next.alerts = alerts
    next.lastAlarm = lastAlarm
    // A theft goes on, and so does its alarm.
    if next.phase == .stolen { next.alarm = alarm }
    if var alert = again?.alert {
      alert.evidence = MovementEvidence(
        detector: alert.evidence.detector, ratio: alert.evidence.ratio, onset: time, duration: .zero)
      next.again = (alert, time, time + configuration.reports.repeatInterval)
    }
    (next.odometer, next.keptDistance) = (odometer.restarted, distance)
    (next.rideStart, next.lastRide) = (rideStart, lastRide)
    next.lastFix = lastFix.map { aged($0, time) }
    next.standing = standing.flatMap { $0.restored(at: time) }
    next.reports.note(nil, at: time)
    return next
  }

  /// What is kept when all that has changed is who has a packet: the rest is as it was kept before.
  package mutating func keepWaiting(of now: ReferenceTracker) { waiting = now.waiting }

  /// As if it had stood parked there, seen by a fix of that accuracy.
  package mutating func standParked(at latitude: Double, _ longitude: Double, accuracy: Double) {
    phase = .parked
    standing = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude).map {
      StandingMean($0, accuracy, at: now - .seconds(60))
    }
  }

  /// The event that must tell it.
  package var restoredEvent: TrackerEvent.Kind { .restored(packets: UInt8(waiting.count), phase: phase) }

  /// A place of an earlier life is older than what is fresh, however short the restart was; only the place and its radius are kept.
  private func aged(_ fix: GNSSFix, _ time: Instant) -> GNSSFix {
    var old = GNSSFix(time: time - configuration.reports.staleAfter - .seconds(1))
    old.mode = .twoDimensional
    old.position = fix.position
    if let radius = fix.horizontalAccuracy, Float(radius).isFinite, radius >= 0 {
      old.horizontalAccuracy = Double(Float(radius))
    }
    return old
  }
}

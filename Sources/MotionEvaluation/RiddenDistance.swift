import Positioning
import Quantities
import Recording
import TrackerCore
import TrackerRuntime

/// A recorded ride, and how long it was: by the tracker, by the device that recorded it, and by its track. All in m.
package struct RiddenDistance: Sendable {
  /// Name of the recording.
  package var name: String
  /// Whether constants may be chosen on it.
  package var half: SceneHalf
  /// The tracker's odometer after the ride.
  package var metres: Double
  /// The odometer when no fix is given within `thinning` after the one before.
  package var thinnedMetres: Double
  /// Sum of the geodesics from fix to fix.
  package var trackMetres: Double
  /// What the device counted itself; nil when it recorded none.
  package var deviceMetres: Double?
  /// How far it had come at each fix.
  package var steps: [Step]
  /// What of the recording was passed over.
  package var reports: [ImportReport] = []

  /// A fix of the ride.
  package struct Step: Equatable, Sendable {
    /// Seconds since the first.
    package var seconds: Double
    /// Where.
    package var position: GeodeticPosition
    /// The track until then.
    package var trackMetres: Double
    /// The odometer then, with all fixes and with thinned ones.
    package var metres: Double
    package var thinnedMetres: Double
  }

  package init(
    name: String, half: SceneHalf, metres: Double, thinnedMetres: Double, trackMetres: Double, deviceMetres: Double?,
    steps: [Step] = []
  ) {
    self.name = name
    self.half = half
    self.metres = metres
    self.thinnedMetres = thinnedMetres
    self.trackMetres = trackMetres
    self.deviceMetres = deviceMetres
    self.steps = steps
  }

  /// The least time between two fixes of a ride that is thinned.
  package static var thinning: Interval { .seconds(5) }
  /// Device and track that differ by no more agree: both are good to about that.
  package static var agreement: Double { 0.01 }
  /// By how much a thinned ride may differ from the whole track.
  package static var thinnedLimit: Double { 0.02 }

  /// By how much track and device disagree, as a share of the device's distance; nil without a device's.
  package var disagreement: Double? { deviceMetres.map { abs(trackMetres / $0 - 1) } }
  /// The error of the odometer as a share of the device's distance, or of the track's where there is none.
  package var error: Double { metres / (deviceMetres ?? trackMetres) - 1 }
  /// The error that is allowed: 1 % where track and device agree, else twice their disagreement; nil without a device.
  package var limit: Double? {
    disagreement.map { $0 <= RiddenDistance.agreement ? RiddenDistance.agreement : 2 * $0 }
  }
  /// Whether the odometer is as good as it should be; nil when there is nothing to judge it by but the track.
  package var holds: Bool? { limit.map { abs(error) <= $0 } }
  /// The error with thinned fixes, as a share of the whole track.
  package var thinnedError: Double { thinnedMetres / trackMetres - 1 }
  /// Whether the odometer is good enough with thinned fixes.
  package var holdsThinned: Bool { abs(thinnedError) <= RiddenDistance.thinnedLimit }

  /// Measures a recorded ride: its fixes go through a tracker, all of them and then thinned.
  ///
  /// Inertial samples are left out, so that both runs differ in the fixes alone.
  ///
  /// - Returns: nil for a recording of less than a minute, which is no ride.
  package static func measure(
    _ path: String, name: String, half: SceneHalf, _ configuration: RunConfiguration
  ) throws(RecordingError) -> RiddenDistance? {
    let recording = try openRecording(path)
    let whole = try TrackerRun(configuration) { _, _ in }
    let thinned = try TrackerRun(configuration) { _, _ in }
    var track = 0.0
    var last: GNSSFix?
    var lastThinned: Instant?
    var steps: [Step] = []
    var begin: Instant?
    var end = Instant.zero
    while let input = try recording.next() {
      if case .inertial = input { continue }
      try whole.feed(input, payload: recording.payload)
      if begin == nil { begin = input.time }
      end = max(end, input.time)
      guard let fix = whole.look({ $0.lastFix }), let position = fix.position, fix.time != last?.time else { continue }
      if let before = last?.position { track += Geodesic.fastDistance(from: before, to: position) }
      last = fix
      defer {
        steps.append(
          Step(
            seconds: (fix.time - (begin ?? fix.time)).secondsDouble, position: position, trackMetres: track,
            metres: whole.distance, thinnedMetres: thinned.distance))
      }
      guard lastThinned.map({ fix.time - $0 >= thinning }) ?? true else { continue }
      lastThinned = fix.time
      try thinned.feed(.fix(fix))
    }
    guard track > 0, let begin, end - begin >= .seconds(60) else { return nil }
    // Long enough to be parked.
    try whole.advance(to: end + .seconds(3600))
    try thinned.advance(to: end + .seconds(3600))
    var ride = RiddenDistance(
      name: name, half: half, metres: whole.distance, thinnedMetres: thinned.distance, trackMetres: track,
      deviceMetres: try recordedDistance(path), steps: steps)
    ride.reports = recording.reports
    return ride
  }
}

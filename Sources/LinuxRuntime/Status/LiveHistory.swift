import Quantities

/// The last minutes of a run, for the local page: thinned, and bounded whatever comes.
///
/// Every entry has a number that rises, so that a page can ask for what is new.
package struct LiveHistory: Sendable {
  /// A place of the track.
  package struct TrackPoint: Codable, Equatable, Sendable {
    /// Number of the entry.
    package var n: Int
    /// When, s of the monotonic clock.
    package var t: Double
    /// Degrees.
    package var lat: Double
    /// Degrees.
    package var lon: Double
    /// The phase then.
    package var phase: String
  }

  /// A tenth of a second or more of the inertial sensor.
  package struct CurvePoint: Codable, Equatable, Sendable {
    /// Number of the entry.
    package var n: Int
    /// When, s of the monotonic clock.
    package var t: Double
    /// Largest angular rate, rad/s; nil without gyroscope.
    package var rate: Double?
    /// Largest deviation of the specific force from standard gravity, m/s²; nil without accelerometer.
    package var force: Double?
    /// Evidence of movement against its threshold.
    package var evidence: Double
  }

  /// Something that happened.
  package struct Happening: Codable, Equatable, Sendable {
    /// Number of the entry.
    package var n: Int
    /// When, s of the monotonic clock.
    package var t: Double
    /// `event` or `packet`.
    package var what: String
    /// Its JSON as text.
    package var json: String
  }

  /// Places, at most 4,000; when there are more every second one goes, so that the whole way stays visible.
  package private(set) var track: [TrackPoint] = []
  /// The last ten to twelve minutes at five a second.
  package private(set) var curve: [CurvePoint] = []
  /// The last 200 to 300.
  package private(set) var happenings: [Happening] = []

  private var number = 0
  private var collected: CurvePoint?
  private var collectedSince: Instant?

  /// Nothing yet.
  package init() {}

  /// Number of the newest entry.
  package var newest: Int { number }

  /// Adds a place.
  package mutating func add(_ position: GeodeticPosition, phase: String, at time: Instant) {
    number += 1
    track.append(
      TrackPoint(
        n: number, t: time.secondsDouble, lat: position.latitudeDegrees, lon: position.longitudeDegrees, phase: phase))
    guard track.count > 4000 else { return }
    track = track.enumerated().filter { $0.offset % 2 == 0 || $0.offset > 3000 }.map(\.element)
  }

  /// Adds a reading; every fifth of a second makes one entry of the largest values in it.
  package mutating func add(_ sample: InertialSample, evidence: Float) {
    let rate = sample.angularRate.map { Double($0.length) }
    let force = sample.specificForce.map { abs(Double($0.length) - 9.80665) }
    var point = collected ?? CurvePoint(n: 0, t: sample.time.secondsDouble, rate: nil, force: nil, evidence: 0)
    if let rate, rate.isFinite { point.rate = max(point.rate ?? 0, rate) }
    if let force, force.isFinite { point.force = max(point.force ?? 0, force) }
    if evidence.isFinite { point.evidence = max(point.evidence, Double(evidence)) }
    collected = point
    let since = collectedSince ?? sample.time
    collectedSince = since
    guard sample.time - since >= .milliseconds(200) || sample.time < since else { return }
    number += 1
    point.n = number
    point.t = sample.time.secondsDouble
    curve.append(point)
    if curve.count > 3600 { curve.removeFirst(600) }
    collected = nil
    collectedSince = nil
  }

  /// Adds an event or a packet by its JSON.
  package mutating func add(_ what: String, json: String, at time: Instant) {
    number += 1
    happenings.append(Happening(n: number, t: time.secondsDouble, what: what, json: json))
    if happenings.count > 300 { happenings.removeFirst(100) }
  }
}

public import Quantities

/// The last minutes of a run, for the local page: thinned, and bounded whatever comes.
///
/// Every entry has a number that rises, so that a page can ask for what is new.
public struct LiveHistory: Sendable {
  /// A place of the track.
  public struct TrackPoint: Codable, Equatable, Sendable {
    /// Number of the entry.
    public var n: Int
    /// When, s of the monotonic clock.
    public var t: Double
    /// Degrees.
    public var lat: Double
    /// Degrees.
    public var lon: Double
    /// The phase then.
    public var phase: String
  }

  /// A tenth of a second or more of the inertial sensor.
  public struct CurvePoint: Codable, Equatable, Sendable {
    /// Number of the entry.
    public var n: Int
    /// When, s of the monotonic clock.
    public var t: Double
    /// Largest angular rate, rad/s; nil without gyroscope.
    public var rate: Double?
    /// Largest deviation of the specific force from standard gravity, m/s²; nil without accelerometer.
    public var force: Double?
    /// Evidence of movement against its threshold.
    public var evidence: Double
  }

  /// Something that happened.
  public struct Happening: Codable, Equatable, Sendable {
    /// Number of the entry.
    public var n: Int
    /// When, s of the monotonic clock.
    public var t: Double
    /// `event` or `packet`.
    public var what: String
    /// Its JSON as text.
    public var json: String
  }

  /// Places, at most 4,000; when there are more every second one goes, so that the whole way stays visible.
  public private(set) var track: [TrackPoint] = []
  /// Ten minutes at five a second.
  public private(set) var curve: [CurvePoint] = []
  /// The last 200.
  public private(set) var happenings: [Happening] = []

  private var number = 0
  private var collected: CurvePoint?
  private var collectedSince: Instant?

  /// Nothing yet.
  public init() {}

  /// Number of the newest entry.
  public var newest: Int { number }

  /// Adds a place.
  public mutating func add(_ position: GeodeticPosition, phase: String, at time: Instant) {
    number += 1
    track.append(
      TrackPoint(
        n: number, t: time.secondsDouble, lat: position.latitudeDegrees, lon: position.longitudeDegrees, phase: phase))
    guard track.count > 4000 else { return }
    track = track.enumerated().filter { $0.offset % 2 == 0 || $0.offset > 3000 }.map(\.element)
  }

  /// Adds a reading; every fifth of a second makes one entry of the largest values in it.
  public mutating func add(_ sample: InertialSample, evidence: Float) {
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
  public mutating func add(_ what: String, json: String, at time: Instant) {
    number += 1
    happenings.append(Happening(n: number, t: time.secondsDouble, what: what, json: json))
    if happenings.count > 300 { happenings.removeFirst(100) }
  }
}

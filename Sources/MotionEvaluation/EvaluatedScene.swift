public import VehicleSimulation

/// Which half of the scenes one is of: constants are chosen on the one and shown on the other.
public enum SceneHalf: String, CaseIterable, Sendable {
  /// Constants may be chosen on it.
  case tuning
  /// Nobody tunes on it.
  case held
}

/// What the owner should hear of a deed.
public enum Telling: Equatable, Sendable {
  /// An alert within some seconds of its begin.
  case within(Double)
  /// An alert up to some seconds after its end.
  case afterEnd(Double)
  /// An alert up to so many fixes after its end.
  case fixes(Int)
  /// Any packet that says it moves, within some seconds of its begin: before it is armed nobody can ask for an alert.
  case packetWithin(Double)
  /// Nothing; an alert is no mistake either, from here to the owner's answer.
  case maybe
}

/// What must hold in a scene besides what is told.
public struct SceneExpectation: Equatable, Sendable {
  /// Alerts that nothing called for, at most.
  public var alerts = 0
  /// Seconds after it was parked by which it is armed; nil when nobody asks.
  public var armedBy: Double?
  /// Share of the parked time, from 600 s on, that it is armed; nil when nobody asks.
  public var armedShare: Double?
  /// Rides while it is parked, at most.
  public var rides = 0
  /// Metres travelled while it is parked, at most.
  public var metres = 0.0
  /// Packets in the whole scene, at most; nil when nobody counts.
  public var packets: Int?
  /// Median of the delays, s, at most; nil when only each one counts.
  public var median: Double?

  /// Nothing is told, nothing travels.
  public init() {}
}

/// A scene with its truth and what is expected of it.
public struct EvaluatedScene: Sendable {
  /// A stretch of a recording that is played as it is.
  public struct Stretch: Equatable, Sendable {
    /// File: under the repository, or with `data:` before it, under the folder of recordings.
    public var file: String
    /// Seconds that are left out at its beginning.
    public var from = 0.0
    /// Seconds at which it ends; nil for all.
    public var to: Double?
    /// True when accelerometer and gyroscope are made for a track (`RideExtension`).
    public var isSynthesized = false
    /// What should be told of it; nil for nothing.
    public var telling: Telling?
  }

  /// Unique: that of the scene, and for a variant `/b` to `/z`.
  public var name: String
  /// What it is, a line.
  public var about: String
  /// Half.
  public var half: SceneHalf
  /// Quick enough for every test run.
  public var isQuick = false
  /// The world.
  public var scene = StreetScene()
  /// What should be told of each deed, in the order of `scene.deeds`; nil for nothing.
  public var tellings: [Telling?] = []
  /// Recordings in place of the world; empty for none.
  public var recordings: [Stretch] = []
  /// Recording whose noise the sensor has; nil for the model's.
  public var noise: String?
  /// What must hold.
  public var expectation = SceneExpectation()

  /// The name without the variant.
  public var family: String { String(name.prefix { $0 != "/" }) }

  /// Work it costs: samples and fixes.
  public var cost: Double {
    guard recordings.isEmpty else { return 100_000 }
    let seconds = scene.starts.last ?? 0
    let samples = scene.sensor.make == .none ? 0 : scene.sensor.hertz
    return seconds * (samples + (scene.receiver.map { 2 / $0.every } ?? 0))
  }
}

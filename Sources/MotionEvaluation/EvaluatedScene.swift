import VehicleSimulation

/// Which half of the scenes one is of: constants are chosen on the one and shown on the other.
package enum SceneHalf: String, CaseIterable, Sendable {
  /// Constants may be chosen on it.
  case tuning
  /// Nobody tunes on it.
  case held
}

/// What the owner should hear of a deed.
package enum Telling: Equatable, Sendable {
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
package struct SceneExpectation: Equatable, Sendable {
  /// Alerts that nothing called for, at most.
  package var alerts = 0
  /// Seconds after it was parked by which it is armed; nil when nobody asks.
  package var armedBy: Double?
  /// Share of the parked time, from 600 s on, that it is armed; nil when nobody asks.
  package var armedShare: Double?
  /// Rides while it is parked, at most.
  package var rides = 0
  /// Metres travelled while it is parked, at most.
  package var metres = 0.0
  /// Packets in the whole scene, at most; nil when nobody counts.
  package var packets: Int?
  /// Median of the delays, s, at most; nil when only each one counts.
  package var median: Double?
  /// Name of the tracker's phase at the end; nil when nobody asks.
  package var phase: String?

  /// Nothing is told, nothing travels.
  package init() {}
}

/// A scene with its truth and what is expected of it.
package struct EvaluatedScene: Sendable {
  /// A stretch of a recording that is played as it is.
  package struct Stretch: Equatable, Sendable {
    /// File: a whole path, or under the repository, or with `data:` before it, under the folder of recordings.
    package var file: String
    /// Seconds that are left out at its beginning.
    package var from = 0.0
    /// Seconds at which it ends; nil for all.
    package var to: Double?
    /// True when accelerometer and gyroscope are made for a track (`RideExtension`).
    package var isSynthesized = false
    /// What should be told of it; nil for nothing.
    package var telling: Telling?
  }

  /// Unique: that of the scene, and for a variant `/b` to `/z`.
  package var name: String
  /// What it is, a line.
  package var about: String
  /// Half.
  package var half: SceneHalf
  /// Quick enough for every test run.
  package var isQuick = false
  /// The world.
  package var scene = StreetScene()
  /// What should be told of each deed, in the order of `scene.deeds`; nil for nothing.
  package var tellings: [Telling?] = []
  /// Recordings in place of the world; empty for none.
  package var recordings: [Stretch] = []
  /// Recording whose noise the sensor has; nil for the model's.
  package var noise: String?
  /// What must hold.
  package var expectation = SceneExpectation()

  /// A scene without deeds.
  package init(name: String, about: String, half: SceneHalf) {
    self.name = name
    self.about = about
    self.half = half
  }

  /// The name without the variant.
  package var family: String { String(name.prefix { $0 != "/" }) }

  /// Work it costs: samples and fixes.
  package var cost: Double {
    guard recordings.isEmpty else { return 100_000 }
    let seconds = scene.starts.last ?? 0
    let samples = scene.sensor.make == .none ? 0 : scene.sensor.hertz
    return seconds * (samples + (scene.receiver.map { 2 / $0.every } ?? 0))
  }
}

import Quantities
import Recording
import TrackerRuntime
import Telemetry
import TrackerCore
import VehicleSimulation

/// Drives the tracker through a scene, and judges what its owner noticed.
package struct SceneRun {
  private let scene: EvaluatedScene
  private let configuration: RunConfiguration
  private let library: SceneLibrary

  /// - Parameters:
  ///   - scene: What happens.
  ///   - configuration: Of the tracker; its mounting stays unknown to it.
  ///   - library: Where recordings are.
  package init(_ scene: EvaluatedScene, _ configuration: RunConfiguration, library: SceneLibrary) {
    self.scene = scene
    self.configuration = configuration
    self.library = library
  }

  /// Plays it all.
  package func run() -> SceneOutcome {
    do throws(RecordingError) {
      return try scene.recordings.isEmpty ? play() : playRecordings()
    } catch {
      var outcome = SceneOutcome(scene)
      outcome.isUnreadable = !library.isMissing(error.file)
      outcome.skipped = outcome.isUnreadable ? error.description : "no recording \(error.file)"
      return outcome
    }
  }

  private func play() throws(RecordingError) -> SceneOutcome {
    var world = scene.scene
    if let noise = scene.noise { world.sensor.recordedNoise = try library.noise(noise) }
    let witness = try SceneWitness(scene, configuration)
    var player = StreetPlayer(world)
    let starts = world.starts
    while let output = player.next() {
      switch output {
      case .inertial(let sample): try witness.feed(.inertial(sample))
      case .fix(let fix): try witness.feed(.fix(fix))
      case .begin(let number, let time):
        let deed = world.deeds[number]
        let end = Instant(microseconds: Int64((starts[number + 1] * 1e6).rounded()))
        switch deed.kind {
        case .dismiss: try witness.dismiss(at: time)
        case .buzzer:
          try witness.askForSound(seconds: Int(deed["seconds"]), isPulsed: deed["pulse"] >= 0.5, at: time)
        default:
          witness.begin(
            scene.tellings[number], from: time, to: end, isTravel: deed.kind == .ride || deed.kind == .roll,
            every: world.receiver?.every ?? 1)
        }
      }
      if let sound = witness.takeSound() {
        player.sound(for: sound.duration, beat: sound.pattern.beat, at: witness.now)
      }
    }
    return try witness.finish(at: Instant(microseconds: Int64(((starts.last ?? 0) * 1e6).rounded())))
  }

  private func playRecordings() throws(RecordingError) -> SceneOutcome {
    let witness = try SceneWitness(scene, configuration)
    var end = Instant.zero
    for stretch in scene.recordings {
      let begin = end == .zero ? Instant.zero : end + .milliseconds(10)
      var source = try RecordedStretch(stretch, library: library, from: begin, seed: scene.scene.seed)
      witness.begin(
        stretch.telling, from: begin, to: begin + .seconds(Int(source.length)), isTravel: false, every: 1)
      while let input = try source.next() {
        end = max(end, input.time)
        try witness.feed(input)
      }
    }
    return try witness.finish(at: end)
  }
}

/// One stretch of a recording on the clock of the scene.
struct RecordedStretch {
  private let stretch: EvaluatedScene.Stretch
  private let recording: any RecordingImporter
  private let begin: Instant
  private var simulation: RideExtension?
  private var shift: Interval?

  /// Seconds from its begin to its end, where the scene says.
  var length: Double { (stretch.to ?? stretch.from + 3600) - stretch.from }

  init(
    _ stretch: EvaluatedScene.Stretch, library: SceneLibrary, from begin: Instant, seed: UInt64
  ) throws(RecordingError) {
    self.stretch = stretch
    self.begin = begin
    recording = try library.open(stretch.file)
    if stretch.isSynthesized { simulation = RideExtension(seed: seed, scene: nil) }
  }

  mutating func next() throws(RecordingError) -> TrackerInput? {
    while let input = try nextRaw() {
      let seconds = input.time.secondsDouble
      if seconds < stretch.from { continue }
      if let to = stretch.to, seconds >= to { return nil }
      let shift = self.shift ?? (begin - input.time)
      self.shift = shift
      return input.shifted(by: shift)
    }
    return nil
  }

  private mutating func nextRaw() throws(RecordingError) -> TrackerInput? {
    guard simulation != nil else { return try recording.next() }
    while true {
      switch simulation?.next() {
      case .inertial(let sample): return .inertial(sample)
      case .fix(let fix): return .fix(fix)
      case nil: break
      }
      guard simulation?.isFinished == false else { return nil }
      if let input = try recording.next() {
        if case .fix(let fix) = input { simulation?.receive(fix) }
      } else {
        simulation?.finish()
      }
    }
  }
}

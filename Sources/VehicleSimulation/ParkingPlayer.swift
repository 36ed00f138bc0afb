import Quantities

/// The scene at work on the clock of the samples: braking when needed, then phase after phase.
struct ParkingPlayer: Sendable {
  private var parked: ParkedMotion
  private var receiver: SceneReceiver?
  private var sensor: SimulatedSensor
  private let phases: [ParkingScene.Phase]
  /// Number of the first sample of each phase and, last, of the end.
  private let starts: [Int64]
  private let start: Instant
  private let hertz: Int
  private let brakingSpeed: Double
  /// Times of the next sample and fix; nil when there is no more.
  private var sampleDue: Instant?
  private var fixDue: Instant?
  private var phase = -1
  private var index: Int64 = 0

  /// - Parameters:
  ///   - start: Time of the first sample.
  ///   - brakingSpeed: Speed at the end of the ride, m/s.
  init(
    _ scene: ParkingScene, from start: Instant, brakingSpeed: Double, ride: BodyMotion, sensor: SimulatedSensor,
    receiver: SceneReceiver?, seed: UInt64, hertz: Int
  ) {
    phases = scene.phases
    self.start = start
    self.hertz = hertz
    self.brakingSpeed = brakingSpeed
    self.sensor = sensor
    self.receiver = receiver
    parked = ParkedMotion(after: ride, seed: seed, hertz: hertz)
    starts = ParkingPlayer.starts(of: scene, brakingSpeed: brakingSpeed, hertz: hertz)
    updateSampleDue()
    updateFixDue()
  }

  static func starts(of scene: ParkingScene, brakingSpeed: Double, hertz: Int) -> [Int64] {
    let braking = brakingSpeed >= TrackCurve.standingSpeed ? brakingSpeed / ParkedMotion.braking : 0
    var starts = [Elementary.roundedInteger(braking * Double(hertz))]
    for phase in scene.phases {
      starts.append((starts.last ?? 0) + Elementary.roundedInteger(phase.seconds * Double(hertz)))
    }
    return starts
  }

  static func time(of index: Int64, from start: Instant, hertz: Int) -> Instant {
    start + Interval(microseconds: RideSynthesizer.offset(of: index, hertz: hertz))
  }

  private mutating func updateSampleDue() {
    guard let end = starts.last else { return }
    sampleDue = index < end ? ParkingPlayer.time(of: index, from: start, hertz: hertz) : nil
  }

  private mutating func updateFixDue() {
    guard let end = starts.last, let time = receiver?.nextTime else { return }
    fixDue = time < ParkingPlayer.time(of: end, from: start, hertz: hertz) ? time : nil
  }

  /// The next of both, samples first at equal times; nil when the scene is over.
  mutating func next() -> RideExtension.Output? {
    if let time = sampleDue, fixDue.map({ time <= $0 }) ?? true { return .inertial(sample(at: time)) }
    guard fixDue != nil else { return nil }
    let fix = receiver?.next(
      east: parked.east, north: parked.north, speed: parked.motion.speed, yaw: parked.motion.yaw)
    updateFixDue()
    return fix.map { .fix($0) }
  }

  private mutating func sample(at time: Instant) -> InertialSample {
    while phase + 1 < phases.count, index >= starts[phase + 1] {
      phase += 1
      parked.begin(phases[phase])
    }
    if phase < 0 {
      parked.brake(from: brakingSpeed, at: Double(index) / Double(hertz))
    } else {
      parked.play(phases[phase], at: Double(index - starts[phase]) / Double(hertz))
    }
    index += 1
    updateSampleDue()
    let sensed = parked.motion.sensed
    return sensor.read(
      at: time, angularRate: sensed.angularRate + parked.shaking.rate,
      specificForce: sensed.specificForce + parked.shaking.force)
  }
}

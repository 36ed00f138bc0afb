public import Quantities

/// A parked vehicle in the street, what happens to it, and what watches it: one world for each seed.
public struct StreetScene: Sendable {
  /// A deed that comes again and again beside the others.
  public struct Background: Sendable {
    /// What.
    public var deed: StreetDeed
    /// Seconds from one begin to the next on the average; nil for once and without an end.
    public var every: Double?
    /// When the first one may begin, s.
    public var from = 0.0

    /// A background.
    public init(_ deed: StreetDeed, every: Double? = nil, from: Double = 0) {
      self.deed = deed
      self.every = every
      self.from = from
    }
  }

  /// One after the other.
  public var deeds: [StreetDeed] = []
  /// Beside them, all the time.
  public var backgrounds: [Background] = []
  /// What feels.
  public var sensor = StreetSensor()
  /// What knows the place; nil without a receiver.
  public var receiver: StreetReceiver?
  /// A sensor with all its errors, in place of the make of `sensor`; its rate, place and parts are those of `sensor`.
  package var instrument: Instrument?
  /// A receiver with all its errors, in place of `receiver`, which says how often it tells, and what may be expected of it.
  package var satellites: SatelliteModel?
  /// What has a body; nil where all motions are drawn.
  package var vehicle: StreetVehicle?
  /// How the sensor is held on a body; nil for rigidly.
  package var mount: SensorMount?
  /// What carries it in `drive`, where it has a body.
  package var van = CarFrame()
  /// Of all chance.
  public var seed: UInt64 = 1
  /// Where it begins.
  package var origin = StreetOrigin()

  /// Nothing happens.
  public init() {}

  /// When each deed begins, s, and last, when all is over.
  public var starts: [Double] {
    var starts = [0.0]
    for deed in deeds { starts.append(starts[starts.count - 1] + deed.duration) }
    return starts
  }
}

/// Where and when a scene begins.
package struct StreetOrigin: Equatable, Sendable {
  /// The place; nil for the usual one.
  package var place: GeodeticPosition?
  /// Height above sea level, m.
  package var height = 12.0
  /// UTC at the beginning.
  package var utc = UTCTime(microseconds: 1_780_272_000_000_000)

  /// The usual place.
  static let usual = GeodeticPosition(latitudeE9: 52_370_000_000, longitudeE9: 4_890_000_000)

  /// Amsterdam, on the first of June 2026 at midnight UTC.
  package init() {}
}

/// One thing for the tracker.
public enum StreetOutput: Equatable, Sendable {
  /// A reading in the sensor frame.
  case inertial(InertialSample)
  /// A fix.
  case fix(GNSSFix)
  /// The deed of a number begins.
  case begin(Int, Instant)
}

/// Plays a scene, one output after the other.
/// One can't be copied: it is large, and there is one in a life.
public struct StreetPlayer: ~Copyable, Sendable {
  private let scene: StreetScene
  private let starts: [Double]
  private var random: SeededRandom
  private var sensor: SimulatedSensor
  private var receiver: StreetReceiverRun?
  private var base = RigidMotion()
  private var baseGlide = 0.0
  private var act: StreetAct?
  private var deed = -1
  private var layers: [Layer] = []
  private var trouble = StreetTrouble()
  private var index: Int64 = 0
  private var fixIndex: Int64 = 0
  private let bandwidth: Double
  private let biasDirection: Vector3
  /// The true motion at the last sample.
  public private(set) var motion = RigidMotion()
  private var glide = (metres: 0.0, speed: 0.0)
  private let nose: (sin: Double, cos: Double)

  private var buzzer: BuzzerTone?
  private var instrument: InstrumentRun?
  private var satellites: SatelliteRun?
  private var body: StreetBody?
  private var felt = (rate: Vector3.zero, force: Vector3.zero)

  private struct Layer: Sendable {
    let background: StreetScene.Background
    var act: StreetAct?
    var next: Double
  }

  /// A scene from its beginning.
  public init(_ scene: StreetScene) {
    self.scene = scene
    starts = scene.starts
    var random = SeededRandom(seed: scene.seed, stream: 20)
    let model = scene.sensor.model(random: &random)
    bandwidth = Double(model.noiseBandwidthHertz)
    sensor = SimulatedSensor(model, seed: scene.seed)
    biasDirection = Vector3(1, -0.7, 0.5)
    base.yaw = Jet(random.uniform(0, 6))
    base.lean = Jet(random.uniform(-0.1, 0.1))
    motion = base
    nose = Elementary.sincos(base.yaw.value)
    for background in scene.backgrounds {
      let first = background.every.map { background.from + random.uniform(0.2, 1) * $0 } ?? background.from
      layers.append(Layer(background: background, act: nil, next: first))
    }
    if let receiver = scene.receiver,
      let place = scene.origin.place ?? StreetOrigin.usual
    {
      var run = StreetReceiverRun(receiver, at: place, random: SeededRandom(seed: scene.seed, stream: 21))
      run.origin = scene.origin
      self.receiver = run
    }
    self.random = random
    instrument = scene.instrument.map { InstrumentRun($0, hertz: rate, seed: scene.seed) }
    if let model = scene.satellites {
      satellites = SatelliteRun(model, random: SeededRandom(seed: scene.seed, stream: 32))
    }
    if let vehicle = scene.vehicle {
      base.lean = .zero
      motion = base
      body = StreetBody(
        vehicle, van: scene.van, mount: scene.mount, sensor: scene.sensor.arm,
        bandwidth: scene.instrument?.bandwidth ?? bandwidth,
        seed: scene.seed)
    }
  }

  /// Readings a second; where there is no sensor it moves at 10 Hz, or as often as fixes come: once a second at least, for a rare fix sees
  /// it on its way.
  private var rate: Double {
    guard hasSensor else { return max(1, min(10, 1 / max(scene.receiver?.every ?? 1, 0.001))) }
    return scene.sensor.hertz * (1 + (scene.instrument?.clockError ?? 0))
  }

  /// The buzzer beside the sensor sounds from now on, in place of what it did; no length is silence.
  ///
  /// - Parameter beat: When it is on; the board is late by some tens of milliseconds.
  public mutating func sound(for duration: Interval, beat: SoundBeat, at time: Instant) {
    guard duration > .zero else {
      buzzer?.end(at: time)
      return
    }
    buzzer = BuzzerTone(
      from: time, to: time + duration, beat: beat, late: scene.sensor.buzzerDelay, seed: scene.seed &+ UInt64(index))
  }

  /// Where the vehicle truly is since the last sample, and nothing when the scene has no receiver.
  package var truePosition: GeodeticPosition? { receiver?.position(east: ground.east, north: ground.north) }

  /// Displacement over ground, m.
  private var ground: (east: Double, north: Double) {
    (motion.east.value + glide.metres * nose.cos, motion.north.value + glide.metres * nose.sin)
  }

  private var hasSensor: Bool { scene.sensor.make != .none }
  private var end: Double { starts[starts.count - 1] }

  private static func instant(_ seconds: Double) -> Instant {
    Instant(microseconds: Elementary.roundedInteger(seconds * 1e6))
  }

  /// The next of all; nil when the scene is over.
  public mutating func next() -> StreetOutput? {
    while true {
      let rate = rate
      let sampleTime = Double(index) / rate
      let fixTime = receiver == nil ? .infinity : Double(fixIndex) * (scene.receiver?.every ?? 1) + 0.013
      let time = min(sampleTime, fixTime)
      if deed + 1 < scene.deeds.count, starts[deed + 1] <= time + 1e-9 {
        enter(deed + 1, rate: rate)
        return .begin(deed, StreetPlayer.instant(starts[deed]))
      }
      guard time < end - 1e-9 else { return nil }
      if sampleTime <= fixTime {
        index += 1
        move(at: sampleTime, rate: rate)
        if hasSensor, let sample = reading(at: sampleTime) { return .inertial(sample) }
      } else {
        fixIndex += 1
        let now = StreetPlayer.instant(fixTime)
        guard let fix = fix(at: now) else { continue }
        return .fix(fix)
      }
    }
  }

  private mutating func enter(_ number: Int, rate: Double) {
    if let act {
      base = base + act.lasting()
      baseGlide += act.lastingGlide
    }
    trouble.end()
    deed = number
    act = StreetAct(
      scene.deeds[number], standing: base, hertz: rate, bandwidth: bandwidth, random: &random)
    body?.begin(scene.deeds[number], at: starts[number])
  }

  private mutating func move(at time: Double, rate: Double) {
    var whole = base
    var effect = StreetEffect()
    if let next = act?.next() {
      effect = next
      whole = whole + next.motion
    }
    glide = (baseGlide + effect.glided, effect.glideSpeed)
    for place in layers.indices {
      if layers[place].act == nil, time >= layers[place].next {
        var deed = layers[place].background.deed
        if let every = layers[place].background.every {
          layers[place].next += every * random.uniform(0.6, 1.4)
          deed = deed.varied(amplitude: random.uniform(0.6, 1), frequency: random.uniform(0.9, 1.1))
        } else {
          deed.set("seconds", 2_592_000)
          layers[place].next = .infinity
        }
        layers[place].act = StreetAct(deed, standing: base, hertz: rate, bandwidth: bandwidth, random: &random)
      }
      guard let more = layers[place].act?.next() else { continue }
      whole = whole + more.motion
      effect.shakingRate += more.shakingRate
      effect.shakingForce += more.shakingForce
      if layers[place].act?.isOver == true { layers[place].act = nil }
    }
    motion = whole
    shaking = (effect.shakingRate, effect.shakingForce)
    guard body != nil else { return }
    // Of a body's ways only where they lead is drawn; how it shakes and leans on them follows.
    whole.lean = base.lean
    shaking = (.zero, .zero)
    guard let next = body?.advance(to: time, along: whole) else { return }
    felt = (next.rate, next.force)
    motion = next.motion
  }

  private var shaking = (rate: Vector3.zero, force: Vector3.zero)
  /// Of the accelerometer at the next reading, whose gyroscope sleeps: what was drawn before it came.
  private var forcedNoise: Vector3?

  private mutating func reading(at time: Double) -> InertialSample? {
    var sensed =
      body == nil
      ? motion.sensed(at: scene.sensor.arm) : (angularRate: felt.rate, specificForce: felt.force)
    sensed.angularRate += shaking.rate
    sensed.specificForce += shaking.force
    if let tone = buzzer?.next(at: StreetPlayer.instant(time), hertz: scene.sensor.hertz) {
      sensed.angularRate += BuzzerTone.axes * Float(tone * scene.sensor.buzzer.rate)
      sensed.specificForce += BuzzerTone.axes * Float(tone * scene.sensor.buzzer.force)
    }
    if scene.sensor.biasPerKelvin != 0 { sensed.angularRate += biasDirection * Float(drift(at: time)) }
    var sample: InertialSample
    if let noise = forcedNoise {
      forcedNoise = nil
      sample = sensor.read(at: StreetPlayer.instant(time), specificForce: sensed.specificForce, noise: noise)
    } else if instrument == nil {
      sample = sensor.read(
        at: StreetPlayer.instant(time), angularRate: sensed.angularRate, specificForce: sensed.specificForce)
    } else {
      let reading = instrument?.read(
        at: time, angularRate: sensed.angularRate, specificForce: sensed.specificForce)
      guard let reading else { return nil }
      sample = reading
    }
    if !scene.sensor.recordedNoise.isEmpty {
      // To and fro, so that the noise does not jump where it begins anew.
      let count = Int64(scene.sensor.recordedNoise.count)
      let place = index % (2 * count)
      let noise = scene.sensor.recordedNoise[Int(place < count ? place : 2 * count - 1 - place)]
      sample.angularRate = sample.angularRate.map { $0 + noise.angularRate }
      sample.specificForce = sample.specificForce.map { $0 + noise.specificForce }
    }
    if scene.sensor.parts == .accelerometer { sample.angularRate = nil }
    if scene.sensor.parts == .gyroscope { sample.specificForce = nil }
    guard deed >= 0 else { return sample }
    return trouble.pass(
      sample, scene.deeds[deed],
      range: (
        scene.instrument?.gyroscope.range ?? sensor.model.gyroscope.range,
        scene.instrument?.accelerometer.range ?? sensor.model.accelerometer.range
      ))
  }

  /// Error of the gyroscope by its temperature, rad/s.
  private func drift(at time: Double) -> Double {
    let warm = scene.sensor.warmUp.kelvin * (1 - Elementary.exp(-time / max(scene.sensor.warmUp.seconds, 1)))
    let day = scene.sensor.daySwing * Elementary.sin(2 * Double.pi * time / 86_400)
    return scene.sensor.biasPerKelvin * (warm + day)
  }

  private mutating func fix(at time: Instant) -> GNSSFix? {
    let isMissing = deed >= 0 && scene.deeds[deed].kind == .noFix
    if isMissing { return receiver?.missing(at: time) }
    let ground = ground
    let velocity = (
      east: motion.east.rate + glide.speed * nose.cos, north: motion.north.rate + glide.speed * nose.sin
    )
    if satellites != nil {
      let reckoned = satellites?.next(at: time.secondsDouble, every: scene.receiver?.every ?? 1, velocity: velocity)
      return receiver?.fix(at: time, east: ground.east, north: ground.north, velocity: velocity, reckoned: reckoned)
    }
    return receiver?.fix(at: time, east: ground.east, north: ground.north, velocity: velocity)
  }
}

// MARK: - Rest that is passed over

extension StreetPlayer {
  /// How much of the rest before its end is played all the same: more than a part's FIFO and reference hold.
  private static let played = 3.0

  /// Until when the vehicle stands and nothing can be felt but the sensor's noise; nil when more may be.
  ///
  /// - Parameter hertz: How often a part that sleeps looks.
  package func restsUntil(watchedAt hertz: Double) -> Instant? {
    guard hasSensor, scene.sensor.parts != .gyroscope, scene.sensor.recordedNoise.isEmpty, scene.backgrounds.isEmpty,
      scene.vehicle == nil, scene.instrument == nil, scene.satellites == nil, deed >= 0,
      scene.deeds[deed].kind == .stand, act?.hasBegun ?? false,
      buzzer?.isOver(at: StreetPlayer.instant(Double(index) / rate)) ?? true
    else { return nil }
    // It looks at every reading of so many.
    let stride = scene.sensor.hertz / hertz
    guard stride >= 1, stride == Elementary.floor(stride) else { return nil }
    return StreetPlayer.instant(starts[deed + 1])
  }

  /// Bounds of the noise within which a part that sleeps notices nothing for so long.
  package func quietNoise(for engine: WakeEngine, lasting time: Interval) -> QuietNoise? {
    guard let watched = engine.watched else { return nil }
    return sensor.quietNoise(
      of: motion.sensed(at: scene.sensor.arm).specificForce, reference: watched.reference,
      threshold: watched.threshold, over: Int(time.secondsDouble * rate) + 1)
  }

  /// When a fix comes, or would come: the next one, and so many behind it; nil without a receiver.
  package func fixTime(after count: Int64) -> Instant? {
    guard receiver != nil else { return nil }
    return StreetPlayer.instant(fixSeconds(fixIndex + count))
  }

  private func fixSeconds(_ number: Int64) -> Double { Double(number) * (scene.receiver?.every ?? 1) + 0.013 }

  /// Passes over a rest, up to an instant: the sensor's biases and the receiver's errors move on, and what a part that sleeps has in its
  /// FIFO is what it would have.
  ///
  /// - Parameters:
  ///   - time: Not later than `restsUntil`; what comes at that instant comes next.
  ///   - quiet: Noise within its bounds is drawn for the readings that are played.
  ///   - isBeyond: Whether the first reading from that instant on has noise beyond the bounds.
  /// - Returns: The last reading that was played.
  package mutating func rest(
    until time: Instant, quiet: QuietNoise, isBeyond: Bool, into engine: inout WakeEngine
  ) -> InertialSample? {
    let rate = rate
    let end = time.secondsDouble - 1e-9
    let first = Int64(Elementary.floor((end - StreetPlayer.played) * rate))
    if first > index {
      pass(over: Int(first - index))
      engine.pass(over: StreetPlayer.instant(Double(index - 1) / rate))
    }
    var last: InertialSample?
    let force = motion.sensed(at: scene.sensor.arm).specificForce
    while Double(index) / rate < end {
      let now = StreetPlayer.instant(Double(index) / rate)
      if now >= engine.due(after: 0) {
        index += 1
        act?.pass(over: 1)
        let noise = sensor.noise(quiet, isBeyond: false)
        let reading = sensor.read(at: now, specificForce: force, noise: noise)
        engine.rest(reading)
        last = reading
      } else {
        pass(over: 1)
      }
    }
    while receiver != nil, fixSeconds(fixIndex) < end {
      fixIndex += 1
      receiver?.advance()
    }
    if isBeyond { forcedNoise = sensor.noise(quiet, isBeyond: true) }
    return last
  }

  private mutating func pass(over count: Int) {
    index += Int64(count)
    act?.pass(over: count)
    sensor.pass(over: count)
  }
}

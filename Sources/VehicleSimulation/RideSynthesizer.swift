import Quantities

/// Accelerometer and gyroscope of a bicycle that rides along a recorded GNSS track.
///
/// Put fixes in with `receive`, end with `finish`, take samples out with `next` until it gives nil. Memory is constant;
/// samples lag the fixes by at most four fixes. Every part is described in `docs/ride-model.md`.
public struct RideSynthesizer: Sendable {
  /// No turn is quicker, rad/s.
  static let maximumYawRate = 2.5
  /// No tyre holds more, rad.
  static let maximumLean = 0.9
  /// Samples per second.
  public let hertz: Int

  private var curve = TrackCurve()
  /// The stretch the samples are on; void before the first.
  private var segment = TrackSegment.none
  private var hasSegment = false
  private var clockOrigin: Instant?
  private var sampleIndex: Int64 = 0
  private var isComplete = false
  private var hadSegment = false
  private var hasDirection = false
  private var balance = FollowedAngle(frequency: 6)
  private var roadSlope = FollowedAngle(frequency: 3)
  private var riderLean = 0.0
  /// Cosine and sine of the yaw.
  private var noseEast = 1.0
  private var noseNorth = 0.0
  private var rider: RiderMotion
  private var road: RoadVibration
  private(set) var sensor: SimulatedSensor
  /// The true motion at the latest sample, without vibration.
  public private(set) var motion = BodyMotion()

  /// A ride of its own for each seed.
  ///
  /// - Parameters:
  ///   - seed: Of all noise.
  ///   - hertz: Samples per second, 1 to 1000.
  ///   - model: The sensor and how it is mounted.
  public init(seed: UInt64, hertz: Int = 100, sensor model: SensorModel = .seatTubeMPU6050) {
    self.hertz = min(max(hertz, 1), 1000)
    var rated = model
    rated.hertz = self.hertz
    sensor = SimulatedSensor(rated, seed: seed)
    rider = RiderMotion(seed: seed, hertz: self.hertz)
    road = RoadVibration(seed: seed, hertz: self.hertz)
  }

  /// Takes the next fix of the track.
  public mutating func receive(_ fix: GNSSFix) { curve.append(fix) }

  /// No more fixes come: the rest of the samples, up to the last fix, can be taken.
  public mutating func finish() {
    isComplete = true
    curve.finish()
  }

  /// Time of the next sample, when one is due; nil before the first fix.
  var nextTime: Instant? {
    guard let origin = clockOrigin ?? curve.clockOrigin else { return nil }
    return origin + Interval(microseconds: RideSynthesizer.offset(of: sampleIndex, hertz: hertz))
  }

  /// First time of the samples' clock after the last fix; to be asked when finished.
  var endOfRide: Instant? {
    guard let origin = curve.clockOrigin, let last = curve.lastTime else { return nil }
    let elapsed = (last - origin).microseconds
    let index = elapsed / 1_000_000 * Int64(hertz) + elapsed % 1_000_000 * Int64(hertz) / 1_000_000
    var time = origin + Interval(microseconds: RideSynthesizer.offset(of: index, hertz: hertz))
    var next = index
    while time <= last, next < index + 3 {
      next += 1
      time = origin + Interval(microseconds: RideSynthesizer.offset(of: next, hertz: hertz))
    }
    return time
  }

  /// Speed at the last fix, m/s.
  var finalSpeed: Double { curve.finalSpeed }

  static func offset(of index: Int64, hertz: Int) -> Int64 {
    let rate = Int64(hertz)
    return index / rate * 1_000_000 + index % rate * 1_000_000 / rate
  }

  /// The next sample in the sensor frame, or nil when more fixes are needed or all is done.
  public mutating func next() -> InertialSample? {
    while true {
      guard let time = nextTime else { return nil }
      if hasSegment, time <= segment.end { return sample(at: time) }
      guard advance() else { return nil }
    }
  }

  private mutating func advance() -> Bool {
    if let next = curve.nextSegment() {
      if clockOrigin == nil { clockOrigin = next.start }
      if next.kind == .void {
        clockOrigin = next.end
        sampleIndex = 0
        hasSegment = false
      } else {
        segment = next
        hasSegment = true
        hadSegment = true
        pointAlong(next)
      }
      return true
    }
    guard isComplete, !hadSegment, let only = curve.segmentOfSingleFix() else { return false }
    hadSegment = true
    hasSegment = true
    clockOrigin = only.start
    segment = only
    return true
  }

  /// The first stretch on the way tells where the nose has pointed all along.
  private mutating func pointAlong(_ next: TrackSegment) {
    guard !hasDirection, next.kind == .moving else { return }
    let s = (next.end - next.start).secondsDouble
    let east = next.east.value(s) - next.east.c0
    let north = next.north.value(s) - next.north.c0
    guard east * east + north * north > 0.25 else { return }
    motion.yaw = Elementary.atan2(north, east)
    let nose = Elementary.sincos(motion.yaw)
    noseEast = nose.cos
    noseNorth = nose.sin
    hasDirection = true
  }

  private mutating func sample(at time: Instant) -> InertialSample {
    sampleIndex += 1
    move(at: (time - segment.start).secondsDouble)
    var sensed = motion.sensed
    if motion.speed >= TrackCurve.standingSpeed {
      let shaking = road.next(speed: motion.speed)
      sensed.angularRate += shaking.rate
      sensed.specificForce += shaking.force
    }
    return sensor.read(at: time, angularRate: sensed.angularRate, specificForce: sensed.specificForce)
  }

  private mutating func move(at s: Double) {
    let period = 1 / Double(hertz)
    var ve = 0.0
    var vn = 0.0
    var vu = 0.0
    var ae = 0.0
    var an = 0.0
    var au = 0.0
    if segment.kind == .moving {
      ve = segment.east.velocity(s)
      vn = segment.north.velocity(s)
      vu = segment.up.velocity(s)
      ae = held(segment.east.acceleration(s))
      an = held(segment.north.acceleration(s))
      au = held(segment.up.acceleration(s))
    }
    let speedSquared = ve * ve + vn * vn
    let speed = speedSquared.squareRoot()
    motion.speed = speed
    motion.yawRate = 0
    if speed > 0.5 {
      // The sine of the angle to the course steers as well as the angle; behind the shoulder the turn is full.
      let along = ve * noseEast + vn * noseNorth
      let across = vn * noseEast - ve * noseNorth
      let error = along > 0 ? across / speed : (across < 0 ? -1.0 : 1.0)
      let courseRate = (ve * an - vn * ae) / speedSquared
      // Near a stop the course of the track is mostly noise.
      let trust = min(speed - 0.5, 1)
      let wanted = trust * (courseRate + 4 * error)
      motion.yawRate = min(max(wanted, -RideSynthesizer.maximumYawRate), RideSynthesizer.maximumYawRate)
    }
    motion.yaw += motion.yawRate * period
    if motion.yaw > .pi { motion.yaw -= 2 * .pi }
    if motion.yaw < -.pi { motion.yaw += 2 * .pi }
    let nose = Elementary.sincos(Float(motion.yaw))
    noseEast = Double(nose.cos)
    noseNorth = Double(nose.sin)
    motion.forwardAcceleration = ae * noseEast + an * noseNorth
    motion.leftAcceleration = an * noseEast - ae * noseNorth
    motion.upAcceleration = au

    let lean = -Double(Elementary.atan2(Float(motion.leftAcceleration), Float(BodyMotion.gravity)))
    balance.follow(min(max(lean, -RideSynthesizer.maximumLean), RideSynthesizer.maximumLean), period: period)
    if speed > 1 {
      let rise = min(max(vu / speed, -0.42), 0.42)
      // The arc tangent by its series: within 0.0004 up to here.
      let square = rise * rise
      roadSlope.follow(rise * (1 - square * (1.0 / 3 - square * (1.0 / 5 - square / 7))), period: period)
    } else {
      roadSlope.follow(roadSlope.value, period: period)
    }
    let added = rider.next(speed: speed, slope: roadSlope.value, acceleration: motion.forwardAcceleration)
    motion.forwardAcceleration += Double(added.forward)
    motion.lean = balance.value + Double(added.lean)
    motion.leanRate = balance.rate + (Double(added.lean) - riderLean) / period
    riderLean = Double(added.lean)
    motion.slope = roadSlope.value
    motion.slopeRate = roadSlope.rate
  }

  /// Keeps an acceleration (m/s²) within what a `Float` and a sensor's range can tell apart.
  private func held(_ acceleration: Double) -> Double { min(max(acceleration, -500), 500) }
}

/// An angle that follows a target without overshoot and without a jump of itself or its rate.
///
/// - Source: our derivation; a critically damped oscillator by semi-implicit Euler, so that the sum of the rates times the
///   period is exactly the angle.
struct FollowedAngle: Sendable {
  private let frequency: Double
  /// The angle, rad.
  var value = 0.0
  /// Its rate, rad/s.
  private(set) var rate = 0.0

  /// Follows within about 3 / `frequency` seconds (rad/s).
  init(frequency: Double) { self.frequency = frequency }

  mutating func follow(_ target: Double, period: Double) {
    // At few samples per second a stiff oscillator would explode.
    let stiffness = min(frequency, 0.5 / period)
    rate += (stiffness * stiffness * (target - value) - 2 * stiffness * rate) * period
    value += rate * period
  }
}

public import Quantities

/// Finds how a sensor is mounted from a ride: where up and forward lie in its frame.
///
/// Up is the mean specific force of the ride. Forward has three witnesses, each a comparison of means over about a second:
/// - speeding up and braking: the change of speed is felt along forward;
/// - cornering: speed times yaw rate is felt to the left, in a vehicle that does not lean;
/// - lean: a two-wheeler rolls about forward by what balances speed times yaw rate.
///
/// A car does not lean and a bicycle feels nothing to its left, so cornering and lean take part only where what was felt is
/// about as large as expected. Every witness has an uncertainty from its own residuals; the result is their weighted mean,
/// and its uncertainty grows when they contradict each other. No attitude is needed, so that none of an attitude filter's
/// errors (it takes long turns for tilt) come in, and turning the sensor turns the answer.
///
/// Without a receiver only the turns count, with a speed that is assumed: cornering and lean point the right way at any
/// speed. A vehicle moved backwards, or one that never turns, can't be recognised without speed. Nor can anything be said of a
/// sensor that hangs loose, as on a collar: it has no mounting.
///
/// - Complexity: O(1) per sample and fix; no allocation.
public struct MountCalibration: BitwiseCopyable, Sendable {
  /// Tuning.
  public let parameters: MountParameters
  /// How often a new mounting was noticed and everything begun anew.
  public private(set) var remountCount: UInt32 = 0
  /// Samples that were not used: without specific force, not finite, or not later than the one before.
  public private(set) var rejectedSamples: UInt32 = 0
  /// True once a receiver has reported a speed: from then on only intervals with speed count.
  public private(set) var hasSpeed = false

  private var interval = MountInterval()
  private var intervalStart: Instant?
  private var lastSample: Instant?
  private var lastSpeed: Float?
  private var lastHeight: Float?
  private(set) var gravity = MountGravity()
  private(set) var acceleration = MountChannel()
  private(set) var cornering = MountChannel()
  private(set) var lean = MountChannel()
  /// Mean angular rate while standing, or while riding as long as it never stood, rad/s.
  private var rateBias = Vector3.zero
  private var rateBiasSeconds: Float = 0
  private var rateBiasIsFromRest = false
  private var leaning = MountLean()

  /// A calibration that has seen nothing.
  public init(parameters: MountParameters = MountParameters()) { self.parameters = parameters }

  /// Takes one sample in.
  ///
  /// - Parameter sample: Sensor frame; offset and scale of the accelerometer removed if they are known.
  public mutating func process(_ sample: InertialSample) {
    guard let force = sample.specificForce, force.isFinite, force.squaredLength < 1.6e7,
      sample.angularRate.map({ $0.isFinite && $0.squaredLength < 4e4 }) ?? true,
      lastSample.map({ sample.time > $0 }) ?? true
    else {
      rejectedSamples &+= 1
      return
    }
    if let last = lastSample, sample.time - last > .seconds(1) { interrupt() }
    lastSample = sample.time
    if intervalStart == nil { intervalStart = sample.time }
    if !hasSpeed, let start = intervalStart, (sample.time - start).seconds >= parameters.interval {
      closeWithoutSpeed(seconds: (sample.time - start).seconds)
      intervalStart = sample.time
    }
    interval.add(sample)
  }

  /// Takes one fix in, between the samples before and after it; its speed is used, and its height when it has one.
  public mutating func process(_ fix: GNSSFix) {
    guard let told = fix.speed, told >= 0, told < 200 else { return }
    if let accuracy = fix.horizontalAccuracy, !(accuracy <= Double(parameters.worstAccuracy)) { return }
    let speed = Float(told)
    let height = (fix.heightAboveSeaLevel ?? fix.heightAboveEllipsoid).flatMap { abs($0) < 1e5 ? Float($0) : nil }
    if !hasSpeed {
      // What was gathered with an assumed speed had no way to tell riding from shaking.
      restart()
      hasSpeed = true
    }
    guard let start = intervalStart, let before = lastSpeed else {
      return begin(at: fix.time, speed: speed, height: height)
    }
    let seconds = (fix.time - start).seconds
    guard seconds >= 0.95 * parameters.interval else { return }
    guard seconds <= 3 * parameters.interval, interval.isFilled else {
      interrupt()
      return begin(at: fix.time, speed: speed, height: height)
    }
    var climb: Float?
    if let height, let lastHeight { climb = height - lastHeight }
    close(seconds: seconds, from: before, to: speed, climb: climb)
    begin(at: fix.time, speed: speed, height: height)
  }

  private mutating func begin(at time: Instant, speed: Float, height: Float?) {
    interval.restart()
    intervalStart = time
    lastSpeed = speed
    lastHeight = height
  }

  /// What follows does not join on to what was.
  private mutating func interrupt() {
    interval = MountInterval()
    intervalStart = nil
    lastSpeed = nil
    lastHeight = nil
    leaning = MountLean()
    acceleration.interrupt()
    cornering.interrupt()
    lean.interrupt()
  }

  /// Forgets everything that was found.
  private mutating func restart() {
    interrupt()
    gravity = MountGravity()
    acceleration = MountChannel()
    cornering = MountChannel()
    lean = MountChannel()
  }

  private mutating func close(seconds: Float, from before: Float, to after: Float, climb: Float?) {
    let speed = (before + after) * 0.5
    guard speed >= parameters.minimumSpeed else {
      if speed < 0.5, interval.rate.variance < 0.03 * 0.03 { learnBias(seconds: seconds, atRest: true) }
      breakOff()
      return
    }
    // No road is steeper than a quarter; a height that jumps is.
    let slope = climb.map { min(max($0 / (speed * seconds), -0.25), 0.25) }
    take(speed: speed, acceleration: (after - before) / seconds, slope: slope, seconds: seconds)
  }

  private mutating func closeWithoutSpeed(seconds: Float) {
    defer { interval.restart() }
    let scatter = parameters.ridingScatter
    guard interval.isFilled, interval.force.variance >= scatter * scatter else {
      if interval.rate.variance < 0.03 * 0.03 { learnBias(seconds: seconds, atRest: true) }
      breakOff()
      return
    }
    take(speed: parameters.assumedSpeed, acceleration: nil, slope: nil, seconds: seconds)
  }

  private mutating func breakOff() {
    leaning = MountLean()
    acceleration.interrupt()
    cornering.interrupt()
    lean.interrupt()
  }

  private mutating func learnBias(seconds: Float, atRest: Bool) {
    guard interval.hasRate, atRest || !rateBiasIsFromRest else { return }
    if atRest, !rateBiasIsFromRest {
      rateBiasIsFromRest = true
      rateBiasSeconds = 0
    }
    rateBiasSeconds = min(rateBiasSeconds + seconds, atRest ? 30 : parameters.memory)
    rateBias += (interval.rate.mean - rateBias) * (seconds / rateBiasSeconds)
  }

  private mutating func take(speed: Float, acceleration forward: Float?, slope: Float?, seconds: Float) {
    let force = interval.force.mean
    gravity.add(
      force, acceleration: forward ?? 0, slope: slope, seconds: seconds, memory: parameters.memory)
    learnBias(seconds: seconds, atRest: false)
    if let tilt = gravity.recentTilt, tilt > parameters.remountTilt { return startAnew() }
    // The first seconds are needed to know the vertical.
    guard gravity.seconds >= 10, let up = gravity.mean.normalized else { return }
    let level = force - up * force.dot(up)
    if let forward { acceleration.add(x: forward, y: level, seconds: seconds, parameters) }
    guard interval.hasRate else { return }
    let rate = interval.rate.mean - rateBias
    let lateral = speed * rate.dot(up)
    cornering.add(x: lateral, y: level, seconds: seconds, parameters)
    let balance = -Elementary.atan2(lateral, gravity.mean.length)
    let levelRate = rate - up * rate.dot(up)
    if let pair = leaning.add(
      balance: balance, rate: levelRate, seconds: seconds, timeConstant: parameters.highPass)
    {
      lean.add(x: pair.expected, y: pair.felt, seconds: seconds, parameters)
    }
    if hasTurnedRound { startAnew() }
  }

  private mutating func startAnew() {
    remountCount &+= 1
    restart()
  }

  /// Whether a witness puts forward clearly elsewhere than it did before: more than 60° away, by three standard deviations.
  private var hasTurnedRound: Bool {
    isElsewhere(acceleration, MountGains.acceleration) || isElsewhere(cornering, MountGains.cornering(hasSpeed))
      || isElsewhere(lean, MountGains.lean(hasSpeed))
  }

  private func isElsewhere(_ channel: MountChannel, _ gains: MountGains) -> Bool {
    guard let drift = channel.drift, gains.contains(drift.before), drift.since > 0.5 * drift.before else {
      return false
    }
    return drift.deviation < 0.35 && drift.angle > 1.05 + 3 * drift.deviation
  }
}

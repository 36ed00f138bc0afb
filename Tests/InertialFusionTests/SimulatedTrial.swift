import FusionEvaluation
import InertialFusion
import Quantities
import VehicleSimulation

/// A laboratory trial out of `VehicleSimulation`'s sensor: what recorded trials show, where there are no recordings, and with
/// the truth known in every sample.
///
/// All of it is arithmetic of this package, so the same seed gives the same bits on every machine.
struct SimulatedTrial: Sendable {
  /// A stretch of the trial.
  struct Phase: Sendable {
    var seconds: Double
    /// How fast it turns: 1 is about 130 °/s; 0 not at all.
    var turning = 0.0
    /// How strongly it is shaken: 1 is about 3 m/s².
    var shaking = 0.0
    /// An even turn about one axis of the body, rad/s, that begins and ends at once.
    var evenTurn = Vector3.zero
    /// A field that does not turn with the sensor, µT, earth frame.
    var disturbance = Vector3.zero

    static func rest(_ seconds: Double) -> Phase { Phase(seconds: seconds) }
    static func tumble(_ seconds: Double) -> Phase { Phase(seconds: seconds, turning: 1, shaking: 1) }

    var isMoving: Bool { turning != 0 || shaking != 0 || evenTurn != .zero }
  }

  /// What is wrong with the sensor.
  struct Sensor: Sendable {
    var hertz = 100
    var bias = Vector3(0.02, -0.03, 0.01)
    /// Added to the bias from a time on, rad/s.
    var biasStep = Vector3.zero
    var biasStepAt = Double.infinity
    var gain = Vector3(1, 1, 1)
    var rateNoise: Float = 0.002
    var forceNoise: Float = 0.03
    var fieldNoise: Float = 0.3
    /// Steps of the converter, rad/s and m/s²; 0 for none.
    var rateStep: Float = 0
    var forceStep: Float = 0
    /// End of the gyroscope's range, rad/s.
    var range: Float = 35
    /// How late the gyroscope is, s.
    var latency = 0.0
    /// The field that turns with the sensor, µT.
    var hardIron = Vector3.zero
    /// The earth's field, ENU, µT.
    var field = Vector3(0, 18, -44)
    /// Only every so manieth sample has a field; 0 for none at all.
    var fieldEvery = 1
  }

  var samples: [InertialSample] = []
  /// Earth (east, north, up) from body at each sample.
  var truth: [Quaternion] = []
  var isMoving: [Bool] = []
  let hertz: Int

  init(seed: UInt64, start: Quaternion = .identity, sensor: Sensor = Sensor(), phases: [Phase]) {
    hertz = sensor.hertz
    var model = SensorModel.ideal
    model.noiseBandwidthHertz = 1
    model.hertz = sensor.hertz
    model.gyroscope = SensorModel.Triad(
      bias: .zero, biasWalk: 0, noiseDensity: Vector3(1, 1, 1) * sensor.rateNoise, resolution: sensor.rateStep,
      range: sensor.range)
    model.accelerometer = SensorModel.Triad(
      bias: .zero, biasWalk: 0, noiseDensity: Vector3(1, 1, 1) * sensor.forceNoise, resolution: sensor.forceStep,
      range: 160)
    var device = VehicleSimulation.SimulatedSensor(model, seed: seed)
    var random = VehicleSimulation.SeededRandom(seed: seed, stream: 9)
    var q = PreciseQuaternion(start)
    var begin = 0.0
    var index = 0
    let steps = 3
    let step = 1 / (Double(sensor.hertz) * Double(steps))
    for phase in phases {
      let end = begin + phase.seconds
      while Double(index + 1) / Double(sensor.hertz) <= end + 1e-9 {
        let time = Double(index) / Double(sensor.hertz)
        var rateSum = Vector3.zero
        var forceSum = Vector3.zero
        for place in 0..<(phase.isMoving ? steps : 1) {
          let middle = time + (Double(place) + 0.5) * step - begin
          let rate = SimulatedTrial.rate(phase, at: middle)
          if phase.isMoving { q = (q * SimulatedTrial.turn(rate * Float(step))).normalized }
          rateSum +=
            sensor.latency == 0 ? rate : SimulatedTrial.rate(phase, at: middle - sensor.latency)
          forceSum += Quaternion(q).conjugate.rotate(
            SimulatedTrial.acceleration(phase, at: middle) + Vector3(0, 0, 9.80665))
        }
        let share: Float = phase.isMoving ? 1 / Float(steps) : 1
        index += 1
        let now = Double(index) / Double(sensor.hertz)
        let mean = rateSum * share
        let bias = sensor.bias + (now > sensor.biasStepAt ? sensor.biasStep : .zero)
        let measured =
          Vector3(mean.x * sensor.gain.x, mean.y * sensor.gain.y, mean.z * sensor.gain.z) + bias
        let stamp = Instant(microseconds: Int64(index) * 1_000_000 / Int64(sensor.hertz))
        var sample = device.read(at: stamp, angularRate: measured, specificForce: forceSum * share)
        if sensor.fieldEvery > 0, index % sensor.fieldEvery == 0 {
          func noise() -> Float { Float(random.gaussian()) * sensor.fieldNoise }
          sample.magneticFluxDensity =
            Quaternion(q).conjugate.rotate(sensor.field + phase.disturbance) + sensor.hardIron
            + Vector3(noise(), noise(), noise())
        }
        samples.append(sample)
        truth.append(Quaternion(q))
        // The first and the last instants of a movement are too faint for anybody.
        isMoving.append(phase.isMoving && (phase.evenTurn != .zero || min(now - begin, end - now) > 0.15))
      }
      begin = end
    }
  }

  /// Rises from 0 to 1 and falls again within half a second at both ends.
  private static func envelope(_ phase: Phase, at s: Double) -> Float {
    let x = Float(min(max(min(s, phase.seconds - s) * 2, 0), 1))
    return x * x * (3 - 2 * x)
  }

  private static func rate(_ phase: Phase, at s: Double) -> Vector3 {
    guard phase.turning != 0 else { return phase.evenTurn }
    let t = Float(s)
    return Vector3(2 * Elementary.sin(2.1 * t), 1.5 * Elementary.sin(3.3 * t + 1), 1.2 * Elementary.sin(1.3 * t + 2))
      * (Float(phase.turning) * envelope(phase, at: s)) + phase.evenTurn
  }

  private static func acceleration(_ phase: Phase, at s: Double) -> Vector3 {
    guard phase.shaking != 0 else { return .zero }
    let t = Float(s)
    return Vector3(3 * Elementary.sin(5 * t), 2 * Elementary.cos(4 * t), 2 * Elementary.sin(7 * t))
      * (Float(phase.shaking) * envelope(phase, at: s))
  }

  private static func turn(_ v: Vector3) -> PreciseQuaternion {
    let angle = Double(v.squaredLength).squareRoot()
    let half = Elementary.sincos(angle / 2)
    let s = angle > 1e-9 ? half.sin / angle : 0.5
    return PreciseQuaternion(w: half.cos, x: s * Double(v.x), y: s * Double(v.y), z: s * Double(v.z))
  }
}

extension Quaternion {
  /// The same in single precision.
  init(_ q: PreciseQuaternion) { self.init(w: Float(q.w), x: Float(q.x), y: Float(q.y), z: Float(q.z)) }
}

/// How a filter did over a trial; degrees and degrees per second.
struct TrialOutcome {
  /// The whole error, the error but for one constant heading, and that of the vertical: root mean squares in movement.
  var total = 0.0
  var aligned = 0.0
  var inclination = 0.0
  /// Largest error of the vertical after the first second.
  var worstInclination: Float = 0
  /// Mean square of the errors over what the filter says of them: about one where it is honest.
  var tiltHonesty = 0.0
  var rest = RestScore()
  var bias: Float = 0
  var filter = AttitudeFilter()
}

extension AttitudeFilter {
  /// Runs over a trial and scores every other sample.
  static func outcome(
    of trial: SimulatedTrial, parameters: AttitudeParameters = .simulated, bias: Vector3 = .zero,
    aligns: Bool = false, change: (inout InertialSample, Int) -> Void = { _, _ in }
  ) -> TrialOutcome {
    var result = TrialOutcome()
    result.filter = AttitudeFilter(parameters: parameters)
    var earth: [PreciseQuaternion] = []
    var truth: [PreciseQuaternion] = []
    var moving: [Bool] = []
    var resting: [Bool] = []
    var honesty = (sum: 0.0, count: 0.0)
    for (place, original) in trial.samples.enumerated() {
      var sample = original
      change(&sample, place)
      result.filter.update(with: sample)
      resting.append(result.filter.isAtRest)
      guard place % 2 == 0, place > trial.hertz else { continue }
      let tilt = degreesOfTilt(result.filter.levelFromBody, trial.truth[place])
      result.worstInclination = max(result.worstInclination, tilt)
      if trial.isMoving[place] {
        let ratio = Double(tilt * .pi / 180 / result.filter.tiltUncertainty)
        honesty = (honesty.sum + ratio * ratio * 0.5, honesty.count + 1)
      }
      earth.append(PreciseQuaternion(result.filter.earthFromBody))
      truth.append(PreciseQuaternion(trial.truth[place]))
      moving.append(trial.isMoving[place])
    }
    let score = OrientationScore(estimates: earth, references: truth, isMoving: moving, alignment: aligns)
    (result.total, result.aligned, result.inclination) = (score.total, score.totalAligned, score.inclination)
    result.tiltHonesty = honesty.sum / max(honesty.count, 1)
    result.rest = RestScore(isResting: resting, isMoving: trial.isMoving, hertz: Double(trial.hertz))
    result.bias = (result.filter.gyroBias - bias).length * 180 / .pi
    return result
  }
}

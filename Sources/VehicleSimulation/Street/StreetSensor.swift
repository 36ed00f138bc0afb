public import Quantities

/// The inertial sensor of a street scene: make, mounting, place, temperature.
public struct StreetSensor: Sendable {
  /// Makes of sensors.
  public enum Make: String, CaseIterable, Sendable {
    /// As an MPU-6050 (`SensorModel.seatTubeMPU6050`).
    case mpu
    /// As a BMI270: a third of the noise.
    case quiet
    /// As a worn or cheap copy: three times the noise of `mpu`.
    case loud
    /// No inertial sensor.
    case none
  }

  /// How it sits.
  public enum Placement: String, CaseIterable, Sendable {
    /// Along the vehicle's axes.
    case upright
    /// On the seat tube, as in the recordings.
    case seatTube
    /// On its side.
    case side
    /// At an angle that the seed draws.
    case askew
  }

  /// Which parts of it work.
  public enum Parts: String, CaseIterable, Sendable {
    /// Accelerometer and gyroscope.
    case both
    /// No gyroscope.
    case accelerometer
    /// No accelerometer.
    case gyroscope
  }

  /// Make.
  public var make = Make.mpu
  /// Mounting.
  public var mounting = Placement.upright
  /// Parts.
  public var parts = Parts.both
  /// Samples per second.
  public var hertz = 50.0
  /// From where the wheel stands, body frame, m.
  public var arm = (x: -0.15, y: 0.03, z: 0.55)
  /// Change of the gyroscope's bias with temperature, rad/s per K.
  public var biasPerKelvin = 0.0
  /// True where years may pass: the biases wander no farther than seasons take those of such a part, below.
  package var isForYears = false
  /// Warm-up after switching on, K, and its time constant, s.
  public var warmUp = (kelvin: 15.0, seconds: 900.0)
  /// Half of the difference between day and night, K.
  public var daySwing = 10.0
  /// What a real sensor at rest showed about its mean, taken instead of the model's noise; empty for the model's.
  public var recordedNoise: [(angularRate: Vector3, specificForce: Vector3)] = []

  /// What a buzzer beside it makes it read while it sounds, m/s² and rad/s per axis (rms).
  public var buzzer = (force: 0.8, rate: 0.01)
  /// How late at most the board switches it, s.
  package var buzzerDelay = 0.04

  /// An MPU-like one.
  public init() {}

  /// The parameters of the make at the mounting.
  func model(random: inout SeededRandom) -> SensorModel {
    var model = SensorModel.seatTubeMPU6050
    model.hertz = Int(min(max(hertz, 1), 1000))
    switch make {
    case .mpu, .none: break
    case .quiet:
      model.gyroscope = SensorModel.Triad(
        bias: Vector3(0.006, -0.004, 0.008), biasWalk: 5e-6, noiseDensity: Vector3(1.2e-4, 1.2e-4, 1.2e-4),
        resolution: 1.33e-4, range: 8.7266)
      model.accelerometer = SensorModel.Triad(
        bias: Vector3(0.05, 0.08, -0.06), biasWalk: 1e-4, noiseDensity: Vector3(1.6e-3, 1.6e-3, 1.9e-3),
        resolution: 1.2e-3, range: 78.4532)
    case .loud:
      model.gyroscope.noiseDensity = model.gyroscope.noiseDensity * 3
      model.accelerometer.noiseDensity = model.accelerometer.noiseDensity * 3
    }
    if isForYears {
      // 15 K by the coefficients of the families: [mpu6050-ps] 0.16 °/s and 0.5 mg a kelvin, [bmi270] 0.02 °/s and 0.25 mg.
      model.gyroscope.biasReach = make == .quiet ? 0.005 : 0.04
      model.accelerometer.biasReach = make == .quiet ? 0.037 : 0.075
    }
    if !recordedNoise.isEmpty {
      model.gyroscope.noiseDensity = .zero
      model.accelerometer.noiseDensity = .zero
      model.gyroscope.biasWalk = 0
      model.accelerometer.biasWalk = 0
    }
    switch mounting {
    case .upright: model.bodyFromSensor = .identity
    case .seatTube: break
    case .side: model.bodyFromSensor = Quaternion(rotationVector: Vector3(Float.pi / 2, 0, 0))
    case .askew:
      let axis =
        Vector3(
          Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())
        ).normalized ?? Vector3(1, 0, 0)
      model.bodyFromSensor = Quaternion(rotationVector: axis * Float(random.uniform(0.4, 3)))
    }
    return model
  }
}

/// What a sensor that is in trouble makes of its readings.
struct StreetTrouble: Sendable {
  private var held: InertialSample?
  private var count = 0

  /// The sample as the sensor gives it; nil when it gives none.
  mutating func pass(_ sample: InertialSample, _ deed: StreetDeed, range: (rate: Float, force: Float))
    -> InertialSample?
  {
    var result = sample
    count += 1
    var axis: Int { Int(deed["axis"]) }
    switch deed.kind {
    case .notANumber:
      result.angularRate = result.angularRate.map { _ in Vector3(.nan, .nan, .nan) }
      result.specificForce = result.specificForce.map { _ in Vector3(.nan, .nan, .nan) }
    case .saturate:
      result.angularRate = result.angularRate.map { _ in Vector3(range.rate, -range.rate, range.rate) }
      result.specificForce = result.specificForce.map { _ in Vector3(range.force, -range.force, range.force) }
    case .stickAxis:
      let before = held ?? sample
      result.angularRate = StreetTrouble.stuck(sample.angularRate, at: before.angularRate, axis: axis)
      result.specificForce = StreetTrouble.stuck(sample.specificForce, at: before.specificForce, axis: axis + 2)
      held = before
    case .axisAtEnd:
      let end = Vector3(range.rate, range.rate, range.rate)
      result.angularRate = StreetTrouble.stuck(sample.angularRate, at: end, axis: axis)
    case .stick:
      let before = held ?? sample
      result.angularRate = before.angularRate
      result.specificForce = before.specificForce
      held = before
    case .swapAxes:
      result.angularRate = result.angularRate.map { StreetTrouble.swapped($0, axis) }
      result.specificForce = result.specificForce.map { StreetTrouble.swapped($0, axis) }
    case .halfRate: return count & 1 == 0 ? nil : sample
    case .gap: return nil
    case .timeBack: result.time = sample.time + .seconds(-5)
    default: return sample
    }
    return result
  }

  /// A reading of which one axis is that of another.
  private static func stuck(_ reading: Vector3?, at held: Vector3?, axis: Int) -> Vector3? {
    guard var result = reading, let held else { return reading }
    switch axis % 3 {
    case 0: result.x = held.x
    case 1: result.y = held.y
    default: result.z = held.z
    }
    return result
  }

  private static func swapped(_ value: Vector3, _ axis: Int) -> Vector3 {
    switch axis {
    case 0: return Vector3(value.y, value.x, value.z)
    case 1: return Vector3(value.x, value.z, value.y)
    default: return Vector3(value.z, value.y, value.x)
    }
  }

  /// Forgets what was held.
  mutating func end() { self = StreetTrouble() }
}

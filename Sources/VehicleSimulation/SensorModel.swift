import Quantities

/// What a low-cost inertial sensor does to the truth: parameters only, see `SimulatedSensor` for the state.
///
/// The standard values are those of an MPU-6050 on a bicycle's seat tube. They were set against two recordings of parked
/// bicycles and boards (`docs/ride-model.md` has the table): `bike_still_15min` (two sensors, 25 Hz, 16 min) and
/// `still_mpu6050_11min` (99 Hz, 11 min).
public struct SensorModel: Sendable, Equatable {
  /// One triad of the sensor; the unit is rad/s for the gyroscope and m/s² for the accelerometer.
  public struct Triad: Sendable, Equatable {
    /// Constant error per sensor axis at the start.
    public var bias: Vector3
    /// Random walk of the bias, unit/√s, the same on all axes.
    public var biasWalk: Float
    /// Standard deviation that the walk comes to in the end, unit: it is drawn back as strongly as keeps it there (Ornstein and Uhlenbeck).
    /// Infinite: it goes on for ever, as is right for hours.
    package var biasReach = Float.infinity
    /// White noise per sensor axis, one-sided density, unit/√Hz.
    public var noiseDensity: Vector3
    /// Step of the converter, unit.
    public var resolution: Float
    /// The reading saturates at plus and minus this, unit.
    public var range: Float

    /// A triad of the five parameters.
    public init(bias: Vector3, biasWalk: Float, noiseDensity: Vector3, resolution: Float, range: Float) {
      self.bias = bias
      self.biasWalk = biasWalk
      self.noiseDensity = noiseDensity
      self.resolution = resolution
      self.range = range
    }
  }

  /// Angular rate, rad/s.
  public var gyroscope: Triad
  /// Specific force, m/s².
  public var accelerometer: Triad
  /// Noise bandwidth of the sensor's own filter, Hz. A reading's noise has standard deviation density · √bandwidth at any
  /// sampling rate: these sensors don't filter for the rate at which they are read, the rest folds back.
  public var noiseBandwidthHertz: Float
  /// Takes a vector of the sensor's axes to the bicycle's (x forward, y left, z up).
  public var bodyFromSensor: Quaternion
  /// Readings per second, 1 to 1000.
  public var hertz: Int

  /// A sensor of the given parts.
  public init(
    gyroscope: Triad, accelerometer: Triad, noiseBandwidthHertz: Float, bodyFromSensor: Quaternion, hertz: Int
  ) {
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.noiseBandwidthHertz = noiseBandwidthHertz
    self.bodyFromSensor = bodyFromSensor
    self.hertz = hertz
  }

  /// An MPU-6050 at ±8 g and ±500 °/s on the seat tube of a bicycle, read at 100 Hz.
  ///
  /// - Accelerometer noise: the data sheet's 400 µg/√Hz in 60 Hz is 0.030 m/s² a reading; recorded on x and y 0.030 to
  ///   0.039 (bike, both sensors) and 0.031 (board), on z 0.047 to 0.052 and 0.049: z has 1.56 times the density.
  /// - Gyroscope noise 0.0028 rad/s a reading; recorded 0.0037 on the bike's first sensor (its other axes are hidden by
  ///   the file's steps of 0.01), 0.0067 on its second, 0.0016 to 0.0022 on the board.
  /// - Gyroscope bias: what the bike's first sensor shows (−0.080, −0.010, −0.008 rad/s).
  /// - Accelerometer bias: the bike's second sensor reads 9.55 and the board 10.17 at rest, an error of 0.3; ours is
  ///   (0.10, −0.08, 0.12), within the ±50 and ±80 mg of the data sheet. A single pose can't tell bias from tilt.
  /// - Walk: in 15 min the bike's gyroscopes moved 0.0001 to 0.005 rad/s and its accelerometers 0.004 to 0.07 m/s²; ours
  ///   moves 0.001 rad/s and 0.015 m/s² (one standard deviation).
  /// - Steps: 1/4096 g (that is the 0.00239 m/s² found in the board's file) and 1/65.5 °/s (data sheet).
  /// - Mounting: as recorded: x left, y up along the tube 16.5° back from vertical, z forward and up.
  public static let seatTubeMPU6050 = SensorModel(
    gyroscope: Triad(
      bias: Vector3(-0.080, -0.010, -0.008), biasWalk: 3e-5,
      noiseDensity: Vector3(3.6e-4, 3.6e-4, 3.6e-4), resolution: 2.6646e-4, range: 8.7266),
    accelerometer: Triad(
      bias: Vector3(0.10, -0.08, 0.12), biasWalk: 5e-4,
      noiseDensity: Vector3(3.9e-3, 3.9e-3, 6.1e-3), resolution: 2.3942e-3, range: 78.4532),
    noiseBandwidthHertz: 60,
    bodyFromSensor: SensorModel.seatTube(backwardTilt: 16.5 * Double.pi / 180),
    hertz: 100)

  /// The same sensor without any error and along the bicycle's axes: for tests of the motion itself.
  public static let ideal = SensorModel(
    gyroscope: Triad(bias: .zero, biasWalk: 0, noiseDensity: .zero, resolution: 0, range: .greatestFiniteMagnitude),
    accelerometer: Triad(bias: .zero, biasWalk: 0, noiseDensity: .zero, resolution: 0, range: .greatestFiniteMagnitude),
    noiseBandwidthHertz: 60, bodyFromSensor: .identity, hertz: 100)

  /// Mounting on a seat tube whose top leans back by an angle (rad): x left, y up the tube, z forward and up.
  ///
  /// - Source: our derivation; the matrix with the columns (0, 1, 0), (−s, 0, c), (c, 0, s) as a quaternion.
  static func seatTube(backwardTilt angle: Double) -> Quaternion {
    let s = Elementary.sin(angle)
    let c = Elementary.cos(angle)
    let w = (1 + s).squareRoot() / 2
    let scale = 1 / (4 * w)
    return Quaternion(w: Float(w), x: Float(c * scale), y: Float(c * scale), z: Float((1 + s) * scale))
  }
}

/// A sensor at work: the drifting biases and the noise of a `SensorModel`.
public struct SimulatedSensor: Sendable {
  /// The parameters.
  public let model: SensorModel
  private var gyroscope: Triad
  private var accelerometer: Triad
  private let sensorFromBody: Quaternion
  private let walkPeriod: Int
  private var readingsToWalk: Int
  private var random: SeededRandom

  private struct Triad: Sendable {
    var bias: Vector3
    let origin: Vector3
    let deviation: Vector3
    let walk: Float
    let reach: Float
    /// Share of what the bias has gone that it keeps for a second.
    let kept: Double
    let resolution: Float
    let stepsPerUnit: Float
    let range: Float

    init(_ model: SensorModel.Triad, bandwidth: Float) {
      bias = model.bias
      origin = model.bias
      deviation = model.noiseDensity * (bandwidth > 0 ? bandwidth.squareRoot() : 0)
      walk = model.biasWalk
      reach = model.biasReach
      let share = Double(walk / reach)
      kept = share < 1 ? (1 - share * share).squareRoot() : 0
      resolution = model.resolution
      stepsPerUnit = model.resolution > 0 ? 1 / model.resolution : 0
      range = model.range
    }

    mutating func drift(_ random: inout SeededRandom) {
      if reach.isFinite { return drift(steps: 1, &random) }
      bias += Vector3(Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())) * walk
    }

    /// So many steps of the walk at once.
    mutating func drift(steps: Int, _ random: inout SeededRandom) {
      var size = walk * Float(Double(steps).squareRoot())
      if reach.isFinite {
        let kept = Elementary.exp(Double(steps) * Elementary.log(max(kept, 1e-9)))
        size = reach * Float((1 - kept * kept).squareRoot())
        bias = origin + (bias - origin) * Float(kept)
      }
      bias += Vector3(Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())) * size
    }

    /// A reading whose noise is given, in standard deviations.
    func reading(of truth: Vector3, noise: Vector3) -> Vector3 {
      Vector3(
        digit(truth.x + bias.x + deviation.x * noise.x), digit(truth.y + bias.y + deviation.y * noise.y),
        digit(truth.z + bias.z + deviation.z * noise.z))
    }

    func reading(of truth: Vector3, _ random: inout SeededRandom) -> Vector3 {
      Vector3(
        digit(truth.x + bias.x + deviation.x * Float(random.gaussian())),
        digit(truth.y + bias.y + deviation.y * Float(random.gaussian())),
        digit(truth.z + bias.z + deviation.z * Float(random.gaussian())))
    }

    /// Clipped to the range, then rounded to the converter's step. NaN reads as zero: a converter has no other digit.
    private func digit(_ value: Float) -> Float {
      guard value == value else { return 0 }
      let clipped = value > range ? range : (value < -range ? -range : value)
      guard resolution > 0 else { return clipped }
      let steps = clipped * stepsPerUnit
      guard steps > -1e9, steps < 1e9 else { return clipped }
      return Float(Int32(steps + (steps < 0 ? -0.5 : 0.5))) * resolution
    }
  }

  /// A sensor of the model with a seed of its own.
  public init(_ model: SensorModel, seed: UInt64) {
    self.model = model
    gyroscope = Triad(model.gyroscope, bandwidth: model.noiseBandwidthHertz)
    accelerometer = Triad(model.accelerometer, bandwidth: model.noiseBandwidthHertz)
    sensorFromBody = model.bodyFromSensor.normalized.conjugate
    walkPeriod = min(max(model.hertz, 1), 1000)
    readingsToWalk = walkPeriod
    random = SeededRandom(seed: seed, stream: 1)
  }

  /// What the sensor reads.
  ///
  /// - Parameters:
  ///   - time: When; only copied.
  ///   - angularRate: The truth in the body frame, rad/s.
  ///   - specificForce: The truth in the body frame, m/s².
  /// - Returns: A sample in the sensor frame.
  public mutating func read(at time: Instant, angularRate: Vector3, specificForce: Vector3) -> InertialSample {
    readingsToWalk -= 1
    if readingsToWalk <= 0 {
      // Once a second is often enough: a step of the walk is far below a step of the converter.
      readingsToWalk = walkPeriod
      gyroscope.drift(&random)
      accelerometer.drift(&random)
    }
    return InertialSample(
      time: time,
      angularRate: gyroscope.reading(of: sensorFromBody.rotate(angularRate), &random),
      specificForce: accelerometer.reading(of: sensorFromBody.rotate(specificForce), &random))
  }

  // MARK: Readings that nobody gets

  /// Passes over readings: the biases move on as far as they would have, in one step.
  mutating func pass(over count: Int) {
    guard count >= readingsToWalk else {
      readingsToWalk -= count
      return
    }
    let behind = count - readingsToWalk
    readingsToWalk = walkPeriod - behind % walkPeriod
    let steps = 1 + behind / walkPeriod
    gyroscope.drift(steps: steps, &random)
    accelerometer.drift(steps: steps, &random)
  }

  /// What the accelerometer reads, with its noise given in standard deviations.
  mutating func read(at time: Instant, specificForce: Vector3, noise: Vector3) -> InertialSample {
    pass(over: 1)
    return InertialSample(
      time: time, specificForce: accelerometer.reading(of: sensorFromBody.rotate(specificForce), noise: noise))
  }

  /// Draws noise beyond some bounds, or within them.
  mutating func noise(_ quiet: QuietNoise, isBeyond: Bool) -> Vector3 {
    isBeyond ? quiet.drawnBeyond(&random) : quiet.drawnWithin(&random)
  }

  /// Bounds of the accelerometer's noise within which no axis differs by a threshold from a reference.
  ///
  /// - Parameters:
  ///   - specificForce: The truth in the body frame, which stays.
  ///   - readings: So many of them; the bias walks on meanwhile, and leaves eight of its standard deviations in 10¹⁵ times.
  /// - Returns: Nil where they are too near.
  func quietNoise(
    of specificForce: Vector3, reference: Vector3, threshold: Float, over readings: Int
  ) -> QuietNoise? {
    let mean = sensorFromBody.rotate(specificForce) + accelerometer.bias
    let steps = 1 + Double(readings) / Double(walkPeriod)
    let reach =
      Double(threshold) - Double(accelerometer.resolution) - 8 * Double(accelerometer.walk) * steps.squareRoot()
    let offsets = [mean.x - reference.x, mean.y - reference.y, mean.z - reference.z].map(Double.init)
    let deviations = [accelerometer.deviation.x, accelerometer.deviation.y, accelerometer.deviation.z].map(Double.init)
    func bound(_ distance: Double, _ deviation: Double) -> Double {
      deviation > 0 ? distance / deviation : distance > 0 ? .infinity : -.infinity
    }
    return QuietNoise(
      low: zip(offsets, deviations).map { -bound(reach + $0, $1) },
      high: zip(offsets, deviations).map { bound(reach - $0, $1) })
  }
}

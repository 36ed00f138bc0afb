public import Quantities

/// Makes samples of the bytes of a WitMotion sensor in its standard mode.
///
/// An angular rate makes a sample with the specific force before it, as the sensor sends them in this order at each of its
/// measurements. Frames are dated by arrival, smoothed as `FrameClock` says; the first second teaches it the rate, and no samples are
/// given in it.
public struct WitMotionStream: BitwiseCopyable {
  private var frames = WitMotionFrames()
  private var arrivals = FrameClock()
  private var force: Vector3?
  private var field: Vector3?
  private let microteslaPerStep: Float?

  /// A stream that begins.
  ///
  /// - Parameter microteslaPerStep: What a step of the model's magnetometer is, where its manual says so; nil leaves it out.
  public init(microteslaPerStep: Float? = nil) { self.microteslaPerStep = microteslaPerStep }

  /// Bytes that belonged to no frame.
  public var junkCount: UInt32 { frames.junkCount }

  /// Samples per second; nil while that is being learnt.
  public var hertz: Double? { arrivals.hertz }

  /// The ends of the numbers in its frames; how its low-pass delays them is unknown.
  public static var description: SensorDescription {
    var result = SensorDescription()
    result.specificForceRange = Float(WitMotionFrames.specificForceEnd * 32767 / 32768)
    result.angularRateRange = Float(WitMotionFrames.angularRateEnd * 32767 / 32768)
    return result
  }

  /// Takes a byte; the sample that it completes.
  ///
  /// - Parameter now: When it came.
  public mutating func receive(_ byte: UInt8, at now: Instant) -> InertialSample? {
    guard let frame = frames.receive(byte) else { return nil }
    switch frame {
    case .specificForce(let vector): force = vector
    case .magneticField(let x, let y, let z):
      field = microteslaPerStep.map { Vector3(Float(x), Float(y), Float(z)) * $0 }
    case .angularRate(let rate):
      defer {
        force = nil
        field = nil
      }
      // The field comes behind the rate: it is that of the measurement before.
      return arrivals.time(ofFrameAt: now).map {
        InertialSample(time: $0, angularRate: rate, specificForce: force, magneticFluxDensity: field)
      }
    case .other: break
    }
    return nil
  }
}

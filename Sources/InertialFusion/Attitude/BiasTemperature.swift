public import Quantities

/// How the gyroscope's bias follows the temperature, learnt from rests at different temperatures.
///
/// Least squares of a straight line per axis, with slow forgetting. It stays silent until the rests span some degrees: a
/// slope from half a degree would be noise. Keep it across restarts, and hand its answer to `AttitudeFilter.warmStart`.
///
/// - Source: recursive least squares; our derivation.
public struct BiasTemperature: Equatable, BitwiseCopyable, Sendable {
  private var weight: Float = 0
  private var meanTemperature: Float = 0
  private var meanBias = Vector3.zero
  private var temperatureSquares: Float = 0
  private var crossProducts = Vector3.zero

  /// A model that knows nothing yet.
  public init() {}

  /// Scatter of the temperature, °C, from which on a slope is believed.
  public static var leastScatter: Float { 1.5 }
  /// Weight at which old rests begin to fade, seconds of rest.
  public static var memory: Float { 7200 }

  /// Slope, rad/s per °C and axis; nil until rests at different temperatures were seen.
  public var slope: Vector3? {
    guard weight > 10 else { return nil }
    let variance = temperatureSquares / weight
    guard variance >= BiasTemperature.leastScatter * BiasTemperature.leastScatter else { return nil }
    return crossProducts * (1 / temperatureSquares)
  }

  /// Takes a stretch of rest in.
  ///
  /// - Parameters:
  ///   - bias: Bias learnt in it, rad/s.
  ///   - temperature: Of the sensor, °C, −100 to 200; others are ignored.
  ///   - seconds: Its length.
  public mutating func learn(bias: Vector3, temperature: Float, seconds: Float) {
    guard bias.isFinite, temperature > -100, temperature < 200, seconds > 0, seconds < 1e6 else { return }
    if weight + seconds > BiasTemperature.memory {
      let keep = max(0, (BiasTemperature.memory - seconds) / weight)
      weight *= keep
      temperatureSquares *= keep
      crossProducts = crossProducts * keep
    }
    weight += seconds
    let share = seconds / weight
    let deviation = temperature - meanTemperature
    let biasDeviation = bias - meanBias
    meanTemperature += share * deviation
    meanBias += biasDeviation * share
    temperatureSquares += seconds * (1 - share) * deviation * deviation
    crossProducts += biasDeviation * (seconds * (1 - share) * deviation)
  }

  /// The bias to expect at a temperature, rad/s: by the slope when there is one, else the mean of all rests; nil before the
  /// first. Beyond twenty degrees outside of what was seen the line is not drawn on.
  public func bias(at temperature: Float) -> Vector3? {
    guard weight > 0, temperature.isFinite else { return nil }
    guard let slope else { return meanBias }
    return meanBias + slope * min(max(temperature - meanTemperature, -20), 20)
  }
}

import Quantities

/// A regression of a felt vector on an expected scalar: the direction in the sensor frame in which the scalar is felt.
///
/// Both sides go through the same high-pass, which leaves the ratio between them alone and takes away whatever is constant
/// or slow: bias, slope of the road. Sums fade with the memory. The uncertainty allows for residuals that follow each other.
///
/// - Source: our derivation (`docs/calibration.md`); the factor for first-order autocorrelation is (1 + ρₓρᵣ)/(1 − ρₓρᵣ),
///   [bartlett].
struct MountChannel: BitwiseCopyable {
  private var slowX: Float = 0
  private var slowY = Vector3.zero
  private var slowSeconds: Float = 0
  private var lastX: Float = 0
  private var lastY = Vector3.zero
  private var weight: Float = 0
  private var xx: Float = 0
  private var xy = Vector3.zero
  private var yy: Float = 0
  private var laggedXX: Float = 0
  private var laggedXY = Vector3.zero
  private var laggedYY: Float = 0
  private var recentXX: Float = 0
  private var recentXY = Vector3.zero

  /// Takes the pair of one interval in.
  ///
  /// - Parameters:
  ///   - x: What is expected.
  ///   - y: What was felt, sensor frame, with the vertical part taken out.
  ///   - seconds: Length of the interval, s.
  mutating func add(x: Float, y: Vector3, seconds: Float, _ parameters: MountParameters) {
    slowSeconds = min(slowSeconds + seconds, parameters.highPass)
    let share = seconds / max(slowSeconds, seconds)
    slowX += (x - slowX) * share
    slowY += (y - slowY) * share
    let (x, y) = (x - slowX, y - slowY)
    let keep = 1 - min(0.5, seconds / parameters.memory)
    let keepRecent = 1 - min(0.5, seconds / MountChannel.recentSeconds)
    weight = weight * keep + 1
    xx = xx * keep + x * x
    xy = xy * keep + y * x
    yy = yy * keep + y.squaredLength
    laggedXX = laggedXX * keep + x * lastX
    laggedXY = laggedXY * keep + y * lastX + lastY * x
    laggedYY = laggedYY * keep + y.dot(lastY)
    recentXX = recentXX * keepRecent + x * x
    recentXY = recentXY * keepRecent + y * x
    lastX = x
    lastY = y
  }

  /// The next pair does not follow the last.
  mutating func interrupt() {
    slowSeconds = 0
    lastX = 0
    lastY = .zero
  }

  /// Time constant of what counts as recent, s.
  static var recentSeconds: Float { 120 }

  /// The felt vector per unit of what is expected; nil before anything was expected.
  var response: Vector3? { xx > 1e-6 && weight >= 10 ? xy * (1 / xx) : nil }

  /// Standard deviation of one component of the response.
  var responseDeviation: Float { deviation(xx) }

  /// The same over the recent past alone, with its standard deviation per component.
  var recentResponse: (response: Vector3, deviation: Float)? {
    guard recentXX > 1e-6, weight >= 10 else { return nil }
    return (recentXY * (1 / recentXX), deviation(recentXX))
  }

  private func deviation(_ sum: Float) -> Float {
    guard let response, weight > 3, sum > 0 else { return .infinity }
    let squares = max(0, yy - response.dot(xy))
    let lagged = laggedYY - response.dot(laggedXY) + response.squaredLength * laggedXX
    guard squares > 0 else { return 0 }
    let product = min(max(lagged / squares * (laggedXX / xx), 0), 0.9)
    let inflation = (1 + product) / (1 - product)
    // Two components share the squares.
    return (squares / (2 * (weight - 2)) * inflation / sum).squareRoot()
  }
}

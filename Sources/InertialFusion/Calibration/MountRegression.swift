import Quantities

/// The sums of a regression of a felt vector on an expected scalar, and what they say.
///
/// The uncertainty allows for residuals that follow each other.
///
/// - Source: our derivation (`docs/calibration.md`); the factor for first-order autocorrelation is (1 + ρₓρᵣ)/(1 − ρₓρᵣ),
///   [bartlett].
struct MountRegression: BitwiseCopyable {
  /// Pairs in it, faded.
  private(set) var weight: Float = 0
  private var xx: Float = 0
  private var xy = Vector3.zero
  private var yy: Float = 0
  private var laggedXX: Float = 0
  private var laggedXY = Vector3.zero
  private var laggedYY: Float = 0

  /// Takes a pair in, with the one before it; zeros where it follows none.
  mutating func add(x: Float, y: Vector3, lastX: Float, lastY: Vector3) {
    weight += 1
    xx += x * x
    xy += y * x
    yy += y.squaredLength
    laggedXX += x * lastX
    laggedXY += y * lastX + lastY * x
    laggedYY += y.dot(lastY)
  }

  /// Makes all of it count less.
  mutating func fade(_ keep: Float) {
    weight *= keep
    xx *= keep
    xy = xy * keep
    yy *= keep
    laggedXX *= keep
    laggedXY = laggedXY * keep
    laggedYY *= keep
  }

  /// Joins two stretches of a ride.
  static func + (a: MountRegression, b: MountRegression) -> MountRegression {
    var sum = a
    sum.weight += b.weight
    sum.xx += b.xx
    sum.xy += b.xy
    sum.yy += b.yy
    sum.laggedXX += b.laggedXX
    sum.laggedXY += b.laggedXY
    sum.laggedYY += b.laggedYY
    return sum
  }

  /// How much of the mean of both is this one's.
  func share(with other: MountRegression) -> Float { xx / max(xx + other.xx, 1e-12) }

  /// The felt vector per unit of what is expected; nil before anything was expected.
  var response: Vector3? { xx > 1e-6 && weight >= 10 ? xy * (1 / xx) : nil }

  /// Standard deviation of one component of the response.
  var deviation: Float {
    guard let response else { return .infinity }
    let squares = max(0, yy - response.dot(xy))
    let lagged = laggedYY - response.dot(laggedXY) + response.squaredLength * laggedXX
    guard squares > 0 else { return 0 }
    let product = min(max(lagged / squares * (laggedXX / xx), 0), 0.9)
    let inflation = (1 + product) / (1 - product)
    // Two components share the squares.
    return (squares / (2 * (weight - 2)) * inflation / xx).squareRoot()
  }
}

import Glibc

/// The error of one attitude, split into its parts; rad, none negative.
public struct OrientationError: Equatable, BitwiseCopyable, Sendable {
  /// Angle of the whole rotation.
  public var total: Double
  /// Part about the vertical.
  public var heading: Double
  /// Part about a horizontal axis: how far the vertical is off.
  public var inclination: Double

  /// The error of an estimate after turning it by `offset` (rad) about the vertical.
  public init(
    of estimate: PreciseQuaternion, against reference: PreciseQuaternion, headingOffset offset: Double = 0
  ) {
    let error = estimate.normalized * reference.normalized.conjugate
    self.init(EarthError(w: error.w, z: error.z).turned(by: offset))
  }

  init(_ error: EarthError) {
    total = error.total
    heading = error.heading
    inclination = error.inclination
  }
}

/// Scalar and vertical part of e = estimate · reference⁻¹ in the earth frame; all parts of the metric follow from them.
struct EarthError: BitwiseCopyable {
  var w: Double
  var z: Double

  var total: Double { 2 * acos(min(abs(w), 1)) }
  var heading: Double { 2 * atan(abs(z / w)) }
  var inclination: Double { 2 * acos(min(hypot(w, z), 1)) }

  func turned(by angle: Double) -> EarthError {
    guard angle != 0 else { return self }
    let c = cos(angle / 2)
    let s = sin(angle / 2)
    return EarthError(w: c * w - s * z, z: c * z + s * w)
  }
}

/// How far the attitudes of a filter are from a reference over one recording: root mean squares in degrees.
///
/// With e = q_estimate · q_reference⁻¹ in the earth frame the total error is 2 acos |w|, the heading error
/// 2 atan |z / w| and the inclination error 2 acos √(w² + z²). The aligned errors are those after the one constant
/// turn about the vertical that makes the total smallest; they are the fair ones for an estimate whose heading has an
/// arbitrary origin.
///
/// - Source: [broad] for the parts of the error; the alignment by golden section about the circular mean is our own.
public struct OrientationScore: Equatable, Sendable {
  /// Total error; NaN when nothing could be scored.
  public var total = Double.nan
  /// Heading error.
  public var heading = Double.nan
  /// Inclination error; no alignment changes it.
  public var inclination = Double.nan
  /// Total error after alignment.
  public var totalAligned = Double.nan
  /// Heading error after alignment.
  public var headingAligned = Double.nan
  /// The turn about the vertical that aligns the estimate, rad.
  public var headingOffset = 0.0
  /// Rows that were scored: those in movement with a reference.
  public var count = 0
  /// Of them those without a finite estimate. A score counts only when there is none.
  public var badCount = 0

  /// Scores estimates against references, row by row.
  ///
  /// - Parameters:
  ///   - estimates: Earth from sensor; need not be of unit norm.
  ///   - references: Earth from sensor; rows that are not finite are not scored.
  ///   - isMoving: Which rows count; nil for all.
  ///   - alignment: False leaves what is after alignment NaN, which takes most of the time.
  /// - Precondition: All of the same length.
  public init(
    estimates: [PreciseQuaternion], references: [PreciseQuaternion], isMoving: [Bool]? = nil, alignment: Bool = true
  ) {
    precondition(estimates.count == references.count && isMoving.map { $0.count == references.count } ?? true)
    var errors: [EarthError] = []
    for row in references.indices where isMoving?[row] ?? true && references[row].isFinite {
      count += 1
      if !estimates[row].isFinite { badCount += 1 }
      let error = estimates[row].normalized * references[row].normalized.conjugate
      errors.append(EarthError(w: error.w, z: error.z))
    }
    guard count > 0 else { return }
    total = rootMeanSquareDegrees(errors) { $0.total }
    heading = rootMeanSquareDegrees(errors) { $0.heading }
    inclination = rootMeanSquareDegrees(errors) { $0.inclination }
    guard alignment else { return }
    headingOffset = OrientationScore.alignment(of: errors)
    let offset = headingOffset
    totalAligned = rootMeanSquareDegrees(errors) { $0.turned(by: offset).total }
    headingAligned = rootMeanSquareDegrees(errors) { $0.turned(by: offset).heading }
  }

  /// The turn that makes the total error smallest: 24 steps of golden section within 20° of the circular mean.
  private static func alignment(of errors: [EarthError]) -> Double {
    var cosines = 0.0
    var sines = 0.0
    for error in errors where error.w.isFinite && error.z.isFinite {
      let angle = 2 * atan2(error.z, error.w)
      cosines += cos(angle)
      sines += sin(angle)
    }
    let centre = -atan2(sines, cosines)
    func value(_ angle: Double) -> Double { rootMeanSquareDegrees(errors) { $0.turned(by: angle).total } }
    let golden = (5.0.squareRoot() - 1) / 2
    var low = centre - 20 * .pi / 180
    var high = centre + 20 * .pi / 180
    var a = high - golden * (high - low)
    var b = low + golden * (high - low)
    var valueA = value(a)
    var valueB = value(b)
    for _ in 0..<24 {
      if valueA < valueB {
        high = b
        b = a
        valueB = valueA
        a = high - golden * (high - low)
        valueA = value(a)
      } else {
        low = a
        a = b
        valueA = valueB
        b = low + golden * (high - low)
        valueB = value(b)
      }
    }
    return (low + high) / 2
  }
}

/// Root of the mean square in degrees of the values that are not NaN.
private func rootMeanSquareDegrees(_ errors: [EarthError], _ part: (EarthError) -> Double) -> Double {
  var sum = 0.0
  var count = 0
  for error in errors {
    let value = part(error)
    guard !value.isNaN else { continue }
    sum += value * value
    count += 1
  }
  return count == 0 ? .nan : (sum / Double(count)).squareRoot() * 180 / .pi
}

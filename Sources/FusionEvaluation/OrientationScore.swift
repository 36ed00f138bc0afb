import Glibc

/// How far an estimate of orientation is from the truth: root mean squares over the moving samples, in degrees.
///
/// The error quaternion is e = estimate · conjugate(reference) in the earth frame; total 2 acos|w|, heading 2 atan|z/w|,
/// inclination 2 acos √(w² + z²).
///
/// - Source: [broad] section 4; the alignment is our derivation.
public struct OrientationScore: Sendable, Equatable {
  /// The whole angle of the error, degrees.
  public var total = Double.nan
  /// Its part about the vertical.
  public var heading = Double.nan
  /// Its part about a horizontal axis.
  public var inclination = Double.nan
  /// Total after the one heading offset for the whole trial that makes it smallest: the only fair total when heading
  /// has no origin.
  public var totalAligned = Double.nan
  /// Samples that counted.
  public var count = 0
  /// Samples that should count but whose estimate is not a number. A score is valid only when this is zero.
  public var badCount = 0

  /// Scores the estimates of all samples of a trial.
  ///
  /// - Parameters:
  ///   - estimates: `earthFromSensor`, scalar first, four per sample.
  ///   - trial: The truth, with as many samples.
  ///   - alignment: False leaves `totalAligned` out, which takes most of the time.
  public init(_ estimates: [Double], against trial: OrientationTrial, alignment: Bool = true) {
    precondition(estimates.count == 4 * trial.count, "one estimate for each sample")
    var scalar: [Double] = []
    var vertical: [Double] = []
    var inclinations = 0.0
    var headings = 0.0
    var totals = 0.0
    var (sine, cosine) = (0.0, 0.0)
    for sample in 0..<trial.count where trial.isMoving[sample] {
      let (r0, r1, r2, r3) = quaternion(trial.reference, sample)
      guard (r0 + r1 + r2 + r3).isFinite else { continue }
      let (q0, q1, q2, q3) = quaternion(estimates, sample)
      count += 1
      let norm = ((q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3) * (r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3)).squareRoot()
      guard norm.isFinite, norm > 0 else {
        badCount += 1
        continue
      }
      let w = (q0 * r0 + q1 * r1 + q2 * r2 + q3 * r3) / norm
      let z = (-q0 * r3 + q3 * r0 - q1 * r2 + q2 * r1) / norm
      scalar.append(w)
      vertical.append(z)
      totals += squaredAngle(w)
      inclinations += squaredAngle((w * w + z * z).squareRoot())
      let turn = 2 * atan2(abs(z), abs(w))
      headings += turn * turn
      let psi = 2 * atan2(z, w)
      sine += sin(psi)
      cosine += cos(psi)
    }
    guard !scalar.isEmpty else { return }
    let samples = Double(scalar.count)
    total = degrees((totals / samples).squareRoot())
    heading = degrees((headings / samples).squareRoot())
    inclination = degrees((inclinations / samples).squareRoot())
    guard alignment else { return }
    totalAligned = OrientationScore.smallestTotal(scalar, vertical, around: -atan2(sine, cosine))
  }

  /// The smallest total over all heading offsets near `start` (rad), by golden section.
  private static func smallestTotal(_ scalar: [Double], _ vertical: [Double], around start: Double) -> Double {
    func total(_ offset: Double) -> Double {
      let (c, s) = (cos(offset / 2), sin(offset / 2))
      var sum = 0.0
      for place in scalar.indices { sum += squaredAngle(c * scalar[place] - s * vertical[place]) }
      return degrees((sum / Double(scalar.count)).squareRoot())
    }
    let golden = (5.0.squareRoot() - 1) / 2
    var low = start - 20 * Double.pi / 180
    var high = start + 20 * Double.pi / 180
    var a = high - golden * (high - low)
    var b = low + golden * (high - low)
    var (totalA, totalB) = (total(a), total(b))
    for _ in 0..<24 {
      if totalA < totalB {
        (high, b, totalB) = (b, a, totalA)
        a = high - golden * (high - low)
        totalA = total(a)
      } else {
        (low, a, totalA) = (a, b, totalB)
        b = low + golden * (high - low)
        totalB = total(b)
      }
    }
    return total((low + high) / 2)
  }
}

private func quaternion(_ values: [Double], _ sample: Int) -> (Double, Double, Double, Double) {
  (values[4 * sample], values[4 * sample + 1], values[4 * sample + 2], values[4 * sample + 3])
}

/// Square of the angle of a rotation with that scalar part, rad².
private func squaredAngle(_ scalar: Double) -> Double {
  let angle = 2 * acos(min(abs(scalar), 1))
  return angle * angle
}

private func degrees(_ angle: Double) -> Double { angle * 180 / .pi }

import FusionEvaluation
import Glibc
import InertialFusion

/// What an accelerometer would show of gravity alone on a drive: its mean over a second and a half, less the acceleration that the speed of the
/// fixes and the turn of the gyroscope tell. Axes of the body are found by regression.
struct DriveTilt {
  /// Upward in the body at each row, of unit length; NaN where nothing is known.
  private(set) var up: [SIMD3<Double>]
  /// How late the fixes are, s: what fits best.
  private(set) var lag = 0.0
  /// What the fit leaves, as an angle, degrees: the truth is no better.
  private(set) var doubt = 0.0

  private static let half = 0.75

  init?(_ drive: Drive) {
    let trial = drive.trial
    guard drive.speeds.count > 20, trial.count > 100 else { return nil }
    let rows = 0..<trial.count
    let force = DriveTilt.means(rows.map { DriveTilt.vector(trial.specificForce, $0) }, trial.times)
    let rate = DriveTilt.means(rows.map { DriveTilt.vector(trial.angularRate, $0) }, trial.times)
    let mean = force.reduce(SIMD3<Double>.zero, +)
    let vertical = mean / DriveTilt.length(mean)
    let yawRate = rate.map { ($0 * vertical).sum() }
    var best: Fit?
    for step in 0...20 {
      let lag = Double(step) / 10
      guard let fit = Fit(force, yawRate, trial.times, drive.speeds, lag: lag) else { continue }
      if fit.residual < best?.residual ?? .infinity {
        (best, self.lag) = (fit, lag)
      }
    }
    guard let best else { return nil }
    up = best.gravity.map { $0 / DriveTilt.length($0) }
    doubt = best.residual / 9.81 * 180 / .pi
  }

  /// The acceleration that is told, and what of the mean force goes with it.
  private struct Fit {
    var residual = 0.0
    var gravity: [SIMD3<Double>] = []

    init?(
      _ force: [SIMD3<Double>], _ yawRate: [Double], _ times: [Double], _ speeds: [(time: Double, speed: Double)],
      lag: Double
    ) {
      let step = (speeds[speeds.count - 1].time - speeds[0].time) / Double(speeds.count - 1)
      let told = Fit.line(through: speeds, at: times.map { $0 + lag }, half: max(DriveTilt.half, 1.5 * step))
      // Normal equations of: force = ahead · forward acceleration + left · speed times turn + constant.
      var (aa, ab, bb, a1, b1, count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      var (fa, fb, f1) = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
      for row in force.indices {
        let (a, b) = (told[row].slope, told[row].value * yawRate[row])
        guard a.isFinite, b.isFinite else { continue }
        (aa, ab, bb, a1, b1, count) = (aa + a * a, ab + a * b, bb + b * b, a1 + a, b1 + b, count + 1)
        (fa, fb, f1) = (fa + force[row] * a, fb + force[row] * b, f1 + force[row])
      }
      guard count > 100 else { return nil }
      let (caa, cab, cbb) = (aa - a1 * a1 / count, ab - a1 * b1 / count, bb - b1 * b1 / count)
      let determinant = caa * cbb - cab * cab
      guard determinant > 0 else { return nil }
      let (cfa, cfb) = (fa - f1 * (a1 / count), fb - f1 * (b1 / count))
      var ahead = (cfa * cbb - cfb * cab) / determinant
      var left = (cfb * caa - cfa * cab) / determinant
      let constant = (f1 - ahead * a1 - left * b1) / count
      let vertical = constant / DriveTilt.length(constant)
      ahead -= vertical * (ahead * vertical).sum()
      left -= vertical * (left * vertical).sum()
      var squares = 0.0
      for row in force.indices {
        let own = force[row] - ahead * told[row].slope - left * (told[row].value * yawRate[row])
        gravity.append(own)
        let off = own - constant
        if off.x.isFinite { squares += (off * off).sum() }
      }
      residual = (squares / count).squareRoot()
    }

    /// Value and slope of the line through the fixes around each time; NaN where there are fewer than three.
    private static func line(
      through speeds: [(time: Double, speed: Double)], at times: [Double], half: Double
    ) -> [(value: Double, slope: Double)] {
      var (from, to) = (0, 0)
      return times.map { time in
        while to < speeds.count, speeds[to].time <= time + half { to += 1 }
        while from < to, speeds[from].time < time - half { from += 1 }
        let window = speeds[from..<to]
        guard window.count >= 3 else { return (.nan, .nan) }
        let middle = meanOf(window.map(\.time))
        let value = meanOf(window.map(\.speed))
        let squares = window.reduce(0) { $0 + ($1.time - middle) * ($1.time - middle) }
        let slope = window.reduce(0) { $0 + ($1.time - middle) * ($1.speed - value) } / squares
        return (value + slope * (time - middle), slope)
      }
    }
  }

  /// What a filter makes of the tilt, from the twentieth second on.
  struct Result: Codable {
    /// Root of the mean square of the error, degrees.
    var error = 0.0
    /// Median of what is stated, degrees per axis.
    var stated = 0.0
    /// Squared errors in units of it, per axis, in the mean; share beyond three deviations, and the largest.
    var squared = 0.0
    var beyond = 0.0
    var worst = 0.0
  }

  /// - Parameters:
  ///   - quaternions: Attitudes, scalar first.
  ///   - stated: Deviation of each per axis, rad; empty for a filter that states none.
  func result(of quaternions: [Double], stated: [Double], _ trial: OrientationTrial) -> Result {
    let upward = DriveTilt.means(
      (0..<trial.count).map { precise(quaternions, $0).conjugate.turn(SIMD3(0, 0, 1)) }, trial.times)
    var result = Result()
    var (count, squares): (Double, Double) = (0, 0)
    var deviations: [Double] = []
    for row in 0..<trial.count where trial.times[row] > trial.times[0] + 20 {
      let cosine = (upward[row] * up[row]).sum() / DriveTilt.length(upward[row])
      guard cosine.isFinite else { continue }
      let angle = acos(max(-1, min(1, cosine)))
      count += 1
      squares += angle * angle
      guard !stated.isEmpty else { continue }
      let ratio = angle / stated[row] / 2.0.squareRoot()
      result.squared += ratio * ratio
      result.beyond += ratio > 3 ? 1 : 0
      result.worst = max(result.worst, ratio)
      deviations.append(stated[row])
    }
    result.error = (squares / count).squareRoot() * 180 / .pi
    result.stated = (deviations.sorted().dropFirst(deviations.count / 2).first ?? .nan) * 180 / .pi
    result.squared /= count
    result.beyond /= count
    return result
  }

  private static func vector(_ values: [Double], _ row: Int) -> SIMD3<Double> {
    SIMD3(values[3 * row], values[3 * row + 1], values[3 * row + 2])
  }

  fileprivate static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

  /// Means over a second and a half around each row.
  private static func means(_ values: [SIMD3<Double>], _ times: [Double]) -> [SIMD3<Double>] {
    var sums: [SIMD3<Double>] = [.zero]
    for value in values { sums.append(sums[sums.count - 1] + value) }
    var (from, to) = (0, 0)
    return times.map { time in
      while to < times.count, times[to] <= time + half { to += 1 }
      while times[from] < time - half { from += 1 }
      return (sums[to] - sums[from]) / Double(to - from)
    }
  }
}

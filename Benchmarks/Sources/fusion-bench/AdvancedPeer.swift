import FusionEvaluation
import Glibc

extension Contender {
  /// This filter with each attitude carried forward by so many seconds at the measured rate, as `AttitudeFilter` does for
  /// the delay of the gyroscope.
  ///
  /// The rate is taken as it comes: a bias of a degree per second would turn 2.4 ms by 0.002°.
  func advanced(by seconds: Double, name: String) -> Contender {
    let prepare = prepare
    return Contender(name: name, size: size, hasRest: hasRest) {
      AdvancedRun(prepare($0, $1), rates: $0.angularRate, seconds: seconds)
    }
  }
}

/// The run of a filter, and then the advance.
private final class AdvancedRun: FilterRun {
  let base: any FilterRun
  let rates: [Double]
  let seconds: Double

  init(_ base: any FilterRun, rates: [Double], seconds: Double) {
    self.base = base
    self.rates = rates
    self.seconds = seconds
  }

  func run() { base.run() }

  func estimates() -> Estimates {
    let said = base.estimates()
    let q = said.quaternions
    var turned: [Double] = []
    turned.reserveCapacity(q.count)
    for place in said.isAtRest.indices {
      let (x, y, z) = (rates[3 * place], rates[3 * place + 1], rates[3 * place + 2])
      let rate = (x * x + y * y + z * z).squareRoot()
      let half = 0.5 * rate * seconds
      let s = rate > 0 ? sin(half) / rate : 0
      let turn = PreciseQuaternion(w: cos(half), x: s * x, y: s * y, z: s * z)
      let before = PreciseQuaternion(w: q[4 * place], x: q[4 * place + 1], y: q[4 * place + 2], z: q[4 * place + 3])
      let after = before * turn
      turned += [after.w, after.x, after.y, after.z]
    }
    return Estimates(quaternions: turned, isAtRest: said.isAtRest)
  }
}

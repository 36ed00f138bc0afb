import FusionEvaluation
import InertialFusion
import Quantities

/// The lite filter through its call for callers that know the sampling period, which is how the peers are called.
func plainLiteContender() -> Contender {
  let size = Contender.Size(
    whole: MemoryLayout<LiteAttitudeFilter>.size, state: LiteAttitudeFilter.stateBytes)
  return Contender(name: "LiteAttitudeFilter, period given", size: size, hasRest: true) {
    PlainLiteRun(trial: $0, axes: $1)
  }.standing(in: [.speed])
}

/// One trial as plain vectors.
private final class PlainLiteRun: FilterRun {
  struct Reading {
    let rate: Vector3
    let force: Vector3
    let field: Vector3
  }

  let readings: [Reading]
  let period: Float
  let axes: Axes
  var quaternions: [Quaternion]

  init(trial: OrientationTrial, axes: Axes) {
    readings = inertialSamples(of: trial, axes: .nine).map {
      Reading(
        rate: $0.angularRate ?? .zero, force: $0.specificForce ?? .zero, field: $0.magneticFluxDensity ?? .zero)
    }
    period = Float(trial.period)
    self.axes = axes
    quaternions = Array(repeating: .identity, count: readings.count)
  }

  func run() {
    readings.withUnsafeBufferPointer { readings in
      quaternions.withUnsafeMutableBufferPointer { quaternions in
        switch axes {
        case .six: PlainLiteRun.runSix(readings, period, quaternions)
        case .nine: PlainLiteRun.runNine(readings, period, quaternions)
        }
      }
    }
  }

  @inline(never) private static func runSix(
    _ readings: UnsafeBufferPointer<Reading>, _ period: Float, _ out: UnsafeMutableBufferPointer<Quaternion>
  ) {
    var filter = LiteAttitudeFilter()
    for place in readings.indices {
      filter.update(angularRate: readings[place].rate, specificForce: readings[place].force, seconds: period)
      out[place] = filter.levelFromBody
    }
  }

  @inline(never) private static func runNine(
    _ readings: UnsafeBufferPointer<Reading>, _ period: Float, _ out: UnsafeMutableBufferPointer<Quaternion>
  ) {
    var filter = LiteAttitudeFilter()
    for place in readings.indices {
      filter.update(
        angularRate: readings[place].rate, specificForce: readings[place].force,
        magneticFluxDensity: readings[place].field, seconds: period)
      out[place] = filter.earthFromBody
    }
  }

  func estimates() -> Estimates {
    run()
    return Estimates(quaternions: doubles(quaternions), isAtRest: Array(repeating: false, count: readings.count))
  }
}

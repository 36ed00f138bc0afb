import InertialFusion
import Quantities
import VehicleSimulation

/// A vehicle on a plane, its sensor straight: 25 samples and one fix in a second.
struct Road {
  var speed: (Double) -> Double = { _ in 8 }
  var force: (Double) -> Vector3 = { _ in .zero }
  var rate: (Double) -> Vector3 = { _ in .zero }
  var accuracy: Double?
  /// Height at a time, m, above the sea or, where it is so, above the ellipsoid.
  var height: ((Double) -> Double)?
  var isEllipsoidal = false
  var fixEvery = 1.0
  var hasFixes = true
  var noise: Float = 0.3
  /// The sensor is turned by this from a time on.
  var turn: (Quaternion, Double) = (.identity, .infinity)

  /// A sawtooth of ±1 m/s² between 4 and 14 m/s.
  static var sawtooth: Road {
    var road = Road()
    road.speed = { time in
      let phase = time.truncatingRemainder(dividingBy: 20)
      return phase < 10 ? 4 + phase : 24 - phase
    }
    road.force = { Vector3($0.truncatingRemainder(dividingBy: 20) < 10 ? 1 : -1, 0, 0) }
    return road
  }

  /// A car that turns to and fro: what it feels to the left is speed times yaw rate.
  static var curves: Road {
    var road = Road()
    func yaw(_ time: Double) -> Float { 0.25 * Elementary.sin(Float(0.5 * time)) }
    road.rate = { Vector3(0, 0, yaw($0)) }
    road.force = { Vector3(0, 8 * yaw($0), 0) }
    return road
  }

  /// The lean to the right that balances the turns of `winding`, rad.
  static func lean(_ time: Double) -> Float {
    -Elementary.atan2(8 * 0.25 * Elementary.sin(Float(0.5 * time)), Float(9.8))
  }

  /// A bicycle: it leans into its turns by what balances them, and feels nothing to its left.
  static var winding: Road {
    var road = Road()
    road.rate = { time in
      let yaw: Float = 0.25 * Elementary.sin(Float(0.5 * time))
      let angle = lean(time)
      return Vector3(
        (lean(time + 0.02) - lean(time - 0.02)) / 0.04, yaw * Elementary.sin(angle), yaw * Elementary.cos(angle))
    }
    road.force = { Vector3(0, 0, 9.8 / Elementary.cos(lean($0)) - 9.8) }
    return road
  }

  func calibrated(
    seconds: Double, _ change: (inout MountParameters) -> Void = { _ in }, each: (MountCalibration) -> Void = { _ in }
  ) -> MountCalibration {
    var parameters = MountParameters()
    change(&parameters)
    var calibration = MountCalibration(parameters: parameters)
    var random = VehicleSimulation.SeededRandom(seed: 511)
    func scatter(_ deviation: Float) -> Vector3 {
      Vector3(Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())) * deviation
    }
    var nextFix = 0.0
    for step in 0...Int(seconds * 25) {
      let time = Double(step) / 25
      let instant = Instant.milliseconds(40 * step)
      let turned = time >= turn.1 ? turn.0 : .identity
      calibration.process(
        InertialSample(
          time: instant, angularRate: turned.rotate(rate(time) + scatter(0.01)),
          specificForce: turned.rotate(force(time) + Vector3(0, 0, 9.8) + scatter(noise))))
      if hasFixes, time >= nextFix - 1e-9 {
        nextFix += fixEvery
        var fix = GNSSFix(time: instant)
        fix.speed = speed(time)
        fix.horizontalAccuracy = accuracy
        if isEllipsoidal { fix.heightAboveEllipsoid = height?(time) } else { fix.heightAboveSeaLevel = height?(time) }
        calibration.process(fix)
      }
      if step % 25 == 0 { each(calibration) }
    }
    return calibration
  }
}

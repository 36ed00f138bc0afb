import InertialFusion
import Quantities

// Both calibrations: a sensor laid down in seven poses, then on a vehicle that brakes and speeds up with its x back.

extension CoreRun {
  /// Finds offset and scale of an accelerometer and notes them.
  mutating func accelerometerCalibration() {
    var calibrator = AccelerometerCalibrator()
    let ups: InlineArray<7, Vector3> = [
      Vector3(9.80665, 0, 0), Vector3(-9.80665, 0, 0), Vector3(0, 9.80665, 0), Vector3(0, -9.80665, 0),
      Vector3(0, 0, 9.80665), Vector3(0, 0, -9.80665), Vector3(5.66187, 5.66187, 5.66187),
    ]
    var step = 0
    while step < 7 * 300 {
      let up = ups[step / 300]
      let isMoved = step % 300 < 40
      let noise = Float(Int(opaque(UInt8(truncatingIfNeeded: step &* 37))) - 128) * 0.0001
      let swing: Float = isMoved ? (step % 2 == 0 ? 2 : -2) : noise
      calibrator.process(
        InertialSample(
          time: .milliseconds(20 * step), angularRate: Vector3(noise, 0.01, 0),
          specificForce: Vector3(up.x + opaque(0.2) + swing, up.y - 0.1 + noise, up.z * 1.01)))
      step += 1
    }
    calibrator.finish()
    let solution = calibrator.solution
    expect(solution.outcome == .solved && solution.poseCount == 7)
    expect((solution.offset - Vector3(0.2, -0.1, 0)).length < 0.02)
    expect(abs(solution.scale.z - 1 / 1.01) < 0.002)
    note(solution.offset.x)
    note(solution.scale.z)
    note(solution.uncertaintyRatio)
  }

  /// Finds how a sensor is mounted and notes it.
  mutating func mountCalibration() {
    var calibration = MountCalibration()
    var step = 0
    while step < 25 * 120 {
      let phase = Float(step % 500) / 25
      let noise = Float(Int(opaque(UInt8(truncatingIfNeeded: step &* 37))) - 128) * 0.003
      let forward: Float = phase < 10 ? 1 : -1
      calibration.process(
        InertialSample(
          time: .milliseconds(40 * step), angularRate: Vector3(0.01, noise * 0.01, opaque(0.01)),
          specificForce: Vector3(noise - forward, noise, 9.8 - noise)))
      if step % 25 == 0 {
        var fix = GNSSFix(time: .milliseconds(40 * step))
        fix.speed = Double(phase < 10 ? 4 + phase : 24 - phase)
        fix.heightAboveSeaLevel = 10
        calibration.process(fix)
      }
      step += 1
    }
    let estimate = calibration.estimate
    expect(estimate.isReliable && estimate.acceleration.isUsed && calibration.remountCount == 0)
    expect(estimate.bodyFromSensor.rotate(Vector3(-1, 0, 0)).x > 0.99)
    note(estimate.bodyFromSensor.z)
    note(estimate.forwardDeviation)
    note(estimate.upDeviation)
  }
}

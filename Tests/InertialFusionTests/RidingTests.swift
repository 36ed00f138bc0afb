import InertialFusion
import Quantities
import TestSupport
import Testing
import VehicleSimulation

/// A bicycle leans into its turns and brakes for seconds on end: what low-passes of the specific force can't tell from tilt.
@Test(arguments: [600.0, 3000, 6000])
func aRidingBicycleIsTiltedLessThanByALowPass(start: Double) throws {
  let model = SensorModel.seatTubeMPU6050
  var synthesizer = RideSynthesizer(seed: 7, hertz: 50, sensor: model)
  var parameters = AttitudeParameters()
  parameters.gyroscopeLatency = 0
  var main = AttitudeFilter(parameters: parameters)
  var lite = LiteAttitudeFilter()
  var (mainSquares, liteSquares, biasRatios, count): (Float, Float, Float, Float) = (0, 0, 0, 0)
  func squaredTilt(_ attitude: Quaternion, _ truth: Quaternion) -> Float {
    let up = Vector3(0, 0, 1)
    let (a, b) = (attitude.conjugate.rotate(up), truth.conjugate.rotate(up))
    let angle = Elementary.atan2(a.cross(b).length, a.dot(b)) * 180 / .pi
    return angle * angle
  }
  func ride() {
    while let sample = synthesizer.next() {
      main.update(with: sample)
      lite.update(with: sample)
      guard (sample.time.secondsDouble - start) > 30 else { continue }
      let truth = synthesizer.motion.earthFromBody * model.bodyFromSensor
      mainSquares += squaredTilt(main.levelFromBody, truth)
      liteSquares += squaredTilt(lite.levelFromBody, truth)
      let off = (main.gyroBias - model.gyroscope.bias).squaredLength * (1.0 / 3)
      biasRatios += off / (main.gyroBiasUncertainty * main.gyroBiasUncertainty)
      count += 1
    }
  }
  let fixes = try recordedFixes(
    #filePath.replacing(
      "Tests/InertialFusionTests/RidingTests.swift", with: "fixtures/rides/ardennes_edge1000_gnss.csv.gz"))
  let first = try #require(fixes.first).time
  for fix in fixes {
    let time = (fix.time - first).secondsDouble
    guard time >= start else { continue }
    guard time < start + 600 else { break }
    synthesizer.receive(fix)
    ride()
  }
  let mainTilt = (mainSquares / count).squareRoot()
  let liteTilt = (liteSquares / count).squareRoot()
  print("riding from \(Int(start)) s: RMS tilt error \(mainTilt)°, of the lite filter \(liteTilt)°")
  #expect(count > 20_000)
  #expect(mainTilt < 14 && mainTilt < 0.75 * liteTilt)
  // Slow accelerations are not taken for an offset, nor for a bias that is known better than it is.
  #expect(main.state.level.isDoubtful && main.accelerometerOffset == .zero)
  #expect(biasRatios / count < 8, "\(biasRatios / count)")
}

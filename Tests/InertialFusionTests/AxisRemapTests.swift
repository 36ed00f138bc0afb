import InertialFusion
import Quantities
import TestSupport
import Testing

@Test func exactlyTheTwentyFourRightHandedMountingsAreAccepted() {
  var accepted: [AxisRemap] = []
  for forward in SensorAxis.allCases {
    for left in SensorAxis.allCases {
      for up in SensorAxis.allCases {
        if let remap = AxisRemap(forward: forward, left: left, up: up) { accepted.append(remap) }
      }
    }
  }
  #expect(accepted.count == 24)
  let v = Vector3(1.25, -2.5, 3.75)
  for remap in accepted {
    // A rotation keeps lengths and cross products.
    let x = remap.body(fromSensor: Vector3(1, 0, 0))
    let y = remap.body(fromSensor: Vector3(0, 1, 0))
    let z = remap.body(fromSensor: Vector3(0, 0, 1))
    #expect(x.cross(y) == z)
    #expect(remap.body(fromSensor: v).squaredLength == v.squaredLength)
  }
  #expect(AxisRemap(forward: .plusX, left: .plusY, up: .plusZ) == .identity)
  #expect(AxisRemap(forward: .plusX, left: .plusY, up: .minusZ) == nil)
  #expect(AxisRemap(forward: .plusX, left: .minusX, up: .plusZ) == nil)
}

@Test func calibrationRemovesOffsetsThenScalesThenTurns() throws {
  let mounting = try #require(AxisRemap(forward: .plusZ, left: .plusX, up: .plusY))
  let calibration = InertialCalibration(
    angularRateOffset: Vector3(0.1, 0.2, 0.3), specificForceOffset: Vector3(1, 2, 3),
    specificForceScale: Vector3(2, 4, 8), mounting: .axes(mounting))
  let sample = calibration.apply(
    to: InertialSample(
      time: .seconds(1), angularRate: Vector3(0.1, 0.2, 1.3), specificForce: Vector3(2, 4, 6),
      magneticFluxDensity: Vector3(10, 20, 30)))
  #expect(sample.time == .seconds(1))
  let rate = try #require(sample.angularRate)
  #expect(abs(rate.x - 1) < 1e-6 && rate.y == 0 && rate.z == 0)
  #expect(sample.specificForce == Vector3(24, 2, 8))
  #expect(sample.magneticFluxDensity == Vector3(30, 10, 20))
}

@Test func calibrationLeavesMissingPartsMissing() {
  let sample = InertialCalibration().apply(to: InertialSample(time: .zero))
  #expect(sample == InertialSample(time: .zero))
}

import InertialFusion
import Quantities
import Testing

/// The example of docs/fusion.md: where a board points while it is read, degrees clockwise from north.
private func headings(of samples: [InertialSample]) -> [Float] {
  var filter = AttitudeFilter()
  return samples.map { sample in
    filter.update(with: sample)
    let forward = filter.earthFromBody.rotate(Vector3(1, 0, 0))
    return Elementary.atan2(forward.x, forward.y) * 180 / .pi
  }
}

/// A board lies flat and points north for three seconds, and is turned to the right by 90° within another three.
@Test func theExampleOfTheDocumentationWorks() {
  let samples = (0...600).map { step in
    let turned = Float(max(0, step - 300)) * (.pi / 600)
    return InertialSample(
      time: .milliseconds(10 * step),
      angularRate: Vector3(0, 0, step > 300 ? -.pi / 6 : 0),
      specificForce: Vector3(0, 0, 9.81),
      magneticFluxDensity: Vector3(20 * Elementary.cos(turned), 20 * Elementary.sin(turned), -40))
  }
  let found = headings(of: samples)
  #expect(found.count == 601)
  #expect(abs(found[300]) < 1, "\(found[300])° before the turn")
  #expect(abs(found[600] - 90) < 2, "\(found[600])° after it")
}

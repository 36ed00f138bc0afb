import InertialFusion
import Quantities
import TestSupport
import Testing

/// A recording with everything in it: rest, turning, a pause of the magnetometer, gaps short and long, bad samples, rest.
private func eventfulSamples() -> [InertialSample] {
  var body = TumblingBody(seed: 61)
  body.bias = Vector3(0.05, -0.02, 0.03)
  body.hardIron = Vector3(12, 4, -9)
  var samples: [InertialSample] = []
  for step in 0..<2400 {
    if step == 1600 { body.restUntil = .infinity }
    var sample = body.next(after: step == 900 ? 2.4 : step == 1300 ? 60 : 0.01)
    if step % 4 != 0 || (700..<800).contains(step) { sample.magneticFluxDensity = nil }
    if (1000..<1010).contains(step) { sample.angularRate = nil }
    if (1020..<1040).contains(step) { sample.specificForce = nil }
    if step == 1100 { sample.angularRate = Vector3(.nan, 0, 0) }
    samples.append(sample)
  }
  return samples
}

/// The state as it comes back from a memory that keeps bytes.
private func throughBytes(_ state: AttitudeState) -> AttitudeState {
  let bytes = withUnsafeBytes(of: state) { Array($0) }
  return bytes.withUnsafeBytes { $0.loadUnaligned(as: AttitudeState.self) }
}

/// A filter that was saved and one that never stopped are the same, bit for bit.
@Suite struct AttitudeResumeTests {
  @Test func aFilterSavedAfterEverySampleIsTheOneThatNeverStopped() {
    var unbroken = AttitudeFilter()
    var broken = AttitudeFilter()
    for (place, sample) in eventfulSamples().enumerated() {
      unbroken.update(with: sample)
      broken = AttitudeFilter(parameters: broken.parameters, resuming: throughBytes(broken.state))
      broken.update(with: sample)
      #expect(unbroken.state == broken.state, "sample \(place)")
      #expect(unbroken.earthFromBody == broken.earthFromBody && unbroken.evidence == broken.evidence)
    }
    #expect(unbroken.state.gapCount == 2 && unbroken.isAtRest)
    #expect(unbroken.rejections.notFinite == 1 && broken.rejections.total == 0)
  }

  /// Places: the middle of a stretch and of a rest window, of a movement, before and after either gap, without gyroscope.
  @Test(arguments: [1, 37, 153, 298, 452, 899, 900, 901, 1005, 1030, 1299, 1300, 1303, 1900])
  func aFilterSavedOnceGoesOnWithTheSameBits(place: Int) {
    let samples = eventfulSamples()
    var filter = AttitudeFilter()
    for sample in samples[..<place] { filter.update(with: sample) }
    var resumed = AttitudeFilter(parameters: filter.parameters, resuming: throughBytes(filter.state))
    #expect(resumed.lastSampleTime == filter.lastSampleTime && resumed.isAtRest == filter.isAtRest)
    #expect(resumed.headingUncertainty == filter.headingUncertainty && resumed.hardIron == filter.hardIron)
    for sample in samples[place...] {
      let window = filter.update(with: sample)
      let other = resumed.update(with: sample)
      #expect(window == other)
    }
    #expect(resumed.state == filter.state)
    #expect(resumed.earthFromBody == filter.earthFromBody && resumed.gyroBias == filter.gyroBias)
  }

  @Test func aCourseAndAWarmStartAreSavedToo() {
    var body = TumblingBody(seed: 62)
    body.liveliness = 0.1
    var filter = AttitudeFilter()
    filter.warmStart(gyroBias: Vector3(0.01, 0.02, -0.01), uncertainty: 0.002)
    for _ in 0..<500 {
      var sample = body.next(after: 0.01)
      sample.magneticFluxDensity = nil
      filter.update(with: sample)
    }
    filter.update(course: 1, uncertainty: 0.1)
    var resumed = AttitudeFilter(parameters: filter.parameters, resuming: throughBytes(filter.state))
    #expect(resumed.headingUncertainty < 0.2 && resumed.headingUncertainty == filter.headingUncertainty)
    for step in 0..<500 {
      var sample = body.next(after: 0.01)
      sample.magneticFluxDensity = nil
      filter.update(with: sample)
      resumed.update(with: sample)
      if step % 100 == 0 {
        filter.update(course: 1.1, uncertainty: 0.2)
        resumed.update(course: 1.1, uncertainty: 0.2)
      }
    }
    #expect(resumed.state == filter.state && resumed.earthFromBody == filter.earthFromBody)
  }

  @Test func twoFiltersFedAlikeAreAlike() {
    var one = AttitudeFilter()
    var other = AttitudeFilter()
    for sample in eventfulSamples() {
      one.update(with: sample)
      other.update(with: sample)
    }
    #expect(one.state == other.state)
    other.update(with: InertialSample(time: .seconds(500), angularRate: .zero, specificForce: Vector3(0, 0, 9.8)))
    #expect(one.state != other.state)
  }
}

import FusionEvaluation
import Glibc
import InertialFusion
import OfflineFusion
import Quantities
import TestSupport
import Testing

/// The samples of a trial.
private func samples(_ trial: OrientationTrial) -> [InertialSample] {
  func vector(_ values: [Double], _ index: Int) -> Vector3 {
    Vector3(Float(values[3 * index]), Float(values[3 * index + 1]), Float(values[3 * index + 2]))
  }
  return (0..<trial.count).map { index in
    InertialSample(
      time: Instant(microseconds: Int64((trial.times[index] * 1e6).rounded())),
      angularRate: vector(trial.angularRate, index), specificForce: vector(trial.specificForce, index),
      magneticFluxDensity: vector(trial.magneticFluxDensity, index))
  }
}

private func flat(_ attitudes: [Quaternion]) -> [Double] {
  attitudes.flatMap { [Double($0.w), Double($0.x), Double($0.y), Double($0.z)] }
}

/// A sensor with a bias and a field of its own that rests, turns about all axes and rests. Its rate is
/// that since the sample before.
private struct Story {
  var samples: [InertialSample] = []
  var truth: [Quaternion] = []
  static var bias: Vector3 { Vector3(0.02, -0.03, 0.01) }
  static var hardIron: Vector3 { Vector3(15, -10, 8) }

  init(magnetometer: Bool = true, start: Instant = .zero) {
    var sensor = SimulatedSensor(hertz: 100, seed: 5, start: start)
    sensor.bias = Story.bias
    var since = Story.bias
    for step in 0..<6000 {
      truth.append(sensor.earthFromBody)
      let phase = Float(step) * 0.01
      let moves = step >= 1000 && step < 5000
      let rate = moves ? Vector3(1.5 * sin(phase), 1.2 * cos(0.7 * phase), sin(0.4 * phase)) : .zero
      var sample = sensor.next(rate: rate)
      (sample.angularRate, since) = (since, sample.angularRate ?? since)
      if magnetometer, step % 4 == 0 {
        let field = truth[step].conjugate.rotate(Vector3(0, 20, -40))
        sample.magneticFluxDensity = field + Story.hardIron + Vector3(0.001 * Float(step % 7), 0, 0)
      }
      samples.append(sample)
    }
  }
}

/// A pass for a sensor without delay.
private func ideal() -> OfflineFusion {
  var parameters = AttitudeParameters()
  parameters.gyroscopeLatency = 0
  return OfflineFusion(parameters: parameters)
}

private func angle(_ a: Quaternion, _ b: Quaternion) -> Float {
  let d = (a.conjugate * b).normalized
  return 2 * atan2(Vector3(d.x, d.y, d.z).length, abs(d.w)) * 180 / .pi
}

private func tilt(_ a: Quaternion, _ b: Quaternion) -> Float {
  let up = Vector3(0, 0, 1)
  let (p, q) = (a.conjugate.rotate(up), b.conjugate.rotate(up))
  return atan2(p.cross(q).length, p.dot(q)) * 180 / .pi
}

@Test(arguments: [
  "03_undisturbed_slow_rotation_C", "11_undisturbed_slow_translation_B", "33_disturbed_attached_magnet_2cm",
])
func theWholeRecordingTellsMoreThanThePast(name: String) throws {
  guard let folder = recordedDataFolder("broad") else { return }
  let trial = try OrientationTrial(path: folder + "/\(name).csv.gz")
  let input = samples(trial)
  var filter = AttitudeFilter()
  var causal: [Quaternion] = []
  for sample in input {
    filter.update(with: sample)
    causal.append(filter.earthFromBody)
  }
  let offline = OfflineFusion().attitudes(of: input).attitudes
  let before = OrientationScore(flat(causal), against: trial, alignment: false)
  let after = OrientationScore(flat(offline.map(\.earthFromBody)), against: trial, alignment: false)
  #expect(after.inclination < before.inclination, "\(after.inclination)° after \(before.inclination)°")
  // A magnet that is put on in the middle is there too early, going back.
  #expect(after.total < max(1.1 * before.total, 2), "\(after.total)° after \(before.total)°")
  #expect(after.badCount == 0 && after.inclination < 0.6)
}

@Test func aFieldOfTheBodyIsKnownFromTheFirstSampleOn() {
  let story = Story()
  let (attitudes, rejections) = ideal().attitudes(of: story.samples)
  #expect(attitudes.count == story.samples.count && rejections.total == 0)
  var filter = AttitudeFilter()
  var causal: Float = 0
  for index in 0..<900 {
    filter.update(with: story.samples[index])
    causal = max(causal, angle(filter.earthFromBody, story.truth[index]))
  }
  let offline = attitudes.indices.map { angle(attitudes[$0].earthFromBody, story.truth[$0]) }
  #expect(causal > 15, "the story does not show what it should: \(causal)°")
  #expect((offline.max() ?? 90) < 2, "\(offline.max() ?? 90)°")
  #expect(attitudes.allSatisfy { ($0.gyroBias - Story.bias).length < 0.004 })
  #expect(attitudes[500].isAtRest && attitudes[5800].isAtRest && !attitudes[3000].isAtRest)
}

@Test func withoutMagnetometerTheHeadingDoesNotDriftAndTheTiltIsRight() {
  let story = Story(magnetometer: false, start: .seconds(1_000_000))
  let (attitudes, _) = ideal().attitudes(of: story.samples)
  // One constant turn lies between the level frame and the true one.
  let first = (story.truth[0] * attitudes[0].levelFromBody.conjugate).normalized
  for index in attitudes.indices {
    #expect(attitudes[index].earthFromBody == attitudes[index].levelFromBody)
    #expect(attitudes[index].headingUncertainty == .pi)
    #expect(tilt(attitudes[index].levelFromBody, story.truth[index]) < 0.7)
    #expect(angle(first * attitudes[index].levelFromBody, story.truth[index]) < 2)
  }
}

@Test func samplesThatCannotBeUsedTakeTheAttitudeBefore() {
  let story = Story()
  let clean = ideal().attitudes(of: story.samples).attitudes
  var dirty = story.samples
  dirty[2000].angularRate = Vector3(.nan, 0, 0)
  let bad = InertialSample(time: dirty[3000].time, angularRate: .zero, specificForce: Vector3(0, 0, 9.8))
  dirty.insert(bad, at: 3001)
  dirty.insert(InertialSample(time: .zero, specificForce: Vector3(.infinity, 0, 0)), at: 0)
  let (attitudes, rejections) = ideal().attitudes(of: dirty)
  #expect(rejections.notFinite == 2 && rejections.outOfOrder == 1)
  #expect(attitudes.count == dirty.count)
  #expect(attitudes[0] == attitudes[1])
  #expect(attitudes[2001] == attitudes[2000] && attitudes[3002] == attitudes[3001])
  for (index, was) in [(1500, 1499), (4000, 3998), (6001, 5999)] {
    #expect(angle(attitudes[index].earthFromBody, clean[was].earthFromBody) < 0.5)
  }
}

@Test func silencesAndShortRecordingsAreSound() {
  #expect(ideal().attitudes(of: []).attitudes.isEmpty)
  let story = Story()
  for count in [1, 2, 3, 30] {
    let attitudes = ideal().attitudes(of: Array(story.samples[..<count])).attitudes
    #expect(attitudes.count == count)
    #expect(attitudes.allSatisfy { tilt($0.levelFromBody, story.truth[0]) < 1 && $0.isAligned })
  }
  var parted = story.samples
  for index in 3000..<6000 { parted[index].time = parted[index].time + .seconds(3600) }
  let attitudes = ideal().attitudes(of: parted).attitudes
  for index in stride(from: 0, to: 6000, by: 50) where !(2950...3300).contains(index) {
    #expect(tilt(attitudes[index].earthFromBody, story.truth[index]) < 2.5, "\(index)")
  }
  let still = story.samples.map { InertialSample(time: $0.time) }
  let nothing = ideal().attitudes(of: still)
  #expect(nothing.attitudes.count == 6000 && nothing.rejections.empty == 6000 && !nothing.attitudes[10].isAligned)
}

import Glibc
import Quantities
import Testing

@testable import InertialFusion

private let up = Vector3(0, 0, 9.80665)

/// A filter that knows the vertical, its x axis so far above the horizon.
private func leaning(_ degrees: Float, isAligned: Bool = true) -> AttitudeFilter {
  var filter = AttitudeFilter(parameters: .simulated)
  guard isAligned else { return filter }
  let pitch = Quaternion(rotationVector: Vector3(0, -degrees * .pi / 180, 0))
  filter.update(
    with: InertialSample(time: .milliseconds(1), angularRate: .zero, specificForce: pitch.conjugate.rotate(up)))
  return filter
}

/// Where a heading may come from beside the magnetometer, at its limits.
@Suite struct HeadingSourceTests {
  @Test func aCourseIsTakenWithinItsLimitsAndNotBeyond() {
    func isTaken(_ course: Float, _ uncertainty: Float, degrees: Float = 0, isAligned: Bool = true) -> Bool {
      var filter = leaning(degrees, isAligned: isAligned)
      filter.update(course: course, uncertainty: uncertainty)
      return filter.headingUncertainty < .pi
    }
    #expect(isTaken(1, 0.1) && !isTaken(1, 0.1, isAligned: false))
    #expect(isTaken(99.9, 0.1) && !isTaken(100, 0.1) && isTaken(-99.9, 0.1) && !isTaken(-100, 0.1))
    #expect(isTaken(1, 2.99) && !isTaken(1, 3) && isTaken(1, 1e-20) && !isTaken(1, 0) && !isTaken(1, -0.1))
    // A body on end has no heading: the level part of its x axis must be more than the root of a tenth.
    #expect(isTaken(1, 0.1, degrees: 71) && !isTaken(1, 0.1, degrees: 72.5))
    #expect(isTaken(1, 0.1, degrees: -71) && !isTaken(1, 0.1, degrees: -72.5))
    // No course is better than a twentieth of a degree.
    var filter = leaning(0)
    filter.update(course: 1, uncertainty: 1e-9)
    #expect(abs(filter.headingUncertainty - 1e-3) < 1e-6)
  }

  @Test(arguments: [Float(-90), -6, -3, -1.5, 0, 0.5, 1.57, 3, 4.7, 6.2, 13, 95])
  func oneCourseIsTheHeadingUntilThereIsAnother(course: Float) {
    for degrees: Float in [0, 40, -60] {
      var filter = leaning(degrees)
      filter.update(course: course, uncertainty: 0.2)
      let forward = filter.earthFromBody.rotate(Vector3(1, 0, 0))
      let level = (forward.x * forward.x + forward.y * forward.y).squareRoot()
      #expect(abs(forward.x / level - sin(course)) < 2e-4 && abs(forward.y / level - cos(course)) < 2e-4)
      #expect(abs(filter.headingUncertainty - 0.2) < 1e-4)
      #expect(filter.state.course.offset <= .pi && filter.state.course.offset >= -.pi)
      #expect(degreesOfTilt(filter.earthFromBody, filter.levelFromBody) < 0.01)
    }
  }

  /// A scalar filter in double precision: gain by variance, and less of it for a course that is far off.
  @Test func coursesAreWeighedByTheirVarianceAndTheirDistance() {
    var heading = GNSSHeading()
    #expect(heading.variance == .infinity)
    func wrapped(_ angle: Double) -> Double { angle.remainder(dividingBy: 2 * .pi) }
    var (offset, variance) = (0.0, Double.infinity)
    for (place, (measured, uncertainty)) in [
      (Float(3.0), Float(0.2)), (3.1, 0.2), (-3.1, 0.1), (-3.0, 0.3), (2.0, 0.1), (-1.0, 0.1), (-1.0, 0.1), (-1.1, 0.5),
      (3.1, 1), (3.1, 0.05), (4.5, 0.2), (-4.5, 0.2), (3.0, 0.01), (0.1, 0.01), (0.1, 0.02),
    ].enumerated() {
      heading.drift(variance: 0.003)
      variance += 0.003
      heading.update(offset: measured, uncertainty: uncertainty)
      let noise = Double(uncertainty) * Double(uncertainty)
      if place == 0 {
        (offset, variance) = (wrapped(Double(measured)), noise)
      } else {
        let difference = wrapped(Double(measured) - offset)
        // Three standard deviations.
        let ratio = difference * difference / (9 * (variance + noise))
        let gain = variance / (variance + noise * (1 + ratio * ratio))
        offset = wrapped(offset + gain * difference)
        variance *= 1 - gain
        if ratio > 1 { variance += 0.1 * noise * min(ratio, 100) }
      }
      #expect(abs(wrapped(Double(heading.offset) - offset)) < 1e-4, "course \(place)")
      #expect(abs(Double(heading.variance) / variance - 1) < 1e-3, "course \(place)")
      #expect(heading.offset <= .pi && heading.offset >= -.pi)
    }
    heading.forget()
    #expect(heading.variance == .infinity)
    heading.update(offset: -2, uncertainty: 0.1)
    #expect(heading.offset == -2 && abs(heading.variance - 0.01) < 1e-6)
  }

  @Test func theHeadingOfACourseGrowsUncertainWithTheGyroscope() {
    var filter = leaning(0)
    filter.update(course: 1, uncertainty: 0.05)
    for step in 1...6000 {
      filter.update(
        with: InertialSample(
          time: .milliseconds(10 * step + 1), angularRate: Vector3(0.3 * (step % 2 == 0 ? 1 : -1), 0, 0),
          specificForce: up + Vector3(0.5, 0, 0) * (step % 2 == 0 ? 1 : -1)))
    }
    // 1e-6 rad²/s and the gyroscope's own 2.5e-7, for a minute.
    let variance = filter.headingUncertainty * filter.headingUncertainty
    #expect(abs(variance - 0.0025 - 60 * 1.25e-6) < 3e-6, "\(variance)")
  }

  @Test(arguments: [(Float(1.99), false), (2.01, true)])
  func aFieldThatIsNearlyVerticalHasNoDirection(horizontal: Float, isKnown: Bool) {
    for direction in [Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0.6, 0.8, 0)] {
      var filter = AttitudeFilter(parameters: .simulated)
      for step in 0..<300 {
        filter.update(
          with: InertialSample(
            time: .milliseconds(20 * step), angularRate: .zero, specificForce: up,
            magneticFluxDensity: direction * horizontal + Vector3(0, 0, -45 - 0.001 * Float(step % 5))))
      }
      #expect((filter.headingUncertainty < .pi) == isKnown, "\(filter.headingUncertainty)")
    }
  }

  @Test func theMagneticHeadingIsAsUncertainAsItsFieldAndItsPlace() {
    var filter = AttitudeFilter(parameters: .simulated)
    for step in 0..<3000 {
      filter.update(
        with: InertialSample(
          time: .milliseconds(20 * step), angularRate: .zero, specificForce: up,
          magneticFluxDensity: Vector3(12 + 0.001 * Float(step % 3), 16, -40)))
    }
    // What one place is off by, what places differ by, and seven times in ten thousand a magnet of 17 µT that no turn has shown,
    // over the 20 µT that point north.
    let expected = ((MagneticParameters().placeVariance + 0.05 + 0.0007 * 289) / Float(400)).squareRoot()
    #expect(abs(filter.headingUncertainty / expected - 1) < 0.01 && expected < 0.06)
    #expect(!filter.isMagneticallyDisturbed)
    // Both sources together know more than either, by the sum of what they know.
    let magnetic = 1 / (filter.headingUncertainty * filter.headingUncertainty)
    let forward = filter.earthFromBody.rotate(Vector3(1, 0, 0))
    filter.update(course: Elementary.atan2(forward.x, forward.y) + 0.05, uncertainty: 0.05)
    let both = 1 / (filter.headingUncertainty * filter.headingUncertainty)
    #expect(abs(both - magnetic - 400) < 5)
    let turned = filter.earthFromBody.rotate(Vector3(1, 0, 0))
    let angle = Elementary.atan2(forward.y, forward.x) - Elementary.atan2(turned.y, turned.x)
    #expect(abs(angle - 0.05 * 400 / both) < 0.002, "\(angle)")
  }
}

/// The line of bias over temperature against the sums of a regression, and at its limits.
@Suite struct BiasTemperatureLimitTests {
  @Test func theLineIsThatOfTheRegression() throws {
    var model = BiasTemperature()
    // Weighted sums in double precision, about zero; what is old fades beyond two hours.
    var (w, t, tt) = (0.0, 0.0, 0.0)
    var b = [0.0, 0, 0]
    var tb = [0.0, 0, 0]
    var random = SplitMix64(seed: 441)
    for step in 0..<60 {
      let temperature = Float(random.next() % 400) * 0.1 - 5
      let seconds = Float(random.next() % 500) + 1
      let bias =
        Vector3(0.01, -0.02, 0.03) + Vector3(3e-4, -2e-4, 1e-4) * temperature
        + Vector3(Float(random.next() % 9), Float(random.next() % 9), Float(random.next() % 9)) * 1e-4
      model.learn(bias: bias, temperature: temperature, seconds: seconds)
      let s = Double(seconds)
      if w + s > 7200 {
        let keep = (7200 - s) / w
        (w, t, tt) = (w * keep, t * keep, tt * keep)
        b = b.map { $0 * keep }
        tb = tb.map { $0 * keep }
      }
      let x = Double(temperature)
      (w, t, tt) = (w + s, t + s * x, tt + s * x * x)
      for (axis, value) in [bias.x, bias.y, bias.z].enumerated() {
        b[axis] += s * Double(value)
        tb[axis] += s * x * Double(value)
      }
      let variance = tt / w - t * t / w / w
      guard variance > 2.26, w > 10 else { continue }
      let slope = (0..<3).map { (tb[$0] / w - t * b[$0] / w / w) / variance }
      let found = try #require(model.slope)
      for (axis, value) in [found.x, found.y, found.z].enumerated() {
        #expect(abs(Double(value) - slope[axis]) < 2e-6, "step \(step)")
      }
      let told = try #require(model.bias(at: 12))
      #expect(abs(Double(told.x) - (b[0] / w + slope[0] * (12 - t / w))) < 2e-5)
      #expect(abs(Double(told.z) - (b[2] / w + slope[2] * (12 - t / w))) < 2e-5)
      // Twenty degrees from the mean and no further.
      let mean = Float(t / w)
      let (at, beyond) = (model.bias(at: mean + 20), model.bias(at: mean + 30))
      #expect(((at ?? .zero) - (beyond ?? .zero)).length < 1e-6)
      #expect(((at ?? .zero) - (model.bias(at: mean + 19) ?? .zero)).length > 1e-5)
      #expect(((model.bias(at: mean - 20) ?? .zero) - (model.bias(at: mean - 60) ?? .zero)).length < 1e-6)
    }
  }

  @Test func aSlopeNeedsTenSecondsAndADegreeAndAHalf() {
    func slope(seconds: Float, spread: Float) -> Vector3? {
      var model = BiasTemperature()
      model.learn(bias: Vector3(0.01, 0, 0), temperature: 20 - spread, seconds: seconds / 2)
      model.learn(bias: Vector3(0.02, 0, 0), temperature: 20 + spread, seconds: seconds / 2)
      return model.slope
    }
    #expect(slope(seconds: 10, spread: 5) == nil && slope(seconds: 10.1, spread: 5) != nil)
    #expect(slope(seconds: 60, spread: 1.49) == nil && slope(seconds: 60, spread: 1.51) != nil)
  }

  @Test func whatIsNoRestOfASensorIsIgnored() {
    for (bias, temperature, seconds, isTaken) in [
      (Vector3(0.99, 0, 0), 20, 5, true), (Vector3(1, 0, 0), 20, 5, false), (Vector3(0, -0.8, 0.61), 20, 5, false),
      (.zero, -99.9, 5, true), (.zero, -100, 5, false), (.zero, 199.9, 5, true), (.zero, 200, 5, false),
      (.zero, 20, 0.001, true), (.zero, 20, 0, false), (.zero, 20, 999_999, true), (.zero, 20, 1_000_000, false),
    ] as [(Vector3, Float, Float, Bool)] {
      var model = BiasTemperature()
      model.learn(bias: bias, temperature: temperature, seconds: seconds)
      #expect((model.bias(at: 20) != nil) == isTaken, "\(bias) \(temperature) \(seconds)")
      // The mean of all rests, as long as there is no slope.
      #expect(!isTaken || model.bias(at: 90) == bias)
    }
  }

  @Test func whatIsOlderThanTwoHoursOfRestFades() throws {
    var model = BiasTemperature()
    model.learn(bias: .zero, temperature: 20, seconds: 3600)
    model.learn(bias: Vector3(0.1, 0, 0), temperature: 20, seconds: 3600)
    #expect(abs(try #require(model.bias(at: 20)).x - 0.05) < 1e-6)
    // The third takes a third of what the first two weigh.
    model.learn(bias: Vector3(0.2, 0, 0), temperature: 20, seconds: 2400)
    #expect(abs(try #require(model.bias(at: 20)).x - (0.05 * 4800 + 0.2 * 2400) / 7200) < 1e-5)
    model.learn(bias: Vector3(0.3, 0, 0), temperature: 20, seconds: 9000)
    #expect(abs(try #require(model.bias(at: 20)).x - 0.3) < 1e-5)
  }
}

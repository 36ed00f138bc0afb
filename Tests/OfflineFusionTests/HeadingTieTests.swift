import Foundation
import InertialFusion
import Quantities
import TestSupport
import Testing
import VehicleSimulation

@testable import OfflineFusion

private func about(_ axis: Vector3, _ angle: Double) -> Quaternion {
  let s = sin(angle / 2)
  return Quaternion(w: Float(cos(angle / 2)), x: axis.x * Float(s), y: axis.y * Float(s), z: axis.z * Float(s))
}

private let up = Vector3(0, 0, 1)

private func angle(_ a: Quaternion, _ b: Quaternion) -> Float { (a.conjugate * b).normalized.angle }

private func attitude(_ level: Quaternion) -> OfflineAttitude {
  var attitude = OfflineAttitude()
  attitude.isAligned = true
  attitude.levelFromBody = level
  attitude.earthFromBody = level
  return attitude
}

/// What two passes that end at the same moment say together.
@Suite struct HeadingTieTests {
  /// Half of the difference in tilt to either pass; half of the drift between them, whatever their headings began with.
  @Test func theMeanIsHalfwayInTiltAndHalfwayInDrift() {
    for origin in [0.0, 2, -3, 3.1] {
      for rate in [0.01, -0.02] {
        var tie = HeadingTie()
        for step in 0..<400 {
          let truth = about(Vector3(0, 1, 0), 0.3 * sin(0.1 * Double(step))) * about(up, 0.05 * Double(step))
          // Forward drifts by half of the rate one way, backward the other, for more than a whole turn.
          let drift = rate * Double(step)
          let tilt = about(Vector3(1, 0, 0), 0.02)
          let forward = about(up, drift / 2) * tilt * truth
          let backward = about(up, origin - drift / 2) * tilt.conjugate * truth
          // A quaternion and its opposite are one attitude; a filter may come to either.
          func signed(_ q: Quaternion, _ isOpposite: Bool) -> Quaternion {
            isOpposite ? Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) : q
          }
          let mean = tie.mean(
            attitude(signed(forward, step / 7 % 2 == 1)), attitude(signed(backward, step / 11 % 2 == 1))
          ).levelFromBody
          // The heading of the mean's frame is that of the forward pass at the beginning: no drift at all.
          let first = mean.rotate(truth.conjugate.rotate(up))
          #expect(abs(first.x) < 0.002 && abs(first.y) < 0.002, "\(origin) \(rate) \(step)")
          #expect(angle(mean, truth) < 0.02, "\(origin) \(rate) \(step): \(angle(mean, truth)) rad")
        }
      }
    }
  }

  @Test func theOtherSignOfAQuaternionIsTheSameAttitude() {
    for sign: Float in [1, -1] {
      var tie = HeadingTie()
      let a = about(Vector3(1, 0, 0), 0.5)
      var b = about(Vector3(1, 0, 0), 0.7)
      b = Quaternion(w: b.w * sign, x: b.x * sign, y: b.y * sign, z: b.z * sign)
      var (one, other) = (attitude(a), attitude(b))
      (one.headingUncertainty, other.headingUncertainty) = (0.1, 0.2)
      let mean = tie.mean(one, other)
      #expect(angle(mean.levelFromBody, about(Vector3(1, 0, 0), 0.6)) < 0.001)
      #expect(angle(mean.earthFromBody, about(Vector3(1, 0, 0), 0.6)) < 0.001)
    }
  }

  /// Each of the other answers: which of both, or both.
  @Test func eachAnswerIsThatOfThePassThatKnowsItOrOfBoth() {
    let (a, b) = (about(up, 0.2), about(up, 0.4))
    for (first, second) in [(Float(0.1), Float(0.3)), (0.1, .pi), (.pi, 0.3), (.pi, .pi)] {
      var (one, other) = (attitude(a), attitude(b))
      (one.headingUncertainty, other.headingUncertainty) = (first, second)
      (one.gyroBias, other.gyroBias) = (Vector3(0.01, 0, 0), Vector3(0.03, 0.02, 0))
      (one.restRatio, other.restRatio) = (0.5, 2)
      (one.magneticRatio, other.magneticRatio) = (3, 0.5)
      var tie = HeadingTie()
      let mean = tie.mean(one, other)
      #expect(mean.headingUncertainty == min(first, second))
      #expect((mean.gyroBias - Vector3(0.02, 0.01, 0)).length < 1e-6)
      #expect(mean.restRatio == 0.5 && mean.magneticRatio == 3 && mean.isAligned)
      let expected: Quaternion
      switch (first < .pi, second < .pi) {
      case (true, true): expected = about(up, 0.3)
      case (true, false): expected = a
      case (false, true): expected = b
      case (false, false): expected = mean.levelFromBody
      }
      #expect(angle(mean.earthFromBody, expected) < 0.001)
      // The same with the passes exchanged.
      var reverse = HeadingTie()
      let exchanged = reverse.mean(other, one)
      #expect(exchanged.headingUncertainty == mean.headingUncertainty && exchanged.restRatio == 0.5)
      #expect(exchanged.magneticRatio == 3 && angle(exchanged.earthFromBody, mean.earthFromBody) < 0.21)
    }
    for (one, other) in [(true, false), (false, true), (false, false), (true, true)] {
      var (x, y) = (attitude(a), attitude(b))
      (x.isAtRest, y.isAtRest) = (one, other)
      (x.gyroBias, y.gyroBias) = (Vector3(0.01, 0, 0), Vector3(0, 0.02, 0))
      var tie = HeadingTie()
      #expect(tie.mean(x, y).isAtRest == (one || other))
      // Where only one knows the vertical, it is that one's answer, whole.
      (x.isAligned, y.isAligned) = (one, other)
      let mean = tie.mean(x, y)
      if one != other { #expect(mean == (one ? x : y)) }
      if !one, !other { #expect(!mean.isAligned) }
    }
  }
}

/// The passes as a whole.
@Suite struct OfflinePassTests {
  private func samples(_ count: Int) -> [InertialSample] {
    var random = VehicleSimulation.SeededRandom(seed: 601)
    func noise(_ scale: Float) -> Vector3 {
      Vector3(Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())) * scale
    }
    var q = Quaternion.identity
    return (0..<count).map { step in
      let t = Float(step) * 0.01
      let rate =
        step > 400 && step < count - 300
        ? Vector3(1.5 * Elementary.sin(t), Elementary.cos(1.3 * t), 0.8 * Elementary.sin(0.7 * t)) : .zero
      q = (q * Quaternion(rotationVector: rate * 0.01)).normalized
      return InertialSample(
        time: .milliseconds(10 * step), angularRate: rate + Vector3(0.02, -0.01, 0.03) + noise(0.002),
        specificForce: q.conjugate.rotate(Vector3(0, 0, 9.80665)) + noise(0.03),
        magneticFluxDensity: step % 4 == 0
          ? q.conjugate.rotate(Vector3(0, 18, -44)) + Vector3(14, -9, 6) + noise(0.3) : nil)
    }
  }

  @Test func theWholeAnswerIsTheSame() {
    var all = samples(2400)
    all[900].angularRate?.x = .nan
    for place in 1500..<all.count { all[place].time = all[place].time + .seconds(5) }
    let (attitudes, rejections) = OfflineFusion().attitudes(of: all)
    var lines: [String] = []
    for place in stride(from: 0, to: all.count, by: 60) {
      let a = attitudes[place]
      let (l, e) = (a.levelFromBody, a.earthFromBody)
      lines.append(
        """
        \(place) level \(l.w) \(l.x) \(l.y) \(l.z) earth \(e.w) \(e.x) \(e.y) \(e.z) bias \(a.gyroBias.x) \(a.gyroBias.y) \
        \(a.gyroBias.z) heading \(a.headingUncertainty) ratios \(a.magneticRatio) \(a.restRatio) \
        \(a.isAtRest ? "rest" : "move") \(a.isAligned ? "aligned" : "lost")
        """)
    }
    lines.append("rejected \(rejections.total) stuck \(rejections.stuck) repeated \(rejections.repeatedMagnetometer)")
    let differences = differences(lines, fromGolden: "offline", within: 5e-6)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  /// The bias of every moment has the sign of the sensor's own, going forward and back.
  @Test func theBiasIsThatOfTheSensorAtEveryMoment() {
    let attitudes = OfflineFusion().attitudes(of: samples(2000)).attitudes
    #expect(attitudes.allSatisfy { ($0.gyroBias - Vector3(0.02, -0.01, 0.03)).length < 0.004 })
    #expect(attitudes[200].isAtRest && attitudes[1950].isAtRest && !attitudes[1000].isAtRest)
    #expect(attitudes[200].restRatio < 1 && attitudes[1000].restRatio > 1)
  }

  @Test func theShareThatIsDoneGrowsOverAllPasses() {
    // Told every 65,536 samples of each pass.
    let many = (0..<70_000).map {
      InertialSample(time: .milliseconds(10 * $0), specificForce: Vector3(0, 0, 9.8))
    }
    var shares: [Double] = []
    let attitudes = OfflineFusion().attitudes(of: many, progress: { shares.append($0) }).attitudes
    #expect(attitudes.count == 70_000 && shares.count == 5, "\(shares)")
    #expect(
      shares.first == 0 && zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 } && (shares.last ?? 2) < 1, "\(shares)"
    )
    #expect(shares.contains { abs($0 - 2.0 / 3) < 0.01 })
  }

  @Test func reversingTwiceIsGoingOn() {
    var parameters = AttitudeParameters()
    parameters.gyroscopeLatency = 0.01
    var filter = AttitudeFilter(parameters: parameters)
    // In the middle of a turn.
    for sample in samples(1200).prefix(800) { filter.update(with: sample) }
    #expect(angle(filter.levelFromBody, filter.reversed().reversed().levelFromBody) < 1e-4)
    filter.update(course: 1, uncertainty: 0.1)
    let back = filter.reversed()
    #expect(back.parameters.gyroscopeLatency == -0.01 && back.gyroBias == filter.gyroBias * -1)
    #expect(back.gyroScale == filter.gyroScale && back.hardIron == filter.hardIron && back.lastSampleTime == nil)
    #expect(back.state.course.variance == .infinity && !back.isAtRest && back.isAligned)
    // The turn of the last sample goes back: the attitude carried forward is the same.
    #expect(angle(back.levelFromBody, filter.levelFromBody) < 1e-4)
    let again = back.reversed()
    #expect(again.parameters == filter.parameters && again.gyroBias == filter.gyroBias)
    #expect(angle(again.levelFromBody, filter.levelFromBody) < 1e-4)
    #expect(abs(back.tiltUncertainty / filter.tiltUncertainty - 1) < 1e-5)
  }
}

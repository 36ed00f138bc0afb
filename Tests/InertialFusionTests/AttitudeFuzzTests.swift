import InertialFusion
import Quantities
import TestSupport
import Testing

/// A generator of samples without sense or measure, the same for a seed.
private struct Nonsense {
  var random: SeededRandom
  var time = Instant.zero
  private var last = InertialSample(time: .zero, angularRate: .zero, specificForce: Vector3(0, 0, 9.80665))
  private let special: [Float] = [
    0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-30, 1e-12, 1, -1, 9.80665,
    -9.80665, 199.9, -199.9, 3999, -3999, 1e19, -3e38, .nan, .infinity, -.infinity,
  ]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func value(_ scale: Float) -> Float {
    if random.oneIn(25) { return special[Int.random(in: special.indices, using: &random)] }
    return Float(random.normal()) * scale
  }

  private mutating func vector(_ scale: Float) -> Vector3 {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .zero
    case 1: return Vector3(0, 0, scale)
    case 2: return Vector3(0, 0, -scale)
    case 3: return Vector3(scale, 0, 0)
    case 4: return Vector3(value(1e-38), value(.leastNonzeroMagnitude), 0)
    default: return Vector3(value(scale), value(scale), value(scale))
    }
  }

  /// From a microsecond to an hour, mostly tens of milliseconds; now and then none at all, or back.
  private mutating func interval() -> Int64 {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return 1
    case 1: return Int64.random(in: 1...1000, using: &random)
    case 2: return Int64.random(in: 100_000...2_500_000, using: &random)
    case 3: return random.oneIn(10) ? Int64.random(in: 2_500_001...3_600_000_000, using: &random) : 2_400_000
    case 4: return random.oneIn(2) ? 0 : -5000
    default: return Int64.random(in: 1000...40_000, using: &random)
    }
  }

  mutating func next() -> InertialSample {
    time = time + Interval(microseconds: interval())
    last.time = time
    // Some samples are repeated as they are, for a while.
    if random.oneIn(3) { return last }
    last.angularRate = random.oneIn(20) ? nil : vector(random.oneIn(4) ? 60 : 1)
    last.specificForce = random.oneIn(20) ? nil : vector(random.oneIn(4) ? 2000 : 9.80665)
    last.magneticFluxDensity = random.oneIn(3) ? nil : vector(random.oneIn(6) ? 3000 : 45)
    return last
  }
}

/// What is wrong with the filter's answers; nil when nothing is.
private func fault(of filter: AttitudeFilter) -> String? {
  // A NaN fails these comparisons too.
  if !(filter.levelFromBody.normError < 1e-3) { return "levelFromBody \(filter.levelFromBody)" }
  if !(filter.earthFromBody.normError < 1e-3) { return "earthFromBody \(filter.earthFromBody)" }
  if !(filter.gyroBias.length < 1) { return "gyroBias \(filter.gyroBias)" }
  if !(filter.gyroScale.length < 0.1) { return "gyroScale \(filter.gyroScale)" }
  if !filter.hardIron.isFinite { return "hardIron \(filter.hardIron)" }
  if !(filter.tiltUncertainty >= 0 && filter.tiltUncertainty <= 2) { return "tilt ± \(filter.tiltUncertainty)" }
  if !(filter.gyroBiasUncertainty >= 0 && filter.gyroBiasUncertainty < 1) {
    return "bias ± \(filter.gyroBiasUncertainty)"
  }
  if !(filter.headingUncertainty >= 0 && filter.headingUncertainty <= .pi) {
    return "heading ± \(filter.headingUncertainty)"
  }
  let evidence = filter.evidence
  if !evidence.rest.isFinite || !evidence.misalignment.isFinite || !evidence.magneticRelearning.isFinite
    || evidence.magneticDisturbance.isNaN
  {
    return "evidence \(evidence)"
  }
  return nil
}

/// No input, however absurd, makes an output that is no number, and none spoils the filter for good.
@Suite struct AttitudeFuzzTests {
  @Test(arguments: 0..<40)
  func noInputMakesAnOutputThatIsNoNumber(seed: Int) {
    var nonsense = Nonsense(seed: UInt64(1000 + seed))
    var filter = AttitudeFilter()
    for step in 0..<6000 {
      if nonsense.random.oneIn(50) {
        filter.update(
          course: nonsense.random.oneIn(9) ? .nan : Float(nonsense.random.normal()) * 5,
          uncertainty: nonsense.random.oneIn(9) ? 1e-30 : Float(nonsense.random.uniform()))
      }
      filter.update(with: nonsense.next())
      if let fault = fault(of: filter) {
        Issue.record("seed \(seed), sample \(step): \(fault)")
        return
      }
    }
    // Afterwards a quiet minute puts it right.
    var body = TumblingBody(seed: 81)
    body.restUntil = .infinity
    body.earthFromBody = nonsense.random.attitude()
    let start = nonsense.time
    for sample in body.samples(seconds: 60, hertz: 50) {
      var later = sample
      later.time = start + .seconds(1) + (sample.time - .zero)
      filter.update(with: later)
    }
    #expect(degreesOfTilt(filter.levelFromBody, body.earthFromBody) < 1, "seed \(seed)")
    #expect(filter.isAtRest, "seed \(seed)")
  }

  /// Forces exactly along the vertical, against it, and none; rates exactly zero; fields exactly vertical.
  @Test func exactAlignmentIsNoDivisionByZero() {
    let ups = [Vector3(0, 0, 9.80665), Vector3(0, 0, -9.80665), Vector3(9.80665, 0, 0), .zero]
    let fields = [Vector3(0, 0, -44), Vector3(0, 0, 44), Vector3(0, 20, 0), .zero, Vector3(0, 1e-30, 0)]
    let rates = [Vector3.zero, Vector3(0, 0, .pi), Vector3(.leastNonzeroMagnitude, 0, 0)]
    for first in ups {
      for second in ups {
        for field in fields {
          for rate in rates {
            var filter = AttitudeFilter()
            for step in 1...120 {
              filter.update(
                with: InertialSample(
                  time: .milliseconds(20 * step), angularRate: rate, specificForce: step < 60 ? first : second,
                  magneticFluxDensity: field * (step % 2 == 0 ? 1 : 1.001)))
              if let fault = fault(of: filter) {
                Issue.record("\(first), \(second), \(field), \(rate): \(fault)")
                return
              }
            }
          }
        }
      }
    }
  }

  /// Nothing but the same sample, for an hour, at any rate.
  @Test(arguments: [1, 5, 50, 400])
  func theSameSampleForEverIsBorne(hertz: Int) {
    var filter = AttitudeFilter()
    for step in 1...(hertz == 400 ? 40_000 : 3600 * min(hertz, 5)) {
      filter.update(
        with: InertialSample(
          time: Instant(microseconds: Int64(1_000_000 / hertz * step)), angularRate: Vector3(0.01, 0, 0),
          specificForce: Vector3(5, 0, 8.4), magneticFluxDensity: Vector3(3, 20, -40)))
    }
    #expect(fault(of: filter) == nil)
    let up = filter.levelFromBody.rotate(Vector3(5, 0, 8.4))
    #expect(up.x * up.x + up.y * up.y < 0.03, "\(up)")
    #expect(filter.rejections.total == 0)
  }

  /// Batches of any content and length.
  @Test func noBatchMakesAnOutputThatIsNoNumber() {
    var nonsense = Nonsense(seed: 82)
    for _ in 0..<20 {
      var filter = AttitudeFilter()
      for step in 0..<1000 {
        var sample = nonsense.next()
        var batch = InertialBatch(following: filter)
        for _ in 0..<Int.random(in: 0..<9, using: &nonsense.random) {
          sample = nonsense.next()
          batch.add(
            angularRate: sample.angularRate ?? .zero, specificForce: sample.specificForce ?? .zero,
            seconds: nonsense.random.oneIn(20) ? 0.9 : Float(nonsense.random.uniform()) * 0.03)
        }
        filter.update(with: batch, endingAt: sample.time, magneticFluxDensity: sample.magneticFluxDensity)
        if let fault = fault(of: filter) {
          Issue.record("batch \(step): \(fault)")
          return
        }
      }
    }
  }
}

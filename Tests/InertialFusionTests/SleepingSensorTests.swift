import InertialFusion
import Quantities
import Testing

/// A sensor that sleeps for most of the time, with a gyroscope whose bias wanders meanwhile.
@Suite struct SleepingSensorTests {
  private struct Part {
    var time = Instant.zero
    var bias: Float = 0.02
    private var count = 0.0

    /// Nine numbers in ten are as good as noise: white to the filter, and the same on every machine.
    private mutating func noise() -> Float {
      count += 1
      return Float(Elementary.sin(count * count * 0.7))
    }

    mutating func next() -> InertialSample {
      time = time + .milliseconds(80)
      return InertialSample(
        time: time, angularRate: Vector3(bias, 0, 0) + Vector3(noise(), noise(), noise()) * 0.004,
        specificForce: Vector3(0, 0, 9.81) + Vector3(noise(), noise(), noise()) * 0.04)
    }
  }

  /// Heard for nine seconds an hour, as a tracker with sleeping sensors does (`docs/simulation.md`).
  @Test func aBiasThatWandersFromSleepToSleepIsFollowed() {
    var part = Part()
    var filter = AttitudeFilter()
    for _ in 0..<3750 { filter.update(with: part.next()) }
    #expect((filter.gyroBias.x - part.bias).magnitude < 0.001 && filter.isAtRest)
    for hour in 1...12 {
      part.time = part.time + .seconds(3591)
      part.bias += 0.0018
      for _ in 0..<112 { filter.update(with: part.next()) }
      #expect((filter.gyroBias.x - part.bias).magnitude < 0.001, "\(hour): \(filter.gyroBias.x) and \(part.bias)")
      #expect(filter.isAtRest)
    }
  }

  @Test func afterALongSleepTheBiasIsKnownLessAndNeverLessThanAtFirst() {
    func uncertainty(after seconds: Int) -> Float {
      var part = Part()
      var filter = AttitudeFilter()
      for _ in 0..<3750 { filter.update(with: part.next()) }
      part.time = part.time + .seconds(seconds)
      filter.update(with: part.next())
      return filter.gyroBiasUncertainty
    }
    let (short, hour, year) = (uncertainty(after: 59), uncertainty(after: 3600), uncertainty(after: 31_536_000))
    #expect(hour > 1.5 * short && year > 10 * hour, "\(short), \(hour) and \(year)")
    #expect(year <= AttitudeParameters().initialBiasUncertainty * 1.001)
  }
}

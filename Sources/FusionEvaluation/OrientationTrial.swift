/// A recording of an inertial and magnetic sensor with the true orientation beside it.
///
/// Held in double precision and flat, three or four numbers to a sample, because peers written in C take it so.
public struct OrientationTrial: Sendable, Equatable {
  /// What tables call it; for a file its name without endings.
  public var name: String
  /// Time of each sample, s.
  public var times: [Double] = []
  /// Angular rate, rad/s, sensor frame; three per sample.
  public var angularRate: [Double] = []
  /// Specific force, m/s², sensor frame; three per sample.
  public var specificForce: [Double] = []
  /// Magnetic flux density, µT, sensor frame; three per sample.
  public var magneticFluxDensity: [Double] = []
  /// True orientation, `earthFromSensor`, scalar first, earth ENU; four per sample, NaN where it is not known.
  public var reference: [Double] = []
  /// True while the sensor is moved: only then errors count. False at rest.
  public var isMoving: [Bool] = []

  /// A trial without samples.
  public init(name: String) { self.name = name }

  /// Samples.
  public var count: Int { times.count }

  /// Time from sample to sample, s: the median over 64 steps, so that neither a gap nor stamps in bunches change it; 0 with fewer than two
  /// samples.
  public var period: Double {
    guard count > 1 else { return 0 }
    let span = count > 128 ? 64 : 1
    let steps = (span..<count).map { (times[$0] - times[$0 - span]) / Double(span) }.sorted()
    return steps[steps.count / 2]
  }

  /// Only every `step`-th sample, the last of each group: where a filter that reads its sensor in batches has an
  /// estimate. What is left over at the end is dropped.
  public func lastOfEach(_ step: Int) -> OrientationTrial {
    var result = OrientationTrial(name: name)
    for last in stride(from: step - 1, to: count, by: step) {
      result.times.append(times[last])
      result.angularRate += angularRate[3 * last..<3 * last + 3]
      result.specificForce += specificForce[3 * last..<3 * last + 3]
      result.magneticFluxDensity += magneticFluxDensity[3 * last..<3 * last + 3]
      result.reference += reference[4 * last..<4 * last + 4]
      result.isMoving.append(isMoving[last])
    }
    return result
  }
}

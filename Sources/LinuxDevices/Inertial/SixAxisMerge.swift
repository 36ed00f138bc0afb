import Quantities

/// Makes one stream of six axes from an accelerometer and a gyroscope that are two devices.
///
/// The gyroscope leads: each of its samples becomes one, with its time, as rotation is integrated and must not be doubled or
/// left out. To it comes the specific force that is nearest in time. To know which that is, a sample waits until the
/// accelerometer has one that is not earlier, but not longer than `waitLimit`; then the last specific force holds, unless it
/// is older than `holdLimit`: then there is none. Specific force between two samples of the gyroscope that is nearest to
/// neither is left out.
struct SixAxisMerge {
  /// How long a sample of the gyroscope waits for one of the accelerometer.
  static let waitLimit = Interval.milliseconds(30)
  /// How long specific force holds.
  static let holdLimit = Interval.milliseconds(100)
  private static let capacity = 4096

  private var rates: [InertialSample] = []
  private var forces: [InertialSample] = []

  init() {}

  /// Takes a sample of the gyroscope.
  mutating func add(rate sample: InertialSample) { if rates.count < Self.capacity { rates.append(sample) } }

  /// Takes a sample of the accelerometer.
  mutating func add(force sample: InertialSample) {
    if forces.count == Self.capacity { forces.removeFirst() }
    forces.append(sample)
  }

  /// When the oldest sample stops waiting; nil when none waits.
  var nextDeadline: Instant? { rates.first.map { $0.time + Self.waitLimit } }

  /// Hands out what is complete, or has waited long enough.
  mutating func drain(at now: Instant, into sink: (InertialSample) -> Void) {
    var given = 0
    for sample in rates {
      let next = forces.firstIndex { $0.time >= sample.time }
      guard next != nil || now - sample.time >= Self.waitLimit else { break }
      given += 1
      let earlier = next.map { $0 - 1 } ?? forces.count - 1
      var chosen: InertialSample?
      if let next { chosen = forces[next] }
      if earlier >= 0 {
        let before = forces[earlier]
        if let after = chosen, after.time - sample.time < sample.time - before.time {} else { chosen = before }
      }
      var whole = sample
      if let chosen, max(chosen.time - sample.time, sample.time - chosen.time) <= Self.holdLimit {
        whole.specificForce = chosen.specificForce
      }
      sink(whole)
      if earlier > 0 { forces.removeFirst(earlier) }
    }
    rates.removeFirst(given)
  }
}

import Quantities

/// The samples of one interval, averaged.
struct MountInterval: BitwiseCopyable {
  private(set) var force = WindowStatistics()
  private(set) var rate = WindowStatistics()

  mutating func add(_ sample: InertialSample) {
    if let value = sample.specificForce { force.add(value) }
    if let value = sample.angularRate { rate.add(value) }
  }

  /// The next interval; the means of this one are near its own.
  mutating func restart() {
    force = WindowStatistics(reference: force.mean)
    rate = WindowStatistics(reference: rate.mean)
  }

  /// Enough of it to speak of a mean.
  var isFilled: Bool { force.count >= 4 }
  /// There was a gyroscope.
  var hasRate: Bool { rate.count >= 4 }
}

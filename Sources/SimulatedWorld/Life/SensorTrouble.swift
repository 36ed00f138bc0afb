import Quantities

/// A way in which a sensor goes wrong for a time.
package enum SensorFault: String, CaseIterable, Sendable {
  /// The inertial sensor repeats its last reading.
  case freeze
  /// Its readings are no numbers.
  case notANumber
  /// It gives nothing.
  case dropOut
  /// Two of its axes have changed places.
  case swappedAxes
  /// Its readings are stamped three seconds too early.
  case timeBack
  /// Every other reading is missing.
  case halfRate
  /// The receiver gives nothing.
  case noFixes
}

/// What goes wrong with the sensors at a time.
struct SensorTrouble {
  private var faults: [(fault: SensorFault, until: Instant)] = []
  private var last: InertialSample?
  private var count = 0

  /// A fault begins.
  mutating func begin(_ fault: SensorFault, until end: Instant) { faults.append((fault, end)) }

  /// What the tracker gets of a reading; nil for nothing.
  mutating func pass(_ sample: InertialSample) -> InertialSample? {
    let now = sample.time
    faults.removeAll { $0.until <= now }
    guard !faults.isEmpty else {
      last = sample
      return sample
    }
    count &+= 1
    var result = sample
    for (fault, _) in faults {
      switch fault {
      case .freeze:
        result.angularRate = last?.angularRate ?? result.angularRate
        result.specificForce = last?.specificForce ?? result.specificForce
      case .notANumber:
        result.angularRate = result.angularRate.map { _ in Vector3(.nan, .nan, .nan) }
        result.specificForce = result.specificForce.map { Vector3($0.x, .nan, $0.z) }
      case .dropOut: return nil
      case .swappedAxes:
        result.angularRate = result.angularRate.map { Vector3($0.y, $0.x, $0.z) }
        result.specificForce = result.specificForce.map { Vector3($0.y, $0.x, $0.z) }
      case .timeBack: result.time = result.time - .seconds(3)
      case .halfRate: if count % 2 == 0 { return nil }
      case .noFixes: break
      }
    }
    return result
  }

  /// True when the receiver gives nothing at a time.
  func hidesFix(at time: Instant) -> Bool { faults.contains { $0.fault == .noFixes && $0.until > time } }
}

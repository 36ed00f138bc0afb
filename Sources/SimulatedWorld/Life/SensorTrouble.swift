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
  private var upAxis: Int?
  private var swapEnd: Instant?

  /// A fault begins.
  mutating func begin(_ fault: SensorFault, until end: Instant) {
    faults.append((fault, end))
    if fault == .swappedAxes { swapEnd = max(swapEnd ?? end, end) }
  }

  /// What the tracker gets of a reading; nil for nothing.
  mutating func pass(_ sample: InertialSample) -> InertialSample? {
    let now = sample.time
    faults.removeAll { $0.until <= now }
    guard !faults.isEmpty else {
      last = sample
      upAxis = nil
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
        let up = upAxis ?? SensorTrouble.longest(last?.specificForce ?? Vector3(0, 0, 1))
        upAxis = up
        result.angularRate = result.angularRate.map { SensorTrouble.swapped($0, up) }
        result.specificForce = result.specificForce.map { SensorTrouble.swapped($0, up) }
      case .timeBack: result.time = result.time - .seconds(3)
      case .halfRate: if count % 2 == 0 { return nil }
      case .noFixes: break
      }
    }
    return result
  }

  /// The axis that points up most changes places with the next: without a change of gravity nothing could tell.
  private static func swapped(_ vector: Vector3, _ up: Int) -> Vector3 {
    switch up {
    case 0: return Vector3(vector.y, vector.x, vector.z)
    case 1: return Vector3(vector.x, vector.z, vector.y)
    default: return Vector3(vector.z, vector.y, vector.x)
    }
  }

  private static func longest(_ vector: Vector3) -> Int {
    let (x, y, z) = (vector.x.magnitude, vector.y.magnitude, vector.z.magnitude)
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2
  }

  /// True when axes have changed places after a time.
  func swapsAxes(after time: Instant) -> Bool { swapEnd.map { $0 > time } ?? false }

  /// True when a sensor is out of order at a time.
  func isPresent(at time: Instant) -> Bool { faults.contains { $0.until > time } }

  /// True when the inertial sensor is out of order at a time.
  func touchesReadings(at time: Instant) -> Bool { faults.contains { $0.fault != .noFixes && $0.until > time } }

  /// True when the receiver gives nothing at a time.
  func hidesFix(at time: Instant) -> Bool { faults.contains { $0.fault == .noFixes && $0.until > time } }
}

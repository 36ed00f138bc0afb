import Quantities

/// A way in which the sensor of a wheel goes wrong for a time.
package enum WheelFault: String, CaseIterable, Sendable {
  /// It says nothing.
  case silent
  /// It counts nothing: the magnet is lost.
  case stuck
  /// Every third pulse is missed.
  case missed
  /// Every third pulse counts twice, as a contact bounces.
  case doubled
}

/// The sensor of a wheel: it counts what the wheel truly turns.
package struct LifeWheel: Sendable {
  /// Way of the wheel from pulse to pulse, m.
  package var metresPerPulse: Double
  /// What has turned since the last pulse, as a share.
  private var part = 0.0
  private var turned: UInt64 = 0
  private var count: UInt32 = 0
  private var faults: [(fault: WheelFault, until: Instant)] = []

  /// A wheel that stands.
  package init(metresPerPulse: Double) { self.metresPerPulse = metresPerPulse }

  /// A fault begins.
  mutating func begin(_ fault: WheelFault, until end: Instant) { faults.append((fault, end)) }

  /// The wheel rolls.
  mutating func roll(_ metres: Double, at time: Instant) {
    part += metres / metresPerPulse
    while part >= 1 {
      part -= 1
      turned += 1
      var pulses: UInt32 = 1
      for (fault, end) in faults where end > time {
        switch fault {
        case .stuck: pulses = 0
        case .missed: if turned % 3 == 0 { pulses = 0 }
        case .doubled: if turned % 3 == 0, pulses > 0 { pulses = 2 }
        case .silent: break
        }
      }
      count &+= pulses
    }
  }

  /// What it says; nil for nothing.
  mutating func reading(at time: Instant) -> WheelReading? {
    faults.removeAll { $0.until <= time }
    guard !faults.contains(where: { $0.fault == .silent }) else { return nil }
    return WheelReading(time: time, pulses: count)
  }
}

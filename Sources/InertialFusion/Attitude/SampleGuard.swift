import Quantities

/// Counts of samples that were not used, or used with suspicion, by reason.
public struct InertialRejections: Equatable, BitwiseCopyable, Sendable {
  /// Not later than the sample before it: not used.
  public internal(set) var outOfOrder: UInt32 = 0
  /// A value was NaN or infinite: not used.
  public internal(set) var notFinite: UInt32 = 0
  /// Neither angular rate nor specific force (for the lite filter: no specific force before the first): not used.
  public internal(set) var empty: UInt32 = 0
  /// Beyond what any part for vehicles measures, 200 rad/s or 4,000 m/s² and more: not used.
  public internal(set) var outOfRange: UInt32 = 0
  /// At the end of the sensor's range: used, and the attitude trusted less.
  public internal(set) var clipped: UInt32 = 0
  /// Windows of a tenth of a second at the end of two seconds in which one axis never changed, though it was not at rest
  /// and the others did: used, and the attitude trusted less.
  public internal(set) var stuck: UInt32 = 0
  /// Magnetometer values equal to the one before, or not finite: not used as new.
  public internal(set) var repeatedMagnetometer: UInt32 = 0

  /// Those that were not used.
  @inlinable public var total: UInt32 { outOfOrder &+ notFinite &+ empty &+ outOfRange }

  /// None yet.
  @usableFromInline init() {}
}

/// Finds an axis that stands still while the others move.
struct StuckAxes: Equatable, BitwiseCopyable, Sendable {
  private var runs: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0, 0)

  /// Windows in a row that make an axis stuck.
  static var limit: UInt8 { 20 }

  /// Takes the axes in that stood still in a window, one bit each.
  ///
  /// - Returns: True when one is stuck.
  mutating func update(unchanged axes: UInt8) -> Bool {
    func next(_ run: UInt8, _ bit: UInt8) -> UInt8 { axes & bit == 0 ? 0 : min(run, 254) + 1 }
    runs = (
      next(runs.0, 1), next(runs.1, 2), next(runs.2, 4), next(runs.3, 8), next(runs.4, 16), next(runs.5, 32)
    )
    return isStuck
  }

  /// True while an axis is stuck.
  var isStuck: Bool {
    max(max(runs.0, max(runs.1, runs.2)), max(runs.3, max(runs.4, runs.5))) >= StuckAxes.limit
  }

  static func == (a: StuckAxes, b: StuckAxes) -> Bool { a.runs == b.runs }
}

extension Vector3 {
  /// A number that differs when a component differs, but for one time in 65,536: one reading lost.
  var fold: UInt32 {
    let a = x.bitPattern &* 0x9E37_79B1
    let b = (y.bitPattern ^ (a >> 15)) &* 0x85EB_CA77
    let c = ((z.bitPattern ^ (b >> 13)) &* 0xC2B2_AE3D) ^ a ^ b
    return c ^ (c >> 16)
  }

  /// Whether a component has the magnitude of a limit or more; a limit of 0 is none.
  @inline(never) func reaches(_ limit: Float) -> Bool {
    limit > 0 && (x.magnitude >= limit || y.magnitude >= limit || z.magnitude >= limit)
  }
}

extension InertialSample {
  /// Whether a component is at the end of its range: at 99 % or beyond. A range of 0 is unknown.
  ///
  /// - Parameters:
  ///   - rateRange: Full scale of the gyroscope, rad/s.
  ///   - forceRange: Full scale of the accelerometer, m/s².
  func isClipped(_ rateRange: Float, _ forceRange: Float) -> Bool {
    (angularRate?.reaches(0.99 * rateRange) ?? false) || (specificForce?.reaches(0.99 * forceRange) ?? false)
  }
}

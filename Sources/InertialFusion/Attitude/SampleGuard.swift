import Quantities

/// Counts of samples that were not used, or used with suspicion, by reason.
public struct InertialRejections: Equatable, BitwiseCopyable, Sendable {
  /// Not later than the sample before it: not used.
  public internal(set) var outOfOrder: UInt32 = 0
  /// A value was NaN or infinite: not used.
  public internal(set) var notFinite: UInt32 = 0
  /// Neither angular rate nor specific force: not used.
  public internal(set) var empty: UInt32 = 0
  /// Beyond what any part for vehicles measures, more than 200 rad/s or 4,000 m/s²: not used.
  public internal(set) var outOfRange: UInt32 = 0
  /// At the end of the sensor's range: used, and the attitude trusted less.
  public internal(set) var clipped: UInt32 = 0
  /// Part of a run in which one axis never changed while the others did: used, and the attitude trusted less.
  public internal(set) var stuck: UInt32 = 0
  /// Magnetometer values equal to the one before, or not finite: not used as new.
  public internal(set) var repeatedMagnetometer: UInt32 = 0

  /// Those that were not used.
  @inlinable public var total: UInt32 { outOfOrder &+ notFinite &+ empty &+ outOfRange }

  init() {}
}

/// Finds an axis that stands still while the others move.
public struct StuckAxisDetector: Equatable, BitwiseCopyable, Sendable {
  private var last = Vector3.zero
  private var runX: UInt8 = 0
  private var runY: UInt8 = 0
  private var runZ: UInt8 = 0

  /// Equal values in a row on one axis, with another axis changing in almost each, that make it stuck.
  public static var limit: UInt8 { 200 }

  init() {}

  /// True when an axis has not changed for `limit` samples in which both others did.
  ///
  /// A sensor at rest with a coarse converter repeats values on all axes: a repetition counts only where the two other axes
  /// have changed with the same sample.
  @inline(__always)
  mutating func update(with v: Vector3) -> Bool {
    let x = v.x == last.x
    let y = v.y == last.y
    let z = v.z == last.z
    if (x || y) || z {
      note(v, x, y, z)
    } else {
      runX = 0
      runY = 0
      runZ = 0
    }
    last = v
    return max(runX, max(runY, runZ)) >= StuckAxisDetector.limit
  }

  mutating func note(_ v: Vector3, _ x: Bool, _ y: Bool, _ z: Bool) {
    runX = x ? (y || z ? runX : min(runX, 254) + 1) : 0
    runY = y ? (x || z ? runY : min(runY, 254) + 1) : 0
    runZ = z ? (x || y ? runZ : min(runZ, 254) + 1) : 0
  }
}

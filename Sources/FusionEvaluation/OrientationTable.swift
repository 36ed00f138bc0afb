public import Quantities
import Recording
public import TrackerRuntime

/// One recording with its reference, whole in memory: what evaluations and benchmarks run a filter over.
///
/// - Complexity: about 120 bytes a row.
public struct OrientationTable: Sendable {
  /// The file, as given.
  public var file: String
  /// Time of each row, s; NaN where it can't be read.
  public var times: [Double] = []
  /// The reading of each row; nil where there is none that a filter could use.
  public var samples: [InertialSample?] = []
  /// Earth from sensor as a reference system measured it; `missing` where it did not.
  public var references: [PreciseQuaternion] = []
  /// Whether it moved; nil when there is no such column. Rows without a value count as still.
  public var isMoving: [Bool]?
  /// True when there are columns of a magnetometer.
  public var hasMagnetometer: Bool
  /// True when there are columns of a reference.
  public var hasReference: Bool

  /// Number of rows.
  public var count: Int { times.count }

  /// Rows per second, from the median step.
  public var hertz: Double { RestScore.hertz(ofTimes: times) }

  /// Reads a CSV file (gzip allowed) with inertial columns, and a reference where it has one.
  public init(path: String) throws(RecordingError) {
    try self.init(InertialRows(path: path), file: path)
  }

  /// Reads a CSV file that need have nothing but times and a reference.
  public init(referencePath path: String) throws(RecordingError) {
    try self.init(InertialRows(referencePath: path), file: path)
  }

  private init(_ rows: InertialRows, file: String) throws(RecordingError) {
    self.file = file
    hasReference = rows.hasReference
    hasMagnetometer = rows.hasMagnetometer ?? false
    var movement: [Bool] = []
    while let row = try rows.next() {
      times.append(row.time?.secondsDouble ?? .nan)
      samples.append(row.sample)
      references.append(row.reference.map(PreciseQuaternion.init) ?? .missing)
      movement.append(row.isMoving ?? false)
    }
    if rows.hasMovement { isMoving = movement }
  }
}

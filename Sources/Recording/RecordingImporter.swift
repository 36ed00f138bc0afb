public import Quantities
public import TrackerCore
import TrackerRuntime

/// What the instants of a recording mean.
public struct Timeline: Equatable, Sendable {
  /// Where instants come from.
  public enum Basis: Equatable, Sendable {
    /// A column of elapsed seconds, or the clock of the tracker: recordings of one ride share its zero.
    case elapsed
    /// UTC or the time of day: zero is the first time of this recording alone.
    case firstTime
  }

  /// Where instants come from.
  public var basis: Basis
  /// UTC at instant zero, where known.
  public var utcAtZero: UTCTime?
  /// Microseconds since midnight UTC at instant zero, where only the time of day is known.
  public var timeOfDayAtZero: Int64?

  /// A timeline from its parts.
  public init(basis: Basis, utcAtZero: UTCTime? = nil, timeOfDayAtZero: Int64? = nil) {
    self.basis = basis
    self.utcAtZero = utcAtZero
    self.timeOfDayAtZero = timeOfDayAtZero
  }
}

/// The inputs of a recording, one after another, in constant memory.
///
/// Instants never go back, except in a Leash log, which gives back exactly what was written. Bad rows are counted in
/// `reports`.
public protocol RecordingImporter: AnyObject {
  /// The format in a few words, such as `NMEA log`.
  var formatName: String { get }
  /// What was passed over, one report per file.
  var reports: [ImportReport] { get }
  /// What the instants mean.
  var timeline: Timeline { get }
  /// The bytes of the last input returned, when it has some; valid until the next call of `next`.
  var payload: [UInt8] { get }
  /// The next input; nil at the end.
  ///
  /// - Throws: when the file ends too early or can't be read further; everything before was delivered.
  func next() throws(RecordingError) -> TrackerInput?
}

extension RecordingImporter {
  /// No bytes: most formats hold samples only.
  public var payload: [UInt8] { [] }
}

public import Quantities

/// One input of a recording, in the form in which a tracker takes it.
///
/// Bytes are not part of the value: they lie in the importer's `payload` until its next call, so that nothing is
/// allocated per input.
public enum RecordedInput: Equatable, Sendable {
  /// A reading of the inertial sensor.
  case inertial(InertialSample)
  /// What a satellite receiver knew at one epoch.
  case fix(GNSSFix)
  /// A reading of a slow sensor.
  case reading(Reading)
  /// Bytes that arrived at a port; they are in `payload`.
  case bytes(port: UInt8, time: Instant)
  /// Time moved on without anything else.
  case tick(Instant)
  /// A command from the owner; its encoding is in `payload`.
  case command(Instant)
  /// Everybody who wants a packet has it.
  case acknowledgement(Instant, sequence: UInt32)
  /// A receiver has a packet, or will never have it because none of its ways can carry it.
  case settlement(Instant, sequence: UInt32, receiver: UInt8, isDelivered: Bool)
  /// The spool took a packet, or could not.
  case spooled(Instant, sequence: UInt32, isKept: Bool)
  /// A packet came back from the spool, for those who do not have it; its section is in `payload`.
  case recalled(Instant, pending: UInt8)
  /// So many packets are in the spool.
  case spoolCount(Instant, UInt32)
  /// The tracker goes on where an earlier life was; its state is in `payload`.
  case restoration(Instant)

  /// When it happened.
  public var time: Instant {
    switch self {
    case .inertial(let sample): sample.time
    case .fix(let fix): fix.time
    case .reading(let reading): reading.time
    case .bytes(_, let time), .tick(let time), .command(let time), .restoration(let time),
      .acknowledgement(let time, _), .settlement(let time, _, _, _), .spooled(let time, _, _), .recalled(let time, _),
      .spoolCount(let time, _):
      time
    }
  }

  /// The same input, later by `shift`.
  public func shifted(by shift: Interval) -> RecordedInput {
    guard shift != .zero else { return self }
    switch self {
    case .inertial(var sample):
      sample.time = sample.time + shift
      return .inertial(sample)
    case .fix(var fix):
      fix.time = fix.time + shift
      return .fix(fix)
    case .reading(var reading):
      reading.time = reading.time + shift
      return .reading(reading)
    case .bytes(let port, let time): return .bytes(port: port, time: time + shift)
    case .tick(let time): return .tick(time + shift)
    case .command(let time): return .command(time + shift)
    case .acknowledgement(let time, let sequence): return .acknowledgement(time + shift, sequence: sequence)
    case .settlement(let time, let sequence, let receiver, let isDelivered):
      return .settlement(time + shift, sequence: sequence, receiver: receiver, isDelivered: isDelivered)
    case .spooled(let time, let sequence, let isKept):
      return .spooled(time + shift, sequence: sequence, isKept: isKept)
    case .recalled(let time, let pending): return .recalled(time + shift, pending: pending)
    case .spoolCount(let time, let count): return .spoolCount(time + shift, count)
    case .restoration(let time): return .restoration(time + shift)
    }
  }

  /// Place among inputs of the same instant when recordings are merged: the sensor first, as its reading is the oldest
  /// news by the time it arrives, then fixes, then bytes and the rest.
  var mergeRank: UInt8 {
    switch self {
    case .restoration, .inertial: 0
    case .fix, .reading: 1
    case .bytes: 2
    case .tick: 3
    case .acknowledgement, .settlement, .spooled, .recalled, .spoolCount: 4
    case .command: 5
    }
  }
}

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
  func next() throws(RecordingError) -> RecordedInput?
}

extension RecordingImporter {
  /// No bytes: most formats hold samples only.
  public var payload: [UInt8] { [] }
}

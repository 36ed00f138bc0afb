public import Quantities
public import TrackerCore

/// One record of a Leash log. Bytes that belong to it lie in the reader's `payload` until the next call.
public enum LogRecord: Equatable, Sendable {
  /// The configuration; its text is in `payload`.
  case configuration
  /// Something that went into the tracker.
  case input(TrackerInput)
  /// Something the tracker did; its encoding is in `payload`.
  case action(Instant)
  /// Bytes the tracker sent; they are in `payload`.
  case output(port: UInt8, time: Instant)
  /// A remark; its text is in `payload`.
  case note(Instant)
  /// The log goes on where another ended, whose name is in `payload`.
  case continuation

  /// When it happened; nil for the configuration.
  public var time: Instant? {
    switch self {
    case .configuration, .continuation: return nil
    case .input(let input): return input.time
    case .action(let time), .note(let time), .output(_, let time): return time
    }
  }
}

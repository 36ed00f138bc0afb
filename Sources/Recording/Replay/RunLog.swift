public import Quantities
public import TrackerCore

/// Where a run records its inputs and what the tracker does, in their order.
public protocol RunLog: AnyObject {
  /// The configuration as text; the first record.
  func append(configuration: Span<UInt8>) throws(RecordingError)
  /// An input, with the bytes of those that have some.
  func append(_ input: RecordedInput, bytes: Span<UInt8>) throws(RecordingError)
  /// Time moved on to this instant.
  func append(tick time: Instant) throws(RecordingError)
  /// The server's acknowledgement of a packet.
  func append(acknowledgement sequence: UInt32, at time: Instant) throws(RecordingError)
  /// Something the tracker did, as JSON.
  func append(action: Span<UInt8>, at time: Instant) throws(RecordingError)
  /// Bytes the tracker sent to a port.
  func append(output: Span<UInt8>, to port: UInt8, at time: Instant) throws(RecordingError)
}

extension LeashLogWriter: RunLog {}

/// Keeps what a restart must not lose.
public protocol TrackerStore: AnyObject {
  /// Keeps the state of a tracker, all of it or nothing; the packets in its outbox are those that wait.
  ///
  /// What follows, such as sending a packet, happens when this returns. A store that can't keep it now tries again by itself:
  /// a tracker that could not send for want of room on a disk would be worth less.
  func keep(_ tracker: borrowing Tracker)
}

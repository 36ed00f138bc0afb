public import Quantities
public import TrackerCore

/// Where a run records its inputs and what the tracker does, in their order.
public protocol RunLog: AnyObject {
  /// The configuration as text; the first record.
  func append(configuration: Span<UInt8>) throws(RecordingError)
  /// An input, with the bytes of those that have some.
  func append(_ input: TrackerInput, bytes: Span<UInt8>) throws(RecordingError)
  /// Time moved on to this instant.
  func append(tick time: Instant) throws(RecordingError)
  /// Everybody who wants a packet has it.
  func append(acknowledgement sequence: UInt32, at time: Instant) throws(RecordingError)
  /// A receiver has a packet, or will never have it.
  func append(
    settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant
  ) throws(RecordingError)
  /// Something the tracker did, as JSON.
  func append(action: Span<UInt8>, at time: Instant) throws(RecordingError)
  /// A packet in its canonical form, to `Port.uplink`, or as it went on a way to a receiver, to `firstWayPort` and the way's number.
  func append(output: Span<UInt8>, to port: UInt8, at time: Instant) throws(RecordingError)
}

/// Keeps what a restart must not lose.
public protocol TrackerStore: AnyObject {
  /// Keeps sections of the state of a tracker, all of them or none; the packets in its outbox are those that wait.
  ///
  /// What can't wait for the storage goes on at once; packets that are new leave when `settledChange` has reached the change.
  ///
  /// - Returns: The change they are part of; later ones have greater numbers.
  @discardableResult func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64

  /// Takes a section of what stands beside the tracker, which goes with the next `keep`, all or none.
  ///
  /// - Parameters:
  ///   - tag: The section's tag, none of a tracker's.
  ///   - record: The section, in the place of that of before.
  func keep(beside tag: UInt8, _ record: [UInt8])

  /// The last change that is on the storage, or that was refused: a store tries again by itself, and a tracker that could not
  /// send for want of room on a disk would be worth less.
  var settledChange: UInt64 { get }

  /// A packet has left before its change was settled, after so long.
  func noteUnkept(_ sequence: UInt32, after wait: Interval)
}

/// Outputs of a log from this port on are what went on ways to receivers; a replay without these ways does not make them.
public let firstWayPort: UInt8 = 16

import InlineStorage
import Quantities
import Telemetry

/// Bytes of a section of the state while it is written.
typealias SectionContent = InlineBytes<272>

/// A feature of the tracker: its parameters and its state, and nothing of another part.
///
/// A part has doors of its own that `Tracker` calls with what it needs; what it has to tell goes into the `TrackerJournal` it is
/// handed. What all parts are asked for is here, and `Tracker+Parts.swift` asks them.
protocol TrackerPart: ~Copyable {
  /// Takes over its parameters, which may change while it runs.
  mutating func configure(_ configuration: TrackerConfiguration)
  /// When something happens by itself; nil when nothing will.
  var nextDeadline: Instant? { get }
  /// Writes what it knows into a packet that is being made.
  func describe(in packet: inout Packet)
  /// Writes its section of the state.
  func encode(into content: inout SectionContent)
  /// Goes on where an earlier life was.
  mutating func restore(_ kept: borrowing KeptState, at time: Instant)
}

/// Most parts have but some of these.
extension TrackerPart where Self: ~Copyable {
  mutating func configure(_ configuration: TrackerConfiguration) {}
  var nextDeadline: Instant? { nil }
  func describe(in packet: inout Packet) {}
  func encode(into content: inout SectionContent) {}
  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {}
}

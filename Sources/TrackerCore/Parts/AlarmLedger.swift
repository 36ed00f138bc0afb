import ASCIIText
import InlineStorage
import Quantities
import Telemetry

/// The numbers of alerts, and which of them belong to the present alarm.
struct AlarmLedger: TrackerPart {
  /// Number of the last alert; 0 before the first.
  private(set) var lastAlert: UInt32 = 0
  /// True when the next alert begins a new alarm.
  private(set) var isOver = true
  /// The meter when the last alarm began.
  private(set) var startDistance: Double = 0
  /// The first alert of the last alarm.
  private var firstAlert: UInt32 = 0

  /// Numbers an alert.
  ///
  /// - Parameter distance: What the meter shows.
  mutating func raise(at distance: Double) -> UInt32 {
    lastAlert &+= 1
    if isOver {
      isOver = false
      firstAlert = lastAlert
      startDistance = distance
    }
    return lastAlert
  }

  /// The alarm has ended: what moves now is a new one.
  mutating func end() { isOver = true }

  /// True for an alert of the last alarm: one that grew stronger has sent several, and the owner may answer any of them.
  func isPresent(_ alert: UInt32) -> Bool { alert >= firstAlert && alert <= lastAlert && alert != 0 }

  /// Numbers that were given before, as a mark in a second place says.
  mutating func continueNumbering(at alert: UInt32) { lastAlert = alert }
}

// What is kept of it over a restart; the last number is in the section of all numbers.
extension AlarmLedger {
  struct Kept {
    var firstAlert: UInt32 = 0
    var startDistance = 0.0

    init() {}

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      firstAlert = reader.uint32(bytes)
      startDistance = reader.distance(bytes)
    }
  }

  func encode(into content: inout SectionContent) {
    content.append(littleEndian: UInt64(firstAlert), bytes: 4)
    content.append(distance: startDistance)
  }

  /// After `continueNumbering(at:)`.
  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    firstAlert = min(kept.alarm.firstAlert, lastAlert)
    // An alarm that was going on is raised anew by what moves now.
    isOver = true
    // The meter may be lost and this not.
    startDistance = min(kept.alarm.startDistance, kept.trip.distance)
  }
}

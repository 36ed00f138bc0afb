import NMEA
import Quantities

// The receiver as a part of the tracker: epochs that end by themselves.
extension NMEAReceiver: TrackerPart {
  mutating func advance(to time: Instant, _ journal: inout TrackerJournal) -> Bool {
    guard let due = nextDeadline, due <= time else { return false }
    advance(to: time)
    return true
  }
}

import ASCIIText
import InlineStorage
import Quantities
import Telemetry

// The packets that wait as a part of the tracker: what it keeps of them is which of them wait for whom.
extension Outbox: TrackerPart {
  static var sections: StateSections { .waiting }

  mutating func advance(to time: Instant, _ journal: inout TrackerJournal) -> Bool {
    if advance(to: time) { journal.noteChange(.waiting) }
    return false
  }

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    content.append(littleEndian: UInt64(parameters.receivers.identity), bytes: 4)
    content.append(littleEndian: UInt64(nextSequence), bytes: 4)
    content.append(UInt8(clamping: count))
    var place = 0
    while place < count {
      let (sequence, kind) = name(at: place)
      content.append(littleEndian: UInt64(sequence), bytes: 4)
      content.append(kind.rawValue)
      content.append(pending(at: place).rawValue)
      place += 1
    }
  }
}

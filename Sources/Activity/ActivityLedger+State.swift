import ASCIIText
import InlineStorage
import Quantities
import Telemetry

// What is kept over a restart, in one section.
extension ActivityLedger {
  /// The tag of its section, behind those of gear.
  package static var sectionTag: UInt8 { 75 }

  /// True when something has changed since this was asked last.
  package mutating func takeChange() -> Bool {
    guard isUsed, isChanged else { return false }
    isChanged = false
    revision &+= 1
    return true
  }

  /// Writes the section: 66 bytes at most.
  package func encode(into sink: inout some ByteSink) {
    var content = InlineBytes<64>()
    content.append(littleEndian: UInt64(UInt32(bitPattern: today.day)), bytes: 4)
    content.append(littleEndian: UInt64(today.measured), bytes: 4)
    content.append(littleEndian: UInt64(today.active), bytes: 4)
    content.append(littleEndian: UInt64(today.resting), bytes: 4)
    content.append(littleEndian: today.steps, bytes: 8)
    content.append(habitCount)
    var place = 0
    while place < Int(habitCount) {
      content.append(littleEndian: UInt64(habitDay(place)), bytes: 2)
      place += 1
    }
    StoredSection(tag: ActivityLedger.sectionTag, version: 1, revision: revision).encode(content.span, into: &sink)
  }

  /// Active minutes of a day of the habit, 0 for the newest.
  private func habitDay(_ age: Int) -> UInt16 {
    habit[(Int(newest) + ActivityLedger.habitDays - age) % ActivityLedger.habitDays]
  }

  /// Goes on where an earlier life was. A section that is damaged is refused, which is told.
  package mutating func restore(_ state: Span<UInt8>) {
    var place = 0
    var isRefused = false
    var isFound = false
    while place < state.count {
      guard let section = StoredSection(state, at: place) else {
        // The head of a section that is no section: sign, tag and version.
        if place + 2 < state.count, state[place] == StoredSection.sign,
          state[place + 1] == ActivityLedger.sectionTag, state[place + 2] == 1
        {
          isRefused = true
        }
        place += 1
        continue
      }
      place = section.end
      guard section.tag == ActivityLedger.sectionTag, section.version == 1 else { continue }
      if restore(section, of: state) { isFound = true } else { isRefused = true }
    }
    if isRefused, !isFound {
      isUsed = true
      isDamaged = true
      isChanged = true
    }
  }

  private mutating func restore(_ section: StoredSection, of bytes: Span<UInt8>) -> Bool {
    var reader = RecordReader(at: section.start)
    var kept = ActivityLedger()
    kept.today.day = Int32(bitPattern: reader.uint32(bytes))
    kept.today.measured = reader.uint32(bytes)
    kept.today.active = reader.uint32(bytes)
    kept.today.resting = reader.uint32(bytes)
    kept.today.steps = reader.number(bytes, bytes: 8)
    kept.habitCount = reader.byte(bytes)
    reader.require(Int(kept.habitCount) <= ActivityLedger.habitDays)
    // Far from where sums could overflow, and no more than was measured.
    let isPossible =
      kept.today.day >= 0 && kept.today.measured < 1 << 30 && kept.today.steps < 1 << 60
      && UInt64(kept.today.active) + UInt64(kept.today.resting) <= UInt64(kept.today.measured)
    reader.require(isPossible)
    var place = reader.isValid ? Int(kept.habitCount) : 0
    kept.newest = UInt8(max(place, 1) - 1)
    while place > 0 {
      place -= 1
      kept.habit[place] = reader.uint16(bytes)
    }
    guard reader.isValid, reader.place == section.end else { return false }
    kept.revision = max(revision, section.revision)
    kept.isUsed = true
    self = kept
    return true
  }
}

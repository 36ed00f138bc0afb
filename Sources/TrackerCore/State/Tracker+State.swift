public import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
import Telemetry

/// What a tracker keeps over a restart: numbering, odometer, phase, places, and the packets that wait, each in a section.
///
/// Whoever stores sections stores those of one `.persist` together: a packet that is gone while its number is not yet used up
/// would lose or double an alert. Sections of tags that are not known stay where they are.
extension Tracker {
  /// Writes sections of the state, one after another; 700 bytes at most without rows of tables, and 250 for each of those.
  ///
  /// - Parameters:
  ///   - sections: Which; by default all but the mark.
  ///   - sink: Takes them.
  public func encodeState(_ sections: StateSections = .state, into sink: inout some ByteSink) {
    var draft = SectionText.Draft()
    for tag in StateSections.tags where sections.contains(StateSections(tag: tag)) {
      draft.begin(StateSections(tag: tag))
      encode(into: &draft)
      guard draft.isUsed else { continue }
      StoredSection(tag: tag, version: 1, revision: journal.revision).encode(draft.content.span, into: &sink)
    }
  }

  /// Writes the packet at a place of the outbox as a section, 160 bytes at most. It is always the same: where one of its number
  /// is kept it need not be kept again.
  public func encodePacket(at place: Int, into sink: inout some ByteSink) {
    outbox.encodeSection(at: place, revision: journal.revision, into: &sink)
  }

  func encodeNumbering(into content: inout SectionContent) {
    content.append(littleEndian: UInt64(outbox.boot), bytes: 4)
    content.append(littleEndian: UInt64(outbox.nextSequence), bytes: 4)
    content.append(littleEndian: UInt64(lastAlert), bytes: 4)
    if handover.seconds.latest > 0 { content.append(littleEndian: UInt64(handover.seconds.latest), bytes: 4) }
  }

  func encodeMark(into content: inout SectionContent) {
    let mark = numberingMark
    content.append(littleEndian: UInt64(mark.boot), bytes: 4)
    content.append(littleEndian: UInt64(mark.sequence), bytes: 4)
    content.append(littleEndian: UInt64(mark.alert), bytes: 4)
  }

  /// How often the tracker has begun to live, this life included.
  package var lifeNumber: UInt32 { outbox.boot }

  /// How far numbering may come before the mark is written again.
  var numberingMark: NumberingMark {
    NumberingMark(boot: outbox.boot, nextSequence: outbox.nextSequence, lastAlert: lastAlert)
  }
}

public import ASCIIText
import InlineStorage
public import Telemetry
public import TrackerCore

/// The state of a tracker, its waiting packets and its spool in a flash memory, with the same sections as on a board.
///
/// What `.persist` names is one change: all of it is kept, or nothing. A packet that goes to the spool is kept there before it leaves the
/// outbox, and one that comes back leaves the spool in the change that has it in the outbox: whenever the power goes it is in one place.
///
/// After a failure the change has not happened, and the next `keep` keeps everything that has not been kept; until then
/// `isComplete` is false.
public struct FlashState<Memory: FlashMemory & ~Copyable>: ~Copyable {
  /// The records. Keys are the tags of sections; packets have their numbers, those in the spool with a tag of their own.
  public private(set) var store: FlashStore<Memory, 160>
  /// Packets in the spool at most.
  public let spoolCapacity: Int
  /// Packets in the spool.
  public private(set) var spoolCount = 0
  /// What has changed and is not kept.
  private var unkept = StateSections()

  /// The tag of packets in the spool: none of a section.
  static var spoolTag: UInt8 { 17 }
  /// The tag of the section that says how far packets are numbered.
  private static var numberingTag: UInt8 { 1 }
  /// Bytes of a packet's record at most, with heads and what fills it up.
  private static var longestPacket: Int { 192 }
  /// Keys that sections and the outbox need.
  static var keysBesideSpool: Int { 12 + 24 + 32 }

  /// A state in a memory; `begin` comes first.
  ///
  /// - Parameters:
  ///   - memory: The memory, of which all blocks are the state's.
  ///   - spoolCapacity: Packets in the spool, 0 to 92.
  public init(_ memory: consuming Memory, spoolCapacity: Int = 92) {
    store = FlashStore(memory)
    self.spoolCapacity = max(0, min(spoolCapacity, 160 - FlashState.keysBesideSpool))
  }

  /// Looks for what an earlier life has kept.
  ///
  /// - Returns: False when the memory can't hold a state.
  public mutating func begin() -> Bool {
    guard store.mount() else { return false }
    spoolCount = 0
    for place in 0..<store.keyCount {
      let key = store.key(place)
      // What is in both places had not left the outbox yet.
      guard key.tag == FlashState.spoolTag, !store.contains(FlashState.outboxKey(key.number)) else { continue }
      spoolCount += 1
    }
    return true
  }

  /// True when the memory has all that it should have.
  public var isComplete: Bool { unkept.isEmpty }

  private static func outboxKey(_ sequence: UInt32) -> FlashKey { FlashKey(tag: Packet.sectionTag, number: sequence) }

  // MARK: State

  /// Keeps sections of the state and what belongs to them.
  ///
  /// - Returns: False when the memory did not take them.
  @discardableResult public mutating func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> Bool {
    unkept.formUnion(sections)
    guard store.begin(upTo: longestChange(of: tracker)), putSections(of: tracker), putPackets(of: tracker),
      store.commit()
    else { return false }
    unkept = []
    return true
  }

  /// Bytes of the next change at most, with heads.
  private func longestChange(of tracker: borrowing Tracker) -> Int {
    var bytes = 0
    for tag in StateSections.tags where unkept.contains(StateSections(tag: tag)) { bytes += FlashRecord.longest }
    guard unkept.contains(.waiting) else { return bytes }
    for place in 0..<tracker.outbox.count {
      let key = FlashState.outboxKey(tracker.outbox.name(at: place).sequence)
      if !store.contains(key) { bytes += FlashState.longestPacket }
    }
    return bytes + store.keyCount * FlashRecord.longestRemoval
  }

  private mutating func putSections(of tracker: borrowing Tracker) -> Bool {
    for tag in StateSections.tags where unkept.contains(StateSections(tag: tag)) {
      guard put(tag, of: tracker) else { return false }
    }
    return true
  }

  private mutating func put(_ tag: UInt8, of tracker: borrowing Tracker) -> Bool {
    var section = InlineBytes<320>()
    tracker.encodeState(StateSections(tag: tag), into: &section)
    return section.isEmpty || !section.isTruncated && store.put(FlashKey(tag: tag), section.span)
  }

  /// Packets never change: those that are there stay, new ones come, and those that wait no more go.
  private mutating func putPackets(of tracker: borrowing Tracker) -> Bool {
    guard unkept.contains(.waiting) else { return true }
    for place in 0..<tracker.outbox.count {
      let key = FlashState.outboxKey(tracker.outbox.name(at: place).sequence)
      guard !store.contains(key) else { continue }
      var section = InlineBytes<320>()
      tracker.encodePacket(at: place, into: &section)
      guard !section.isTruncated, store.put(key, section.span) else { return false }
    }
    // From the last key on, as removing one brings the last to its place.
    var place = store.keyCount
    while place > 0 {
      place -= 1
      let key = store.key(place)
      let isInOutbox = tracker.outbox.place(of: key.number) != nil
      let isGone =
        key.tag == Packet.sectionTag && !isInOutbox || key.tag == FlashState.spoolTag && isInOutbox
      guard !isGone || store.remove(key) else { return false }
    }
    return true
  }

  /// Writes what an earlier life kept, as `Tracker.restore` takes it: 13 KiB at most.
  public mutating func collect(into state: inout some ByteSink) {
    var record = FlashBuffer()
    for place in 0..<store.keyCount where store.key(place).tag != FlashState.spoolTag {
      record.removeAll()
      if store.read(store.key(place), into: &record) { state.append(bytes: record.span) }
    }
    // A byte that is no section lets the tracker tell.
    if store.counts.damaged > 0 { state.append(0) }
  }

  /// Does a piece of the work that would otherwise come before a change: for when nothing is due. One call takes as long as an erasure
  /// at most, and sixteen kibibytes of programming.
  ///
  /// - Returns: True when something was done, and there may be more.
  public mutating func tidy() -> Bool { store.tidy() }

  // MARK: Spool

  /// Keeps a packet of the outbox in the spool.
  ///
  /// - Returns: False when there is no room.
  public mutating func spool(_ sequence: UInt32, of tracker: borrowing Tracker) -> Bool {
    guard spoolCount < spoolCapacity, let place = tracker.outbox.place(of: sequence),
      store.begin(upTo: FlashState.longestPacket + FlashRecord.longest)
    else {
      return false
    }
    var section = InlineBytes<320>()
    section.append(tracker.outbox.pending(at: place).rawValue)
    tracker.encodePacket(at: place, into: &section)
    let key = FlashKey(tag: FlashState.spoolTag, number: sequence)
    // With its number, which may be of a packet that was in no change yet.
    guard !section.isTruncated, store.put(key, section.span), put(FlashState.numberingTag, of: tracker), store.commit()
    else {
      return false
    }
    spoolCount += 1
    return true
  }

  /// Reads the packet with the lowest number, of those in the spool that one of some receivers lacks, and that are not in the outbox; it
  /// leaves the spool when it is kept there.
  ///
  /// - Parameters:
  ///   - receivers: Those receivers.
  ///   - tracker: Its outbox has those that came back before.
  ///   - section: Takes its section.
  /// - Returns: Who lacks it; nil when there is none.
  public mutating func recall(
    for receivers: ReceiverSet, to tracker: borrowing Tracker, into section: inout FlashBuffer
  ) -> ReceiverSet? {
    var lowest: UInt32 = .max
    var pending: ReceiverSet?
    var record = FlashBuffer()
    for place in 0..<store.keyCount {
      let key = store.key(place)
      guard key.tag == FlashState.spoolTag, key.number < lowest, tracker.outbox.place(of: key.number) == nil else {
        continue
      }
      record.removeAll()
      guard store.read(key, into: &record), !record.isEmpty else { continue }
      let lacking = ReceiverSet(rawValue: record[0])
      guard !lacking.isDisjoint(with: receivers) else { continue }
      lowest = key.number
      pending = lacking
      section.removeAll()
      section.append(contentsOf: record.span.extracting(1..<record.count))
    }
    if pending != nil { spoolCount -= 1 }
    return pending
  }
}

import Activity
import Gear
import Glibc
import TrackerRuntime
import Telemetry
import TrackerCore

/// A section's place in a state: its tag, and of packets the number.
struct SectionKey: Hashable {
  var tag: UInt8
  var number: UInt32
}

/// Intact sections by their places, whatever they were read from.
struct SectionTable {
  private(set) var sections: [SectionKey: [UInt8]] = [:]
  private var revisions: [SectionKey: UInt32] = [:]
  /// Tags of what begins as a section of a state does, and is none: it is damaged.
  private var brokenTags: Set<UInt8> = []

  /// Tags of sections of which there are only damaged copies.
  var lostTags: [UInt8] {
    brokenTags.filter { tag in !sections.keys.contains { $0.tag == tag } }.sorted()
  }

  /// Takes the intact sections of some bytes; of two for one place the newer one stays.
  mutating func add(_ bytes: [UInt8]) {
    let found = SectionTable.sections(in: bytes)
    brokenTags.formUnion(found.broken)
    for section in found.intact {
      let whole = Array(bytes[section.start - StoredSection.headLength..<section.end])
      guard let key = SectionTable.key(section, bytes) else { continue }
      if let known = revisions[key], known > section.revision { continue }
      sections[key] = whole
      revisions[key] = section.revision
    }
  }

  subscript(key: SectionKey) -> [UInt8]? {
    get { sections[key] }
    set { sections[key] = newValue }
  }

  /// The packets that the list of those that wait names; nil when there is no list.
  var waiting: (sequences: Set<UInt32>, nextSequence: UInt32)? {
    guard let bytes = self[SectionKey(tag: 6, number: 0)], let section = StoredSection(bytes.span, at: 0),
      let list = WaitingList(section, of: bytes.span)
    else { return nil }
    return (Set((0..<list.count).map { list.entry($0, of: bytes.span).sequence }), list.nextSequence)
  }

  /// The lowest number of a report in the list of what waits; nil when there is no list, or no report in it.
  var firstWaitingReport: UInt32? {
    guard let bytes = self[SectionKey(tag: 6, number: 0)], let section = StoredSection(bytes.span, at: 0),
      let list = WaitingList(section, of: bytes.span)
    else { return nil }
    let reports = (0..<list.count).map { list.entry($0, of: bytes.span) }
      .filter { PacketKind(rawValue: $0.kind)?.priority == .report }
    return reports.map(\.sequence).min()
  }

  /// True when the bytes are one section, intact.
  static func isIntact(_ bytes: [UInt8]) -> Bool { StoredSection(bytes.span, at: 0)?.end == bytes.count }

  /// Where a section belongs; nil when it says that it is a packet and is none.
  static func key(_ section: StoredSection, _ bytes: [UInt8]) -> SectionKey? {
    guard section.tag == Packet.sectionTag else { return SectionKey(tag: section.tag, number: 0) }
    return Packet(section, of: bytes.span).map { SectionKey(tag: section.tag, number: $0.sequence) }
  }

  /// All intact sections in some bytes, whatever lies between them, and the tags of those that are not intact.
  private static func sections(in bytes: [UInt8]) -> (intact: [StoredSection], broken: Set<UInt8>) {
    var result: [StoredSection] = []
    var broken: Set<UInt8> = []
    let tags = Set(StateSections.tags).union([ActivityLedger.sectionTag])
    var place = 0
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      while place < buffer.count,
        let found = memchr(start + place, Int32(StoredSection.sign), buffer.count - place)
      {
        place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
        if let section = StoredSection(buffer.span, at: place) {
          result.append(section)
          place = section.end
        } else {
          // Sign, tag, version 1, and a length that there can be.
          if place + 4 < buffer.count, tags.contains(buffer[place + 1]), buffer[place + 2] == 1, buffer[place + 4] < 4 {
            broken.insert(buffer[place + 1])
          }
          place += 1
        }
      }
    }
    return (result, broken)
  }
}

/// What lies in the bytes of a state's files, whatever SQLite makes of them.
///
/// Damage in the write-ahead log makes SQLite take all behind it for unwritten, in silence; damage in the database hides whole
/// pages. Sections are looked for byte by byte instead, and taken where the state that SQLite gives lacks them.
struct StateSalvage {
  private var table = SectionTable()
  /// Why something of what the files hold is unknown; nil when it is all there.
  private(set) var trouble: StateTrouble?

  /// Reads the files of a state; before SQLite opens them.
  init(_ path: String) {
    let file = StateSalvage.bytes(path)
    let log = StateSalvage.bytes(path + "-wal")
    table.add(file.bytes)
    table.add(log.bytes)
    let lost = table.lostTags.compactMap { tag in
      tag == ActivityLedger.sectionTag ? "activity" : StateSections.name(ofTag: tag).map { "\($0)" }
    }
    if file.error == ENOENT {
      trouble = .missing
    } else if let error = [file.error, log.error].first(where: { $0 != 0 && $0 != ENOENT }) {
      trouble = .unreadable(String(cString: strerror(error)))
    } else if !file.bytes.isEmpty, table.sections.isEmpty || !lost.isEmpty {
      trouble = .damaged(lost)
    }
  }

  /// The newest copy of a section; nil when there is none.
  func section(of sections: StateSections) -> [UInt8]? {
    table.sections.first { StateSections(tag: $0.key.tag) == sections && $0.key.number == 0 }?.value
  }

  /// The newest copies of all sections but packets, one behind the other.
  var state: [UInt8] {
    let keys = table.sections.keys.filter { !StateSections(tag: $0.tag).isEmpty }.sorted { $0.tag < $1.tag }
    return keys.flatMap { table.sections[$0] ?? [] }
  }

  /// The newest copies of the sections of gear, one behind the other.
  var gear: [UInt8] {
    let keys = table.sections.keys.filter { GearLedger.isOwn($0.tag) }.sorted { $0.tag < $1.tag }
    return keys.flatMap { table.sections[$0] ?? [] }
  }

  /// Adds what is missing: of the state the newest that there is, of packets those that are known to wait, and alerts that are
  /// newer than the list of those. A packet that comes twice for it has the same life and number.
  ///
  /// - Parameters:
  ///   - state: What SQLite gives.
  ///   - isWhole: False when only packets are to be added.
  /// - Returns: How many sections were added.
  func complete(_ state: inout SectionTable, withState isWhole: Bool) -> Int {
    var count = 0
    let tags = Array(StateSections.tags) + (GearLedger.firstTag..<GearLedger.endTag) + [ActivityLedger.sectionTag]
    for tag in tags where isWhole && tag != StateSections.markTag {
      let key = SectionKey(tag: tag, number: 0)
      guard state[key] == nil, let found = table[key] else { continue }
      state[key] = found
      count += 1
    }
    let waiting = state.waiting
    for (key, bytes) in table.sections where key.tag == Packet.sectionTag && state[key] == nil {
      let isKnown = waiting?.sequences.contains(key.number) ?? false
      let isNewer = waiting.map { key.number >= $0.nextSequence } ?? true
      guard isKnown || (isNewer && StateSalvage.isAlert(bytes)) else { continue }
      state[key] = bytes
      count += 1
    }
    return count
  }

  /// What the spool of a file that is lost held. Reports are delivered in order, so that all behind the first that waits had
  /// not been, but for positions that went before the others; when no report waits the spool was empty.
  func spooled(behind state: SectionTable) -> [SpooledPacket] {
    guard let first = state.firstWaitingReport else { return [] }
    var result: [SpooledPacket] = []
    for (key, bytes) in table.sections where key.tag == Packet.sectionTag && key.number > first {
      guard let section = StoredSection(bytes.span, at: 0), let packet = Packet(section, of: bytes.span),
        packet.kind.priority == .report, state[key] == nil
      else { continue }
      // Who did not have it is not known any more.
      result.append(
        SpooledPacket(
          sequence: key.number, pending: .max, isThinnable: packet.kind == .location, section: bytes))
    }
    return result.sorted { $0.sequence < $1.sequence }
  }

  private static func isAlert(_ bytes: [UInt8]) -> Bool {
    guard let section = StoredSection(bytes.span, at: 0) else { return false }
    return Packet(section, of: bytes.span)?.kind.priority == .alert
  }

  /// What a file holds, and the system's error number, 0 for none.
  private static func bytes(_ path: String) -> (bytes: [UInt8], error: Int32) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return ([], errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return ([], EISDIR) }
    let length = Int(lseek(file, 0, SEEK_END))
    guard length > 0 else { return ([], 0) }
    guard length <= 1 << 26 else { return ([], EFBIG) }
    var error: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length {
        let more = pread(file, buffer.baseAddress.map { $0 + count }, length - count, count)
        if more < 0 { error = errno }
        guard more > 0 else { return }
        count += more
      }
    }
    return (bytes, error)
  }
}

/// Why something of what a state file holds is unknown.
package enum StateTrouble: Equatable, Sendable {
  /// There is no such file.
  case missing
  /// The system does not let us read it, in its words.
  case unreadable(String)
  /// These sections are damaged; none when there is no section in it at all.
  case damaged([String])

  /// Looks at a state file; nil when nothing is wrong with it. Nothing is written, and the tracker may run.
  package init?(stateFile path: String) {
    guard let trouble = StateSalvage(path).trouble else { return nil }
    self = trouble
  }

  /// In words.
  package var text: String {
    switch self {
    case .missing: "can't read: \(String(cString: strerror(ENOENT)))"
    case .unreadable(let reason): "can't read: \(reason)"
    case .damaged(let sections) where sections.isEmpty: "no readable state of a tracker"
    case .damaged(let sections): "damaged: \(sections.joined(separator: ", "))"
    }
  }
}

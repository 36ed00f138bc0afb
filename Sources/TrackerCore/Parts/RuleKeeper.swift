import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
import Rules
import Telemetry

/// Fences, secure places and alarms, and what has been told of them.
struct RuleKeeper: ~Copyable, TrackerPart {
  /// Rows and corners that a tracker has room for.
  static var fenceRows: Int { 5 }
  static var placeRows: Int { 6 }
  static var alarmRows: Int { 6 }

  var fences = FenceGuard<5, 8>()
  var secure = PlaceTable<6>()
  var alarms = AlarmClock<6>()
  /// True once there was a rule or a question: from then on there is a section.
  private(set) var isUsed = false
  /// Rows that hold something, or have once: from then on they have a section.
  private(set) var usedRows = StateSections()
  /// The number of the last alert about fences; 0 before the first.
  var alert: UInt32 = 0
  /// The number of the `parking` packet that asks whether it is a secure place; 0 when none does.
  var question: UInt32 = 0
  /// The UTC of an exit of an earlier life, µs, until it is known when that is on the clock of this one; the largest when nobody knows
  /// it, and the smallest for an exit of this life.
  private var exitTime = Int64.min
  /// True when alarms are to be looked at with the next fix.
  private var isHurried = false
  private(set) var tellsTransitions = true
  private let inPlace = InPlace()

  init(_ configuration: TrackerConfiguration) { configure(configuration) }

  mutating func configure(_ configuration: TrackerConfiguration) {
    var parameters = FenceParameters()
    parameters.confirmAfter = configuration.rules.confirmAfter
    parameters.exitDeviations = configuration.rules.exitDeviations
    parameters.repeatInterval = configuration.rules.repeatInterval
    if fences.parameters != parameters { fences.parameters = parameters }
    tellsTransitions = configuration.rules.transitions
  }

  /// There is, or was, a rule, in these rows.
  mutating func noteUse(_ rows: StateSections = []) {
    isUsed = true
    usedRows.formUnion(rows)
  }

  var nextDeadline: Instant? {
    guard let due = alarms.nextDeadline else { return fences.nextDeadline }
    return fences.nextDeadline.map { min($0, due) } ?? due
  }

  /// True when alarms are to be looked at though none is due.
  mutating func isLookDue(_ scene: AlarmScene) -> Bool {
    guard isUsed, isHurried || alarms.isLookDue(scene) else { return false }
    isHurried = false
    return true
  }

  /// The next look is due at once.
  mutating func hurry() { isHurried = true }

  /// The name of a fence; empty for one that is not there.
  func name(ofFence number: UInt8) -> InlineBytes<32> {
    fences.fences.row(of: number).map { fences.fences[$0].name } ?? InlineBytes<32>()
  }

  /// The fences it is in; nothing while there are none, or nothing is known of any.
  func describe(in packet: inout Packet) {
    var isKnown = false
    var inside: Int64 = 0
    var row = 0
    while row < RuleKeeper.fenceRows {
      let number = fences.fences[row].number
      if number != 0, fences.fences[row].presence != .unknown {
        isKnown = true
        if fences.fences[row].presence == .inside { inside = inside << 8 | Int64(number) }
      }
      row += 1
    }
    if isKnown, !packet.isPrivate { packet.readings[.fences] = inside }
  }

  /// The sections of all rows of a table that hold something.
  func used(_ table: PacketRule.Table) -> StateSections {
    var result = StateSections()
    var row = 0
    switch table {
    case .fence:
      while row < RuleKeeper.fenceRows {
        if fences.fences[row].number != 0 { result.insert(.fence(row)) }
        row += 1
      }
    case .place:
      while row < RuleKeeper.placeRows {
        if secure[row].number != 0 { result.insert(.place(row)) }
        row += 1
      }
    case .alarm:
      while row < RuleKeeper.alarmRows {
        if alarms[row].number != 0 { result.insert(.alarmRule(row)) }
        row += 1
      }
    }
    return result
  }

  /// The sections of all rows that hold something.
  private var present: StateSections { used(.fence).union(used(.place)).union(used(.alarm)) }

  /// Takes everything out.
  mutating func forgetOwner(at time: Instant) {
    fences.removeAll(at: time)
    alarms.removeAll()
    var row = 0
    while row < RuleKeeper.placeRows {
      _ = secure.delete(secure[row].number)
      row += 1
    }
    question = 0
  }

  // MARK: The exit that is told

  /// An exit of this life is told.
  mutating func noteExit() { exitTime = .min }

  /// When the exit was that is told; nil when that is not known.
  mutating func exitOnset(at time: Instant, _ utc: UTCTime?) -> Instant? {
    guard exitTime != .min else { return fences.exit.since }
    guard exitTime != .max, let utc, utc.microseconds >= exitTime else { return nil }
    fences.date(exit: time - (utc - UTCTime(microseconds: exitTime)))
    exitTime = .min
    return fences.exit.since
  }

  /// The UTC of that; nil when it is not known.
  func exitUTC(_ journal: borrowing TrackerJournal) -> UTCTime? {
    switch exitTime {
    case .min: return journal.utc(of: fences.exit.since)
    case .max: return nil
    default: return UTCTime(microseconds: exitTime)
    }
  }

  // MARK: State

  /// True for a section of a row that there is room for.
  static func hasRow(_ section: StateSections) -> Bool {
    StateSections(rawValue: 0x1F << 16 | 0x3F << 24 | 0x3F << 32).contains(section)
  }

  static var sections: StateSections { [.rules, .rows] }

  func isUsed(_ section: StateSections) -> Bool { section == .rules ? isUsed : usedRows.contains(section) }

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    if section == .rules { encodeCommon(into: &content) } else { encode(row: section, into: &content) }
  }

  /// Writes what rows have in common.
  private func encodeCommon(into content: inout SectionContent) {
    content.append(littleEndian: present.rawValue, bytes: 8)
    let kept = fences.kept
    content.append(kept.state.rawValue | (kept.presence.rawValue << 4) | (kept.isEnabled ? 0x80 : 0))
    content.append(littleEndian: UInt64(kept.repetition), bytes: 2)
    content.append(littleEndian: UInt64(alert), bytes: 4)
    content.append(littleEndian: UInt64(question), bytes: 4)
    content.append(UInt8(truncatingIfNeeded: alarms.zoneText.count))
    content.append(bytes: alarms.zoneText.span)
  }

  /// Writes a row.
  private func encode(row section: StateSections, into content: inout SectionContent) {
    let bit = section.rawValue.trailingZeroBitCount
    switch bit {
    case 16..<24: fences.fences.encode(bit - 16, into: &content)
    case 24..<32: secure.encode(bit - 24, into: &content)
    default: alarms.encode(bit - 32, into: &content)
    }
    // Nothing is what a row has that was deleted.
    if content.isEmpty { content.append(0) }
  }

  struct Kept {
    var present = StateSections()
    var alarm = KeptFenceAlarm(state: .unassigned, repetition: 0, presence: .unknown, isEnabled: true)
    var alert: UInt32 = 0
    var question: UInt32 = 0
    var zone = InlineBytes<48>()

    init() {}

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      present = StateSections(rawValue: UInt64(bitPattern: reader.int64(bytes)))
      let byte = reader.byte(bytes)
      let repetition = reader.uint16(bytes)
      alert = reader.uint32(bytes)
      question = reader.uint32(bytes)
      let count = reader.byte(bytes)
      reader.require(count <= 48)
      while reader.isValid, zone.count < Int(count) { zone.append(reader.byte(bytes)) }
      guard let state = FenceAlarmState(rawValue: byte & 15), let presence = PresenceState(rawValue: byte >> 4 & 7)
      else {
        reader.refuse()
        return
      }
      alarm = KeptFenceAlarm(state: state, repetition: repetition, presence: presence, isEnabled: byte & 0x80 != 0)
    }
  }

  /// Reads the rows of a state; of two with one tag the newer one counts.
  ///
  /// - Returns: The rows that were read.
  mutating func restoreRows(_ bytes: Span<UInt8>) -> StateSections {
    var read = StateSections()
    var tag = StateSections.rowTag
    while tag < StateSections.rowTag + StateSections.rowCount {
      let section = StateSections(tag: tag)
      if RuleKeeper.hasRow(section), let found = RuleKeeper.newest(tag, bytes),
        restore(section, bytes.extracting(found.start..<found.end))
      {
        read.insert(section)
      }
      tag += 1
    }
    if !read.isEmpty { noteUse(read) }
    return read
  }

  private static func newest(_ tag: UInt8, _ bytes: Span<UInt8>) -> StoredSection? {
    var result: StoredSection?
    var place = 0
    while let section = StoredSection.next(in: bytes, from: place) {
      place = section.end
      guard section.tag == tag, section.version == 1, section.revision >= result?.revision ?? 0 else { continue }
      result = section
    }
    return result
  }

  /// True for a row that is intact, an empty one among them.
  private mutating func restore(_ section: StateSections, _ row: Span<UInt8>) -> Bool {
    if row.count == 1, row[0] == 0 { return true }
    let bit = section.rawValue.trailingZeroBitCount
    switch bit {
    case 16..<24: return fences.restoreFence(row, row: bit - 16) == nil
    case 24..<32: return secure.restore(row, row: bit - 24)
    default: return alarms.restore(row, row: bit - 32)
    }
  }

  /// After `restoreRows`.
  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    _ = alarms.setZone(kept.rules.zone.span, keepsPlan: true)
    var told = kept.rules.alarm
    told.exit = kept.alarm.exit
    told.exit?.since = time - kept.alarm.exitAge
    fences.restore(told, at: time)
    exitTime = told.exit == nil ? .max : kept.alarm.exitUTC?.microseconds ?? .max
    alert = kept.rules.alert
    question = kept.rules.question
    if kept.found.contains(.rules) { isUsed = true }
  }
}

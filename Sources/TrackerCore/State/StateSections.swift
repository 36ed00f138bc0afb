/// Parts of what a tracker keeps over a restart, one bit each; every part is a section of its own, and so is every row of a table.
@frozen public struct StateSections: OptionSet, BitwiseCopyable, Sendable {
  /// Bit n stands for the section with the tag n + 1, from bit 16 on for rows of tables.
  public var rawValue: UInt64

  /// A set of its bits.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The section of a tag; empty for a tag that is none of these.
  @inlinable public init(tag: UInt8) {
    rawValue = 0
    if tag >= 1, tag <= StateSections.lastTag { rawValue = 1 << UInt64(tag - 1) }
    if tag >= StateSections.rowTag, tag - StateSections.rowTag < StateSections.rowCount {
      rawValue = 1 << UInt64(16 + tag - StateSections.rowTag)
    }
  }

  /// Which life it is, and how far packets and alerts are numbered.
  public static var numbering: StateSections { StateSections(tag: 1) }
  /// The alarm that is going on, or was the last.
  public static var alarm: StateSections { StateSections(tag: 2) }
  /// Odometer and the ride that is under way.
  public static var trip: StateSections { StateSections(tag: 3) }
  /// What the vehicle is doing, where it is parked and what its sensor is like at rest.
  public static var motion: StateSections { StateSections(tag: 4) }
  /// Last known position and parking place.
  public static var places: StateSections { StateSections(tag: 5) }
  /// Which packets wait for whom. The packets themselves are sections of their own, which never change.
  public static var waiting: StateSections { StateSections(tag: 6) }
  /// How far numbering may have come: kept in a second place, so that a state of an earlier day is noticed.
  public static var mark: StateSections { StateSections(tag: 7) }

  /// Settings that were changed while the tracker ran; there is none while none was.
  public static var settings: StateSections { StateSections(tag: 8) }

  /// What requests have left behind; there is none before the first that leaves something.
  public static var requests: StateSections { StateSections(tag: 9) }

  /// What fences, places and alarms have in common, and the alarm of the fences; there is none before the first rule.
  public static var rules: StateSections { StateSections(tag: 10) }

  /// The wearer's profile; only once there was one.
  public static var profile: StateSections { StateSections(tag: 11) }

  /// What requests have changed of the odometer; only once one has.
  public static var odometer: StateSections { StateSections(tag: 12) }

  /// A row of the table of fences.
  public static func fence(_ row: Int) -> StateSections { StateSections(rawValue: 1 << UInt64(16 + row)) }
  /// A row of the table of secure places.
  public static func place(_ row: Int) -> StateSections { StateSections(rawValue: 1 << UInt64(24 + row)) }
  /// A row of the table of alarms.
  static func alarmRule(_ row: Int) -> StateSections { StateSections(rawValue: 1 << UInt64(32 + row)) }
  /// All rows of the table of fences.
  public static var fences: StateSections { StateSections(rawValue: 0xFF << 16) }
  /// All rows of the table of secure places.
  package static var placeRows: StateSections { StateSections(rawValue: 0xFF << 24) }
  /// All rows of the table of alarms.
  package static var alarmRows: StateSections { StateSections(rawValue: 0xFF << 32) }
  /// All rows of all tables.
  public static var rows: StateSections { [.fences, .placeRows, .alarmRows] }

  /// What is always kept in the first place.
  public static var state: StateSections { StateSections(rawValue: 0b0011_1111) }
  /// What changes on the way.
  static var travel: StateSections { StateSections(rawValue: 0b0001_1100) }
  /// Everything.
  public static var all: StateSections { StateSections(rawValue: 1 << UInt64(lastTag) - 1).union(.rows) }
  /// What only requests change.
  package static var requested: StateSections { all.subtracting([.state, .mark]) }

  /// Tags of sections that are no rows, from 1 to this.
  @inlinable public static var lastTag: UInt8 { 12 }
  /// The first tag of a row: of fences from here, of places from 8 on, of alarms from 16 on.
  @inlinable public static var rowTag: UInt8 { 32 }
  /// Tags of rows.
  @inlinable public static var rowCount: UInt8 { 24 }
  /// The tag of what is kept in the second place.
  public static var markTag: UInt8 { 7 }
  /// The tag of a whole state in the form of before there were sections, when a store makes a section of it.
  public static var firstFormTag: UInt8 { 15 }
  /// All tags, one after another.
  public static var tags: Tags { Tags() }

  /// All tags of sections, one after another.
  @frozen public struct Tags: Sequence, IteratorProtocol {
    private var last: UInt8 = 0

    init() {}

    /// The next one.
    public mutating func next() -> UInt8? {
      guard last < StateSections.rowTag + StateSections.rowCount - 1 else { return nil }
      last = last == StateSections.lastTag ? StateSections.rowTag : last + 1
      return last
    }
  }

  /// The name of a tag's section in events, of a row that of its table; nil for a tag that is none of these.
  public static func name(ofTag tag: UInt8) -> StaticString? {
    switch tag {
    case 1: return "numbering"
    case 2: return "alarm"
    case 3: return "trip"
    case 4: return "motion"
    case 5: return "places"
    case 6: return "waiting"
    case 7: return "mark"
    case 8: return "settings"
    case 9: return "requests"
    case 10: return "rules"
    case 11: return "profile"
    case 12: return "odometer"
    case 32...39: return "fences"
    case 40...47: return "securePlaces"
    case 48...55: return "alarms"
    default: return nil
    }
  }
}

/// What of a kept state was not there any more.
@frozen public struct StateLosses: Equatable, BitwiseCopyable, Sendable {
  /// Sections that were missing, damaged, or of a version that is not known; what they held begins anew.
  public var sections = StateSections()
  /// Packets that waited and are lost.
  public var packets: UInt8 = 0
  /// How many of them were alerts.
  public var alerts: UInt8 = 0
  /// True when the state is older than its mark: packets that were made since are lost, and those that waited then may have been
  /// delivered.
  public var isSetBack = false
  /// True when there were bytes that are no section.
  public var isDamaged = false

  /// Nothing.
  public init() {}

  /// True when nothing was lost.
  public var isEmpty: Bool { self == StateLosses() }
}

/// How far numbering may have come: rounded up, so that it is seldom written.
struct NumberingMark: Equatable, BitwiseCopyable {
  /// The life.
  var boot: UInt32 = 0
  /// Packets below this number may have been made.
  var sequence: UInt32 = 0
  /// Alerts up to this number may have been raised.
  var alert: UInt32 = 0

  /// The mark of a place in numbering: 64 packets, 16 alerts between two marks.
  init(boot: UInt32, nextSequence: UInt32, lastAlert: UInt32) {
    self.boot = boot
    sequence = NumberingMark.roundedUp(nextSequence, to: 64)
    alert = NumberingMark.roundedUp(lastAlert, to: 16)
  }

  init() {}

  private static func roundedUp(_ number: UInt32, to step: UInt32) -> UInt32 {
    let (sum, isOver) = number.addingReportingOverflow(step - 1)
    return isOver ? .max : sum / step * step
  }
}

import InlineStorage
import Quantities
import Telemetry

/// Bytes of a section of the state while it is written.
typealias SectionContent = InlineBytes<272>

/// A feature of the tracker: its parameters and its state, and nothing of another part.
///
/// What all parts are asked and told alike is here, and reaches them by the two lists of `Tracker.swift` (decision 0036). Doors of its
/// own `Tracker` calls with what they need. What a part has to tell goes into the `TrackerJournal` it is handed; what follows in other
/// parts is code of `Tracker`, which alone sees them.
protocol TrackerPart: ~Copyable {
  /// The sections of the state that it writes, and nobody else.
  static var sections: StateSections { get }
  /// Takes over its parameters, which may change while it runs.
  mutating func configure(_ configuration: TrackerConfiguration)
  /// Takes a reading of any kind in; one that is not for it, or older than the last of its kind, changes nothing.
  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal)
  /// When something happens by itself; nil when nothing will.
  var nextDeadline: Instant? { get }
  /// Does what is due by a time.
  ///
  /// - Returns: True when something follows in other parts.
  mutating func advance(to time: Instant, _ journal: inout TrackerJournal) -> Bool
  /// Writes what it knows into a packet that is being made.
  func describe(in packet: inout Packet)
  /// False for a section of its own that it has nothing for.
  func isUsed(_ section: StateSections) -> Bool
  /// Writes a section of its own.
  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent)
  /// Goes on where an earlier life was.
  mutating func restore(_ kept: borrowing KeptState, at time: Instant)
}

/// Most parts have but some of these.
extension TrackerPart where Self: ~Copyable {
  static var sections: StateSections { [] }
  mutating func configure(_ configuration: TrackerConfiguration) {}
  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {}
  var nextDeadline: Instant? { nil }
  mutating func advance(to time: Instant, _ journal: inout TrackerJournal) -> Bool {
    nextDeadline.map { $0 <= time } ?? false
  }
  func describe(in packet: inout Packet) {}
  func isUsed(_ section: StateSections) -> Bool { true }
  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {}
  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {}
}

// MARK: What goes through all parts

/// Something that every part is asked. A type and no closure, and its content by address: specialised for each part, it costs what a
/// line for each part would.
protocol PartQuestion {
  /// What is asked and what is found.
  associatedtype Content
  static func ask<Part: TrackerPart & ~Copyable>(
    _ part: borrowing Part, _ content: inout Content, at time: Instant)
}

/// Something that every part is told, and may change by.
protocol PartOrder {
  /// What it is told.
  associatedtype Content
  static func tell<Part: TrackerPart & ~Copyable>(
    _ part: inout Part, _ content: borrowing Content, _ configuration: TrackerConfiguration,
    _ journal: inout TrackerJournal, at time: Instant)
}

/// The earliest deadline.
enum EarliestDeadline: PartQuestion {
  @inline(__always) static func ask<Part: TrackerPart & ~Copyable>(
    _ part: borrowing Part, _ earliest: inout Instant?, at time: Instant
  ) {
    if let due = part.nextDeadline { earliest = min(earliest ?? due, due) }
  }
}

/// What each knows, in a packet.
enum Description: PartQuestion {
  @inline(__always) static func ask<Part: TrackerPart & ~Copyable>(
    _ part: borrowing Part, _ packet: inout Packet, at time: Instant
  ) {
    part.describe(in: &packet)
  }
}

/// A section of the state, from the part whose it is.
enum SectionText: PartQuestion {
  /// A section that is being written.
  struct Draft {
    private(set) var section = StateSections()
    /// False when its part has nothing for it.
    var isUsed = false
    var content = SectionContent()

    /// Begins another section, in the same place.
    mutating func begin(_ section: StateSections) {
      self.section = section
      isUsed = true
      content.removeAll()
    }
  }

  @inline(__always) static func ask<Part: TrackerPart & ~Copyable>(
    _ part: borrowing Part, _ draft: inout Draft, at time: Instant
  ) {
    guard Part.sections.contains(draft.section) else { return }
    draft.isUsed = part.isUsed(draft.section)
    if draft.isUsed { part.encode(draft.section, at: time, into: &draft.content) }
  }
}

/// Its parameters, which have changed.
enum NewParameters: PartOrder {
  @inline(__always) static func tell<Part: TrackerPart & ~Copyable>(
    _ part: inout Part, _ content: borrowing Void, _ configuration: TrackerConfiguration,
    _ journal: inout TrackerJournal, at time: Instant
  ) {
    part.configure(configuration)
  }
}

/// A reading of a slow sensor.
enum NewReading: PartOrder {
  @inline(__always) static func tell<Part: TrackerPart & ~Copyable>(
    _ part: inout Part, _ reading: borrowing Reading, _ configuration: TrackerConfiguration,
    _ journal: inout TrackerJournal, at time: Instant
  ) {
    part.process(copy reading, &journal)
  }
}

/// What an earlier life has kept.
enum Restart: PartOrder {
  @inline(__always) static func tell<Part: TrackerPart & ~Copyable>(
    _ part: inout Part, _ kept: borrowing KeptState, _ configuration: TrackerConfiguration,
    _ journal: inout TrackerJournal, at time: Instant
  ) {
    part.restore(kept, at: time)
  }
}

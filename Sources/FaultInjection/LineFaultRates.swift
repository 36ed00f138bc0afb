import Quantities

/// How often what goes wrong on a serial line; all in parts of a million, per byte unless said otherwise.
package struct LineFaultRates: Equatable, Sendable {
  /// A byte is lost.
  package var lossPerMillion: Int
  /// A bit of a byte is turned over.
  package var corruptionPerMillion: Int
  /// A byte comes twice.
  package var duplicationPerMillion: Int
  /// The line end (CR LF) behind a line is lost, so that it runs into the next; per line end.
  package var mergedLinesPerMillion: Int
  /// The rest of a line is lost, its end too; per byte.
  package var tornLinesPerMillion: Int
  /// The line stands still for `stall`; what comes meanwhile is late, not lost.
  package var stallPerMillion: Int
  /// How long a stall lasts.
  package var stall: Interval
  /// Every byte is late by up to this time, in order.
  package var delay: Interval
  /// A piece is cut here, and its rest comes `fragmentGap` later.
  package var fragmentationPerMillion: Int
  /// How much later the rest of a piece comes.
  package var fragmentGap: Interval

  /// Rates; nothing goes wrong unless given.
  package init(
    lossPerMillion: Int = 0, corruptionPerMillion: Int = 0, duplicationPerMillion: Int = 0,
    mergedLinesPerMillion: Int = 0, tornLinesPerMillion: Int = 0, stallPerMillion: Int = 0,
    stall: Interval = .seconds(2), delay: Interval = .zero, fragmentationPerMillion: Int = 0,
    fragmentGap: Interval = .milliseconds(20)
  ) {
    self.lossPerMillion = lossPerMillion
    self.corruptionPerMillion = corruptionPerMillion
    self.duplicationPerMillion = duplicationPerMillion
    self.mergedLinesPerMillion = mergedLinesPerMillion
    self.tornLinesPerMillion = tornLinesPerMillion
    self.stallPerMillion = stallPerMillion
    self.stall = stall
    self.delay = delay
    self.fragmentationPerMillion = fragmentationPerMillion
    self.fragmentGap = fragmentGap
  }

  /// A line on which nothing goes wrong.
  package static let none = LineFaultRates()
  /// A line with everything now and then: about one fault in 500 bytes.
  package static let rough = LineFaultRates(
    lossPerMillion: 400, corruptionPerMillion: 400, duplicationPerMillion: 200, mergedLinesPerMillion: 5_000,
    tornLinesPerMillion: 200, stallPerMillion: 100, delay: .milliseconds(3), fragmentationPerMillion: 20_000)
}

/// How often each fault has happened.
package struct LineFaultCounts: Equatable, Sendable {
  /// Bytes that were lost, those of torn lines and line ends not counted.
  package internal(set) var lost = 0
  /// Bytes with a wrong bit.
  package internal(set) var corrupted = 0
  /// Bytes that came twice.
  package internal(set) var duplicated = 0
  /// Line ends that were lost.
  package internal(set) var merged = 0
  /// Lines whose rest was lost.
  package internal(set) var torn = 0
  /// Times the line stood still.
  package internal(set) var stalls = 0
  /// Cuts between two bytes.
  package internal(set) var fragments = 0
  /// Bytes for which there was no room.
  package internal(set) var overflowed = 0

  /// Nothing has happened.
  package init() {}
}

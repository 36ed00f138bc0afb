import Quantities
public import TrackerCore
public import TrackerRuntime

/// Several recordings of one ride as one, in the order of time, in constant memory.
///
/// Recordings with elapsed time share their zero. One with UTC alone is laid beside them by UTC when any of them knows
/// its UTC, and else begins at their zero. Recordings that all have UTC alone are laid together by it. At the same
/// instant inertial samples come first, then fixes, then bytes; equals come in the order of the recordings. The order
/// inside one recording is never changed, and the files of one run, given in their order, are one recording.
public final class MergedRecording: RecordingImporter {
  /// How one recording was laid beside the others.
  public enum Alignment: Equatable, Sendable {
    /// By the zero of its elapsed time.
    case sharedZero
    /// By UTC.
    case utc
    /// By the time of day, on the day nearest to the others.
    case timeOfDay
    /// Nothing connects it with the others: its first input is put at zero.
    case assumed
  }

  /// How each recording was aligned, in the order given.
  public let alignments: [Alignment]
  /// What the instants mean after merging.
  public let timeline: Timeline

  private let parts: [any RecordingImporter]
  private let shifts: [Interval]
  /// The part after whose end each part begins; nil for one that begins by its time.
  private let predecessors: [Int?]
  private var heads: [TrackerInput?]
  private var failures: [RecordingError?]
  /// The part whose input was returned last; it is read on only when the next is asked for, so that its bytes stay.
  private var current = -1

  /// Merges recordings.
  public init(_ parts: [any RecordingImporter]) throws(RecordingError) {
    self.parts = parts
    let reference = MergedRecording.reference(parts.map(\.timeline))
    timeline = reference
    let placed = parts.map { MergedRecording.place($0.timeline, beside: reference) }
    shifts = placed.map(\.shift)
    predecessors = parts.indices.map { MergedRecording.predecessor(of: $0, in: parts) }
    alignments = placed.map(\.alignment)
    heads = [TrackerInput?](repeating: nil, count: parts.count)
    failures = [RecordingError?](repeating: nil, count: parts.count)
    for index in parts.indices { readHead(index) }
  }

  /// The formats of the parts.
  public var formatName: String { parts.map(\.formatName).joined(separator: " + ") }
  /// The reports of all parts.
  public var reports: [ImportReport] { parts.flatMap(\.reports) }
  /// The bytes of the last input.
  public var payload: [UInt8] { current >= 0 ? parts[current].payload : [] }

  /// The next input of all parts.
  ///
  /// - Throws: the failure of a part, once everything that could be read of all parts was delivered.
  public func next() throws(RecordingError) -> TrackerInput? {
    if current >= 0 {
      readHead(current)
      current = -1
    }
    var best = -1
    for index in heads.indices {
      guard let head = heads[index] else { continue }
      if waitsForEarlierFile(index) { continue }
      guard best >= 0, let leader = heads[best] else {
        best = index
        continue
      }
      let isEarlier =
        head.time == leader.time ? head.mergeRank < leader.mergeRank : head.time < leader.time
      if isEarlier { best = index }
    }
    guard best >= 0 else {
      for index in failures.indices {
        guard let failure = failures[index] else { continue }
        throw failure
      }
      return nil
    }
    current = best
    return heads[best]
  }

  /// A Leash log may go back in time, so that the next file of its run may begin before its end.
  private func waitsForEarlierFile(_ index: Int) -> Bool {
    var earlier = predecessors[index]
    while let file = earlier {
      if heads[file] != nil { return true }
      earlier = predecessors[file]
    }
    return false
  }

  private func readHead(_ index: Int) {
    do throws(RecordingError) {
      heads[index] = try parts[index].next()?.shifted(by: shifts[index])
    } catch {
      // The other recordings go on; what ended this one is told at the end.
      failures[index] = error
      heads[index] = nil
    }
  }

  /// The part from which a Leash log goes on, among those before it.
  private static func predecessor(of index: Int, in parts: [any RecordingImporter]) -> Int? {
    guard let name = (parts[index] as? LeashLogImporter)?.earlierLog else { return nil }
    return parts[..<index].lastIndex { part in
      guard part is LeashLogImporter, let file = part.reports.first?.file else { return false }
      return file == name || file.hasSuffix("/" + name)
    }
  }

  /// The timeline all others are laid beside.
  private static func reference(_ timelines: [Timeline]) -> Timeline {
    let elapsed = timelines.filter { $0.basis == .elapsed }
    if let first = elapsed.first { return elapsed.first { $0.utcAtZero != nil } ?? first }
    let dated = timelines.compactMap { $0.utcAtZero == nil ? nil : $0 }
    let earliest = dated.min { first, second in
      (first.utcAtZero?.microseconds ?? .max) < (second.utcAtZero?.microseconds ?? .max)
    }
    return earliest ?? timelines.first ?? Timeline(basis: .elapsed)
  }

  private static func place(
    _ timeline: Timeline, beside reference: Timeline
  ) -> (shift: Interval, alignment: Alignment) {
    if timeline.basis == .elapsed { return (.zero, .sharedZero) }
    if let utc = timeline.utcAtZero, let zero = reference.utcAtZero { return (utc - zero, .utc) }
    if timeline == reference { return (.zero, .sharedZero) }
    if let time = timeline.timeOfDayAtZero {
      let zero = reference.utcAtZero.map(\.microsecondsOfDay) ?? reference.timeOfDayAtZero
      if let zero { return (Interval(microseconds: SentenceClock.wrapped(time - zero)), .timeOfDay) }
    }
    return (.zero, .assumed)
  }
}

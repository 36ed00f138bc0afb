/// What an importer passed over, by kind, with the first line of each kind.
///
/// A recording from the field has bad rows; they must not stop a replay, and they must not vanish either.
public struct ImportReport: Equatable, Sendable {
  /// Sorts of badness. None of them ends an import.
  public enum Problem: UInt8, CaseIterable, Sendable {
    /// A field is not a number (or not a time): the row is skipped.
    case unreadableField
    /// The row has fewer fields than the header: it is skipped, as its last field may be cut.
    case shortRow
    /// A field is NaN or infinite: the field counts as missing.
    case notFinite
    /// The row has no time: it is skipped.
    case missingTime
    /// The time is earlier than that of a row before: the row is skipped.
    case timeBackwards
    /// The time is that of the row before: the row is skipped.
    case duplicateTime
    /// One row's time lies far ahead of the rows around it: the row is skipped.
    case timeOutlier
    /// Latitude or longitude is out of range: the row is skipped.
    case positionOutOfRange
    /// A latitude without a longitude or the reverse: the row counts as one without position.
    case incompletePosition
    /// Some but not all axes of a vector are there: the vector counts as missing.
    case incompleteVector
    /// A speed, course or accuracy outside what is possible: the field counts as missing.
    case valueOutOfRange
    /// A line is longer than any sensible line: it is skipped.
    case overlongLine
    /// The time jumps ahead by more than an hour: taken as it is, counted so that it can be seen.
    case longGap
    /// The clock of the recording was set back: the rows after that count as going on from the last one before.
    case clockSetBack
    /// The row is stamped before the recording was started: it is skipped.
    case beforeStart
    /// A damaged stretch of a Leash log was passed over.
    case damagedStretch
    /// A record of a type this version does not know was passed over.
    case unknownRecord

    /// A few words for a person.
    public var summary: String {
      switch self {
      case .unreadableField: "rows with a field that is not a number"
      case .shortRow: "rows with fewer fields than the header"
      case .notFinite: "fields that are NaN or infinite"
      case .missingTime: "rows without a time"
      case .timeBackwards: "rows whose time goes backwards"
      case .duplicateTime: "rows with the time of the row before"
      case .timeOutlier: "rows whose time is far ahead of their neighbours"
      case .positionOutOfRange: "rows with latitude or longitude out of range"
      case .incompletePosition: "rows with only one of latitude and longitude"
      case .incompleteVector: "vectors with an axis missing"
      case .valueOutOfRange: "speed, course or accuracy fields out of range"
      case .overlongLine: "over-long lines"
      case .longGap: "gaps of more than an hour"
      case .clockSetBack: "clocks set back, with what follows going on from the last one before"
      case .beforeStart: "rows stamped before the start of the recording"
      case .damagedStretch: "damaged stretches"
      case .unknownRecord: "records of an unknown type"
      }
    }
  }

  /// One kind of problem that happened.
  public struct Entry: Equatable, Sendable {
    /// How often, and what: `1 row without a time`, `3 rows without a time`.
    package var text: String {
      guard count == 1 else { return "\(count) \(problem.summary)" }
      // The first noun is what there is one of.
      var words = problem.summary.split(separator: " ").map(String.init)
      let nouns = [
        "rows": "row", "fields": "field", "lines": "line", "gaps": "gap", "clocks": "clock", "vectors": "vector",
        "records": "record", "stretches": "stretch",
      ]
      guard let place = words.firstIndex(where: { nouns[$0] != nil }) else { return "1 \(problem.summary)" }
      words[place] = nouns[words[place]] ?? ""
      for (other, one) in [("are", "is"), ("their", "its")] {
        if let place = words.firstIndex(of: other) { words[place] = one }
      }
      return "1 " + words.joined(separator: " ")
    }
    /// The kind.
    public var problem: Problem
    /// How often.
    public var count: Int
    /// The line (of a Leash log: the byte offset) of the first.
    public var firstLine: Int
  }

  /// The file, as given by the caller.
  public var file: String
  /// Number of inputs delivered so far.
  public var inputCount = 0
  /// Where the file ends in the middle of something: the byte offset of the last whole part.
  public var truncatedAtByte: Int?
  /// Bytes passed over as damaged.
  public var skippedByteCount = 0
  /// Things a reader should know, such as an assumption made; each is one line.
  public private(set) var remarks: [String] = []

  var counts = [Int](repeating: 0, count: Problem.allCases.count)
  var firstLines = [Int](repeating: 0, count: Problem.allCases.count)

  /// A report about a file, with nothing in it.
  public init(file: String) { self.file = file }

  /// Counts one problem.
  public mutating func count(_ problem: Problem, line: Int) {
    let index = Int(problem.rawValue)
    if counts[index] == 0 { firstLines[index] = line }
    counts[index] += 1
  }

  /// Sets how often a problem happened, where somebody else counts.
  mutating func set(_ problem: Problem, count: Int, firstLine: Int) {
    counts[Int(problem.rawValue)] = count
    firstLines[Int(problem.rawValue)] = firstLine
  }

  /// Adds a remark; only the first few are kept.
  public mutating func remark(_ text: String) {
    if remarks.count < 16, !remarks.contains(text) { remarks.append(text) }
  }

  /// How often a problem happened.
  public func count(of problem: Problem) -> Int { counts[Int(problem.rawValue)] }

  /// The problems that happened, in a fixed order.
  public var entries: [Entry] {
    Problem.allCases.compactMap { problem in
      let index = Int(problem.rawValue)
      guard counts[index] > 0 else { return nil }
      return Entry(problem: problem, count: counts[index], firstLine: firstLines[index])
    }
  }

  /// The first problem of those that happened, by line; for the error of a file that gave nothing.
  var firstEntry: Entry? { entries.min { $0.firstLine < $1.firstLine } }
}

import Positioning
import Rules

extension RuleError {
  /// What is wrong, in a few words, and what would be right.
  package var explanation: String { explanation(of: .polygon) }

  /// What is wrong with an outline of a shape.
  func explanation(of shape: RegionShape) -> String {
    switch self {
    case .tableFull: "the table is full; delete one first"
    case .unknownNumber: "no entry has this number"
    case .badNumber: "expected a number from 1 to 255"
    case .badName: "expected a name of 1 to 32 bytes without double quotes and control characters"
    case .badWidth:
      "expected metres from \(plain(RegionLimits.widths.lowerBound)) to \(plain(RegionLimits.widths.upperBound))"
    case .tooFewPoints:
      shape == .corridor ? "expected two points or more" : "expected three corners or more in each outline and hole"
    case .tooManyPoints: "expected eight corners at most, those of holes included"
    case .crossing: "two edges cross or touch that are not neighbours"
    case .zeroArea: "it has no area: the corners are in a line"
    case .duplicatePoint: "two corners are at the same place; do not repeat the first corner at the end"
    case .outOfRange: "expected a latitude from -90 to 90 and a longitude from -180 to 180"
    case .tooLarge: "a corner is more than 60° from the centre"
    case .holeOutside: "a hole is outside the polygon, or inside another hole"
    case .noPosition: "the position of the tracker is unknown"
    case .noTime: "the time is unknown"
    case .badZone: "expected a POSIX time zone, such as CET-1CEST,M3.5.0,M10.5.0/3"
    case .unknownFence: "it refers to a fence that does not exist"
    case .unreadable: "it can't be read"
    case .usedByAlarm: "an alarm depends on it; change or delete that alarm first"
    case .pastDate: "its date is over; it would never ring"
    }
  }

  /// What is wrong with a rule that was refused, by the answer to it; nil when it names no error.
  ///
  /// - Parameters:
  ///   - answer: The name of an error, behind which there may be a number or a table.
  ///   - isCorridor: Whether it is about a corridor.
  package static func explanation(of answer: String, isCorridor: Bool = false) -> String? {
    let words = answer.split(separator: " ")
    guard let name = words.first, let error = RuleError(name: String(name)) else { return nil }
    // The table, or the number of the alarm, stands behind the name.
    if words.count == 2, error == .tableFull { return "the table of \(words[1]) is full; delete one first" }
    if words.count == 2, error == .usedByAlarm {
      return "alarm \(words[1]) depends on it; change or delete that alarm first"
    }
    return error.explanation(of: isCorridor ? .corridor : .polygon)
  }

  /// The error of a name in an answer; nil when it is none.
  init?(name: String) {
    guard let error = RuleError.allCases.first(where: { "\($0.name)" == name }) else { return nil }
    self = error
  }
}

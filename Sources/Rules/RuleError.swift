/// Why a rule (a fence, a place, an alarm) was not taken.
public enum RuleError: UInt8, Error, Equatable, Sendable, CaseIterable {
  /// As many as there is room for.
  case tableFull
  /// There is none of this number.
  case unknownNumber
  /// A number that is not 1 to 255.
  case badNumber
  /// A name that is empty, longer than 32 bytes, or no UTF-8 without control characters and quotes.
  case badName
  /// A radius or a width that is out of `RegionLimits.widths`.
  case badWidth
  /// Fewer corners than make a region.
  case tooFewPoints
  /// More corners than eight.
  case tooManyPoints
  /// Two edges cross or touch where they are no neighbours.
  case crossing
  /// The corners lie in a line.
  case zeroArea
  /// Two corners are the same place.
  case duplicatePoint
  /// A latitude beyond ±90° or a longitude beyond ±180°.
  case outOfRange
  /// A corner is farther than 60° from the middle of all.
  case tooLarge
  /// A hole is not within the polygon.
  case holeOutside
  /// It was to be where the tracker is, and that is not known.
  case noPosition
  /// It needs the time, which is not known.
  case noTime
  /// A time zone that is none.
  case badZone
  /// An alarm whose fence is not there.
  case unknownFence
  /// Bytes that are no rule.
  case unreadable
  /// A fence that an alarm depends on is to go.
  case usedByAlarm
  /// An alarm of a date that is over.
  case pastDate

  /// Its name in answers, 19 bytes at most.
  public var name: StaticString {
    switch self {
    case .tableFull: return "tableFull"
    case .unknownNumber: return "unknownNumber"
    case .badNumber: return "badNumber"
    case .badName: return "badName"
    case .badWidth: return "badWidth"
    case .tooFewPoints: return "tooFewPoints"
    case .tooManyPoints: return "tooManyPoints"
    case .crossing: return "crossing"
    case .zeroArea: return "zeroArea"
    case .duplicatePoint: return "duplicatePoint"
    case .outOfRange: return "outOfRange"
    case .tooLarge: return "tooLarge"
    case .holeOutside: return "holeOutside"
    case .noPosition: return "noPosition"
    case .noTime: return "noTime"
    case .badZone: return "badZone"
    case .unknownFence: return "unknownFence"
    case .unreadable: return "unreadable"
    case .usedByAlarm: return "usedByAlarm"
    case .pastDate: return "pastDate"
    }
  }

  /// The reason of a fence that was not taken.
  public init(_ error: FenceError) {
    switch error {
    case .tableFull: self = .tableFull
    case .unknownFence: self = .unknownNumber
    case .badNumber: self = .badNumber
    case .badName: self = .badName
    case .unreadable: self = .unreadable
    case .outline(let error):
      switch error {
      case .tooFewPoints: self = .tooFewPoints
      case .tooManyPoints: self = .tooManyPoints
      case .crossing: self = .crossing
      case .zeroArea: self = .zeroArea
      case .duplicatePoint: self = .duplicatePoint
      case .outOfRange: self = .outOfRange
      case .tooLarge: self = .tooLarge
      case .badWidth: self = .badWidth
      case .holeOutside: self = .holeOutside
      }
    }
  }
}

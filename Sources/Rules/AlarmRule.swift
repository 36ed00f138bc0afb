public import InlineStorage
import Quantities

/// What makes an alarm ring, or what it is instead of an alarm.
public enum AlarmTrigger: Equatable, BitwiseCopyable, Sendable {
  /// A time of the day, on one date or on days of the week.
  case time(AlarmSchedule)
  /// Somebody has come to its fence.
  case arrival
  /// Somebody has left its fence.
  case departure
  /// Somebody has been in its fence for so many minutes, 1 to 1440; once for each stay.
  case dwell(minutes: UInt16)
  /// No alarm sounds while this holds, and none is set off by it; packets are sent as ever.
  case quiet
  /// Movement of a parked vehicle is an alert only while this, or another one of its kind, holds.
  case guarding
}

/// What an alarm makes of a fence while it is not known where the tracker is.
public enum PlacePolicy: UInt8, Equatable, BitwiseCopyable, Sendable, CaseIterable {
  /// The last that is known counts; what was never known lets it ring.
  case last
  /// It rings.
  case ring
  /// It does not.
  case skip

  /// Its word.
  public var word: StaticString {
    switch self {
    case .last: return "last"
    case .ring: return "ring"
    case .skip: return "skip"
    }
  }
}

/// An alarm by time or place, or what holds others back.
public struct AlarmRule: Equatable, BitwiseCopyable, Sendable {
  /// The number the owner gave it, 1 to 255; 0 for none.
  public var number: UInt8 = 0
  /// What the owner calls it, UTF-8.
  public var label = InlineBytes<32>()
  /// False keeps the alarm without effect.
  public var isEnabled = true
  /// What makes it ring.
  public var trigger = AlarmTrigger.quiet
  /// The number of a fence it depends on; 0 for everywhere.
  public var fence: UInt8 = 0
  /// True when it counts outside that fence.
  public var isOutside = false
  /// What it makes of that fence while it is not known where the tracker is.
  public var policy = PlacePolicy.last
  /// When it counts; nil for always. A time needs none.
  public var window: DailyWindow?
  /// How long the buzzer sounds, s; 0 for not at all. Default 30 s.
  public var soundSeconds: UInt16 = 30
  /// How long `snooze` waits, minutes. Default 10.
  public var snoozeMinutes: UInt8 = 10

  /// When it rings next by its time; nil when it has none, and while UTC is not known.
  public var next: UTCTime? { isEnabled ? planned : nil }
  /// The same, and the date of one that is over: it is looked at again when the clock goes back.
  var planned: UTCTime? {
    get { AlarmRule.time(nextTime) }
    set { nextTime = newValue?.microseconds ?? .min }
  }
  /// When it rings after a snooze.
  public internal(set) var snoozed: UTCTime? {
    get { AlarmRule.time(snoozeTime) }
    set { snoozeTime = newValue?.microseconds ?? .min }
  }
  // Optionals would take half as much memory again.
  private var nextTime = Int64.min
  private var snoozeTime = Int64.min
  private static func time(_ microseconds: Int64) -> UTCTime? {
    microseconds == .min ? nil : UTCTime(microseconds: microseconds)
  }
  /// It has rung for the present stay, or has rung on its date or been missed, whatever the clock shows since.
  var wasTold = false

  /// Longest stay, minutes.
  public static var longestDwell: UInt16 { 1440 }
  /// Longest sound, s.
  public static var longestSound: UInt16 { 3600 }
  /// Longest snooze, minutes.
  public static var longestSnooze: UInt8 { 120 }
  static var longestSnoozeTime: Interval { .seconds(60 * Int(longestSnooze)) }

  /// True when it may ring: it is enabled, or was snoozed on its date, after which it is not.
  var isWaiting: Bool { number != 0 && (isEnabled || snoozed != nil) }

  /// True when it rings on one date.
  var isOnDate: Bool {
    if case .time(let schedule) = trigger, case .date = schedule.days { return true }
    return false
  }

  /// None.
  public init() {}

  /// True for a rule that the owner sees no difference to, whatever either has rung of.
  func isSame(as other: AlarmRule) -> Bool {
    var other = other
    (other.nextTime, other.snoozeTime, other.wasTold) = (nextTime, snoozeTime, wasTold)
    return self == other
  }

  /// Why it is no rule; nil when it is one.
  var problem: RuleError? {
    if number == 0 { return .badNumber }
    if !isRuleName(label.span) { return .badName }
    switch trigger {
    case .arrival, .departure: return fence == 0 ? .unknownFence : nil
    case .dwell(let minutes): return fence == 0 ? .unknownFence : minutes == 0 ? .badNumber : nil
    case .time, .quiet, .guarding: return nil
    }
  }
}

extension AlarmRule {
  /// Writes it as the bytes of a row.
  func encode<let room: Int>(into bytes: inout InlineBytes<room>) {
    bytes.append(number)
    bytes.append(rowName: label)
    let isDate: Bool
    let kind: UInt8
    var first: UInt64 = 0
    var second: UInt64 = 0
    switch trigger {
    case .time(let schedule):
      kind = 0
      second = UInt64(schedule.minute)
      switch schedule.days {
      case .date(let date):
        isDate = true
        first = UInt64(UInt32(bitPattern: Int32(truncatingIfNeeded: date.daysSince1970)))
      case .weekdays(let days):
        isDate = false
        first = UInt64(days.rawValue)
      }
    case .arrival: (kind, isDate) = (1, false)
    case .departure: (kind, isDate) = (2, false)
    case .dwell(let minutes): (kind, isDate, second) = (3, false, UInt64(minutes))
    case .quiet: (kind, isDate) = (4, false)
    case .guarding: (kind, isDate) = (5, false)
    }
    bytes.append(kind | (policy.rawValue << 4))
    let flags: UInt8 = (isEnabled ? 1 : 0) | (isOutside ? 2 : 0) | (window != nil ? 4 : 0) | (isDate ? 8 : 0)
    let times: UInt8 = (planned != nil ? 16 : 0) | (snoozed != nil ? 32 : 0) | (wasTold ? 64 : 0)
    bytes.append(flags | times)
    bytes.append(row: first, 4)
    bytes.append(row: second, 2)
    bytes.append(fence)
    bytes.append(row: UInt64(soundSeconds), 2)
    bytes.append(snoozeMinutes)
    if let window {
      bytes.append(window.days.rawValue)
      bytes.append(row: UInt64(window.start), 2)
      bytes.append(row: UInt64(window.end), 2)
    }
    if let planned { bytes.append(row: UInt64(bitPattern: planned.microseconds), 8) }
    if let snoozed { bytes.append(row: UInt64(bitPattern: snoozed.microseconds), 8) }
  }

  /// Reads the bytes of a row; nil when they are none.
  init?(row bytes: Span<UInt8>) {
    self.init()
    var reader = RowReader(bytes.count)
    number = reader.byte(bytes)
    label = reader.name(bytes)
    let kind = reader.byte(bytes)
    let flags = reader.byte(bytes)
    let first = UInt32(truncatingIfNeeded: reader.number(bytes, 4))
    let second = UInt16(truncatingIfNeeded: reader.number(bytes, 2))
    fence = reader.byte(bytes)
    soundSeconds = UInt16(truncatingIfNeeded: reader.number(bytes, 2))
    snoozeMinutes = reader.byte(bytes)
    guard reader.isValid, flags < 128, let policy = PlacePolicy(rawValue: kind >> 4),
      let trigger = AlarmTrigger(kind & 15, isDate: flags & 8 != 0, first, second)
    else { return nil }
    self.policy = policy
    self.trigger = trigger
    isEnabled = flags & 1 != 0
    isOutside = flags & 2 != 0
    wasTold = flags & 64 != 0
    if flags & 4 != 0 {
      let days = WeekdaySet(rawValue: reader.byte(bytes))
      let start = Int(reader.number(bytes, 2))
      let end = Int(reader.number(bytes, 2))
      window = DailyWindow(days, start: start, end: end)
      reader.require(window != nil)
    }
    if flags & 16 != 0 { planned = UTCTime(microseconds: Int64(bitPattern: reader.number(bytes, 8))) }
    if flags & 32 != 0 { snoozed = UTCTime(microseconds: Int64(bitPattern: reader.number(bytes, 8))) }
    guard reader.isValid, reader.isAtEnd, problem == nil else { return nil }
  }
}

extension AlarmTrigger {
  fileprivate init?(_ kind: UInt8, isDate: Bool, _ first: UInt32, _ second: UInt16) {
    switch kind {
    case 0:
      let days: AlarmSchedule.Days
      if isDate {
        days = .date(CivilDate(daysSince1970: Int(Int32(bitPattern: first))))
      } else {
        days = .weekdays(WeekdaySet(rawValue: UInt8(truncatingIfNeeded: first)))
      }
      guard let schedule = AlarmSchedule(days, minute: Int(second)) else { return nil }
      self = .time(schedule)
    case 1: self = .arrival
    case 2: self = .departure
    case 3: self = .dwell(minutes: second)
    case 4: self = .quiet
    case 5: self = .guarding
    default: return nil
    }
  }
}

import Quantities

/// How long a modem stays reachable after it talked (T3324), as the network writes it: three bits unit, five bits number.
///
/// - Source: [ts24008] sections 10.5.7.3 and 10.5.7.4 (GPRS timer 2).
@frozen package struct ActiveTimer: Equatable, BitwiseCopyable, Sendable {
  /// The eight bits.
  package var bits: UInt8

  /// A timer from its bits.
  @inlinable package init(bits: UInt8) { self.bits = bits }

  /// The shortest timer that is not shorter than this; the longest, 186 min, when there is none.
  package init(atLeast interval: Interval) {
    let seconds = PowerSavingUnits.wholeSeconds(interval)
    if seconds <= 62 {
      bits = PowerSavingUnits.count(seconds, by: 2)
    } else if seconds <= 31 * 60 {
      bits = 0b001_00000 | PowerSavingUnits.count(seconds, by: 60)
    } else {
      bits = 0b010_00000 | PowerSavingUnits.count(seconds, by: 360)
    }
  }

  /// Its length; nil when it is off.
  package var interval: Interval? {
    let count = Int(bits & 31)
    switch bits >> 5 {
    case 0: return .seconds(2 * count)
    case 2: return .seconds(360 * count)
    case 7: return nil
    default: return .seconds(60 * count)
    }
  }
}

/// How often a modem reports to the network (T3412, extended), as the network writes it.
///
/// - Source: [ts24008] section 10.5.7.4a (GPRS timer 3).
@frozen package struct UpdateTimer: Equatable, BitwiseCopyable, Sendable {
  /// The eight bits.
  package var bits: UInt8

  /// A timer from its bits.
  @inlinable package init(bits: UInt8) { self.bits = bits }

  /// The shortest timer that is not shorter than this; the longest, 9920 h, when there is none.
  package init(atLeast interval: Interval) {
    let seconds = PowerSavingUnits.wholeSeconds(interval)
    if seconds <= 31 * 2 {
      bits = 0b011_00000 | PowerSavingUnits.count(seconds, by: 2)
    } else if seconds <= 31 * 30 {
      bits = 0b100_00000 | PowerSavingUnits.count(seconds, by: 30)
    } else if seconds <= 31 * 60 {
      bits = 0b101_00000 | PowerSavingUnits.count(seconds, by: 60)
    } else if seconds <= 31 * 600 {
      bits = PowerSavingUnits.count(seconds, by: 600)
    } else if seconds <= 31 * 3600 {
      bits = 0b001_00000 | PowerSavingUnits.count(seconds, by: 3600)
    } else if seconds <= 31 * 36_000 {
      bits = 0b010_00000 | PowerSavingUnits.count(seconds, by: 36_000)
    } else {
      bits = 0b110_00000 | PowerSavingUnits.count(seconds, by: 1_152_000)
    }
  }

  /// Its length; nil when it is off.
  package var interval: Interval? {
    let count = Int(bits & 31)
    switch bits >> 5 {
    case 0: return .seconds(600 * count)
    case 1: return .seconds(3600 * count)
    case 2: return .seconds(36_000 * count)
    case 3: return .seconds(2 * count)
    case 4: return .seconds(30 * count)
    case 5: return .seconds(60 * count)
    case 6: return .seconds(1_152_000 * count)
    default: return nil
    }
  }
}

/// Sums that both timers need.
enum PowerSavingUnits {
  /// Seconds, rounded up; none for less than nothing.
  static func wholeSeconds(_ interval: Interval) -> Int64 {
    let microseconds = interval.microseconds
    guard microseconds > 0 else { return 0 }
    return microseconds / 1_000_000 + (microseconds % 1_000_000 > 0 ? 1 : 0)
  }

  /// How many units hold the seconds, 31 at most.
  static func count(_ seconds: Int64, by unit: Int64) -> UInt8 {
    let count = seconds / unit + (seconds % unit > 0 ? 1 : 0)
    return UInt8(truncatingIfNeeded: count > 31 ? 31 : count)
  }
}

import ASCIIText
import InlineStorage
import Quantities
import Rules
import Telemetry

/// What a wearer did on a day.
package struct ActivityDay: Equatable, BitwiseCopyable, Sendable {
  /// The day, since 1970, on the clock of the tracker's zone; 0 while the date is not known.
  package var day: Int32 = 0
  /// Windows with a signal, and of them those in which it was active, and at rest.
  package var measured: UInt32 = 0
  package var active: UInt32 = 0
  package var resting: UInt32 = 0
  /// Steps in 256ths.
  package var steps: UInt64 = 0

  /// A day of which nothing is known.
  package init() {}

  /// Whole steps.
  package var wholeSteps: UInt32 { UInt32(clamping: steps >> 8) }
  /// Whole minutes in which it was active.
  package var activeMinutes: UInt16 { ActivityDay.minutes(active) }
  /// Whole minutes in which it rested.
  package var restMinutes: UInt16 { ActivityDay.minutes(resting) }
  /// Whole minutes with a signal.
  package var measuredMinutes: UInt16 { ActivityDay.minutes(measured) }

  /// 1.28 s each.
  static func minutes(_ windows: UInt32) -> UInt16 {
    let points = UInt64(windows) * UInt64(ActivityMeter.windowPoints)
    return UInt16(clamping: points / UInt64(60 * ActivityMeter.pointsPerSecond))
  }
}

/// The days of a wearer: the present one, and the habit of those before. It stands beside the tracker and is no part of it.
///
/// Its state follows from the windows and the times that it is told in their order, and from nothing else.
package struct ActivityLedger: BitwiseCopyable {
  /// Days that make the habit, at most.
  package static var habitDays: Int { 14 }
  /// Days after which the habit is known.
  package static var knownDays: Int { 7 }
  /// Less than one in so many of the habit's minutes is a quiet day.
  package static var quietPart: UInt32 { 2 }
  /// In hundredths: how much of a day must have been measured, so that it says something about the wearer.
  package static var measuredShare: UInt32 { 80 }
  /// Between two reports, if something has changed.
  static var reportInterval: Interval { .seconds(3600) }

  /// The present day.
  package internal(set) var today = ActivityDay()
  /// Active minutes of the last days, the newest at `newest`.
  var habit: InlineArray<14, UInt16> = InlineArray(repeating: 0)
  /// How many days are in the habit.
  package internal(set) var habitCount: UInt8 = 0
  var newest: UInt8 = 0
  /// True once something was measured; from then on there is a section.
  package internal(set) var isUsed = false
  /// What was in the state was damaged, which is to be told.
  package internal(set) var isDamaged = false

  var revision: UInt32 = 0
  var isChanged = false
  /// When the clock is looked at next, and when the day ends, seconds since 1970.
  private var nextLook = Instant(microseconds: .min)
  private var nextReport = Instant(microseconds: .min)
  /// What was reported last.
  private var told: (steps: UInt32, active: UInt16) = (0, 0)
  private var waiting = InlineVectorOfTwo()

  /// Nothing is known.
  package init() {}

  /// True while there is something to tell.
  package var hasNews: Bool { waiting.count > 0 || isDamaged }

  // MARK: What is told

  /// A window of the meter has ended.
  ///
  /// - Parameters:
  ///   - window: What it has.
  ///   - isCarried: True where the wearer is in a vehicle: what is felt there is none of its own doing.
  package mutating func note(_ window: ActivityWindow, isCarried: Bool) {
    isUsed = true
    isChanged = true
    today.measured += 1
    guard !isCarried else { return }
    switch window.level {
    case .rest: today.resting += 1
    case .light: break
    case .active: today.active += 1
    }
    today.steps += UInt64(window.steps)
  }

  /// True when `look` has something to do.
  package func isDue(at now: Instant) -> Bool { now >= nextLook }

  /// Looks at the clock: whether the day is over, and whether it is time for a report.
  ///
  /// - Parameters:
  ///   - utc: The time; nil while that is not known.
  ///   - zone: The tracker's time zone as text; empty for UTC.
  package mutating func look(at now: Instant, utc: UTCTime?, zone text: Span<UInt8>) {
    nextLook = now + .seconds(60)
    if let utc {
      let zone = text.count > 0 ? PosixTimeZone(text) ?? PosixTimeZone() : PosixTimeZone()
      let day = zone.local(utc).date.daysSince1970
      if day != Int(today.day) {
        let before = zone.instant(day: Int(today.day), secondOfDay: 0)
        let end = zone.instant(day: Int(today.day) + 1, secondOfDay: 0)
        turn(to: Int32(clamping: day), after: end - before)
      }
      let end = zone.instant(day: day + 1, secondOfDay: 0) - utc
      nextLook = min(nextLook, now + max(end, .seconds(1)))
    }
    if nextReport == Instant(microseconds: .min) { nextReport = now + ActivityLedger.reportInterval }
    guard now >= nextReport else { return }
    nextReport = now + ActivityLedger.reportInterval
    report()
  }

  /// The day is another one.
  ///
  /// - Parameter length: How long the day was, which has 23 or 25 hours when clocks are changed.
  private mutating func turn(to day: Int32, after length: Interval) {
    defer {
      today.day = day
      isChanged = true
    }
    // The first day that is known has what was counted before.
    guard today.day != 0 else { return }
    // A clock that goes back was wrong then, or is now: the day is not judged, and none is learnt.
    if day > today.day {
      report(isLast: today.measured > 0)
      let minutes = UInt32(clamping: length.microseconds / 60_000_000)
      if UInt32(today.measuredMinutes) * 100 >= minutes * ActivityLedger.measuredShare { judge() }
    }
    today = ActivityDay()
    told = (0, 0)
  }

  private mutating func judge() {
    let active = today.activeMinutes
    if let usual = habitMinutes, UInt32(active) * ActivityLedger.quietPart < UInt32(usual) {
      var notice = ActivityNotice(.quietDay)
      notice.value.append(decimal: UInt64(active))
      notice.value.append(" of ")
      notice.value.append(decimal: UInt64(usual))
      notice.value.append(" min")
      waiting.append(notice)
    }
    newest = (newest + 1) % UInt8(ActivityLedger.habitDays)
    habit[Int(newest)] = active
    habitCount = min(habitCount + 1, UInt8(ActivityLedger.habitDays))
  }

  /// The active minutes of a usual day: the median of the last; nil while too few are known.
  package var habitMinutes: UInt16? {
    guard Int(habitCount) >= ActivityLedger.knownDays else { return nil }
    var days: InlineArray<14, UInt16> = InlineArray(repeating: 0)
    var count = 0
    while count < Int(habitCount) {
      let all = ActivityLedger.habitDays
      let value = habit[(Int(newest) + all - count) % all]
      var place = count
      while place > 0, days[place - 1] > value {
        days[place] = days[place - 1]
        place -= 1
      }
      days[place] = value
      count += 1
    }
    // The lower one of two in the middle: less is told quiet.
    return days[(count - 1) / 2]
  }

  /// - Parameter isLast: At the end of a day, when the minutes at rest are told in any case.
  private mutating func report(isLast: Bool = false) {
    let now = (today.wholeSteps, today.activeMinutes)
    guard isLast || now != told else { return }
    told = now
    waiting.append(summary)
  }

  /// Steps, active minutes and minutes at rest of the day, as they are reported and answered.
  package var summary: ActivityNotice {
    var notice = ActivityNotice(.activity)
    notice.value.append(decimal: UInt64(today.wholeSteps))
    notice.value.append(0x20)
    notice.value.append(decimal: UInt64(today.activeMinutes))
    notice.value.append(0x20)
    notice.value.append(decimal: UInt64(today.restMinutes))
    return notice
  }

  /// What is to be told by itself, one at a time; nil when there is nothing.
  package mutating func nextNotice() -> ActivityNotice? {
    if isDamaged {
      isDamaged = false
      var notice = ActivityNotice(.stateDamaged)
      notice.value.append("activity")
      return notice
    }
    return waiting.next()
  }

  /// Everything is forgotten: the tracker has another owner.
  package mutating func forget() {
    let (kept, used) = (revision, isUsed)
    self = ActivityLedger()
    revision = kept
    isUsed = used
    isChanged = used
  }
}

/// What is told of activity, with its value.
package struct ActivityNotice: BitwiseCopyable, Sendable {
  /// The reason of the status.
  package var reason: StatusReason
  /// Its value, which is never longer than a packet has room for.
  package var value = InlineBytes<20>()

  init(_ reason: StatusReason) { self.reason = reason }

  /// The value of the packet.
  package var text: PacketText { PacketText(value.span) }
}

/// Notices that wait: a report and what is told of the day, at most.
private struct InlineVectorOfTwo: BitwiseCopyable {
  private var first = ActivityNotice(.activity)
  private var second = ActivityNotice(.activity)
  private(set) var count = 0

  mutating func append(_ notice: ActivityNotice) {
    if count == 0 { first = notice } else { second = notice }
    count = min(count + 1, 2)
  }

  mutating func next() -> ActivityNotice? {
    guard count > 0 else { return nil }
    defer { first = second }
    count -= 1
    return first
  }
}

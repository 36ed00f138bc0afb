public import InlineStorage
import Positioning
public import Quantities

/// What an alarm clock has to report.
public struct AlarmEvent: Equatable, BitwiseCopyable, Sendable {
  /// What happened.
  public enum Kind: Equatable, BitwiseCopyable, Sendable {
    /// It rings, and the buzzer sounds for so many seconds, 0 for not at all.
    case rang(seconds: UInt16)
    /// It would have rung while the tracker was off, or at a time that the clock has left out.
    case missed
  }

  /// The alarm's number.
  public var number: UInt8
  /// What.
  public var kind: Kind
}

/// Where and when the tracker is, as far as it is known.
public struct AlarmScene: BitwiseCopyable, Sendable {
  /// Now.
  public var now: Instant
  /// The same in UTC; nil while it is not known.
  public var utc: UTCTime?
  /// True when there is a fresh fix.
  public var hasFix: Bool
  /// Where it is, or was last; nil when that was never known.
  package var position: GeodeticPosition?

  /// A scene.
  public init(now: Instant, utc: UTCTime?, hasFix: Bool, position: GeodeticPosition? = nil) {
    self.now = now
    self.utc = utc
    self.hasFix = hasFix
    self.position = position
  }
}

/// Alarms by time and place.
///
/// Doors: `advance` whenever time or the fences have changed, `enter` and `leave` when a fence was; then `nextEvent` until there is none.
public struct AlarmClock<let capacity: Int>: ~Copyable {
  /// The clock that alarms and quiet hours go by.
  public private(set) var zone = PosixTimeZone()
  /// The same as text, as it was set; empty for UTC.
  public private(set) var zoneText = InlineBytes<48>()
  /// How often an alarm was refused because the table was full.
  public private(set) var rejectedCount: UInt32 = 0
  /// When something may happen by itself, if nothing else does before; call `advance` then.
  public private(set) var nextDeadline: Instant?
  /// Rows whose content has changed since `takeChanges`, one bit each.
  private var changes: UInt32 = 0
  private var rows: InlineArray<capacity, AlarmRule>
  private var events = InlineQueue<8, AlarmEvent>()
  /// The alarm that rang last, for `snooze`.
  private var last: UInt8 = 0
  /// What the clocks showed at the last `advance`, to notice that one was set.
  private var lastUTC: UTCTime?
  private var lastNow = Instant.zero

  /// No alarms, and UTC.
  public init() { rows = InlineArray { _ in AlarmRule() } }

  /// Time between due and now beyond which an alarm of before a start was missed.
  static var grace: Interval { .seconds(60) }
  /// Difference between the clocks beyond which one of them was set.
  static var step: Interval { .seconds(5) }
  /// A clock that is set forward by a day, give or take that, or more was wrong before or is wrong now: what comes every week was not missed.
  static var farStep: Interval { .seconds(86_400) - step }

  /// Number of alarms.
  public var count: Int { rows.usedCount }

  /// The row of an alarm; nil when there is none.
  public func row(of number: UInt8) -> Int? { rows.row(of: number) }

  /// What stands in a row; its number is 0 when nothing does.
  /// - Precondition: `0 ≤ row < capacity`.
  public subscript(row: Int) -> AlarmRule { rows[row] }

  /// Fetches the next event, oldest first.
  public mutating func nextEvent() -> AlarmEvent? { events.popFirst() }

  /// Rows whose content has changed since the last time this was asked, one bit each.
  public mutating func takeChanges() -> UInt32 {
    defer { changes = 0 }
    return changes
  }

  // MARK: The owner

  /// Puts an alarm into the table, in the place of the one of its number.
  ///
  /// - Returns: Why it was not taken; the table is as before then.
  public mutating func set(_ rule: AlarmRule) -> RuleError? {
    if let problem = rule.problem { return problem }
    guard let row = rows.place(for: rule.number) else {
      rejectedCount &+= 1
      return .tableFull
    }
    // What is as it was goes on: it may be snoozed, or have rung in this stay.
    guard !rows[row].isSame(as: rule) else { return nil }
    rows[row] = rule
    rows[row].planned = nil
    rows[row].snoozed = nil
    rows[row].wasTold = false
    changes |= 1 << UInt32(row)
    return nil
  }

  /// True for an alarm of the table that would ring on a date, which is over.
  package func isPast(_ number: UInt8, at utc: UTCTime?) -> Bool {
    guard let row = row(of: number) else { return false }
    var rule = rows[row]
    rule.isEnabled = true
    return isPast(rule, at: utc)
  }

  /// True for an alarm that is to ring on a date, which is over.
  package func isPast(_ rule: AlarmRule, at utc: UTCTime?) -> Bool {
    guard rule.isEnabled, let utc, case .time(let schedule) = rule.trigger else { return false }
    return schedule.next(after: utc, in: zone) == nil
  }

  /// Takes an alarm out.
  public mutating func delete(_ number: UInt8) -> RuleError? {
    guard let row = row(of: number) else { return .unknownNumber }
    rows[row] = AlarmRule()
    changes |= 1 << UInt32(row)
    return nil
  }

  /// Takes all alarms out.
  public mutating func removeAll() {
    for row in 0..<capacity where rows[row].number != 0 { _ = delete(rows[row].number) }
  }

  /// Switches an alarm on or off.
  public mutating func enable(_ number: UInt8, _ isEnabled: Bool) -> RuleError? {
    guard let row = row(of: number) else { return .unknownNumber }
    // What is on goes on: it may be snoozed.
    guard !isEnabled || !rows[row].isEnabled else { return nil }
    rows[row].isEnabled = isEnabled
    // What is off is not snoozed either.
    if !isEnabled, last == number { last = 0 }
    rows[row].planned = nil
    rows[row].snoozed = nil
    changes |= 1 << UInt32(row)
    return nil
  }

  /// Lets the alarm that rang last ring again.
  ///
  /// - Parameter minutes: When; 0 for what the alarm says.
  /// - Returns: `unknownNumber` when none has rung in this life, `noTime` while UTC is not known.
  public mutating func snooze(_ minutes: UInt8, at utc: UTCTime?) -> RuleError? {
    guard let row = row(of: last) else { return .unknownNumber }
    guard let utc else { return .noTime }
    rows[row].snoozed = utc + .seconds(60 * Int(minutes > 0 ? minutes : rows[row].snoozeMinutes))
    changes |= 1 << UInt32(row)
    return nil
  }

  /// Takes the snooze of the alarm that rang last back.
  public mutating func endSnooze() {
    guard let row = row(of: last), rows[row].snoozed != nil else { return }
    rows[row].snoozed = nil
    changes |= 1 << UInt32(row)
  }

  /// Takes a time zone over, as POSIX writes it; empty for UTC. False, and nothing changed, for a text that is none.
  ///
  /// - Parameter keepsPlan: True after a restart: what rings next is what was to ring then.
  public mutating func setZone(_ text: Span<UInt8>, keepsPlan: Bool = false) -> Bool {
    guard text.count <= 48 else { return false }
    if text.isEmpty {
      zone = PosixTimeZone()
    } else {
      guard let new = PosixTimeZone(text) else { return false }
      zone = new
    }
    zoneText.removeAll()
    zoneText.append(contentsOf: text)
    if !keepsPlan { for row in 0..<capacity { rows[row].planned = nil } }
    return true
  }

  // MARK: Time and place

  /// Lets time pass: what is due rings.
  public mutating func advance<let f: Int, let k: Int>(_ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>) {
    if let utc = scene.utc { noteTime(utc, scene, fences) }
    for row in 0..<capacity where rows[row].isWaiting {
      ringByTime(row, scene, fences)
      ringByStay(row, scene, fences)
    }
    plan(scene, fences)
  }

  /// True when `advance` is to be called though nothing is due: the time has become known, a clock was set, or a minute has passed.
  package func isLookDue(_ scene: AlarmScene) -> Bool {
    guard let utc = scene.utc else { return false }
    guard let drift = drift(to: utc, scene.now) else { return true }
    return drift > .seconds(1) || drift < .seconds(-1) || scene.now - lastNow >= .seconds(60)
  }

  /// How much further UTC has come than time has passed since the last `advance`; nil when UTC was not known then.
  private func drift(to utc: UTCTime, _ now: Instant) -> Interval? { lastUTC.map { (utc - $0) - (now - lastNow) } }

  private mutating func noteTime<let f: Int, let k: Int>(
    _ utc: UTCTime, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) {
    let drift = drift(to: utc, scene.now)
    (lastUTC, lastNow) = (utc, scene.now)
    // What lies between was not lived through: the tracker was off, or the clock was set.
    let hasSkipped = drift.map { $0 > AlarmClock.step } ?? true
    let wasWrong = drift.map { $0 >= AlarmClock.farStep } ?? false
    for row in 0..<capacity where rows[row].number != 0 {
      if drift.map({ $0 < .zero - AlarmClock.grace }) ?? true { takeBack(row, utc, isStart: drift == nil) }
      guard rows[row].isWaiting else { continue }
      var isMissed = false
      if let snoozed = rows[row].snoozed {
        if let drift {
          // A snooze lasts as long as was asked for, whatever the clock shows.
          if drift > AlarmClock.step || drift < .zero - AlarmClock.step { delay(row, by: drift) }
        } else if utc - snoozed > AlarmClock.grace || snoozed - utc > AlarmRule.longestSnoozeTime {
          rows[row].snoozed = nil
          changes |= 1 << UInt32(row)
          isMissed = holdsAgain(rows[row], scene, fences)
        }
      }
      var from = utc
      if hasSkipped, let due = rows[row].next, utc - due > AlarmClock.grace {
        rows[row].planned = nil
        // Where it would not have rung, by the last that is known of the place, nothing was missed.
        if rows[row].isOnDate ? !rows[row].wasTold : !wasWrong, holds(rows[row], scene, fences) { isMissed = true }
        // It may have been due once more since, and that is not too late to ring.
        from = utc - AlarmClock.grace - Interval(microseconds: 1)
      }
      if isMissed { events.append(AlarmEvent(number: rows[row].number, kind: .missed)) }
      guard rows[row].isEnabled, case .time(let schedule) = rows[row].trigger, rows[row].next == nil else { continue }
      plan(row, schedule, after: from)
    }
  }

  /// The clock may have been ahead, and is not now: what was planned or rang by it is planned anew, and a date is not over yet.
  private mutating func takeBack(_ row: Int, _ utc: UTCTime, isStart: Bool) {
    guard case .time(let schedule) = rows[row].trigger, let planned = rows[row].planned else { return }
    // What rang a minute ago at most does not ring again because of a start.
    let earliest = isStart ? utc + AlarmClock.grace : utc
    if rows[row].isEnabled {
      if let due = schedule.next(after: earliest, in: zone), due < planned { rows[row].planned = nil }
    } else if planned > earliest {
      rows[row].isEnabled = true
      changes |= 1 << UInt32(row)
    }
  }

  private mutating func plan(_ row: Int, _ schedule: AlarmSchedule, after time: UTCTime) {
    rows[row].planned = schedule.next(after: time, in: zone)
    if rows[row].planned == nil {
      // A date comes once. It is known further on, because the clock may be wrong.
      rows[row].isEnabled = false
      rows[row].wasTold = true
      rows[row].planned = schedule.next(after: UTCTime(microseconds: .min), in: zone)
    }
    changes |= 1 << UInt32(row)
  }

  private mutating func delay(_ row: Int, by time: Interval) {
    guard let snoozed = rows[row].snoozed else { return }
    rows[row].snoozed = snoozed + time
    changes |= 1 << UInt32(row)
  }

  private mutating func ringByTime<let f: Int, let k: Int>(
    _ row: Int, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) {
    guard let utc = scene.utc else { return }
    if let snoozed = rows[row].snoozed, snoozed <= utc {
      rows[row].snoozed = nil
      changes |= 1 << UInt32(row)
      if holdsAgain(rows[row], scene, fences) { ring(row, scene, fences) }
    }
    guard case .time(let schedule) = rows[row].trigger, let due = rows[row].next, due <= utc else { return }
    plan(row, schedule, after: utc)
    if holds(rows[row], scene, fences) { ring(row, scene, fences) }
  }

  private mutating func ringByStay<let f: Int, let k: Int>(
    _ row: Int, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) {
    guard case .dwell(let minutes) = rows[row].trigger, let fence = fences.row(of: rows[row].fence) else { return }
    if fences[fence].presence == .outside, rows[row].wasTold {
      rows[row].wasTold = false
      changes |= 1 << UInt32(row)
    }
    // One that wants a fix waits for one that is there.
    let isSure =
      rows[row].policy != .skip
      || scene.hasFix
        && scene.position.map { fences[fence].region.signedDistance(of: $0) >= 0 } ?? false
    guard fences[fence].presence == .inside, !rows[row].wasTold, isSure,
      scene.now - fences[fence].since >= .seconds(60 * Int(minutes)), isInWindow(rows[row], scene)
    else { return }
    rows[row].wasTold = true
    changes |= 1 << UInt32(row)
    ring(row, scene, fences)
  }

  /// Somebody has come to a fence.
  public mutating func enter<let f: Int, let k: Int>(
    _ fence: UInt8, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) {
    for row in 0..<capacity where rows[row].number != 0 && rows[row].isEnabled && rows[row].fence == fence {
      if case .arrival = rows[row].trigger, isInWindow(rows[row], scene) { ring(row, scene, fences) }
    }
  }

  /// Somebody has left a fence.
  public mutating func leave<let f: Int, let k: Int>(
    _ fence: UInt8, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) {
    for row in 0..<capacity where rows[row].number != 0 && rows[row].isEnabled && rows[row].fence == fence {
      if case .departure = rows[row].trigger, isInWindow(rows[row], scene) { ring(row, scene, fences) }
    }
  }

  private mutating func ring<let f: Int, let k: Int>(
    _ row: Int, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) {
    last = rows[row].number
    let seconds = isQuiet(scene, fences) ? 0 : rows[row].soundSeconds
    events.append(AlarmEvent(number: rows[row].number, kind: .rang(seconds: seconds)))
  }

  // MARK: What holds others back

  /// True while a rule says that nothing is to sound.
  public func isQuiet<let f: Int, let k: Int>(_ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>) -> Bool {
    for row in 0..<capacity where rows[row].number != 0 && rows[row].isEnabled && rows[row].trigger == .quiet {
      if holds(rows[row], scene, fences), isInWindow(rows[row], scene) { return true }
    }
    return false
  }

  /// True when movement is an alert: a guarding rule holds, or there is none.
  public func isGuarding<let f: Int, let k: Int>(_ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>) -> Bool {
    var isFree = true
    for row in 0..<capacity where rows[row].number != 0 && rows[row].isEnabled && rows[row].trigger == .guarding {
      isFree = false
      if holds(rows[row], scene, fences), isInWindow(rows[row], scene) { return true }
    }
    return isFree
  }

  /// True where a rule counts.
  private func holds<let f: Int, let k: Int>(
    _ rule: AlarmRule, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) -> Bool {
    guard rule.fence != 0 else { return true }
    // A rule about a fence that is gone counts nowhere, but one that guards: nobody is to be unguarded by a mistake.
    guard let row = fences.row(of: rule.fence) else { return rule.trigger == .guarding }
    if !scene.hasFix, rule.policy != .last { return rule.policy == .ring }
    var isInside = fences[row].presence == .inside
    if fences[row].presence == .unknown {
      // Of a fence that is newer than the last fix, that says where it is.
      guard let position = scene.position else { return rule.policy != .skip }
      isInside = fences[row].region.signedDistance(of: position) >= 0
    }
    return isInside != rule.isOutside
  }

  /// True when an alarm that was snoozed still counts: where and when it would ring by itself.
  private func holdsAgain<let f: Int, let k: Int>(
    _ rule: AlarmRule, _ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>
  ) -> Bool {
    var rule = rule
    // That rang outside of its fence.
    if rule.trigger == .departure { rule.isOutside = true }
    return holds(rule, scene, fences) && isInWindow(rule, scene)
  }

  /// True when a rule counts. While the time is not known, one that guards does and others do not.
  private func isInWindow(_ rule: AlarmRule, _ scene: AlarmScene) -> Bool {
    guard let window = rule.window else { return true }
    guard let utc = scene.utc else { return rule.trigger == .guarding }
    return window.contains(utc, in: zone)
  }

  /// The next instant at which any rule can change by itself.
  private mutating func plan<let f: Int, let k: Int>(_ scene: AlarmScene, _ fences: borrowing FenceTable<f, k>) {
    nextDeadline = nil
    for row in 0..<capacity where rows[row].isWaiting {
      if let utc = scene.utc {
        if let next = rows[row].next { note(scene.now + max(.zero, next - utc)) }
        if let snoozed = rows[row].snoozed { note(scene.now + max(.zero, snoozed - utc)) }
        if let change = rows[row].window?.nextChange(after: utc, in: zone) { note(scene.now + (change - utc)) }
      }
      guard case .dwell(let minutes) = rows[row].trigger, !rows[row].wasTold,
        let fence = fences.row(of: rows[row].fence), fences[fence].presence == .inside
      else { continue }
      let due = fences[fence].since + .seconds(60 * Int(minutes))
      if due > scene.now { note(due) }
    }
  }

  private mutating func note(_ instant: Instant) { nextDeadline = min(nextDeadline ?? instant, instant) }

  // MARK: State

  /// Writes what stands in a row; nothing for an empty one.
  /// - Precondition: `0 ≤ row < capacity`.
  public func encode<let room: Int>(_ row: Int, into bytes: inout InlineBytes<room>) {
    if rows[row].number != 0 { rows[row].encode(into: &bytes) }
  }

  /// Reads an alarm as `encode` writes it into its row; false, and nothing changed, when it is none.
  /// - Precondition: `0 ≤ row < capacity`.
  public mutating func restore(_ bytes: Span<UInt8>, row: Int) -> Bool {
    guard let rule = AlarmRule(row: bytes), self.row(of: rule.number) ?? row == row else { return false }
    rows[row] = rule
    return true
  }
}

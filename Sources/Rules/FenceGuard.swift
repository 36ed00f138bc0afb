import InlineStorage
public import Positioning
public import Quantities

/// What a guard of fences has to report.
public struct FenceEvent: Equatable, BitwiseCopyable, Sendable {
  /// What happened.
  public enum Kind: Equatable, BitwiseCopyable, Sendable {
    /// Somebody has come to a fence, since when; the first time after a start or a change it is where it was found.
    case arrived(fence: UInt8, since: Instant, isFirst: Bool)
    /// Somebody has left a fence, since when.
    case departed(fence: UInt8, since: Instant, isFirst: Bool)
    /// It is outside all active fences, and so often that was reported before.
    case alert(repetition: UInt16)
    /// The alarm is over.
    case ended(FenceAlarmEnd)
  }

  /// When it was found.
  public var time: Instant
  /// What.
  public var kind: Kind
}

/// How far it is outside, by the last fix and what is known from those before.
public struct FenceExit: Equatable, BitwiseCopyable, Sendable {
  /// The nearest active fence; 0 when there is none.
  public var fence: UInt8 = 0
  /// Metres beyond its edge; negative within.
  public var distance: Float = 0
  /// That distance over what an exit needs.
  public var ratio: Float = 0
  /// When the edge was crossed, as far as that is known.
  public var since = Instant.zero

  /// Nothing known of one.
  package init() {}

  /// - Parameter reckoned: The same distance by speed and course, when that is known better.
  mutating func note(
    _ fence: UInt8, beyond distance: Double, reckoned: Double?, _ trust: FixTrust, _ parameters: FenceParameters
  ) {
    self.fence = fence
    self.distance = Float(max(-1e7, min(1e7, reckoned ?? distance)))
    let deviation = reckoned == nil ? trust.deviation : trust.reckonedDeviation
    ratio = self.distance / max(parameters.exitDeviations * deviation, 0.1)
  }
}

/// Watches over fences: who is where, and the alarm of one that has left all active ones.
///
/// Doors: `process` a fix, `advance(to:)`, and those by which the owner changes fences; then `nextEvent` until there is none.
public struct FenceGuard<let capacity: Int, let corners: Int>: ~Copyable {
  /// The fences. What changes them goes through the guard's doors.
  public private(set) var fences = FenceTable<capacity, corners>()
  /// The machine of the collar.
  public private(set) var alarm = FenceAlarm()
  /// What is asked of fixes.
  public var parameters: FenceParameters { didSet { alarm.configure(from: oldValue, to: parameters) } }
  /// Limits of an outline.
  public var limits = RegionLimits.simple
  /// False for a collar that reports positions and no alerts.
  public private(set) var isEnabled = true
  /// Where it is, seen from all active fences together.
  public var presence: PresenceState { union.state }
  /// The last exit from all active fences, or what is known of it by the last fix.
  public private(set) var exit = FenceExit()

  private var union = Presence()
  private var judge = FixJudge()
  private var events = InlineQueue<8, FenceEvent>()

  /// A guard without fences.
  public init(_ parameters: FenceParameters = FenceParameters()) { self.parameters = parameters }

  /// When an alert is repeated; nil when none is.
  public var nextDeadline: Instant? { alarm.nextDeadline }
  /// Events that were refused because nobody fetched the earlier ones.
  public var lostEventCount: UInt32 { events.rejectedCount }
  /// Fetches the next event, oldest first.
  public mutating func nextEvent() -> FenceEvent? { events.popFirst() }

  // MARK: Fixes and time

  /// Takes a fix in.
  ///
  /// - Parameters:
  ///   - scatter: What is known of how fixes scatter at rest.
  ///   - stillSince: Since when a working inertial sensor has felt nothing; nil when it feels something, or there is none.
  public mutating func process(_ fix: GNSSFix, scatter: LearntScatter? = nil, stillSince: Instant? = nil) {
    guard let trust = judge.judge(fix, scatter: scatter, stillSince: stillSince, parameters), let here = fix.position
    else { return }
    var nearest = -Double.infinity
    var depth = 0.0
    var reckoned: Double?
    var number: UInt8 = 0
    for row in 0..<capacity where fences[row].number != 0 {
      let distance = fences[row].region.signedDistance(of: here)
      let walked = trust.reckoned.map { fences[row].region.signedDistance(of: $0) }
      if fences[row].isActive, let walked { reckoned = max(reckoned ?? walked, walked) }
      if fences[row].isActive && distance > nearest {
        (nearest, depth, number) = (distance, fences[row].region.depth, fences[row].number)
      }
      follow(row, distance: distance, reckoned: walked, trust)
    }
    guard nearest > -.infinity && isEnabled else { return }
    exit.note(number, beyond: -nearest, reckoned: reckoned.map { -$0 }, trust, parameters)
    defer { exit.since = union.since }
    switch union.process(distance: nearest, depth: depth, reckoned: reckoned, trust, parameters) {
    case .outside: if alarm.exit(at: trust.time, parameters) { emit(.alert(repetition: 0), at: trust.time) }
    case .inside: if let end = alarm.enter() { emit(.ended(end), at: trust.time) }
    case .unknown, nil: break
    }
  }

  private mutating func follow(_ row: Int, distance: Double, reckoned: Double?, _ trust: FixTrust) {
    let wasKnown = fences[row].presence != .unknown
    let change = fences[row].follower.process(
      distance: distance, depth: fences[row].region.depth, reckoned: reckoned, trust, parameters)
    let number = fences[row].number
    let since = fences[row].follower.since
    switch change {
    case .inside: emit(.arrived(fence: number, since: since, isFirst: !wasKnown), at: trust.time)
    case .outside: emit(.departed(fence: number, since: since, isFirst: !wasKnown), at: trust.time)
    case .unknown, nil: break
    }
  }

  /// Lets time pass.
  ///
  /// - Parameter isHeard: False while the last alert still waits for who is to hear it: it is not repeated then.
  public mutating func advance(to time: Instant, isHeard: Bool = true) {
    if alarm.advance(to: time, isHeard: isHeard, parameters) { emit(.alert(repetition: alarm.repetition), at: time) }
  }

  private mutating func emit(_ kind: FenceEvent.Kind, at time: Instant) {
    events.append(FenceEvent(time: time, kind: kind))
  }

  // MARK: The owner

  /// Begins a fence; then `append`, `beginHole` and `finish`.
  public mutating func begin(_ number: Int, name: Span<UInt8>, _ shape: RegionShape, width: Double = 0) {
    fences.begin(number, name: name, shape, width: width)
  }

  /// The next corner of the fence that was begun.
  public mutating func append(latitudeE9: Int64, longitudeE9: Int64) {
    fences.append(latitudeE9: latitudeE9, longitudeE9: longitudeE9)
  }

  /// What comes is a hole of the fence that was begun.
  public mutating func beginHole() { fences.beginHole() }

  /// Takes the fence that was begun, in the place of the one of its number. One that is active is judged anew from here, unless it has
  /// the outline that it had.
  public mutating func finish(at time: Instant) -> FenceError? {
    if let error = fences.finish(limits) { return error }
    if fences.hasNewOutline, let row = fences.row(of: fences.draftNumber), fences[row].isActive { judgeAnew(at: time) }
    return nil
  }

  /// Takes a fence out.
  public mutating func delete(_ number: UInt8, at time: Instant) -> FenceError? {
    let wasActive = fences.row(of: number).map { fences[$0].isActive } ?? false
    if let error = fences.delete(number) { return error }
    if wasActive { judgeAnew(at: time) }
    return nil
  }

  /// Takes all fences out.
  public mutating func removeAll(at time: Instant) {
    fences.removeAll()
    judgeAnew(at: time)
  }

  /// Makes these fences the ones that must not be left, in one step; nothing changes when one of them is not there, nor when they are
  /// those that must not be left already.
  public mutating func activate(_ numbers: Span<UInt8>, at time: Instant) -> FenceError? {
    let areActive = fences.areActive(numbers)
    if let error = fences.activate(numbers) { return error }
    if !areActive { judgeAnew(at: time) }
    return nil
  }

  /// The owner has found it; false when nothing was reported.
  public mutating func found(at time: Instant) -> Bool {
    guard let end = alarm.found() else { return false }
    emit(.ended(end), at: time)
    return true
  }

  /// Whether alerts are reported.
  public mutating func setEnabled(_ isEnabled: Bool, at time: Instant) {
    guard isEnabled != self.isEnabled else { return }
    self.isEnabled = isEnabled
    judgeAnew(at: time)
  }

  /// Other fences are active: what was found out for those before says nothing of these.
  private mutating func judgeAnew(at time: Instant) {
    union = Presence()
    if let end = isEnabled && fences.hasActive ? alarm.assign() : alarm.remove() { emit(.ended(end), at: time) }
  }
}

/// What a restart must not lose of a guard, besides the fences themselves.
public struct KeptFenceAlarm: Equatable, BitwiseCopyable, Sendable {
  /// Where the machine was.
  public var state: FenceAlarmState
  /// How often the alert was repeated.
  public var repetition: UInt16
  /// Where it was, seen from all active fences.
  public var presence: PresenceState
  /// Whether alerts were reported.
  public var isEnabled: Bool
  /// The exit that is told, its time on the clock of who goes on; nil while none is, or nothing is known of it.
  package var exit: FenceExit?

  /// What is kept.
  public init(state: FenceAlarmState, repetition: UInt16, presence: PresenceState, isEnabled: Bool) {
    self.state = state
    self.repetition = repetition
    self.presence = presence
    self.isEnabled = isEnabled
  }
}

extension FenceGuard {
  /// What a restart must not lose.
  public var kept: KeptFenceAlarm {
    var result = KeptFenceAlarm(
      state: alarm.state, repetition: alarm.repetition, presence: union.state, isEnabled: isEnabled)
    if alarm.state == .alerting, exit.fence != 0 { result.exit = exit }
    return result
  }

  /// The exit that is told was then, as has turned out.
  package mutating func date(exit time: Instant) {
    exit.since = time
    union.date(at: time)
  }

  /// Reads a fence of an earlier life, as `FenceTable.encode` wrote it, into its row; before `restore`.
  public mutating func restoreFence(_ bytes: Span<UInt8>, row: Int) -> FenceError? { fences.restore(bytes, row: row) }

  /// Goes on where an earlier life was, once its fences are there. A state that they do not allow is not taken.
  public mutating func restore(_ kept: KeptFenceAlarm, at time: Instant) {
    isEnabled = kept.isEnabled
    fences.date(at: time)
    guard isEnabled, fences.hasActive else {
      alarm = FenceAlarm()
      return
    }
    let state = kept.state == .unassigned ? .idle : kept.state
    alarm = FenceAlarm(state, repetition: kept.repetition, at: time)
    // One that was outside and not told of is found outside anew.
    let presence: PresenceState = state != .idle ? .outside : kept.presence == .inside ? .inside : .unknown
    exit = FenceExit()
    exit.since = time
    if state == .alerting, let told = kept.exit, fences.row(of: told.fence) != nil { exit = told }
    union = Presence(presence, since: exit.since)
  }
}

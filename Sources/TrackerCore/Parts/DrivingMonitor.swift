import ASCIIText
import InlineStorage
import Quantities
import Telemetry

/// What is reported about driving.
@frozen public enum DrivingExcess: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Faster than the limit.
  case overspeed
  /// It gets faster by more than the limit.
  case hardAcceleration
  /// It gets slower by more than the limit.
  case hardBraking
  /// It turns harder than the limit.
  case hardCornering
}

extension DrivingExcess {
  /// The reason of a status that reports it.
  fileprivate var reason: StatusReason {
    switch self {
    case .overspeed: return .overspeed
    case .hardAcceleration: return .hardAcceleration
    case .hardBraking: return .hardBraking
    case .hardCornering: return .hardCornering
    }
  }
}

/// Reports who rides too fast, or too hard into pedals, brakes and bends.
///
/// Each is judged from fix to fix, the forces between two that are `shortestStep` apart at least: speed of the fix; change of speed in the time
/// between two; mean speed times change of course in that time, in one direction. What is above its limit from one fix to the next for as long as its setting says is reported once, and again only after it has been below
/// `hysteresis` of the limit. So a single wrong fix is never reported.
struct DrivingMonitor: TrackerPart {
  private var parameters: DrivingParameters
  // In an order without gaps: the tracker has no bytes to spare.
  private var isAbove: UInt8 = 0
  private var isTold: UInt8 = 0
  /// Whether the bend at hand goes to the right.
  private var isToRight = false
  /// Of the fix that forces are judged from, rad and m/s; no numbers where it is unknown.
  private var baseCourse = Float.nan
  /// Since when each is above its limit.
  private var since = InlineArray<4, Instant>(repeating: .zero)
  private var baseTime = Instant.zero
  private var baseSpeed = Float.nan

  /// Something that was above its limit for long enough.
  struct Told {
    var since: Instant
    /// m/s or m/s².
    var value: Float
  }

  /// Share of a limit below which it is over.
  static var hysteresis: Float { 0.9 }
  /// Fixes further apart say nothing of how hard it was between them.
  static var longestStep: Interval { .seconds(5) }
  /// Those closer together say more of the noise of speeds than of forces: an error of 0.1 m/s is 0.2 m/s² over this, and 1.4 in a tenth of it.
  static var shortestStep: Interval { .milliseconds(800) }
  /// A slower vehicle has no course, m/s.
  static var leastCorneringSpeed: Float { 3 }

  init(_ configuration: TrackerConfiguration) { parameters = configuration.driving }

  mutating func configure(_ configuration: TrackerConfiguration) { parameters = configuration.driving }

  /// True when anything has a limit.
  var isOn: Bool {
    parameters.speedLimit > 0 || parameters.accelerationLimit > 0 || parameters.brakingLimit > 0
      || parameters.corneringLimit > 0
  }

  /// Judges one kind by a fix, and emits the event of what is above its limit.
  ///
  /// - Returns: What packets are to report of it, with its value in the status; nil for nothing, and when there are to be no notices.
  mutating func process(
    _ kind: DrivingExcess, _ fix: GNSSFix, isRiding: Bool, _ journal: inout TrackerJournal
  ) -> (reason: StatusReason, value: PacketText)? {
    guard let told = judge(kind, fix, isRiding: isRiding) else { return nil }
    journal.emit(.driving(kind, value: told.value, since: told.since), at: journal.now)
    guard parameters.notices else { return nil }
    var text = InlineBytes<20>()
    text.append(fixed: Elementary.roundedInteger(Double(told.value) * 10), decimals: 1)
    return (kind.reason, PacketText(text.span))
  }

  /// A fix has been judged for all kinds.
  mutating func pass(_ fix: GNSSFix) {
    if isTooClose(fix) { return }
    baseTime = fix.time
    baseSpeed = fix.speed.map { Float($0) } ?? .nan
    baseCourse = fix.course.map { Float($0) } ?? .nan
  }

  private func isTooClose(_ fix: GNSSFix) -> Bool {
    baseSpeed.isFinite && fix.time >= baseTime && fix.time - baseTime < DrivingMonitor.shortestStep
  }

  /// Judges one kind by a fix.
  ///
  /// - Returns: What is to be told now; nil for nothing.
  mutating func judge(_ kind: DrivingExcess, _ fix: GNSSFix, isRiding: Bool) -> Told? {
    let bit: UInt8 = 1 << kind.rawValue
    let limit = limit(of: kind)
    if isRiding, kind != .overspeed, isTooClose(fix) { return nil }
    guard isRiding, limit > 0, let value = value(of: kind, fix) else {
      isAbove &= ~bit
      if !isRiding || limit <= 0 { isTold &= ~bit }
      return nil
    }
    guard value > limit else {
      isAbove &= ~bit
      if value < DrivingMonitor.hysteresis * limit { isTold &= ~bit }
      return nil
    }
    let place = Int(kind.rawValue)
    // A course that lies turns there and back: that is no bend.
    let isOtherBend = kind == .hardCornering && (turn(to: fix) > 0) != isToRight
    if isOtherBend { isToRight.toggle() }
    if isAbove & bit == 0 || isOtherBend {
      isAbove |= bit
      since[place] = kind == .overspeed ? fix.time : baseTime
    }
    let duration = kind == .overspeed ? parameters.speedDuration : parameters.forceDuration
    guard isTold & bit == 0, fix.time - since[place] >= duration else { return nil }
    isTold |= bit
    return Told(since: since[place], value: value)
  }

  /// Change of course, rad; no number when it is unknown.
  private func turn(to fix: GNSSFix) -> Float {
    guard let course = fix.course, baseCourse.isFinite else { return .nan }
    return Float(Elementary.signedAngle(course - Double(baseCourse)))
  }

  private func limit(of kind: DrivingExcess) -> Float {
    switch kind {
    case .overspeed: return parameters.speedLimit
    case .hardAcceleration: return parameters.accelerationLimit
    case .hardBraking: return parameters.brakingLimit
    case .hardCornering: return parameters.corneringLimit
    }
  }

  /// What is compared with the limit, m/s or m/s²; nil when it is unknown.
  private func value(of kind: DrivingExcess, _ fix: GNSSFix) -> Float? {
    guard let speed = fix.speed.map({ Float($0) }), speed >= 0 else { return nil }
    if kind == .overspeed { return speed }
    let before = baseSpeed
    guard before >= 0, fix.time > baseTime, fix.time - baseTime <= DrivingMonitor.longestStep else { return nil }
    let seconds = (fix.time - baseTime).seconds
    switch kind {
    case .overspeed: return speed
    case .hardAcceleration: return (speed - before) / seconds
    case .hardBraking: return (before - speed) / seconds
    case .hardCornering:
      guard min(speed, before) >= DrivingMonitor.leastCorneringSpeed else { return nil }
      let turn = turn(to: fix)
      return turn.isFinite ? (speed + before) / 2 * turn.magnitude / seconds : nil
    }
  }
}

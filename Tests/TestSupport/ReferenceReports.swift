import Positioning
import Quantities
import TrackerCore

/// When a position is to be reported, by the table of docs/packets.md; written from the manual and not from the tracker.
package struct ReferenceReports {
  /// What calls for a report on a fix.
  package enum Rule: Equatable, Sendable {
    /// Nothing does: only the life sign.
    case never
    /// Time alone.
    case time
    /// Time alone, longer while it stands.
    case timeByTravel
    /// Time, or a change of place, course or speed.
    case timeOrChange
  }

  /// The table of the manual.
  package static let rules: [MotionPhase: Rule] = [
    .starting: .never, .settling: .never, .parked: .never, .suspicious: .never, .alarmed: .time,
    .stolen: .timeByTravel, .riding: .timeOrChange,
  ]

  /// The settings.
  package let parameters: ReportParameters
  /// When the last report went out, or the tracker was switched on.
  package private(set) var lastReport: Instant?
  private var base: (position: GeodeticPosition, speed: Double?, course: Double?)?
  /// Where the course was last known, and what it was.
  private var step: GeodeticPosition?
  private var course: Double?
  /// A ride has begun, and its next fix is told.
  private var departing = false
  private var live: (interval: Interval, until: Instant)?

  /// Reports of a tracker that has seen nothing.
  package init(_ parameters: ReportParameters) { self.parameters = parameters }

  /// The life sign: an hour after the last report, whatever the vehicle does.
  package var lifeSign: Instant? { lastReport.map { $0 + parameters.parkedInterval } }

  /// Live tracking was asked for.
  package mutating func goLive(every interval: Interval, until: Instant) {
    live = (max(interval, .milliseconds(100)), until)
  }

  /// A ride has begun.
  package mutating func depart() { departing = true }

  /// A report has gone out, on a fix or without one.
  package mutating func note(_ fix: GNSSFix?, at time: Instant) {
    lastReport = time
    departing = false
    if let fix, let position = fix.position { base = (position, fix.speed, fix.course ?? course) }
  }

  /// Whether the fix is to be reported in a phase.
  package mutating func wants(_ fix: GNSSFix, in phase: MotionPhase, isTravelling: Bool = false) -> Bool {
    guard let position = fix.position else { return false }
    let present = courseNow(fix, position)
    guard let lastReport, let base else { return true }
    let age = fix.time - lastReport
    if let live, fix.time >= live.until { self.live = nil }
    if let live, age >= live.interval { return true }
    switch ReferenceReports.rules[phase] {
    case .time: return age >= parameters.alarmInterval
    case .timeByTravel: return age >= (isTravelling ? parameters.alarmInterval : parameters.stolenInterval)
    case .timeOrChange:
      if departing || age >= parameters.ridingInterval { return true }
      if age < parameters.minimumInterval { return false }
      let moved = Geodesic.fastDistance(from: base.position, to: position)
      if moved >= Double(parameters.distance) { return true }
      if let speed = fix.speed, let before = base.speed, (speed - before).magnitude >= Double(parameters.speedChange) {
        return true
      }
      guard let present, let before = base.course else { return false }
      let difference = (present - before).magnitude
      // What differs by more than a circle is no course.
      if difference > 2 * .pi || difference.isNaN { return false }
      return min(difference, 2 * .pi - difference) >= Double(parameters.courseChange)
    default: return false
    }
  }

  /// The course the receiver states, or else that of the last step of at least five metres.
  private mutating func courseNow(_ fix: GNSSFix, _ position: GeodeticPosition) -> Double? {
    if let stated = fix.course {
      (course, step) = (stated, position)
    } else if let from = step {
      let offset = LocalTangentPlane(origin: from).offset(of: position)
      if offset.east * offset.east + offset.north * offset.north >= 5 * 5 {
        (course, step) = (Elementary.atan2(offset.east, offset.north), position)
      }
    } else {
      step = position
    }
    return course
  }
}

import Positioning
import Quantities
import Telemetry

/// Decides which fixes are worth a report, and when one is due without a fix.
struct ReportPolicy: TrackerPart {
  private var parameters: Criteria
  private(set) var lastReport: Instant?
  private var reported: Reported?
  private var previous: GeodeticPosition?
  private var course: Double?
  private var live: Live?
  private var lastTouch: Instant?
  /// In one byte, as the tracker has none to spare: bits 0 and 1 how far the battery is spared, and the two below.
  private var flags: UInt8 = 0

  /// How far the battery is spared.
  private var thrift: Thrift {
    get { Thrift(rawValue: flags & 3) ?? .none }
    set { flags = flags & ~3 | newValue.rawValue }
  }
  /// The last position is to be told, with the next fix or without one.
  private(set) var isLastDue: Bool {
    get { flags & 4 != 0 }
    set { flags = newValue ? flags | 4 : flags & ~4 }
  }
  /// The next fix of a ride is told, as the ride has just begun.
  private var isDeparting: Bool {
    get { flags & 8 != 0 }
    set { flags = newValue ? flags | 8 : flags & ~8 }
  }

  struct Reported: BitwiseCopyable {
    var position: GeodeticPosition
    var speed: Double?
    var course: Double?
  }

  struct Live: BitwiseCopyable {
    var interval: Interval
    var until: Instant
  }

  /// What it needs of the settings of reports.
  private struct Criteria: BitwiseCopyable {
    var ridingInterval: Interval
    var minimumInterval: Interval
    var alarmInterval: Interval
    var stolenInterval: Interval
    var parkedInterval: Interval
    var touchInterval: Interval
    var distance: Float
    var courseChange: Float
    var speedChange: Float
    var phases: ReportedPhases
    var tellsPath: Bool

    init(_ reports: ReportParameters) {
      ridingInterval = reports.ridingInterval
      minimumInterval = reports.minimumInterval
      alarmInterval = reports.alarmInterval
      stolenInterval = reports.stolenInterval
      parkedInterval = reports.parkedInterval
      touchInterval = reports.touchInterval
      distance = reports.distance
      courseChange = reports.courseChange
      speedChange = reports.speedChange
      phases = reports.phases
      tellsPath = reports.pathError > 0
    }
  }

  init(_ configuration: TrackerConfiguration) { parameters = Criteria(configuration.reports) }

  mutating func configure(_ configuration: TrackerConfiguration) { parameters = Criteria(configuration.reports) }

  /// How long it must have stood for its setting off to be told at once.
  static var departureAfter: Interval { .seconds(60) }

  /// Whether rides are told as they go.
  var tellsRides: Bool { parameters.phases.contains(.riding) }

  /// True when a touch of now is to be told; it counts as told then.
  mutating func tellsTouch(at time: Instant) -> Bool {
    guard parameters.touchInterval > .zero else { return false }
    if let lastTouch, time - lastTouch < parameters.touchInterval { return false }
    lastTouch = time
    return true
  }

  /// A ride has begun: its next fix is told.
  mutating func expectDeparture() { isDeparting = true }

  /// Reports more often for a while.
  mutating func goLive(interval: Interval, until: Instant) {
    live = Live(interval: interval, until: until)
  }

  /// Reports as always.
  mutating func endLive() { live = nil }

  /// The battery is spared so far from now on.
  ///
  /// - Parameter tellsLast: The last position is to be told: with the next fix, or when none has come in time.
  mutating func save(_ thrift: Thrift, tellsLast: Bool, at time: Instant) {
    if thrift > self.thrift, thrift >= .quarter { live = nil }
    self.thrift = thrift
    isLastDue = (isLastDue || tellsLast) && thrift == .last
    if tellsLast { lastReport = time }
  }

  /// The last position is told; true when it was due.
  mutating func takeLast() -> Bool {
    defer { isLastDue = false }
    return isLastDue
  }

  /// True while it reports more often.
  func isLive(at time: Instant) -> Bool { live.map { time < $0.until } ?? false }

  /// When a report is due without a fix; nil before the first report. While under way one without a new fix says nothing new: it is
  /// the life sign of a parked vehicle then, too.
  var nextDeadline: Instant? {
    guard thrift != .last else { return isLastDue ? lastReport.map { $0 + SensingPlan.fixTimeout } : nil }
    return lastReport.map { $0 + thrift.slowed(parameters.parkedInterval) }
  }

  /// True when this fix should be reported.
  ///
  /// - Parameter isTravelling: A stolen vehicle is on its way.
  mutating func isDue(_ fix: GNSSFix, position: GeodeticPosition, phase: MotionPhase, isTravelling: Bool) -> Bool {
    follow(fix, position: position)
    guard let lastReport, let reported else { return true }
    let age = fix.time - lastReport
    if let live {
      if fix.time >= live.until {
        self.live = nil
      } else if age >= live.interval {
        return true
      }
    }
    switch phase {
    case .starting, .settling, .parked, .suspicious: return false
    case .alarmed: return parameters.phases.contains(.alarmed) && age >= parameters.alarmInterval
    case .stolen:
      return parameters.phases.contains(.alarmed)
        && age >= (isTravelling ? parameters.alarmInterval : parameters.stolenInterval)
    case .riding:
      guard parameters.phases.contains(.riding), thrift != .last else { return false }
      let (usual, least) = (thrift.slowed(parameters.ridingInterval), thrift.slowed(parameters.minimumInterval))
      return isDeparting || age >= usual
        || (!parameters.tellsPath && age >= least && hasChanged(fix, position, reported))
    }
  }

  /// True when a fix belongs to a path that is told: of a ride with its stops, or while it is tracked live.
  func tellsPath(in phase: MotionPhase, at time: Instant, hasBegun: Bool) -> Bool {
    if let live, time < live.until { return true }
    return tellsRides && thrift != .last && (phase == .riding || (phase == .settling && hasBegun))
  }

  /// A report has gone out; later fixes are compared with this one.
  mutating func note(_ fix: GNSSFix?, at time: Instant) {
    lastReport = time
    isDeparting = false
    guard let fix, let position = fix.position else { return }
    reported = Reported(position: position, speed: fix.speed, course: fix.course ?? course)
  }

  /// Receivers that report no course still move: it is taken from steps of at least five metres.
  private mutating func follow(_ fix: GNSSFix, position: GeodeticPosition) {
    if let stated = fix.course {
      course = stated
      previous = position
      return
    }
    guard let from = previous else {
      previous = position
      return
    }
    let step = LocalTangentPlane(origin: from).offset(of: position)
    guard step.east * step.east + step.north * step.north >= 25 else { return }
    course = Elementary.atan2(step.east, step.north)
    previous = position
  }

  private func hasChanged(_ fix: GNSSFix, _ position: GeodeticPosition, _ reported: Reported) -> Bool {
    if Geodesic.fastDistance(from: reported.position, to: position) >= Double(parameters.distance) { return true }
    if let speed = fix.speed, let before = reported.speed, abs(speed - before) >= Double(parameters.speedChange) {
      return true
    }
    guard let course = fix.course ?? course, let before = reported.course else { return false }
    var turn = abs(course - before)
    // Both lie within the circle; what does not came from a source that is not to be believed.
    guard turn <= 2 * Double.pi else { return false }
    if turn > Double.pi { turn = 2 * Double.pi - turn }
    return turn >= Double(parameters.courseChange)
  }
}

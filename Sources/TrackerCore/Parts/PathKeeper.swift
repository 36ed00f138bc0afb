import Positioning
import Quantities
import Telemetry

/// The points of the path while it rides or is tracked live, where `reports.pathError` asks for them.
///
/// Every packet with the last position is a point of the path, whatever it is about: a receiver joins all that it is told. Nothing is
/// kept over a restart: the path begins anew with the first fix, and fixes since the last point told before are not covered.
struct PathKeeper: TrackerPart {
  private var path: PathSimplifier
  private var held: PathPoint?
  /// Whether paths are told.
  private(set) var isOn: Bool

  init(_ configuration: TrackerConfiguration) {
    path = PathSimplifier(bound: Double(configuration.reports.pathError))
    isOn = configuration.reports.pathError > 0
  }

  /// The path must have ended.
  mutating func configure(_ configuration: TrackerConfiguration) { self = PathKeeper(configuration) }

  /// Whether a point of the present path has been told.
  var hasBegun: Bool { path.hasBegun }
  /// The fix to tell when a step says so: the one held before it.
  var point: PathPoint? { held }

  /// Takes the next fix in. What the step tells of the fix held before must be told before `hold`.
  mutating func process(_ position: GeodeticPosition) -> PathStep { path.process(position) }

  /// The fix of the last step is held.
  mutating func hold(_ fix: GNSSFix) {
    held = PacketPosition(fix).map {
      PathPoint(
        position: $0, dilution: fix.dilution.horizontal, satellitesInView: fix.satellitesInView.packed)
    }
  }

  /// A packet tells the position of a fix.
  ///
  /// - Parameter last: The last fix: it is one of the path, if that has begun.
  /// - Returns: True when it is that of the last one, and the one held is to be told before.
  mutating func tell(fixAt time: Instant, last: GNSSFix?) -> Bool {
    guard path.hasBegun, let last, last.time == time, let position = last.position else { return false }
    return path.tell(position)
  }

  /// The path is over.
  ///
  /// - Returns: True when the fix held is to be told.
  mutating func end() -> Bool { path.end() }
}

// Where the path is told.
extension Tracker {
  /// Takes a fix into the path, if there is to be one now, and tells the point before it if that is known by it.
  ///
  /// - Returns: True when the fix is a point itself.
  @inline(never) mutating func followPath(_ fix: GNSSFix, _ position: GeodeticPosition, phase: MotionPhase) -> Bool {
    guard !requests.isPrivate, reports.tellsPath(in: phase, at: fix.time, hasBegun: path.hasBegun) else {
      endPath()
      return false
    }
    let step = path.process(position)
    if step.tellsHeld { sendPoint() }
    if step.holdsFix { path.hold(fix) }
    return step.tellsFix
  }

  /// The path ends with the fix held, if there is one.
  @inline(never) mutating func endPath() {
    if path.end() { sendPoint() }
  }

  /// Tells the fix held, in a packet of its own.
  @inline(never) mutating func sendPoint() {
    guard let point = path.point else { return }
    var told = packet(.location, at: now)
    places.describe(point, in: &told)
    submit(told)
  }
}

import MotionDetection
import Quantities
import Telemetry
import TrackerCore

/// What really happened to a vehicle that moves on one meridian: where it was, when it travelled, when it was touched, how it leant.
///
/// Whoever drives a scene writes it down here, and every event and packet is compared with it within bounds: an owner reads them as
/// the truth. What a bound is made of stands beside it.
package struct SceneTruth {
  /// Something that moved the vehicle.
  package struct Motion: Equatable {
    /// What moved it.
    package enum Kind {
      /// It is somewhere else afterwards.
      case journey
      /// A hand, or a foot.
      case touch
    }

    /// What moved it.
    package var kind: Kind
    /// When it began.
    package var start: Instant
    /// When it ended.
    package var end: Instant
    /// Way of a journey, m.
    package var metres = 0.0
  }

  /// Lean to the right and nose down, rad, as it has been since a time.
  struct Lean {
    var time: Instant
    var roll: Double
    var pitch: Double
  }

  /// All that moved it, in the order in which it began.
  package private(set) var motions: [Motion] = []
  /// What was told otherwise than it was, in words.
  package private(set) var problems: [String] = []
  private var path: [(time: Instant, north: Double)] = []
  private var leans: [Lean] = []
  private var start: Instant?
  private var configuration: TrackerConfiguration
  /// Where it stood when it was parked, or an alarm ended.
  private var parkedNorth: Double?
  private var parkedLean: Lean?
  private var isRestarted = false
  private var history: [TrackerEvent] = []

  /// Nothing has happened yet.
  package init(_ configuration: TrackerConfiguration) { self.configuration = configuration }

  // MARK: Written by who drives

  /// The vehicle is there now. It is on a journey when that is elsewhere than before.
  package mutating func note(north: Double, at time: Instant) {
    if start == nil { start = time }
    if let last = path.last, last.north != north {
      let metres = (north - last.north).magnitude
      if let place = motions.lastIndex(where: { $0.kind == .journey }), motions[place].end >= last.time {
        motions[place].end = time
        motions[place].metres += metres
      } else {
        motions.append(Motion(kind: .journey, start: last.time, end: time, metres: metres))
      }
    }
    path.append((time, north))
  }

  /// Somebody touches it.
  package mutating func noteTouch(at time: Instant) {
    if start == nil { start = time }
    if let place = motions.lastIndex(where: { $0.kind == .touch }), time - motions[place].end < .seconds(1) {
      motions[place].end = time
    } else {
      motions.append(Motion(kind: .touch, start: time, end: time))
    }
  }

  /// A sensor sees it lean so, `earthFromBody`.
  package mutating func note(_ attitude: Quaternion, at time: Instant) {
    if start == nil { start = time }
    let up = attitude.conjugate.rotate(Vector3(0, 0, 1))
    let roll = Elementary.atan2(Double(up.y), Double(up.z))
    let level = Elementary.squareRoot(Double(up.y * up.y + up.z * up.z))
    let lean = Lean(time: time, roll: roll, pitch: Elementary.atan2(-Double(up.x), level))
    if leans.last.map({ $0.roll == lean.roll && $0.pitch == lean.pitch }) ?? false { return }
    leans.append(lean)
  }

  /// The tracker lost power; its clock begins anew.
  package mutating func restart() {
    let north = path.last?.north
    let parked = (parkedNorth, parkedLean)
    self = SceneTruth(configuration)
    isRestarted = true
    if let north { path = [(.zero, north)] }
    (parkedNorth, parkedLean) = parked
  }

  // MARK: Compared

  func north(at time: Instant) -> Double? {
    guard let next = path.firstIndex(where: { $0.time >= time }) else { return path.last?.north }
    guard next > 0 else { return path[0].north }
    let (from, to) = (path[next - 1], path[next])
    return from.north + (to.north - from.north)
      * ((time - from.time).secondsDouble / (to.time - from.time).secondsDouble)
  }

  private func lastMotion(by time: Instant) -> Instant {
    let moved = motions.filter { $0.start <= time }.map { min($0.end, time) }.max() ?? start ?? .zero
    // The owner is at it who says that an alarm was theirs.
    let answered = history.last { if case .dismissed = $0.kind { $0.time <= time } else { false } }
    return max(moved, answered?.time ?? moved)
  }

  private func lastJourney(by time: Instant) -> Instant {
    motions.filter { $0.kind == .journey && $0.start <= time }.map { min($0.end, time) }.max() ?? start ?? .zero
  }

  private func isNear(_ a: Instant, _ b: Instant, before: Double = 1.5, after: Double = 1.5) -> Bool {
    let late = (a - b).secondsDouble
    return late >= -before && late <= after
  }

  private mutating func note(_ problem: String, _ event: TrackerEvent) {
    if problems.count < 20 { problems.append("at \(event.time.secondsDouble) s: \(problem): \(event.kind)") }
  }

  /// Compares an event.
  package mutating func check(_ event: TrackerEvent) {
    history.append(event)
    guard case .motion(let motion) = event.kind else { return }
    let begun = motions.filter { $0.start <= event.time }
    switch motion {
    case .rideStarted(let onset):
      // A fix a second; without a speed a ride shows by its distance, and is dated to where it was last seen to stand.
      if !begun.contains(where: { isNear(onset, $0.start, after: 3.5) }), !isRestarted {
        note("no ride began then", event)
      }
    case .resumed(let onset, let since):
      if !isRestarted, !begun.contains(where: { isNear(onset, $0.start, after: 3.5) }) {
        note("nothing went on then", event)
      }
      if !isRestarted, !begun.contains(where: { isNear(since, $0.end, before: 4) }) {
        note("nothing stood then", event)
      }
    case .standing(let since, .silence):
      if !isRestarted, !begun.contains(where: { $0.start <= since && since <= $0.end + .seconds(2) }) {
        note("nothing was lost from sight then", event)
      }
    case .standing(let since, .observed):
      // Seen by distance, the last travel may be some fixes before the end.
      if !isRestarted, !begun.contains(where: { isNear(since, $0.end, before: 4) }) {
        note("nothing stood then", event)
      }
    case .parked(let last, let rideStart, let rideEnd):
      let waited = event.time - last
      if waited < configuration.motion.armAfter || waited > configuration.motion.armBy {
        note("parked too soon or too late", event)
      }
      // A touch only delays it. After a restart what is elsewhere shows within three fixes.
      let late = (last - lastMotion(by: event.time)).secondsDouble
      let early = (lastJourney(by: event.time) - last).secondsDouble
      if late > (isRestarted ? 3.5 : 1.5) || early > (isRestarted ? 3.5 : 1.5) {
        note("the last motion was \(lastMotion(by: event.time))", event)
      }
      if (rideStart == nil) != (rideEnd == nil) { note("half a ride", event) }
      if let rideStart, let rideEnd, !isRestarted {
        if !begun.contains(where: { isNear(rideStart, $0.start, after: 3.5) }) { note("no ride began then", event) }
        if !begun.contains(where: { isNear(rideEnd, $0.end, before: 4) }) { note("no ride ended then", event) }
      }
      noteParked(event.time)
    case .armed, .disarmed: noteParked(event.time)
    case .quiet(let last, let displacement):
      if event.time - last < configuration.motion.quietAfter { note("quiet too soon", event) }
      let since = (lastMotion(by: event.time) - last).secondsDouble
      // What rings out faintly is no motion any more.
      if since > 12 || since < -3 {
        note("last motion \(lastMotion(by: event.time))", event)
      }
      compare(displacement, at: event)
      noteParked(event.time)
    case .movement(let evidence):
      compare(evidence, of: event)
      if evidence.detector == .touch { note("a touch is no movement", event) }
      compare(evidence.displacement, at: event)
    case .suspicious(let evidence):
      compare(evidence, of: event)
      if evidence.detector != .touch { note("a suspicion is a touch", event) }
    case .stolen(let since):
      if !isRestarted, !begun.contains(where: { isNear(since, $0.start, before: 1.5, after: 60) }) {
        note("nothing was taken then", event)
      }
    case .calmed, .travelledUnseen: break
    }
  }

  private mutating func noteParked(_ time: Instant) {
    parkedNorth = north(at: time)
    parkedLean = leans.last
  }

  private mutating func compare(_ evidence: MovementEvidence, of event: TrackerEvent) {
    if evidence.duration != event.time - evidence.onset { note("duration", event) }
    if !(evidence.ratio >= 1) { note("below the threshold", event) }
    let isDated = motions.contains { $0.start <= event.time && isNear(evidence.onset, $0.start, before: 1, after: 5) }
    // A sign of a higher grade may come at any time while it is moved; after a restart the motion began before.
    let isUnderWay = motions.contains { evidence.onset >= $0.start && evidence.onset <= $0.end + .seconds(2) }
    if !isDated, !isUnderWay, !isRestarted { note("nothing began to move then", event) }
    if let tilt = evidence.tilt, let parkedLean, let lean = leans.last {
      let true1 = Elementary.squareRoot(
        (lean.roll - parkedLean.roll) * (lean.roll - parkedLean.roll)
          + (lean.pitch - parkedLean.pitch) * (lean.pitch - parkedLean.pitch))
      // The filter takes 1.5 s to believe a new vertical.
      if Double(tilt) > true1 + 0.06 { note("tilted by \(true1)", event) }
    }
    switch evidence.detector {
    case .speed, .displacement:
      if !motions.contains(where: { $0.kind == .journey && $0.start <= event.time }), !isRestarted {
        note("nothing travelled", event)
      }
    case .touch, .handling:
      if !motions.contains(where: { $0.kind == .touch && $0.start <= event.time }) { note("nothing touched it", event) }
    case .tilt, .heading, .lift, .carry, .shift, .brake, .kickStand, .lock, .tamper, .fence: break
    }
  }

  private mutating func compare(_ displacement: Float?, at event: TrackerEvent) {
    // After a restart what is stolen counts from where it was last seen.
    guard let displacement, let parkedNorth, !isRestarted else { return }
    guard let last = path.last(where: { $0.time <= event.time }) else { return }
    let right = (last.north - parkedNorth).magnitude
    // The parking place is a mean of fixes there; a fix is as good as its radius.
    if (Double(displacement) - right).magnitude > max(8, 0.02 * right) { note("displaced by \(right) m", event) }
  }

  /// Compares a packet.
  package mutating func check(_ packet: Packet) {
    func note(_ problem: String) {
      if problems.count < 20 { problems.append("\(packet.kind) packet \(packet.sequence): \(problem): \(packet)") }
    }
    if let position = packet.position {
      let shown = (Double(position.latitudeE7) / 1e7 - 52) * 111_267
      if let right = north(at: position.fixTime), !isRestarted || packet.time - position.fixTime < .seconds(61) {
        // Three times its radius holds the truth; where it states none, that of a usual receiver.
        let radius = 3 * (position.accuracyDecimetres.map { Double($0) / 10 } ?? 8)
        if (shown - right).magnitude > radius { note("it was at \(right) m north then, not at \(shown)") }
      }
      if packet.kind == .parking, let end = motions.last(where: { $0.kind == .journey && $0.end < packet.time })?.end {
        if position.fixTime < end, !packet.isStale { note("a place of before the ride") }
      }
    }
    if let ride = packet.ride, !isRestarted {
      // The way between the times, and what a second more or less makes.
      var metres = 0.0
      for (from, to) in zip(path, path.dropFirst())
      where to.time > ride.start - .milliseconds(1500) && to.time <= ride.end + .milliseconds(1500) {
        metres += (to.north - from.north).magnitude
      }
      if (Double(ride.distanceMetres) - metres).magnitude > 12 + 0.01 * metres { note("the ride had \(metres) m") }
    }
    if leans.isEmpty, packet.rollDecidegrees != nil || packet.pitchDecidegrees != nil { note("there is no sensor") }
    // At rest for two seconds the lean is known to a degree.
    if let roll = packet.rollDecidegrees, let pitch = packet.pitchDecidegrees, let lean = leans.last,
      packet.time - max(lean.time, lastMotion(by: packet.time)) > .seconds(4)
    {
      let degrees = 180 / Double.pi
      if (Double(roll) / 10 - lean.roll * degrees).magnitude > 1.5
        || (Double(pitch) / 10 - lean.pitch * degrees).magnitude > 1.5
      {
        note("it leans by \(lean.roll * degrees)° and \(lean.pitch * degrees)°")
      }
    }
  }

  /// What should have been told by the end of a scene, and was not.
  package mutating func finish(at end: Instant) {
    guard !isRestarted, configuration.motion == MotionParameters() else { return }
    for motion in motions where (motion.end - motion.start) >= .seconds(2) && end - motion.start > .seconds(15) {
      let before = history.filter { $0.time <= motion.start }
      let isArmed =
        before.lastIndex { $0.kind == .motion(.armed) || isQuiet($0) }.map { place in
          !before[place...].contains { isLeaving($0) }
        } ?? false
      guard isArmed else { continue }
      let isLong = motion.kind == .touch || (motion.end - motion.start >= .seconds(10) && motion.metres > 60)
      let alarms = history.contains {
        guard case .motion(.movement) = $0.kind else { return false }
        return $0.time >= motion.start && $0.time <= max(motion.start + .seconds(20), motion.end)
      }
      if isLong, !alarms { problems.append("no alarm for \(motion)") }
    }
  }

  private func isQuiet(_ event: TrackerEvent) -> Bool {
    if case .motion(.quiet) = event.kind { true } else { false }
  }

  private func isLeaving(_ event: TrackerEvent) -> Bool {
    switch event.kind {
    case .motion(.rideStarted), .motion(.disarmed), .motion(.movement), .dismissed: true
    default: false
    }
  }
}

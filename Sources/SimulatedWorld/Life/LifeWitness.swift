import MotionEvaluation
import Quantities
import VehicleSimulation

/// Knows what happened to the vehicle, and what its owner should have heard of it.
struct LifeWitness {
  private struct Mark {
    let begin: Instant
    let bound: Instant
    let kind: StreetDeed.Kind
    var told: Instant?
  }

  private let scene: EvaluatedScene
  private var marks: [Mark] = []
  /// From a deed that may be told to the owner's answer.
  private var isOpen = false
  private var answered: Instant?
  /// What was done since the owner's last answer.
  private var deeds: [(from: Instant, until: Instant)] = []
  private var allDeeds: [(from: Instant, until: Instant)] = []
  /// True when an alert or a ride was told since.
  private var isTold = false
  /// Until when what a tracker has not seen may be told, while the owner waits to answer it.
  private var toldBy: Instant?
  private var offTimes: [(from: Instant, until: Instant)] = []
  private var troubles: [(from: Instant, until: Instant)] = []
  private(set) var alertCount = 0
  /// Thefts that were excused: the tracker was off, or not armed again, or a sensor was out of order.
  private(set) var excused = 0

  init(_ scene: EvaluatedScene) { self.scene = scene }

  /// Delays of the thefts that were told and are judged, s.
  private var judgedDelays: [Double] = []
  private var judgedThefts = 0

  /// Delays of all thefts that were told, s.
  var delays: [Double] {
    judgedDelays + marks.compactMap { mark in mark.told.map { ($0 - mark.begin).secondsDouble } }
  }
  /// Thefts that had to be told.
  var thefts: Int { judgedThefts + marks.count }

  /// Sensors settle, and the background is learnt again.
  static var settling: Interval { .seconds(10) }

  /// Until a tracker that has noticed other axes keeps how it stands by them: it waits for calm.
  static var calming: Interval { .seconds(20) }

  /// What was moved while the tracker was off shows as soon as it sees where it stands.
  static var patience: Interval { .seconds(900) }

  /// A sensor is out of order.
  mutating func noteTrouble(from: Instant, until: Instant) { troubles.append((from, until)) }

  /// What the sensor shows when the tracker is back is not what it showed before, though nobody has touched the vehicle.
  mutating func noteChange(from: Instant, until: Instant) { open(from: from, until: until) }

  private func wasInTrouble(_ from: Instant, _ until: Instant) -> Bool {
    troubles.contains { $0.from <= until && $0.until + LifeWitness.settling >= from }
  }

  mutating func noteOff(from: Instant, until: Instant) { offTimes.append((from, until)) }

  /// It is back, maybe earlier than anybody knew.
  mutating func noteBack(at time: Instant) {
    for place in offTimes.indices where offTimes[place].until > time {
      offTimes[place].until = time
      toldBy = toldBy.map { min($0, time + LifeWitness.patience) }
    }
  }

  private func wasOff(_ from: Instant, _ until: Instant) -> Bool {
    offTimes.contains { $0.from <= until && $0.until + LifeWitness.settling >= from }
  }

  /// True when the tracker was off, or a sensor out of order, at some time from one to another.
  func isExcused(_ from: Instant, _ until: Instant) -> Bool { wasOff(from, until) || wasInTrouble(from, until) }

  /// True when something was done that the tracker may not have seen, and has not told: it will when it is back, and only then the owner
  /// can answer.
  var isUnheard: Bool {
    !isTold && deeds.contains { wasOff($0.from, $0.until) || wasInTrouble($0.from, $0.until) }
  }

  mutating func begin(
    _ telling: Telling?, _ kind: StreetDeed.Kind, from begin: Instant, to end: Instant
  ) {
    guard let telling else {
      if kind == .ride || kind == .roll { open(from: begin, until: end) }
      return
    }
    open(from: begin, until: end)
    let bound: Instant
    switch telling {
    case .within(let seconds), .packetWithin(let seconds): bound = begin + interval(seconds)
    case .afterEnd(let seconds): bound = end + interval(seconds)
    case .fixes(let count): bound = end + interval(Double(count) * (scene.scene.receiver?.every ?? 1))
    case .maybe: return
    }
    marks.append(Mark(begin: begin, bound: bound, kind: kind, told: nil))
  }

  private func interval(_ seconds: Double) -> Interval { Interval(microseconds: Int64((seconds * 1e6).rounded())) }

  /// The owner would answer, but nothing was told: a tracker that comes back tells it soon or never.
  mutating func awaitTelling(at time: Instant) {
    toldBy = (offTimes + troubles).reduce(time) { max($0, $1.until) } + LifeWitness.patience
  }

  /// A ride was told.
  mutating func noteRide() { isTold = true }

  private mutating func open(from begin: Instant, until end: Instant) {
    isOpen = true
    isTold = false
    toldBy = nil
    deeds.append((begin, end))
    allDeeds.append((begin, end))
  }

  /// True right after a sensor works again, if something was done meanwhile: it shows how the vehicle stands now.
  private func isSeenAgain(at time: Instant) -> Bool {
    troubles.contains { trouble in
      time >= trouble.until && time <= trouble.until + LifeWitness.settling
        && allDeeds.contains { $0.from <= trouble.until && $0.until >= trouble.from }
    }
  }

  mutating func noteAnswer(at time: Instant) {
    answered = time
    isOpen = false
    isTold = false
    toldBy = nil
    deeds = []
  }

  /// - Parameter made: When the tracker made it: it may have waited for the storage while the owner answered the one before.
  mutating func noteAlert(at time: Instant, made: Instant, checker: LifeChecker) {
    alertCount += 1
    isTold = true
    if let toldBy, time > toldBy { isOpen = false }
    toldBy = nil
    let isAnswered = answered.map { made <= $0 } ?? false
    checker.check(
      .noFalseAlert, isOpen || isAnswered || isSeenAgain(at: made), at: time, "an alert, and nothing has happened")
    guard let place = marks.lastIndex(where: { $0.begin <= time }), marks[place].told == nil else { return }
    marks[place].told = time
  }

  /// After this a theft that was not told never will be.
  static var memory: Interval { .seconds(3600) }

  /// Judges the thefts of long ago, and forgets what can't matter any more.
  mutating func settle(at time: Instant, checker: LifeChecker) {
    while let first = marks.first, first.bound + LifeWitness.memory < time {
      marks.removeFirst()
      judge(first, checker)
    }
    let limit =
      min(time - Interval.seconds(86_400), marks.first?.begin ?? time, deeds.first?.from ?? time)
      - Interval.seconds(3600)
    allDeeds.removeAll { $0.until < limit }
    offTimes.removeAll { $0.until < limit }
    troubles.removeAll { $0.until < limit }
  }

  mutating func finish(checker: LifeChecker) {
    for mark in marks { judge(mark, checker) }
    marks = []
  }

  private mutating func judge(_ mark: Mark, _ checker: LifeChecker) {
    if let told = mark.told { judgedDelays.append((told - mark.begin).secondsDouble) }
    if let told = mark.told, told <= mark.bound {
      judgedThefts += 1
      checker.check(.theftTold, true, at: told, "")
      return
    }
    if wasOff(mark.begin - .seconds(700), mark.bound) || wasInTrouble(mark.begin, mark.bound) {
      excused += 1
      return
    }
    judgedThefts += 1
    let what = mark.told.map { "told after \(($0 - mark.begin).secondsDouble) s" } ?? "never told"
    checker.check(
      .theftTold, false, at: mark.begin,
      "\(mark.kind.rawValue): \(what), limit \((mark.bound - mark.begin).secondsDouble) s")
  }
}

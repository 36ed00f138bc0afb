import Quantities
import TrackerCore
import TrackerRuntime

extension LifeRun {
  // MARK: What is long ago

  /// How often that is looked for.
  private static var settling: Interval { .seconds(6 * 3600) }

  var waiting: [UInt32] {
    let held = run.map { run in
      run.look { tracker in (0..<tracker.outbox.count).map { tracker.outbox.name(at: $0).sequence } }
    }
    return (held ?? store.settled.packets.keys.sorted()) + store.spooled
  }

  func settle() {
    settleAt = now + LifeRun.settling
    report.remembered = max(report.remembered, checker.unsettledCount)
    checker.settle(waiting: Set(waiting), hasSecond: true, at: now)
    judgeTrips(at: now)
    witness.settle(at: now, checker: checker)
  }

  private func judgeTrips(at time: Instant) {
    let witness = witness
    trips.settle(at: time, isExcused: { witness.isExcused($0, $1) }, checker: checker)
    guard trips.isSettled(at: now), let odometer = run.map({ run in run.look { $0.odometer } }) else { return }
    trips.judge(odometer: Double(odometer.metres), uncertainty: odometer.uncertainty, at: now, checker: checker)
  }

  // MARK: The end

  /// How long a tracker has to bring out what waits, when nothing goes wrong any more.
  package static var quiet: Interval { .seconds(2 * 3600) }

  /// Lives to the end.
  package func finish() throws(RecordingError) -> LifeReport {
    let end = now
    for event in scenario.plan.events[planned...] where event.time <= end { try happen(event) }
    let limit = end + LifeRun.quiet
    while now < limit {
      let isOver = run.map { run in run.look { $0.outbox.count } == 0 && store.count == 0 } ?? false
      if isOver, offUntil == nil { break }
      let next = min(limit, now + .seconds(10))
      try pass(to: next)
      try run?.advance(to: own(next))
      takeReceived()
      if isCut, run != nil { die(at: now) }
    }
    takeReceived()
    report.remembered = max(report.remembered, checker.unsettledCount)
    checker.finish(waiting: waiting, hasSecond: true, at: now)
    checker.check(.timePasses, true, at: now, "")
    judgeTrips(at: now)
    witness.finish(checker: checker)
    return summary()
  }

  func summary() -> LifeReport {
    report.end = now
    report.packets = checker.madeCount
    report.received = checker.receivedCount
    report.duplicates = checker.duplicateCount
    report.attempts = modem.attempts
    report.noise = checker.noiseCount
    report.unkept = store.unkeptCount
    report.journeys = checker.journeys
    report.delays = witness.delays
    report.thefts = witness.thefts
    report.excused = witness.excused
    report.alerts = witness.alertCount
    report.microcoulombs = modem.microcoulombs
    report.charges = modem.charges
    report.judgedRides = trips.judged
    report.metres = trips.ridden
    report.odometerError = trips.worst
    report.checks = checker.checks
    report.broken = checker.broken
    report.hash = hash.value
    senses.finish(at: now)
    report.energy = senses.energy
    report.forecast = forecast.microamperes(modem: modem.microcoulombs, isOff: run == nil, at: now)
    report.wakes = senses.engine.wakeCount
    report.batteryLevel = battery?.level
    report.states = marks
    report.steps = steps
    return report
  }
}

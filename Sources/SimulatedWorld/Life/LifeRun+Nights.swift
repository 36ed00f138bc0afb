import Quantities
import TrackerRuntime
import VehicleSimulation

extension LifeRun {
  // MARK: Nights

  /// Nothing that is fed lets the time of a tracker pass whose receiver is off: a reading that nobody gets does.
  func keepTime(of run: TrackerRun) throws(RecordingError) {
    guard senses.isReceiverOff || senses.engine.isAsleep else { return }
    checker.noteTime(now)
    if let due = run.nextDeadline, due <= own(now) { try run.attend(at: own(now)) }
  }

  /// How much is passed over at once, at most: the sensor's bias hardly walks meanwhile.
  static var longestRest: Interval { .seconds(60) }
  /// Less is streamed.
  static var shortestRest: Interval { .seconds(6) }

  /// Passes over time in which the vehicle stands, its tracker lets the sensors sleep, and no reading wakes them.
  ///
  /// What is due of the tracker, its ways, the modem, the network and the storage happens at its own instants. When the tracker wakes its
  /// sensors or its buzzer, that ends the rest. The reading that wakes the sensor by its noise, if there is one, is drawn at the beginning;
  /// it is the first that is streamed then. What is in the sensor's FIFO at the end is what streaming would have left there.
  ///
  /// - Returns: False when the next moment has to be streamed.
  func passOver() throws(RecordingError) -> Bool {
    guard scenario.passesNights, now >= streamsUntil, senses.isBlind, run != nil, offUntil == nil, !isCut,
      !trouble.touchesReadings(at: now), let restEnd = player.restsUntil(watchedAt: senses.engine.hertz)
    else { return false }
    var limit = min(restEnd, min(now + LifeRun.longestRest, settleAt))
    if planned < scenario.plan.events.count { limit = min(limit, scenario.plan.events[planned].time) }
    guard limit - now >= LifeRun.shortestRest,
      let quiet = player.quietNoise(for: senses.engine, lasting: LifeRun.longestRest)
    else {
      streamsUntil = min(limit, now + LifeRun.longestRest)
      return false
    }
    var isBeyond = false
    if let wait = quiet.drawnWait(&nightDice) {
      let due = senses.engine.due(after: wait)
      if due < limit { (limit, isBeyond) = (max(due, now), true) }
    }
    let begin = now
    let isWhole = try happenUntil(limit)
    let last = senses.rest(&player, until: now, quiet: quiet, isBeyond: isBeyond && isWhole)
    if let last { _ = trouble.pass(last) }
    report.passedOver += (now - begin).secondsDouble
    if isCut, run != nil { die(at: now) }
    return true
  }

  /// Lets happen what is due by an instant, without any reading.
  ///
  /// - Returns: False when the readings are wanted earlier: from now on.
  private func happenUntil(_ limit: Instant) throws(RecordingError) -> Bool {
    hasSounded = false
    var fixes: Int64 = 0
    while true {
      let wheelAt = wheel == nil ? nil : player.fixTime(after: fixes)
      let next = min(limit, nextMoment ?? limit, wheelAt ?? limit)
      try pass(to: max(now, next))
      guard let run, !isCut else { return false }
      try run.attend(at: own(now))
      checker.noteTime(now)
      takeReceived()
      watch(run)
      if isCut || !senses.isBlind || hasSounded { return false }
      guard now < limit else { return true }
      guard let wheelAt, wheelAt <= now else { continue }
      // The sensor of the wheel does not sleep; while nothing turns it is heard as often as shows that it has not died.
      fixes += wheelStride
      if let reading = wheel?.reading(at: own(now)) { try run.feed(.reading(.wheel(reading))) }
      if isCut || !senses.isBlind || hasSounded { return false }
    }
  }

  /// From one reading of a wheel that stands to the next, in fixes: 8 s of the 10 s after which one that is silent has died.
  private var wheelStride: Int64 { max(1, Int64(8 / (scenario.scene.scene.receiver?.every ?? 1))) }

  /// When something is due next that no reading brings; nil when nothing is.
  private var nextMoment: Instant? {
    var result: Instant?
    func take(_ time: Instant?) { if let time { result = result.map { min($0, time) } ?? time } }
    if let due = run?.nextDeadline { take(world(due)) }
    if let due = store.nextDeadline { take(world(due)) }
    take(lineEnd)
    take(battery?.due)
    take(answerAt)
    return result
  }
}

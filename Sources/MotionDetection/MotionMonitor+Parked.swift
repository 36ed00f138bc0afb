import InertialFusion
import Quantities

/// Parked, suspicious and alarmed.
extension MotionMonitor {
  mutating func judgeParked(_ parked: Parked, _ window: InertialWindow) {
    var parked = parked
    if parked.isDeaf {
      // Of a sensor that has just been switched on neither noise nor bias are known; one that never rests is being moved.
      guard window.isAtRest || window.end - (firstWindowTime ?? window.start) >= .seconds(10) else { return }
      parked.isDeaf = false
    }
    let judgement = tamper.judge(window, parameters)
    guard parked.isArmed else {
      state = .parked(parked)
      if shaking.isConfirmed, !hasRecentFix { rideOff(onset: shaking.onset ?? window.start, isByDisplacement: false) }
      return
    }
    if judgement.detector != nil {
      raise(judgement, parked: parked, since: judgement.onset)
    } else if window.activity >= 1 {
      suspect(parked, detector: .touch, ratio: window.activity, onset: window.start)
    } else {
      state = .parked(parked)
    }
  }

  mutating func judgeParked(
    _ parked: Parked, _ fix: GNSSFix, _ evidence: TravelEvidence, _ stillSince: Instant?
  ) {
    let judgement = confirmed(by: fix, evidence, stillSince)
    guard parked.isArmed else {
      state = .parked(parked)
      if evidence.isTravelling { rideOff(onset: evidence.onset, isByDisplacement: evidence.isDisplacement) }
      return
    }
    if judgement.detector != nil {
      raise(judgement, parked: parked, since: judgement.onset)
    } else {
      state = .parked(parked)
    }
  }

  mutating func judgeSuspicious(_ suspicion: Suspicion, _ window: InertialWindow) {
    var suspicion = suspicion
    let judgement = tamper.judge(window, parameters)
    if judgement.detector != nil {
      raise(judgement, parked: suspicion.parked, since: min(suspicion.onset, judgement.onset))
      return
    }
    if window.activity >= 1 { suspicion.lastMotion = max(suspicion.lastMotion, window.movementEnd) }
    state = .suspicious(suspicion)
  }

  mutating func judgeSuspicious(
    _ suspicion: Suspicion, _ fix: GNSSFix, _ evidence: TravelEvidence, _ stillSince: Instant?
  ) {
    let judgement = confirmed(by: fix, evidence, stillSince)
    if judgement.detector != nil {
      raise(judgement, parked: suspicion.parked, since: min(suspicion.onset, judgement.onset))
    } else {
      state = .suspicious(suspicion)
    }
  }

  mutating func judgeAlarmed(_ alarm: Alarm, _ window: InertialWindow) {
    var alarm = alarm
    forgetTravelLongPast(&alarm)
    let judgement = tamper.judge(window, parameters)
    escalate(judgement, &alarm)
    if window.activity >= 1 { alarm.lastMotion = max(alarm.lastMotion, window.movementEnd) }
    if shaking.isConfirmed, !hasRecentFix {
      noteTravel(&alarm, onset: shaking.onset ?? window.start, isByDisplacement: false)
    } else {
      state = .alarmed(alarm)
    }
  }

  mutating func judgeAlarmed(
    _ alarm: Alarm, _ fix: GNSSFix, _ evidence: TravelEvidence, _ stillSince: Instant?
  ) {
    var alarm = alarm
    forgetTravelLongPast(&alarm)
    let judgement = confirmed(by: fix, evidence, stillSince)
    escalate(judgement, &alarm)
    if evidence.isTravelling {
      alarm.lastMotion = max(alarm.lastMotion, evidence.time)
      noteTravel(&alarm, onset: evidence.onset, isByDisplacement: evidence.isDisplacement)
      return
    }
    state = .alarmed(alarm)
  }

  /// The alarm has been quiet long enough: watch the vehicle where it is now.
  mutating func calm(_ alarm: Alarm) {
    standStill()
    travel.anchorWhereLastSeen()
    let moved = tamper.displacement
    // That it is quiet tells nothing of a sensor that was not believed, nor of the noise of one that was.
    let noise = tamper.noiseLimit
    parkHere(isDeaf: alarm.parked.isDeaf)
    tamper.noiseLimit = noise
    emit(.quiet(lastMotion: alarm.lastMotion, displacement: moved))
  }

  private mutating func confirmed(
    by fix: GNSSFix, _ evidence: TravelEvidence, _ stillSince: Instant?
  ) -> Judgement {
    var judgement = tamper.judge(fix, stillSince: stillSince, parameters)
    if evidence.isTravelling, !evidence.isDisplacement {
      judgement.confirm(.speed, ratio: evidence.ratio, onset: evidence.onset)
    }
    // The distance is seen late; where it began to creep is where it began.
    if judgement.detector == .displacement, let creeping = travel.creepingSince {
      judgement.onset = min(judgement.onset, creeping)
    }
    return judgement
  }

  private mutating func suspect(_ parked: Parked, detector: MovementDetector, ratio: Float, onset: Instant) {
    state = .suspicious(Suspicion(parked: parked, onset: onset, lastMotion: now))
    emit(
      .suspicious(
        MovementEvidence(
          detector: detector, ratio: ratio, onset: onset, duration: now - onset, tilt: tamper.tilt,
          displacement: tamper.displacement)))
  }

  private mutating func raise(_ judgement: Judgement, parked: Parked, since onset: Instant) {
    var alarm = Alarm(parked: parked, grade: 0, lastMotion: now, travelSince: nil, lastTravel: now)
    var dated = judgement
    dated.onset = onset
    escalate(dated, &alarm)
    state = .alarmed(alarm)
  }

  /// Reports a sign of a higher grade than those reported in this alarm.
  private mutating func escalate(_ judgement: Judgement, _ alarm: inout Alarm) {
    guard let detector = judgement.detector, detector.grade > alarm.grade else { return }
    alarm.grade = detector.grade
    emit(
      .movement(
        MovementEvidence(
          detector: detector, ratio: judgement.ratio, onset: judgement.onset, duration: now - judgement.onset,
          tilt: tamper.tilt, displacement: tamper.displacement)))
  }

  /// Travel that has paused for longer than a silence is another travel when it comes again.
  private mutating func forgetTravelLongPast(_ alarm: inout Alarm) {
    if now - alarm.lastTravel >= travel.silenceAfter { alarm.travelSince = nil }
  }

  private mutating func noteTravel(_ alarm: inout Alarm, onset: Instant, isByDisplacement: Bool) {
    let since = alarm.travelSince ?? onset
    alarm.travelSince = since
    alarm.lastTravel = now
    if now - since >= parameters.rideAfterAlarm {
      rideOff(onset: since, isByDisplacement: isByDisplacement)
    } else {
      state = .alarmed(alarm)
    }
  }

  private mutating func rideOff(onset: Instant, isByDisplacement: Bool) {
    state = .riding(Ride(start: onset, lastTravel: now, isByDisplacement: isByDisplacement))
    emit(.rideStarted(onset: onset))
  }
}

import InertialFusion
import Quantities

/// Parked, suspicious, alarmed and stolen.
extension MotionMonitor {
  mutating func judgeParked(_ parked: Parked, _ window: InertialWindow, _ judgement: Judgement) {
    var parked = parked
    if parked.isDeaf {
      guard isHeard(window) else { return }
      parked.isDeaf = false
    }
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

  /// Of a sensor that has just been switched on neither noise nor bias are known; one that never rests is being moved.
  private func isHeard(_ window: InertialWindow) -> Bool {
    window.isAtRest || window.end - (firstWindowTime ?? window.start) >= .seconds(10)
  }

  mutating func judgeSuspicious(_ suspicion: Suspicion, _ window: InertialWindow, _ judgement: Judgement) {
    var suspicion = suspicion
    if judgement.detector != nil {
      raise(judgement, parked: suspicion.parked, since: min(suspicion.onset, judgement.onset))
      return
    }
    if window.activity >= 1 { suspicion.lastMotion = max(suspicion.lastMotion, window.movementEnd) }
    state = .suspicious(suspicion)
  }

  mutating func judgeAlarm(_ alarm: Alarm, _ window: InertialWindow, _ judgement: Judgement, isStolen: Bool) {
    var alarm = alarm
    if alarm.parked.isDeaf {
      guard isHeard(window) else { return }
      alarm.parked.isDeaf = false
    }
    let wasTold = alarm.told
    pass(&alarm)
    // What was judged before the still moment became the reference is told already.
    if alarm.told == wasTold { escalate(judgement, &alarm) }
    if judgement.isMoving { alarm.lastMotion = max(alarm.lastMotion, window.end) }
    noteCarried(judgement, &alarm)
    noteUnderWay(judgement, window, &alarm)
    state = isStolen ? .stolen(alarm) : .alarmed(alarm)
    guard !isStolen else { return }
    // The silence after it is no carrying.
    if let since = alarm.carriedSince, alarm.lastCarried - since >= parameters.stolenAfter {
      steal(alarm, since: since)
    } else if alarm.underWay > 0, alarm.underWay >= parameters.stolenAfter.seconds * (alarm.told >= .moved ? 1.5 : 3) {
      // Hands that work at it shake and turn it, too, but not for as long; what only they have told must last the longer.
      steal(alarm, since: now - Interval(microseconds: Int64(alarm.underWay * 1e6)))
    }
  }

  /// A fix of a vehicle that is watched.
  mutating func judgeWatched(_ judgement: Judgement, _ evidence: TravelEvidence) {
    switch state {
    case .parked(let parked):
      guard parked.isArmed else {
        guard evidence.isTravelling else { return }
        if evidence.isDisplacement, evidence.saysItStands, isFeltResting {
          stay()
        } else {
          rideOff(onset: evidence.onset, isByDisplacement: evidence.isDisplacement)
        }
        return
      }
      if judgement.detector != nil {
        raise(judgement, parked: parked, since: judgement.onset)
        judgeTravel(judgement, evidence)
      }
    case .suspicious(let suspicion):
      if judgement.detector != nil {
        raise(judgement, parked: suspicion.parked, since: min(suspicion.onset, judgement.onset))
        judgeTravel(judgement, evidence)
      }
    case .alarmed, .stolen: judgeTravel(judgement, evidence)
    case .starting, .riding, .settling: break
    }
  }

  /// A switch of a vehicle that is watched.
  mutating func judgeContact(_ detector: MovementDetector) {
    var judgement = Judgement()
    if detector.severity > .noticed { judgement.confirm(detector, ratio: 1, onset: now) }
    switch state {
    case .parked(let parked):
      guard parked.isArmed else { return }
      if judgement.detector != nil {
        raise(judgement, parked: parked, since: now)
      } else {
        suspect(parked, detector: detector, ratio: 1, onset: now)
      }
    case .suspicious(var suspicion):
      if judgement.detector != nil {
        raise(judgement, parked: suspicion.parked, since: min(suspicion.onset, now))
      } else {
        suspicion.lastMotion = max(suspicion.lastMotion, now)
        state = .suspicious(suspicion)
      }
    case .alarmed, .stolen:
      let isStolen = phase == .stolen
      guard var alarm = currentAlarm else { return }
      pass(&alarm)
      escalate(judgement, &alarm)
      alarm.lastMotion = max(alarm.lastMotion, now)
      state = isStolen ? .stolen(alarm) : .alarmed(alarm)
    case .starting, .riding, .settling: break
    }
  }

  /// A fix during an alarm or a theft.
  private mutating func judgeTravel(_ judgement: Judgement, _ evidence: TravelEvidence) {
    let isStolen = phase == .stolen
    guard var alarm = currentAlarm else { return }
    pass(&alarm)
    escalate(judgement, &alarm)
    if evidence.isTravelling {
      alarm.lastMotion = max(alarm.lastMotion, evidence.time)
      alarm.travelSince = alarm.travelSince ?? evidence.onset
      alarm.lastTravel = now
    }
    if judgement.detector == .displacement { alarm.lastMotion = max(alarm.lastMotion, evidence.time) }
    state = isStolen ? .stolen(alarm) : .alarmed(alarm)
    // Where it is now is where it is watched: what is far from there is another movement.
    if judgement.detector == .displacement || (isStolen && evidence.isTravelling) { travel.scatterHere() }
    if judgement.detector == .displacement { travel.anchorWhereLastSeen() }
    if judgement.detector == .displacement {
      if !isStolen { steal(alarm, since: judgement.onset) }
    } else if !isStolen, let since = alarm.travelSince, now - since >= parameters.stolenAfter {
      steal(alarm, since: since)
    }
  }

  private var currentAlarm: Alarm? {
    switch state {
    case .alarmed(let alarm), .stolen(let alarm): return alarm
    case .starting, .riding, .settling, .parked, .suspicious: return nil
    }
  }

  private mutating func steal(_ alarm: Alarm, since: Instant) {
    state = .stolen(alarm)
    emit(.stolen(since: since))
  }

  /// The alarm has been quiet long enough: watch the vehicle where it is now.
  mutating func calm(_ alarm: Alarm) {
    standStill()
    travel.anchorWhereLastSeen()
    let moved = place.displacement
    // That it is quiet tells nothing of a sensor that was not believed.
    parkHere(isDeaf: alarm.parked.isDeaf)
    emit(.quiet(lastMotion: alarm.lastMotion, displacement: moved))
  }

  mutating func confirmed(
    by fix: GNSSFix, _ evidence: TravelEvidence, _ scatter: PositionScatter, _ stillSince: Instant?
  ) -> Judgement {
    var judgement = Judgement()
    // What is stolen moves: nothing speaks against it.
    place.judge(
      fix, scatter, travel.told, isUnwatched: travel.isUnwatched || phase == .stolen, isSettled: travel.isSettled,
      stillSince: stillSince, parameters, into: &judgement)
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
          displacement: place.displacement)))
  }

  private mutating func raise(_ judgement: Judgement, parked: Parked, since onset: Instant) {
    var alarm = Alarm(parked: parked, told: .noticed, at: now)
    // What is still already is watched where it is from the next window on.
    if judgement.isPast { alarm.lastMotion = now - max(parameters.calmAfter, travel.silenceAfter) }
    var dated = judgement
    dated.onset = onset
    noteCarried(judgement, &alarm)
    escalate(dated, &alarm)
    state = .alarmed(alarm)
  }

  /// Tells a sign that is worse than those told since it was last still.
  private mutating func escalate(_ judgement: Judgement, _ alarm: inout Alarm) {
    guard let detector = judgement.detector, detector.severity > alarm.told else { return }
    alarm.told = detector.severity
    if !judgement.isPast { alarm.lastMotion = max(alarm.lastMotion, now) }
    emit(
      .movement(
        MovementEvidence(
          detector: detector, ratio: judgement.ratio, onset: judgement.onset, duration: now - judgement.onset,
          tilt: tamper.tilt, displacement: place.displacement)))
  }

  /// What has passed meanwhile: after a still moment a movement is a new one, and so is travel after a silence.
  private mutating func pass(_ alarm: inout Alarm) {
    if now - alarm.lastTravel >= travel.silenceAfter { alarm.travelSince = nil }
    if now - alarm.lastCarried >= parameters.calmAfter { alarm.carriedSince = nil }
    if alarm.told > .noticed, now - alarm.lastMotion >= max(parameters.calmAfter, travel.silenceAfter) {
      alarm.told = .noticed
      rebase()
    }
  }

  /// A lift begins it and what swings goes on with it: an accelerometer that is wrong by its lean shows a lift for some time.
  private mutating func noteCarried(_ judgement: Judgement, _ alarm: inout Alarm) {
    if alarm.carriedSince == nil, let since = judgement.carriedSince {
      alarm.carriedSince = since
      alarm.lastCarried = now
    }
    if judgement.isSwung { alarm.lastCarried = now }
  }

  private func noteUnderWay(_ judgement: Judgement, _ window: InertialWindow, _ alarm: inout Alarm) {
    let seconds = window.seconds + window.passedSeconds
    alarm.underWay = judgement.isUnderWay ? alarm.underWay + seconds : max(0, alarm.underWay - seconds / 4)
  }

  /// It stands elsewhere, by its fixes and by its inertial sensor, and nobody has seen it go: there it settles, and is parked and armed as after a
  /// ride.
  private mutating func stay() {
    travel.scatterHere()
    state = .settling(Settling(ride: nil, lastMotion: now, lastTouch: now))
  }

  /// True when an inertial sensor feels nothing just now, whatever it has felt before.
  private var isFeltResting: Bool {
    lastWindow.map { now - $0.end < .seconds(5) && $0.isAtRest && !$0.isStuck } ?? false
  }

  mutating func rideOff(onset: Instant, isByDisplacement: Bool) {
    state = .riding(Ride(start: onset, lastTravel: now, isByDisplacement: isByDisplacement))
    emit(.rideStarted(onset: onset))
  }
}

import InertialFusion
import MotionDetection
import Quantities

/// The parked-state machine written down from `docs/motion.md` and the doc comments: one flat value, no shared code.
///
/// It looks at the same estimator as the machine under test, whose own tests are elsewhere.
struct PlainMonitor {
  struct Ride: Equatable {
    var start: Instant
    var lastTravel: Instant
    var byDistance = false
  }

  struct Said: Equatable {
    var time: Instant
    var event: MotionEvent
  }

  let p: MotionParameters
  var phase = MotionPhase.starting
  var alerts: Bool
  var now = Instant.zero
  var said: [Said] = []
  var travel: PlainTravel

  // Riding and settling.
  var ride: Ride?
  var lastMotion = Instant.zero
  /// Of that in settling what was not a lift or a shift alone.
  private var lastClear = Instant.zero
  var lastTouch = Instant.zero
  // Parked, suspicious, alarmed, stolen.
  var watch: PlainWatch
  var place: PlainPlace
  var armed = false
  var deaf = false
  var suspectedSince = Instant.zero
  var told = 0
  var travelSince: Instant?
  var lastTravel = Instant.zero
  var carriedSince: Instant?
  var lastCarried = Instant.zero
  var underWay: Float = 0

  // Shaking.
  private var shaken = Interval.zero
  private var shakingOnset: Instant?
  private var isShaking = false
  private var shakenUntil: Instant?
  /// Mean of what exceeds the share of a road.
  private var roughness: Float = 0

  private var latest: PlainWindow?
  private var firstWindow: Instant?

  /// Whether it was made with alerts on.
  private let given: Bool

  init(_ p: MotionParameters, alerts: Bool = true) {
    self.p = p
    self.alerts = alerts
    given = alerts
    travel = PlainTravel(p)
    watch = PlainWatch(p: p)
    place = PlainPlace(place: nil, accuracy: p.assumedAccuracy, agreed: nil)
  }

  // MARK: What is seen from outside

  var isWatched: Bool { phase == .parked || phase == .suspicious || isAlarm }
  var isAlarm: Bool { phase == .alarmed || phase == .stolen }
  var isArmed: Bool { isWatched && armed }
  var isTravelling: Bool { phase == .riding || (isAlarm && travelSince != nil) }
  var tilt: Float? { isWatched ? watch.tilt : nil }

  var deadline: Instant? {
    switch phase {
    case .starting, .parked, .stolen: nil
    case .riding: ride.map { $0.lastTravel + travel.silence }
    case .settling:
      min(
        max(lastMotion + p.armAfter + (mayBeInTunnel ? p.armAfter : .zero), lastTouch + p.touchDelay),
        lastClear + (p.armBy < p.armAfter ? p.armAfter : p.armBy))
    case .suspicious: lastMotion + p.calmAfter
    case .alarmed: lastMotion + max(p.quietAfter, travel.silence)
    }
  }

  private var mayBeInTunnel: Bool {
    guard let ride, let speed = travel.speedBefore, Float(speed) >= 2.5 else { return false }
    return ![latest?.end, travel.lastFix].contains { $0.map { $0 > ride.lastTravel } ?? false }
  }

  func snapshot(_ estimator: borrowing InertialEstimator) -> MotionSnapshot {
    var kept = MotionSnapshot()
    kept.phase = phase
    kept.alertsEnabled = alerts
    kept.givenAlertsEnabled = given
    kept.place = travel.anchor?.position
    kept.placeAccuracy = travel.anchor?.accuracy ?? p.assumedAccuracy
    if phase == .riding || phase == .settling, let ride {
      kept.rideAge = now - ride.start
      kept.rideIdle = now - ride.lastTravel
    }
    guard isWatched else { return kept }
    kept.up = watch.left
    if let noise = watch.earlierNoise {
      (kept.turningNoise, kept.vibrationNoise) = (noise.turning, noise.vibration)
    } else if estimator.rest.isAtRest {
      kept.turningNoise = estimator.rest.angularRateNoise.variance.squareRoot()
      kept.vibrationNoise = estimator.rest.specificForceNoise.variance.squareRoot()
    }
    if phase != .stolen, let found = place.place { (kept.place, kept.placeAccuracy) = (found, place.accuracy) }
    return kept
  }

  // MARK: Doors

  mutating func restore(_ kept: MotionSnapshot, at time: Instant) {
    guard phase == .starting else { return }
    // What it was made with counts when it is another than in the life before.
    if kept.givenAlertsEnabled == nil || kept.givenAlertsEnabled == given { alerts = kept.alertsEnabled }
    now = time
    if let place = kept.place {
      travel.settle(at: PlainTravel.Place(time: time, position: place, accuracy: kept.placeAccuracy))
      travel.scatter.stand(at: place, time)
      travel.unwatched = true
    }
    switch kept.phase {
    case .starting, .riding, .settling:
      phase = .settling
      (lastMotion, lastTouch, lastClear) = (time, time, time)
      if kept.phase != .starting, let age = kept.rideAge, let idle = kept.rideIdle {
        ride = Ride(start: time - age, lastTravel: time - idle)
      }
    case .parked, .suspicious, .alarmed, .stolen:
      phase = kept.phase == .stolen && alerts ? .stolen : .parked
      armed = alerts
      place = PlainPlace(place: kept.place, accuracy: kept.placeAccuracy, agreed: nil)
      watch.recall(up: kept.up)
      if let turning = kept.turningNoise, let vibration = kept.vibrationNoise {
        watch.earlierNoise = (turning, vibration)
      }
      deaf = watch.earlierNoise == nil
      beginAlarm(at: time)
    }
  }

  private mutating func beginAlarm(at time: Instant) {
    (told, travelSince, carriedSince) = (0, nil, nil)
    (lastMotion, lastTravel, lastCarried) = (time, time, time)
    underWay = 0
  }

  mutating func advance(to time: Instant, _ estimator: borrowing InertialEstimator) {
    if phase == .starting {
      phase = .settling
      now = time
      (lastMotion, lastTouch, lastClear) = (time, time, time)
    }
    while let due = deadline, due <= time {
      now = max(now, due)
      switch phase {
      case .starting, .parked, .stolen: break
      case .riding: stand(.silence, estimator)
      case .settling:
        travel.forget()
        stopShaking()
        travel.standWhereLastSeen(after: ride?.lastTravel)
        let over = ride
        watchHere(estimator)
        say(.parked(lastMotion: lastMotion, rideStart: over?.start, rideEnd: over?.lastTravel))
        if alerts { say(.armed) }
      case .suspicious:
        phase = .parked
        say(.calmed)
      case .alarmed:
        travel.forget()
        stopShaking()
        travel.standWhereLastSeen()
        let (last, moved) = (lastMotion, place.displacement)
        // That it is quiet tells nothing of the sensors.
        let wasDeaf = deaf
        watchHere(estimator)
        deaf = wasDeaf
        say(.quiet(lastMotion: last, displacement: moved))
      }
    }
    now = max(now, time)
  }

  mutating func setAlerts(_ enabled: Bool, at time: Instant, _ estimator: borrowing InertialEstimator) {
    advance(to: time, estimator)
    if enabled == alerts { return }
    alerts = enabled
    if isWatched {
      if enabled {
        travel.forget()
        stopShaking()
        travel.standWhereLastSeen()
      }
      // What an earlier life knew of the sensors, and of how it stood, counts until they show it themselves.
      let (before, wasDeaf) = (watch.left, deaf)
      watchHere(estimator)
      deaf = wasDeaf
      if watch.left == nil { watch.recall(up: before) }
      say(enabled ? .armed : .disarmed)
    }
  }

  mutating func dismiss(at time: Instant, _ estimator: borrowing InertialEstimator) {
    advance(to: time, estimator)
    if phase == .stolen, let since = travelSince, now - lastTravel < travel.silence {
      phase = .riding
      ride = Ride(start: since, lastTravel: lastTravel, byDistance: true)
      say(.rideStarted(onset: since))
    } else if phase == .suspicious || isAlarm {
      phase = .settling
      ride = nil
      (lastMotion, lastTouch, lastClear) = (now, now, now)
    } else if phase == .parked, now - (firstWindow ?? now) < .seconds(10) {
      watch.disbelieve()
    }
  }

  /// After a sample was taken in; `closed` when it has closed a window.
  mutating func sample(at time: Instant, closed: Bool, _ estimator: borrowing InertialEstimator) {
    advance(to: time, estimator)
    guard closed else { return }
    let window = PlainWindow(estimator)
    latest = window
    if firstWindow == nil { firstWindow = window.start }
    shake(window)
    judge(window, estimator)
    advance(to: now, estimator)
  }

  mutating func fix(_ fix: GNSSFix, _ estimator: borrowing InertialEstimator) {
    advance(to: fix.time, estimator)
    var vouched: Instant?
    if let latest, now - latest.end < .seconds(5), latest.isAtRest, !latest.isStuck {
      let moved = estimator.rest.lastMovement ?? firstWindow ?? latest.start
      if now - moved >= .seconds(10) { vouched = estimator.watchedSince }
    }
    let scatter = travel.scatter
    guard
      let seen = travel.judge(fix, travelling: isTravelling, parked: isWatched, vouchedSince: vouched)
    else { return }
    judge(fix, seen, scatter, vouched, estimator)
    advance(to: now, estimator)
  }

  // MARK: Windows

  private mutating func shake(_ window: PlainWindow) {
    if let shakenUntil, shakenUntil != window.start { stopShaking() }
    shakenUntil = window.end
    if window.vibration >= p.rideVibration {
      if shaken == .zero { shakingOnset = window.start }
      shaken = min(shaken + window.length, p.rideVibrationConfirmation)
      let excess: Float = window.samples < 10 ? 1.154_700_5 : 1
      let road: Float = 0.45
      let share = window.shaking / max(excess * window.vibration, .leastNormalMagnitude)
      roughness += (share * share - road * road - roughness) * min(1, window.seconds / 10)
    } else {
      shaken = max(.zero, shaken - window.length)
    }
    if shaken >= p.rideVibrationConfirmation, roughness >= 0 { isShaking = true }
    if shaken == .zero { isShaking = false }
  }

  private mutating func stopShaking() {
    shaken = .zero
    isShaking = false
    shakingOnset = nil
    shakenUntil = nil
    roughness = 0
  }

  private var hearsFixes: Bool { travel.lastFix.map { now - $0 < .seconds(5) } ?? false }
  private var shakesAlone: Bool { isShaking && !hearsFixes }

  private mutating func judge(_ window: PlainWindow, _ estimator: borrowing InertialEstimator) {
    let (sign, moves, carried) = watch.judge(window)
    switch phase {
    case .starting: break
    case .riding:
      guard !hearsFixes, let under = ride else { return }
      if window.vibration >= p.rideVibration, roughness >= 0 {
        ride?.lastTravel = max(under.lastTravel, window.end)
        ride?.byDistance = false
      } else if window.isAtRest, now - under.lastTravel >= p.standAfter {
        stand(.observed, estimator)
      }
    case .settling:
      if window.activity >= 1 { lastTouch = max(lastTouch, window.lastMovement) }
      if let sign, sign.detector != .heading || watch.isTurning {
        lastMotion = max(lastMotion, window.end)
        let maySeemSo = sign.detector == .lift || sign.detector == .shift
        if !maySeemSo || watch.isWorkedAt {
          lastClear = lastMotion
          watch.leave(at: now)
        }
      }
      if shakesAlone { setOff(shakingOnset ?? window.start, at: window.end, byDistance: false) }
    case .parked:
      if deaf {
        guard isHeard(window) else { return }
        deaf = false
      }
      if !armed {
        if shakesAlone { rideOff(shakingOnset ?? window.start, byDistance: false) }
      } else if let sign {
        raise(sign, since: sign.onset, carried: carried, isFelt: true)
      } else if window.activity >= 1 {
        phase = .suspicious
        suspectedSince = window.start
        lastMotion = now
        say(.suspicious(evidence(.touch, window.activity, window.start)))
      }
    case .suspicious:
      if let sign {
        raise(sign, since: min(suspectedSince, sign.onset), carried: carried, isFelt: true)
      } else if window.activity >= 1 {
        lastMotion = max(lastMotion, window.lastMovement)
      }
    case .alarmed, .stolen:
      if deaf {
        guard isHeard(window) else { return }
        deaf = false
      }
      // A sign of before the still moment is told already.
      if !forget() { tell(sign, isFelt: true) }
      if moves { lastMotion = max(lastMotion, window.end) }
      carry(carried)
      underWay = max(0, underWay + (watch.isUnderWay ? window.seconds : window.seconds / -4))
      guard phase == .alarmed else { return }
      if let since = carriedSince, lastCarried - since >= p.stolenAfter {
        steal(since)
      } else if underWay > 0, underWay >= (told >= 2 ? 1.5 : 3) * p.stolenAfter.seconds {
        steal(now - Interval(microseconds: Int64(underWay * 1e6)))
      }
    }
  }

  private func isHeard(_ window: PlainWindow) -> Bool {
    window.isAtRest || window.end - (firstWindow ?? window.start) >= .seconds(10)
  }

  // MARK: Fixes

  private mutating func judge(
    _ fix: GNSSFix, _ seen: PlainTravel.Finding, _ scatter: PlainScatter, _ vouched: Instant?,
    _ estimator: borrowing InertialEstimator
  ) {
    switch phase {
    case .starting: break
    case .riding:
      guard let under = ride else { return }
      if seen.travels {
        ride?.lastTravel = seen.time
        ride?.byDistance = seen.byDistance
      } else {
        let patience = Interval(microseconds: p.standAfter.microseconds * (under.byDistance ? 3 : 1))
        if seen.time - under.lastTravel >= patience { stand(.observed, estimator) }
      }
    case .settling:
      if let distance = seen.unseen, let under = ride, !seen.isFirst || vouched == nil {
        say(.travelledUnseen(since: under.lastTravel, distance: distance))
        if let came = seen.arrived {
          let gone = max(under.lastTravel, came)
          ride?.lastTravel = gone
          stand(.observed, estimator)
          let isShort = seen.time - under.lastTravel <= p.armAfter
          lastMotion = isShort ? seen.time : max(gone, seen.time + .seconds(1) - p.armAfter)
          lastClear = lastMotion
        } else {
          ride?.lastTravel = seen.time
          phase = .riding
        }
      } else if seen.travels {
        setOff(seen.onset, at: seen.time, byDistance: seen.byDistance)
      }
    case .parked, .suspicious:
      let wasSuspicious = phase == .suspicious
      let sign = sign(fix, seen, scatter, vouched)
      if !armed {
        let rests = latest.map { now - $0.end < .seconds(5) && $0.isAtRest && !$0.isStuck } ?? false
        if seen.travels, seen.byDistance, seen.stands, rests {
          // It was taken there unseen, and stands.
          travel.scatterHere()
          phase = .settling
          ride = nil
          (lastMotion, lastClear, lastTouch) = (now, now, now)
        } else if seen.travels {
          rideOff(seen.onset, byDistance: seen.byDistance)
        }
      } else if let sign {
        raise(sign, since: wasSuspicious ? min(suspectedSince, sign.onset) : sign.onset)
        takeAlong(sign, seen)
      }
    case .alarmed, .stolen: takeAlong(sign(fix, seen, scatter, vouched), seen)
    }
  }

  /// A fix during an alarm or a theft.
  private mutating func takeAlong(_ sign: PlainSign?, _ seen: PlainTravel.Finding) {
    _ = forget()
    tell(sign)
    if seen.travels {
      lastMotion = max(lastMotion, seen.time)
      if travelSince == nil { travelSince = seen.onset }
      lastTravel = now
    }
    if sign?.detector == .displacement || (phase == .stolen && seen.travels) { travel.scatterHere() }
    if sign?.detector == .displacement { travel.standWhereLastSeen() }
    if let sign, sign.detector == .displacement {
      lastMotion = max(lastMotion, seen.time)
      if phase == .alarmed { steal(sign.onset) }
    } else if phase == .alarmed, let since = travelSince, now - since >= p.stolenAfter {
      steal(since)
    }
  }

  private mutating func sign(
    _ fix: GNSSFix, _ seen: PlainTravel.Finding, _ scatter: PlainScatter, _ vouched: Instant?
  ) -> PlainSign? {
    guard let (position, accuracy) = travel.usable(fix) else { return nil }
    var sign = place.judge(
      fix.time, at: position, accuracy, speed: travel.speed(fix), scatter, toldWay: travel.toldWay,
      unwatched: travel.unwatched || phase == .stolen, isSettled: travel.isSettled, vouchedSince: vouched, p)
    if seen.travels, !seen.byDistance {
      sign = PlainSign.worse(sign, PlainSign(detector: .speed, ratio: seen.ratio, onset: seen.onset))
    }
    if sign?.detector == .displacement, let onset = sign?.onset, let crept = travel.creeping.first {
      sign?.onset = min(onset, crept)
    }
    return sign
  }

  // MARK: Changes of phase

  private mutating func stand(_ cause: StandingCause, _ estimator: borrowing InertialEstimator) {
    guard let under = ride else { return }
    travel.forget()
    stopShaking()
    travel.forgetPlace(after: under.lastTravel)
    travel.scatterHere()
    watch.leave(at: now)
    phase = .settling
    lastMotion = under.lastTravel
    lastClear = under.lastTravel
    lastTouch = max(under.lastTravel, estimator.rest.lastMovement ?? under.lastTravel)
    say(.standing(since: under.lastTravel, cause: cause))
  }

  private mutating func setOff(_ onset: Instant, at time: Instant, byDistance: Bool) {
    phase = .riding
    guard let over = ride else {
      ride = Ride(start: onset, lastTravel: time, byDistance: byDistance)
      say(.rideStarted(onset: onset))
      return
    }
    ride = Ride(start: over.start, lastTravel: time, byDistance: byDistance)
    say(.resumed(onset: max(onset, over.lastTravel), since: over.lastTravel))
  }

  private mutating func rideOff(_ onset: Instant, byDistance: Bool) {
    phase = .riding
    ride = Ride(start: onset, lastTravel: now, byDistance: byDistance)
    say(.rideStarted(onset: onset))
  }

  private mutating func watchHere(_ estimator: borrowing InertialEstimator) {
    phase = .parked
    ride = nil
    armed = alerts
    deaf = false
    travel.scatterAtAnchor()
    place = PlainPlace(
      place: travel.anchor?.position, accuracy: travel.anchor?.accuracy ?? p.assumedAccuracy,
      agreed: travel.agreedWithAnchor)
    watch.leave(at: now)
  }

  private mutating func raise(_ sign: PlainSign, since onset: Instant, carried: Instant? = nil, isFelt: Bool = false) {
    phase = .alarmed
    beginAlarm(at: now)
    if isFelt, watch.isPast { lastMotion = now - max(p.calmAfter, travel.silence) }
    if let carried { carry(carried) }
    var dated = sign
    dated.onset = onset
    tell(dated, isFelt: isFelt)
  }

  private mutating func tell(_ sign: PlainSign?, isFelt: Bool = false) {
    guard let sign, sign.badness > told else { return }
    told = sign.badness
    if !isFelt || !watch.isPast { lastMotion = max(lastMotion, now) }
    say(.movement(evidence(sign.detector, sign.ratio, sign.onset)))
  }

  private mutating func steal(_ since: Instant) {
    phase = .stolen
    say(.stolen(since: since))
  }

  /// Travel that paused for a silence is another travel when it comes again, and what moves after a still moment is news.
  ///
  /// - Returns: True when there was such a moment.
  private mutating func forget() -> Bool {
    if now - lastTravel >= travel.silence { travelSince = nil }
    if now - lastCarried >= p.calmAfter { carriedSince = nil }
    guard told > 0, now - lastMotion >= max(p.calmAfter, travel.silence) else { return false }
    told = 0
    watch.leave(at: now)
    return true
  }

  private mutating func carry(_ onset: Instant?) {
    if carriedSince == nil, let onset { (carriedSince, lastCarried) = (onset, now) }
    if watch.isSwung { lastCarried = now }
  }

  private func evidence(_ detector: MovementDetector, _ ratio: Float, _ onset: Instant) -> MovementEvidence {
    MovementEvidence(
      detector: detector, ratio: ratio, onset: onset, duration: now - onset, tilt: watch.tilt,
      displacement: place.displacement)
  }

  private mutating func say(_ event: MotionEvent) { said.append(Said(time: now, event: event)) }
}

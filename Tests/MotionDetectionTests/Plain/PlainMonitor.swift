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
  // Parked, suspicious, alarmed.
  var watch: PlainWatch
  var armed = false
  var deaf = false
  var suspectedSince = Instant.zero
  var grade = 0
  var carriedSince: Instant?
  var lastCarried = Instant.zero

  // Shaking.
  private var shaken = Interval.zero
  private var shakingOnset: Instant?
  private var isShaking = false
  private var shakenUntil: Instant?

  private var latest: PlainWindow?
  private var firstWindow: Instant?

  init(_ p: MotionParameters, alerts: Bool = true) {
    self.p = p
    self.alerts = alerts
    travel = PlainTravel(p)
    watch = PlainWatch(p: p, accuracy: p.assumedAccuracy)
  }

  // MARK: What is seen from outside

  var isWatched: Bool { phase == .parked || phase == .suspicious || phase == .alarmed }
  var isArmed: Bool { isWatched && armed }
  var isTravelling: Bool { phase == .riding || (phase == .alarmed && carriedSince != nil) }
  var tilt: Float? { isWatched ? watch.tilt : nil }

  var deadline: Instant? {
    switch phase {
    case .starting, .parked: nil
    case .riding: ride.map { $0.lastTravel + travel.silence }
    case .settling: lastMotion + p.armAfter
    case .suspicious: lastMotion + p.calmAfter
    case .alarmed: lastMotion + max(p.quietAfter, travel.silence)
    }
  }

  func snapshot(_ estimator: borrowing InertialEstimator) -> MotionSnapshot {
    var kept = MotionSnapshot()
    kept.phase = phase
    kept.alertsEnabled = alerts
    kept.place = travel.anchor?.position
    kept.placeAccuracy = travel.anchor?.accuracy ?? p.assumedAccuracy
    if phase == .riding || phase == .settling, let ride {
      kept.rideAge = now - ride.start
      kept.rideIdle = now - ride.lastTravel
    }
    guard isWatched else { return kept }
    kept.up = watch.up
    if let noise = watch.earlierNoise {
      (kept.turningNoise, kept.vibrationNoise) = (noise.turning, noise.vibration)
    } else if estimator.rest.isAtRest {
      kept.turningNoise = estimator.rest.angularRateNoise.variance.squareRoot()
      kept.vibrationNoise = estimator.rest.specificForceNoise.variance.squareRoot()
    }
    if let place = watch.place { (kept.place, kept.placeAccuracy) = (place, watch.accuracy) }
    return kept
  }

  // MARK: Doors

  mutating func restore(_ kept: MotionSnapshot, at time: Instant) {
    guard phase == .starting else { return }
    alerts = kept.alertsEnabled
    now = time
    if let place = kept.place {
      travel.settle(at: PlainTravel.Place(time: time, position: place, accuracy: kept.placeAccuracy))
    }
    switch kept.phase {
    case .starting, .riding, .settling:
      phase = .settling
      lastMotion = time
      if kept.phase != .starting, let age = kept.rideAge, let idle = kept.rideIdle {
        ride = Ride(start: time - age, lastTravel: time - idle)
      }
    case .parked, .suspicious, .alarmed:
      phase = .parked
      armed = alerts
      watch = PlainWatch(p: p, accuracy: kept.placeAccuracy)
      watch.earlierUp = kept.up
      watch.place = kept.place
      if let turning = kept.turningNoise, let vibration = kept.vibrationNoise {
        watch.earlierNoise = (turning, vibration)
      }
      deaf = watch.earlierNoise == nil
    }
  }

  mutating func advance(to time: Instant, _ estimator: borrowing InertialEstimator) {
    if phase == .starting {
      phase = .settling
      now = time
      lastMotion = time
    }
    while let due = deadline, due <= time {
      now = max(now, due)
      switch phase {
      case .starting, .parked: break
      case .riding: stand(.silence, estimator)
      case .settling:
        travel.forget()
        stopShaking()
        travel.standWhereLastSeen()
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
        let (last, moved) = (lastMotion, watch.displacement)
        // That it is quiet tells nothing of the sensors.
        let (before, wasDeaf) = (watch, deaf)
        watchHere(estimator)
        deaf = wasDeaf
        watch.earlierNoise = before.earlierNoise
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
      let (before, wasDeaf) = (watch, deaf)
      watchHere(estimator)
      deaf = wasDeaf
      watch.earlierNoise = before.earlierNoise
      if watch.attitude == nil { watch.earlierUp = before.up }
      say(enabled ? .armed : .disarmed)
    }
  }

  mutating func dismiss(at time: Instant, _ estimator: borrowing InertialEstimator) {
    advance(to: time, estimator)
    if phase == .suspicious || phase == .alarmed {
      phase = .settling
      ride = nil
      lastMotion = now
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
    guard
      let seen = travel.judge(fix, travelling: isTravelling, parked: isWatched, vouchedSince: vouched)
    else { return }
    judge(fix, seen, vouched, estimator)
    advance(to: now, estimator)
  }

  // MARK: Windows

  private mutating func shake(_ window: PlainWindow) {
    if let shakenUntil, shakenUntil != window.start { stopShaking() }
    shakenUntil = window.end
    if window.vibration >= p.rideVibration {
      if shaken == .zero { shakingOnset = window.start }
      shaken = min(shaken + window.length, p.rideVibrationConfirmation)
    } else {
      shaken = max(.zero, shaken - window.length)
    }
    if shaken >= p.rideVibrationConfirmation { isShaking = true }
    if shaken == .zero { isShaking = false }
  }

  private mutating func stopShaking() {
    shaken = .zero
    isShaking = false
    shakingOnset = nil
    shakenUntil = nil
  }

  private var hearsFixes: Bool { travel.lastFix.map { now - $0 < .seconds(5) } ?? false }
  private var shakesAlone: Bool { isShaking && !hearsFixes }

  private mutating func judge(_ window: PlainWindow, _ estimator: borrowing InertialEstimator) {
    switch phase {
    case .starting: break
    case .riding:
      guard !hearsFixes, let under = ride else { return }
      if window.vibration >= p.rideVibration {
        ride?.lastTravel = max(under.lastTravel, window.end)
        ride?.byDistance = false
      } else if window.isAtRest, now - under.lastTravel >= p.standAfter {
        stand(.observed, estimator)
      }
    case .settling:
      if window.activity >= 1 { lastMotion = max(lastMotion, window.lastMovement) }
      if shakesAlone { setOff(shakingOnset ?? window.start, at: window.end, byDistance: false) }
    case .parked:
      if deaf {
        guard window.isAtRest || window.end - (firstWindow ?? window.start) >= .seconds(10) else { return }
        deaf = false
      }
      let sign = watch.judge(window)
      if !armed {
        if shakesAlone { rideOff(shakingOnset ?? window.start, byDistance: false) }
      } else if let sign {
        raise(sign, since: sign.onset)
      } else if window.activity >= 1 {
        phase = .suspicious
        suspectedSince = window.start
        lastMotion = now
        say(.suspicious(evidence(.touch, window.activity, window.start)))
      }
    case .suspicious:
      if let sign = watch.judge(window) {
        raise(sign, since: min(suspectedSince, sign.onset))
      } else if window.activity >= 1 {
        lastMotion = max(lastMotion, window.lastMovement)
      }
    case .alarmed:
      forgetCarrying()
      tell(watch.judge(window))
      if window.activity >= 1 { lastMotion = max(lastMotion, window.lastMovement) }
      if shakesAlone { carry(shakingOnset ?? window.start, byDistance: false) }
    }
  }

  // MARK: Fixes

  private mutating func judge(
    _ fix: GNSSFix, _ seen: PlainTravel.Finding, _ vouched: Instant?, _ estimator: borrowing InertialEstimator
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
      if let distance = seen.unseen, let under = ride {
        say(.travelledUnseen(since: under.lastTravel, distance: distance))
        ride?.lastTravel = seen.time
        phase = .riding
      } else if seen.travels {
        setOff(seen.onset, at: seen.time, byDistance: seen.byDistance)
      }
    case .parked:
      let sign = sign(fix, seen, vouched)
      if armed {
        if let sign { raise(sign, since: sign.onset) }
      } else if seen.travels {
        rideOff(seen.onset, byDistance: seen.byDistance)
      }
    case .suspicious:
      if let sign = sign(fix, seen, vouched) { raise(sign, since: min(suspectedSince, sign.onset)) }
    case .alarmed:
      forgetCarrying()
      tell(sign(fix, seen, vouched))
      if seen.travels {
        lastMotion = max(lastMotion, seen.time)
        carry(seen.onset, byDistance: seen.byDistance)
      }
    }
  }

  private mutating func sign(_ fix: GNSSFix, _ seen: PlainTravel.Finding, _ vouched: Instant?) -> PlainSign? {
    guard let (position, accuracy) = travel.usable(fix) else { return nil }
    var sign = watch.judge(fix, at: position, accuracy, vouchedSince: vouched)
    if seen.travels, !seen.byDistance {
      sign = PlainSign.stronger(sign, PlainSign(detector: .speed, ratio: seen.ratio, onset: seen.onset))
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
    phase = .settling
    lastMotion = max(under.lastTravel, estimator.rest.lastMovement ?? under.lastTravel)
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
    watch = PlainWatch(p: p, accuracy: travel.anchor?.accuracy ?? p.assumedAccuracy)
    watch.attitude = estimator.attitude.isAligned ? estimator.attitude.levelFromBody : nil
    watch.place = travel.anchor?.position
    watch.agreed = travel.agreedWithAnchor
  }

  private mutating func raise(_ sign: PlainSign, since onset: Instant) {
    phase = .alarmed
    grade = 0
    lastMotion = now
    carriedSince = nil
    lastCarried = now
    var dated = sign
    dated.onset = onset
    tell(dated)
  }

  private mutating func tell(_ sign: PlainSign?) {
    guard let sign, sign.grade > grade else { return }
    grade = sign.grade
    say(.movement(evidence(sign.detector, sign.ratio, sign.onset)))
  }

  /// Travel that paused for a silence is another travel when it comes again.
  private mutating func forgetCarrying() {
    if now - lastCarried >= travel.silence { carriedSince = nil }
  }

  private mutating func carry(_ onset: Instant, byDistance: Bool) {
    let since = carriedSince ?? onset
    carriedSince = since
    lastCarried = now
    if now - since >= p.rideAfterAlarm { rideOff(since, byDistance: byDistance) }
  }

  private func evidence(_ detector: MovementDetector, _ ratio: Float, _ onset: Instant) -> MovementEvidence {
    MovementEvidence(
      detector: detector, ratio: ratio, onset: onset, duration: now - onset, tilt: watch.tilt,
      displacement: watch.displacement)
  }

  private mutating func say(_ event: MotionEvent) { said.append(Said(time: now, event: event)) }
}

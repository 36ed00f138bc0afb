import InertialFusion
import Positioning
import Quantities

/// Riding and settling.
extension MotionMonitor {
  mutating func judgeRiding(_ ride: Ride, _ window: InertialWindow) {
    // While there are fixes they tell travel; a sensor shakes at a traffic light, too.
    guard !hasRecentFix else { return }
    var ride = ride
    if window.vibration >= parameters.rideVibration, shaking.isRoad {
      ride.lastTravel = max(ride.lastTravel, window.end)
      ride.isByDisplacement = false
      state = .riding(ride)
    } else if window.isAtRest, now - ride.lastTravel >= parameters.standAfter {
      // On a smooth road it shakes too little to tell a ride, but it does not rest.
      stand(ride, cause: .observed)
    }
  }

  /// A wheel that is known is watched: where it stands, so does the vehicle.
  package mutating func noteWheel(at time: Instant) {
    switch state {
    case .riding(var ride):
      ride.watch(until: time)
      state = .riding(ride)
    case .settling(var settling):
      guard var ride = settling.ride else { return }
      ride.watch(until: time)
      settling.ride = ride
      state = .settling(settling)
      updateDeadline()
    default: break
    }
  }

  /// Its wheel turns as on a ride: without fixes a ride goes on, and one begins when it has turned far enough, unless an inertial sensor
  /// rests: what turns then is spun on a stand.
  ///
  /// - Parameter onset: Since when it has turned far enough for a ride; nil if it has not.
  package mutating func process(wheelTurningAt time: Instant, onset: Instant?) {
    advance(to: time)
    guard !hasRecentFix else { return }
    switch state {
    case .riding(var ride):
      ride.lastTravel = max(ride.lastTravel, time)
      ride.isByDisplacement = false
      state = .riding(ride)
    case .settling(let settling) where settling.ride != nil && isUnseen:
      setOff(settling, onset: time, at: time, isByDisplacement: false)
    case .settling, .parked:
      guard let onset, isUnseen, stillByInertiaSince == nil else { return }
      if case .settling(let settling) = state {
        setOff(settling, onset: onset, at: time, isByDisplacement: false)
      } else if case .parked(let parked) = state, !parked.isArmed {
        rideOff(onset: onset, isByDisplacement: false)
      }
    default: return
    }
    updateDeadline()
  }

  mutating func judgeRiding(_ ride: Ride, _ evidence: TravelEvidence) {
    var ride = ride
    if evidence.isTravelling {
      ride.lastTravel = evidence.time
      ride.isByDisplacement = evidence.isDisplacement
      ride.watchedFor = 0
      state = .riding(ride)
      return
    }
    // Displacement is only seen every few fixes.
    let once = parameters.standAfter
    let patience = ride.isByDisplacement ? once + once + once : once
    if evidence.time - ride.lastTravel >= patience { stand(ride, cause: .observed) }
  }

  mutating func stand(_ ride: Ride, cause: StandingCause) {
    standStill()
    travel.forgetPlace(after: ride.lastTravel)
    travel.scatterHere()
    rebase()
    let lastMovement = estimator.rest.lastMovement ?? ride.lastTravel
    let touched = max(ride.lastTravel, lastMovement)
    state = .settling(Settling(ride: ride, lastMotion: ride.lastTravel, lastTouch: touched))
    emit(.standing(since: ride.lastTravel, cause: cause))
  }

  mutating func judgeSettling(_ settling: Settling, _ window: InertialWindow, _ judgement: Judgement) {
    var settling = settling
    if window.activity >= 1 { settling.lastTouch = max(settling.lastTouch, window.movementEnd) }
    // A turn slower than a hand's may be a gyroscope that gets warm, and is nobody's work.
    if let detector = judgement.detector, detector != .heading || tamper.isTurning {
      // How it is left is how it stands after that.
      settling.lastMotion = max(settling.lastMotion, window.end)
      // A lift or a shift alone may be a hum that looks like it: it is listened to on, so that it is known when it is armed.
      if tamper.isHandled || !detector.isAlias {
        settling.lastClear = settling.lastMotion
        rebase()
      }
    }
    state = .settling(settling)
    if shaking.isConfirmed, !hasRecentFix {
      setOff(settling, onset: shaking.onset ?? window.start, at: window.end, isByDisplacement: false)
    }
  }

  mutating func judgeSettling(_ settling: Settling, _ evidence: TravelEvidence, _ stillSince: Instant?) {
    // One fix that is fast behind a silence is no match for what says that it stands.
    let stands = evidence.isArrival && (stillSince != nil || settling.ride?.isWatched(at: evidence.time) ?? false)
    if let distance = evidence.unseenDistance, var ride = settling.ride, !stands {
      emit(.travelledUnseen(since: ride.lastTravel, distance: distance))
      if let arrival = evidence.arrival { return arrive(ride, at: arrival, seen: evidence.time) }
      ride.lastTravel = evidence.time
      state = .riding(ride)
      return
    }
    guard evidence.isTravelling else { return }
    setOff(settling, onset: evidence.onset, at: evidence.time, isByDisplacement: evidence.isDisplacement)
  }

  /// It is found standing where it went on to unseen. A ride that went on as fast as a tunnel is crossed stands from now on, as the end of
  /// the tunnel may be a light; else it is parked when it may be, once this fix is counted.
  private mutating func arrive(_ ride: Ride, at arrival: Instant, seen now: Instant) {
    let silence = now - ride.lastTravel
    var ride = ride
    ride.lastTravel = max(ride.lastTravel, arrival)
    stand(ride, cause: .observed)
    guard case .settling(var settling) = state else { return }
    let stands = silence <= parameters.armAfter ? now : max(ride.lastTravel, now + .seconds(1) - parameters.armAfter)
    (settling.lastMotion, settling.lastClear) = (stands, stands)
    state = .settling(settling)
    hasArrived = true
  }

  private mutating func setOff(_ settling: Settling, onset: Instant, at time: Instant, isByDisplacement: Bool) {
    guard let ride = settling.ride else {
      state = .riding(Ride(start: onset, lastTravel: time, isByDisplacement: isByDisplacement))
      emit(.rideStarted(onset: onset))
      return
    }
    // Travel can't have begun again before it ended.
    let resumed = max(onset, ride.lastTravel)
    state = .riding(Ride(start: ride.start, lastTravel: time, isByDisplacement: isByDisplacement))
    emit(.resumed(onset: resumed, since: ride.lastTravel))
  }

  /// So long nothing was heard before an instant, as is known only now: a ride of before has begun and travelled as much earlier.
  package mutating func noteTimeOff(_ time: Interval, before first: Instant) {
    switch state {
    case .riding(var ride):
      ride.shift(time, before: first)
      state = .riding(ride)
    case .settling(var settling):
      settling.ride?.shift(time, before: first)
      state = .settling(settling)
    default: break
    }
  }

  /// It was off for longer than a ride stands: the ride of before is over. Where it is now, and whether it is under way, only what comes tells.
  ///
  /// - Parameter moved: How much longer than it was seen it went on.
  package mutating func endRide(goneOnFor moved: Interval) {
    guard case .settling(var settling) = state, let ride = settling.ride else { return }
    settling.ride = nil
    state = .settling(settling)
    travel.forgetPlace()
    let end = ride.lastTravel + moved
    emit(.parked(lastMotion: end, rideStart: ride.start, rideEnd: end))
    updateDeadline()
  }

  /// When what settles is parked, if nothing more is heard of it.
  func parkingTime(of settling: Settling) -> Instant {
    var calm = max(settling.lastMotion + parameters.armAfter, settling.lastTouch + parameters.touchDelay)
    // What went fast when it was last heard of may be in a tunnel, unless its wheel has stopped. Without reception no theft could be seen meanwhile, either.
    if travel.wasFast, let ride = settling.ride, isUnheard(since: ride.lastTravel) {
      let tunnel = settling.lastMotion + parameters.armAfter
      if ride.watchedFor == 0 || tunnel - ride.watched > WheelMeter.patience {
        calm = max(calm, tunnel + parameters.armAfter)
      }
    }
    return min(calm, settling.lastClear + max(parameters.armBy, parameters.armAfter))
  }

  private func isUnheard(since time: Instant) -> Bool {
    (lastWindow?.end ?? time) <= time && (travel.lastFixTime ?? time) <= time
  }

  mutating func park(_ settling: Settling) {
    standStill()
    travel.anchorWhereLastSeen(after: settling.ride?.lastTravel)
    parkHere()
    emit(.parked(lastMotion: settling.lastMotion, rideStart: settling.ride?.start, rideEnd: settling.ride?.lastTravel))
    if alertsEnabled { emit(.armed) }
  }
}

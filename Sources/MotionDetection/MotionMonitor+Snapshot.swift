import InertialFusion
public import Quantities

/// What motion detection keeps over a restart: enough to go on watching a parked vehicle, and to end a ride that was under way.
///
/// What sensors showed is not kept: they are listened to afresh.
@frozen public struct MotionSnapshot: Equatable, BitwiseCopyable, Sendable {
  /// What the vehicle was doing.
  public var phase: MotionPhase = .starting
  /// Whether alerts are on.
  public var alertsEnabled = true
  /// Whether the monitor was made with alerts on; nil in what earlier versions kept.
  public var givenAlertsEnabled: Bool?
  /// The vertical in the body when it was parked; nil while unknown or not parked.
  public var up: Vector3?
  /// Where it was parked, or was last known to stand.
  public var place: GeodeticPosition?
  /// Accuracy of that place (68 %), m.
  public var placeAccuracy: Float = 0
  /// Noise of the gyroscope at rest as it was learnt, rad/s per axis; nil when it was not.
  public var turningNoise: Float?
  /// Noise of the accelerometer at rest as it was learnt, m/s² per axis; nil when it was not.
  public var vibrationNoise: Float?
  /// How long ago the ride that is not over had begun.
  public var rideAge: Interval?
  /// How long ago that ride last travelled.
  public var rideIdle: Interval?

  /// Nothing known.
  public init() {}
}

extension MotionMonitor {
  /// What to keep over a restart.
  public var snapshot: MotionSnapshot {
    var result = MotionSnapshot()
    result.phase = phase
    result.alertsEnabled = alertsEnabled
    result.givenAlertsEnabled = givenAlertsEnabled
    result.place = travel.anchor?.position
    result.placeAccuracy = travel.anchor?.accuracy ?? parameters.assumedAccuracy
    switch state {
    case .starting: break
    case .riding(let ride): note(ride, in: &result)
    case .settling(let settling): if let ride = settling.ride { note(ride, in: &result) }
    case .parked, .suspicious, .alarmed, .stolen: noteParked(in: &result)
    }
    return result
  }

  private func note(_ ride: Ride, in result: inout MotionSnapshot) {
    result.rideAge = now - ride.start
    result.rideIdle = now - ride.lastTravel
  }

  private func noteParked(in result: inout MotionSnapshot) {
    result.up = tamper.parkedUp
    // Learnt only from a vehicle that was at rest; the noise of an earlier life stands until then.
    if let limit = tamper.noiseLimit {
      result.turningNoise = limit.turning
      result.vibrationNoise = limit.vibration
    } else if estimator.rest.isAtRest {
      result.turningNoise = estimator.rest.angularRateNoise.variance.squareRoot()
      result.vibrationNoise = estimator.rest.specificForceNoise.variance.squareRoot()
    }
    // What is stolen is not where it was parked.
    if phase != .stolen, let position = place.position {
      result.place = position
      result.placeAccuracy = place.accuracy
    }
  }

  /// Goes on where an earlier life was; the first thing a monitor is given.
  ///
  /// A stolen vehicle is stolen still. A parked one is parked at once, and armed when alerts are on: an alarm that was going on is raised again by what moves
  /// then. Its inertial sensor is listened to at once by the noise it had in the earlier life: what it shows now may be a thief, and must
  /// not be learnt as its noise. When that is not known it is listened to once it has been at rest, or has been heard for ten
  /// seconds. Where it stood and how it was tilted still count. A ride that was under way is over once it
  /// has stood for long enough.
  public mutating func restore(_ snapshot: MotionSnapshot, at time: Instant) {
    guard case .starting = state else { return }
    // Who makes it with another value means that.
    if (snapshot.givenAlertsEnabled ?? givenAlertsEnabled) == givenAlertsEnabled {
      restoreAlerts(enabled: snapshot.alertsEnabled)
    }
    now = time
    if let place = snapshot.place { travel.restore(place, accuracy: snapshot.placeAccuracy, at: time) }
    switch snapshot.phase {
    case .starting: state = .settling(Settling(ride: nil, lastMotion: time, lastTouch: time))
    case .riding, .settling:
      var ride: Ride?
      if let age = snapshot.rideAge, let idle = snapshot.rideIdle {
        ride = Ride(start: time - age, lastTravel: time - idle, isByDisplacement: false)
      }
      state = .settling(Settling(ride: ride, lastMotion: time, lastTouch: time))
    case .parked, .suspicious, .alarmed, .stolen:
      var limit: HandlingDetector.NoiseLimit?
      if let turning = snapshot.turningNoise, let vibration = snapshot.vibrationNoise {
        limit = HandlingDetector.NoiseLimit(turning: turning, vibration: vibration)
      }
      place = PlaceDetector(position: snapshot.place, accuracy: snapshot.placeAccuracy, seen: nil)
      tamper.restore(noiseLimit: limit, up: snapshot.up)
      let parked = Parked(isArmed: alertsEnabled, isDeaf: limit == nil)
      if snapshot.phase == .stolen, alertsEnabled {
        state = .stolen(Alarm(parked: parked, told: .noticed, at: time))
      } else {
        state = .parked(parked)
      }
    }
    updateDeadline()
  }
}

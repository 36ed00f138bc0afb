import Positioning
import Quantities

/// The state of `MotionMonitor`; each case holds what exists only in it, and little: it is handed on as a value.
enum MotionState: BitwiseCopyable {
  case starting
  case riding(Ride)
  case settling(Settling)
  case parked(Parked)
  case suspicious(Suspicion)
  case alarmed(Alarm)
  case stolen(Alarm)
}

/// A ride from its first to its last known travel.
struct Ride: BitwiseCopyable {
  var start: Instant
  var lastTravel: Instant
  /// Travel is known from displacement, which is seen less often than speed.
  var isByDisplacement: Bool
  /// For how long after the last travel its wheel has been watched, s: where that stands, so does it.
  var watchedFor: UInt16 = 0

  /// Until when its wheel was watched.
  var watched: Instant { lastTravel + .seconds(Int(watchedFor)) }

  /// Whether its wheel has been watched from the last travel until now, and has not turned.
  func isWatched(at time: Instant) -> Bool { watchedFor > 0 && time - watched <= WheelMeter.patience }

  /// Its wheel is watched; one that has been silent meanwhile says nothing of that.
  mutating func watch(until time: Instant) {
    guard time - watched <= WheelMeter.patience else { return }
    watchedFor = UInt16(clamping: (time - lastTravel).microseconds / 1_000_000)
  }

  /// What lies before an instant was so much earlier.
  mutating func shift(_ time: Interval, before first: Instant) {
    if lastTravel <= first { lastTravel = lastTravel - time }
    if start < first { start = start - time }
  }
}

/// Standing after a ride, or since switching on.
struct Settling: BitwiseCopyable {
  var ride: Ride?
  /// Last travel or handling.
  var lastMotion: Instant
  /// Last movement above the noise.
  var lastTouch: Instant
  /// Last travel, or handling that more than a lift or a shift has shown: what hums near the sensor's rate looks like these for ever.
  var lastClear: Instant

  init(ride: Ride?, lastMotion: Instant, lastTouch: Instant) {
    (self.ride, self.lastMotion, self.lastTouch, lastClear) = (ride, lastMotion, lastTouch, lastMotion)
  }
}

/// Parked; `MotionMonitor.tamper` knows how and where.
struct Parked: BitwiseCopyable {
  var isArmed: Bool
  /// After a restart, until the inertial sensor has shown what it is like.
  var isDeaf = false
}

/// Armed, and something moved a little.
struct Suspicion: BitwiseCopyable {
  var parked: Parked
  var onset: Instant
  var lastMotion: Instant
}

/// Armed, and being moved, or stolen.
struct Alarm: BitwiseCopyable {
  var parked: Parked
  /// The worst that was told since it was last still.
  var told: MovementSeverity
  /// For how long it has been under way without a fix, s, less a quarter of the time in which it was not.
  var underWay: Float = 0
  /// Last movement above what wind and traffic do.
  var lastMotion: Instant
  /// Since when it travels; nil when it does not.
  var travelSince: Instant?
  var lastTravel: Instant
  /// Since when it is carried, with pauses; nil when it is not.
  var carriedSince: Instant?
  var lastCarried: Instant
}

extension Alarm {
  /// One that begins.
  init(parked: Parked, told: MovementSeverity, at time: Instant) {
    self.init(
      parked: parked, told: told, lastMotion: time, travelSince: nil, lastTravel: time, carriedSince: nil,
      lastCarried: time)
  }
}

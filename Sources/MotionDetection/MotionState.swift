import Quantities

/// The state of `MotionMonitor`; each case holds what exists only in it, and little: it is handed on as a value.
enum MotionState: BitwiseCopyable {
  case starting
  case riding(Ride)
  case settling(Settling)
  case parked(Parked)
  case suspicious(Suspicion)
  case alarmed(Alarm)
}

/// A ride from its first to its last known travel.
struct Ride: BitwiseCopyable {
  var start: Instant
  var lastTravel: Instant
  /// Travel is known from displacement, which is seen less often than speed.
  var isByDisplacement: Bool
}

/// Standing after a ride, or since switching on.
struct Settling: BitwiseCopyable {
  var ride: Ride?
  var lastMotion: Instant
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

/// Armed, and being moved.
struct Alarm: BitwiseCopyable {
  var parked: Parked
  var grade: UInt8
  var lastMotion: Instant
  var travelSince: Instant?
  var lastTravel: Instant
}

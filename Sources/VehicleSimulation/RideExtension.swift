import Quantities

/// A recorded ride made whole: its fixes unchanged, inertial samples that go with them and, if wanted, a scene after it.
///
/// Put fixes in with `receive`, end with `finish`; after each, take out with `next` until it gives nil. Memory does not
/// grow with the length of the ride. The same seed and fixes give the same bits.
public struct RideExtension: Sendable {
  /// One thing for the tracker, in order of time.
  public enum Output: Equatable, Sendable {
    /// A synthetic reading, in the sensor frame.
    case inertial(InertialSample)
    /// A recorded fix of the ride or a synthetic one of the scene.
    case fix(GNSSFix)
  }

  /// What the script does, for a reader of the timeline.
  public struct Remark: Sendable {
    /// When it begins.
    public var time: Instant
    /// What happens, such as "script: a thief rolls the bike 8 m".
    public var text: String
  }

  /// True once `finish` was called and everything has been handed out.
  public private(set) var isFinished = false
  /// One per phase of the scene; complete after `finish`.
  public private(set) var remarks: [Remark] = []
  /// Fixes that were dropped because they lie before the one before them.
  public private(set) var fixesOutOfOrder = 0
  /// Fixes of the ride that were handed out; all later ones are synthetic.
  public private(set) var recordedFixes = 0

  /// Fixes held in memory; bounded, see `memoryDoesNotGrowWithTheRide`.
  var storedFixes: Int { pending.count }

  private let seed: UInt64
  private let scene: ParkingScene?
  private var ride: RideSynthesizer
  private var player: ParkingPlayer?
  private var pending: [GNSSFix] = []
  private var handedOut = 0
  /// Taken from the ride, but due after the fix that waits.
  private var early: InertialSample?
  private var isComplete = false
  private var rideIsOver = false
  private var last: GNSSFix?
  private var located: GNSSFix?
  private var timed: GNSSFix?

  /// An extension of its own for each seed.
  ///
  /// - Parameters:
  ///   - seed: Of all noise.
  ///   - hertz: Inertial samples per second, 1 to 1000.
  ///   - scene: What happens after the ride; nil for nothing.
  public init(seed: UInt64, hertz: Int = 100, scene: ParkingScene?) {
    self.seed = seed
    self.scene = scene
    ride = RideSynthesizer(seed: seed, hertz: hertz)
  }

  /// Takes the next recorded fix. One before its predecessor is counted and dropped; after `finish` all are ignored.
  public mutating func receive(_ fix: GNSSFix) {
    guard !isComplete else { return }
    if let last, fix.time < last.time {
      fixesOutOfOrder += 1
      return
    }
    last = fix
    if fix.position != nil { located = fix }
    if fix.utc != nil { timed = fix }
    if handedOut > 64 {
      pending.removeFirst(handedOut)
      handedOut = 0
    }
    pending.append(fix)
    ride.receive(fix)
  }

  /// No more fixes come.
  public mutating func finish() {
    guard !isComplete else { return }
    isComplete = true
    ride.finish()
    guard let scene, let start = ride.endOfRide else { return }
    let starts = ParkingPlayer.starts(of: scene, brakingSpeed: ride.finalSpeed, hertz: ride.hertz)
    var wasTaken = false
    for (phase, first) in zip(scene.phases, starts) {
      switch phase {
      case .rolled, .lifted, .carriedOff: wasTaken = true
      case .standing, .nudged: break
      }
      remarks.append(
        Remark(
          time: ParkingPlayer.time(of: first, from: start, hertz: ride.hertz),
          text: phase.text(isAfterTheft: wasTaken)))
    }
  }

  /// The next thing for the tracker; nil when more fixes are needed, or when all is done and `isFinished`.
  public mutating func next() -> Output? {
    if !rideIsOver {
      if handedOut < pending.count {
        let fix = pending[handedOut]
        if early == nil {
          guard let due = ride.nextTime, due <= fix.time else { return handOut(fix) }
          early = ride.next()
        }
        guard let sample = early else { return isComplete ? handOut(fix) : nil }
        // Behind a hole in the track the samples go on at its far end; fixes at the near end come first.
        guard sample.time <= fix.time else { return handOut(fix) }
        early = nil
        return .inertial(sample)
      }
      guard isComplete else { return nil }
      if let sample = early ?? ride.next() {
        early = nil
        return .inertial(sample)
      }
      rideIsOver = true
      beginScene()
    }
    if let output = player?.next() { return output }
    isFinished = true
    return nil
  }

  private mutating func handOut(_ fix: GNSSFix) -> Output {
    handedOut += 1
    recordedFixes += 1
    return .fix(fix)
  }

  private mutating func beginScene() {
    guard let scene, let start = ride.endOfRide, let last else { return }
    player = ParkingPlayer(
      scene, from: start, brakingSpeed: ride.finalSpeed, ride: ride.motion, sensor: ride.sensor,
      receiver: SceneReceiver(after: last, located: located, timed: timed, seed: seed), seed: seed, hertz: ride.hertz)
  }
}

/// What happens to the bicycle after the ride, as a script of phases at the place where the ride ended.
public struct ParkingScene: Sendable, Equatable {
  /// One thing that happens.
  public enum Phase: Sendable, Equatable {
    /// Left alone for some seconds, with a little wind.
    case standing(seconds: Double)
    /// A neighbour knocks against it: rings out within 0.4 s. Lasts a second.
    case nudged
    /// Rolled by hand at 1 m/s for some metres.
    case rolled(metres: Double)
    /// Lifted and tilted by 30° to 60° with jolts. Lasts 2.4 s.
    case lifted
    /// Carried at walking pace, 1.3 m/s, for some metres.
    case carriedOff(metres: Double)
  }

  /// In the order in which they happen.
  public var phases: [Phase]

  /// A scene of the phases.
  public init(phases: [Phase]) { self.phases = phases }

  /// Ten quiet minutes with one gentle knock after seven that is nothing to worry about; then a thief.
  public static let tenMinutesThenThief = ParkingScene(phases: [
    .standing(seconds: 420), .nudged, .standing(seconds: 179),
    .rolled(metres: 8), .lifted, .carriedOff(metres: 120),
    .standing(seconds: 90),
  ])
}

extension ParkingScene.Phase {
  static let rollingSpeed = 1.0
  static let rollingAcceleration = 0.8
  static let walkingSpeed = 1.3
  static let walkingAcceleration = 1.0

  /// Length, s; nonsense counts as zero, and no phase is longer than a month.
  var seconds: Double {
    switch self {
    case .standing(let seconds): return Self.sane(seconds, to: 2_592_000)
    case .nudged: return 1
    case .rolled(let metres):
      return SpeedProfile(metres: metres, speed: Self.rollingSpeed, acceleration: Self.rollingAcceleration).seconds
    case .lifted: return 2.4
    case .carriedOff(let metres):
      return SpeedProfile(metres: metres, speed: Self.walkingSpeed, acceleration: Self.walkingAcceleration).seconds
    }
  }

  static func sane(_ value: Double, to limit: Double) -> Double { value > 0 ? min(value, limit) : 0 }

  /// A line for the screen.
  func text(isAfterTheft: Bool) -> String {
    switch self {
    case .standing(let seconds):
      let whole = Int(Self.sane(seconds, to: 2_592_000) + 0.5)
      return "script: the bike stands \(isAfterTheft ? "where it was put down" : "parked, untouched"), \(whole) s"
    case .nudged: return "script: a neighbour knocks against the bike"
    case .rolled(let metres):
      return "script: a thief rolls the bike \(Int(Self.sane(metres, to: 1e5) + 0.5)) m"
    case .lifted: return "script: the bike is lifted and tilted"
    case .carriedOff(let metres):
      return "script: the bike is carried off, \(Int(Self.sane(metres, to: 1e5) + 0.5)) m"
    }
  }
}

/// Speed up, go on, slow down: a distance covered with one acceleration and a top speed.
struct SpeedProfile: Sendable {
  private let top: Double
  private let acceleration: Double
  private let ramp: Double
  /// The whole time, s.
  let seconds: Double

  init(metres: Double, speed: Double, acceleration: Double) {
    let distance = ParkingScene.Phase.sane(metres, to: 1e5)
    top = min(speed, (distance * acceleration).squareRoot())
    self.acceleration = acceleration
    ramp = top / acceleration
    seconds = top > 0 ? distance / top + ramp : 0
  }

  /// Speed (m/s) and acceleration (m/s²) some seconds after the start.
  func motion(at s: Double) -> (speed: Double, acceleration: Double) {
    if s < 0 || s >= seconds { return (0, 0) }
    if s < ramp { return (acceleration * s, acceleration) }
    if s > seconds - ramp { return (acceleration * (seconds - s), -acceleration) }
    return (top, 0)
  }
}

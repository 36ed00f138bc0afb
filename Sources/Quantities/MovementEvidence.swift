/// What noticed the movement of a parked vehicle, from the faintest to the strongest sign.
@frozen public enum MovementDetector: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Any movement above the sensor's own noise.
  case touch = 0
  /// Turning or shaking as by a hand.
  case handling = 1
  /// The vertical has changed since parking.
  case tilt = 2
  /// The heading has changed since parking.
  case heading = 3
  /// Ground speed.
  case speed = 4
  /// Distance from the parking place.
  case displacement = 5

  /// The name used in packets.
  public var name: StaticString {
    switch self {
    case .touch: return "touch"
    case .handling: return "handling"
    case .tilt: return "tilt"
    case .heading: return "heading"
    case .speed: return "speed"
    case .displacement: return "displacement"
    }
  }
}

/// The numbers behind a suspicion or an alarm.
@frozen public struct MovementEvidence: Equatable, BitwiseCopyable, Sendable {
  /// What noticed it.
  public var detector: MovementDetector
  /// Measured value over threshold; 1 and more is movement.
  public var ratio: Float
  /// When the movement began.
  public var onset: Instant
  /// How long it had lasted when it was judged.
  public var duration: Interval
  /// Change of the vertical since parking, rad; nil without accelerometer.
  public var tilt: Float?
  /// Distance from the parking place, m; nil without fixes.
  public var displacement: Float?

  /// Evidence of one detector.
  @inlinable public init(
    detector: MovementDetector, ratio: Float, onset: Instant, duration: Interval, tilt: Float? = nil,
    displacement: Float? = nil
  ) {
    self.detector = detector
    self.ratio = ratio
    self.onset = onset
    self.duration = duration
    self.tilt = tilt
    self.displacement = displacement
  }
}

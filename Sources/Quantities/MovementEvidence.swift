/// What noticed the movement of a parked vehicle. The numbers are those of records and never change.
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
  /// A change of the vertical velocity: lifted or lowered.
  case lift = 6
  /// Up and down as by steps: carried.
  case carry = 7
  /// The brake lever was pulled.
  case brake = 8
  /// The kick-stand was folded.
  case kickStand = 9
  /// The lock was opened.
  case lock = 10
  /// The tracker's box was opened, or its cable cut.
  case tamper = 11
  /// It has left all fences that must not be left.
  case fence = 12
  /// A horizontal way from one rest to the next: slid, rolled or carried level.
  case shift = 13

  /// The name used in packets.
  public var name: StaticString {
    switch self {
    case .touch: return "touch"
    case .handling: return "handling"
    case .tilt: return "tilt"
    case .heading: return "heading"
    case .speed: return "speed"
    case .displacement: return "displacement"
    case .lift: return "lift"
    case .carry: return "carry"
    case .brake: return "brake"
    case .kickStand: return "kickStand"
    case .lock: return "lock"
    case .tamper: return "tamper"
    case .fence: return "fence"
    case .shift: return "shift"
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
  // Bits of a number, all of them for one that is not known: optionals would take half as much memory again, in every event and packet.
  @usableFromInline var tiltBits = UInt32.max
  @usableFromInline var displacementBits = UInt32.max
  @usableFromInline var turnBits = UInt32.max

  /// The onset of what began in an earlier life, nobody knows when: the earliest that a record holds.
  package static var unknownOnset: Instant { Instant(microseconds: -(1 << 62)) }

  /// Evidence of one detector.
  @inlinable public init(
    detector: MovementDetector, ratio: Float, onset: Instant, duration: Interval, tilt: Float? = nil,
    displacement: Float? = nil, turn: Float? = nil
  ) {
    self.detector = detector
    self.ratio = ratio
    self.onset = onset
    self.duration = duration
    self.tilt = tilt
    self.displacement = displacement
    self.turn = turn
  }

  /// Change of the vertical since parking, rad; nil without accelerometer.
  @inlinable public var tilt: Float? {
    get { tiltBits == .max ? nil : Float(bitPattern: tiltBits) }
    set { tiltBits = newValue?.bitPattern ?? .max }
  }

  /// Distance from the parking place, m; nil without fixes.
  @inlinable public var displacement: Float? {
    get { displacementBits == .max ? nil : Float(bitPattern: displacementBits) }
    set { displacementBits = newValue?.bitPattern ?? .max }
  }

  /// Change of the heading since parking, rad; nil when that is not what noticed it.
  @inlinable public var turn: Float? {
    get { turnBits == .max ? nil : Float(bitPattern: turnBits) }
    set { turnBits = newValue?.bitPattern ?? .max }
  }

  /// What was measured besides the ratio, as packets and timelines show it; nil beyond the last place.
  public func measure(at place: Int) -> EvidenceMeasure? {
    switch place {
    case 0: return EvidenceMeasure(name: "tilt", value: tilt.map { $0 * (180 / Float.pi) })
    case 1: return EvidenceMeasure(name: "displacement", value: displacement)
    case 2: return EvidenceMeasure(name: "turn", value: turn.map { $0 * (180 / Float.pi) })
    default: return nil
    }
  }
}

/// A number that a detector measured, with one digit behind the point in texts.
@frozen public struct EvidenceMeasure: BitwiseCopyable, Sendable {
  /// Its name in packets and events.
  public var name: StaticString
  /// Degrees or metres; nil while unknown.
  public var value: Float?
}

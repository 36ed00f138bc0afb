public import Quantities

/// What kind of sensor a sign comes from.
@frozen public enum MovementSensor: UInt8, BitwiseCopyable, Sendable {
  /// Accelerometer, gyroscope or both.
  case inertial
  /// A satellite receiver.
  case receiver
  /// A switch.
  case contact
}

/// How bad a sign is: a stronger one is reported at once, whatever was reported before.
@frozen public enum MovementSeverity: UInt8, BitwiseCopyable, Sendable, Comparable {
  /// It may be nothing.
  case noticed
  /// Somebody works at it.
  case tampered
  /// It does not stand as it stood.
  case moved
  /// It is somewhere else.
  case gone

  /// True when the first is less bad.
  @inlinable public static func < (a: MovementSeverity, b: MovementSeverity) -> Bool { a.rawValue < b.rawValue }
}

/// What is done to the vehicle, as far as a sign shows.
@frozen public enum MovementClass: UInt8, BitwiseCopyable, Sendable {
  /// Touched, or shaken by wind and traffic.
  case touched
  /// Shaken or turned by tools and hands.
  case worked
  /// Leant, felled or turned round.
  case turned
  /// Lifted or carried.
  case carried
  /// Under way.
  case travelling
}

extension MovementDetector {
  /// Which sensor noticed it.
  public var sensor: MovementSensor {
    switch self {
    case .touch, .handling, .tilt, .heading, .lift, .carry, .shift: return .inertial
    case .speed, .displacement, .fence: return .receiver
    case .brake, .kickStand, .lock, .tamper: return .contact
    }
  }

  /// What it is a sign of.
  public var movementClass: MovementClass {
    switch self {
    case .touch, .brake: return .touched
    case .handling, .kickStand, .lock, .tamper: return .worked
    case .tilt, .heading: return .turned
    case .lift, .carry, .shift: return .carried
    case .speed, .displacement, .fence: return .travelling
    }
  }

  /// True for what a hum near a multiple of the sample rate looks like: a slow swing.
  var isAlias: Bool { self == .lift || self == .shift }

  /// How bad that is.
  public var severity: MovementSeverity {
    switch movementClass {
    case .touched: return .noticed
    case .worked: return .tampered
    case .turned, .carried: return .moved
    case .travelling: return .gone
    }
  }
}

/// The status letter of RMC and GLL.
@frozen public enum FixStatus: UInt8, BitwiseCopyable, Sendable {
  /// Missing or none of the letters.
  case unknown = 0
  /// `A`: the receiver vouches for the position.
  case valid
  /// `D`: valid and differentially corrected; some receivers say so here.
  case differential
  /// `V`: warning, do not use.
  case void

  /// The status of a letter.
  @inlinable @inline(__always) public init(_ letter: UInt8) {
    switch letter {
    case 0x41: self = .valid
    case 0x44: self = .differential
    case 0x56: self = .void
    default: self = .unknown
    }
  }

  /// The letter, nil for unknown.
  @inlinable public var letter: UInt8? {
    switch self {
    case .unknown: return nil
    case .valid: return 0x41
    case .differential: return 0x44
    case .void: return 0x56
    }
  }
}

/// How a position was obtained: the mode indicator that NMEA 2.3 added.
@frozen public struct ModeIndicator: Equatable, BitwiseCopyable, Sendable {
  /// The letter in ASCII, 0 when the field is empty or missing.
  public var letter: UInt8

  /// The mode of a letter.
  @inlinable @inline(__always) public init(_ letter: UInt8) { self.letter = letter }

  /// The field is empty or missing.
  @inlinable public static var absent: ModeIndicator { ModeIndicator(0) }
  /// `A`: from satellites alone.
  @inlinable public static var autonomous: ModeIndicator { ModeIndicator(0x41) }
  /// `D`: differentially corrected.
  @inlinable public static var differential: ModeIndicator { ModeIndicator(0x44) }
  /// `E`: dead reckoning.
  @inlinable public static var estimated: ModeIndicator { ModeIndicator(0x45) }
  /// `F`: real-time kinematic, float.
  @inlinable public static var realTimeKinematicFloat: ModeIndicator { ModeIndicator(0x46) }
  /// `M`: entered by hand.
  @inlinable public static var manual: ModeIndicator { ModeIndicator(0x4D) }
  /// `N`: no fix.
  @inlinable public static var notValid: ModeIndicator { ModeIndicator(0x4E) }
  /// `P`: precise.
  @inlinable public static var precise: ModeIndicator { ModeIndicator(0x50) }
  /// `R`: real-time kinematic, integers fixed.
  @inlinable public static var realTimeKinematicFixed: ModeIndicator { ModeIndicator(0x52) }
  /// `S`: simulator.
  @inlinable public static var simulated: ModeIndicator { ModeIndicator(0x53) }
}

/// Whether it is safe to navigate by the position: the field that NMEA 4.1 added.
@frozen public struct NavigationStatus: Equatable, BitwiseCopyable, Sendable {
  /// The letter in ASCII, 0 when the field is empty or missing.
  public var letter: UInt8

  /// The status of a letter.
  @inlinable @inline(__always) public init(_ letter: UInt8) { self.letter = letter }

  /// The field is empty or missing.
  @inlinable public static var absent: NavigationStatus { NavigationStatus(0) }
  /// `S`: safe.
  @inlinable public static var safe: NavigationStatus { NavigationStatus(0x53) }
  /// `C`: caution.
  @inlinable public static var caution: NavigationStatus { NavigationStatus(0x43) }
  /// `U`: unsafe.
  @inlinable public static var unsafe: NavigationStatus { NavigationStatus(0x55) }
  /// `V`: the receiver does not give this status.
  @inlinable public static var notProvided: NavigationStatus { NavigationStatus(0x56) }
}

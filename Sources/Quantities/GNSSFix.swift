/// How much of a position a receiver has.
@frozen public enum FixMode: UInt8, BitwiseCopyable, Sendable {
  /// Nothing is known yet; no sentence said.
  case unknown = 0
  /// The receiver says it has no fix.
  case none = 1
  /// Position without height.
  case twoDimensional = 2
  /// Position with height.
  case threeDimensional = 3
}

/// How the position was obtained, with the numbers of NMEA 0183 GGA field 6.
@frozen public enum FixQuality: UInt8, BitwiseCopyable, Sendable {
  /// Not valid.
  case invalid = 0
  /// Autonomous GNSS.
  case autonomous = 1
  /// Differential or satellite-based augmentation.
  case differential = 2
  /// Precise positioning service.
  case precise = 3
  /// Real-time kinematic, integers fixed.
  case realTimeKinematicFixed = 4
  /// Real-time kinematic, float.
  case realTimeKinematicFloat = 5
  /// Dead reckoning.
  case estimated = 6
  /// Entered by hand.
  case manual = 7
  /// Simulator.
  case simulated = 8
}

/// Dilutions of precision (no unit); nil where the receiver said nothing.
@frozen public struct DilutionOfPrecision: Equatable, BitwiseCopyable, Sendable {
  /// Horizontal.
  public var horizontal: Float?
  /// Vertical.
  public var vertical: Float?
  /// Position (three-dimensional).
  public var position: Float?

  /// All unknown unless given.
  @inlinable public init(horizontal: Float? = nil, vertical: Float? = nil, position: Float? = nil) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.position = position
  }
}

/// A satellite navigation system.
@frozen public enum Constellation: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  /// United States.
  case gps
  /// Russia.
  case glonass
  /// European Union.
  case galileo
  /// China.
  case beiDou
  /// Japan.
  case qzss
  /// India.
  case navIC
  /// Satellite-based augmentation (WAAS, EGNOS, …).
  case sbas
}

/// Numbers of satellites, one per constellation.
@frozen public struct SatelliteCounts: Equatable, BitwiseCopyable, Sendable {
  /// Packed counts, a byte per constellation in the order of `Constellation`.
  public var packed: UInt64

  /// All zero.
  @inlinable public init() { packed = 0 }

  /// The number for one constellation, 0 to 255.
  @inlinable public subscript(constellation: Constellation) -> UInt8 {
    get { UInt8(truncatingIfNeeded: packed >> (UInt64(constellation.rawValue) * 8)) }
    set {
      let shift = UInt64(constellation.rawValue) * 8
      packed = (packed & ~(0xFF << shift)) | (UInt64(newValue) << shift)
    }
  }

  /// The sum over all constellations.
  @inlinable public var total: Int {
    var sum = 0
    var rest = packed
    while rest != 0 {
      sum += Int(rest & 0xFF)
      rest >>= 8
    }
    return sum
  }
}

/// What a satellite receiver knew at one epoch. Every part but the time of arrival may be missing.
@frozen public struct GNSSFix: Equatable, BitwiseCopyable, Sendable {
  /// When the epoch reached the tracker, on the monotonic clock.
  public var time: Instant
  /// UTC of the position.
  public var utc: UTCTime?
  /// How much of the position is valid.
  public var mode: FixMode
  /// How it was obtained.
  public var quality: FixQuality?
  /// Where, on WGS-84.
  public var position: GeodeticPosition?
  /// Height above mean sea level, m.
  public var heightAboveSeaLevel: Double?
  /// Height above the WGS-84 ellipsoid, m.
  public var heightAboveEllipsoid: Double?
  /// Speed over ground, m/s.
  public var speed: Double?
  /// Course over ground, rad clockwise from true north, 0 to 2π.
  public var course: Double?
  /// Radius about the position that holds the truth with 68 % probability, m.
  public var horizontalAccuracy: Double?
  /// Standard deviation of the height, m.
  public var verticalAccuracy: Double?
  /// Dilutions of precision.
  public var dilution: DilutionOfPrecision
  /// Satellites used for the position.
  public var satellitesUsed: UInt8?
  /// Satellites in view per constellation.
  public var satellitesInView: SatelliteCounts

  /// A fix with nothing but its time.
  @inlinable public init(time: Instant) {
    self.time = time
    utc = nil
    mode = .unknown
    quality = nil
    position = nil
    heightAboveSeaLevel = nil
    heightAboveEllipsoid = nil
    speed = nil
    course = nil
    horizontalAccuracy = nil
    verticalAccuracy = nil
    dilution = DilutionOfPrecision()
    satellitesUsed = nil
    satellitesInView = SatelliteCounts()
  }

  /// The height that the receiver vouches for, above whatever it knows, m; nil when there is none. Two fixes of one receiver are above the same.
  @inlinable public var height: Double? {
    mode == .threeDimensional ? heightAboveSeaLevel ?? heightAboveEllipsoid : nil
  }

  /// True when the receiver vouches for a position, which is not made by a simulator.
  @inlinable public var hasPosition: Bool {
    position != nil && (mode == .twoDimensional || mode == .threeDimensional) && quality != .simulated
  }
}

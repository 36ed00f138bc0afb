import InlineStorage
public import Quantities

/// What a packet reports.
@frozen public enum PacketKind: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Where the vehicle is.
  case location
  /// Where the vehicle was parked.
  case parking
  /// The parked vehicle is being moved.
  case movement
  /// A ride has ended.
  case ride
  /// Alerts were switched on or off, or the owner asked.
  case status
  /// It is outside all fences that must not be left.
  case fence
  /// Somebody has come to a fence, or left it.
  case transition

  /// The name used in packets.
  public var name: StaticString {
    switch self {
    case .location: return "location"
    case .parking: return "parking"
    case .movement: return "movement"
    case .ride: return "ride"
    case .status: return "status"
    case .fence: return "fence"
    case .transition: return "transition"
    }
  }

  #if !hasFeature(Embedded)
    /// What it is called, for people; firmware leaves it out.
    package var title: StaticString {
      switch self {
      case .location: return "Location"
      case .parking: return "Parking place"
      case .movement: return "Movement alert"
      case .ride: return "Ride"
      case .status: return "Status"
      case .fence: return "Fence alert"
      case .transition: return "Fence crossed"
      }
    }
  #endif

  /// Which packets go first, and which may not be given up.
  public var priority: PacketPriority {
    switch self {
    case .movement, .fence: return .alert
    case .parking, .status, .transition: return .notice
    case .location, .ride: return .report
    }
  }
}

/// The lanes of the outbox.
@frozen public enum PacketPriority: UInt8, BitwiseCopyable, Sendable, Comparable {
  /// May be given up when there is no room.
  case report
  /// Goes before reports.
  case notice
  /// Goes first, and is never given up for another packet.
  case alert

  /// True when the first goes later.
  @inlinable public static func < (a: PacketPriority, b: PacketPriority) -> Bool { a.rawValue < b.rawValue }
}

/// What a `movement` packet adds: which alert, and the numbers that caused it.
@frozen public struct PacketAlert: Equatable, BitwiseCopyable, Sendable {
  /// Number of the alert, rising by one, to acknowledge or dismiss it by.
  public var id: UInt32
  /// How many times it has been repeated, 0 the first time.
  public var repetition: UInt16
  /// What caused it.
  public var evidence: MovementEvidence

  /// An alert.
  @inlinable public init(id: UInt32, repetition: UInt16 = 0, evidence: MovementEvidence) {
    self.id = id
    self.repetition = repetition
    self.evidence = evidence
  }
}

/// What a `ride` packet adds, and a `status` that answers with a ride.
@frozen public struct PacketRide: Equatable, BitwiseCopyable, Sendable {
  /// When the ride really began.
  public var start: Instant
  /// When it really ended.
  public var end: Instant
  /// Length in metres.
  public var distanceMetres: UInt32
  // The highest value of each is that it is unknown.
  @usableFromInline var moving: UInt32 = .max
  @usableFromInline var top: UInt16 = .max
  @usableFromInline var rise: UInt16 = .max

  /// Time without stops, s; nil when unknown.
  @inlinable public var movingSeconds: UInt32? {
    get { moving == .max ? nil : moving }
    set { moving = newValue.map { min($0, .max - 1) } ?? .max }
  }
  /// Highest speed, cm/s; nil when unknown.
  @inlinable public var topSpeedCentimetres: UInt16? {
    get { top == .max ? nil : top }
    set { top = newValue.map { min($0, .max - 1) } ?? .max }
  }
  /// Sum of all rises, m; nil when unknown.
  @inlinable public var climbMetres: UInt16? {
    get { rise == .max ? nil : rise }
    set { rise = newValue.map { min($0, .max - 1) } ?? .max }
  }
  /// True when more than length and times is known.
  @inlinable var hasNumbers: Bool { moving != .max || top != .max || rise != .max }

  /// A ride.
  @inlinable public init(start: Instant, end: Instant, distanceMetres: UInt32) {
    self.start = start
    self.end = end
    self.distanceMetres = distanceMetres
  }
}

/// What the tracker reports to its owner, before it is put into a server's format.
@frozen public struct Packet: Equatable, BitwiseCopyable, Sendable {
  /// Rises by one with every packet; the server acknowledges it by this number.
  public var sequence: UInt32 = 0
  /// In which life of the tracker it was made, from 1; a packet that comes twice has the same life and number. 0 when that was
  /// not noted.
  public var boot: UInt32 = 0
  /// When it was made, on the monotonic clock.
  public var time: Instant
  /// The same in UTC; nil while no receiver has provided the time.
  public var utc: UTCTime?
  /// What it reports.
  public var kind: PacketKind
  /// What the vehicle is doing.
  public var phase: MotionPhase
  /// Whether movement would raise an alert.
  public var isArmed: Bool
  // From here on in the order that leaves no holes: an outbox has many packets.
  /// Number of the request that a status answers.
  @usableFromInline var request: UInt32 = 0
  /// The last good position; nil when there never was one.
  public var position: PacketPosition?
  /// True when the position is too old to be where the vehicle is.
  public var isStale = false
  /// True when the owner wants no positions sent.
  public var isPrivate = false
  /// True when the tracker is disabled: it raises no alerts.
  public var isDisabled = false
  /// Whether the owner is near; nil while that was never reported.
  public var isOwnerNear: Bool?
  /// Of a status all but its number.
  @usableFromInline var answer: Answer?
  /// Which of the two angles are known, and in the next bit `isToldWhenMade`.
  @usableFromInline var knownAngles: UInt8 = 0
  @usableFromInline var roll: Int16 = 0
  @usableFromInline var pitch: Int16 = 0
  /// What the tracker lives on; nil when that is not known.
  public var supply: Supply?
  /// Small numbers about the rest: reception, temperature, fences it is in.
  public var readings = PacketReadings()
  /// Only in `movement` packets, and in a `status` about an alert that is held back.
  public var alert: PacketAlert?
  /// Distance travelled since the tracker was switched on, m.
  public var distanceMetres: UInt32 = 0
  /// Ride, value and rule stand in one place, as no packet has two of them.
  @usableFromInline var own = Own.none

  /// A packet with what every packet has.
  @inlinable public init(kind: PacketKind, time: Instant, utc: UTCTime?, phase: MotionPhase, isArmed: Bool) {
    self.kind = kind
    self.time = time
    self.utc = utc
    self.phase = phase
    self.isArmed = isArmed
  }

  /// Lean to the right in tenths of a degree; nil while the attitude is unknown.
  @inlinable public var rollDecidegrees: Int16? {
    get { knownAngles & 1 != 0 ? roll : nil }
    set {
      roll = newValue ?? 0
      if newValue != nil { knownAngles |= 1 } else { knownAngles &= ~1 }
    }
  }

  /// Nose down in tenths of a degree; nil while the attitude is unknown.
  @inlinable public var pitchDecidegrees: Int16? {
    get { knownAngles & 2 != 0 ? pitch : nil }
    set {
      pitch = newValue ?? 0
      if newValue != nil { knownAngles |= 2 } else { knownAngles &= ~2 }
    }
  }

  /// True when its position was old when it was made, and is no point of a path: forms with one time tell when it was made.
  @inlinable package var isToldWhenMade: Bool {
    get { knownAngles & 4 != 0 }
    set { if newValue { knownAngles |= 4 } else { knownAngles &= ~4 } }
  }

  /// The cell of the mobile network that serves it; nil when unknown.
  ///
  /// A reading of 64 bits: of country and network 20, of the area 16, of the cell 28.
  @inlinable public var cell: NetworkCell? {
    @inline(__always) get { servingCell }
    set {
      readings[.cell] = newValue.map {
        let maker = UInt64(min($0.country, 999)) * 1000 + UInt64(min($0.network, 999))
        return Int64(bitPattern: maker << 44 | UInt64($0.area) << 28 | UInt64(min($0.cell, NetworkCell.highest)))
      }
    }
  }

  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable var servingCell: NetworkCell? {
    guard let packed = readings[.cell].map({ UInt64(bitPattern: $0) }) else { return nil }
    let maker = packed >> 44
    return NetworkCell(
      country: UInt16(truncatingIfNeeded: maker / 1000), network: UInt16(truncatingIfNeeded: maker % 1000),
      area: UInt16(truncatingIfNeeded: packed >> 28), cell: UInt32(truncatingIfNeeded: packed) & NetworkCell.highest)
  }

  @usableFromInline @frozen struct Answer: Equatable, BitwiseCopyable, Sendable {
    @usableFromInline var reason: StatusReason
    @usableFromInline var alertsEnabled: Bool
  }

  /// Only in `status` packets.
  public var status: PacketStatus? {
    get { answer.map { PacketStatus(reason: $0.reason, alertsEnabled: $0.alertsEnabled, request: request) } }
    set {
      answer = newValue.map { Answer(reason: $0.reason, alertsEnabled: $0.alertsEnabled) }
      request = newValue?.request ?? 0
    }
  }

  @usableFromInline @frozen enum Own: Equatable, BitwiseCopyable, Sendable {
    case none
    case ride(PacketRide)
    case value(PacketText)
    case rule(PacketRule)
  }

  /// Only in `ride` packets, and in a `status` that answers with a ride.
  public var ride: PacketRide? {
    get {
      if case .ride(let ride) = own { return ride }
      return nil
    }
    set {
      if let newValue { own = .ride(newValue) } else if ride != nil { own = .none }
    }
  }

  /// What of the ride was carried and not ridden, m, and is no part of its length: by ferry, by train, on a rack. Only in `ride` packets,
  /// where a status has the number of its request.
  public var carriedMetres: UInt32 {
    get { kind == .ride && answer == nil ? request : 0 }
    set { if kind == .ride, answer == nil { request = newValue } }
  }

  /// Only in `status` packets that answer with one.
  public var value: PacketText? {
    get {
      if case .value(let value) = own { return value }
      return nil
    }
    set {
      if let newValue { own = .value(newValue) } else if value != nil { own = .none }
    }
  }

  /// Only in `fence` and `transition` packets, and in a `status` about an alarm or a place.
  public var rule: PacketRule? {
    get {
      if case .rule(let rule) = own { return rule }
      return nil
    }
    set {
      if let newValue { own = .rule(newValue) } else if rule != nil { own = .none }
    }
  }

  /// Takes the position out: the owner wants none sent.
  public mutating func withholdPosition() {
    position = nil
    // A fence and a cell are a place, too.
    readings[.dilution] = nil
    readings[.fences] = nil
    cell = nil
    isStale = false
    isToldWhenMade = false
    isPrivate = true
  }

  /// How old the position was when the packet was made; zero without one.
  @inlinable public var fixAge: Interval {
    guard let position else { return .zero }
    return max(.zero, time - position.fixTime)
  }

  /// The UTC of another instant, by the packet's own pair of clocks.
  @inlinable package func utc(of instant: Instant) -> UTCTime? { utc.map { $0 + (instant - time) } }
}

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

  /// The name used in packets.
  public var name: StaticString {
    switch self {
    case .location: return "location"
    case .parking: return "parking"
    case .movement: return "movement"
    case .ride: return "ride"
    case .status: return "status"
    }
  }

  /// Which packets go first, and which may not be given up.
  public var priority: PacketPriority {
    switch self {
    case .movement: return .alert
    case .parking, .status: return .notice
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

/// A position as packets carry it: scaled integers, so that every target prints the same digits.
@frozen public struct PacketPosition: Equatable, BitwiseCopyable, Sendable {
  /// Latitude in units of 1e-7 degree.
  public var latitudeE7: Int32
  /// Longitude in units of 1e-7 degree.
  public var longitudeE7: Int32
  /// Height above mean sea level in decimetres; nil when unknown.
  public var altitudeDecimetres: Int32?
  /// Accuracy radius (68 %) in decimetres, at least 1; nil when the receiver gave none.
  public var accuracyDecimetres: UInt32?
  /// Ground speed in centimetres per second; nil when unknown.
  public var speedCentimetres: UInt32?
  /// Course in hundredths of a degree; nil when unknown.
  public var courseCentidegrees: UInt16?
  /// Satellites it was made of; nil when unknown.
  public var satellites: UInt8?
  /// When the position was measured, on the monotonic clock.
  public var fixTime: Instant

  /// The packet's form of a fix; nil when it has no position.
  public init?(_ fix: GNSSFix) {
    guard fix.hasPosition, let position = fix.position else { return nil }
    latitudeE7 = Int32(clamping: roundedQuotient(position.latitudeE9, 100))
    longitudeE7 = Int32(clamping: roundedQuotient(position.longitudeE9, 100))
    altitudeDecimetres = finite(fix.heightAboveSeaLevel).map { Int32(clamping: Elementary.roundedInteger($0 * 10)) }
    accuracyDecimetres = finite(fix.horizontalAccuracy).map {
      UInt32(clamping: max(1, Elementary.roundedInteger($0 * 10)))
    }
    speedCentimetres = finite(fix.speed).map { UInt32(clamping: Elementary.roundedInteger($0 * 100)) }
    courseCentidegrees = finite(fix.course).map {
      let rest = Elementary.roundedInteger($0 * (18_000 / Double.pi)) % 36_000
      return UInt16(clamping: rest < 0 ? rest + 36_000 : rest)
    }
    satellites = fix.satellitesUsed
    fixTime = fix.time
  }
}

/// What a `movement` packet adds: which alert, and the numbers that caused it.
@frozen public struct PacketAlert: Equatable, BitwiseCopyable, Sendable {
  /// Number of the alert, rising by one, to acknowledge or dismiss it by.
  public var id: UInt32
  /// How many times it has been told again, 0 the first time.
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

/// What a `ride` packet adds.
@frozen public struct PacketRide: Equatable, BitwiseCopyable, Sendable {
  /// When the ride really began.
  public var start: Instant
  /// When it really ended.
  public var end: Instant
  /// Length in metres.
  public var distanceMetres: UInt32

  /// A ride.
  @inlinable public init(start: Instant, end: Instant, distanceMetres: UInt32) {
    self.start = start
    self.end = end
    self.distanceMetres = distanceMetres
  }
}

/// Why a `status` packet was sent.
@frozen public enum StatusReason: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The owner switched alerts on.
  case alertsOn
  /// The owner switched alerts off.
  case alertsOff
  /// The owner said that an alert was their own doing.
  case dismissed
  /// The owner dismissed an alert that is not the present one.
  case unknownAlert
  /// After a restart a part of what had been kept was lost; the event `stateDamaged` says which.
  case stateDamaged
  /// The owner has changed settings.
  case settingsChanged
  /// The owner wanted settings that can't be; none was changed.
  case settingsRefused
  /// A numbered request that was obeyed before: it was not obeyed again.
  case repeated
  /// The position is on its way, in a packet of its own.
  case located
  /// Positions follow at the interval that was asked for.
  case tracking
  /// An answer to `ping`.
  case pong
  /// An answer to `info`: how many requests were refused is its value.
  case info
  /// An answer to `status`.
  case asked
  /// An answer to `get`: the setting is its value.
  case setting
  /// The vehicle was found: the alarm or the theft is over.
  case found
  /// There is no alarm that could be over.
  case nothingToFind
  /// Armed at once where it is parked, and as always elsewhere.
  case armed
  /// Not armed until the next parking.
  case disarmed
  /// The buzzer sounds.
  case sounding
  /// Positions are withheld.
  case privacyOn
  /// Positions are told.
  case privacyOff
  /// It is about to start anew.
  case rebooting
  /// It has started anew, as it was asked to.
  case rebooted
  /// Settings have their former values again, as nobody was reached with the new ones.
  case settingsTakenBack
  /// The tracker is enabled: alerts come as `alerts` and `disarm` have it.
  case enabled
  /// The tracker is disabled: positions come, alerts never.
  case disabled
  /// The tracker has an owner.
  case claimed
  /// The tracker has no owner.
  case unclaimed
  /// A parked vehicle moves while its owner is near: the alert of that number is held back.
  case pending
  /// What was held back was the owner's own doing, or came to nothing.
  case withdrawn
  /// The owner has said to be near.
  case near
  /// The owner has said to be away.
  case away
  /// The vehicle was touched while it is armed, and nothing came of it yet.
  case touched

  /// The name used in packets.
  public var name: StaticString {
    switch self {
    case .alertsOn: return "alertsOn"
    case .alertsOff: return "alertsOff"
    case .dismissed: return "dismissed"
    case .unknownAlert: return "unknownAlert"
    case .stateDamaged: return "stateDamaged"
    case .settingsChanged: return "settingsChanged"
    case .settingsRefused: return "settingsRefused"
    case .repeated: return "repeated"
    case .located: return "located"
    case .tracking: return "tracking"
    case .pong: return "pong"
    case .info: return "info"
    case .asked: return "asked"
    case .setting: return "setting"
    case .found: return "found"
    case .nothingToFind: return "nothingToFind"
    case .armed: return "armed"
    case .disarmed: return "disarmed"
    case .sounding: return "sounding"
    case .privacyOn: return "privacyOn"
    case .privacyOff: return "privacyOff"
    case .rebooting: return "rebooting"
    case .rebooted: return "rebooted"
    case .settingsTakenBack: return "settingsTakenBack"
    case .enabled: return "enabled"
    case .disabled: return "disabled"
    case .claimed: return "claimed"
    case .unclaimed: return "unclaimed"
    case .pending: return "pending"
    case .withdrawn: return "withdrawn"
    case .near: return "near"
    case .away: return "away"
    case .touched: return "touched"
    }
  }
}

/// What a `status` packet adds.
@frozen public struct PacketStatus: Equatable, BitwiseCopyable, Sendable {
  /// Why it was sent.
  public var reason: StatusReason
  /// Whether alerts are on; `isArmed` also asks whether the vehicle is parked.
  public var alertsEnabled: Bool
  /// The number of the request that it answers; 0 when it had none.
  public var request: UInt32

  /// A status.
  @inlinable public init(reason: StatusReason, alertsEnabled: Bool, request: UInt32 = 0) {
    self.reason = reason
    self.alertsEnabled = alertsEnabled
    self.request = request
  }
}

/// A short text in a packet: the value that was asked for.
@frozen public struct PacketText: Equatable, BitwiseCopyable, Sendable {
  /// The most bytes; more are left out.
  public static var capacity: Int { 19 }

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt16 = 0
  private var fourth: UInt8 = 0
  /// How many there are.
  public private(set) var count: UInt8 = 0

  /// No text.
  @inlinable init() {}

  /// Takes a text, or its beginning.
  public init(_ text: Span<UInt8>) {
    self.init()
    var place = 0
    while place < text.count, place < PacketText.capacity {
      append(text[place])
      place += 1
    }
  }

  private mutating func append(_ byte: UInt8) {
    switch count {
    case 0..<8: first |= UInt64(byte) << UInt64(count * 8)
    case 8..<16: second |= UInt64(byte) << UInt64((count - 8) * 8)
    case 16..<18: third |= UInt16(byte) << UInt16((count - 16) * 8)
    default: fourth = byte
    }
    count += 1
  }

  /// A byte, 0 to `count` - 1.
  public subscript(place: Int) -> UInt8 {
    switch place {
    case 0..<8: return UInt8(truncatingIfNeeded: first >> UInt64(place * 8))
    case 8..<16: return UInt8(truncatingIfNeeded: second >> UInt64((place - 8) * 8))
    case 16..<18: return UInt8(truncatingIfNeeded: third >> UInt16((place - 16) * 8))
    default: return fourth
    }
  }

  /// Its bytes.
  var bytes: InlineBytes<20> {
    var result = InlineBytes<20>()
    var place = 0
    while place < Int(count) {
      result.append(self[place])
      place += 1
    }
    return result
  }
}

/// What the tracker tells its owner, before it is put into a server's format.
@frozen public struct Packet: Equatable, BitwiseCopyable, Sendable {
  /// Rises by one with every packet; the server acknowledges it by this number.
  public var sequence: UInt32 = 0
  /// In which life of the tracker it was made, from 1; a packet that comes twice has the same life and number. 0 when that was
  /// not noted.
  public var boot: UInt32 = 0
  /// When it was made, on the monotonic clock.
  public var time: Instant
  /// The same in UTC; nil while no receiver has told the time.
  public var utc: UTCTime?
  /// What it reports.
  public var kind: PacketKind
  /// What the vehicle is doing.
  public var phase: MotionPhase
  /// Whether movement would raise an alert.
  public var isArmed: Bool
  /// Number of the request that a status answers; here, where there is a hole before the position.
  @usableFromInline var request: UInt32 = 0
  /// The last good position; nil when there never was one.
  public var position: PacketPosition?
  /// True when the position is too old to be where the vehicle is.
  public var isStale = false
  /// True when the owner wants no positions told.
  public var isPrivate = false
  /// True when the tracker is disabled: it raises no alerts.
  public var isDisabled = false
  /// Whether the owner is near; nil when nothing has ever told.
  public var isOwnerNear: Bool?
  /// Distance travelled since the tracker was switched on, m.
  public var distanceMetres: UInt32 = 0
  /// Lean to the right in tenths of a degree; nil while the attitude is unknown.
  public var rollDecidegrees: Int16?
  /// Nose down in tenths of a degree; nil while the attitude is unknown.
  public var pitchDecidegrees: Int16?
  /// What the tracker lives on; nil when that is not known.
  public var supply: Supply?
  /// Only in `movement` packets, and in a `status` that tells of an alert that is held back.
  public var alert: PacketAlert?
  /// Ride and value stand in one place, as no packet has both and the outbox has many.
  @usableFromInline var own = Own.none
  /// Of a status all but its number.
  @usableFromInline var answer: Answer?

  /// A packet with what every packet has.
  @inlinable public init(kind: PacketKind, time: Instant, utc: UTCTime?, phase: MotionPhase, isArmed: Bool) {
    self.kind = kind
    self.time = time
    self.utc = utc
    self.phase = phase
    self.isArmed = isArmed
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
  }

  /// Only in `ride` packets.
  public var ride: PacketRide? {
    get {
      if case .ride(let ride) = own { return ride }
      return nil
    }
    set {
      if let newValue { own = .ride(newValue) } else if ride != nil { own = .none }
    }
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

  /// Takes the position out: the owner wants none told.
  public mutating func withholdPosition() {
    position = nil
    isStale = false
    isPrivate = true
  }

  /// How old the position was when the packet was made; zero without one.
  public var fixAge: Interval {
    guard let position else { return .zero }
    return max(.zero, time - position.fixTime)
  }

  /// The UTC of another instant, by the packet's own pair of clocks.
  func utc(of instant: Instant) -> UTCTime? { utc.map { $0 + (instant - time) } }
}

/// The number, unless it is NaN or infinite: such a value is not known.
private func finite(_ value: Double?) -> Double? {
  guard let value, value.isFinite else { return nil }
  return value
}

/// Quotient rounded to the nearest integer, halves away from zero.
func roundedQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
  let half = divisor / 2
  return value < 0 ? (value - half) / divisor : (value + half) / divisor
}

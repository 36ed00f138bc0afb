/// What the tracker lives on, as far as it is known.
@frozen public struct Supply: Equatable, BitwiseCopyable, Sendable {
  // Which is known has a bit, as an optional takes a byte each, in every packet: charge 1, voltage 2, charging 4, external 16. A flag
  // that is set has the bit above as well.
  @usableFromInline var voltage: UInt16 = 0
  @usableFromInline var level: UInt8 = 0
  @usableFromInline var known: UInt8 = 0

  /// A supply; what is not given is unknown.
  @inlinable public init(
    charge: UInt8? = nil, millivolts: UInt16? = nil, isCharging: Bool? = nil, isExternal: Bool? = nil
  ) {
    self.charge = charge
    self.millivolts = millivolts
    self.isCharging = isCharging
    self.isExternal = isExternal
  }

  /// Charge of the battery, 0 to 100 percent.
  @inlinable public var charge: UInt8? {
    get { known & 1 != 0 ? level : nil }
    set {
      level = newValue ?? 0
      known = known & ~1 | (newValue != nil ? 1 : 0)
    }
  }

  /// Voltage of the battery, mV.
  @inlinable public var millivolts: UInt16? {
    get { known & 2 != 0 ? voltage : nil }
    set {
      voltage = newValue ?? 0
      known = known & ~2 | (newValue != nil ? 2 : 0)
    }
  }

  /// Whether the battery is being charged.
  @inlinable public var isCharging: Bool? {
    get { known & 4 != 0 ? known & 8 != 0 : nil }
    set { known = known & ~0x0C | (newValue.map { $0 ? 0x0C : 0x04 } ?? 0) }
  }

  /// Whether there is power from outside.
  @inlinable public var isExternal: Bool? {
    get { known & 0x10 != 0 ? known & 0x20 != 0 : nil }
    set { known = known & ~0x30 | (newValue.map { $0 ? 0x30 : 0x10 } ?? 0) }
  }

  /// True when nothing is known.
  public var isEmpty: Bool { known == 0 }
}

/// A reading of the power supply.
@frozen public struct SupplyReading: ReadingContent {
  /// When it was read, on the monotonic clock.
  public var time: Instant
  /// What it showed.
  public var supply: Supply

  /// A reading.
  @inlinable public init(time: Instant, _ supply: Supply) {
    self.time = time
    self.supply = supply
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "supply" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    switch place {
    case 0: return ReadingField("battery", .fixed(decimals: 0))
    case 1: return ReadingField("batteryVoltage", .fixed(decimals: 3))
    case 2: return ReadingField("charging", .flag)
    case 3: return ReadingField("externalPower", .flag)
    default: return nil
    }
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? {
    switch place {
    case 0: return supply.charge.map { Int64($0) }
    case 1: return supply.millivolts.map { Int64($0) }
    case 2: return supply.isCharging.map { $0 ? 1 : 0 }
    case 3: return supply.isExternal.map { $0 ? 1 : 0 }
    default: return nil
    }
  }

  /// A reading of numbers; nil when one of them is out of its range.
  public init?(time: Instant, number: (Int) -> Int64?) {
    var supply = Supply()
    if let charge = number(0) {
      guard charge >= 0, charge <= 100 else { return nil }
      supply.charge = UInt8(truncatingIfNeeded: charge)
    }
    if let millivolts = number(1) {
      guard let value = UInt16(exactly: millivolts) else { return nil }
      supply.millivolts = value
    }
    if let flag = number(2) {
      guard flag == 0 || flag == 1 else { return nil }
      supply.isCharging = flag == 1
    }
    if let flag = number(3) {
      guard flag == 0 || flag == 1 else { return nil }
      supply.isExternal = flag == 1
    }
    self.init(time: time, supply)
  }
}

/// A reading of a slow sensor: rare, dated, and made of a few whole numbers, each of which may be unknown.
///
/// Logs, recordings and sources of readings know one by its kind, its numbers and their names alone. A new kind is a case here, a
/// `ReadingContent` beside, and what `Tracker.process(_:)` makes of it.
@frozen public enum Reading: Equatable, BitwiseCopyable, Sendable {
  /// The power supply.
  case supply(SupplyReading)
  /// Switches at the vehicle.
  case contacts(ContactReading)
  /// Whether the owner is near.
  case presence(PresenceReading)
  /// The mobile network.
  case network(NetworkReading)
  /// A thermometer.
  case temperature(TemperatureReading)
  /// A barometer.
  case pressure(PressureReading)
  /// The sensor of a wheel.
  case wheel(WheelReading)

  /// The reading of a kind that a log names by number.
  ///
  /// - Parameters:
  ///   - kind: As `kind` gave it.
  ///   - time: When it was read.
  ///   - number: The number at a place; nil when it is unknown.
  /// - Returns: nil when there is no such kind, or a number is out of its range.
  public init?(kind: UInt8, time: Instant, number: (Int) -> Int64?) {
    switch kind {
    case 1:
      guard let reading = SupplyReading(time: time, number: number) else { return nil }
      self = .supply(reading)
    case 2:
      guard let reading = ContactReading(time: time, number: number) else { return nil }
      self = .contacts(reading)
    case 3:
      guard let reading = PresenceReading(time: time, number: number) else { return nil }
      self = .presence(reading)
    case 4:
      guard let reading = NetworkReading(time: time, number: number) else { return nil }
      self = .network(reading)
    case 5:
      guard let reading = TemperatureReading(time: time, number: number) else { return nil }
      self = .temperature(reading)
    case 6:
      guard let reading = PressureReading(time: time, number: number) else { return nil }
      self = .pressure(reading)
    case 7:
      guard let reading = WheelReading(time: time, number: number) else { return nil }
      self = .wheel(reading)
    default: return nil
    }
  }

  /// Its number in a log.
  public var kind: UInt8 {
    switch self {
    case .supply: return 1
    case .contacts: return 2
    case .presence: return 3
    case .network: return 4
    case .temperature: return 5
    case .pressure: return 6
    case .wheel: return 7
    }
  }

  /// The name of a kind in the JSON of a log; nil when there is no such kind.
  public static func name(ofKind kind: UInt8) -> StaticString? {
    switch kind {
    case 1: return SupplyReading.name
    case 2: return ContactReading.name
    case 3: return PresenceReading.name
    case 4: return NetworkReading.name
    case 5: return TemperatureReading.name
    case 6: return PressureReading.name
    case 7: return WheelReading.name
    default: return nil
    }
  }

  /// Its name in the JSON of a log.
  public var name: StaticString { Reading.name(ofKind: kind) ?? "unknown" }

  /// When it was read, on the monotonic clock.
  public var time: Instant {
    get {
      switch self {
      case .supply(let reading): return reading.time
      case .contacts(let reading): return reading.time
      case .presence(let reading): return reading.time
      case .network(let reading): return reading.time
      case .temperature(let reading): return reading.time
      case .pressure(let reading): return reading.time
      case .wheel(let reading): return reading.time
      }
    }
    set {
      switch self {
      case .supply(var reading):
        reading.time = newValue
        self = .supply(reading)
      case .contacts(var reading):
        reading.time = newValue
        self = .contacts(reading)
      case .presence(var reading):
        reading.time = newValue
        self = .presence(reading)
      case .network(var reading):
        reading.time = newValue
        self = .network(reading)
      case .temperature(var reading):
        reading.time = newValue
        self = .temperature(reading)
      case .pressure(var reading):
        reading.time = newValue
        self = .pressure(reading)
      case .wheel(var reading):
        reading.time = newValue
        self = .wheel(reading)
      }
    }
  }

  /// What the number at a place is; nil beyond the last.
  public func field(at place: Int) -> ReadingField? {
    switch self {
    case .supply: return SupplyReading.field(at: place)
    case .contacts: return ContactReading.field(at: place)
    case .presence: return PresenceReading.field(at: place)
    case .network: return NetworkReading.field(at: place)
    case .temperature: return TemperatureReading.field(at: place)
    case .pressure: return PressureReading.field(at: place)
    case .wheel: return WheelReading.field(at: place)
    }
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? {
    switch self {
    case .supply(let reading): return reading.number(at: place)
    case .contacts(let reading): return reading.number(at: place)
    case .presence(let reading): return reading.number(at: place)
    case .network(let reading): return reading.number(at: place)
    case .temperature(let reading): return reading.number(at: place)
    case .pressure(let reading): return reading.number(at: place)
    case .wheel(let reading): return reading.number(at: place)
    }
  }

  /// The most numbers a reading has.
  public static var capacity: Int { 8 }
}

/// A number of a reading.
@frozen public struct ReadingField: BitwiseCopyable, Sendable {
  /// How it is read by people.
  @frozen public enum Form: BitwiseCopyable, Sendable {
    /// In units of its last digit, with so many digits behind the point.
    case fixed(decimals: UInt8)
    /// 0 or 1.
    case flag
  }

  /// Its name in the JSON of a log.
  public var name: StaticString
  /// How it is read.
  public var form: Form

  /// A number.
  @inlinable public init(_ name: StaticString, _ form: Form) {
    self.name = name
    self.form = form
  }
}

/// A kind of reading.
public protocol ReadingContent: Equatable, BitwiseCopyable, Sendable {
  /// Its name in the JSON of a log.
  static var name: StaticString { get }
  /// What the number at a place is, `Reading.capacity` at most; nil beyond the last.
  static func field(at place: Int) -> ReadingField?
  /// When it was read, on the monotonic clock.
  var time: Instant { get set }
  /// The number at a place; nil when it is unknown.
  func number(at place: Int) -> Int64?
  /// A reading of numbers; nil when one of them is out of its range.
  init?(time: Instant, number: (Int) -> Int64?)
}

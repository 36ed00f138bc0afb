public import InertialFusion
public import InlineStorage
public import MotionDetection
public import Quantities
public import Telemetry

/// The unit of a setting's value.
@frozen public enum SettingUnit: UInt8, BitwiseCopyable, Sendable {
  /// s
  case seconds
  /// m
  case metres
  /// m/s
  case metresPerSecond
  /// m/s²
  case metresPerSecondSquared
  /// rad
  case radians
  /// rad/s
  case radiansPerSecond
  /// rad/s/√Hz
  case radiansPerSecondPerRootHertz
  /// m/s²/√Hz
  case metresPerSecondSquaredPerRootHertz

  /// As it stands behind a number.
  public var symbol: StaticString {
    switch self {
    case .seconds: return "s"
    case .metres: return "m"
    case .metresPerSecond: return "m/s"
    case .metresPerSecondSquared: return "m/s²"
    case .radians: return "rad"
    case .radiansPerSecond: return "rad/s"
    case .radiansPerSecondPerRootHertz: return "rad/s/√Hz"
    case .metresPerSecondSquaredPerRootHertz: return "m/s²/√Hz"
    }
  }
}

/// The number of a setting in its line: `.live(10)`, 10 to 137, where it may change while the tracker runs (`Request.set`), 10 where it
/// holds from the tracker's start to its end.
@usableFromInline struct SettingNumber: ExpressibleByIntegerLiteral, BitwiseCopyable, Sendable {
  @usableFromInline let id: UInt8
  @usableFromInline let isLive: Bool

  @usableFromInline init(integerLiteral id: UInt8) { (self.id, isLive) = (id, false) }
  private init(live id: UInt8) { (self.id, isLive) = (id, true) }

  static func live(_ id: UInt8) -> SettingNumber { SettingNumber(live: id) }
}

/// What there is to say about a setting, besides its kind of value.
@frozen public struct SettingEntry: BitwiseCopyable, Sendable {
  /// Its number in a kept state, for ever.
  public var id: UInt8
  /// Its name in files, requests and logs, as in `motion.armAfter`.
  public var name: StaticString
  /// What it does, in a few words without a stop.
  public var help: StaticString
  /// The unit of its value; nil when it has none.
  public var unit: SettingUnit?

  /// True when it may change while the tracker runs (`Request.set`); the others hold from its start to its end.
  public var mayChange: Bool

  @usableFromInline init(_ number: SettingNumber, _ name: StaticString, _ help: StaticString, _ unit: SettingUnit?) {
    id = number.id
    mayChange = number.isLive
    self.name = name
    self.help = help
    self.unit = unit
  }
}

/// One word of a few, as a value of a setting.
public protocol SettingWord: CaseIterable, RawRepresentable, Equatable, BitwiseCopyable, Sendable
where RawValue == UInt8 {
  /// The word.
  var name: StaticString { get }
}

extension PacketFormat: SettingWord {}
extension Sensitivity: SettingWord {}

/// A list of words out of a few, as a value of a setting.
public protocol WordSet: OptionSet, BitwiseCopyable, Sendable where RawValue == UInt8 {
  /// The word of a bit, 0 to 7; nil beyond the last.
  static func word(at place: Int) -> StaticString?
}

/// Goes through the settings of a configuration, one after another, and may change them.
///
/// A new kind of value is a method here; a new setting is a line in `TrackerConfiguration.visitSettings(_:)`.
public protocol SettingVisitor {
  /// A time, with its range in microseconds.
  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>)
  /// A number.
  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>)
  /// A whole number.
  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>)
  /// Yes or no.
  mutating func visit(_ entry: SettingEntry, _ value: inout Bool)
  /// Three numbers.
  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3)
  /// Text.
  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>)
  /// One word of a few.
  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word)
  /// How the sensor is mounted.
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting)
  /// A list of words.
  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words)
  /// A list of whole numbers, each in the range.
  mutating func visit(_ entry: SettingEntry, _ value: inout NumberList, _ range: ClosedRange<Int>)
  /// Who wants which packets.
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList)
  /// A date, or none.
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?)
}

// What keeps a line of the list short.
extension SettingVisitor {
  @inline(__always) mutating func seconds(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Interval, _ help: StaticString, from least: Double = 0,
    to most: Double = 604_800
  ) {
    visit(SettingEntry(id, name, help, .seconds), &value, Int64(least * 1e6 + 0.5)...Int64(most * 1e6 + 0.5))
  }

  @inline(__always) mutating func number(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Float, _ help: StaticString, _ unit: SettingUnit,
    _ range: ClosedRange<Float>
  ) { visit(SettingEntry(id, name, help, unit), &value, range) }

  @inline(__always) mutating func number(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Float, _ help: StaticString, _ range: ClosedRange<Float>
  ) { visit(SettingEntry(id, name, help, nil), &value, range) }

  @inline(__always) mutating func whole(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Int, _ help: StaticString, _ range: ClosedRange<Int>
  ) { visit(SettingEntry(id, name, help, nil), &value, range) }

  @inline(__always) mutating func whole(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Int32, _ help: StaticString, _ range: ClosedRange<Int>
  ) {
    var number = Int(value)
    visit(SettingEntry(id, name, help, nil), &number, range)
    value = Int32(truncatingIfNeeded: number)
  }

  @inline(__always) mutating func whole(
    _ id: SettingNumber, _ name: StaticString, _ value: inout UInt8, _ help: StaticString, _ range: ClosedRange<Int>
  ) {
    var number = Int(value)
    visit(SettingEntry(id, name, help, nil), &number, range)
    value = UInt8(truncatingIfNeeded: number)
  }

  @inline(__always) mutating func vector(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Vector3, _ help: StaticString, _ unit: SettingUnit? = nil
  ) { visit(SettingEntry(id, name, help, unit), &value) }

  @inline(__always) mutating func flag(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Bool, _ help: StaticString
  ) { visit(SettingEntry(id, name, help, nil), &value) }

  @inline(__always) mutating func numbers(
    _ id: SettingNumber, _ name: StaticString, _ value: inout NumberList, _ help: StaticString,
    _ range: ClosedRange<Int>
  ) { visit(SettingEntry(id, name, help, nil), &value, range) }

  @inline(__always) mutating func words<Words: WordSet>(
    _ id: SettingNumber, _ name: StaticString, _ value: inout Words, _ help: StaticString
  ) { visit(SettingEntry(id, name, help, nil), &value) }
}

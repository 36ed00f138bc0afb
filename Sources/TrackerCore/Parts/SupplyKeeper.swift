public import Quantities
import Telemetry

/// How long readings of slow sensors hold.
@frozen public struct ReadingParameters: Equatable, BitwiseCopyable, Sendable {
  /// Age beyond which a reading of the power supply, the mobile network or the temperature is not reported any more. Default 3600 s.
  public var lifetime: Interval = .seconds(3600)
  /// How long readings must show that power from outside has gone or is back before that is an event. Default 0: at once; long: what a
  /// dynamo does at each stop is not reported, nor is a plug that is pulled for a shorter time.
  public var powerDelay: Interval = .zero
  /// Charges at which the battery is told to be low, once as it goes down, percent. Default 20 and 10: large or many, it is told while it
  /// still lasts for days; none, never.
  public var batteryLevels = NumberList(20, 10)
  /// The defaults.
  @inlinable public init() {}
}

/// How far a battery is spared: alerts, and answers to requests, come as ever.
enum Thrift: UInt8, Comparable, BitwiseCopyable, Sendable {
  /// Not at all.
  case none
  /// Half of the reports.
  case half
  /// A quarter of them; `live` ends, and a receiver that can sleeps while the vehicle is parked.
  case quarter
  /// A last position, and no more reports.
  case last

  static func < (a: Thrift, b: Thrift) -> Bool { a.rawValue < b.rawValue }

  /// The time between two reports.
  func slowed(_ interval: Interval) -> Interval {
    Interval(microseconds: interval.microseconds << Int64(min(rawValue, 2)))
  }
}

/// What the tracker lives on.
struct SupplyKeeper: TrackerPart {
  /// The last reading of the power supply.
  private(set) var last: SupplyReading?
  /// Whether there is power from outside, as the owner knows it; nil before the first reading that tells in this life.
  private var isExternal: Bool?
  /// The level at or below which the battery was told last; more than any while it is above all.
  private var toldLevel = UInt8.max
  /// Whether readings say otherwise, and since when.
  private var isOtherwise = false
  private var otherwiseSince = Instant(microseconds: 0)
  private var parameters: ReadingParameters
  /// What packets are to say, a bit for each; bits 4 and 5 how far it spares its battery; bit 7 once the last position was asked for, until
  /// the battery is charged again. In one byte, as the tracker has none to spare.
  private var notices: UInt8 = 0
  /// What packets have said of power from outside, nil before the first reading that tells, and in which minute.
  private var isToldExternal: Bool?
  private var toldMinute: UInt16 = 0

  init(_ configuration: TrackerConfiguration) { parameters = configuration.readings }

  /// How far it spares its battery.
  private(set) var thrift: Thrift {
    get { Thrift(rawValue: notices >> 4 & 3) ?? .none }
    set { notices = notices & 0xCF | newValue.rawValue << 4 }
  }

  mutating func configure(_ configuration: TrackerConfiguration) { parameters = configuration.readings }

  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    guard case .supply(let reading) = reading, last.map({ $0.time <= reading.time }) ?? true else { return }
    last = reading
    takeCharge(reading.supply, &journal)
    if let shown = reading.supply.isExternal { takePower(shown, at: reading.time, &journal) }
  }

  private mutating func takePower(_ shown: Bool, at time: Instant, _ journal: inout TrackerJournal) {
    if let isExternal, shown != isExternal {
      if !isOtherwise { otherwiseSince = time }
      isOtherwise = true
      guard time - otherwiseSince >= parameters.powerDelay else { return }
      journal.emit(shown ? .powerRestored : .powerLost, at: journal.now)
    }
    isExternal = shown
    isOtherwise = false
    // A plug that is loose does not flood: what it is when the pause is over is told then.
    let minute = UInt16(truncatingIfNeeded: time.microseconds / 60_000_000)
    if isToldExternal == nil {
      isToldExternal = shown
      toldMinute = minute &- SupplyKeeper.noticePause
    }
    guard shown != isToldExternal, minute &- toldMinute >= SupplyKeeper.noticePause else { return }
    isToldExternal = shown
    toldMinute = minute
    notices |= shown ? 4 : 2
  }

  /// From a packet about power from outside to the next, in minutes by their beginnings: 5 whole ones at least.
  private static var noticePause: UInt16 { 6 }

  /// How far it must be charged above a level before that is told again, percent: what a cold night takes comes back by itself.
  private static var recovery: UInt8 { 5 }

  private mutating func takeCharge(_ supply: Supply, _ journal: inout TrackerJournal) {
    guard let charge = supply.charge else { return }
    // Levels below this one are forgotten, so that they are told again.
    let recovered = parameters.batteryLevels.smallest(from: charge - min(charge, SupplyKeeper.recovery - 1)) ?? .max
    toldLevel = max(toldLevel, recovered)
    let level = parameters.batteryLevels.smallest(from: charge) ?? .max
    guard level < toldLevel, supply.isCharging != true else { return }
    toldLevel = level
    notices |= 1
    journal.emit(.batteryLow(charge: charge), at: journal.now)
  }

  /// Spares the battery as far as its last charge asks for. Once it saves, it goes back to a lower step only with some more charge.
  ///
  /// - Parameter level: Charge from which on it saves, percent; 0: never.
  mutating func spare(from level: UInt8) {
    guard let supply = last?.supply, let charge = supply.charge else { return }
    func step(_ charge: UInt8) -> Thrift {
      if level == 0 || charge > level { return .none }
      if charge > level / 2 { return .half }
      return charge > level / 4 ? .quarter : .last
    }
    // Charged that far, it tells its last position again when it is empty again.
    if charge >= level / 4 + SupplyKeeper.recovery { notices &= 127 }
    thrift = max(step(charge), min(thrift, step(charge - min(SupplyKeeper.recovery - 1, charge))))
    if supply.isCharging == true || supply.isExternal == true { thrift = .none }
  }

  /// True when the last position is to be told: once, until the battery is charged above the step before, with some more charge.
  mutating func takeLast() -> Bool {
    guard thrift == .last, notices & 128 == 0 else { return false }
    notices |= 128
    return true
  }

  /// What a packet is to say, which counts as told then; nil for nothing more.
  mutating func nextNotice() -> StatusReason? {
    let waiting = notices & 7
    let bit = waiting & (~waiting &+ 1)
    notices &= ~bit
    switch bit {
    case 1: return .batteryLow
    case 2: return .powerLost
    case 4: return .powerRestored
    default: return nil
    }
  }

  func describe(in packet: inout Packet) {
    if let last, packet.time - last.time <= parameters.lifetime, !last.supply.isEmpty { packet.supply = last.supply }
  }
}

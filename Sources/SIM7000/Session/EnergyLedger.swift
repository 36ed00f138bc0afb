public import Quantities

/// What the modem draws its current for.
@frozen public enum ModemLoad: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Switched off.
  case off
  /// Power saving mode.
  case powerSaving
  /// Slow clock.
  case asleep
  /// Starting, or on with its radio off.
  case starting
  /// Looking for a network.
  case searching
  /// Registered, nothing to send.
  case idle
  /// Data on its way.
  case transmitting

  /// The name used in logs.
  public var name: StaticString {
    switch self {
    case .off: return "off"
    case .powerSaving: return "powerSaving"
    case .asleep: return "asleep"
    case .starting: return "starting"
    case .searching: return "searching"
    case .idle: return "idle"
    case .transmitting: return "transmitting"
    }
  }
}

/// Currents of the loads, µA, at 3.8 V.
///
/// - Source: [sim7000hd] table of currents: off 7, PSM 9, LTE sleep at DRX 2.56 s 1,200, LTE idle 11,000, Cat-M1 at 10 dBm
///   109,000 to 117,000, GSM 345,000 and more, GNSS 30,000. Starting and searching are not given there; they are taken as
///   the receiver at work (our assumption, to be replaced by a measurement of the board).
@frozen public struct ModemCurrents: Equatable, BitwiseCopyable, Sendable {
  /// Switched off. Default 7.
  public var offMicroamperes: Int32 = 7
  /// Power saving mode. Default 9.
  public var powerSavingMicroamperes: Int32 = 9
  /// Slow clock. Default 1,200.
  public var asleepMicroamperes: Int32 = 1200
  /// Starting. Default 40,000.
  public var startingMicroamperes: Int32 = 40_000
  /// Searching. Default 60,000.
  public var searchingMicroamperes: Int32 = 60_000
  /// Idle. Default 11,000.
  public var idleMicroamperes: Int32 = 11_000
  /// Transmitting. Default 115,000, Cat-M1; 345,000 with GSM.
  public var transmittingMicroamperes: Int32 = 115_000
  /// Satellite reception, in addition. Default 30,000.
  public var gnssMicroamperes: Int32 = 30_000

  /// The defaults.
  @inlinable public init() {}

  func current(of load: ModemLoad) -> Int32 {
    switch load {
    case .off: return offMicroamperes
    case .powerSaving: return powerSavingMicroamperes
    case .asleep: return asleepMicroamperes
    case .starting: return startingMicroamperes
    case .searching: return searchingMicroamperes
    case .idle: return idleMicroamperes
    case .transmitting: return transmittingMicroamperes
    }
  }
}

/// Time and charge per load since the driver was made: what a packet cost is the difference of two readings.
@frozen public struct EnergyLedger: BitwiseCopyable, Sendable {
  /// Currents.
  public let currents: ModemCurrents
  /// Time spent in each load, by raw value, µs.
  public internal(set) var microseconds: InlineArray<7, Int64>
  /// Charge taken by satellite reception, µC.
  public var gnssMicrocoulombs: Int64 { gnssMicroseconds &* Int64(currents.gnssMicroamperes) / 1_000_000 }
  /// Time of satellite reception, µs.
  public internal(set) var gnssMicroseconds: Int64
  var chargePicocoulombs: Int64
  /// Charge of all loads together up to the last change, µC (3,600,000 µC are 1 mAh).
  public internal(set) var microcoulombs: Int64
  var load: ModemLoad
  var hasGNSS: Bool
  var since: Instant

  /// An empty ledger.
  public init(currents: ModemCurrents = ModemCurrents(), at now: Instant = .zero) {
    self.currents = currents
    microseconds = InlineArray(repeating: 0)
    gnssMicroseconds = 0
    chargePicocoulombs = 0
    microcoulombs = 0
    load = .off
    hasGNSS = false
    since = now
  }

  /// Time in a load.
  public func time(in load: ModemLoad) -> Interval { Interval(microseconds: microseconds[Int(load.rawValue)]) }

  /// Charge taken by a load, µC, without satellite reception.
  package func microcoulombs(in load: ModemLoad) -> Int64 {
    // Whole seconds and the rest, so that no product of a year at 2 A is beyond 64 bits.
    let (seconds, rest) = microseconds[Int(load.rawValue)].quotientAndRemainder(dividingBy: 1_000_000)
    let current = Int64(currents.current(of: load))
    return seconds &* current &+ rest &* current / 1_000_000
  }

  /// Books the time since the last call, then goes on with another load.
  mutating func book(_ next: ModemLoad, hasGNSS nextGNSS: Bool, at now: Instant) {
    let elapsed = (now - since).microseconds
    if elapsed > 0 {
      microseconds[Int(load.rawValue)] &+= elapsed
      // µA × µs = pC; a day at 2 A is 1.7e17, far below the limit of 64 bits.
      chargePicocoulombs &+= Int64(currents.current(of: load)) &* elapsed
      if hasGNSS {
        chargePicocoulombs &+= Int64(currents.gnssMicroamperes) &* elapsed
        gnssMicroseconds &+= elapsed
      }
      microcoulombs &+= chargePicocoulombs / 1_000_000
      chargePicocoulombs %= 1_000_000
      since = now
    }
    load = next
    hasGNSS = nextGNSS
  }
}

import Quantities

/// What a part of a tracker draws its charge for, beside the modem, whose own ledger has its loads.
package enum EnergyCause: String, CaseIterable, Sendable {
  /// The receiver while it is on.
  case receiver
  /// The receiver for a single fix.
  case singleFix
  /// The receiver's memory and clock while it is off.
  case receiverOff
  /// The inertial sensor with its gyroscope.
  case inertial
  /// Its accelerometer alone, while it watches.
  case watching
  /// The processor at work, by samples, fixes and packets.
  case processor
  /// The processor between them.
  case processorAsleep
  /// What the battery loses by itself.
  case selfDischarge
}

/// Currents and times that a ledger of energy goes by, at the battery.
///
/// - Source: states of parts by their data sheets: [bmi270] 0.69 mA with its gyroscope and 10 µA for the accelerometer alone; [mpu6050-ps]
///   3.8 mA and 10 µA; a receiver of its own as [sim7000hd] has it, 30 mA; a microcontroller 2 to 10 µA asleep and 3 to 10 mA at
///   64 MHz. Times of the processor: 2,600 to 4,900 instructions a sample (docs/motion.md) and as much for being woken; of fixes and packets, and
///   what is kept of a battery, our choice.
package struct LifeCurrents: Equatable, Sendable {
  /// Receiver, on, µA.
  package var receiver = 30_000.0
  /// Receiver, off, with its memory, µA.
  package var receiverOff = 15.0
  /// Inertial sensor with gyroscope, µA.
  package var inertial = 690.0
  /// Accelerometer alone, µA.
  package var watching = 10.0
  /// Processor at work, µA.
  package var processor = 6000.0
  /// Processor asleep, µA.
  package var processorAsleep = 5.0
  /// Time of the processor for a sample, a fix, a packet, s.
  package var sampleTime = 0.0001
  package var fixTime = 0.002
  package var packetTime = 0.05
  /// Capacity of the battery, mAh.
  package var capacity = 2600.0
  /// Share of it that can be used.
  package var usable = 0.85
  /// What it loses by itself, a share a month of 30 days.
  package var selfDischarge = 0.02

  /// The defaults.
  package init() {}

  /// The names by which they are set, with the place of each.
  package static let names: [(name: String, place: WritableKeyPath<LifeCurrents, Double> & Sendable)] = [
    ("receiver", \.receiver), ("receiverOff", \.receiverOff), ("inertial", \.inertial), ("watching", \.watching),
    ("processor", \.processor), ("processorAsleep", \.processorAsleep), ("sampleTime", \.sampleTime),
    ("fixTime", \.fixTime), ("packetTime", \.packetTime), ("capacity", \.capacity), ("usable", \.usable),
    ("selfDischarge", \.selfDischarge),
  ]
}

/// Charge by cause: time in each state and its current, and what each event takes.
package struct LifeEnergy: Equatable, Sendable {
  /// What it goes by.
  package let currents: LifeCurrents
  /// Charge by cause, µC.
  package private(set) var charges: [EnergyCause: Double] = [:]
  /// What is on, and since when; nil while the tracker has no power.
  private var states: (receiver: EnergyCause, inertial: EnergyCause)? = (.receiver, .inertial)
  private var since = Instant.zero
  /// Time in all, s.
  package private(set) var seconds = 0.0
  /// Time in which the inertial sensor slept, s.
  package private(set) var asleep = 0.0

  /// A ledger of a tracker that is switched on at zero.
  package init(_ currents: LifeCurrents = LifeCurrents()) { self.currents = currents }

  package static func == (a: LifeEnergy, b: LifeEnergy) -> Bool {
    a.currents == b.currents && a.charges == b.charges && a.seconds == b.seconds && a.since == b.since
  }

  private func current(_ cause: EnergyCause) -> Double {
    switch cause {
    case .receiver, .singleFix: currents.receiver
    case .receiverOff: currents.receiverOff
    case .inertial: currents.inertial
    case .watching: currents.watching
    case .processor: currents.processor
    case .processorAsleep: currents.processorAsleep
    case .selfDischarge: currents.capacity * 3600 * currents.selfDischarge / (30 * 86_400) * 1000
    }
  }

  private mutating func add(_ cause: EnergyCause, _ seconds: Double) {
    charges[cause, default: 0] += current(cause) * seconds
  }

  /// Books the time up to now.
  package mutating func book(at time: Instant) {
    let passed = (time - since).secondsDouble
    guard passed > 0 else { return }
    since = time
    seconds += passed
    add(.selfDischarge, passed)
    guard let states else { return }
    add(states.receiver, passed)
    add(states.inertial, passed)
    if states.inertial == .watching { asleep += passed }
    add(.processorAsleep, passed)
  }

  /// From now on these are on.
  mutating func go(_ receiver: EnergyCause, _ inertial: EnergyCause, at time: Instant) {
    book(at: time)
    states = (receiver, inertial)
  }

  /// The tracker has no power from now on.
  mutating func goOff(at time: Instant) {
    book(at: time)
    states = nil
  }

  /// The processor has worked for so long.
  mutating func work(_ seconds: Double) { add(.processor, seconds) }

  /// Adds another life's.
  package mutating func add(_ other: LifeEnergy) {
    charges.merge(other.charges) { $0 + $1 }
    seconds += other.seconds
    asleep += other.asleep
  }

  /// All charge of tracker and battery, µC, without the modem.
  package var microcoulombs: Double { charges.values.reduce(0, +) }

  /// Days that a full battery lasts at the mean of this time.
  ///
  /// - Parameter modem: Charge of the modem in the same time, µC.
  package func days(withModem modem: Int64) -> Double? {
    let whole = microcoulombs + Double(modem)
    guard seconds > 0, whole > 0 else { return nil }
    return currents.capacity * currents.usable * 3.6e6 / (whole / seconds * 86_400)
  }
}

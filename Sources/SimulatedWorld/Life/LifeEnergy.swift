import Quantities
import TrackerCore

/// What a part of a tracker draws its charge for, beside the modem, whose own ledger has its loads.
package enum EnergyCause: UInt8, CaseIterable, Sendable {
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

  /// As files have it.
  package var name: String { "\(self)" }
}

/// Charge by cause: time in each state and its current, and what each event takes.
package struct LifeEnergy: Equatable, Sendable {
  /// What it goes by.
  package let currents: PartCurrents
  /// Charge by cause, µC; nil for a cause that never was.
  private var amounts = [Double?](repeating: nil, count: EnergyCause.allCases.count)
  /// The same of all that were.
  package var charges: [EnergyCause: Double] {
    var charges: [EnergyCause: Double] = [:]
    for cause in EnergyCause.allCases { charges[cause] = amounts[Int(cause.rawValue)] }
    return charges
  }
  /// What is on, and since when; nil while the tracker has no power.
  private var states: (receiver: EnergyCause, inertial: EnergyCause)? = (.receiver, .inertial)
  private var since = Instant.zero
  /// Time in all, s.
  package private(set) var seconds = 0.0
  /// Time in which the inertial sensor slept, s.
  package private(set) var asleep = 0.0

  /// A ledger of a tracker that is switched on at zero.
  package init(_ currents: PartCurrents = PartCurrents()) { self.currents = currents }

  package static func == (a: LifeEnergy, b: LifeEnergy) -> Bool {
    a.currents == b.currents && a.amounts == b.amounts && a.seconds == b.seconds && a.since == b.since
  }

  private func current(_ cause: EnergyCause) -> Double {
    switch cause {
    case .receiver, .singleFix: currents.receiver
    case .receiverOff: currents.receiverOff
    case .inertial: currents.inertial
    case .watching: currents.watching
    case .processor: currents.processor
    case .processorAsleep: currents.processorAsleep
    case .selfDischarge: currents.selfDischargeCurrent
    }
  }

  private mutating func add(_ cause: EnergyCause, _ seconds: Double) {
    amounts[Int(cause.rawValue)] = (amounts[Int(cause.rawValue)] ?? 0) + current(cause) * seconds
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
    for place in amounts.indices {
      if let more = other.amounts[place] { amounts[place] = (amounts[place] ?? 0) + more }
    }
    seconds += other.seconds
    asleep += other.asleep
  }

  /// All charge of tracker and battery, µC, without the modem.
  package var microcoulombs: Double { amounts.reduce(0) { $0 + ($1 ?? 0) } }

  /// Days that a full battery lasts at the mean of this time.
  ///
  /// - Parameter modem: Charge of the modem in the same time, µC.
  package func days(withModem modem: Int64) -> Double? {
    let whole = microcoulombs + Double(modem)
    guard seconds > 0, whole > 0 else { return nil }
    return currents.capacity * currents.usable * 3.6e6 / (whole / seconds * 86_400)
  }
}

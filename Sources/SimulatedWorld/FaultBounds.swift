import ModemSimulation
import Quantities
import SIM7000

/// What a delivery cost that a fault disturbed, or the worst of several.
package struct FaultCost: Equatable, Sendable {
  /// From the end of the fault to the acknowledgement, less what the delivery takes anyway.
  package var delay = Interval.zero
  /// Most times one packet was given to the modem.
  package var transmissions = 0
  /// Times the radio was switched off and on.
  package var radioCycles = 0
  /// Times the modem was reset.
  package var resets = 0
  /// Times its power was taken away.
  package var powerCycles = 0
  /// Bytes that the driver sent.
  package var bytes = 0

  /// Nothing.
  package init() {}

  /// The cost of a delivery.
  package init(_ delivery: DisturbedDelivery) {
    delay = max(.zero, (delivery.delay ?? .zero) - (delivery.fault.lasting ?? .zero))
    let outcome = delivery.outcome
    transmissions = outcome.transmissions
    radioCycles = FaultCost.count(outcome, .radio)
    resets = FaultCost.count(outcome, .reset)
    powerCycles = FaultCost.count(outcome, .power)
    bytes = outcome.bytes
  }

  static func count(_ outcome: FaultOutcome, _ rung: RecoveryRung) -> Int {
    let place = Int(rung.rawValue)
    return place < outcome.rungs.count ? Int(outcome.rungs[place]) : 0
  }

  /// The larger of each.
  package func worse(_ other: FaultCost) -> FaultCost {
    var worst = self
    worst.delay = max(delay, other.delay)
    worst.transmissions = max(transmissions, other.transmissions)
    worst.radioCycles = max(radioCycles, other.radioCycles)
    worst.resets = max(resets, other.resets)
    worst.powerCycles = max(powerCycles, other.powerCycles)
    worst.bytes = max(bytes, other.bytes)
    return worst
  }
}

/// What a fault may cost at most, in whatever state of whatever transport it strikes: two packets, one fault.
package struct FaultBound: Sendable {
  /// The number of the fault.
  package let fault: Int
  /// The most of each.
  package let most: FaultCost
  /// Why it is as wide as it is; empty where nothing needs a word.
  package let reason: String

  private init(
    _ fault: Int, _ seconds: Int, times transmissions: Int, radio: Int = 0, reset: Int = 0, power: Int = 0, bytes: Int,
    _ reason: String = ""
  ) {
    self.fault = fault
    var most = FaultCost()
    most.delay = .seconds(seconds)
    most.transmissions = transmissions
    most.radioCycles = radio
    most.resets = reset
    most.powerCycles = power
    most.bytes = bytes
    self.most = most
    self.reason = reason
  }

  /// The bound of a fault.
  package static func of(_ fault: ModemFault) -> FaultBound? { all.first { $0.fault == fault.number } }

  /// What is exceeded by a cost, in words; empty when nothing is.
  package func exceeded(by cost: FaultCost) -> [String] {
    var words: [String] = []
    if cost.delay > most.delay { words.append("\(cost.delay.secondsDouble) s after its end") }
    if cost.transmissions > most.transmissions { words.append("\(cost.transmissions) transmissions") }
    if cost.radioCycles > most.radioCycles { words.append("radio switched \(cost.radioCycles) times") }
    if cost.resets > most.resets { words.append("\(cost.resets) resets") }
    if cost.powerCycles > most.powerCycles { words.append("\(cost.powerCycles) power cycles") }
    if cost.bytes > most.bytes { words.append("\(cost.bytes) bytes") }
    return words
  }

  private static let late = "an exchange has 45 s"
  private static let frozen = "silence is believed after two passes through all rates, 20 s; then it starts"

  /// Every fault's.
  package static let all: [FaultBound] = [
    FaultBound(1, 25, times: 2, bytes: 2000, "a restart and full setup"),
    FaultBound(2, 22, times: 2, bytes: 2000, "noticed only by duplicates, then queried"),
    FaultBound(3, 15, times: 2, bytes: 1600, "legacyHTTP hears of it when its request fails"),
    FaultBound(4, 5, times: 6, reset: 1, bytes: 2200, "it lasts two minutes, in which nothing below a reset helps"),
    FaultBound(5, 0, times: 1, bytes: 1300),
    FaultBound(6, 3, times: 2, bytes: 1600),
    FaultBound(7, 20, times: 4, bytes: 2200, "a connection of legacyHTTP is made by the request itself"),
    FaultBound(8, 9, times: 2, bytes: 1500),
    FaultBound(9, 100, times: 6, bytes: 2300, late),
    FaultBound(10, 20, times: 6, bytes: 2300, late),
    FaultBound(11, 150, times: 3, reset: 2, bytes: 2300, frozen),
    FaultBound(12, 0, times: 1, bytes: 1300),
    FaultBound(13, 100, times: 6, bytes: 3800, late),
    FaultBound(
      14, 160, times: 6, radio: 1, reset: 1, bytes: 3800, "six exchanges are spoiled, any of them a packet's"),
    FaultBound(15, 105, times: 6, bytes: 2900, late),
    FaultBound(
      16, 36, times: 3, radio: 2, reset: 2, bytes: 2500, "the card may come back just before the radio is switched"),
    FaultBound(17, 5, times: 3, radio: 1, reset: 1, bytes: 2200),
    FaultBound(18, 0, times: 1, bytes: 1300),
    FaultBound(19, 45, times: 3, bytes: 2400, "three starts, each with settling time"),
    FaultBound(20, 28, times: 2, bytes: 2000),
    FaultBound(21, 150, times: 3, reset: 3, bytes: 2400, frozen),
    FaultBound(22, 20, times: 2, bytes: 2000),
    FaultBound(23, 25, times: 12, radio: 1, bytes: 2200, "for 40 s the modem takes no message, and each is tried"),
    FaultBound(24, 105, times: 6, bytes: 2300, late),
  ]
}

/// What may be spent in any story, whatever goes wrong in it.
package enum StoryBounds {
  /// Times a SIM card may be given its PIN: the third try is its owner's.
  package static let pinTries = 2
  /// Power cycles, and cycles of the radio, in each hour that the driver has a packet, and in any story besides.
  package static let powerCyclesPerHour = 8
  /// See `powerCyclesPerHour`.
  package static let radioCyclesPerHour = 12
  /// One lap of the ladder has one of each; three starts of a weak supply are another.
  package static let cyclesBesides = 4
  /// Bytes that the driver may send for each packet, and in each hour that it has one: a start is a thousand.
  package static let bytesPerPacket = 20_000
  /// See `bytesPerPacket`.
  package static let bytesPerHour = 60_000
  /// Times one packet may be given to the modem: three after each time-out, and a server that is away.
  package static let transmissions = 60

  /// What a story exceeds, in words; empty when nothing is.
  package static func exceeded(by outcome: FaultOutcome, packets: Int) -> [String] {
    let hours = outcome.busy.secondsDouble / 3600
    let power = FaultCost.count(outcome, .power)
    let radio = FaultCost.count(outcome, .radio)
    var words: [String] = []
    if outcome.pinTries > pinTries { words.append("\(outcome.pinTries) tries of the PIN") }
    if Double(power) > Double(cyclesBesides) + hours * Double(powerCyclesPerHour) {
      words.append("\(power) power cycles")
    }
    if Double(radio) > Double(cyclesBesides) + hours * Double(radioCyclesPerHour) {
      words.append("radio switched \(radio) times")
    }
    if Double(outcome.bytes) > Double(bytesPerPacket * packets) + hours * Double(bytesPerHour) {
      words.append("\(outcome.bytes) bytes")
    }
    if outcome.transmissions > transmissions { words.append("\(outcome.transmissions) transmissions") }
    return words
  }
}

import Quantities

/// What came of a life.
package struct LifeReport: Equatable, Sendable {
  /// When it was over, on the world's clock.
  package var end = Instant.zero
  /// Trackers that lived, one after the other.
  package var lives = 0
  /// Times that the supply went.
  package var cuts = 0
  /// Faults by class; `owner` for messages of the owner.
  package var faults: [String: Int] = [:]
  /// Time in which the tracker let its sensors sleep and that was passed over, not streamed, s.
  package var passedOver = 0.0
  /// Inertial samples that the tracker got.
  package var samples = 0
  /// Rides of the owner.
  package var ridden = 0
  /// Of these, those that had to be told with their times.
  package var judgedRides = 0
  /// How long they were, m.
  package var metres = 0.0
  /// How far the odometer was off at worst, as a share of what it may be off.
  package var odometerError = 0.0
  /// Rides that the tracker told.
  package var rides = 0
  /// What happened to the vehicle that nobody wants to hear of.
  package var disturbances = 0
  /// Thefts that had to be told, and that were excused as the tracker was off, had just come back or had no sensor.
  package var thefts = 0
  /// See `thefts`.
  package var excused = 0
  /// Alerts, repeated ones included.
  package var alerts = 0
  /// From the theft to the alert, s.
  package var delays: [Double] = []
  /// From an alert to the server, s.
  package var journeys: [Double] = []
  /// Packets that were made.
  package var packets = 0
  /// Packets that the server got, repeated ones included.
  package var received = 0
  /// Of these, those that it had before.
  package var duplicates = 0
  /// Messages that are no packet: what a modem that waited for bytes took for them.
  package var noise = 0
  /// Packets that were sent before the storage had them, as it took too long.
  package var unkept = 0
  /// Times that a packet was given to the driver.
  package var attempts = 0
  /// Charge that the modem took, µC.
  package var microcoulombs: Int64 = 0
  /// The same by what the modem did (`ModemLoad.name`), and `gnss` for its own receiver.
  package var charges: [String: Int64] = [:]
  /// The charge of everything else.
  package var energy = LifeEnergy()
  /// What the tracker thinks that it draws in the mean, modem and all, µA, by what it knows itself; nil in its first minute.
  package var forecast: Double?
  /// How full the battery is at the end, percent; nil without one.
  package var batteryLevel: Double?
  /// Times that the inertial sensor has woken by itself.
  package var wakes = 0
  /// What the owner asked, and what came of it.
  package var answers: [LifeAnswer] = []
  /// Packets and requests that the checkers had to remember at once, at most.
  package var remembered = 0
  /// How often each promise was looked at.
  package var checks: [LifePromise: Int] = [:]
  /// What was broken.
  package var broken: [BrokenPromise] = []
  /// Rare states that it came to.
  package var states = RareStateMarks()
  /// Steps that were lived: inputs and faults.
  package var steps = 0
  /// Of everything that the tracker told and the server got, in order.
  package var hash: UInt64 = 0

  /// Nothing has happened.
  package init() {}

  /// A request has its answer.
  mutating func note(_ answer: String, to number: UInt64) {
    guard let place = answers.lastIndex(where: { $0.number == number }), answers[place].answer == nil else { return }
    answers[place].answer = answer
  }
}

/// What the owner asked.
package struct LifeAnswer: Equatable, Sendable {
  /// As it was asked.
  package var text: String
  /// When, on the world's clock.
  package var time: Instant
  /// Number of the request; nil without one.
  package var number: UInt64?
  /// Reason of the answer, or `refused`; nil when there was none.
  package var answer: String?
}

/// FNV-1a of 64 bits.
///
/// - Source: [fnv] section 2.
package struct LifeHash {
  /// Of all bytes so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Of no bytes.
  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  /// As eight bytes, the lowest first.
  mutating func add(_ number: Int64) { for place in 0..<8 { add([UInt8(truncatingIfNeeded: number >> (8 * place))]) } }
}

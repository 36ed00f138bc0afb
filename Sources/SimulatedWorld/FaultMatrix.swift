import ModemSimulation
import Quantities
import SIM7000

/// Two packets delivered a minute apart while nothing goes wrong: what a delivery goes through, and when it is over.
package struct UndisturbedDelivery: Sendable {
  /// The way.
  package let transport: ModemTransport
  /// The seed of the world.
  package let seed: UInt64
  /// Every phase and every exchange there was, in the order of their first time, and the rest between the packets.
  package let moments: [FaultMoment]
  /// When the driver told that each packet is delivered.
  package let acknowledgements: [Instant]

  /// When the second packet is handed over.
  static var secondPacket: Instant { .seconds(60) }
  /// The rest between the packets, with the session open: the next packet comes 5 s later.
  static var rest: Instant { .seconds(55) }

  /// Delivers them; nil when the driver can't even do that.
  package init?(by transport: ModemTransport, seed: UInt64 = 1) {
    self.transport = transport
    self.seed = seed
    let run = FaultRun(UndisturbedDelivery.story(transport, seed: seed))
    var phases: [ModemPhase] = []
    var steps: [ModemStep] = []
    run.watcher = { run in
      let modem = run.bench.driver
      if !phases.contains(modem.modem.phase) { phases.append(modem.modem.phase) }
      if let step = modem.modem.step, !steps.contains(step) { steps.append(step) }
    }
    guard run.run().isGood else { return nil }
    acknowledgements = run.acknowledgements
    guard acknowledgements.count == 2, acknowledgements[0] < UndisturbedDelivery.rest else { return nil }
    moments =
      phases.map { FaultMoment.phase($0) } + steps.map { FaultMoment.step($0) } + [.time(UndisturbedDelivery.rest)]
  }

  /// The same with a fault.
  static func story(_ transport: ModemTransport, seed: UInt64, faults: [PlannedFault] = []) -> FaultStory {
    FaultStory(seed: seed, transport: transport, packets: [.zero, secondPacket], faults: faults)
  }

  /// The same delivery with a fault at a moment.
  package func disturbed(by fault: ModemFault, at moment: FaultMoment) -> DisturbedDelivery {
    let run = FaultRun(
      UndisturbedDelivery.story(transport, seed: seed, faults: [PlannedFault(fault, at: moment)]))
    let outcome = run.run()
    var delay: Interval?
    if outcome.isGood, run.acknowledgements.count == acknowledgements.count {
      let delays = zip(run.acknowledgements, acknowledgements).map { $0 - $1 }
      delay = delays.reduce(Interval.zero) { max($0, $1) }
    }
    return DisturbedDelivery(fault: fault, moment: moment, delay: delay, outcome: outcome)
  }
}

/// What a fault did to a delivery.
package struct DisturbedDelivery: Equatable, Sendable {
  /// What went wrong.
  package let fault: ModemFault
  /// When.
  package let moment: FaultMoment
  /// How much later the packet that suffered most was acknowledged than without the fault; nil when it never was.
  package let delay: Interval?
  /// Everything else.
  package let outcome: FaultOutcome
}

/// A fault in every state of the deliveries by one transport.
package struct FaultMatrixRow: Equatable, Sendable {
  /// The way.
  package let transport: ModemTransport
  /// What went wrong.
  package let fault: ModemFault
  /// One for each state.
  package let deliveries: [DisturbedDelivery]

  /// Tries the fault in each moment of a delivery.
  package init(_ fault: ModemFault, in delivery: UndisturbedDelivery) {
    transport = delivery.transport
    self.fault = fault
    deliveries = delivery.moments.map { delivery.disturbed(by: fault, at: $0) }
  }

  /// The states in which it struck.
  package var states: Int { deliveries.filter { $0.outcome.struck > 0 }.count }
  /// The delays, the shortest first.
  package var delays: [Interval] { deliveries.compactMap(\.delay).sorted() }
  /// The delay in the middle.
  package var median: Interval { delays.isEmpty ? .zero : delays[delays.count / 2] }
  /// The delivery with the longest delay; nil when the fault delayed none.
  package var worst: DisturbedDelivery? {
    deliveries.filter { ($0.delay ?? .zero) > .zero }.max { ($0.delay ?? .zero) < ($1.delay ?? .zero) }
  }
  /// Deliveries in which a packet is missing or lost.
  package var failures: [DisturbedDelivery] { deliveries.filter { !$0.outcome.isGood } }
  /// The most that each thing cost in one of them.
  package var cost: FaultCost { deliveries.reduce(FaultCost()) { $0.worse(FaultCost($1)) } }
  /// Times a server got a packet again.
  package var duplicates: Int { deliveries.reduce(0) { $0 + $1.outcome.duplicates } }
  /// How often each rung of the ladder was climbed.
  package var rungs: [UInt32] {
    deliveries.reduce(into: [UInt32](repeating: 0, count: 7)) { sum, delivery in
      for (place, count) in delivery.outcome.rungs.enumerated() { sum[place] += count }
    }
  }
}

extension FaultMoment {
  /// The moment in words, such as `step mqttConnect`.
  package var name: String {
    switch self {
    case .time(let time): return time == UndisturbedDelivery.rest ? "rest" : "\(time.secondsDouble) s"
    case .step(let step): return "step \(step.name)"
    case .phase(let phase): return "phase \(phase.name)"
    }
  }
}

extension ModemFault {
  /// How long the fault itself lasts; nil for one that strikes and is over, or stays until something is done.
  package var lasting: Interval? {
    switch self {
    case .staleConnection(let lasting), .strictStates(let lasting), .overReadFreeze(let lasting),
      .simOut(let lasting), .registrationFlaps(let lasting, _), .circuitStatusLies(let lasting):
      return lasting
    case .lateAnswer(let delay), .lateMessages(let delay): return delay
    default: return nil
    }
  }
}

extension FaultRun {
  /// When each packet was acknowledged, by its number; empty slots are left out.
  package var acknowledgements: [Instant] {
    var times: [UInt32: Instant] = [:]
    for (time, action) in bench.actions {
      if case .delivered(let ticket) = action { times[ticket] = times[ticket] ?? time }
    }
    return times.sorted { $0.key < $1.key }.map(\.value)
  }
}

import Quantities
import SIM7000

/// What the modem does when a packet is handed over.
package enum ModemRest: String, CaseIterable, Sendable {
  /// Switched off.
  case off
  /// In power saving mode: its receiver is off, its registration is kept.
  case powerSaving
  /// Asleep with DTR high.
  case asleep
  /// Asleep with DTR high, listening to the network once in `PacketCost.listeningCycle`.
  case listening
  /// Awake, the session with the server open.
  case connected

  /// The driver's policy that leads there.
  fileprivate var policy: IdlePolicy {
    switch self {
    case .off: return .off
    case .powerSaving: return .powerSaving
    case .asleep, .listening: return .sleep
    case .connected: return .awake
    }
  }

  /// The driver's phase in which it is there.
  fileprivate var phase: ModemPhase {
    switch self {
    case .off: return .off
    case .powerSaving: return .dormant
    case .asleep, .listening: return .asleep
    case .connected: return .running
    }
  }
}

/// What one packet costs from some rest: time, and the charge the driver's ledger books for it.
///
/// The time of a search for the network is the network's, not the driver's, and in the field it is anything from seconds to many
/// minutes. So each packet is sent twice, in a network that lets the modem in at once and in one where the search takes its time.
package struct PacketCost: Equatable, Sendable {
  /// The way.
  package let transport: ModemTransport
  /// Where it begins.
  package let rest: ModemRest
  /// From the hand-over to the acknowledgement, beside the search.
  package let time: Interval
  /// Charge up to the acknowledgement beside the search, µC.
  package let microcoulombs: Int64
  /// How much later the packet is acknowledged when a search takes `search`.
  package let searching: Interval
  /// From the hand-over until the modem rests again, beside the search; nil where it does not rest.
  package let wholeTime: Interval?
  /// Charge until it rests again beside the search, µC; nil where it does not rest.
  package let wholeMicrocoulombs: Int64?

  /// How long a search takes in the second run.
  package static var search: Interval { .seconds(12) }
  /// How often a listening modem listens.
  package static var listeningCycle: Interval { .milliseconds(20_480) }

  /// Sends the packets; nil when one does not arrive, or the modem does not come to its rest.
  package init?(by transport: ModemTransport, from rest: ModemRest, seed: UInt64 = 1) {
    guard let quick = Sending(by: transport, from: rest, search: .zero, seed: seed),
      let slow = Sending(by: transport, from: rest, search: PacketCost.search, seed: seed)
    else { return nil }
    self.transport = transport
    self.rest = rest
    time = quick.time
    microcoulombs = quick.microcoulombs
    searching = slow.time - quick.time
    wholeTime = quick.whole?.time
    wholeMicrocoulombs = quick.whole?.microcoulombs
  }
}

/// One packet, sent from a rest.
private struct Sending {
  let time: Interval
  let microcoulombs: Int64
  let whole: (time: Interval, microcoulombs: Int64)?

  init?(by transport: ModemTransport, from rest: ModemRest, search: Interval, seed: UInt64) {
    var story = FaultStory(seed: seed, transport: transport)
    story.driver.idle = rest.policy
    story.driver.wiring.hasDTR = true
    if rest == .listening { story.driver.listeningCycle = PacketCost.listeningCycle }
    story.module.network.registrationDelay = search
    // After power saving mode the modem only has to find the cell again.
    if search == .zero { story.module.network.returnDelay = .zero }
    let bench = FaultRun(story).bench
    // A modem that is off needs no packet before; the others have to get where they rest.
    if rest != .off {
      guard Sending.send(1, by: transport, on: bench), Sending.rests(bench, as: rest) else { return nil }
      bench.run(until: bench.now + .seconds(100))
      guard bench.driver.modem.phase == rest.phase else { return nil }
    }
    let began = bench.now
    let before = bench.driver.modem.energy.microcoulombs
    guard Sending.send(2, by: transport, on: bench) else { return nil }
    time = bench.now - began
    microcoulombs = bench.driver.modem.energy.microcoulombs - before
    guard rest != .connected else {
      whole = nil
      return
    }
    guard Sending.rests(bench, as: rest) else { return nil }
    whole = (bench.now - began, bench.driver.modem.energy.microcoulombs - before)
  }

  private static func send(_ ticket: UInt32, by transport: ModemTransport, on bench: ModemBench) -> Bool {
    bench.submit(FaultRun.payload(ticket), ticket: ticket, by: transport)
      && bench.run(until: bench.now + .seconds(600), while: { !$0.driver.modem.isFree })
      && bench.actions.contains(where: { $0.action == .delivered(ticket: ticket) })
  }

  /// Waits until the modem rests.
  private static func rests(_ bench: ModemBench, as rest: ModemRest) -> Bool {
    bench.run(until: bench.now + .seconds(600), while: { $0.driver.modem.phase != rest.phase })
  }
}

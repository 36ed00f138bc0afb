import CellularDelivery
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

/// What a packet waits for.
package enum PacketWait: Int, CaseIterable, Sendable {
  /// Its key, its start, or its waking: until the modem answers.
  case start
  /// A modem that answers and is not ready: its card, its messages.
  case readiness
  /// Commands that need no network.
  case commands
  /// The network and the server.
  case network

  /// What a driver in this state waits for.
  fileprivate init(_ modem: borrowing Modem, hasSent: Bool) {
    guard modem.phase == .running else {
      self = .start
      return
    }
    switch modem.step {
    case .bearerOpen, .socketsUp, .profileOpen, .httpConnect, .httpRequest, .legacyRequest, .mqttConnect, .mqttPublish,
      .tcpOpen, .tcpSend, .socketOpen, .socketSend, .messageSend:
      self = .network
    case nil: self = hasSent ? .network : .readiness
    default: self = .commands
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
  /// The same by what it is spent on, in the order of `PacketWait`.
  package let parts: [Interval]
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
    parts = quick.parts
    microcoulombs = quick.microcoulombs
    searching = slow.time - quick.time
    wholeTime = quick.whole?.time
    wholeMicrocoulombs = quick.whole?.microcoulombs
  }
}

/// One packet, sent from a rest.
private struct Sending {
  let time: Interval
  let parts: [Interval]
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
    let watch = Stopwatch(bench)
    bench.observer = { watch.look(at: $0) }
    guard Sending.send(2, by: transport, on: bench) else { return nil }
    time = bench.now - began
    parts = watch.parts
    bench.observer = nil
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

/// Where the time of a packet goes.
private final class Stopwatch {
  private(set) var parts = [Interval](repeating: .zero, count: PacketWait.allCases.count)
  private var wait = PacketWait.start
  private var since: Instant
  private var hasSent = false

  init(_ bench: ModemBench) { since = bench.now }

  /// What has just ended was spent on what the driver waited for before.
  func look(at bench: ModemBench) {
    parts[wait.rawValue] = parts[wait.rawValue] + (bench.now - since)
    since = bench.now
    if bench.driver.modem.step?.sendsPacket == true { hasSent = true }
    wait = PacketWait(bench.driver.modem, hasSent: hasSent)
  }
}

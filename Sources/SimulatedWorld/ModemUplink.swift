import CellularDelivery
import ModemSimulation
import Quantities
import TrackerRuntime
import SIM7000
import Telemetry

/// A port to a simulated modem, and through a virtual network to a receiver, on the time of the run.
///
/// It takes one packet at a time, as the driver does.
package final class ModemUplink: DeliveryPort {
  /// What became of a packet.
  package struct SentPacket: Equatable, Sendable {
    /// Its number.
    package var sequence: UInt32
    /// The way of delivery that it was on.
    package var way: Int
    /// What it is.
    package var kind: PacketKind
    /// When the tracker gave it.
    package var given: Instant
    /// When the driver began with it; nil when it still waits.
    package var begun: Instant?
    /// When the server's acknowledgement came; nil when it has not.
    package var acknowledged: Instant?
    /// Charge the modem took while it was worked on, µC.
    package var microcoulombs: Int64 = 0
  }

  /// A piece of the dialogue on the serial line.
  package struct Utterance: Equatable, Sendable {
    /// When.
    package var time: Instant
    /// True for what the driver says.
    package var isToModem: Bool
    /// What.
    package var bytes: [UInt8]
    /// The packet that was worked on; nil when there was none.
    package var sequence: UInt32?
  }

  /// The driver and what it talks to.
  package let bench: ModemBench
  /// How packets go.
  package let transport: ModemTransport
  /// All packets, in the order they were given.
  package private(set) var deliveries: [SentPacket] = []
  /// What was said about packets of these kinds, and between.
  package private(set) var dialogue: [Utterance] = []

  private let kindsToKeep: Set<UInt8>
  private var way: ModemWay
  /// Place in `deliveries` of the packet in hand.
  private var underWay: Int?
  private var chargeBefore: Int64 = 0
  private var news: [UplinkNews] = []
  private var seenActions = 0
  private var seenReplies = 0

  /// Kind of the way.
  package var name: String { "simulated modem" }
  /// How it stands.
  package var state: UplinkState {
    switch way.state(of: bench.driver.modem) {
    case .idle: .idle
    case .opening: .opening
    case .open: .open
    case .failed: .failed(reason: "\(bench.driver.modem.trouble?.name ?? "out of order")", retryAt: nil)
    }
  }
  /// Called when there is news.
  package var onNews: () -> Void = {}

  /// An uplink whose modem is switched off.
  ///
  /// - Parameters:
  ///   - transport: How packets go.
  ///   - format: How packets are written, which decides what the server answers.
  ///   - kinds: Packets of which the dialogue is kept.
  ///   - seed: Of the network, the modem and the driver.
  package init(
    transport: ModemTransport, format: PacketFormat = .json, keepingDialogueOf kinds: [PacketKind] = [.movement],
    seed: UInt64
  ) {
    self.transport = transport
    kindsToKeep = Set(kinds.map(\.rawValue))
    way = ModemWay(seed: seed)
    let network = VirtualNetwork.withServers(seed: seed, format: format)
    let module = SimulatedModem(SimulatedModemConfiguration(), seed: seed)
    bench = ModemBench(driver: FaultStory.driver(), module: module, network: network, seed: seed)
    bench.listener = { [unowned self] time, isToModem, bytes in hear(time, isToModem, bytes) }
  }

  /// The dialogue about a packet.
  package func dialogue(of sequence: UInt32) -> [Utterance] { dialogue.filter { $0.sequence == sequence } }

  private func hear(_ time: Instant, _ isToModem: Bool, _ bytes: [UInt8]) {
    guard let underWay, kindsToKeep.contains(deliveries[underWay].kind.rawValue) else { return }
    dialogue.append(
      Utterance(time: time, isToModem: isToModem, bytes: bytes, sequence: deliveries[underWay].sequence))
  }

  /// Takes a packet, when none is in hand.
  package func take(_ packet: OutgoingPacket, at now: Instant) {
    pass(to: now)
    if let place = place(of: packet.sequence, packet.way) {
      underWay = place
    } else {
      deliveries.append(SentPacket(sequence: packet.sequence, way: packet.way, kind: packet.kind, given: now))
      underWay = deliveries.count - 1
    }
    if let underWay { deliveries[underWay].begun = bench.now }
    chargeBefore = bench.driver.modem.energy.microcoulombs
    let transport = packet.channel.flatMap { ModemTransport(rawValue: $0) } ?? transport
    let isTaken = way.begin(
      packet.bytes.span, sequence: packet.sequence, way: UInt8(clamping: packet.way), kind: packet.kind, by: transport,
      on: &bench.driver.modem, at: bench.now)
    bench.settle()
    if !isTaken {
      underWay = nil
      tell(
        .undelivered(
          sequence: packet.sequence, way: packet.way,
          reason: "\(packet.bytes.count) bytes; this way takes 1 to \(transport.payloadLimit)"))
    }
    takeOutcomes()
  }

  /// Stops work on a packet.
  package func forget(_ sequence: UInt32, way number: Int) {
    guard way.forget(sequence, way: UInt8(clamping: number), on: &bench.driver.modem, at: bench.now) else { return }
    underWay = nil
    bench.settle()
  }

  /// Hands a report back that has not left yet.
  package func makeRoom(at now: Instant) {
    guard let sequence = way.makeRoom(on: &bench.driver.modem, at: bench.now) else { return }
    underWay = nil
    bench.settle()
    tell(.madeRoom(sequence: sequence, way: Int(way.currentWay)))
  }

  /// Lets the driver, the modem and the network come to a time.
  package func pass(to now: Instant) {
    bench.run(until: now)
    way.advance(to: bench.now)
    takeOutcomes()
  }

  /// When something happens next.
  package var nextPass: Instant? {
    guard let until = way.troubleUntil else { return bench.nextDeadline }
    return min(bench.nextDeadline ?? until, until)
  }

  /// The next news.
  package func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  private func place(of sequence: UInt32, _ way: Int) -> Int? {
    deliveries.firstIndex { $0.sequence == sequence && $0.way == way }
  }

  private func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }

  private func takeOutcomes() {
    while seenActions < bench.actions.count {
      let (time, action) = bench.actions[seenActions]
      seenActions += 1
      switch way.take(action, of: bench.driver.modem, at: time) {
      case .delivered(let sequence, let way):
        if let place = place(of: sequence, Int(way)) {
          deliveries[place].acknowledged = time
          deliveries[place].microcoulombs = bench.driver.modem.energy.microcoulombs - chargeBefore
        }
        underWay = nil
        tell(.delivered(sequence: sequence, way: Int(way)))
      case .undelivered(let sequence, let way, let reason):
        underWay = nil
        tell(.undelivered(sequence: sequence, way: Int(way), reason: "\(reason)"))
      case nil: break
      }
    }
    while seenReplies < bench.replies.count {
      let reply = bench.replies[seenReplies]
      seenReplies += 1
      guard reply.source == .http else {
        tell(.request(reply.bytes))
        continue
      }
      let packet = underWay.map { deliveries[$0] } ?? deliveries.last
      if let packet { tell(.answer(reply.bytes, to: packet.sequence, kind: packet.kind, way: packet.way)) }
    }
  }
}

import ModemSimulation
public import Quantities
public import Recording
public import SIM7000
public import Telemetry

/// A run's packets through the driver, a simulated modem and a virtual network to a receiver.
///
/// The driver takes one packet at a time: of those that wait an alert goes first, then a notice, then the oldest.
public final class ModemUplink: PacketUplink {
  /// What became of a packet.
  public struct Delivery: Equatable, Sendable {
    /// Its number.
    public var sequence: UInt32
    /// What it is.
    public var kind: PacketKind
    /// When the tracker gave it.
    public var given: Instant
    /// When the driver began with it; nil when it still waits.
    public var begun: Instant?
    /// When the server's acknowledgement came; nil when it has not.
    public var acknowledged: Instant?
    /// Charge the modem took while it was worked on, µC.
    public var microcoulombs: Int64 = 0
  }

  /// A piece of the dialogue on the serial line.
  public struct Utterance: Equatable, Sendable {
    /// When.
    public var time: Instant
    /// True for what the driver says.
    public var isToModem: Bool
    /// What.
    public var bytes: [UInt8]
    /// The packet that was worked on; nil when there was none.
    public var sequence: UInt32?
  }

  /// The driver and what it talks to.
  public let bench: ModemBench
  /// How packets go.
  public let transport: ModemTransport
  /// All packets, in the order they were given.
  public private(set) var deliveries: [Delivery] = []
  /// What was said about packets of these kinds, and between.
  public private(set) var dialogue: [Utterance] = []

  private struct Waiting {
    var place: Int
    var bytes: [UInt8]
  }

  private let kindsToKeep: Set<UInt8>
  private var waiting: [Waiting] = []
  private var underWay: Int?
  private var chargeBefore: Int64 = 0
  private var acknowledgements: [UInt32] = []
  private var seenActions = 0
  private var seenReplies = 0

  /// An uplink whose modem is switched off.
  ///
  /// - Parameters:
  ///   - transport: How packets go.
  ///   - kinds: Packets of which the dialogue is kept.
  ///   - seed: Of the network, the modem and the driver.
  public init(transport: ModemTransport, keepingDialogueOf kinds: [PacketKind] = [.movement], seed: UInt64) {
    self.transport = transport
    kindsToKeep = Set(kinds.map(\.rawValue))
    var network = VirtualNetwork(seed: seed)
    network.add(HTTPServer(host: "track.example", port: 8080))
    network.add(SocketServer(host: "track.example", port: 5000))
    network.add(MQTTBroker(host: "broker.example", port: 1883))
    let module = SimulatedModem(ModemSimulation.ModemConfiguration(), seed: seed)
    bench = ModemBench(driver: FaultStory.driver(), module: module, network: network, seed: seed)
    bench.listener = { [unowned self] time, isToModem, bytes in hear(time, isToModem, bytes) }
  }

  /// The dialogue about a packet.
  public func dialogue(of sequence: UInt32) -> [Utterance] { dialogue.filter { $0.sequence == sequence } }

  private func hear(_ time: Instant, _ isToModem: Bool, _ bytes: [UInt8]) {
    guard let underWay, kindsToKeep.contains(deliveries[underWay].kind.rawValue) else { return }
    dialogue.append(
      Utterance(time: time, isToModem: isToModem, bytes: bytes, sequence: deliveries[underWay].sequence))
  }

  /// Takes a packet; one that is known already is on its way.
  public func take(sequence: UInt32, kind: PacketKind, bytes: [UInt8], at now: Instant) {
    guard !deliveries.contains(where: { $0.sequence == sequence }) else { return }
    deliveries.append(Delivery(sequence: sequence, kind: kind, given: now))
    waiting.append(Waiting(place: deliveries.count - 1, bytes: bytes))
    advance(to: now)
  }

  /// Lets the driver, the modem and the network come to a time.
  public func advance(to now: Instant) {
    bench.run(until: now)
    takeOutcomes()
    beginNext()
  }

  private func beginNext() {
    guard underWay == nil, bench.driver.modem.isFree else { return }
    guard
      let first = waiting.indices.min(by: {
        (priority(waiting[$0]), waiting[$0].place) < (priority(waiting[$1]), waiting[$1].place)
      })
    else { return }
    let packet = waiting.remove(at: first)
    underWay = packet.place
    deliveries[packet.place].begun = bench.now
    chargeBefore = bench.driver.modem.energy.microcoulombs
    if !bench.submit(packet.bytes, ticket: deliveries[packet.place].sequence, by: transport) {
      // Longer than the transport takes: no try would help, and it must not block the others.
      underWay = nil
    }
    takeOutcomes()
  }

  private func priority(_ packet: Waiting) -> Int { -Int(deliveries[packet.place].kind.priority.rawValue) }

  private func takeOutcomes() {
    while seenActions < bench.actions.count {
      let (time, action) = bench.actions[seenActions]
      seenActions += 1
      guard let place = underWay else { continue }
      switch action {
      case .delivered:
        deliveries[place].acknowledged = time
        deliveries[place].microcoulombs = bench.driver.modem.energy.microcoulombs - chargeBefore
        acknowledgements.append(deliveries[place].sequence)
        underWay = nil
      case .undelivered:
        // The tracker keeps it, and gives it again.
        deliveries.remove(at: place)
        for index in waiting.indices where waiting[index].place > place { waiting[index].place -= 1 }
        underWay = nil
      default: break
      }
    }
  }

  /// The next packet that its server has.
  public func nextAcknowledgement() -> UInt32? { acknowledgements.isEmpty ? nil : acknowledgements.removeFirst() }

  /// The next request that came over the modem; what an HTTP server answers to a packet is none.
  public func nextRequest() -> [UInt8]? {
    while seenReplies < bench.replies.count {
      let reply = bench.replies[seenReplies]
      seenReplies += 1
      if reply.source != .http { return reply.bytes }
    }
    return nil
  }

  /// When something happens next.
  public var nextDeadline: Instant? { bench.nextDeadline }
}

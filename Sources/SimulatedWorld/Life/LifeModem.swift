import CellularDelivery
import ModemSimulation
import Quantities
import SIM7000
import Telemetry
import TrackerRuntime

/// A port to a modem on the world's clock, which outlives the tracker: the driver begins anew with each life.
final class LifeModem: DeliveryPort {
  /// The driver and what it talks to. Whoever has it may change when something is due.
  var bench: ModemBench {
    isDueKnown = false
    return held
  }
  private let held: ModemBench
  /// When something is due next, looked up once: a tracker asks at each reading, and each look copies much of a modem.
  @exclusivity(unchecked) private var due: Instant?
  @exclusivity(unchecked) private var isDueKnown = false
  /// How packets go.
  let transport: ModemTransport
  /// The world's time at the tracker's zero.
  private(set) var boot = Instant.zero
  /// The number of the owner's telephone.
  static let owner = "+31611111111"
  /// Sees each packet that counts as delivered, with the world's time.
  var onDelivered: (UInt32, Instant) -> Void = { _, _ in }
  /// Sees each rung of its ladder that the driver climbs.
  var onRecovery: (RecoveryRung) -> Void = { _ in }
  /// Times a packet was begun.
  private(set) var attempts = 0
  /// Charge that drivers of earlier lives have counted, µC.
  private var earlierCharge: Int64 = 0
  private var earlierCharges: [String: Int64] = [:]

  private let configuration: ModemConfiguration
  @exclusivity(unchecked) private var way: ModemWay
  @exclusivity(unchecked) private var news: [UplinkNews] = []
  @exclusivity(unchecked) private var isOff = false
  /// The packet that was given last: what a server answers belongs to it.
  private var last: (sequence: UInt32, kind: PacketKind, way: Int)?

  let name = "simulated modem"
  var onNews: () -> Void = {}

  init(
    transport: ModemTransport, driver: ModemConfiguration, module: SimulatedModemConfiguration, network: VirtualNetwork,
    seed: UInt64
  ) {
    self.transport = transport
    configuration = driver
    way = ModemWay(seed: seed)
    held = ModemBench(driver: driver, module: SimulatedModem(module, seed: seed), network: network, seed: seed)
  }

  /// Charge the modem took, µC.
  var microcoulombs: Int64 { earlierCharge + held.driver.modem.energy.microcoulombs }

  /// The same by what the modem did.
  var charges: [String: Int64] {
    let ledger = held.driver.modem.energy
    var charges = earlierCharges
    for load in ModemLoad.allCases { charges["\(load.name)", default: 0] += ledger.microcoulombs(in: load) }
    charges["gnss", default: 0] += ledger.gnssMicrocoulombs
    return charges
  }

  /// True while the driver has a packet in hand.
  var holdsPacket: Bool { way.current != nil }

  /// True while the driver is about having its modem work: it starts, or is reset.
  var isStarting: Bool {
    switch held.driver.modem.phase {
    case .pressing, .starting, .linking, .resetting, .unpowered, .resting: true
    case .undetermined, .off, .running, .stopping, .asleep, .waking, .dormant: false
    }
  }

  /// The tracker has gone: its driver says nothing more.
  func cut() {
    isOff = true
    bench.stopDriver()
  }

  /// A tracker begins.
  func begin(at time: Instant, seed: UInt64) {
    boot = time
    bench.run(until: time)
    _ = bench.takeActions()
    _ = bench.takeReplies()
    earlierCharges = charges
    earlierCharge += bench.driver.modem.energy.microcoulombs
    bench.restartDriver(configuration, seed: seed)
    bench.driver.modem.keepsMessages = true
    // Its ledger begins at zero, and it has booked all the world's time before it as switched off.
    let booked = bench.driver.modem.energy
    earlierCharge -= booked.microcoulombs
    earlierCharges["\(ModemLoad.off.name)", default: 0] -= booked.microcoulombs(in: .off)
    way = ModemWay(seed: seed)
    news = []
    last = nil
    isOff = false
  }

  var state: UplinkState {
    switch way.state(of: held.driver.modem) {
    case .idle: .idle
    case .opening: .opening
    case .open: .open
    case .failed: .failed(reason: "\(held.driver.modem.trouble?.name ?? "out of order")", retryAt: nil)
    }
  }

  private func world(_ now: Instant) -> Instant { boot + (now - .zero) }

  func take(_ packet: OutgoingPacket, at now: Instant) {
    guard !isOff else { return }
    pass(to: now)
    attempts += 1
    last = (packet.sequence, packet.kind, packet.way)
    let isTaken = way.begin(
      packet.bytes.span, sequence: packet.sequence, way: UInt8(clamping: packet.way), kind: packet.kind, by: transport,
      on: &bench.driver.modem, at: bench.now)
    bench.settle()
    if !isTaken {
      tell(.undelivered(sequence: packet.sequence, way: packet.way, reason: "\(packet.bytes.count) bytes do not fit"))
    }
    takeOutcomes()
  }

  func forget(_ sequence: UInt32, way number: Int) {
    guard !isOff, way.forget(sequence, way: UInt8(clamping: number), on: &bench.driver.modem, at: bench.now) else {
      return
    }
    bench.settle()
  }

  func makeRoom(at now: Instant) {
    guard !isOff, let sequence = way.makeRoom(on: &bench.driver.modem, at: bench.now) else { return }
    bench.settle()
    tell(.madeRoom(sequence: sequence, way: Int(way.currentWay)))
  }

  func expectAlert(at now: Instant) {
    guard !isOff else { return }
    pass(to: now)
    bench.driver.modem.prepare(for: transport, lasting: .seconds(60), at: bench.now)
    bench.settle()
    takeOutcomes()
  }

  func noteKept(at now: Instant) {
    guard !isOff else { return }
    bench.driver.modem.noteKept(at: bench.now)
    bench.settle()
    takeOutcomes()
  }

  func pass(to now: Instant) {
    guard !isOff else { return }
    bench.run(until: world(now))
    way.advance(to: bench.now)
    takeOutcomes()
  }

  var nextPass: Instant? {
    guard !isOff else { return nil }
    if !isDueKnown { (due, isDueKnown) = (held.nextDeadline, true) }
    var next = due
    if let until = way.troubleUntil { next = min(next ?? until, until) }
    return next.map { Instant.zero + ($0 - boot) }
  }

  /// What the server has got, once.
  func takeReceived() -> [ReceivedPayload] { held.network.received.isEmpty ? [] : held.network.takeReceived() }

  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  private func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }

  private func takeOutcomes() {
    for (time, action) in bench.takeActions() {
      if case .recovery(let rung, _) = action { onRecovery(rung) }
      switch way.take(action, of: bench.driver.modem, at: time) {
      case .delivered(let sequence, let way):
        onDelivered(sequence, time)
        tell(.delivered(sequence: sequence, way: Int(way)))
      case .undelivered(let sequence, let way, let reason):
        tell(.undelivered(sequence: sequence, way: Int(way), reason: "\(reason)"))
      case nil: break
      }
    }
    for (source, bytes) in bench.takeReplies() {
      switch source {
      case .sms:
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.startIndex
        let isListed = String(decoding: bytes[..<end], as: UTF8.self) == LifeModem.owner
        tell(.textMessage(Array(bytes[end...].drop { $0 == 0x0A }), isListedSender: isListed))
      case .http:
        if let last { tell(.answer(bytes, to: last.sequence, kind: last.kind, way: last.way)) }
      default: tell(.request(bytes))
      }
    }
  }
}

import ASCIIText
import CellularDelivery
import Delivery
import LinuxDevices
import Quantities
import TrackerRuntime
import SIM7000
import Telemetry

/// A SIM7000 on a serial port, driven by `SIM7000.Modem`.
///
/// The driver works on one packet at a time; the others wait here, alerts first, and an alert takes the place of a report
/// that has not been sent yet. A packet is known by its number and its way: it may wait here for two receivers, or on two ways to one.
/// One that takes long lets another go that takes another transport (`turnEnd`), and has its turn again after it (`CellularUplink+Connecting` has what is
/// done about servers that can't be reached). A port that is missing, busy or unplugged is opened again with back-off; meanwhile the driver
/// stands still, and keeps what it knows, above all that a PIN was refused: three wrong ones would lock the card.
package final class CellularUplink: Uplink {
  /// Opens a port at a speed.
  package typealias Opening = (_ path: String, _ bitsPerSecond: Int) throws(DeviceFailure) -> any SerialTransport

  /// Called when there is news or the state has changed.
  package var onNews: () -> Void = {}
  /// Kind and place.
  package var name: String { "modem \(settings.port)" }
  /// How it stands.
  package private(set) var state = UplinkState.idle
  /// The last lines of the dialogue, without secrets.
  package var dialogue: [DialogueLine] { record.lines }

  let settings: ModemSettings
  private let lines: ModemLines
  let clock: any LoopClock
  private let opening: Opening
  var modem: Modem
  private var record: ModemDialogue
  private var loop: EventLoop?
  var port: (any SerialTransport)?
  private var watchesWriting = false
  private var rate: Int
  /// The driver's time begins with the first start.
  private var origin: Instant?
  private var retryAt: Instant?
  private var lastTry = Instant.zero
  var backOff: BackOff
  /// The driver as a way for packets.
  var way: ModemWay
  private var portFailure: DeviceFailure?
  var portCount = 0
  /// The STATUS line as the driver knows it.
  private var statusLevel: Bool?
  /// The DTR line as the driver wants it; an opened port has it low.
  private var dtrIsHigh = false
  private var unwritten: [UInt8] = []
  var waiting = PacketQueue()
  /// The packet that the server answers when its answer comes behind the news that it has it.
  var lastDelivered: OutgoingPacket?
  /// The packet that the driver has, to go back into the queue when an alert takes its place.
  var current: OutgoingPacket?
  /// Which servers are reached, and whose the modem is connecting to.
  var standing = TransportStanding()
  private var connecting: ModemTransport?
  /// Since when it works on that; a modem that is not up yet works on nothing.
  var currentSince = Instant.zero
  /// Turns that have ended since something was delivered.
  private var lostTurns = 0
  private var news: [UplinkNews] = []
  var supplyIsLow = false
  /// Where it keeps what the modem at hand does otherwise than its manual, and what is kept there.
  let quirksMemory: any KeptBytes
  var keptQuirks: UInt64
  /// How often the signal had been read when it was told last.
  var toldSignals: UInt32 = 0
  /// What the broker is told beside the packets.
  var announcer: ModemAnnouncer?
  /// Packets of which the broker has the first message, and not yet the one that is kept for its kind.
  var copies: Set<PacketKey> = []
  /// The newest packets, of all and on each topic.
  var newest = NewestPackets()
  /// Connections to the broker that were made when it was told last, and since when its server is heard.
  var toldSessions: UInt32 = 0
  var hearsSince: Instant?
  private var buffer = [UInt8](repeating: 0, count: 4096)

  /// - Parameters:
  ///   - settings: Port and modem; which lines are connected follows from `lines` and `settings.hasDTR`.
  ///   - lines: The board's lines to the modem.
  ///   - clock: The clock of the loop that it will be in.
  ///   - seed: Of the jitter.
  ///   - memory: What brokers were told to keep, over starts. Default: none, and they are told with each start.
  ///   - quirks: What the modem was found to do otherwise than its manual, over starts. Default: none, and it is found out with each.
  ///   - opening: Opens the port. Default: `SerialPort.open`.
  package init(
    _ settings: ModemSettings, lines: ModemLines = ModemLines(), clock: any LoopClock, seed: UInt64,
    memory: any KeptBytes = ForgottenBytes(), quirks: any KeptBytes = ForgottenBytes(),
    opening: @escaping Opening = { path, rate throws(DeviceFailure) in
      try SerialPort.open(path, bitsPerSecond: rate)
    }
  ) {
    var driver = settings.driver
    driver.wiring.hasPowerKey = lines.setPowerKey != nil
    driver.wiring.hasReset = lines.setReset != nil
    driver.wiring.hasSupplySwitch = lines.setSupply != nil
    driver.wiring.hasStatus = lines.readStatus != nil
    driver.wiring.hasDTR = settings.hasDTR
    self.settings = settings
    self.lines = lines
    self.clock = clock
    self.opening = opening
    quirksMemory = quirks
    let kept = quirks.read()
    keptQuirks = kept.count == 8 ? kept.reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
    modem = Modem(configuration: driver, quirks: ModemQuirks(record: keptQuirks) ?? ModemQuirks(), seed: seed)
    modem.keepsMessages = true
    backOff = BackOff(seed: seed)
    way = ModemWay(seed: seed &+ 1)
    rate = Int(driver.rate)
    record = ModemDialogue(of: driver)
    if !driver.mqttHost.isEmpty { announcer = ModemAnnouncer(settings, memory: memory) }
  }

  deinit { stop() }

  // MARK: Life

  /// Joins the loop and opens the port; a port that can't be opened shows in `state`.
  package func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    guard self.loop == nil else { return }
    self.loop = loop
    if origin == nil { origin = now }
    loop.add(self)
    state = .opening
    openPort(at: now)
  }

  /// Closes the port and leaves the loop; the modem stays as it is.
  package func stop() {
    guard let loop else { return }
    loop.remove(self)
    self.loop = nil
    port?.close()
    port = nil
    unwritten = []
    retryAt = nil
    state = .idle
  }

  private func openPort(at now: Instant) {
    guard let loop else { return }
    retryAt = nil
    lastTry = now
    do throws(DeviceFailure) {
      let port = try opening(settings.port, rate)
      do throws(DeviceFailure) {
        try loop.watch(port.descriptor, for: .reading, by: self)
      } catch {
        port.close()
        throw error
      }
      self.port = port
      if dtrIsHigh, port.hasPins { try port.set(.dataTerminalReady, asserted: false) }
      watchesWriting = false
      portFailure = nil
      portCount += 1
      backOff.reset()
      statusLevel = nil
      readStatus(at: now)
      modem.advance(to: time(now))
      pass(at: now)
    } catch {
      losePort(error, at: now)
    }
  }

  private func losePort(_ failure: DeviceFailure, at now: Instant) {
    if let port {
      loop?.forget(port.descriptor)
      port.close()
    }
    port = nil
    unwritten = []
    portFailure = failure
    // A port that was plugged in is to be used soon.
    retryAt = now + min(.seconds(10), backOff.next(after: .passing))
    showState()
  }

  /// The driver's time.
  func time(_ now: Instant) -> Instant { .zero + (now - (origin ?? now)) }

  // MARK: The loop

  /// The port has bytes, or room, or is gone.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    guard let port, port.descriptor == descriptor else { return }
    do throws(DeviceFailure) {
      if readiness.contains(.reading) {
        let count = try port.read(into: &buffer)
        if count > 0 {
          let bytes = Array(buffer[..<count])
          record.noteHeard(bytes, at: now)
          readStatus(at: now)
          modem.receive(bytes.span, at: time(now))
        }
      }
    } catch {
      return losePort(error, at: now)
    }
    pass(at: now)
  }

  /// Lets the driver see to its deadlines, or opens the port again.
  package func advance(to now: Instant) {
    way.advance(to: time(now))
    showState()
    if port == nil {
      if let retryAt, retryAt <= now { openPort(at: now) }
    } else {
      readStatus(at: now)
      modem.advance(to: time(now))
      endTurn(at: now)
      pass(at: now)
    }
  }

  /// When `advance` is wanted next.
  package var nextDeadline: Instant? {
    guard port != nil, let origin else { return retryAt }
    var own = modem.nextDeadline.map { origin + ($0 - .zero) }
    if let turnEnd { own = min(own ?? turnEnd, turnEnd) }
    if let due = announcementDue { own = min(own ?? due, due) }
    guard let until = way.troubleUntil else { return own }
    let end = origin + (until - .zero)
    return min(own ?? end, end)
  }

  /// Tells the driver the STATUS line when it has changed. It is read before each decision of the driver, which has a deadline
  /// for whatever it waits for.
  private func readStatus(at now: Instant) {
    guard let level = lines.readStatus?(), level != statusLevel else { return }
    statusLevel = level
    modem.setStatus(isHigh: level, at: time(now))
  }

  /// Switches the modem's own satellite receiver.
  package func setGNSS(isOn: Bool, at now: Instant) {
    modem.setGNSS(isOn: isOn, at: time(now))
    if port != nil { pass(at: now) }
  }

  // MARK: The driver

  /// Does what the driver wants until it wants nothing more, and gives it the next packet.
  func pass(at now: Instant) {
    repeat {
      while port != nil, let action = modem.nextAction() { perform(action, at: now) }
      noteSession(at: now)
    } while port != nil && (beginNext(at: now) || announce(at: now))
    if modem.phase != .running { currentSince = now }
    connecting = modem.connecting
    drainSentences()
    tellSignal(at: now)
    keepQuirks()
    write(at: now)
    showState()
  }

  private func write(at now: Instant) {
    guard let port else { return }
    var output = ByteBuffer()
    modem.drainOutput(at: time(now), into: &output)
    if !output.bytes.isEmpty {
      record.noteSent(output.bytes, at: now)
      unwritten += output.bytes
    }
    do throws(DeviceFailure) {
      if !unwritten.isEmpty { unwritten.removeFirst(try port.write(unwritten[...])) }
      if unwritten.isEmpty == watchesWriting {
        watchesWriting = !unwritten.isEmpty
        try loop?.watch(port.descriptor, for: watchesWriting ? [.reading, .writing] : .reading, by: self)
      }
    } catch {
      losePort(error, at: now)
    }
  }

  private func drainSentences() {
    var sentences = ByteBuffer()
    modem.drainNMEA(into: &sentences)
    if !sentences.bytes.isEmpty { tell(.sentences(sentences.bytes)) }
  }

  private func perform(_ action: ModemAction, at now: Instant) {
    if let outcome = way.take(action, of: modem, at: time(now)) { note(outcome, at: now) }
    switch action {
    case .setPowerKey(let isLow): lines.setPowerKey?(isLow)
    case .setReset(let isLow): lines.setReset?(isLow)
    case .setSupply(let isOn): lines.setSupply?(isOn)
    case .setRate(let rate):
      onPort(at: now) { port throws(DeviceFailure) in
        self.rate = Int(rate)
        try port.setRate(Int(rate))
      }
    case .setDTR(let isHigh):
      dtrIsHigh = isHigh
      // Asserted is low at the modem's side.
      onPort(at: now) { port throws(DeviceFailure) in
        if port.hasPins { try port.set(.dataTerminalReady, asserted: !isHigh) }
      }
    case .delivered, .undelivered: break
    case .fix:
      guard var fix = modem.fix, let origin else { return }
      fix.time = origin + (fix.time - .zero)
      tell(.fix(fix))
    case .reply(let source, _):
      var reply = ByteBuffer()
      modem.drainReply(into: &reply)
      guard !reply.bytes.isEmpty else { return }
      if source == .http, let packet = current ?? lastDelivered {
        tell(.answer(reply.bytes, to: packet.sequence, kind: packet.kind, way: packet.way))
      } else if source == .sms {
        tell(textMessage(reply.bytes))
      } else if source == .server {
        hearServer(reply.bytes, at: now)
      } else {
        tell(.request(reply.bytes, channel: channel(of: source)))
      }
    case .started: supplyIsLow = false
    case .supplyLow: supplyIsLow = true
    case .recovery(_, let trouble):
      giveUpAnnouncement(at: now)
      if trouble == .noSession, let server = connecting { noteUnreached(server, at: now) }
    case .networkTime: break
    }
  }

  private func onPort(at now: Instant, _ body: (any SerialTransport) throws(DeviceFailure) -> Void) {
    guard let port else { return }
    do throws(DeviceFailure) {
      try body(port)
    } catch {
      losePort(error, at: now)
    }
  }

  private func note(_ outcome: ModemOutcome, at now: Instant) {
    if noteAnnouncement(outcome, at: now) { return }
    switch outcome {
    case .delivered(let sequence, let way):
      if let packet = current { standing.delivered(by: transport(of: packet)) }
      if let packet = current, packet.sequence == sequence, packet.way == Int(way) {
        lastDelivered = packet
        current = nil
        if takesCopy(packet) {
          lostTurns = 0
          return waiting.putBack(packet)
        }
      }
      lostTurns = 0
      tell(.delivered(sequence: sequence, way: Int(way)))
    case .undelivered(let sequence, let way, let reason):
      current = nil
      copies.remove(PacketKey(sequence: sequence, way: Int(way)))
      tell(.undelivered(sequence: sequence, way: Int(way), reason: reason.words(port: settings.port)))
    }
  }

  // MARK: Packets

  /// Takes a packet; the driver begins with it when the call returns, if it is free.
  package func take(_ packet: OutgoingPacket, at now: Instant) {
    if let current, current.isSame(as: packet) { return }
    guard !waiting.contains(packet), !isLeftAlone(packet, at: now) else { return }
    waiting.append(packet)
    interruptAnnouncement(at: now)
    if port != nil {
      if packet.kind.priority == .alert {
        makeQueueRoom(at: now)
        endTurn(at: now)
      }
      pass(at: now)
    } else if let retryAt, packet.kind.priority == .alert {
      self.retryAt = min(retryAt, max(now, lastTry + BackOff.alertPatience))
    }
  }

  /// Takes back a report that is not being sent yet; it goes after the alert.
  private func makeQueueRoom(at now: Instant) {
    guard let packet = current else { return }
    guard way.makeRoom(on: &modem, at: time(now)) != nil || letsPreferredGo(packet, at: now) else { return }
    current = nil
    waiting.putBack(packet)
  }

  /// How long a packet keeps the driver to itself while another waits that takes another transport, if one of them is an alert: a
  /// quarter of the usual `fallbackAfter`. Reports leave each other all of it. Each turn that delivers nothing makes the next twice as long, so
  /// that a slow network has its time, too. To a server that was not reached last it goes after a minute only.
  static var firstTurn: Interval { .seconds(5) }

  /// The packet that has the next turn: an alert that a report keeps waiting, or the first that takes another transport.
  private var nextTurn: OutgoingPacket? {
    guard let packet = current else { return nil }
    if packet.kind.priority != .alert, waiting.hasAlert { return waiting.first }
    return waiting.first(notOn: packet.channel)
  }

  /// When that is; nil when there is none, or when what the driver has can't be taken back now.
  private var turnEnd: Instant? {
    guard let packet = current, let next = nextTurn, modem.canLetGo else { return nil }
    // The attempt goes on without it, and the alert is in hand when that is over.
    if next.kind.priority == .alert, let server = modem.connecting, server != transport(of: next),
      !standing.isFailing(transport(of: next))
    {
      return currentSince + CellularUplink.firstTurn
    }
    let isUrgent = packet.kind.priority == .alert || next.kind.priority == .alert
    let isToTry = standing.isFailing(transport(of: next)) && !standing.isFailing(transport(of: packet))
    let turn = CellularUplink.firstTurn.microseconds * (isToTry ? 12 : isUrgent ? 1 : 4)
    return currentSince + Interval(microseconds: turn << min(lostTurns, 5))
  }

  private func endTurn(at now: Instant) {
    guard let end = turnEnd, end <= now, modem.phase == .running, let packet = current, let next = nextTurn,
      way.yield(on: &modem, at: time(now))
    else { return }
    lostTurns += 1
    waiting.remove(next.sequence, way: next.way)
    waiting.yield(packet)
    begin(next, at: now)
  }

  /// Forgets a packet of a way; the driver stops working on it.
  package func forget(_ sequence: UInt32, way number: Int) {
    waiting.remove(sequence, way: number)
    copies.remove(PacketKey(sequence: sequence, way: number))
    let now = clock.now
    guard way.forget(sequence, way: UInt8(clamping: number), on: &modem, at: time(now)) else { return }
    current = nil
    if port != nil { pass(at: now) }
  }

  private func beginNext(at now: Instant) -> Bool {
    guard current == nil, modem.isFree,
      let packet = waiting.popFirst(preferring: { !standing.isFailing(transport(of: $0)) })
    else { return false }
    begin(packet, at: now)
    return true
  }

  private func begin(_ packet: OutgoingPacket, at now: Instant) {
    let transport = transport(of: packet)
    current = packet
    currentSince = now
    let place = transport == .mqtt ? publication(of: packet) : ModemPublication()
    let isTaken = place.map {
      way.begin(
        packet.bytes.span, sequence: packet.sequence, way: UInt8(clamping: packet.way), kind: packet.kind,
        by: transport, to: $0, on: &modem, at: time(now))
    }
    guard isTaken != true else { return }
    current = nil
    let reason =
      isTaken == nil
      ? "its topic is longer than the modem takes"
      : "\(packet.bytes.count) bytes; this transport takes 1 to \(transport.payloadLimit), and no control characters in a message"
    tell(.undelivered(sequence: packet.sequence, way: packet.way, reason: reason))
  }

  // MARK: What it tells

  func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }

  private func showState() {
    guard loop != nil else { return }
    let next = currentState
    guard next != state else { return }
    state = next
    onNews()
  }

  private var currentState: UplinkState {
    if let portFailure { return .failed(reason: portFailure.message, retryAt: retryAt) }
    switch way.state(of: modem) {
    case .idle: return .idle
    case .opening: return .opening
    case .open: return .open
    case .failed:
      let reason = ModemWay.lastingTrouble(of: modem)?.words(port: settings.port) ?? "out of order"
      let until = way.troubleUntil.flatMap { until in origin.map { $0 + (until - .zero) } }
      return .failed(reason: reason, retryAt: current == nil ? until : nil)
    }
  }

  /// The next news.
  package func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
}

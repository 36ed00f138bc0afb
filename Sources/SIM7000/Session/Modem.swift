import ATCommands
public import ASCIIText
import InlineStorage
public import Quantities

/// A driver that takes a SIM7000 from switched off to "the server has the packet", and back from whatever goes wrong.
///
/// It does no input or output: bytes and levels of lines go in with their time, actions and bytes come out.
///
///     modem.receive(bytes, at: now)            // or setStatus, submit, advance
///     while let action = modem.nextAction() { … }
///     modem.drainOutput(at: now, into: &port)
///     sleep(until: modem.nextDeadline)
///
/// Inside there is a plan and a ladder. The plan (`nextStep`) looks at what is known of the modem and names the first thing
/// that is missing for the work at hand; each thing is one exchange, `ModemStep`, with a deadline of its own. When one
/// fails, the ladder (`RecoveryLadder`) says what to do against it, which comes down to making facts unknown and planning
/// again. A modem that has started anew is the simplest case: everything is unknown.
///
/// - Complexity: no allocation; a call makes at most a handful of steps.
public struct Modem: ~Copyable {
  /// What was asked for.
  public let configuration: ModemConfiguration
  /// Counts of the line.
  public var lineDiagnostics: ATDiagnostics { channel.diagnostics }
  /// Counts of the driver.
  public internal(set) var diagnostics = ModemDiagnostics()
  /// What was done against trouble.
  public internal(set) var ladder: RecoveryLadder
  /// Time and charge.
  public internal(set) var energy: EnergyLedger
  /// The last fix of the modem's own receiver.
  public internal(set) var fix: GNSSFix?
  /// Strength of the last signal, dBm.
  public internal(set) var signalStrengthDBm: Int16?
  /// How often it was read.
  package internal(set) var signalCount: UInt32 = 0
  /// The supply as the modem measures it, mV.
  public internal(set) var supplyMillivolts: UInt16?
  /// Firmware of the modem, once it has answered.
  public internal(set) var firmware: FirmwareRevision?
  /// What it does otherwise than its manual.
  public internal(set) var quirks: ModemQuirks
  /// The last line that meant nothing to the driver, as far as there is room.
  public internal(set) var strangeLine = InlineBytes<48>()
  /// The last trouble since a packet was delivered.
  public var trouble: ModemTrouble? { lastTrouble }
  /// True when the modem did not take the name of the access point into its first context (`CGDCONT`), with which it attaches: a
  /// network that wants this name may not let it in.
  var refusesAccessPoint = false
  /// The last command that names the access point, its user or password and was refused, while it was not taken since.
  public internal(set) var refusedCommand: CommandRefusal?
  /// True when no modem has answered yet.
  public internal(set) var wasNeverHeard = true
  /// The exchange under way; nil when there is none.
  public internal(set) var step: ModemStep?
  /// What the modem is doing about its power.
  public internal(set) var phase = ModemPhase.undetermined

  var channel = ATChannel<SIM7000Dialect>()
  var facts = ModemFacts()
  var actions = InlineQueue<24, ModemAction>()
  var replies = ReplyQueue()
  var nmea = ModemParts.SentenceBytes()
  /// Exchanges the ladder has ordered, before the plan goes on.
  var orders = InlineQueue<8, ModemStep>()
  var delivery: Delivery?
  /// Until when a way is kept ready though there is no packet.
  var preparedUntil = Instant.zero
  var packet = ModemParts.PacketBytes()
  /// Where MQTT brings it.
  var publication = ModemPublication()
  /// Connections to the broker that were made.
  package internal(set) var brokerSessionCount: UInt32 = 0
  /// True while the modem is connected to the broker.
  package var hasBrokerSession: Bool { facts.mqtt == .yes }
  /// True once the server's topic is subscribed to, or can't be.
  package var hearsServer: Bool { facts.mqttHearsServer }
  /// The first of four settings of the last will, behind those of TLS.
  static var willPlace: Int { 9 }
  /// The other way to the same server is being tried.
  var takesOtherWay = false
  /// Commands that were refused to the packet at hand in the midst of its way, and the way that was left for that.
  var midwayRefusals: UInt8 = 0
  var midwaySilences: UInt8 = 0
  /// The transport that the last packet was to take.
  var lastTransport = ModemTransport.mqtt
  /// Exchanges of which the line damaged something since a packet was delivered; the last one is such, and nothing else is at fault; its echo was damaged;
  /// something was damaged since the last exchange began.
  var lineFaults: UInt8 = 0
  var lineIsAtFault = false
  var isGarbled = false
  var hasDamage = false
  /// A text may have been sent though the modem said that it was not.
  var messageIsDoubted = false
  var refusedWay: ModemTransport?
  /// What an earlier owner may have left in the modem.
  var leftovers = Leftovers()
  /// Nothing is begun before this.
  var pauseUntil = Instant.zero
  /// When the present phase ends by itself.
  var phaseDeadline: Instant?
  /// Passes through all rates without an answer.
  var linkPasses: UInt8 = 0
  var rateIndex: UInt8 = 0
  var surveyPlace: UInt8 = 0
  var statusIsHigh = false
  /// With alternating reception: true while data has its turn.
  var turnIsData = true
  var wantsGNSS: Bool
  /// What the power key is held for.
  var pressIsOn = true
  /// How long the modem rests once it is off.
  var restAfter = Interval.zero
  /// How long the radio rests once it is off.
  var radioRest = Interval.seconds(10)
  var rate: Int32
  /// The last ticket that was sent as a text; none up to it is sent before this time.
  var lastMessage: UInt32 = 0
  var messageHold = Instant.zero
  /// Since when registration is waited for.
  var registrationSince: Instant?
  var lastTrouble: ModemTrouble?
  /// The last exchange had no answer, or not a whole one.
  var endedInSilence = false
  /// Since when there is a session for commands, with no packet to prove it good.
  var listeningSince: Instant?
  /// Times that the modem refused its settings.
  var listeningRefusals: UInt8 = 0
  /// Searches that found no network, one after the other.
  var searchesInVain: UInt8 = 0
  /// The way that is kept ready though there is no packet.
  var prepared = ModemTransport.mqtt
  /// A session for commands whose settings the modem refuses is tried again then, later and later.
  var listeningRetry = Instant.zero
  /// When it was told to go into power saving mode, when it was last made to search anew because it did not, and how often in vain.
  var restAskedAt = Instant.zero
  var restSearchedAt = Instant.zero
  var restSearches: UInt8 = 0
  var lastWork = Instant.zero
  var lastFixHeard = Instant.zero
  var lastSurvey: Instant?
  var lastStart: Instant?
  /// When the modem was last known to start, or was made to.
  var startedAt: Instant?
  var pinWasRefused = false
  /// Times the PIN was given since the card last worked, and it is not known what the card made of it.
  var pinDoubts: UInt8 = 0
  /// The packet that the exchange under way is for was taken back: what it brings counts for no other.
  var exchangeIsOrphaned = false
  /// An action for the last fix waits to be fetched: one is enough.
  var fixIsReported = false
  /// A start until then is our doing.
  var ownStartUntil = Instant(microseconds: -1)
  /// Starts of the modem not long ago that nobody had asked for.
  var unaskedStarts = InlineVector<3, Instant>()
  /// When the turn of alternating reception ends.
  var turnUntil = Instant.zero
  /// Messages in the store that were announced.
  var announcedMessages = InlineQueue<8, UInt8>()
  /// The message that is read at present, what was handed on before, and what could not be read.
  var reading = MessageReading()
  /// True when a text message that was handed on stays in its store until `noteKept`, for two minutes at most: should the host lose its power
  /// before, the message is found again. Default: false.
  public var keepsMessages = false
  /// Messages that were handed on and are not kept yet, and since when the first of them.
  var unkeptMessages: UInt8 = 0
  var unkeptSince = Instant.zero
  /// When a line or an echo last came damaged.
  var damagedAt: Instant?
  var toldMessages = ToldMessages()
  var unreadPlaces = UnreadPlaces()
  var messageText = ModemParts.MessageBytes()
  /// When the server's line for the packet is missing.
  var acknowledgementUntil = Instant.zero
  /// The line of the connection that is not whole yet.
  var connectionLine = ModemParts.ConnectionBytes()
  /// A receiver that would not switch on is tried again then.
  var gnssRetry = Instant.zero
  var now = Instant.zero
  private let inPlace = InPlace()

  /// A driver for a modem of which nothing is known.
  ///
  /// - Parameters:
  ///   - configuration: What is wanted.
  ///   - currents: For the energy ledger.
  ///   - quirks: What was learnt of this modem before.
  ///   - seed: Start of the jitter.
  public init(
    configuration: ModemConfiguration = ModemConfiguration(), currents: ModemCurrents = ModemCurrents(),
    quirks: ModemQuirks = ModemQuirks(), seed: UInt64
  ) {
    self.quirks = quirks
    self.configuration = configuration
    ladder = RecoveryLadder(seed: seed)
    energy = EnergyLedger(currents: currents)
    rate = configuration.rate
    wantsGNSS = configuration.gnss && !ModemParts.isMQTTAlone
  }

  // MARK: In

  /// Takes bytes of the modem.
  public mutating func receive(_ bytes: Span<UInt8>, at now: Instant) {
    begin(at: now)
    var place = 0
    while true {
      let (taken, event) = channel.digest(bytes.extracting(place..<bytes.count), at: self.now)
      place += taken
      if event == .none {
        if place >= bytes.count { break }
      } else {
        handle(event)
      }
    }
    // A torn line may never end.
    if phase == .asleep, !bytes.isEmpty { doubtStore() }
    run()
  }

  /// Lets time pass.
  public mutating func advance(to now: Instant) {
    begin(at: now)
    run()
  }

  /// The level of the STATUS output: high while the modem is on.
  public mutating func setStatus(isHigh: Bool, at now: Instant) {
    begin(at: now)
    if isHigh != statusIsHigh {
      statusIsHigh = isHigh
      statusChanged()
    }
    run()
  }

  /// Takes a packet for delivery; one at a time.
  ///
  /// - Parameters:
  ///   - payload: At most 1,024 bytes, 512 with MQTT, 160 in a message.
  ///   - ticket: The packet's sequence number; it comes back with the outcome, and is what the server of a TCP connection
  ///     has to acknowledge.
  ///   - transport: The way.
  ///   - publication: Where MQTT brings it. Default: the topic of the configuration, not retained.
  /// - Returns: False, and nothing changed, when another packet is under way, or was taken back while bytes of it wait to be fetched
  ///   (`drainOutput`); when the payload is empty (but for what the broker is to forget), too long, or a message with a byte in it
  ///   that ends messages (0x1A, 0x1B).
  public mutating func submit(
    _ payload: Span<UInt8>, ticket: UInt32, by transport: ModemTransport,
    to publication: ModemPublication = ModemPublication(), at now: Instant
  ) -> Bool {
    guard isFree, !payload.isEmpty || (transport == .mqtt && publication.isRetained),
      payload.count <= transport.payloadLimit,
      !ModemParts.isMQTTAlone || transport == .mqtt,
      transport != .sms || !Modem.endsMessage(payload)
    else { return false }
    begin(at: now)
    packet.removeAll()
    if transport == .sms { keepPlain(payload) } else { packet.append(contentsOf: payload) }
    self.publication = publication
    delivery = Delivery(ticket: ticket, transport: transport, deadline: self.now + configuration.deliveryTimeout)
    facts.delivery = .waiting
    facts.refusals = 0
    facts.endDoubts = 0
    // What was found out of the ways to a server is true for the next packet, too.
    if lastTransport != transport {
      takesOtherWay = false
      endTries()
    }
    lastTransport = transport
    lastWork = self.now
    // News must not wait for the end of an old pause, nor of an old rest.
    pauseUntil = self.now
    restAfter = .zero
    if phase == .resting, let phaseDeadline { self.phaseDeadline = min(phaseDeadline, self.now + PowerTime.offToOn) }
    if phase == .starting, let phaseDeadline {
      self.phaseDeadline = min(phaseDeadline, self.now + PowerTime.startAfterReset)
    }
    run()
    return true
  }

  /// The ways to a server are tried anew.
  mutating func endTries() {
    midwayRefusals = 0
    midwaySilences = 0
    refusedWay = nil
  }

  /// A message has 7 bits a character: one of UTF-8 that is longer becomes a question mark.
  private mutating func keepPlain(_ payload: Span<UInt8>) {
    var place = 0
    while place < payload.count {
      let byte = payload[place]
      if byte < 0x80 { packet.append(byte) } else if byte >= 0xC0 { packet.append(0x3F) }
      place += 1
    }
  }

  private static func endsMessage(_ payload: Span<UInt8>) -> Bool {
    var place = 0
    while place < payload.count {
      if payload[place] == 0x1A || payload[place] == 0x1B { return true }
      place += 1
    }
    return false
  }

  /// Makes everything ready for a packet that may come: starts or wakes the modem and brings up network, bearer and, with MQTT,
  /// the session.
  ///
  /// - Parameters:
  ///   - transport: The way the packet would go.
  ///   - interval: How long it is kept ready.
  public mutating func prepare(
    for transport: ModemTransport, lasting interval: Interval = .seconds(120), at now: Instant
  ) {
    guard !ModemParts.isMQTTAlone || transport == .mqtt else { return }
    begin(at: now)
    prepared = transport
    preparedUntil = self.now + interval
    pauseUntil = self.now
    run()
  }

  /// True when `submit` would take a packet.
  public var isFree: Bool { delivery == nil && !channel.holdsPayload }

  /// True when the packet under way can be taken back without that it is sent twice for nothing: it has not left, or the server of its
  /// request has not answered yet.
  public var canLetGo: Bool {
    guard let delivery else { return false }
    if delivery.transport == .sms, facts.delivery == .sent { return false }
    guard let step, step.carriesPacket else { return true }
    return (step == .httpRequest || step == .legacyRequest) && channel.awaitsOutcome
  }

  /// Takes the packet under way back; it may still arrive.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - abandonsAnswer: A request that has left is not waited for, and its session is closed: the next packet goes at once.
  public mutating func cancel(at now: Instant, abandonsAnswer: Bool = false) {
    begin(at: now)
    if abandonsAnswer, step == .httpRequest || step == .legacyRequest, channel.abandonOutcome(at: self.now) {
      orderSessionClosed()
    }
    endDelivery(.undelivered(ticket: delivery?.ticket ?? 0, reason: .cancelled))
    run()
  }

  /// Whose server the modem is connecting to, by a command during which it listens to no other; nil when it is not.
  package var connecting: ModemTransport? {
    guard let connecting = step?.connectsTo else { return nil }
    // It may be another way to the server of the packet.
    return way == connecting ? delivery?.transport : connecting
  }

  /// Switches the modem's own satellite receiver on or off.
  public mutating func setGNSS(isOn: Bool, at now: Instant) {
    begin(at: now)
    wantsGNSS = isOn && !ModemParts.isMQTTAlone
    run()
  }

  // MARK: Out

  /// What to do or to know next; nil when there is nothing more.
  public mutating func nextAction() -> ModemAction? {
    let action = actions.popFirst()
    if action == .fix { fixIsReported = false }
    return action
  }

  /// Writes the bytes for the modem that are due.
  public mutating func drainOutput(at now: Instant, into sink: inout some ByteSink) {
    channel.drainOutput(at: now, payload: packet.span, into: &sink)
  }

  /// Writes the first reply that waits (see `ModemAction.reply`) and forgets it.
  public mutating func drainReply(into sink: inout some ByteSink) { replies.popFirst(into: &sink) }

  /// What a text message asked for is on the storage, or nothing is to be kept of it: with `keepsMessages` it may be deleted now. To be called
  /// once for each reply of a message, in their order; two minutes after one of them at most, as all that wait are given up then.
  public mutating func noteKept(at now: Instant) {
    guard unkeptMessages > 0 else { return }
    begin(at: now)
    unkeptMessages -= 1
    if orders.isEmpty, step == nil, phase == .running, !pausesForModem { pauseUntil = self.now }
    run()
  }

  /// Writes NMEA sentences the modem has sent on the same line, for an `NMEAReceiver`.
  public mutating func drainNMEA(into sink: inout some ByteSink) {
    sink.append(bytes: nmea.span)
    nmea.removeAll()
  }

  /// When `advance` or `drainOutput` has something to do; nil when only news from outside can change anything.
  public var nextDeadline: Instant? {
    var earliest = channel.nextDeadline
    if let phaseDeadline { earliest = min(earliest ?? phaseDeadline, phaseDeadline) }
    if let wake = ownWake { earliest = min(earliest ?? wake, wake) }
    if let delivery { earliest = min(earliest ?? delivery.deadline, delivery.deadline) }
    return earliest
  }

  /// True while there may be a packet at any moment.
  var isPreparing: Bool { preparedUntil > now }

  private var ownWake: Instant? {
    switch phase {
    // It has not begun yet.
    case .undetermined: return now
    case .running: return step == nil ? nextWake : nil
    case .off, .dormant: return needsModem && pauseUntil > now ? pauseUntil : nil
    case .pressing, .starting, .linking, .stopping, .resetting, .unpowered, .resting, .asleep, .waking: return nil
    }
  }

  private mutating func begin(at time: Instant) {
    // A clock that went back is treated as one that stood still.
    if time > now { now = time }
  }

  /// Does everything that is due.
  mutating func run() {
    var event = channel.expire(at: now)
    while event != .none {
      handle(event)
      event = channel.expire(at: now)
    }
    checkDeliveryDeadline()
    if let phaseDeadline, phaseDeadline <= now { phaseExpired() }
    while let next = nextStep() {
      begin(next)
      // A command that is too long ends at once.
      event = channel.expire(at: now)
      while event != .none {
        handle(event)
        event = channel.expire(at: now)
      }
    }
    energy.book(load, hasGNSS: facts.gnss == .yes, at: now)
  }

  private mutating func checkDeliveryDeadline() {
    checkReportDeadline()
    guard let delivery, delivery.deadline <= now else { return }
    endDelivery(.undelivered(ticket: delivery.ticket, reason: .timedOut(lastTrouble)))
  }

  @inline(never) mutating func endDelivery(_ outcome: ModemAction) {
    guard delivery != nil else { return }
    delivery = nil
    facts.delivery = .waiting
    exchangeIsOrphaned = step != nil
    lastWork = now
    report(outcome)
  }

  mutating func report(_ action: ModemAction) {
    if !actions.append(action) { diagnostics.actionsDropped &+= 1 }
  }

  /// What the modem draws its current for.
  var load: ModemLoad {
    switch phase {
    case .off, .resting, .unpowered, .undetermined: return .off
    case .dormant: return .powerSaving
    case .asleep: return .asleep
    case .pressing, .starting, .linking, .stopping, .resetting, .waking: return .starting
    case .running:
      switch step {
      case .httpConnect, .httpRequest, .legacyRequest, .mqttConnect, .mqttPublish, .mqttSubscribe, .mqttListen,
        .tcpOpen,
        .tcpSend, .socketOpen, .socketSend, .messageSend, .bearerOpen, .socketsUp, .profileOpen, .attach:
        return .transmitting
      default: return facts.registration == .yes ? .idle : facts.sim == .yes ? .searching : .starting
      }
    }
  }
}

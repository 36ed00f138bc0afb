import ATCommands
import InlineStorage
import Quantities

extension Modem {
  /// An event of the channel.
  mutating func handle(_ event: ATEvent) {
    switch event {
    case .none: break
    case .information: takeInformation()
    case .data: takeData()
    case .prompt: writePayload()
    case .finished(let result):
      guard let ended = step else { return }
      step = nil
      endedInSilence = result == .timedOut || result == .garbled
      if result == .garbled { noteDamage() }
      isGarbled = result == .garbled
      // A message that was not ended has not left.
      let hasLeft = ended.carriesPacket && !(ended == .messageSend && channel.isHolding)
      lineIsAtFault = endedInSilence && hasDamage && lineFaults < Modem.mostLineFaults && !hasLeft
      // What had no answer at all takes longer each time.
      if lineIsAtFault { lineFaults += isGarbled ? 1 : 4 }
      finish(ended, result)
      lineIsAtFault = false
    case .unsolicited: takeNotice()
    case .reset: mayHaveStarted()
    case .poweredDown: mayHavePoweredDown()
    case .synchronised: linkIsThere()
    case .silent:
      facts.isAlive = false
      linkIsSilent()
    }
  }

  /// Something went wrong: says so, and does what the ladder says.
  mutating func trouble(_ trouble: ModemTrouble, reaching proven: ModemReach? = nil) {
    // Nor is a packet sent again, whose server's line is still to come, because something else had no answer.
    if lineIsAtFault || isSentOnConnection && (trouble == .unanswered || trouble == .refused) { return repeatOnLine() }
    creditListening()
    facts.loss = nil
    lastTrouble = trouble
    step = nil
    orders.removeAll()
    switch trouble {
    case .searchEnded, .notRegistered, .denied:
      if searchesInVain < .max { searchesInVain += 1 }
      // A search anew is the time to look for what may keep it out.
      facts.contexts.doubtsCopies = true
      facts.accessPointIsSet = false
    default: break
    }
    if trouble == .noSession { leftovers.areDoubted = true }
    let reach = proven ?? reach(of: trouble)
    let cutsPower = configuration.wiring.hasPowerKey || configuration.wiring.hasSupplySwitch
    // A connection delivers what it was given, or ends: the same once more on it is only delivered twice.
    let isConnection = way == .tcp || way == .applicationTCP
    let lowest: RecoveryRung? = trouble == .unacknowledged && isConnection ? .session : nil
    let (rung, wait) = ladder.climb(for: trouble, from: lowest, reaching: reach, at: now, cutsPower: cutsPower)
    report(.recovery(rung, trouble))
    facts.bearerSince = nil
    facts.delivery = .waiting
    pauseUntil = now + wait
    switch rung {
    case .retry:
      // A closed session says nothing more of the request that it was asked for.
      if trouble == .unacknowledged, way == .http || way == .legacyHTTP { orderSessionClosed() }
    case .session: orderSessionClosed()
    case .bearer:
      orderSessionClosed()
      orderBearerClosed()
    case .attach:
      facts.doubtBearers()
      order(.detach)
      order(.attach)
    case .radio:
      radioRest = trouble.isBeyondRepair && wait > .seconds(10) ? wait : .seconds(trouble == .searchEnded ? 3 : 10)
      // The rest is the wait; what was in vain before is put off with the radio on: it may still find a network.
      pauseUntil = trouble.isBeyondRepair || wait < .seconds(10) ? now : now + wait
      order(.radioOff)
      order(.radioOn)
    case .reset: order(.restart)
    case .power:
      // It rests switched off, not wedged.
      restAfter = wait
      pauseUntil = now
      order(.switchOff)
    }
    changeWay(after: trouble, on: rung, reaching: reach)
  }

  /// The line has damaged what the modem said, or got: nothing that lies behind it is to blame, and no rung is climbed.
  @inline(never) private mutating func repeatOnLine() {
    lastTrouble = .unanswered
    ladder.counts[Int(RecoveryRung.retry.rawValue)] &+= 1
    report(.recovery(.retry, .unanswered))
    pauseUntil = now + ladder.jittered(.seconds(1))
  }

  /// Exchanges that the line may damage before a packet is delivered, and something else is to blame; our choice: a delivery takes some
  /// thirty.
  static var mostLineFaults: UInt8 { 20 }

  /// The two ways to the same server take turns: a server that was away may be reached only by one of them. What failed has been closed
  /// by then.
  private mutating func changeWay(after trouble: ModemTrouble, on rung: RecoveryRung, reaching reach: ModemReach) {
    guard otherWay != nil else { return }
    let isNotReached = rung == .bearer && (trouble == .noSession || trouble == .noBearer)
    // A session that is taken and lost may be better taken otherwise.
    if isNotReached || reach == .session && ladder.triesOnRung % 3 == 0 {
      midwaySilences = 0
      takesOtherWay.toggle()
    }
  }

  /// Something that was there, and that is needed, is gone: the modem said so by itself. The plan sees to it when nothing is under way:
  /// an exchange that fails over it is a trouble already.
  mutating func noteLoss(_ loss: ModemTrouble, reaching reach: ModemReach) {
    if let step, step.isRemedy { return }
    if facts.loss != nil, facts.lossReach <= reach { return }
    facts.loss = loss
    facts.lossReach = reach
  }

  /// Every loss that the modem tells of ends here: the first is had again at once, and each that follows before anything was
  /// achieved is a trouble like others.
  mutating func settleLoss() {
    // What came before the end is read first: it may be the server's line.
    let isToBeRead = way == .tcp && hasDataToRead(facts.tcp) || way == .applicationTCP && hasDataToRead(facts.socket)
    guard let loss = facts.loss, orders.isEmpty, !isToBeRead else { return }
    creditListening()
    facts.loss = nil
    if !ladder.forgivesLoss() { trouble(loss, reaching: facts.lossReach) }
  }

  /// A session for commands that has lasted is all there was to reach: troubles of other days must not add up to a power cycle.
  mutating func creditListening() {
    guard let since = listeningSince else { return }
    listeningSince = nil
    if now - since >= Modem.lastingSession { ladder.descend() }
  }

  /// How long a session lasts that was worth opening.
  static var lastingSession: Interval { .seconds(60) }

  /// How far the exchange that failed got, by what is known of the modem.
  private func reach(of trouble: ModemTrouble) -> ModemReach {
    // A modem whose echo comes is there, and no remedy mends its line.
    if isGarbled, trouble.reach != .nothing { return .session }
    switch trouble {
    case .noSession, .sessionLost, .unacknowledged, .noBearer: break
    default: return trouble.reach
    }
    // What is sent over a session that is up, and not answered: whatever the server does, it was reached. A modem that is silent
    // altogether is noticed by itself.
    if trouble == .unacknowledged || (trouble == .sessionLost && way == .mqtt), hasSession { return .session }
    // A modem that says nothing proves nothing.
    guard !endedInSilence, facts.registration == .yes, let way else { return trouble.reach }
    let hasBearer: Bool
    switch way {
    case .http, .mqtt, .applicationTCP: hasBearer = facts.bearer == .yes
    case .legacyHTTP: hasBearer = facts.profile == .yes
    case .tcp: hasBearer = facts.sockets == .yes
    case .sms: return .message
    }
    return hasBearer ? .bearer : trouble.reach
  }

  /// True when the server of the packet at hand has taken the connection that it goes by.
  private var hasSession: Bool {
    guard facts.registration == .yes else { return false }
    switch way {
    case .http: return facts.http == .yes
    case .mqtt: return facts.mqtt == .yes
    case .tcp: return facts.tcp == .yes
    case .applicationTCP: return facts.socket == .yes
    case .legacyHTTP, .sms, nil: return false
    }
  }

  private mutating func order(_ step: ModemStep) { orders.append(step) }

  private var sessionTransport: ModemTransport { way ?? (isPreparing ? prepared : .mqtt) }

  mutating func orderSessionClosed() {
    close(sessionTransport)
    // Whether the bearer is still there is quickly asked.
    facts.bearer = .unknown
    facts.profile = .unknown
  }

  /// Has the session of a transport closed.
  @inline(never) mutating func close(_ transport: ModemTransport) {
    switch transport {
    case .http: order(.httpClose)
    case .legacyHTTP: order(.legacyStop)
    case .mqtt: order(.mqttClose)
    case .tcp: order(.tcpClose)
    case .applicationTCP: order(.socketClose)
    case .sms: break
    }
    facts.loseSessions()
  }

  private mutating func orderBearerClosed() {
    switch sessionTransport {
    case .http, .mqtt, .applicationTCP: order(.bearerClose)
    case .legacyHTTP: order(.profileClose)
    case .tcp: order(.socketsShut)
    case .sms: break
    }
    facts.doubtBearers()
    facts.registration = .unknown
  }

  // MARK: Ways

  /// The way of the packet at hand: what was asked for, or another to the same server.
  var way: ModemTransport? {
    guard let asked = delivery?.transport else { return nil }
    guard let other = otherWay else { return asked }
    let isUsable = canGo(by: asked)
    return isUsable && !takesOtherWay ? asked : other
  }

  /// Another way to the server of the packet at hand that this modem may have.
  var otherWay: ModemTransport? {
    guard let asked = delivery?.transport, let other = alternative(to: asked), canGo(by: other) else { return nil }
    return other
  }

  private func alternative(to way: ModemTransport) -> ModemTransport? {
    switch way {
    case .http: return usesHTTPS ? nil : .legacyHTTP
    case .legacyHTTP: return .http
    case .tcp: return .applicationTCP
    case .applicationTCP: return .tcp
    case .mqtt, .sms: return nil
    }
  }

  func canGo(by way: ModemTransport) -> Bool {
    !quirks.lacks(way) && (way != .http || packet.count <= Int(quirks.bodyLimit))
  }

  /// A command without which a way can't be gone was refused: twice, and the modem does not have it.
  ///
  /// - Parameter isLasting: No remedy can change it: nothing is done but to ask once more.
  @inline(never) mutating func refuse(_ result: ATResult, isLasting: Bool = false) {
    guard !result.isUncertain else {
      trouble(.noSession)
      return countMidwaySilence()
    }
    guard let way else { return putOffListening() }
    facts.refusals += 1
    guard facts.refusals >= 2 else {
      if isLasting { pauseUntil = now + .seconds(1) } else { trouble(.sessionLost) }
      return
    }
    quirks.learnLack(of: way)
    leaveWay()
  }

  /// There is no packet, and the modem does not take what a session for commands needs: no remedy changes that.
  private mutating func putOffListening() {
    preparedUntil = now
    putOffCommands()
    facts.loseSessions()
  }

  /// Nobody lets it hear commands: that is tried again later and later, and holds up no packet.
  mutating func putOffCommands() {
    listeningRefusals = listeningRefusals < .max ? listeningRefusals + 1 : .max
    listeningRetry =
      now + ladder.jittered(.seconds(RecoveryLadder.waitSeconds(lap: listeningRefusals, most: 3600)))
  }

  /// A command of a session that is there was refused: the session is made anew, and after the second time the other way is gone. It may
  /// have been a passing fault: that the modem does not have this way is only known when the other has delivered.
  @inline(never) mutating func refuseMidway() {
    trouble(.sessionLost)
    countMidwayRefusal()
  }

  @inline(never) mutating func countMidwayRefusal() {
    midwayRefusals += 1
    guard midwayRefusals >= 2, otherWay != nil, canGo(by: delivery?.transport ?? .mqtt) else { return }
    midwayRefusals = 0
    refusedWay = way
    takesOtherWay.toggle()
  }

  /// A command of the way at hand has no answer though the modem has others: after the second time the other way is gone. Nothing is
  /// learnt from it, as a line may have been lost.
  mutating func countMidwaySilence() {
    midwaySilences += 1
    guard midwaySilences >= 2, otherWay != nil else { return }
    midwaySilences = 0
    takesOtherWay.toggle()
  }

  /// Goes another way, or hands the packet back.
  @inline(never) mutating func leaveWay() {
    facts.refusals = 0
    takesOtherWay = false
    facts.loseSessions()
    guard let delivery else { return trouble(.refused) }
    if canGo(by: delivery.transport) || otherWay != nil { return }
    // Whatever was learnt may have been a passing fault: the next packet finds out anew.
    quirks.lacking = 0
    endDelivery(.undelivered(ticket: delivery.ticket, reason: .unsupported))
  }
}

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
      finish(ended, result)
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
  mutating func trouble(_ trouble: ModemTrouble) {
    lastTrouble = trouble
    step = nil
    orders.removeAll()
    switch trouble {
    case .searchEnded, .notRegistered, .denied:
      if searchesInVain < .max { searchesInVain += 1 }
    default: break
    }
    let (rung, wait) = ladder.climb(for: trouble, reaching: reach(of: trouble), at: now)
    report(.recovery(rung, trouble))
    facts.bearerSince = nil
    // Before the bearer is blamed, the other way to the same server is tried.
    if rung == .bearer, trouble == .noSession || trouble == .noBearer, ladder.triesOnRung == 1, otherWay != nil {
      takesOtherWay.toggle()
    }
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
  }

  /// How far the exchange that failed got, by what is known of the modem.
  private func reach(of trouble: ModemTrouble) -> ModemReach {
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
    switch sessionTransport {
    case .http: order(.httpClose)
    case .legacyHTTP: order(.legacyStop)
    case .mqtt: order(.mqttClose)
    case .tcp: order(.tcpClose)
    case .applicationTCP: order(.socketClose)
    case .sms: break
    }
    facts.loseSessions()
    // Whether the bearer is still there is quickly asked.
    facts.bearer = .unknown
    facts.profile = .unknown
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
  mutating func refuse(_ result: ATResult) {
    guard let way, !result.isUncertain else { return trouble(.noSession) }
    facts.refusals += 1
    guard facts.refusals >= 2 else { return trouble(.sessionLost) }
    quirks.learnLack(of: way)
    leaveWay()
  }

  /// Goes another way, or hands the packet back.
  mutating func leaveWay() {
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

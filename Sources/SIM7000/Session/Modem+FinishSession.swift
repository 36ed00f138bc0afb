import ATCommands
import InlineStorage
import Quantities

extension Modem {
  // MARK: HTTP

  mutating func finishHTTP(_ ended: ModemStep, _ result: ATResult) {
    guard !ModemParts.isMQTTAlone else { return }
    if ended == .httpTLS { noteRefusal(ended, result) }
    // Whatever was not said of it: the modem knows.
    if ended == .httpConnect, result == .timedOut {
      orders.append(.httpState)
      return
    }
    if ended == .httpState, !result.isOK || facts.answerStatus == 0 {
      endedInSilence = true
      trouble(.noSession)
      return countMidwaySilence()
    }
    if result.isUncertain, ended.onlyInforms, isPassedInSilence {
      // A length that is not known to be refused is not made shorter.
      if ended == .httpBodyLength { return facts.httpPlace += 1 }
      return refuseHTTP(ended, .error)
    }
    if result.isUncertain || result == .failed || result == .open {
      let isRequest = ended == .httpRequest || ended == .legacyRequest
      let hasLost = ended == .httpRequest && facts.http != .yes
      if isRequest, result != .failed, !hasLost { return trouble(.unacknowledged) }
      trouble(ended == .httpConnect || ended == .legacyStart ? .noSession : .sessionLost)
      if result.isUncertain, !isRequest { countMidwaySilence() }
      return
    }
    guard result.isOK else { return refuseHTTP(ended, result) }
    switch ended {
    case .httpRequest, .legacyRequest: finishRequest(isLegacy: ended == .legacyRequest)
    case .httpConnect, .httpState:
      facts.delivery = .waiting
      facts.http = .yes
      facts.httpPlace = 10
      facts.hasHeaders = false
    case .httpClearHeaders: facts.httpPlace = 11
    case .httpHeader: facts.hasHeaders = true
    case .httpBody, .httpInlineBody, .legacyBody: facts.delivery = .loaded
    case .legacyContent: facts.legacy = .yes
    case .legacyStart:
      // A body that was given to the one before has gone with it.
      facts.delivery = .waiting
      facts.legacyPlace += 1
    case .legacyBearer, .legacyServer: facts.legacyPlace += 1
    default: facts.httpPlace += 1
    }
  }

  /// The modem does not take a command as it was given: another form, another way, or without it.
  private mutating func refuseHTTP(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .httpBodyLength:
      if quirks.bodyLimit > 32 {
        quirks.bodyLimit /= 2
        if let delivery, way == .http, packet.count > Int(quirks.bodyLimit), !canGo(by: delivery.transport) {
          leaveWay()
        }
      } else {
        quirks.learnLack(of: .http)
        leaveWay()
      }
    // Without these it may work, or say later why not.
    case .httpHeaderLength, .httpTLSVersion, .httpTLSName: facts.httpPlace += 1
    case .httpClearHeaders: facts.httpPlace = 11
    case .httpHeader: facts.hasHeaders = true
    case .legacyContent: facts.legacy = .yes
    case .legacyBearer: facts.legacyPlace += 1
    case .httpBody:
      facts.refusals += 1
      if facts.refusals >= 2 {
        facts.refusals = 0
        quirks.takesBodyInCommand = true
      }
      trouble(.sessionLost)
    case .legacyStart:
      // What is still there from before is refused like what is not there at all: it is ended first.
      facts.legacyIsEnded.toggle()
      if facts.legacyIsEnded {
        orders.append(.legacyStop)
      } else {
        refuse(result)
        countMidwayRefusal()
      }
    case .httpServer, .httpTLS, .httpInlineBody: refuse(result)
    case .httpConnect:
      // Not allowed is another thing than not reached.
      if case .equipmentError(let error) = result, error.code == 3 || error.code == 4, otherWay != nil {
        return refuse(result)
      }
      trouble(.noSession)
    default: refuseMidway()
    }
  }

  private mutating func finishRequest(isLegacy: Bool) {
    let status = facts.answerStatus
    switch status {
    case 200..<300:
      let count = facts.answerCount
      acknowledged()
      facts.bodyCount = min(count, Modem.bodyLimit)
      facts.bodyIsLegacy = isLegacy
    // Those of 4xx that pass by waiting, and what the server is to blame for.
    case 408, 425, 429, 500..<600: trouble(.serverFault)
    // A server that sends elsewhere will do so again: the address has to be put right.
    case 300..<500:
      guard let delivery else { return }
      endDelivery(.undelivered(ticket: delivery.ticket, reason: .rejected(status: UInt16(truncatingIfNeeded: status))))
    case 600..<700:
      // Not of the server but of the modem: its network is not there.
      trouble(.noBearer)
    default: trouble(.unacknowledged)
    }
  }

  /// The longest answer that is read.
  static var bodyLimit: Int { 512 }

  /// The server has the packet.
  @inline(never) mutating func acknowledged() {
    guard let delivery else { return }
    if let refusedWay, refusedWay != way { quirks.learnLack(of: refusedWay) }
    endTries()
    lineFaults = 0
    diagnostics.delivered &+= 1
    facts.loss = nil
    facts.endDoubts = 0
    listeningSince = nil
    leftovers.areDoubted = false
    ladder.descend()
    channel.allowance /= 2
    lastTrouble = nil
    facts.refusals = 0
    endDelivery(.delivered(ticket: delivery.ticket))
  }

  // MARK: MQTT

  mutating func finishMQTT(_ ended: ModemStep, _ result: ATResult) {
    if ended == .mqttPlain { return leftovers.noteCleared(.mqtt) }
    if ended == .mqttTLS { noteRefusal(ended, result) }
    if !result.isOK, !result.isUncertain, passes(ended) { return }
    if result.isUncertain, ended.onlyInforms, isPassedInSilence, passes(ended) { return }
    guard result.isOK else {
      // A broker may let it say everything and hear nothing.
      if ended == .mqttSubscribe, !result.isUncertain || isPassedInSilence {
        putOffCommands()
        return
      }
      // The session that it had counts for how far it got.
      switch ended {
      case .mqttServer where !result.isUncertain, .mqttTLS where !result.isUncertain: refuse(result)
      case .mqttPublish where result.isUncertain: trouble(.unacknowledged)
      case .mqttPublish, .mqttSubscribe: trouble(.sessionLost)
      // There was none before: one that is there now is the one that was asked for.
      case .mqttConnect where result == .timedOut: facts.silentOpening = .mqtt
      default: trouble(.noSession)
      }
      facts.mqtt = .unknown
      facts.mqttIsSubscribed = false
      facts.mqttHearsServer = false
      return
    }
    switch ended {
    case .mqttQuery:
      if facts.silentOpening == .mqtt {
        facts.silentOpening = nil
        guard facts.mqtt == .yes else {
          facts.mqtt = .no
          endedInSilence = true
          return trouble(.noSession)
        }
        return joinBroker()
      }
      if facts.mqtt == .yes, !leftovers.ownsBroker { orders.append(.mqttClose) }
      if !leftovers.ownsBroker || facts.mqtt == .unknown { facts.mqtt = .no }
    case .mqttUser: facts.mqttPlace = 5
    case .mqttPassword: facts.mqttPlace = 6
    case .mqttTLSVersion: facts.mqttPlace = 7
    case .mqttConnect: joinBroker()
    case .mqttSubscribe:
      facts.mqttIsSubscribed = true
      listeningRefusals = 0
      if delivery == nil { listeningSince = now }
    case .mqttListen: facts.mqttHearsServer = true
    case .mqttPublish: acknowledged()
    default: facts.mqttPlace += 1
    }
  }

  /// There is a session with the broker, and it is this driver's.
  @inline(never) private mutating func joinBroker() {
    facts.mqtt = .yes
    facts.mqttIsSubscribed = false
    leftovers.ownsBroker = true
    leftovers.noteCleared(.mqtt)
    facts.mqttHearsServer = false
    brokerSessionCount &+= 1
  }

  /// A command has no answer that a session can be had without: after the second time it goes on without it.
  var isPassedInSilence: Bool {
    mutating get {
      if facts.silences < 2 { facts.silences += 1 }
      return facts.silences >= 2
    }
  }

  /// What a session can be had without; true when the step is over with that.
  private mutating func passes(_ ended: ModemStep) -> Bool {
    switch ended {
    case .mqttQuery: facts.mqtt = .no
    case .mqttKeepAlive, .mqttCleanSession: facts.mqttPlace += 1
    case .mqttUser where configuration.mqttUser.isEmpty: facts.mqttPlace = 5
    case .mqttTLSVersion: facts.mqttPlace = 7
    case .mqttTLSName: facts.mqttPlace = 8
    case .mqttWill: facts.mqttPlace = Modem.willPlace + 4
    case .mqttListen: facts.mqttHearsServer = true
    case .mqttServer:
      guard !quirks.joinsBrokerAddress else { return false }
      quirks.joinsBrokerAddress = true
    default: return false
    }
    return true
  }

  // MARK: Connections

  mutating func finishConnection(_ ended: ModemStep, _ result: ATResult) {
    guard !ModemParts.isMQTTAlone else { return }
    switch ended {
    case .tcpPlain: return leftovers.noteCleared(.tcp)
    case .socketPlain: return leftovers.noteCleared(.applicationTCP)
    case .tcpRead:
      // What was asked for has been taken; an answer that could not be read says nothing about the rest.
      facts.tcpHasData = facts.tcpHasMore || result.isOK && facts.answerCount > 0
      return
    case .socketCount:
      facts.socketCount = result.isOK ? facts.answerCount : 0
      facts.tcpHasData = facts.socketCount > 0
      if result.isOK, !facts.tcpHasData, facts.socket != .yes, facts.delivery == .sent, facts.reads == 1 {
        leaveForgetful()
      }
      // The server's line is there and can't be had.
      if !result.isOK, !result.isUncertain, facts.delivery == .sent {
        // It is looked at once more before the packet goes again.
        if midwayRefusals > 0 { refuseMidway() } else { midwayRefusals = 1 }
      }
      return
    case .socketRead:
      // There may be more than was taken: asked again. What can't be read is left: asking would never end.
      facts.socketCount = 0
      if !result.isOK { facts.tcpHasData = false }
      return
    default: break
    }
    if ended == .socketSelect, !result.isUncertain {
      // It only names what is the only one anyhow.
      facts.socketIsSelected = true
      return
    }
    if ended == .socketState, facts.looksAtConnection {
      facts.looksAtConnection = false
      facts.tcpHasData = facts.tcpHasData || result.isOK && facts.answerStatus == 0
      if result.isOK, facts.answerStatus == 1 { loseSession(.applicationTCP) }
      return
    }
    // Whatever the modem says or does not say of it: the server tells what it has.
    let isSending = ended == .tcpSend || ended == .socketSend
    if result == .timedOut, channel.isWhole, !exchangeIsOrphaned, isSending {
      return awaitAcknowledgement(within: Modem.connectionLookPause, isOpen: true)
    }
    if ended == .socketOpen, result == .open || result == .timedOut {
      facts.silentOpening = result == .timedOut ? .applicationTCP : nil
      orders.append(.socketState)
      return
    }
    let wasSilent = ended == .socketState && facts.silentOpening == .applicationTCP
    if ended == .socketState { facts.silentOpening = nil }
    if wasSilent { endedInSilence = endedInSilence || facts.answerStatus != 0 }
    // Whose the good end is does not matter where the server tells what it has.
    let isSent =
      result.isOK || result == .open && ended == .socketSend
      || result == .doubtful && channel.isWhole && isSending
    guard isSent, facts.answerStatus == 0 else {
      let isRefused = !result.isOK && !result.isUncertain && result != .failed
      facts.tcp = .no
      facts.socket = .no
      if ended == .socketOpen, isRefused { return refuse(result) }
      if isRefused, isSending { return refuseMidway() }
      // What the modem says of itself proves nothing of a way to the server.
      let isItsOwn = ended == .socketOpen && result.isOK && facts.answerStatus > 1
      trouble(isSending ? .sessionLost : .noSession, reaching: isItsOwn ? .network : nil)
      if result.isUncertain || wasSilent { countMidwaySilence() }
      return
    }
    switch ended {
    case .tcpOpen:
      facts.tcp = .yes
      facts.reads = 0
      connectionLine.removeAll()
      leftovers.noteCleared(.tcp)
    case .socketOpen, .socketState:
      facts.socket = .yes
      facts.reads = 0
      connectionLine.removeAll()
      leftovers.noteCleared(.applicationTCP)
    default: awaitAcknowledgement(within: Modem.acknowledgementTimeout, isOpen: false)
    }
  }

  /// What was announced is gone with the connection. A modem that forgets it so does it each time, and the packet has arrived each time:
  /// the other way is taken at once.
  ///
  /// - Source: vshymanskyy/TinyGSM#507 and #437.
  private mutating func leaveForgetful() {
    guard otherWay != nil else { return }
    facts.loss = nil
    facts.delivery = .waiting
    midwayRefusals = 1
    countMidwayRefusal()
  }

  private mutating func awaitAcknowledgement(within interval: Interval, isOpen: Bool) {
    facts.delivery = .sent
    facts.reads = 0
    facts.sendingIsOpen = isOpen
    facts.looksAtConnection = false
    facts.connectionLookAt = isOpen ? now : now + Modem.connectionLookPause
    acknowledgementUntil = now + interval
  }

  /// How long the server of a connection may take for its line: as long as one of another way may (`outcomeLimit`). What has been given
  /// to a connection arrives, or the connection ends; to give it the same once more is of no use before.
  static var acknowledgementTimeout: Interval { .seconds(45) }
}

import InlineStorage
import ATCommands
import Quantities

extension Modem {
  /// An exchange is over: what it says becomes fact, or trouble.
  mutating func finish(_ ended: ModemStep, _ result: ATResult) {
    // The start of the modem is reported next, and makes everything unknown.
    guard result != .modemReset else { return }
    if exchangeIsOrphaned, ended.carriesPacket, result.isOK { return }
    switch ended {
    case .echoSet, .errorCodes, .rateQuery, .fixRate, .identity, .supplyNotices, .registrationNotices, .packetNotices,
      .evolvedNotices, .networkTime, .radioQuery, .radioSet, .narrowQuery, .narrowSet, .accessPoint, .powerSavingClear,
      .powerSavingNotices, .powerSavingSet, .sleepSet, .listeningSet:
      finishSetup(ended, result)
    case .simQuery, .simEnter: finishSIM(ended, result)
    case .registrationQuery, .packetQuery: finishRegistration(result)
    case .signalQuery, .batteryQuery, .clockQuery:
      // A look that fails is no trouble: the next one comes.
      surveyPlace += 1
      if ended == .clockQuery {
        surveyPlace = 0
        lastSurvey = now
      }
    case .bearerQuery, .bearerOpen, .socketsShut, .socketsMultiple, .socketsManual, .socketsAccess, .socketsUp,
      .socketsAddress, .profileType, .profileAccess, .profileQuery, .profileOpen:
      finishBearer(ended, result)
    case .httpServer, .httpBodyLength, .httpHeaderLength, .httpTLSVersion, .httpTLSName, .httpTLS, .httpConnect,
      .httpClearHeaders,
      .httpHeader, .httpBody, .httpRequest, .oldStart, .oldBearer, .oldServer, .oldContent, .oldBody, .oldRequest:
      finishHTTP(ended, result)
    case .httpRead, .oldRead: facts.bodyCount = 0
    case .mqttQuery, .mqttServer, .mqttClient, .mqttKeepAlive, .mqttCleanSession, .mqttUser, .mqttPassword,
      .mqttTLSVersion, .mqttTLSName, .mqttTLS, .mqttConnect, .mqttSubscribe, .mqttPublish:
      finishMQTT(ended, result)
    case .tcpOpen, .tcpSend, .tcpRead, .socketSelect, .socketOpen, .socketSend, .socketCount,
      .socketRead:
      finishConnection(ended, result)
    case .messageFormat, .messageNotices, .messageSend, .messageRead, .messageDelete: finishMessage(ended, result)
    case .gnssAntenna, .gnssOn, .gnssOff, .gnssNotices, .gnssSentences, .gnssQuery: finishSatellites(ended, result)
    case .httpClose, .oldStop, .mqttClose, .tcpClose, .socketClose, .bearerClose, .profileClose, .detach, .attach,
      .radioOff, .radioOn, .restart, .switchOff:
      finishOrder(ended, result)
    }
  }

  // MARK: After a start

  private mutating func finishSetup(_ ended: ModemStep, _ result: ATResult) {
    guard !result.isUncertain else { return trouble(.unanswered) }
    // Shortly after a start some commands fail that work a second later.
    if !result.isOK, Modem.mayFailEarly(ended), facts.tries < 5 {
      facts.tries += 1
      pauseUntil = now + .seconds(1)
      return
    }
    facts.tries = 0
    switch ended {
    case .echoSet:
      guard result.isOK else { return trouble(.unanswered) }
      channel.echo = configuration.verifiesEcho ? .verified : .off
      facts.setupPlace = 1
    case .rateQuery:
      // A rate found automatically hides resets; another rate than ours is lost at the next one.
      if facts.answerStatus == Int(configuration.rate) { facts.setupPlace += 1 } else { orders.append(.fixRate) }
    case .fixRate:
      facts.setupPlace += 1
      if result.isOK, rate != configuration.rate { startLinking() }
    case .radioQuery:
      if result.isOK, facts.answerStatus == configuration.radio.preference {
        facts.radioIsSet = true
      } else {
        orders.append(.radioSet)
      }
    case .radioSet: facts.radioIsSet = true
    case .narrowQuery:
      if result.isOK, facts.answerStatus == configuration.radio.narrowPreference {
        facts.narrowIsSet = true
      } else {
        orders.append(.narrowSet)
      }
    case .narrowSet: facts.narrowIsSet = true
    case .accessPoint: facts.accessPointIsSet = true
    case .sleepSet: facts.restIsSet = true
    case .powerSavingClear:
      facts.restIsSet = true
      facts.goesToRest = false
    case .powerSavingNotices: orders.append(.powerSavingSet)
    case .powerSavingSet: facts.goesToRest = true
    case .listeningSet: facts.listeningIsSet = true
    default: facts.setupPlace += 1
    }
  }

  private static func mayFailEarly(_ step: ModemStep) -> Bool {
    switch step {
    case .registrationNotices, .packetNotices, .evolvedNotices, .accessPoint, .listeningSet: return true
    default: return false
    }
  }

  // MARK: SIM card and network

  private mutating func finishSIM(_ ended: ModemStep, _ result: ATResult) {
    if ended == .simEnter {
      facts.sim = .unknown
      facts.simWantsPIN = false
      if result == .equipmentError(.incorrectPassword) || result == .error {
        pinWasRefused = true
      } else if !result.isOK, result != .equipmentError(.simBusy) {
        // An answer that was lost, or says something else, may have been a refusal: the card's third try is left to its owner.
        pinDoubts += 1
        if pinDoubts >= 2 { pinWasRefused = true }
      }
      pauseUntil = now + .seconds(1)
      return
    }
    guard !result.isUncertain else { return trouble(.unanswered) }
    if result == .equipmentError(.simPINRequired) {
      facts.sim = .no
      facts.simWantsPIN = true
    } else if result == .equipmentError(.simPUKRequired) {
      return trouble(.simLocked)
    }
    if facts.sim == .yes {
      facts.tries = 0
      registrationSince = now
      return
    }
    // Nothing needs the card: no reason to climb for it.
    guard wantedSession != nil else { return }
    if facts.simWantsPIN {
      if !hasPIN { trouble(.simLocked) }
      return
    }
    facts.tries += 1
    if facts.tries >= 15 {
      facts.tries = 0
      trouble(.simFailure)
    } else {
      pauseUntil = now + .seconds(facts.tries < 5 ? 1 : 2)
    }
  }

  private mutating func finishRegistration(_ result: ATResult) {
    guard !result.isUncertain else { return trouble(.unanswered) }
    facts.tries += 1
    if facts.registration == .yes {
      facts.tries = 0
      registrationSince = nil
      facts.deniedSince = nil
      return
    }
    if case .equipmentError(let error) = result, error.isNetworkRefusal, facts.deniedSince == nil {
      facts.deniedSince = now
    }
    let since = registrationSince ?? now
    registrationSince = since
    if let deniedSince = facts.deniedSince, now - deniedSince >= .seconds(20) {
      facts.deniedSince = nil
      registrationSince = nil
      return trouble(.denied)
    }
    if now - since >= configuration.registrationTimeout {
      registrationSince = nil
      return trouble(.notRegistered)
    }
    if facts.tries & 1 == 0 { pauseUntil = now + .milliseconds(1500) }
  }

  // MARK: Bearers

  private mutating func finishBearer(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .bearerQuery:
      // A fact that the query has not set is not there.
      if !result.isOK { facts.bearer = .no }
      if result.isUncertain { trouble(.unanswered) }
    case .bearerOpen:
      guard result.isOK else {
        facts.bearer = .unknown
        return trouble(.noBearer)
      }
      facts.bearer = .yes
    case .socketsShut: facts.socketsPlace = 1
    case .socketsAddress:
      guard result.isOK else { return failSockets() }
      facts.sockets = .yes
    case .socketsMultiple, .socketsManual, .socketsAccess, .socketsUp:
      guard result.isOK else { return failSockets() }
      facts.socketsPlace += 1
    case .profileQuery:
      if !result.isOK { facts.profile = .no }
      if result.isUncertain { trouble(.unanswered) }
    case .profileType:
      if configuration.accessPoint.isEmpty { facts.profileIsSet = true } else { orders.append(.profileAccess) }
    case .profileAccess: facts.profileIsSet = true
    case .profileOpen:
      guard result.isOK else {
        facts.profile = .unknown
        return trouble(.noBearer)
      }
      facts.profile = .yes
    default: break
    }
  }

  private mutating func failSockets() {
    facts.sockets = .unknown
    facts.socketsPlace = 0
    trouble(.noBearer)
  }

  // MARK: HTTP

  private mutating func finishHTTP(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .httpRequest, .oldRequest:
      guard result.isOK else { return trouble(result.isUncertain ? .unacknowledged : .sessionLost) }
      finishRequest(isOld: ended == .oldRequest)
      return
    default: break
    }
    if ended == .httpBodyLength, !result.isOK, !result.isUncertain, !facts.hasShortBody {
      facts.hasShortBody = true
      return
    }
    guard result.isOK else {
      trouble(ended == .httpConnect || ended == .oldStart ? .noSession : .sessionLost)
      return
    }
    switch ended {
    case .httpConnect:
      facts.http = .yes
      facts.httpPlace = 10
      facts.hasHeaders = false
    case .httpClearHeaders: facts.httpPlace = 11
    case .httpHeader: facts.hasHeaders = true
    case .httpBody, .oldBody: facts.delivery = .loaded
    case .oldContent: facts.old = .yes
    case .oldStart, .oldBearer, .oldServer: facts.oldPlace += 1
    default: facts.httpPlace += 1
    }
  }

  private mutating func finishRequest(isOld: Bool) {
    let status = facts.answerStatus
    switch status {
    case 200..<300:
      let count = facts.answerCount
      acknowledged()
      facts.bodyCount = min(count, Modem.bodyLimit)
      facts.bodyIsOld = isOld
    // Those of 4xx that pass by waiting.
    case 408, 425, 429: trouble(.unacknowledged)
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
  mutating func acknowledged() {
    guard let delivery else { return }
    diagnostics.delivered &+= 1
    ladder.descend()
    lastTrouble = nil
    endDelivery(.delivered(ticket: delivery.ticket))
  }

  // MARK: MQTT

  private mutating func finishMQTT(_ ended: ModemStep, _ result: ATResult) {
    guard result.isOK else {
      facts.mqtt = .unknown
      facts.mqttIsSubscribed = false
      switch ended {
      case .mqttPublish where result.isUncertain: trouble(.unacknowledged)
      case .mqttPublish, .mqttSubscribe: trouble(.sessionLost)
      default: trouble(.noSession)
      }
      return
    }
    switch ended {
    case .mqttQuery: if facts.mqtt == .unknown { trouble(.noSession) }
    case .mqttUser: facts.mqttPlace = 5
    case .mqttPassword: facts.mqttPlace = 6
    case .mqttTLSVersion: facts.mqttPlace = 7
    case .mqttConnect:
      facts.mqtt = .yes
      facts.mqttIsSubscribed = false
    case .mqttSubscribe:
      facts.mqttIsSubscribed = true
      // Without a packet this is all there is to reach: troubles of other days must not add up to a power cycle.
      if delivery == nil { ladder.descend() }
    case .mqttPublish: acknowledged()
    default: facts.mqttPlace += 1
    }
  }

  // MARK: Connections

  private mutating func finishConnection(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .tcpRead:
      // What was asked for has been taken; an answer that could not be read says nothing about the rest.
      facts.tcpHasData = facts.tcpHasMore || result.isOK && facts.answerCount > 0
      return
    case .socketCount:
      facts.socketCount = result.isOK ? facts.answerCount : 0
      facts.tcpHasData = facts.socketCount > 0
      return
    case .socketRead:
      // There may be more than was taken: asked again. What can't be read is left: asking would never end.
      facts.socketCount = 0
      if !result.isOK { facts.tcpHasData = false }
      return
    default: break
    }
    guard result.isOK, facts.answerStatus == 0 else {
      facts.tcp = .no
      facts.socket = .no
      trouble(ended == .tcpOpen || ended == .socketOpen ? .noSession : .sessionLost)
      return
    }
    switch ended {
    case .tcpOpen:
      facts.tcp = .yes
      connectionLine.removeAll()
    case .socketSelect: facts.socketIsSelected = true
    case .socketOpen:
      facts.socket = .yes
      connectionLine.removeAll()
    default:
      facts.delivery = .sent
      acknowledgementUntil = now + Modem.acknowledgementTimeout
    }
  }

  /// How long the server of a connection may take for its line.
  static var acknowledgementTimeout: Interval { .seconds(20) }

  // MARK: Messages

  private mutating func finishMessage(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .messageFormat, .messageNotices:
      guard result.isOK else {
        facts.tries += 1
        pauseUntil = now + .seconds(1)
        if facts.tries >= 10 || result.isUncertain {
          facts.tries = 0
          trouble(.refused)
        }
        return
      }
      // Not before both are set: they are tried together.
      guard ended == .messageNotices else {
        orders.append(.messageNotices)
        return
      }
      facts.tries = 0
      facts.messagesAreSet = true
    case .messageSend:
      if result.isOK { return acknowledged() }
      if case .messageError(let error) = result, error.isFinal, !exchangeIsOrphaned, let delivery {
        return endDelivery(.undelivered(ticket: delivery.ticket, reason: .messageRefused(code: error.code)))
      }
      facts.messagesAreSet = false
      trouble(.unacknowledged)
    case .messageRead:
      // Whose answer was lost is read again, but not for ever.
      if result.isUncertain, facts.messageTries < 2 {
        facts.messageTries += 1
        return messageText.removeAll()
      }
      facts.messageTries = 0
      finishReading(result)
    case .messageDelete: messageInHand = 0
    default: break
    }
  }

  private mutating func finishReading(_ result: ATResult) {
    let text = messageText
    if result.isOK, messageIsRead { reportReply(text.span, from: .sms) }
    messageText.removeAll()
    if messageIsAnnounced, let announced = announcedMessages.popFirst() {
      // One that can't be read is deleted as well: it would block the store for ever.
      messageInHand = announced
    } else {
      // Beyond the last place there is an error.
      if messageIsRead { messageInHand = facts.storePlace }
      facts.storePlace = result.isOK && facts.storePlace < Modem.storeLimit ? facts.storePlace + 1 : 0
    }
  }

  /// Places of the store that are looked at.
  private static var storeLimit: UInt8 { 50 }

  mutating func reportReply(_ text: Span<UInt8>, from source: ReplySource) {
    // An action that was lost would leave its bytes to be taken for the next one's.
    guard !actions.isFull else {
      diagnostics.actionsDropped &+= 1
      return
    }
    guard replies.append(text, from: source) else { return }
    report(.reply(source, count: UInt16(truncatingIfNeeded: text.count)))
  }

  // MARK: Satellites

  private mutating func finishSatellites(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .gnssOn:
      facts.gnss = result.isOK ? .yes : .no
      lastFixHeard = now
      if !result.isOK { gnssRetry = now + .seconds(30) }
    // Without its antenna the receiver may still see something.
    case .gnssAntenna: facts.antennaIsOn = true
    case .gnssNotices, .gnssSentences:
      facts.gnssReports = result.isOK
      if !result.isOK {
        facts.gnss = .no
        gnssRetry = now + .seconds(30)
      }
    case .gnssOff:
      facts.gnss = .no
      facts.gnssReports = false
    default: break
    }
    if result.isUncertain { trouble(.unanswered) }
  }

  // MARK: Orders of the ladder

  /// Orders are carried out whether they succeed or not: what matters is that the plan then asks again.
  private mutating func finishOrder(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .radioOff:
      facts.sim = .unknown
      facts.registration = .unknown
      facts.messagesAreReady = false
      facts.heardMessagesReady = false
      facts.messagesAreSet = false
      facts.doubtBearers()
      pauseUntil = now + radioRest
    case .radioOn:
      facts.sim = .unknown
      facts.tries = 0
      registrationSince = nil
      if !result.isOK { trouble(.unanswered) }
    case .attach:
      facts.registration = .unknown
      registrationSince = nil
    case .restart:
      guard result.isOK else { return pullReset() }
      forgetModem()
      enter(.starting, for: PowerTime.startAfterReset)
    case .switchOff:
      guard result.isOK else { return press(on: false) }
      forgetModem()
      enter(.stopping, for: PowerTime.stop)
    default: break
    }
  }
}

extension RadioMode {
  /// Value of `CNMP`.
  var preference: Int {
    switch self {
    case .unchanged, .automatic: return 2
    case .catM1, .narrowband: return 38
    case .gsm: return 13
    }
  }

  /// Value of `CMNB`.
  var narrowPreference: Int { self == .narrowband ? 2 : 1 }
}

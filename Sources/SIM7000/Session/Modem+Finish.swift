import InlineStorage
import ATCommands
import Quantities

extension Modem {
  /// An exchange is over: what it says becomes fact, or trouble.
  mutating func finish(_ ended: ModemStep, _ result: ATResult) {
    if exchangeIsOrphaned, ended.carriesPacket, result.isOK { return }
    switch ended {
    case .startCheck: finishStartCheck(result)
    case .echoSet, .sleepQuery, .sleepClear, .powerSavingQuery, .errorCodes, .startMark, .accessPointQuery, .rateQuery, .fixRate, .identity, .supplyNotices, .registrationNotices, .packetNotices,
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
    case .bearerQuery, .bearerAccess, .bearerOpen, .socketsShut, .socketsMultiple, .socketsManual, .socketsAccess, .socketsUp,
      .socketsAddress, .profileType, .profileAccess, .profileUser, .profilePassword, .profileQuery,
      .profileOpen:
      finishBearer(ended, result)
    case .httpServer, .httpBodyLength, .httpHeaderLength, .httpTLSVersion, .httpTLSName, .httpTLS, .httpConnect,
      .httpClearHeaders,
      .httpHeader, .httpBody, .httpInlineBody, .httpRequest, .oldStart, .oldBearer, .oldServer, .oldContent, .oldBody, .oldRequest:
      finishHTTP(ended, result)
    case .httpRead, .oldRead: facts.bodyCount = 0
    case .mqttQuery, .mqttServer, .mqttClient, .mqttKeepAlive, .mqttCleanSession, .mqttUser, .mqttPassword,
      .mqttTLSVersion, .mqttTLSName, .mqttTLS, .mqttConnect, .mqttSubscribe, .mqttPublish:
      finishMQTT(ended, result)
    case .tcpOpen, .tcpSend, .tcpRead, .socketSelect, .socketOpen, .socketState, .socketSend, .socketCount,
      .socketRead:
      finishConnection(ended, result)
    case .messageFormat, .messageDigits, .messageNotices, .messageSend, .messageList, .messageRead, .messageDelete:
      finishMessage(ended, result)
    case .gnssAntenna, .gnssOn, .gnssOff, .gnssNotices, .gnssSentences, .gnssQuery: finishSatellites(ended, result)
    case .httpClose, .oldStop, .mqttClose, .tcpClose, .socketClose, .bearerClose, .profileClose, .detach, .attach,
      .radioOff, .radioOn, .restart, .switchOff:
      finishOrder(ended, result)
    }
  }

  // MARK: After a start

  private mutating func finishSetup(_ ended: ModemStep, _ result: ATResult) {
    if result.isUncertain || ended == .echoSet, !result.isOK {
      // Without an echo that is known nothing else counts. What only informs does not hold up the rest.
      facts.setupTries += 1
      guard facts.setupTries >= 2, ended != .echoSet || !result.isUncertain else { return trouble(.unanswered) }
    }
    // Shortly after a start some commands fail that work a second later.
    if !result.isOK, !result.isUncertain, Modem.mayFailEarly(ended), facts.setupTries < 5 {
      facts.setupTries += 1
      pauseUntil = now + .seconds(1)
      return
    }
    facts.setupTries = 0
    switch ended {
    case .echoSet:
      let isEchoing = configuration.verifiesEcho && !quirks.hasNoEcho && result.isOK
      channel.echo = isEchoing ? .verified : configuration.verifiesEcho ? .unknown : .off
      facts.setupPlace = 1
    case .sleepQuery:
      facts.setupPlace += 1
      guard result.isOK, facts.answerStatus == 1 else { return }
      if configuration.idle == .sleep, configuration.wiring.hasDTR { facts.restIsSet = true } else { orders.append(.sleepClear) }
    case .powerSavingQuery:
      facts.setupPlace += 1
      // It must not fall asleep over the work at hand.
      if result.isOK ? facts.answerStatus == 1 : configuration.idle == .powerSaving { orders.append(.powerSavingClear) }
    case .startMark:
      facts.marksStart = result.isOK && facts.hasStartMark && facts.answerStatus == 1
      facts.setupPlace += 1
    case .rateQuery:
      // A rate found automatically hides resets; another rate than ours is lost at the next one.
      if !result.isOK || facts.answerStatus == Int(configuration.rate) {
        facts.setupPlace += 1
      } else {
        orders.append(.fixRate)
      }
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
    case .accessPointQuery:
      // It is written to memory that wears out: only what differs.
      if result.isOK, !facts.accessPointDiffers { facts.accessPointIsSet = true } else { orders.append(.accessPoint) }
    case .accessPoint: facts.accessPointIsSet = true
    case .sleepSet: facts.restIsSet = true
    case .sleepClear: break
    case .powerSavingClear: facts.goesToRest = false
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
      facts.cardTries = 0
      registrationSince = now
      return
    }
    // Nothing needs the card: no reason to climb for it.
    guard wantedSession != nil else { return }
    if facts.simWantsPIN {
      if !hasPIN { trouble(.simLocked) }
      return
    }
    facts.cardTries += 1
    if facts.cardTries >= 15 {
      facts.cardTries = 0
      trouble(.simFailure)
    } else {
      pauseUntil = now + .seconds(facts.cardTries < 5 ? 1 : 2)
    }
  }

  private mutating func finishRegistration(_ result: ATResult) {
    guard !result.isUncertain else { return trouble(.unanswered) }
    facts.asksPacket.toggle()
    if facts.registration == .yes {
      facts.asksPacket = false
      facts.idleSince = nil
      facts.wasSearching = false
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
    if searchHasEnded {
      facts.idleSince = nil
      facts.wasSearching = false
      registrationSince = nil
      return trouble(.searchEnded)
    }
    if now - since >= configuration.registrationTimeout {
      registrationSince = nil
      return trouble(.notRegistered)
    }
    if !facts.asksPacket { pauseUntil = now + .milliseconds(1500) }
  }

  /// True when neither kind of registration has been searched for in a while: the modem has given up, and waits to be told.
  ///
  /// - Source: vshymanskyy/TinyGSM#454 (a search that ended is only begun again by `CFUN`); the times are our derivation: a modem
  ///   that has not begun yet needs a moment, one that has stopped does not.
  private var searchHasEnded: Bool {
    mutating get {
      guard facts.wasIdle else {
        facts.idleSince = nil
        return false
      }
      guard let since = facts.idleSince else {
        facts.idleSince = now
        return false
      }
      return now - since >= .seconds(facts.wasSearching ? 4 : 8)
    }
  }

  // MARK: Bearers

  private mutating func finishBearer(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .bearerQuery: finishBearerQuery(result)
    case .bearerAccess: facts.bearerHasAccess = true
    case .bearerOpen:
      if result.isOK {
        facts.bearer = .yes
        return
      }
      // Whatever was said or not said of it: the modem knows.
      facts.bearer = .unknown
      guard !result.isUncertain else { return trouble(.noBearer) }
      // What was refused, or failed, comes no more; what is merely not there yet may.
      facts.bearerSince = result == .open ? now : now - Modem.bearerTime
    case .socketsShut: facts.socketsPlace = 1
    case .socketsAddress:
      guard result.isOK else { return failSockets(result) }
      facts.sockets = .yes
    case .socketsMultiple, .socketsManual, .socketsAccess, .socketsUp:
      guard result.isOK else { return failSockets(result) }
      facts.socketsPlace += 1
    case .profileQuery:
      if !result.isOK || facts.profile == .unknown { facts.profile = .no }
      if result.isUncertain { trouble(.unanswered) }
    case .profileType:
      if !configuration.accessPoint.isEmpty { orders.append(.profileAccess) }
      if !configuration.accessUser.isEmpty {
        orders.append(.profileUser)
        orders.append(.profilePassword)
      }
      facts.profileIsSet = true
    case .profileAccess, .profileUser, .profilePassword: break
    case .profileOpen:
      guard result.isOK else {
        facts.profile = .unknown
        if case .error = result, quirks.firmware == nil { return refuse(result) }
        return trouble(.noBearer)
      }
      facts.profile = .yes
    default: break
    }
  }

  /// How long a bearer may take that was asked for.
  ///
  /// - Source: [sim7000at] `AT+CNACT`: up to a minute; an alert can't wait for all of it.
  static var bearerTime: Interval { .seconds(30) }

  private mutating func finishBearerQuery(_ result: ATResult) {
    // A fact that the query has not set is not there.
    if !result.isOK || facts.bearer == .unknown { facts.bearer = .no }
    if result.isUncertain { return trouble(.unanswered) }
    guard facts.bearer == .no, let since = facts.bearerSince else {
      facts.bearerSince = nil
      return
    }
    if now - since < Modem.bearerTime {
      facts.bearer = .unknown
      pauseUntil = now + .seconds(2)
    } else {
      facts.bearerSince = nil
      trouble(.noBearer)
    }
  }

  private mutating func failSockets(_ result: ATResult) {
    let isRefused = facts.socketsPlace < 4 && !result.isUncertain && result != .failed
    facts.sockets = .unknown
    facts.socketsPlace = 0
    if isRefused { refuse(result) } else { trouble(.noBearer) }
  }

  // MARK: HTTP

  private mutating func finishHTTP(_ ended: ModemStep, _ result: ATResult) {
    if result.isUncertain || result == .failed || result == .open {
      let isRequest = ended == .httpRequest || ended == .oldRequest
      if isRequest, result != .failed { return trouble(.unacknowledged) }
      return trouble(ended == .httpConnect || ended == .oldStart ? .noSession : .sessionLost)
    }
    guard result.isOK else { return refuseHTTP(ended, result) }
    switch ended {
    case .httpRequest, .oldRequest: finishRequest(isOld: ended == .oldRequest)
    case .httpConnect:
      facts.http = .yes
      facts.httpPlace = 10
      facts.hasHeaders = false
    case .httpClearHeaders: facts.httpPlace = 11
    case .httpHeader: facts.hasHeaders = true
    case .httpBody, .httpInlineBody, .oldBody: facts.delivery = .loaded
    case .oldContent: facts.old = .yes
    case .oldStart, .oldBearer, .oldServer: facts.oldPlace += 1
    default: facts.httpPlace += 1
    }
  }

  /// The modem does not take a command as it was given: another form, another way, or without it.
  private mutating func refuseHTTP(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .httpBodyLength:
      if quirks.bodyLimit > 32 {
        quirks.bodyLimit /= 2
        if let delivery, way == .http, packet.count > Int(quirks.bodyLimit), !canGo(by: delivery.transport) { leaveWay() }
      } else {
        quirks.learnLack(of: .http)
        leaveWay()
      }
    // Without these it may work, or say later why not.
    case .httpHeaderLength, .httpTLSVersion, .httpTLSName: facts.httpPlace += 1
    case .httpClearHeaders: facts.httpPlace = 11
    case .httpHeader: facts.hasHeaders = true
    case .oldContent: facts.old = .yes
    case .oldBearer: facts.oldPlace += 1
    case .httpBody:
      facts.refusals += 1
      if facts.refusals >= 2 {
        facts.refusals = 0
        quirks.takesBodyInCommand = true
      }
      trouble(.sessionLost)
    case .httpServer, .httpInlineBody, .oldStart: refuse(result)
    case .httpConnect:
      // Not allowed is another thing than not reached.
      if case .equipmentError(let error) = result, error.code == 3 || error.code == 4, otherWay != nil {
        return refuse(result)
      }
      trouble(.noSession)
    default: trouble(.sessionLost)
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
  mutating func acknowledged() {
    guard let delivery else { return }
    diagnostics.delivered &+= 1
    ladder.descend()
    lastTrouble = nil
    facts.refusals = 0
    endDelivery(.delivered(ticket: delivery.ticket))
  }

  // MARK: MQTT

  private mutating func finishMQTT(_ ended: ModemStep, _ result: ATResult) {
    if !result.isOK, !result.isUncertain, passes(ended) { return }
    guard result.isOK else {
      facts.mqtt = .unknown
      facts.mqttIsSubscribed = false
      switch ended {
      case .mqttServer where !result.isUncertain: refuse(result)
      case .mqttPublish where result.isUncertain: trouble(.unacknowledged)
      case .mqttPublish, .mqttSubscribe: trouble(.sessionLost)
      default: trouble(.noSession)
      }
      return
    }
    switch ended {
    case .mqttQuery: if facts.mqtt == .unknown { facts.mqtt = .no }
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

  /// What a session can be had without; true when the step is over with that.
  private mutating func passes(_ ended: ModemStep) -> Bool {
    switch ended {
    case .mqttQuery: facts.mqtt = .no
    case .mqttKeepAlive, .mqttCleanSession: facts.mqttPlace += 1
    case .mqttTLSVersion: facts.mqttPlace = 7
    case .mqttTLSName: facts.mqttPlace = 8
    case .mqttServer:
      guard !quirks.joinsBrokerAddress else { return false }
      quirks.joinsBrokerAddress = true
    default: return false
    }
    return true
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
    if ended == .socketSelect, !result.isUncertain {
      // It only names what is the only one anyhow.
      facts.socketIsSelected = true
      return
    }
    if ended == .socketOpen, result == .open {
      orders.append(.socketState)
      return
    }
    let isSent = result.isOK || result == .open && ended == .socketSend
    guard isSent, facts.answerStatus == 0 else {
      let isRefused = !result.isOK && !result.isUncertain && result != .failed
      facts.tcp = .no
      facts.socket = .no
      if ended == .socketOpen, isRefused { return refuse(result) }
      trouble(ended == .tcpSend || ended == .socketSend ? .sessionLost : .noSession)
      return
    }
    switch ended {
    case .tcpOpen:
      facts.tcp = .yes
      connectionLine.removeAll()
    case .socketOpen, .socketState:
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
    case .messageDigits:
      if result.isOK { facts.messageForm = .digits } else if !result.isUncertain { quirks.hasNoDigits = true }
    case .messageFormat, .messageNotices:
      guard result.isOK else {
        facts.messageSetTries += 1
        pauseUntil = now + .seconds(1)
        if facts.messageSetTries >= 10 || result.isUncertain {
          facts.messageSetTries = 0
          trouble(.refused)
        }
        return
      }
      facts.messageSetTries = 0
      if ended == .messageFormat { facts.messageForm = .text } else { facts.messagesAreSet = true }
    case .messageSend:
      if result.isOK { return acknowledged() }
      if case .messageError(let error) = result, error.isFinal, !exchangeIsOrphaned, let delivery {
        return endDelivery(.undelivered(ticket: delivery.ticket, reason: .messageRefused(code: error.code)))
      }
      facts.messagesAreSet = false
      facts.messageForm = .unknown
      trouble(.unacknowledged)
    case .messageList:
      if !result.isOK, !result.isUncertain { facts.storeIsListed = false }
      if result.isOK, announcedMessages.isEmpty { facts.storePlace = 0 }
    case .messageRead:
      // Whose answer was lost is read again, but not for ever.
      if result.isUncertain, facts.messageTries < 2 {
        facts.messageTries += 1
        return messageText.removeAll()
      }
      facts.messageTries = 0
      finishReading(result)
    case .messageDelete:
      // Not before it is gone: whatever it does, it does once.
      messageInHand = 0
      if messageIsRead { reportReply(from: .sms) }
      messageIsRead = false
      messageText.removeAll()
    default: break
    }
  }

  private mutating func finishReading(_ result: ATResult) {
    if !result.isOK { messageIsRead = false }
    if messageIsAnnounced, let announced = announcedMessages.popFirst() {
      // One that can't be read is deleted as well: it would block the store for ever.
      messageInHand = announced
    } else {
      if messageIsRead { messageInHand = facts.storePlace }
      // An empty place is an error with some firmware; the store's end is one too.
      facts.storePlace = facts.storePlace < Modem.storeLimit ? facts.storePlace + 1 : 0
    }
    if messageInHand == 0 { messageText.removeAll() }
  }

  /// Places of the store that are looked at.
  private static var storeLimit: UInt8 { 50 }

  /// Hands on what came: a message's text, a line of a connection, what the channel holds.
  mutating func reportReply(from source: ReplySource, _ part: Range<Int>? = nil) {
    // An action that was lost would leave its bytes to be taken for the next one's.
    guard !actions.isFull else {
      diagnostics.actionsDropped &+= 1
      return
    }
    let before = replies.count
    let isTaken: Bool
    switch source {
    case .sms: isTaken = replies.append(messageText.span, from: source)
    case .tcp: isTaken = replies.append(connectionLine.span, from: source)
    case .http, .mqtt:
      let part = part ?? 0..<channel.line.count
      isTaken = replies.append(channel.line.span.extracting(part), from: source)
    }
    guard isTaken else { return }
    report(.reply(source, count: UInt16(truncatingIfNeeded: replies.count - before)))
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
      facts.messageForm = .unknown
      facts.doubtBearers()
      pauseUntil = now + radioRest
    case .radioOn:
      facts.sim = .unknown
      facts.cardTries = 0
      facts.idleSince = nil
      facts.wasSearching = false
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

import InlineStorage
import ATCommands
import Quantities

extension Modem {
  /// An exchange is over: what it says becomes fact, or trouble.
  mutating func finish(_ ended: ModemStep, _ result: ATResult) {
    if ended.carriesPacket {
      if exchangeIsOrphaned, result.isOK || result == .open || result == .doubtful { return }
      // Nothing is wrong: it goes again until it is certain, but not into what may be more of a text.
      if result == .doubtful, ended != .tcpSend, ended != .socketSend {
        facts.delivery = .waiting
        guard now <= channel.textGoesOnUntil else { return }
        // The first time when nothing more can come; texts that come again and again are given longer and longer.
        let more = facts.endDoubts == 0 ? Interval.zero : ladder.jittered(.seconds(5 << Int(facts.endDoubts - 1)))
        if facts.endDoubts < 6 { facts.endDoubts += 1 }
        return pauseUntil = max(pauseUntil, channel.textGoesOnUntil + more)
      }
    }
    // The packet for this server was taken back, and it was not reached: that says nothing of the packet that goes elsewhere now.
    if exchangeIsOrphaned, !result.isOK, let server = ended.connectsTo, let way, way != server {
      return close(server)
    }
    if lineIsAtFault, result == .garbled, let server = ended.connectsTo {
      // It may have connected.
      close(server)
      return trouble(.unanswered)
    }
    if facts.isAhead, !result.isOK, facts.setupPlace > 0, ended.isSetAhead {
      // It may want its card first.
      return facts.settingsWait = true
    }
    switch ended {
    case .startCheck: finishStartCheck(result)
    case .echoSet, .sleepQuery, .sleepClear, .powerSavingQuery, .errorCodes, .startMark, .accessPointQuery, .rateQuery,
      .fixRate, .identity, .supplyNotices, .registrationNotices, .packetNotices,
      .evolvedNotices, .networkTime, .radioQuery, .radioSet, .narrowQuery, .narrowSet, .bandsQuery,
      .catMBandsSet, .narrowBandsSet, .accessPoint, .accessPointCopy, .powerSavingClear, .powerSavingNotices,
      .powerSavingSet, .sleepSet, .listeningSet, .broadcastsOff:
      finishSetup(ended, result)
    case .simQuery, .simEnter: finishSIM(ended, result)
    case .operatorQuery: if result.isOK, facts.answerStatus == 1 { orders.append(.operatorSet) }
    case .operatorSet: registrationSince = nil
    case .registrationQuery, .packetQuery, .circuitQuery, .attachQuery: finishRegistration(ended, result)
    case .signalQuery, .batteryQuery, .clockQuery:
      // A look that fails is no trouble: the next one comes.
      surveyPlace += 1
      if ended == .clockQuery {
        surveyPlace = 0
        lastSurvey = now
        // A card that was put back says so once, on a line that may be damaged.
        facts.simWasAsked = false
      }
    case .bearerQuery, .bearerAccess, .bearerOpen, .socketsShut, .socketsMultiple, .socketsManual, .socketsAccess,
      .socketsUp,
      .socketsAddress, .profileType, .profileAccess, .profileUser, .profilePassword, .profileQuery,
      .profileOpen:
      finishBearer(ended, result)
    case .httpServer, .httpBodyLength, .httpHeaderLength, .httpTLSVersion, .httpTLSName, .httpTLS, .httpConnect,
      .httpState, .httpClearHeaders,
      .httpHeader, .httpBody, .httpInlineBody, .httpRequest, .legacyStart, .legacyBearer, .legacyServer, .legacyContent,
      .legacyBody,
      .legacyRequest:
      finishHTTP(ended, result)
    case .httpRead, .legacyRead: facts.bodyCount = 0
    case .mqttQuery, .mqttPlain, .mqttServer, .mqttClient, .mqttKeepAlive, .mqttCleanSession, .mqttUser, .mqttPassword,
      .mqttTLSVersion, .mqttTLSName, .mqttTLS, .mqttWill, .mqttConnect, .mqttSubscribe, .mqttListen, .mqttPublish:
      finishMQTT(ended, result)
    case .tcpPlain, .socketPlain, .tcpOpen, .tcpSend, .tcpRead, .socketSelect, .socketOpen, .socketState, .socketSend,
      .socketCount,
      .socketRead:
      finishConnection(ended, result)
    case .charactersQuery, .charactersSet, .messageFormat, .messageDigits, .messageNotices, .messageSend, .messageList,
      .messageRead, .messageDelete:
      finishMessage(ended, result)
    case .gnssAntenna, .gnssOn, .gnssOff, .gnssNotices, .gnssSentences, .gnssQuery: finishSatellites(ended, result)
    case .httpClose, .legacyStop, .mqttClose, .tcpClose, .socketClose, .bearerClose, .profileClose, .detach, .attach,
      .radioOff, .radioOn, .restart, .switchOff:
      finishOrder(ended, result)
    }
  }

  // MARK: After a start

  private mutating func finishSetup(_ ended: ModemStep, _ result: ATResult) {
    // The longer form of the echo's command is for those that know it.
    if ended == .echoSet { channel.hasDigits = false }
    if result.isUncertain || ended == .echoSet, !result.isOK {
      // Without an echo that is known nothing else counts. What only informs does not hold up the rest, whatever was set anew in between.
      let wasUncertain = facts.uncertainSetup == ended
      facts.uncertainSetup = ended
      guard wasUncertain, ended != .echoSet || !result.isUncertain else { return trouble(.unanswered) }
    }
    // Shortly after a start some commands fail that work a second later.
    let tries: UInt8 = ended == .accessPoint && refusesAccessPoint ? 0 : 5
    if !result.isOK, !result.isUncertain, Modem.mayFailEarly(ended), facts.setupTries < tries {
      facts.setupTries += 1
      pauseUntil = now + .seconds(1)
      return
    }
    // What it is asked before each try is no success of what is tried.
    if ended != .accessPointQuery { facts.setupTries = 0 }
    switch ended {
    case .echoSet:
      let isEchoing = configuration.verifiesEcho && !quirks.hasNoEcho && result.isOK
      channel.echo = isEchoing ? .verified : configuration.verifiesEcho ? .unknown : .off
      facts.setupPlace = 1
    case .sleepQuery:
      facts.setupPlace += 1
      guard result.isOK, facts.answerStatus == 1 else { return }
      if configuration.idle == .sleep, configuration.wiring.hasDTR {
        facts.restIsSet = true
      } else {
        orders.append(.sleepClear)
      }
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
    case .bandsQuery:
      // It is written to memory that wears out: only what differs.
      facts.bandsAreSet = true
      if !configuration.catMBands.isEmpty, !facts.hasCatMBands { orders.append(.catMBandsSet) }
      if !configuration.narrowBands.isEmpty, !facts.hasNarrowBands { orders.append(.narrowBandsSet) }
    case .catMBandsSet, .narrowBandsSet: break
    case .accessPointQuery:
      // It is written to memory that wears out: only what differs.
      if !result.isOK { facts.contexts.forget() }
      for _ in 0..<facts.contexts.takeCopiesToRename() { orders.append(.accessPointCopy) }
      guard !facts.contexts.firstDiffers else {
        orders.append(.accessPoint)
        return
      }
      facts.accessPointIsSet = true
      facts.setupTries = 0
      refusesAccessPoint = false
      noteRefusal(.accessPoint, result)
    case .accessPoint:
      // Every way names it once more where it opens its bearer.
      facts.accessPointIsSet = true
      if !result.isUncertain { refusesAccessPoint = !result.isOK }
      noteRefusal(ended, result)
    case .accessPointCopy: facts.contexts.noteRenamed()
    case .sleepSet: facts.restIsSet = true
    case .sleepClear: break
    case .powerSavingClear: facts.goesToRest = false
    case .powerSavingNotices: orders.append(.powerSavingSet)
    case .powerSavingSet:
      facts.goesToRest = true
      restAskedAt = now
    case .listeningSet: facts.listeningIsSet = true
    case .broadcastsOff: facts.broadcastsAreOff = true
    default: facts.setupPlace += 1
    }
  }

  private static func mayFailEarly(_ step: ModemStep) -> Bool {
    switch step {
    case .registrationNotices, .packetNotices, .evolvedNotices, .accessPoint, .listeningSet: return true
    default: return false
    }
  }

  // MARK: Bearers

  private mutating func finishBearer(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .bearerQuery: finishBearerQuery(result)
    case .bearerAccess:
      facts.bearerHasAccess = true
      noteRefusal(ended, result)
    case .bearerOpen:
      noteRefusal(ended, result)
      if result.isOK {
        facts.bearer = .yes
        return
      }
      // Whatever was said or not said of it: the modem knows.
      facts.bearer = .unknown
      guard !result.isUncertain else { return trouble(.noBearer) }
      if isLacking(result) { return refuse(result, isLasting: true) }
      // What was refused, or failed, comes no more; what is merely not there yet may.
      facts.bearerSince = result == .open ? now : now - Modem.bearerTime
    case .socketsShut: facts.socketsPlace = 1
    case .socketsAddress:
      guard result.isOK else { return failSockets(result) }
      facts.sockets = .yes
    case .socketsMultiple, .socketsManual, .socketsAccess, .socketsUp:
      if ended == .socketsAccess { noteRefusal(ended, result) }
      // Whether it is up the next command tells as well.
      guard result.isOK || ended == .socketsUp && result == .timedOut else { return failSockets(result) }
      facts.socketsPlace += 1
    case .profileQuery:
      if !result.isOK || facts.profile == .unknown { facts.profile = .no }
      if result.isUncertain { return trouble(.unanswered) }
      let wasSilent = facts.silentOpening == .legacyHTTP
      facts.silentOpening = nil
      if wasSilent, facts.profile == .no {
        endedInSilence = true
        trouble(.noBearer)
      }
    case .profileType:
      if !configuration.accessPoint.isEmpty { orders.append(.profileAccess) }
      if !configuration.accessUser.isEmpty {
        orders.append(.profileUser)
        orders.append(.profilePassword)
      }
      facts.profileIsSet = true
    case .profileAccess, .profileUser, .profilePassword: noteRefusal(ended, result)
    case .profileOpen:
      guard result.isOK else {
        facts.profile = .unknown
        if result == .timedOut { return facts.silentOpening = .legacyHTTP }
        if isLacking(result) { return refuse(result, isLasting: true) }
        return trouble(.noBearer)
      }
      facts.profile = .yes
    default: break
    }
  }

  /// True when a modem of another family has no such command, or has it in another form: the SIM7000's firmware is 1351 or 1529.
  private func isLacking(_ result: ATResult) -> Bool {
    guard let firmware = quirks.firmware else { return result.isUnknownCommand }
    return firmware.family != 1351 && firmware.family != 1529 && result.mayBeUnknownCommand
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

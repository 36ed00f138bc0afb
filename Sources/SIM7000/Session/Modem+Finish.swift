import InlineStorage
import ATCommands
import Quantities

extension Modem {
  /// An exchange is over: what it says becomes fact, or trouble.
  mutating func finish(_ ended: ModemStep, _ result: ATResult) {
    if ended.carriesPacket {
      if exchangeIsOrphaned, result.isOK || result == .open || result == .doubtful { return }
      // Nothing is wrong: it goes again until it is certain.
      if result == .doubtful, ended != .tcpSend, ended != .socketSend { return facts.delivery = .waiting }
    }
    if exchangeIsOrphaned, !result.isOK, let server = ended.connectsTo, let way, way != server {
      return leaveServer(server)
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
      .catMBandsSet, .narrowBandsSet, .accessPoint, .powerSavingClear, .powerSavingNotices, .powerSavingSet, .sleepSet,
      .listeningSet:
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
      .httpClearHeaders,
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

  /// The packet for this server was taken back, and it was not reached: that says nothing of the packet that goes elsewhere now.
  private mutating func leaveServer(_ transport: ModemTransport) {
    switch transport {
    case .http: orders.append(.httpClose)
    case .mqtt: orders.append(.mqttClose)
    case .tcp: orders.append(.tcpClose)
    case .applicationTCP: orders.append(.socketClose)
    case .legacyHTTP, .sms: break
    }
    facts.loseSessions()
  }

  // MARK: After a start

  private mutating func finishSetup(_ ended: ModemStep, _ result: ATResult) {
    // The longer form of the echo's command is for those that know it.
    if ended == .echoSet { channel.hasDigits = false }
    if result.isUncertain || ended == .echoSet, !result.isOK {
      // Without an echo that is known nothing else counts. What only informs does not hold up the rest.
      facts.setupTries += 1
      guard facts.setupTries >= 2, ended != .echoSet || !result.isUncertain else { return trouble(.unanswered) }
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
      guard result.isOK, !facts.accessPointDiffers else {
        orders.append(.accessPoint)
        return
      }
      facts.accessPointIsSet = true
      facts.setupTries = 0
      refusesAccessPoint = false
      noteAccess(.accessPoint, result)
    case .accessPoint:
      // Every way names it once more where it opens its bearer.
      facts.accessPointIsSet = true
      if !result.isUncertain { refusesAccessPoint = !result.isOK }
      noteAccess(ended, result)
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
    guard !result.isUncertain else {
      facts.simWasAsked = false
      return trouble(.unanswered)
    }
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

  private mutating func finishRegistration(_ ended: ModemStep, _ result: ATResult) {
    guard !result.isUncertain else {
      // A modem may have no answer to one of the two.
      if facts.registrationIsSilent { facts.asksPacket.toggle() }
      facts.registrationIsSilent.toggle()
      return trouble(.unanswered)
    }
    facts.registrationIsSilent = false
    if ended == .registrationQuery { facts.lacksEvolvedQuery = !result.isOK }
    if ended == .registrationQuery || ended == .packetQuery { facts.asksPacket.toggle() }
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
    if ended == .packetQuery, facts.deniedSince == nil { askOtherwise(since: since) }
    // An operator may have been chosen by an earlier owner, or none be allowed.
    if !facts.operatorWasAsked, now - since >= Modem.doubtfulSearchTime {
      facts.operatorWasAsked = true
      orders.append(.operatorQuery)
    }
    if let deniedSince = facts.deniedSince, now - deniedSince >= deniedTime {
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
    if now - since >= searchTime {
      registrationSince = nil
      return trouble(.notRegistered)
    }
    if !facts.asksPacket, orders.isEmpty { pauseUntil = now + .milliseconds(1500) }
  }

  /// Neither LTE nor the packet network knows of a registration. Where they can't tell, or have not for long, there are other ways to
  /// ask: on GSM some firmware tells of circuits only, and attaches when the bearer is opened.
  private mutating func askOtherwise(since: Instant) {
    // Neither query has its line.
    if !facts.hasRegistrationLine { orders.append(.attachQuery) }
    guard !facts.takesOnlyMessages else { return }
    let isIdle = facts.idleSince.map { now - $0 >= Modem.doubtfulIdleTime } ?? false
    if facts.lacksEvolvedQuery || isIdle || now - since >= Modem.doubtfulSearchTime { orders.append(.circuitQuery) }
  }

  /// After so long the circuits are asked, too. Our assumptions: before a remedy, and rarely in a search that ends well.
  private static var doubtfulIdleTime: Interval { .seconds(2) }
  private static var doubtfulSearchTime: Interval { .seconds(20) }

  /// How long a refusal may last. Each remedy makes a modem begin anew, and be refused again by the networks that it meets first.
  private var deniedTime: Interval {
    switch searchesInVain {
    case 0: return .seconds(30)
    case 1: return .seconds(60)
    case 2: return .seconds(120)
    default: return .seconds(300)
    }
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
      return now - since >= idleTime
    }
  }

  /// How long a modem may search for nothing. Each remedy makes it begin anew: the next time is longer.
  private var idleTime: Interval {
    switch searchesInVain {
    case 0: return .seconds(facts.wasSearching ? 4 : 8)
    case 1: return .seconds(25)
    case 2: return .seconds(50)
    case 3: return .seconds(120)
    case 4: return .seconds(300)
    default: return Modem.longestSearch
    }
  }

  /// How long a search may take; longer each time, too.
  private var searchTime: Interval {
    let first = configuration.registrationTimeout
    switch searchesInVain {
    case 0: return first
    case 1: return max(first, min(first + first, Modem.longestSearch))
    default: return max(first, Modem.longestSearch)
    }
  }

  /// - Source: vshymanskyy/TinyGSM#725: a modem took a quarter of an hour to find its network.
  private static var longestSearch: Interval { .seconds(960) }

  // MARK: Bearers

  private mutating func finishBearer(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .bearerQuery: finishBearerQuery(result)
    case .bearerAccess:
      facts.bearerHasAccess = true
      noteAccess(ended, result)
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
      if ended == .socketsAccess { noteAccess(ended, result) }
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
    case .profileAccess, .profileUser, .profilePassword: noteAccess(ended, result)
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

import InlineStorage
import ATCommands
import Quantities

extension Modem {
  /// The first thing that is missing for the work at hand; nil when there is nothing to do now.
  mutating func nextStep() -> ModemStep? {
    guard phase == .running else {
      beginPhase()
      return nil
    }
    guard step == nil, channel.isReady else { return nil }
    // Without its echo no answer is certain. A pause goes on for what it was begun for. What makes the modem start needs no check.
    if facts.startIsSuspected, facts.setupPlace > 0, facts.isAlive, !startIsOrdered { return .startCheck }
    guard pauseUntil <= now else { return nil }
    settleLoss()
    guard pauseUntil <= now else { return nil }
    if let order = orders.popFirst() { return order }
    guard facts.isAlive else {
      startLinking()
      return nil
    }
    if startsOverAndOver {
      unaskedStarts.removeAll()
      trouble(.supply)
      return orders.popFirst()
    }
    if let setup = nextSetupStep { return setup }
    if facts.goesToRest, hasWork { return .powerSavingClear }
    if !ModemParts.isMQTTAlone, facts.bodyCount > 0 { return facts.bodyIsLegacy ? .legacyRead : .httpRead }
    if !ModemParts.isMQTTAlone, let satellites = nextSatelliteStep() { return satellites }
    if dataHasItsTurn, let session = wantedSession, let next = nextStep(for: session) { return next }
    // A pause that the plan has just made.
    guard pauseUntil <= now else { return nil }
    if let message = nextMessageStep() { return message }
    if let look = nextSurveyStep() { return look }
    return nextRestStep()
  }

  /// True when the ladder is about to make the modem start, or has it switched off.
  private var startIsOrdered: Bool {
    orders.first == .restart || orders.first == .switchOff
  }

  /// True when something is to be done that needs the modem awake.
  var hasWork: Bool { delivery != nil || isPreparing || wantsGNSS || messageWaits }

  /// When the plan has to be looked at again though nothing happens.
  var nextWake: Instant {
    if pauseUntil > now { return pauseUntil }
    var wake = now + configuration.surveyInterval
    if maySurvey, let lastSurvey { wake = lastSurvey + configuration.surveyInterval }
    if facts.gnssReports { wake = min(wake, lastFixHeard + fixInterval) }
    if configuration.sharing == .alternating, wantsGNSS, dataWaits { wake = min(wake, turnUntil) }
    if facts.delivery == .sent {
      wake = min(wake, acknowledgementUntil)
      if !awaitsReport { wake = min(wake, facts.connectionLookAt) }
    }
    if wantsGNSS, facts.gnss != .yes { wake = min(wake, gnssRetry) }
    if mayLookBeforeRest || facts.sim == .yes && !facts.messagesAreReady && messagesReadyAt > now {
      wake = min(wake, messagesReadyAt)
    }
    if readsMessages, !awaitsReport || storesReports { wake = min(wake, storeLookAt) }
    if isPreparing { wake = min(wake, preparedUntil) }
    if listeningRetry > now { wake = min(wake, listeningRetry) }
    if mayRest, !facts.goesToRest { wake = min(wake, lastWork + configuration.idleAfter) }
    // Never at once: an idle plan that wants to be looked at all the time would spin.
    return max(wake, now + .milliseconds(100))
  }

  // MARK: After a start

  /// Steps after each start, in their order.
  private static func setupStep(_ place: Int) -> ModemStep? {
    switch place {
    case 0: return .echoSet
    // What makes it deaf is cleared first.
    case 1: return .sleepQuery
    case 2: return .powerSavingQuery
    case 3: return .errorCodes
    case 4: return .startMark
    case 5: return .rateQuery
    case 6: return .identity
    case 7: return .supplyNotices
    case 8: return .registrationNotices
    case 9: return .packetNotices
    case 10: return .evolvedNotices
    case 11: return .networkTime
    default: return nil
    }
  }

  private var nextSetupStep: ModemStep? {
    if let step = Modem.setupStep(facts.setupPlace) { return step }
    if !facts.radioIsSet, configuration.radio != .unchanged { return .radioQuery }
    if !facts.narrowIsSet, configuration.radio == .catM1 || configuration.radio == .narrowband { return .narrowQuery }
    if !facts.bandsAreSet, !configuration.catMBands.isEmpty || !configuration.narrowBands.isEmpty { return .bandsQuery }
    if !facts.accessPointIsSet, !configuration.accessPoint.isEmpty { return .accessPointQuery }
    if !facts.restIsSet {
      // It must not fall asleep over the work at hand.
      if configuration.idle == .sleep, configuration.wiring.hasDTR { return .sleepSet }
    }
    if !facts.listeningIsSet, configuration.listeningCycle != nil, configuration.idle == .sleep { return .listeningSet }
    return nil
  }

  // MARK: Satellites

  /// Reports come each second; after this silence the receiver is asked.
  static var fixSilence: Interval { .seconds(10) }
  /// A turn of data and of reception when they alternate.
  static var dataTurn: Interval { .seconds(60) }
  static var gnssTurn: Interval { .seconds(45) }

  private var fixInterval: Interval { configuration.gnssForm == .queries ? .seconds(1) : Modem.fixSilence }

  private var dataHasItsTurn: Bool { configuration.sharing == .together || !wantsGNSS || turnIsData }

  /// Sees to the receiver, and to whose turn it is.
  private mutating func nextSatelliteStep() -> ModemStep? {
    if configuration.sharing == .alternating, wantsGNSS { takeTurns() }
    let isWanted = wantsGNSS && (configuration.sharing == .together || !turnIsData)
    if isWanted {
      if facts.gnss != .yes {
        guard gnssRetry <= now else { return nil }
        return configuration.antenna == .none || facts.antennaIsOn ? .gnssOn : .gnssAntenna
      }
      if !facts.gnssReports {
        switch configuration.gnssForm {
        case .reports: return .gnssNotices
        case .sentences: return .gnssSentences
        case .queries: facts.gnssReports = true
        }
      }
      if now - lastFixHeard >= fixInterval {
        lastFixHeard = now
        return .gnssQuery
      }
    } else if facts.gnss == .yes {
      return .gnssOff
    }
    return nil
  }

  private mutating func takeTurns() {
    // Without data to send and with the session for commands up, reception has all the time there is.
    if !dataWaits {
      turnIsData = false
      turnUntil = now
    } else if turnUntil <= now {
      turnIsData.toggle()
      turnUntil = now + (turnIsData ? Modem.dataTurn : Modem.gnssTurn)
    }
  }

  private var dataWaits: Bool {
    delivery != nil || (wantedSession == .mqtt && (facts.mqtt != .yes || wantsCommands))
  }

  /// True when commands could be heard in this session, and are not yet.
  private var wantsCommands: Bool {
    guard !facts.mqttIsSubscribed, !configuration.mqttCommandTopic.isEmpty else { return false }
    return listeningRetry <= now
  }

  // MARK: Data

  /// The session that is to be up: for the packet at hand, or for commands to the tracker.
  var wantedSession: ModemTransport? {
    if let way { return way }
    if isPreparing { return prepared }
    let listens = !configuration.mqttCommandTopic.isEmpty && !configuration.mqttHost.isEmpty
    return listens && listeningRetry <= now && (configuration.idle == .awake || configuration.idle == .sleep)
      ? .mqtt : nil
  }

  private mutating func nextStep(for session: ModemTransport) -> ModemStep? {
    if facts.takesOnlyMessages, facts.registration == .yes, session != .sms { facts.registration = .unknown }
    facts.isAhead = false
    if let setting = nextSettingAhead(for: session) {
      facts.isAhead = true
      return setting
    }
    if let network = nextNetworkStep { return network }
    if let bearer = nextBearerStep(for: session) { return bearer }
    if ModemParts.isMQTTAlone { return nextMQTTStep }
    switch session {
    case .http: return nextHTTPStep
    case .legacyHTTP: return nextLegacyHTTPStep
    case .mqtt: return nextMQTTStep
    case .tcp: return nextTCPStep()
    case .applicationTCP: return nextSocketStep()
    case .sms: return nextOutgoingMessageStep()
    }
  }

  /// While a modem that has started waits for its card, what needs neither card nor network is set.
  private func nextSettingAhead(for session: ModemTransport) -> ModemStep? {
    guard facts.isFresh, facts.sim != .yes, !facts.settingsWait else { return nil }
    if !ModemParts.isMQTTAlone {
      switch session {
      case .http:
        let next = facts.http == .yes ? nil : nextHTTPStep
        return next == .httpConnect ? nil : next
      case .legacyHTTP: return facts.profile == .no && !facts.profileIsSet ? .profileType : nil
      case .tcp: return 1...3 ~= facts.socketsPlace ? nextBearerStep(for: session) : nil
      case .applicationTCP, .sms: return nil
      case .mqtt: break
      }
    }
    guard facts.mqtt == .no else { return nil }
    let next = nextMQTTStep
    return next == .mqttConnect ? nil : next
  }

  /// True while there is a PIN to try: a wrong one three times blocks the card, so one that was refused is none.
  var hasPIN: Bool { !pinWasRefused && CPIN.Enter(configuration.pin) != nil }

  private var nextNetworkStep: ModemStep? {
    switch facts.sim {
    case .unknown: return .simQuery
    case .no: return facts.simWantsPIN && hasPIN ? .simEnter : .simQuery
    case .yes: break
    }
    // The two kinds of registration are asked in turn: which of them tells depends on the radio.
    if facts.registration != .yes { return facts.asksPacket ? .packetQuery : .registrationQuery }
    return nil
  }

  private func nextBearerStep(for session: ModemTransport) -> ModemStep? {
    switch ModemParts.isMQTTAlone ? .mqtt : session {
    case .http, .mqtt, .applicationTCP:
      switch facts.bearer {
      case .unknown: return .bearerQuery
      case .no: return configuration.accessUser.isEmpty || facts.bearerHasAccess ? .bearerOpen : .bearerAccess
      case .yes: return nil
      }
    case .tcp:
      guard facts.sockets != .yes else { return nil }
      switch facts.socketsPlace {
      case 0: return .socketsShut
      case 1: return .socketsMultiple
      case 2: return .socketsManual
      case 3: return .socketsAccess
      case 4: return .socketsUp
      default: return .socketsAddress
      }
    case .legacyHTTP:
      switch facts.profile {
      case .unknown: return .profileQuery
      case .no: return facts.profileIsSet ? .profileOpen : .profileType
      case .yes: return nil
      }
    case .sms: return nil
    }
  }

  private var nextHTTPStep: ModemStep? {
    guard delivery != nil else { return nil }
    if facts.http != .yes {
      switch facts.httpPlace {
      case 0: return .httpServer
      case 1: return .httpBodyLength
      case 2: return .httpHeaderLength
      case 3 where usesHTTPS: return .httpTLSVersion
      case 4 where usesHTTPS: return .httpTLSName
      case 5 where usesHTTPS: return .httpTLS
      default: return .httpConnect
      }
    }
    if !facts.hasHeaders { return facts.httpPlace < 11 ? .httpClearHeaders : .httpHeader }
    guard facts.delivery == .waiting else { return .httpRequest }
    return quirks.takesBodyInCommand ? .httpInlineBody : .httpBody
  }

  var usesHTTPS: Bool {
    configuration.httpServer.bytes.count > 5 && configuration.httpServer.bytes[4] | 0x20 == 0x73
  }

  private var nextLegacyHTTPStep: ModemStep? {
    guard delivery != nil else { return nil }
    if facts.legacy != .yes {
      switch facts.legacyPlace {
      case 0: return .legacyStart
      case 1: return .legacyBearer
      case 2: return .legacyServer
      default: return .legacyContent
      }
    }
    return facts.delivery == .waiting ? .legacyBody : .legacyRequest
  }

  private var nextMQTTStep: ModemStep? {
    switch facts.mqtt {
    case .unknown: return .mqttQuery
    case .no:
      switch facts.mqttPlace {
      case 0: return !configuration.mqttUsesTLS && mayHaveLeftovers(.mqtt) ? .mqttPlain : .mqttServer
      case 1: return .mqttClient
      case 2: return .mqttKeepAlive
      case 3: return .mqttCleanSession
      case 4 where !configuration.mqttUser.isEmpty || doubtsLeftovers: return .mqttUser
      case 4...5 where !configuration.mqttPassword.isEmpty: return .mqttPassword
      case 4...6 where configuration.mqttUsesTLS: return .mqttTLSVersion
      case 7 where configuration.mqttUsesTLS: return .mqttTLSName
      case 8 where configuration.mqttUsesTLS: return .mqttTLS
      case 4..<Modem.willPlace + 4 where !configuration.mqttAvailabilityTopic.isEmpty: return .mqttWill
      default: return .mqttConnect
      }
    case .yes: break
    }
    if wantsCommands { return .mqttSubscribe }
    if way == .mqtt { return .mqttPublish }
    return !facts.mqttHearsServer && !configuration.mqttServerTopic.isEmpty ? .mqttListen : nil
  }

  /// True when a way may be set up otherwise by an earlier owner, and that has not been cleared since the modem's start.
  private func mayHaveLeftovers(_ way: ModemTransport) -> Bool {
    doubtsLeftovers && facts.clearedWays & 1 << way.rawValue == 0
  }

  private mutating func nextTCPStep() -> ModemStep? {
    guard delivery != nil else { return nil }
    if hasDataToRead(facts.tcp) { return nextReading(.tcpRead) }
    if facts.tcp != .yes {
      facts.delivery = .waiting
      return mayHaveLeftovers(.tcp) ? .tcpPlain : .tcpOpen
    }
    if wantsLookAtConnection { return .tcpRead }
    return nextSending(.tcpSend)
  }

  private mutating func nextSocketStep() -> ModemStep? {
    guard delivery != nil else { return nil }
    if facts.socketCount > 0 { return .socketRead }
    if hasDataToRead(facts.socket) { return nextReading(.socketCount) }
    if facts.socket != .yes {
      facts.delivery = .waiting
      guard facts.socketIsSelected else { return .socketSelect }
      return mayHaveLeftovers(.applicationTCP) ? .socketPlain : .socketOpen
    }
    // To count what a socket has that is not there can hang the modem.
    if wantsLookAtConnection {
      facts.looksAtConnection = true
      return .socketState
    }
    return nextSending(.socketSend)
  }

  /// True when something waits on a connection that is there, or that the server has ended behind a packet that went out whole. What comes
  /// on one that was given up may be for a damaged one.
  func hasDataToRead(_ connection: Known) -> Bool {
    facts.tcpHasData && (connection == .yes || facts.delivery == .sent)
  }

  /// What waits on the connection is read, but not for ever: a modem may say that there is more whatever it has given.
  private mutating func nextReading(_ read: ModemStep) -> ModemStep? {
    facts.reads += 1
    if facts.reads <= Modem.mostReads { return read }
    trouble(.sessionLost, reaching: .session)
    return nil
  }

  /// The most portions that are read before the packet has its acknowledgement; our choice, four times what may wait for the caller.
  static var mostReads: UInt8 { 16 }

  /// A server that does not acknowledge in time gets the packet again.
  private mutating func nextSending(_ send: ModemStep) -> ModemStep? {
    guard facts.delivery == .sent else { return send }
    guard acknowledgementUntil <= now else { return nil }
    // A modem that never said that it has sent may not have the command.
    let isSilent = facts.sendingIsOpen
    trouble(isSilent ? .sessionLost : .unacknowledged)
    if isSilent { countMidwaySilence() }
    return nil
  }

  /// The notice of the server's line comes only once, and the line may have swallowed it: the connection is looked at before the
  /// packet goes again.
  private var wantsLookAtConnection: Bool {
    mutating get {
      guard facts.delivery == .sent, facts.connectionLookAt <= now else { return false }
      facts.connectionLookAt = now + Modem.connectionLookPause
      return true
    }
  }

  /// Between two looks at a connection on which the server's line is awaited.
  static var connectionLookPause: Interval { .seconds(5) }

  // MARK: Messages

  /// From a start to the notice that messages can be sent; our assumption, with reserve.
  private static var messagesReadyTime: Interval { .seconds(15) }

  private mutating func nextOutgoingMessageStep() -> ModemStep? {
    if awaitsReport { return nil }
    if !facts.messagesAreReady {
      // Before this notice the message commands fail; should it be lost, trying is the only way.
      facts.messagesAreReady = true
      pauseUntil = messagesReadyAt
      if pauseUntil > now { return nil }
    }
    // The report of an earlier message could be taken for that of this one.
    if storesReports, facts.messagesAreSet, facts.storeLookedAt == nil || reading.place != 0 || facts.looksAtStore,
      let look = nextMessageStep()
    {
      return look
    }
    if facts.messageForm != .text { return nextFormatStep }
    return facts.messagesAreSet && !lacksParameters ? .messageSend : .messageNotices
  }

  /// When messages are tried though nothing said that they are ready.
  var messagesReadyAt: Instant { (startedAt ?? .zero) + Modem.messagesReadyTime }

  // MARK: Looking around and resting

  private var maySurvey: Bool { facts.registration == .yes || delivery == nil }

  private mutating func nextSurveyStep() -> ModemStep? {
    let isDue = lastSurvey.map { now - $0 >= configuration.surveyInterval } ?? true
    guard maySurvey else { return nil }
    // A driver that has started after its modem, or heard of a start after its notices, does not know the card, and messages wait
    // for that.
    let isReady = isDue || facts.messagesAreReady || messagesReadyAt <= now
    if facts.sim == .unknown, !configuration.smsNumber.isEmpty, !facts.simWasAsked, isReady {
      facts.simWasAsked = true
      return .simQuery
    }
    guard isDue else { return nil }
    switch surveyPlace {
    case 0: return .signalQuery
    case 1: return .batteryQuery
    default: return .clockQuery
    }
  }

  private var mayRest: Bool {
    guard delivery == nil, !wantsGNSS, !isPreparing else { return false }
    // Never into a rest from which nothing could wake it.
    switch configuration.idle {
    case .awake: return false
    case .sleep: return configuration.wiring.hasDTR
    case .powerSaving, .off: return configuration.wiring.hasPowerKey
    }
  }

  private mutating func nextRestStep() -> ModemStep? {
    guard mayRest, now - lastWork >= configuration.idleAfter else { return nil }
    if mayLookBeforeRest { return nil }
    if !facts.goesToRest, looksBeforeRest(), let message = nextMessageStep() { return message }
    switch configuration.idle {
    case .sleep:
      fallAsleep()
      return nil
    case .off: return .switchOff
    case .powerSaving: return facts.goesToRest ? nil : .powerSavingNotices
    case .awake: return nil
    }
  }
}

import InlineStorage
import ATCommands
import Quantities

// What a packet still needs: network, bearer, session.
extension Modem {
  // MARK: Data

  /// The session that is to be up: for the packet at hand, or for commands to the tracker.
  var wantedSession: ModemTransport? {
    if let way { return way }
    if isPreparing { return prepared }
    let listens = !configuration.mqttCommandTopic.isEmpty && !configuration.mqttHost.isEmpty
    return listens && listeningRetry <= now && (configuration.idle == .awake || configuration.idle == .sleep)
      ? .mqtt : nil
  }

  mutating func nextStep(for session: ModemTransport) -> ModemStep? {
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
  func nextSettingAhead(for session: ModemTransport) -> ModemStep? {
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

  var nextNetworkStep: ModemStep? {
    switch facts.sim {
    case .unknown: return .simQuery
    case .no: return facts.simWantsPIN && hasPIN ? .simEnter : .simQuery
    case .yes: break
    }
    // The two kinds of registration are asked in turn: which of them tells depends on the radio.
    if facts.registration != .yes { return facts.asksPacket ? .packetQuery : .registrationQuery }
    return nil
  }

  func nextBearerStep(for session: ModemTransport) -> ModemStep? {
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

  var nextHTTPStep: ModemStep? {
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

  var nextLegacyHTTPStep: ModemStep? {
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

  var nextMQTTStep: ModemStep? {
    switch facts.mqtt {
    case .unknown: return .mqttQuery
    case .no:
      switch facts.mqttPlace {
      case 0: return !configuration.mqttUsesTLS && leftovers.mayBe(on: .mqtt) ? .mqttPlain : .mqttServer
      case 1: return .mqttClient
      case 2: return .mqttKeepAlive
      case 3: return .mqttCleanSession
      case 4 where !configuration.mqttUser.isEmpty || leftovers.areDoubted: return .mqttUser
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

  mutating func nextTCPStep() -> ModemStep? {
    guard delivery != nil else { return nil }
    if hasDataToRead(facts.tcp) { return nextReading(.tcpRead) }
    if facts.tcp != .yes {
      facts.delivery = .waiting
      return leftovers.mayBe(on: .tcp) ? .tcpPlain : .tcpOpen
    }
    if wantsLookAtConnection { return .tcpRead }
    return nextSending(.tcpSend)
  }

  mutating func nextSocketStep() -> ModemStep? {
    guard delivery != nil else { return nil }
    if facts.socketCount > 0 { return .socketRead }
    if hasDataToRead(facts.socket) { return nextReading(.socketCount) }
    if facts.socket != .yes {
      facts.delivery = .waiting
      guard facts.socketIsSelected else { return .socketSelect }
      return leftovers.mayBe(on: .applicationTCP) ? .socketPlain : .socketOpen
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
  mutating func nextReading(_ read: ModemStep) -> ModemStep? {
    facts.reads += 1
    if facts.reads <= Modem.mostReads { return read }
    trouble(.sessionLost, reaching: .session)
    return nil
  }

  /// The most portions that are read before the packet has its acknowledgement; our choice, four times what may wait for the caller.
  static var mostReads: UInt8 { 16 }

  /// A server that does not acknowledge in time gets the packet again.
  mutating func nextSending(_ send: ModemStep) -> ModemStep? {
    guard facts.delivery == .sent else { return send }
    guard acknowledgementUntil <= now else { return nil }
    // A modem that never said that it has sent may not have the command.
    let isSilent = facts.sendingIsOpen
    trouble(isSilent ? .sessionLost : .unacknowledged)
    if isSilent { countMidwaySilence() }
    return nil
  }

  /// A packet that waits for its server's line on a connection.
  var isSentOnConnection: Bool {
    !ModemParts.isMQTTAlone && facts.delivery == .sent && (facts.tcp == .yes || facts.socket == .yes)
  }

  /// The server's line for the packet comes within a moment, mostly: what can wait until the first look at the connection waits. The line
  /// may spoil it, and all that goes over it at the same time.
  var acknowledgementIsSoon: Bool {
    isSentOnConnection && acknowledgementUntil - now > Modem.acknowledgementTimeout - Modem.connectionLookPause
  }

  /// The notice of the server's line comes only once, and the line may have swallowed it: the connection is looked at before the
  /// packet goes again.
  var wantsLookAtConnection: Bool {
    mutating get {
      // Looks that have no answer must not go on for ever.
      guard facts.delivery == .sent, facts.connectionLookAt <= min(now, acknowledgementUntil) else { return false }
      facts.connectionLookAt = now + Modem.connectionLookPause
      return true
    }
  }

  /// Between two looks at a connection on which the server's line is awaited.
  static var connectionLookPause: Interval { .seconds(5) }

  // MARK: Messages

  /// From a start to the notice that messages can be sent; our assumption, with reserve.
  static var messagesReadyTime: Interval { .seconds(15) }

  mutating func nextOutgoingMessageStep() -> ModemStep? {
    if awaitsReport || isMessageHeld { return nil }
    if !facts.messagesAreReady {
      // Before this notice the message commands fail; should it be lost, trying is the only way. A modem that was on before may have said
      // it long ago: what it answers is evidence at once.
      facts.messagesAreReady = true
      pauseUntil = startedAt == nil ? now : messagesReadyAt
      if pauseUntil > now { return nil }
    }
    // The report of an earlier message could be taken for that of this one.
    if storesReports, facts.messagesAreSet, facts.storeLookedAt == nil || reading.place != 0 || facts.looksAtStore,
      let look = nextMessageStep()
    {
      return look
    }
    if facts.messageForm != .text { return nextFormatStep }
    guard facts.messagesAreSet, !lacksParameters else { return .messageNotices }
    return way == .sms ? .messageSend : nil
  }

  /// When messages are tried though nothing said that they are ready.
  var messagesReadyAt: Instant { (startedAt ?? .zero) + Modem.messagesReadyTime }
}

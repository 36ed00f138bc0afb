import ATCommands
import InlineStorage
import Quantities

extension Modem {
  /// Begins an exchange.
  mutating func begin(_ next: ModemStep) {
    step = next
    exchangeIsOrphaned = false
    hasDamage = false
    facts.answerStatus = 0
    facts.answerCount = 0
    facts.hasStartMark = false
    if let command = FixedCommand(of: next), next != .restart || facts.isAlive {
      return send(next == .gnssAntenna && configuration.antenna != .pin4 ? .antennaByPin48 : command)
    }
    switch next {
    case .echoSet: send(ATE.Set(isOn: configuration.verifiesEcho, setsResults: channel.hasDigits))
    case .sleepQuery: send(CSCLK.Read())
    case .powerSavingQuery: send(CPSMS.Read())
    case .startMark, .startCheck: send(CMEE.Read())
    case .accessPointQuery:
      facts.contexts.forget()
      send(CGDCONT.Read())
    case .rateQuery: send(IPR.Read())
    case .fixRate: send(IPR.Set(bitsPerSecond: UInt32(configuration.rate)))
    case .identity: send(CGMR.Execute())
    case .radioQuery: send(CNMP.Read())
    case .radioSet: send(CNMP.Mode(rawValue: UInt8(configuration.radio.preference)).map { CNMP.Set($0) })
    case .narrowQuery: send(CMNB.Read())
    case .narrowSet: send(CMNB.Mode(rawValue: UInt8(configuration.radio.narrowPreference)).map { CMNB.Set($0) })
    case .bandsQuery: send(CBANDCFG.Read())
    case .catMBandsSet: send(CBANDCFG.Set(.catM, bands: configuration.catMBands))
    case .narrowBandsSet: send(CBANDCFG.Set(.narrowband, bands: configuration.narrowBands))
    case .accessPoint: send(CGDCONT.Set(accessPoint: configuration.accessPoint))
    case .accessPointCopy:
      send(CGDCONT.Set(number: facts.contexts.nextCopy, accessPoint: configuration.accessPoint))
    case .powerSavingSet:
      send(
        CPSMS.Set(
          periodicUpdate: UpdateTimer(atLeast: configuration.periodicUpdate),
          activeTime: ActiveTimer(atLeast: configuration.activeTime)))
    case .simQuery: send(CPIN.Read())
    case .simEnter: send(CPIN.Enter(configuration.pin))
    case .registrationQuery: send(CEREG.Read())
    case .packetQuery: send(CGREG.Read())
    case .circuitQuery: send(CREG.Read())
    case .attachQuery: send(CGATT.Read())
    case .operatorQuery: send(COPS.Read())
    case .signalQuery: send(CSQ.Execute())
    case .batteryQuery: send(CBC.Execute())
    case .clockQuery: send(CCLK.Read())
    case .listeningSet:
      send(
        CEDRXS.Set(
          configuration.radio == .narrowband ? .narrowband : .catM,
          cycle: ListeningCycle(atMost: configuration.listeningCycle ?? .zero)))
    case .restart: pullResetNow()
    case .switchOff:
      // In order only where the key can switch it on again.
      guard facts.isAlive, configuration.wiring.hasPowerKey else { return pressOffNow() }
      send(CPOWD.Execute())
    case .gnssAntenna, .gnssSentences, .gnssOn, .gnssOff, .gnssNotices, .gnssQuery, .messageFormat, .messageNotices,
      .messageSend, .messageDigits, .messageList, .messageRead, .messageDelete, .charactersQuery, .charactersSet,
      .broadcastsOff:
      beginMessageOrSatellites(next)
    default: beginData(next)
    }
  }

  private mutating func beginMessageOrSatellites(_ next: ModemStep) {
    guard !ModemParts.isMQTTAlone else { return trouble(.refused) }
    switch next {
    case .gnssQuery: send(CGNSINF.Execute())
    case .charactersQuery: send(CSCS.Read())
    case .messageNotices where lacksParameters: send(CSMP.Set(wantsReport: configuration.smsStatusReports))
    case .messageNotices, .broadcastsOff:
      send(
        CNMI.Set(
          tellsIndex: true, tellsReports: configuration.smsStatusReports, storesReports: quirks.storesReports,
          isQuiet: next == .broadcastsOff))
    case .messageSend:
      facts.messageReference = nil
      facts.earlyReport = nil
      diagnostics.attempts &+= 1
      lastMessage = max(lastMessage, delivery?.ticket ?? 0)
      send(CMGS.Send(to: configuration.smsNumber), payloadCount: payloadCount + 1)
    case .messageList:
      facts.storeLooks += 1
      send(CMGL.List(includesRead: true, isCoded: facts.messageForm == .digits))
    case .messageRead: beginReading()
    case .messageDelete: send(CMGD.Delete(index: UInt16(reading.place)))
    default: break
    }
  }

  private mutating func pullResetNow() {
    step = nil
    pullReset()
  }

  private mutating func pressOffNow() {
    step = nil
    press(on: false)
  }

  /// Sends a command; nil is one that the configuration makes impossible.
  mutating func send<Command: ATCommand>(_ command: Command?, payloadCount: Int = 0) {
    guard let command else { return giveUpCommand() }
    channel.compose(command)
    sendComposed(command.grammar, payloadCount: payloadCount)
  }

  /// The same for those without anything to fill in: one function for all of them.
  @inline(never) mutating func send(_ command: FixedCommand) {
    channel.compose(command)
    sendComposed(command.grammar, payloadCount: 0)
  }

  // What is the same for all commands is kept out of `send`, or there would be eighty of it in an image.

  @inline(never) private mutating func sendComposed(_ grammar: ATGrammar, payloadCount: Int) {
    channel.sendComposed(
      grammar, payloadCount: payloadCount, subject: delivery?.ticket ?? 0, settles: step?.settlesPacket ?? false,
      outcomeWithin: step == .messageSend ? Modem.messageLimit : Modem.outcomeLimit, at: now)
  }

  @inline(never) private mutating func giveUpCommand() {
    let isBody = step == .httpInlineBody
    step = nil
    if isBody {
      quirks.learnLack(of: .http)
      return leaveWay()
    }
    guard let delivery else { return trouble(.refused) }
    endDelivery(.undelivered(ticket: delivery.ticket, reason: .unsupported))
  }

  /// The longest wait for an outcome. Manuals allow minutes for some; an alert can't wait for them, and a second try does no
  /// harm.
  static var outcomeLimit: Interval { .seconds(45) }

  /// The same for a message, which is not sent twice for nothing: whoever gets it sees it twice.
  ///
  /// - Source: [sim7000at] `AT+CMGS`: up to 60 s.
  static var messageLimit: Interval { .seconds(60) }

  private var payloadCount: Int { packet.count }

  private mutating func beginData(_ next: ModemStep) {
    switch next {
    case .bearerQuery: send(CNACT.Read())
    case .bearerAccess:
      send(
        CNCFG.Set(
          accessPoint: configuration.accessPoint, user: configuration.accessUser,
          password: configuration.accessPassword,
          authentication: .either))
    case .bearerOpen: send(CNACT.Activate(accessPoint: configuration.accessPoint))
    case .bearerClose: send(CNACT.Deactivate())
    case .socketsShut, .socketsMultiple, .socketsManual, .socketsAccess, .socketsUp, .socketsAddress, .profileType,
      .profileAccess, .profileUser, .profilePassword, .profileQuery, .profileOpen, .profileClose:
      beginOtherBearer(next)
    case .mqttQuery, .mqttPlain, .mqttServer, .mqttClient, .mqttKeepAlive, .mqttCleanSession, .mqttUser, .mqttPassword,
      .mqttTLSVersion, .mqttTLSName, .mqttTLS, .mqttWill, .mqttConnect, .mqttSubscribe, .mqttListen, .mqttPublish,
      .mqttClose:
      beginMQTT(next)
    case .tcpPlain, .socketPlain, .tcpOpen, .tcpSend, .tcpRead, .tcpClose, .socketSelect, .socketOpen, .socketState,
      .socketSend, .socketCount,
      .socketRead,
      .socketClose:
      beginConnection(next)
    default: beginHTTP(next)
    }
  }

  private mutating func beginOtherBearer(_ next: ModemStep) {
    guard !ModemParts.isMQTTAlone else { return trouble(.refused) }
    switch next {
    case .socketsShut: send(CIPSHUT.Execute())
    case .socketsAccess:
      send(
        CSTT.Set(
          accessPoint: configuration.accessPoint, user: configuration.accessUser,
          password: configuration.accessPassword))
    case .socketsAddress: send(CIFSR.Execute())
    case .profileType: send(SAPBR.Set(.kind, Credential("GPRS") ?? Credential()))
    case .profileAccess: send(Credential(configuration.accessPoint.bytes.span).map { SAPBR.Set(.accessPoint, $0) })
    case .profileUser: send(SAPBR.Set(.user, configuration.accessUser))
    case .profilePassword: send(SAPBR.Set(.password, configuration.accessPassword))
    case .profileQuery: send(SAPBR.Query())
    default: break
    }
  }

  private mutating func beginHTTP(_ next: ModemStep) {
    guard !ModemParts.isMQTTAlone else { return trouble(.refused) }
    switch next {
    case .httpServer: send(SHCONF.SetAddress(configuration.httpServer))
    case .httpBodyLength: send(SHCONF.SetBodyLimit(quirks.bodyLimit))
    case .httpHeaderLength: send(SHCONF.SetHeaderLimit(350))
    case .httpTLSVersion: send(CSSLCFG.SetVersion(context: 1))
    case .httpTLSName: send(serverHost.flatMap { CSSLCFG.SetServerName(context: 1, $0) })
    case .httpTLS: send(FileName(configuration.certificate.bytes.span).flatMap { SHSSL.Set(context: 1, authority: $0) })
    case .httpState: send(SHSTATE.Read())
    case .httpHeader:
      send(SHAHEAD.Add(name: HeaderText("Content-Type") ?? HeaderText(), value: configuration.httpContentType))
    case .httpBody:
      diagnostics.attempts &+= 1
      send(SHBODEXT.Send(count: UInt16(payloadCount)), payloadCount: payloadCount)
    case .httpInlineBody:
      diagnostics.attempts &+= 1
      send(SHBOD.Set(packet.span))
    case .httpRequest:
      send(RequestTarget(configuration.httpPath.bytes.span).flatMap { SHREQ.Request($0, method: .post) })
    case .httpRead: send(SHREAD.Get(count: UInt32(facts.bodyCount)))
    case .legacyServer: send(RequestTarget(legacyURL.span).flatMap { HTTPPARA.SetURL($0) })
    case .legacyContent: send(HTTPPARA.SetContentType(configuration.httpContentType))
    case .legacyBody:
      diagnostics.attempts &+= 1
      send(HTTPDATA.Send(count: UInt32(payloadCount)), payloadCount: payloadCount)
    case .legacyRequest: send(HTTPACTION.Request(.post))
    case .legacyRead: send(HTTPREAD.Get(count: UInt32(facts.bodyCount)))
    default: trouble(.refused)
    }
  }

  /// The host alone, of `scheme://host:port`.
  private var serverHost: ServerAddress? {
    let address = configuration.httpServer.bytes
    var start = 0
    while start + 2 < address.count, !(address[start] == 0x3A && address[start + 1] == 0x2F) { start += 1 }
    start += 3
    var end = start
    while end < address.count, address[end] != 0x3A, address[end] != 0x2F { end += 1 }
    guard start < end else { return nil }
    return ServerAddress(address.span.extracting(start..<end))
  }

  /// Server and path in one.
  private var legacyURL: InlineBytes<192> {
    var url = InlineBytes<192>()
    url.append(contentsOf: configuration.httpServer.bytes.span)
    url.append(contentsOf: configuration.httpPath.bytes.span)
    return url
  }

  private mutating func beginMQTT(_ next: ModemStep) {
    switch next {
    case .mqttQuery: send(SMSTATE.Read())
    case .mqttServer:
      send(
        SMCONF.SetServer(
          host: configuration.mqttHost, port: configuration.mqttPort, isJoined: quirks.joinsBrokerAddress))
    case .mqttClient: send(text(of: configuration.mqttClient.bytes).map { SMCONF.SetText(.clientName, $0) })
    case .mqttKeepAlive:
      let seconds = configuration.mqttKeepAlive.microseconds / 1_000_000
      send(SMCONF.SetNumber(.keepAliveSeconds, seconds < 1 ? 1 : UInt16(clamping: seconds)))
    // Subscriptions that outlive the connection bring the commands that came meanwhile.
    case .mqttCleanSession: send(SMCONF.SetNumber(.cleanSession, 0))
    case .mqttUser: send(text(of: configuration.mqttUser.bytes).map { SMCONF.SetText(.user, $0) })
    case .mqttPassword: send(text(of: configuration.mqttPassword.bytes).map { SMCONF.SetText(.password, $0) })
    case .mqttTLSVersion: send(CSSLCFG.SetVersion(context: 1))
    case .mqttTLSName: send(CSSLCFG.SetServerName(context: 1, configuration.mqttHost))
    case .mqttTLS: send(SMSSL.Set(context: 1, authority: configuration.certificate))
    case .mqttWill:
      if facts.mqttPlace < Modem.willPlace { facts.mqttPlace = Modem.willPlace }
      switch facts.mqttPlace - Modem.willPlace {
      case 0: send(SMCONF.SetText(.willTopic, configuration.mqttAvailabilityTopic))
      case 1: send(TopicName("offline").map { SMCONF.SetText(.willMessage, $0) })
      case 2: send(SMCONF.SetNumber(.willQuality, 1))
      default: send(SMCONF.SetNumber(.willRetained, 1))
      }
    case .mqttSubscribe: send(SMSUB.Subscribe(topic: configuration.mqttCommandTopic))
    case .mqttListen: send(SMSUB.Subscribe(topic: configuration.mqttServerTopic))
    case .mqttPublish:
      diagnostics.attempts &+= 1
      send(
        SMPUB.Send(
          topic: publication.topic.isEmpty ? configuration.mqttTopic : publication.topic, count: UInt16(payloadCount),
          quality: .atLeastOnce, isRetained: publication.isRetained),
        payloadCount: payloadCount)
    default: break
    }
  }

  private func text(of bytes: InlineBytes<64>) -> TopicName? { TopicName(bytes.span) }

  private mutating func beginConnection(_ next: ModemStep) {
    guard !ModemParts.isMQTTAlone else { return trouble(.refused) }
    // A line per packet: the end of the line is sent with it.
    let count = UInt16(payloadCount + 1)
    switch next {
    case .tcpOpen: send(CIPSTART.Open(connection: 0, host: configuration.tcpHost, port: configuration.tcpPort))
    case .tcpSend:
      diagnostics.attempts &+= 1
      send(CIPSEND.Send(connection: 0, count: count), payloadCount: Int(count))
    case .tcpRead:
      facts.tcpHasMore = false
      send(CIPRXGET.Get(connection: 0, maximumCount: 256))
    case .tcpClose: send(CIPCLOSE.Close(connection: 0))
    case .socketOpen: send(CAOPEN.Open(host: configuration.tcpHost, port: configuration.tcpPort))
    case .socketState:
      // A connection that is looked at is only there when the modem says so.
      if facts.looksAtConnection || facts.silentOpening == .applicationTCP { facts.answerStatus = 2 }
      send(CASTATE.Read())
    case .socketSend:
      diagnostics.attempts &+= 1
      send(CASEND.Send(count: count), payloadCount: Int(count))
    case .socketCount: send(CARECV.Read())
    case .socketRead: send(CARECV.Get(maximumCount: UInt16(min(facts.socketCount, 256))))
    default: break
    }
  }

  /// The modem asks for the payload.
  mutating func writePayload() {
    // The next packet may be longer or shorter than was announced. Without a payload the exchange ends by its deadline.
    guard delivery != nil, let step, !exchangeIsOrphaned else { return }
    // What came damaged must not leave the modem, or not as a packet: the end follows once the echo of the rest is whole. Nothing gives a
    // publication up.
    let end: UInt8?
    var last: UInt8 = 0
    switch step {
    case .messageSend:
      end = 0x1A
      last = 1
    case .tcpSend, .socketSend:
      // An end alone could be taken for that of the command.
      end = 0x0A
      last = 2
    default: end = nil
    }
    channel.write(payload: packet.span, end: end, holding: last, at: now)
  }
}

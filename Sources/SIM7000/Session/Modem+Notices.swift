import ATCommands
import InlineStorage
import Quantities

extension Modem {
  /// A line that came by itself.
  mutating func takeNotice() {
    guard !channel.line.isEmpty else { return }
    if channel.line[0] == 0x24 { return keepNMEA() }
    if takesStrayAcknowledgement() { return }
    if !understandsNotice() {
      diagnostics.linesUnknown &+= 1
      noteDamage()
      doubtStore()
      keepStrangeLine()
    }
  }

  /// Whose a message is: a request for this tracker, or what a server says to all.
  private func source(of notice: PublishedMessageNotice) -> ReplySource {
    let wanted = configuration.mqttServerTopic.bytes.span
    let topic = notice.topic(in: ATLine(channel.line.span))
    guard !wanted.isEmpty, wanted.count == topic.count else { return .mqtt }
    var place = 0
    while place < topic.count {
      if topic[place] != wanted[place] { return .mqtt }
      place += 1
    }
    return .server
  }

  private mutating func understandsNotice() -> Bool {
    guard let kind = ModemNotice.of(ATLine(channel.line.span)) else {
      // What a network says to a user, or a cell to all, is known, and nothing is done about it.
      let isBroadcast = ATLine(channel.line.span).isNamed("+CBM")
      if isBroadcast { facts.hearsBroadcasts = true }
      return takeDirectMessage() || ATLine(channel.line.span).isNamed("+CUSD") || isBroadcast
    }
    switch kind {
    // These the channel has seen before, and reported as what they are.
    case .started, .function, .powerDown: break
    case .sim: if let notice = SIMNotice.decode(ATLine(channel.line.span)) { noticeOfSIM(notice.state) }
    case .messagesReady: messagesAreReady()
    case .supplyWarning:
      if SupplyWarningNotice.decode(ATLine(channel.line.span)) == .underVoltage { report(.supplyLow) }
    case .powerSaving: if PowerSavingNotice.decode(ATLine(channel.line.span)) == .entered { fellIntoPowerSaving() }
    case .registration:
      if let notice = RegistrationNotice.decode(ATLine(channel.line.span)) { noticeOfRegistration(notice) }
    case .networkTime:
      if let notice = NetworkTimeNotice.decode(ATLine(channel.line.span)) { report(.networkTime(notice.time.utc)) }
    case .applicationNetwork:
      if ApplicationNetworkNotice.decode(ATLine(channel.line.span))?.isActive == true {
        facts.bearer = .yes
        wakeUp()
      } else {
        bearerIsLost()
      }
    case .toolkitLost: socketsAreLost()
    case .bearerLost: profileIsLost()
    case .connection:
      guard let notice = ConnectionNotice.decode(ATLine(channel.line.span)), notice.connection ?? 0 == 0 else { break }
      let event = notice.event
      if event == .closed {
        loseSession(.tcp)
        if step == .tcpSend, channel.isPayloadSent { channel.hasten(at: now) }
      }
      if event == .alreadyOpen, step == .tcpOpen { channel.conclude(.failed) }
    case .received, .socketData:
      facts.tcpHasData = true
      // There can be no answer to what has not arrived.
      if step == .tcpSend || step == .socketSend, channel.isPayloadSent { channel.conclude(.ok) }
    case .socketState:
      // An earlier owner may have others.
      guard let status = SocketStateNotice.decode(ATLine(channel.line.span))?.status, status.socket == 0,
        status.state == .closed
      else { break }
      loseSession(.applicationTCP)
      if step == .socketSend, channel.isPayloadSent { channel.hasten(at: now) }
    case .requestLost:
      loseSession(.http)
      // The status may stand behind it.
      if step == .httpRequest, channel.awaitsOutcome { channel.hasten(at: now, within: .milliseconds(100)) }
    case .brokerLost: loseSession(.mqtt)
    case .published:
      guard let notice = PublishedMessageNotice.decode(ATLine(channel.line.span)) else { break }
      reportReply(from: source(of: notice), Int(notice.payloadStart)..<Int(notice.payloadEnd))
    case .storedMessage:
      guard let notice = StoredMessageNotice.decode(ATLine(channel.line.span)), let index = UInt8(exactly: notice.index)
      else { break }
      // What could not be read there is gone.
      unreadPlaces.clear(index)
      announce(index)
    case .directMessage:
      facts.hearsBroadcasts = true
      return takeDirectMessage()
    case .statusReport: if let report = StatusReportNotice.decode(ATLine(channel.line.span)) { take(report) }
    case .storedReport:
      guard let notice = StoredReportNotice.decode(ATLine(channel.line.span)), let index = UInt8(exactly: notice.index)
      else { break }
      facts.hasStoredReports = true
      unreadPlaces.clear(index)
      announce(index)
    case .position: if let notice = PositionNotice.decode(ATLine(channel.line.span)) { take(notice.report) }
    case .socketSent:
      if SocketSentNotice.decode(ATLine(channel.line.span))?.outcome.isSent == false { loseSession(.applicationTCP) }
    // Outcomes that came when nobody waited for them any more, and news nothing depends on.
    case .system, .networkName, .summerTime, .zone, .request, .action, .timeServer, .ring: break
    }
    return true
  }

  // MARK: What notices mean

  /// The card's state came by itself: after a start, or because the card was taken out.
  mutating func noticeOfSIM(_ state: SIMState) {
    // A card that is ready again without having been away: the modem has started without saying so.
    if state == .ready, facts.sim == .yes { return mayHaveStarted() }
    let isLost = facts.sim == .yes && wantedSession != nil
    simIs(state)
    // What may be a line of a text is only asked about.
    if isLost, facts.sim != .yes, channel.textGoesOnUntil < now { noteLoss(.simFailure, reaching: .modem) }
    if state == .ready, facts.sim == .yes, registrationSince == nil { registrationSince = now }
    wakeUp()
  }

  /// What only a modem with a card says: one that is not known to have one is asked again.
  mutating func cardIsThere() {
    guard facts.sim == .unknown else { return }
    facts.simWasAsked = false
    // The radio's rest, or the wait before it, is none for the card.
    if orders.isEmpty, !pausesForModem { pauseUntil = min(pauseUntil, now) }
  }

  /// Comes once after each start of the card.
  mutating func messagesAreReady() {
    cardIsThere()
    if facts.heardMessagesReady { return mayHaveStarted() }
    facts.heardMessagesReady = true
    facts.messagesAreReady = true
    // What the store has said before was a refusal.
    facts.storeLookedAt = nil
    facts.looksAtStore = false
    facts.storeLimit = Modem.storeLimit
    if delivery?.transport == .sms { wakeUp() }
  }

  /// Which network says so matters: on LTE the circuit-switched one may deny what the others grant.
  mutating func noticeOfRegistration(_ notice: RegistrationNotice) {
    guard notice.domain != .circuit else { return }
    let state = notice.registration.state
    if isEnough(state) {
      let wasRegistered = facts.registration == .yes
      registrationIs(state)
      facts.registeredKinds |= 1 << notice.domain.rawValue
      registrationSince = nil
      // The remedy that was put off is not needed any more.
      if step == nil, orders.count == 2, lastTrouble == .searchEnded || lastTrouble == .notRegistered {
        orders.removeAll()
      }
      if !wasRegistered { wakeUp() }
    } else if facts.registration == .yes {
      // On GSM there is none with LTE, and a modem says so behind the other.
      facts.registeredKinds &= ~(1 << notice.domain.rawValue)
      guard facts.registeredKinds == 0 else { return }
      // The other network may know better, and is asked.
      facts.registration = .unknown
      registrationSince = nil
      if wantedSession != nil { noteLoss(.noBearer, reaching: .card) }
    } else {
      registrationIs(state)
    }
  }

  /// The modem sleeps as it was told to; what it was told before is kept only in part.
  private mutating func fellIntoPowerSaving() {
    restSearches = 0
    forgetModem()
    enter(.dormant, for: longestDormancy)
  }

  mutating func bearerIsLost() {
    let wanted = wantedSession
    if facts.bearer == .yes, wanted == .http || wanted == .mqtt || wanted == .applicationTCP {
      noteLoss(.noBearer, reaching: .network)
    }
    facts.bearer = .unknown
    // Without a bearer there is nothing more to be read.
    if wanted == .applicationTCP { forgetConnectionData() }
    loseSession(.http)
    loseSession(.mqtt)
    loseSession(.applicationTCP)
  }

  /// It ends whatever is under way over it, which nothing else would.
  mutating func socketsAreLost() {
    let wanted = wantedSession
    if facts.sockets == .yes, wanted == .tcp { noteLoss(.noBearer, reaching: .network) }
    if wanted == .tcp { forgetConnectionData() }
    facts.sockets = .unknown
    facts.socketsPlace = 0
    facts.registration = .unknown
    loseSession(.tcp)
    switch step {
    case .socketsShut, .socketsUp, .tcpOpen, .tcpSend: channel.conclude(.failed)
    default: break
    }
  }

  private mutating func forgetConnectionData() {
    facts.tcpHasData = false
    facts.socketCount = 0
  }

  mutating func profileIsLost() {
    if facts.profile == .yes, wantedSession == .legacyHTTP { noteLoss(.noBearer, reaching: .network) }
    facts.profile = .unknown
    facts.profileIsSet = false
    loseSession(.legacyHTTP)
  }

  /// A session is gone; the packet at hand begins anew when it used it.
  mutating func loseSession(_ transport: ModemTransport) {
    if hasSession(transport), wantedSession == transport { noteLoss(.sessionLost, reaching: .session) }
    switch transport {
    case .http:
      facts.http = .no
      facts.httpPlace = 0
      facts.hasHeaders = false
      if !facts.bodyIsLegacy { facts.bodyCount = 0 }
    case .legacyHTTP:
      facts.legacy = .no
      facts.legacyPlace = 0
      if facts.bodyIsLegacy { facts.bodyCount = 0 }
    case .mqtt:
      facts.mqtt = .unknown
      facts.mqttIsSubscribed = false
      facts.mqttHearsServer = false
      facts.mqttPlace = 0
    case .tcp: facts.tcp = .no
    case .applicationTCP:
      facts.socket = .no
      facts.socketIsSelected = false
    case .sms: break
    }
    // What comes on a connection before its end is read first: it may be the server's line for the packet that was sent.
    let isConnection = transport == .tcp || transport == .applicationTCP
    if way == transport, !isConnection { facts.delivery = .waiting }
  }

  private func hasSession(_ transport: ModemTransport) -> Bool {
    switch transport {
    case .http: return facts.http == .yes
    case .mqtt: return facts.mqtt == .yes
    case .tcp: return facts.tcp == .yes
    case .applicationTCP: return facts.socket == .yes
    case .legacyHTTP, .sms: return false
    }
  }

  /// Good news: a pause for want of it is over. Not one that the radio or the modem needs.
  private mutating func wakeUp() {
    if orders.isEmpty, step == nil, phase == .running, !pausesForModem { pauseUntil = now }
  }

  /// True when it is the modem that has not answered, lap after lap: what it says by itself is no news of that.
  var pausesForModem: Bool { lastTrouble == .unanswered && ladder.laps > 0 }

  // MARK: Text

  /// Sentences on the command line are for the receiver's parser.
  private mutating func keepNMEA() {
    guard !ModemParts.isMQTTAlone else { return }
    lastFixHeard = now
    guard nmea.count + channel.line.count + 2 <= 1024 else {
      diagnostics.nmeaDropped &+= UInt32(truncatingIfNeeded: channel.line.count)
      return
    }
    nmea.append(contentsOf: channel.line.span)
    nmea.append(0x0D)
    nmea.append(0x0A)
  }

  /// `+CMT` and what stands behind it: the message itself. It is in no store, so that it leaves no trace of being read.
  private mutating func takeDirectMessage() -> Bool {
    guard !ModemParts.isMQTTAlone else { return false }
    var end = 0
    while end < channel.line.count, channel.line[end] != 0x0A { end += 1 }
    guard end < channel.line.count else { return false }
    // The text of one that is being read is read again.
    if step == .messageRead { reading.content = .damaged }
    messageText.removeAll()
    if let notice = DirectMessageNotice.decode(ATLine(channel.line.span.extracting(0..<end))) {
      messageText.append(contentsOf: notice.header.sender.span)
      messageText.append(contentsOf: channel.line.span.extracting(end..<channel.line.count))
    } else {
      guard let octets = DirectMessageNotice.octets(ATLine(channel.line.span.extracting(0..<end))) else { return false }
      let digits = channel.line.span.extracting(end + 1..<channel.line.count)
      // There is no second reading of it: what is not as long as it says is no request.
      guard MessagePDU.octets(digits) == Int(octets), MessagePDU.read(digits, into: &messageText) else {
        messageText.removeAll()
        return false
      }
    }
    reportReply(from: .sms)
    messageText.removeAll()
    return true
  }
}

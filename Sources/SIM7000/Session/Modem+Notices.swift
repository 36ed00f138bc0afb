import ATCommands
import InlineStorage
import Quantities

extension Modem {
  /// A line that came by itself.
  mutating func takeNotice() {
    let line = channel.line
    guard !line.isEmpty else { return }
    if line[0] == 0x24 { return keepNMEA(line.span) }
    if expectsMessageText { return takeDirectMessage(line.span) }
    if !understandsNotice(ATLine(line.span)) { diagnostics.linesUnknown &+= 1 }
  }

  private mutating func understandsNotice(_ line: borrowing ATLine) -> Bool {
    guard let notice = ModemNotice.decode(line) else { return false }
    switch notice {
    // These the channel has seen before, and reported as what they are.
    case .started, .function, .powerDown: break
    case .sim(let notice): noticeOfSIM(notice.state)
    case .messagesReady: messagesAreReady()
    case .supplyWarning(let notice): if notice == .underVoltage { report(.supplyLow) }
    case .powerSaving(let notice): if notice == .entered { fellIntoPowerSaving() }
    case .registration(let notice): noticeOfRegistration(notice)
    case .networkTime(let notice): report(.networkTime(notice.time.utc))
    case .applicationNetwork(let notice): if !notice.isActive { bearerIsLost() }
    case .toolkitLost: socketsAreLost()
    case .bearerLost: profileIsLost()
    case .connection(let notice): if notice.event == .closed { loseSession(.tcp) }
    case .received, .socketData: facts.tcpHasData = true
    case .socketState(let notice): if notice.status.state == .closed { loseSession(.applicationTCP) }
    case .requestLost: loseSession(.http)
    case .brokerLost: loseSession(.mqtt)
    case .published(let notice): reportReply(notice.payload(in: line), from: .mqtt)
    case .storedMessage(let notice):
      if let index = UInt8(exactly: notice.index) { announcedMessages.append(index) }
    case .directMessage(let notice):
      messageText.removeAll()
      messageText.append(contentsOf: notice.header.sender.span)
      expectsMessageText = true
    case .position(let notice): take(notice.report)
    // Outcomes that came when nobody waited for them any more, and news nothing depends on.
    case .system, .networkName, .summerTime, .zone, .socketSent, .request, .action, .timeServer, .ring: break
    }
    return true
  }

  // MARK: What notices mean

  /// The card's state came by itself: after a start, or because the card was taken out.
  mutating func noticeOfSIM(_ state: SIMState) {
    // A card that is ready again without having been away: the modem has started without saying so.
    if state == .ready, facts.sim == .yes { return modemStarted() }
    simIs(state)
    if state == .ready, facts.sim == .yes, registrationSince == nil { registrationSince = now }
    wakeUp()
  }

  /// Comes once after each start of the card.
  mutating func messagesAreReady() {
    if facts.heardMessagesReady { return modemStarted() }
    facts.heardMessagesReady = true
    facts.messagesAreReady = true
    if delivery?.transport == .sms { wakeUp() }
  }

  /// Which network says so matters: on LTE the circuit-switched one may deny what the others grant.
  mutating func noticeOfRegistration(_ notice: RegistrationNotice) {
    guard notice.domain != .circuit else { return }
    let state = notice.registration.state
    if state.isRegistered {
      let wasRegistered = facts.registration == .yes
      registrationIs(state)
      registrationSince = nil
      if !wasRegistered { wakeUp() }
    } else if facts.registration == .yes {
      // The other network may know better, and is asked.
      facts.registration = .unknown
      registrationSince = nil
    } else {
      registrationIs(state)
    }
  }

  /// The modem sleeps as it was told to; what it was told before is kept only in part.
  private mutating func fellIntoPowerSaving() {
    forgetModem()
    enter(.dormant, for: longestDormancy)
  }

  mutating func bearerIsLost() {
    facts.bearer = .unknown
    loseSession(.http)
    loseSession(.mqtt)
    loseSession(.applicationTCP)
  }

  mutating func socketsAreLost() {
    facts.sockets = .unknown
    facts.socketsPlace = 0
    loseSession(.tcp)
  }

  mutating func profileIsLost() {
    facts.profile = .unknown
    facts.profileIsSet = false
    loseSession(.legacyHTTP)
  }

  /// A session is gone; the packet at hand begins anew when it used it.
  mutating func loseSession(_ transport: ModemTransport) {
    switch transport {
    case .http:
      facts.http = .no
      facts.httpPlace = 0
      facts.hasHeaders = false
      if !facts.bodyIsOld { facts.bodyCount = 0 }
    case .legacyHTTP:
      facts.old = .no
      facts.oldPlace = 0
      if facts.bodyIsOld { facts.bodyCount = 0 }
    case .mqtt:
      facts.mqtt = .unknown
      facts.mqttIsSubscribed = false
      facts.mqttPlace = 0
    case .tcp:
      facts.tcp = .no
      facts.tcpHasData = false
    case .applicationTCP:
      facts.socket = .no
      facts.socketIsSelected = false
      facts.tcpHasData = false
    case .sms: break
    }
    if delivery?.transport == transport { facts.delivery = .waiting }
  }

  /// Good news: a pause for want of it is over. Not one that the radio or the modem needs.
  private mutating func wakeUp() {
    if orders.isEmpty, step == nil, phase == .running { pauseUntil = now }
  }

  // MARK: Text

  /// Sentences on the command line are for the receiver's parser.
  private mutating func keepNMEA(_ sentence: Span<UInt8>) {
    lastFixHeard = now
    guard nmea.count + sentence.count + 2 <= 1024 else {
      diagnostics.nmeaDropped &+= UInt32(truncatingIfNeeded: sentence.count)
      return
    }
    nmea.append(contentsOf: sentence)
    nmea.append(0x0D)
    nmea.append(0x0A)
  }

  /// The line after `+CMT`: the message itself.
  private mutating func takeDirectMessage(_ text: Span<UInt8>) {
    expectsMessageText = false
    messageText.append(0x0A)
    messageText.append(contentsOf: text)
    let whole = messageText
    reportReply(whole.span, from: .sms)
    messageText.removeAll()
  }
}

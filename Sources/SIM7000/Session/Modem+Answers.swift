import ATCommands
import ASCIIText
import InlineStorage
import Quantities

extension Modem {
  /// A line of the answer to the exchange under way.
  mutating func takeInformation() {
    guard let step else { return }
    if !understands(step) {
      diagnostics.linesDamaged &+= 1
      noteDamage()
      doubtStore()
      keepStrangeLine()
    }
  }

  /// For whoever looks why it does not work.
  mutating func keepStrangeLine() {
    // The late echo of a command is nothing of the modem's.
    if ATLine(channel.line.span).begins(with: "AT") { return }
    strangeLine.removeAll()
    strangeLine.append(contentsOf: channel.line.span)
  }

  /// Reads the line; false when it can't be read.
  private mutating func understands(_ step: ModemStep) -> Bool {
    switch step {
    case .rateQuery:
      guard let rate = IPR.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = Int(rate)
    case .sleepQuery:
      guard let isAllowed = CSCLK.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = isAllowed ? 1 : 0
    case .powerSavingQuery:
      guard let isOn = CPSMS.Read.isOn(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = isOn ? 1 : 0
    case .startMark, .startCheck:
      guard let form = CMEE.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = Int(form.rawValue)
      facts.hasStartMark = true
    case .accessPointQuery:
      guard let context = CGDCONT.Read.context(ATLine(channel.line.span), against: configuration.accessPoint) else {
        return false
      }
      facts.contexts.note(context.number, differs: context.differs)
    case .identity:
      guard let revision = CGMR.Execute.decode(ATLine(channel.line.span)) else { return false }
      firmware = revision
      quirks.meet(revision)
    case .radioQuery:
      guard let mode = CNMP.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = Int(mode.rawValue)
    case .narrowQuery:
      guard let mode = CMNB.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = Int(mode.rawValue)
    case .bandsQuery:
      guard let given = CBANDCFG.Read.decode(ATLine(channel.line.span)) else { return false }
      switch given.kind {
      case .catM: facts.hasCatMBands = given.bands == configuration.catMBands
      case .narrowband: facts.hasNarrowBands = given.bands == configuration.narrowBands
      }
    case .simQuery:
      guard let state = CPIN.Read.decode(ATLine(channel.line.span)) else { return false }
      simIs(state)
    case .registrationQuery:
      guard let registration = CEREG.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.hasRegistrationLine = true
      facts.wasIdle = registration.state == .notSearching
      registrationIs(registration.state)
    case .packetQuery:
      guard let registration = CGREG.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.hasRegistrationLine = true
      facts.wasIdle = facts.wasIdle && registration.state == .notSearching
      registrationIs(registration.state)
    case .circuitQuery:
      guard let registration = CREG.Read.decode(ATLine(channel.line.span)) else { return false }
      if registration.state.isRegistered { registrationIs(registration.state) }
    case .attachQuery:
      guard let isAttached = CGATT.Read.decode(ATLine(channel.line.span)) else { return false }
      if isAttached { registrationIs(.home) }
    case .operatorQuery:
      guard let isAutomatic = COPS.Read.isAutomatic(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = isAutomatic ? 0 : 1
    case .signalQuery:
      guard let reading = CSQ.Execute.decode(ATLine(channel.line.span)) else { return false }
      signalStrengthDBm = reading.strengthDBm
      signalCount &+= 1
    case .batteryQuery:
      guard let reading = CBC.Execute.decode(ATLine(channel.line.span)) else { return false }
      supplyMillivolts = reading.supplyMillivolts
    case .clockQuery:
      // A clock that was never set has nothing to tell.
      guard let time = CCLK.Read.decode(ATLine(channel.line.span)) else { return false }
      report(.networkTime(time.utc))
    case .bearerQuery:
      guard let network = CNACT.Read.decode(ATLine(channel.line.span)) else { return false }
      if network.state == .active { facts.bearer = .yes } else if facts.bearer == .unknown { facts.bearer = .no }
    case .profileQuery:
      guard let bearer = SAPBR.Query.decode(ATLine(channel.line.span)) else { return false }
      facts.profile = bearer.state == .connected ? .yes : .no
    case .mqttQuery:
      guard let isConnected = SMSTATE.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.mqtt = isConnected ? .yes : .no
      facts.mqttPlace = 0
    default: return understandsData(step)
    }
    return true
  }

  private mutating func understandsData(_ step: ModemStep) -> Bool {
    guard !ModemParts.isMQTTAlone else { return true }
    switch step {
    case .httpState:
      guard let isConnected = SHSTATE.Read.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = isConnected ? 1 : 0
    case .httpRequest:
      guard let outcome = SHREQ.Request.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = Int(outcome.status)
      facts.answerCount = Int(outcome.count)
    case .legacyRequest:
      guard let outcome = HTTPACTION.Request.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = Int(outcome.status)
      facts.answerCount = Int(outcome.count)
    case .tcpRead:
      guard let portion = CIPRXGET.Get.decode(ATLine(channel.line.span)) else {
        // The notice has the same name: there is more than is being read.
        guard ReceivedNotice.decode(ATLine(channel.line.span)) != nil else { return false }
        facts.tcpHasMore = true
        return true
      }
      facts.answerCount = Int(portion.remaining)
    case .socketOpen:
      guard let outcome = CAOPEN.Open.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = outcome == .done ? 0 : outcome.isOfModem ? 2 : 1
    case .socketState:
      guard let status = CASTATE.Read.decode(ATLine(channel.line.span)) else { return false }
      if status.socket == 0 { facts.answerStatus = status.state == .connected ? 0 : 1 }
    case .socketSend:
      guard let outcome = CASEND.Send.decode(ATLine(channel.line.span)) else { return false }
      facts.answerStatus = outcome.isSent ? 0 : 1
    case .socketCount:
      // Another socket's says nothing.
      guard let count = CARECV.Read.decode(ATLine(channel.line.span)) else { return true }
      facts.answerCount = Int(count)
    case .gnssQuery:
      guard let report = CGNSINF.Execute.decode(ATLine(channel.line.span)) else { return false }
      take(report)
      // The receiver has lost its power without a word.
      if !report.isRunning {
        facts.gnss = .no
        facts.gnssReports = false
      } else {
        // It runs, but its reports have stopped: ask for them again.
        facts.gnssReports = false
      }
    case .messageSend where configuration.smsStatusReports:
      guard let reference = CMGS.Send.decode(ATLine(channel.line.span)) else { return false }
      facts.messageReference = reference
    case .charactersQuery:
      guard let isPlain = CSCS.Read.isPlain(ATLine(channel.line.span)) else { return false }
      facts.hasPlainCharacters = isPlain ? .yes : .no
    case .messageList:
      if let place = CMGL.List.place(ATLine(channel.line.span)) { announce(place) }
    case .messageRead: return takeMessageLine()
    default: break
    }
    return true
  }

  mutating func take(_ report: GNSSReport) {
    lastFixHeard = now
    guard report.isRunning else { return }
    fix = report.fix(at: now)
    guard !fixIsReported else { return }
    fixIsReported = true
    self.report(.fix)
  }

  // MARK: SIM card and registration

  mutating func simIs(_ state: SIMState) {
    switch state {
    // The second PIN guards the card's telephone book, and nothing that is wanted here.
    case .ready, .needsPIN2, .needsPUK2:
      facts.sim = .yes
      facts.simWantsPIN = false
      // It has all its tries again.
      pinDoubts = 0
    case .needsPIN:
      facts.sim = .no
      facts.simWantsPIN = true
    case .needsPUK, .needsPhonePIN, .needsPhonePUK:
      // Nothing that can be done from here: as if the PIN were refused.
      facts.sim = .no
      facts.simWantsPIN = true
      pinWasRefused = true
    case .notReady, .notInserted:
      let hadNetwork = facts.sim == .yes || facts.bearer == .yes || facts.sockets == .yes || facts.profile == .yes
      facts.sim = .unknown
      facts.registration = .unknown
      // They are ready anew once the card is, and what came meanwhile is announced by nothing.
      facts.messagesAreReady = false
      facts.heardMessagesReady = false
      // A modem that is just starting has none to lose.
      if hadNetwork { facts.doubtBearers() }
    }
  }

  /// True when what is wanted can go: a message also where the network takes nothing else.
  func isEnough(_ state: RegistrationState) -> Bool {
    state.isRegistered || state.takesMessages && wantedSession == .sms
  }

  mutating func registrationIs(_ state: RegistrationState) {
    if isEnough(state) {
      facts.registration = .yes
      facts.takesOnlyMessages = !state.isRegistered
      searchesInVain = 0
      facts.deniedSince = nil
    } else if facts.registration != .yes {
      facts.registration = .no
      if state != .notSearching { facts.takesOnlyMessages = state.takesMessages }
      if state == .denied {
        facts.deniedSince = facts.deniedSince ?? now
      } else if state == .searching {
        facts.wasSearching = true
        facts.deniedSince = nil
      }
    }
  }

  // MARK: Counted bytes

  /// Bytes of an answer.
  mutating func takeData() {
    guard !ModemParts.isMQTTAlone else { return }
    guard let step else { return }
    switch step {
    case .httpRead, .legacyRead: reportReply(from: .http)
    case .tcpRead, .socketRead: takeConnection()
    default: break
    }
  }

  /// The server's lines: an acknowledgement, or something for the tracker.
  private mutating func takeConnection() {
    var place = 0
    while place < channel.line.count {
      let byte = channel.line[place]
      place += 1
      guard byte == 0x0A || byte == 0x0D else {
        connectionLine.append(byte)
        continue
      }
      guard !connectionLine.isEmpty else { continue }
      if connectionLine.isTruncated {
        diagnostics.linesDamaged &+= 1
      } else if let ticket = acknowledgedTicket() {
        // An acknowledgement of an earlier packet is none of this one, nor one of the same packet that goes otherwise by now, or has
        // not been sent yet.
        if ticket == delivery?.ticket, facts.delivery == .sent, way == .tcp || way == .applicationTCP { acknowledged() }
      } else {
        reportReply(from: .tcp)
      }
      connectionLine.removeAll()
    }
  }

  /// The server's line stands behind what announced it, and can be whole though that was damaged: it is not to be had again.
  mutating func takesStrayAcknowledgement() -> Bool {
    guard !ModemParts.isMQTTAlone, step == .tcpRead || step == .socketRead, facts.delivery == .sent,
      channel.textGoesOnUntil < now
    else { return false }
    // On the same line when it was announced there.
    var start = channel.line.count
    while start > 0, channel.line[start - 1] != 0x2C { start -= 1 }
    connectionLine.removeAll()
    connectionLine.append(contentsOf: channel.line.span.extracting(start..<channel.line.count))
    let ticket = acknowledgedTicket()
    connectionLine.removeAll()
    guard let ticket, delivery?.ticket == ticket else { return false }
    acknowledged()
    return true
  }

  /// The number in `ACK <number>`; nil when the line is something else.
  @inline(never) private func acknowledgedTicket() -> UInt32? {
    guard connectionLine.count > 4, ATLine(connectionLine.span.extracting(0..<4)).equals("ACK"),
      let number = scanUnsigned(connectionLine.span.extracting(4..<connectionLine.count))
    else { return nil }
    return UInt32(exactly: number)
  }
}

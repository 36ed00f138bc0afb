import ATCommands
import ASCIIText
import InlineStorage
import Quantities

extension Modem {
  /// A line of the answer to the exchange under way.
  mutating func takeInformation() {
    guard let step else { return }
    let line = channel.line
    if !understands(ATLine(line.span), of: step) { diagnostics.linesDamaged &+= 1 }
  }

  /// Reads the line; false when it can't be read.
  private mutating func understands(_ line: borrowing ATLine, of step: ModemStep) -> Bool {
    switch step {
    case .rateQuery:
      guard let rate = IPR.Read.decode(line) else { return false }
      facts.answerStatus = Int(rate)
    case .identity:
      guard let revision = CGMR.Execute.decode(line) else { return false }
      firmware = revision
    case .radioQuery:
      guard let mode = CNMP.Read.decode(line) else { return false }
      facts.answerStatus = Int(mode.rawValue)
    case .narrowQuery:
      guard let mode = CMNB.Read.decode(line) else { return false }
      facts.answerStatus = Int(mode.rawValue)
    case .simQuery:
      guard let state = CPIN.Read.decode(line) else { return false }
      simIs(state)
    case .registrationQuery:
      guard let registration = CEREG.Read.decode(line) else { return false }
      registrationIs(registration.state)
    case .packetQuery:
      guard let registration = CGREG.Read.decode(line) else { return false }
      registrationIs(registration.state)
    case .signalQuery:
      guard let reading = CSQ.Execute.decode(line) else { return false }
      signalStrengthDBm = reading.strengthDBm
    case .batteryQuery:
      guard let reading = CBC.Execute.decode(line) else { return false }
      supplyMillivolts = reading.supplyMillivolts
    case .clockQuery:
      // A clock that was never set has nothing to tell.
      guard let time = CCLK.Read.decode(line) else { return false }
      report(.networkTime(time.utc))
    case .bearerQuery:
      guard let network = CNACT.Read.decode(line) else { return false }
      if network.state == .active { facts.bearer = .yes } else if facts.bearer == .unknown { facts.bearer = .no }
    case .profileQuery:
      guard let bearer = SAPBR.Query.decode(line) else { return false }
      facts.profile = bearer.state == .connected ? .yes : .no
    case .mqttQuery:
      guard let isConnected = SMSTATE.Read.decode(line) else { return false }
      facts.mqtt = isConnected ? .yes : .no
      facts.mqttPlace = 0
    default: return understandsData(line, of: step)
    }
    return true
  }

  private mutating func understandsData(_ line: borrowing ATLine, of step: ModemStep) -> Bool {
    switch step {
    case .httpRequest:
      guard let outcome = SHREQ.Request.decode(line) else { return false }
      facts.answerStatus = Int(outcome.status)
      facts.answerCount = Int(outcome.count)
    case .oldRequest:
      guard let outcome = HTTPACTION.Request.decode(line) else { return false }
      facts.answerStatus = Int(outcome.status)
      facts.answerCount = Int(outcome.count)
    case .tcpRead:
      guard let portion = CIPRXGET.Get.decode(line) else {
        // The notice has the same name: there is more than is being read.
        guard ReceivedNotice.decode(line) != nil else { return false }
        facts.tcpHasMore = true
        return true
      }
      facts.answerCount = Int(portion.remaining)
    case .socketOpen:
      guard let outcome = CAOPEN.Open.decode(line) else { return false }
      facts.answerStatus = outcome == .done ? 0 : 1
    case .socketSend:
      guard let outcome = CASEND.Send.decode(line) else { return false }
      facts.answerStatus = outcome.isSent ? 0 : 1
    case .socketCount:
      guard let count = CARECV.Read.decode(line) else { return false }
      facts.answerCount = Int(count)
    case .gnssQuery:
      guard let report = CGNSINF.Execute.decode(line) else { return false }
      take(report)
      // The receiver has lost its power without a word.
      if !report.isRunning {
        facts.gnss = .no
        facts.gnssReports = false
      } else {
        // It runs, but its reports have stopped: ask for them again.
        facts.gnssReports = false
      }
    case .messageRead: takeMessageLine(line)
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
    case .ready:
      facts.sim = .yes
      facts.simWantsPIN = false
      // It has all its tries again.
      pinDoubts = 0
    case .needsPIN:
      facts.sim = .no
      facts.simWantsPIN = true
    case .needsPUK, .needsPhonePIN, .needsPhonePUK, .needsPIN2, .needsPUK2:
      // Nothing that can be done from here: as if the PIN were refused.
      facts.sim = .no
      facts.simWantsPIN = true
      pinWasRefused = true
    case .notReady, .notInserted:
      facts.sim = .unknown
      facts.registration = .unknown
      facts.doubtBearers()
    }
  }

  mutating func registrationIs(_ state: RegistrationState) {
    if state.isRegistered {
      facts.registration = .yes
      facts.deniedSince = nil
    } else if facts.registration != .yes {
      facts.registration = .no
      if state == .denied {
        facts.deniedSince = facts.deniedSince ?? now
      } else if state == .searching {
        facts.deniedSince = nil
      }
    }
  }

  // MARK: Counted bytes

  /// Bytes of an answer.
  mutating func takeData() {
    guard let step else { return }
    let bytes = channel.line
    switch step {
    case .httpRead, .oldRead: reportReply(bytes.span, from: .http)
    case .tcpRead, .socketRead: takeConnection(bytes.span)
    default: break
    }
  }

  /// The server's lines: an acknowledgement, or something for the tracker.
  private mutating func takeConnection(_ bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      guard byte == 0x0A || byte == 0x0D else {
        connectionLine.append(byte)
        continue
      }
      guard !connectionLine.isEmpty else { continue }
      if connectionLine.isTruncated {
        diagnostics.linesDamaged &+= 1
      } else if let ticket = acknowledgedTicket {
        // An acknowledgement of an earlier packet is none of this one.
        if ticket == delivery?.ticket { acknowledged() }
      } else {
        let line = connectionLine
        reportReply(line.span, from: .tcp)
      }
      connectionLine.removeAll()
    }
  }

  /// The number in `ACK <number>`; nil when the line is something else.
  private var acknowledgedTicket: UInt32? {
    let line = connectionLine
    guard ATLine(line.span).begins(with: "ACK "),
      let number = scanUnsigned(line.span.extracting(4..<line.count))
    else { return nil }
    return UInt32(exactly: number)
  }

  // MARK: Messages

  /// First the header, then the text, whose lines are joined again. The reply is the sender's number, a line end, the text.
  private mutating func takeMessageLine(_ line: borrowing ATLine) {
    if let header = CMGR.Get.decode(line) {
      messageText.removeAll()
      messageText.append(contentsOf: header.sender.span)
      messageIsRead = true
    } else if messageIsRead {
      messageText.append(0x0A)
      messageText.append(contentsOf: line.bytes)
    }
  }
}

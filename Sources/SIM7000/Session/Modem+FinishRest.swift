import ATCommands
import InlineStorage
import Quantities

extension Modem {
  // MARK: Messages

  mutating func finishMessage(_ ended: ModemStep, _ result: ATResult) {
    guard !ModemParts.isMQTTAlone else { return }
    switch ended {
    case .charactersQuery, .charactersSet:
      if result.isUncertain, !isPassedInSilence { return trouble(.unanswered) }
      // What can't be read is set, and a modem that does not take it is taken as it is.
      if ended == .charactersSet { facts.hasPlainCharacters = .yes }
      if facts.hasPlainCharacters == .unknown { facts.hasPlainCharacters = .no }
    case .messageDigits:
      if result.isOK { facts.messageForm = .digits } else if !result.isUncertain { quirks.hasNoDigits = true }
    case .messageFormat, .messageNotices:
      guard result.isOK else {
        // Messages go without what only tells of them.
        if ended == .messageNotices, result.isUncertain, isPassedInSilence { return passMessageSetting() }
        pauseUntil = now + .seconds(1)
        // It may have been switched on shortly before it was met.
        if ended == .messageFormat, startedAt == nil, messagesReadyAt > now, !result.isUncertain { return }
        facts.messageSetTries += 1
        if ended == .messageFormat, facts.messageSetTries >= 3, result.isUnsupported {
          facts.messageSetTries = 0
          facts.lacksMessages = true
          if let delivery, way == .sms { endDelivery(.undelivered(ticket: delivery.ticket, reason: .unsupported)) }
          return
        }
        // Only receiving wants notices, and the store is looked at without them; the parameters are mostly those of a start.
        if ended == .messageNotices, !configuration.smsStatusReports, facts.messageSetTries >= 3, !result.isUncertain {
          facts.messageSetTries = 0
          return passMessageSetting()
        }
        if ended == .messageNotices, !lacksParameters, !result.isUncertain { doubtReportTelling() }
        if facts.messageSetTries >= 10 || result.isUncertain {
          facts.messageSetTries = 0
          // A modem in a network that always refuses it is none that a reset mends.
          trouble(.refused, reaching: result.isUncertain || facts.registration != .yes ? nil : .message)
        }
        return
      }
      facts.messageSetTries = 0
      if ended == .messageFormat {
        facts.messageForm = .text
        facts.lacksMessages = false
      } else {
        passMessageSetting()
      }
    case .messageSend:
      if result.isOK {
        facts.bareMessageEnds = 0
        return messageIsTaken()
      }
      // One byte changed on the way makes the end mark the one that gives it up, to which a modem says `OK` as well: not twice in a row.
      if result == .open {
        facts.bareMessageEnds = min(facts.bareMessageEnds + 1, 2)
        if facts.bareMessageEnds == 2 { return messageIsTaken() }
      }
      if case .messageError(let error) = result, error.isFinal, !exchangeIsOrphaned, let delivery {
        return endDelivery(.undelivered(ticket: delivery.ticket, reason: .messageRefused(code: error.code)))
      }
      doubtMessageSettings()
      trouble(.unacknowledged)
      if case .messageError(let error) = result, error.isVague { holdMessages() }
    case .messageList: finishList(result)
    case .messageRead: finishReading(result)
    case .messageDelete: finishDeletion(result)
    default: break
    }
  }

  /// What the last command for messages was to set is set, or done without.
  private mutating func passMessageSetting() {
    if lacksParameters { facts.hasMessageParameters = true } else { facts.messagesAreSet = true }
  }

  /// Hands on what came: a message's text, a line of a connection, what the channel holds. False when there is no room for it.
  @inline(never) @discardableResult
  mutating func reportReply(from source: ReplySource, _ part: Range<Int>? = nil) -> Bool {
    // An action that was lost would leave its bytes to be taken for the next one's.
    guard !actions.isFull else {
      diagnostics.actionsDropped &+= 1
      return false
    }
    let before = replies.count
    let isTaken: Bool
    switch source {
    case .sms: isTaken = replies.append(messageText.span, from: source)
    case .tcp: isTaken = replies.append(connectionLine.span, from: source)
    case .http, .mqtt, .server:
      let part = part ?? 0..<channel.line.count
      isTaken = replies.append(channel.line.span.extracting(part), from: source)
    }
    guard isTaken else { return false }
    if source == .sms, keepsMessages, unkeptMessages < .max {
      if unkeptMessages == 0 { unkeptSince = now }
      unkeptMessages += 1
    }
    report(.reply(source, count: UInt16(truncatingIfNeeded: replies.count - before)))
    return true
  }

  // MARK: Satellites

  mutating func finishSatellites(_ ended: ModemStep, _ result: ATResult) {
    guard !ModemParts.isMQTTAlone else { return }
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
  mutating func finishOrder(_ ended: ModemStep, _ result: ATResult) {
    switch ended {
    case .radioOff:
      facts.loss = nil
      facts.sim = .unknown
      facts.registration = .unknown
      facts.messagesAreReady = false
      facts.heardMessagesReady = false
      doubtMessageSettings()
      facts.doubtBearers()
      pauseUntil = now + radioRest
    case .radioOn:
      facts.sim = .unknown
      facts.cardTries = 0
      facts.idleSince = nil
      facts.wasSearching = false
      registrationSince = nil
      if lineIsAtFault { orders.append(.radioOn) }
      if !result.isOK { trouble(.unanswered) }
    case .httpClose: if result.isOK { channel.forgiveOutcomes() }
    case .legacyStop:
      guard result.isOK else { return }
      channel.forgiveOutcomes()
      // A modem that ends it has it.
      facts.refusals = 0
    case .attach:
      facts.registration = .unknown
      registrationSince = nil
    case .restart:
      guard result.isOK else { return pullReset() }
      forgetModem()
      expectStart()
      enter(.starting, for: PowerTime.startAfterReset)
    case .switchOff:
      guard result.isOK else { return press(on: false) }
      forgetModem()
      enter(.stopping, for: PowerTime.stop)
    default: break
    }
  }
}

import ATCommands
import Quantities

// Reports of what became of a text message, where the configuration wants them.
extension Modem {
  /// How long the network may take to report that the telephone has a message.
  ///
  /// - Source: our derivation: seconds where the telephone is on; where it is off it may take days, and another way is better.
  static var statusReportTimeout: Interval { .seconds(120) }

  /// True while the network has the packet at hand as a message and has not said what became of it.
  var awaitsReport: Bool { facts.delivery == .sent && delivery?.transport == .sms }

  /// True while a message would be sent with the parameters of an earlier owner: in another coding, or without asking for a report that
  /// is wanted.
  var lacksParameters: Bool {
    !facts.hasMessageParameters && (configuration.smsStatusReports || delivery?.transport == .sms)
  }

  /// True when reports come by the store, whose messages can then be read while one is awaited.
  var storesReports: Bool { configuration.smsStatusReports && (quirks.storesReports || facts.hasStoredReports) }

  /// The modem does not take the way in which reports are to be told: after three times the other is tried.
  mutating func doubtReportTelling() {
    if configuration.smsStatusReports, facts.messageSetTries % 3 == 0 { quirks.storesReports.toggle() }
  }

  /// What was set for messages may be forgotten.
  mutating func doubtMessageSettings() {
    facts.messagesAreSet = false
    facts.hasMessageParameters = false
    facts.messageForm = .unknown
    facts.hasPlainCharacters = .unknown
  }

  /// A modem may say so of texts that it has sent, and each is paid and read. The second time no text goes again before the modem is
  /// doubted, and reset; one that was never sent goes once.
  ///
  /// - Source: adafruit/Adafruit_FONA#137, botletics/SIM7000-LTE-Shield#334.
  mutating func holdMessages() {
    let isReset = ladder.current.map { $0 >= .reset } ?? false
    if messageIsDoubted, !isReset, let doubtedAt = ladder.doubtedAt { messageHold = doubtedAt }
    messageIsDoubted = true
  }

  /// True while the message at hand may have been sent more than once.
  var isMessageHeld: Bool {
    guard messageHold > now, let delivery else { return false }
    return delivery.ticket <= lastMessage
  }

  /// The network has taken the message.
  mutating func messageIsTaken() {
    messageIsDoubted = false
    messageHold = .zero
    guard configuration.smsStatusReports else { return acknowledged() }
    // Without its reference no report can be matched: it has to go again.
    guard let reference = facts.messageReference else { return trouble(.unacknowledged) }
    // So far all is well; what is missing now is no fault of the modem.
    ladder.descend()
    lastTrouble = nil
    facts.delivery = .sent
    acknowledgementUntil = now + Modem.statusReportTimeout
    guard let report = facts.earlyReport else { return }
    if report.reference == reference { settle(by: report) } else { diagnostics.reportsUnmatched &+= 1 }
  }

  /// The report did not come in time.
  mutating func checkReportDeadline() {
    guard let delivery, awaitsReport, acknowledgementUntil <= now else { return }
    // A modem that has forgotten what it was told for messages asks for no report.
    doubtMessageSettings()
    endDelivery(.undelivered(ticket: delivery.ticket, reason: .messageUnreported))
  }

  /// A report came.
  mutating func take(_ report: StatusReportNotice) {
    if awaitsReport, facts.messageReference == report.reference { return settle(by: report) }
    guard step == .messageSend, facts.messageReference ?? report.reference == report.reference else {
      diagnostics.reportsUnmatched &+= 1
      return
    }
    facts.earlyReport = report
  }

  private mutating func settle(by report: StatusReportNotice) {
    guard let delivery else { return }
    switch report.fate {
    case .delivered: acknowledged()
    case .pending: break
    case .failed: endDelivery(.undelivered(ticket: delivery.ticket, reason: .messageFailed(status: report.status)))
    }
  }
}

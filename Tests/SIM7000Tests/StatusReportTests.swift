import Quantities
import Testing

@testable import SIM7000

/// Text messages that count as delivered only when the network says so of the telephone.
@Suite struct StatusReportTests {
  private static let times = "\"26/11/22,16:00:00+04\",\"26/11/22,16:00:05+04\""

  private func report(_ reference: Int, _ status: Int) -> String {
    "+CDS: 6,\(reference),\"+31600000000\",145,\(StatusReportTests.times),\(status)"
  }

  /// A driver that waits for the report of message 1.
  private func waiting() -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = true }, isOn: true)
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    #expect(modem.outcomes.isEmpty && modem.payloads.count == 1)
    return modem
  }

  @Test func reportsAreAskedForOnlyWhereTheyCount() {
    for isOn in [false, true] {
      let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = isOn }, isOn: true)
      modem.submit(by: .sms)
      modem.run(for: .seconds(60)) { $0.payloads.isEmpty }
      modem.run(for: .seconds(5))
      let settings = modem.commands.filter { $0.hasPrefix("+CSMP") || $0.hasPrefix("+CNMI") }
      #expect(settings == (isOn ? ["+CSMP=49,167,0,0", "+CNMI=2,1,0,1"] : ["+CSMP=17,167,0,0", "+CNMI=2,1"]))
      #expect(modem.outcomes == (isOn ? [] : [.delivered(ticket: 7)]))
    }
  }

  @Test func theReportThatTheTelephoneHasItDelivers() {
    let modem = waiting()
    modem.run(for: .seconds(30))
    #expect(modem.outcomes.isEmpty)
    modem.say([report(1, 0)])
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.payloads.count == 1)
    #expect(modem.handle.modem.diagnostics.delivered == 1)
  }

  /// Number and type of the receiver are optional, and so are their commas.
  @Test func aReportWithoutItsReceiverIsUnderstood() {
    for line in ["+CDS: 6,1,,,\(StatusReportTests.times),0", "+CDS: 6,1,\(StatusReportTests.times),0"] {
      let modem = waiting()
      modem.say([line])
      #expect(modem.outcomes == [.delivered(ticket: 7)], "\(line)")
    }
  }

  @Test(arguments: [1, 2, 31, 64, 65, 70, 96, 99, 127, 255])
  func aReportThatTheNetworkHasGivenUpHandsThePacketBack(status: Int) {
    let modem = waiting()
    modem.say([report(1, status)])
    #expect(modem.outcomes == [.undelivered(ticket: 7, reason: .messageFailed(status: UInt8(status)))])
    #expect(modem.handle.modem.diagnostics.delivered == 0 && modem.recoveries.isEmpty)
  }

  @Test(arguments: [32, 48, 63])
  func whileTheNetworkTriesThePacketWaits(status: Int) {
    let modem = waiting()
    modem.say([report(1, status)])
    #expect(modem.outcomes.isEmpty)
    modem.say([report(1, 0)])
    #expect(modem.outcomes == [.delivered(ticket: 7)])
  }

  @Test func aReportIsWaitedForTwoMinutesAndNotLonger() throws {
    let modem = waiting()
    let begun = modem.now
    modem.run(until: begun + .seconds(119))
    #expect(modem.outcomes.isEmpty)
    modem.run(until: begun + .seconds(121))
    let handedBack = ModemAction.undelivered(ticket: 7, reason: .messageUnreported)
    #expect(modem.outcomes == [handedBack] && modem.payloads.count == 1)
    #expect(try #require(modem.times(of: handedBack).first) - begun == .seconds(120))
    #expect(modem.recoveries.isEmpty && modem.handle.modem.trouble == nil)
    // Late, it is nobody's.
    modem.say([report(1, 0)])
    #expect(modem.outcomes == [handedBack] && modem.handle.modem.diagnostics.reportsUnmatched == 1)
  }

  @Test func aReportOfAnotherMessageSaysNothing() {
    let modem = waiting()
    for reference in [0, 2, 255] { modem.say([report(reference, 0), report(reference, 65)]) }
    #expect(modem.outcomes.isEmpty && modem.handle.modem.diagnostics.reportsUnmatched == 6)
    modem.say([report(1, 0)])
    #expect(modem.outcomes == [.delivered(ticket: 7)])
  }

  @Test func aReportThatIsDamagedSaysNothing() {
    let modem = waiting()
    for line in [
      "+CDS: 25", "+CDS: 6,1,0", "+CDS: 6,,\(StatusReportTests.times),0", "+CDS: 6,256,,,\(StatusReportTests.times),0",
      "+CDS: 6,1,,,\(StatusReportTests.times),256", "+CDS: 6,1,,,\(StatusReportTests.times),",
      "+CDS: 6,1,,,\(StatusReportTests.times)", "+CDS: 6,1,,,,\(StatusReportTests.times),0",
    ] {
      modem.say([line])
      #expect(modem.outcomes.isEmpty, "\(line)")
    }
  }

  /// It may be quicker than the answer to the command, and may even come before the reference.
  @Test(arguments: [true, false])
  func aReportAheadOfTheAnswerCounts(isAheadOfReference: Bool) {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = true }, isOn: true)
    modem.payloadScript = { [report = report(9, 0), other = report(8, 65)] _, _ in
      .say(isAheadOfReference ? [other, report, "+CMGS: 9", "OK"] : ["+CMGS: 9", other, report, "OK"])
    }
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.outcomes.isEmpty }
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.payloads.count == 1)
  }

  @Test func aReportOfAnotherMessageAheadOfTheAnswerSaysNothing() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = true }, isOn: true)
    modem.payloadScript = { [other = report(8, 0)] _, _ in .say([other, "+CMGS: 9", "OK"]) }
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    modem.run(for: .seconds(5))
    #expect(modem.outcomes.isEmpty && modem.handle.modem.diagnostics.reportsUnmatched == 1)
  }

  /// Without its reference no report could be told from another's.
  @Test func aMessageWhoseReferenceWasLostIsSentAgain() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = true }, isOn: true)
    modem.payloadScript = { modem, _ in modem.payloads.count == 1 ? .say(["+CMGS: x", "OK"]) : nil }
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    #expect(modem.payloads.count == 2 && modem.recoveries.map(\.trouble) == [.unacknowledged])
    modem.say([report(1, 0)])
    #expect(modem.outcomes == [.delivered(ticket: 7)])
  }

  /// A start forgets that reports are wanted: none would come.
  @Test func aModemThatStartsAnewIsAskedForReportsAgain() {
    let modem = waiting()
    modem.restartByItself()
    modem.run(for: .seconds(120)) { $0.payloads.count < 2 }
    #expect(modem.count("+CSMP=49") == 2 && modem.count("+CNMI=2,1,0,1") == 2)
    modem.run(for: .seconds(2))
    modem.say([report(1, 0)])
    #expect(modem.outcomes == [.delivered(ticket: 7)])
  }

  /// In digits a report would look otherwise, and a message is read as digits.
  @Test func aMessageThatComesMeanwhileIsReadAfterwards() {
    let modem = waiting()
    modem.takesDigits = true
    modem.store[2] = "+CMGR: \"REC UNREAD\",\"+31611111111\",,\"26/11/22,16:00:00+04\"\r\nlocate"
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(20))
    #expect(modem.count("+CMGR") == 0 && modem.count("+CMGF=0") == 0)
    modem.say([report(1, 0)])
    modem.run(for: .seconds(5))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.count("+CMGR=2") == 2)
  }

  // MARK: Reports that the modem stores

  private func stored(_ reference: Int, _ status: Int) -> String {
    "+CMGR: \"REC UNREAD\",6,\(reference),\"+31600000000\",145,\(StatusReportTests.times),\(status)"
  }

  /// A driver that waits for the report of message 1, and a modem that can only store it.
  private func waitingForStored() -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = true }, isOn: true)
    modem.script = { _, command, _ in command == "+CNMI=2,1,0,1" ? .say(["+CMS ERROR: 303"]) : nil }
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    #expect(modem.outcomes.isEmpty && modem.payloads.count == 1)
    return modem
  }

  @Test func aModemThatCanOnlyStoreReportsIsToldTo() {
    let modem = waitingForStored()
    let settings = modem.commands.filter { $0.hasPrefix("+CNMI") }
    #expect(settings == ["+CNMI=2,1,0,1", "+CNMI=2,1,0,1", "+CNMI=2,1,0,1", "+CNMI=2,1,0,2"])
    #expect(modem.handle.modem.quirks.storesReports && modem.recoveries.isEmpty)
    // What was learnt outlives a start.
    modem.restartByItself()
    modem.run(for: .seconds(120)) { $0.payloads.count < 2 }
    #expect(modem.count("+CNMI=2,1,0,1") == 3 && modem.count("+CNMI=2,1,0,2") == 2)
  }

  @Test(arguments: [0, 70])
  func aStoredReportIsFetchedUsedAndDeleted(status: Int) {
    let modem = waitingForStored()
    modem.store[3] = stored(1, status)
    modem.say(["+CDSI: \"SM\",3"])
    modem.run(for: .seconds(5))
    let failed = ModemAction.undelivered(ticket: 7, reason: .messageFailed(status: 70))
    #expect(modem.outcomes == [status == 0 ? .delivered(ticket: 7) : failed])
    #expect(modem.store.isEmpty && modem.replies.isEmpty && modem.payloads.count == 1)
    let reads = modem.commands.filter { $0.hasPrefix("+CMGR") || $0.hasPrefix("+CMGD") }
    #expect(reads == ["+CMGR=3", "+CMGR=3", "+CMGD=3"])
  }

  @Test func aStoredReportInDigitsIsUnderstood() {
    let modem = waitingForStored()
    modem.takesDigits = true
    modem.handle.modem.quirks.hasNoDigits = false
    let digits = "07916407058099F9" + "06010B911306000000F0" + "91606260403000" + "91606260408000" + "00"
    modem.store[3] = "+CMGR: 0,\"\",25\r\n\(digits)"
    modem.say(["+CDSI: \"SM\",3"])
    modem.run(for: .seconds(5))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.store.isEmpty && modem.replies.isEmpty)
    let bytes = Array(digits.utf8)
    #expect(MessagePDU.report(bytes.span) == StatusReportNotice(reference: 1, status: 0))
    for count in 0..<bytes.count {
      let part = Array(bytes.prefix(count))
      #expect(MessagePDU.report(part.span) == nil, "\(count) digits")
    }
  }

  @Test func aStoredReportWhoseNoticeWasSwallowedIsFoundInHalfAMinute() {
    let modem = waitingForStored()
    modem.store[3] = stored(1, 0)
    modem.run(for: .seconds(35))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.store.isEmpty)
  }

  /// References begin anew with each start of some modems.
  @Test func aReportThatIsInTheStoreBeforeTheMessageIsSentIsNotItsOwn() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsStatusReports = true }, isOn: true)
    modem.script = { _, command, _ in command == "+CNMI=2,1,0,1" ? .say(["+CMS ERROR: 303"]) : nil }
    modem.store[3] = stored(1, 0)
    modem.submit(by: .sms)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    modem.run(for: .seconds(40))
    #expect(modem.outcomes.isEmpty && modem.store.isEmpty && modem.handle.modem.diagnostics.reportsUnmatched == 1)
    modem.store[1] = stored(1, 0)
    modem.say(["+CDSI: \"SM\",1"])
    modem.run(for: .seconds(5))
    #expect(modem.outcomes == [.delivered(ticket: 7)])
  }

  @Test func whereReportsAreStoredMessagesAreReadMeanwhile() {
    let modem = waitingForStored()
    modem.store[2] = "+CMGR: \"REC UNREAD\",\"+31611111111\",,\"26/11/22,16:00:00+04\"\r\nlocate"
    modem.say(["+CMTI: \"SM\",2"])
    modem.run(for: .seconds(5))
    #expect(modem.replies == ["+31611111111\nlocate"] && modem.outcomes.isEmpty)
  }

  @Test func aStoredReportWhoseDeletionIsNotAnsweredIsUsedOnce() {
    let modem = waitingForStored()
    var isLost = true
    modem.script = { _, command, _ in
      guard command == "+CMGD=3", isLost else { return nil }
      isLost = false
      return .nothing
    }
    modem.store[3] = stored(1, 0)
    modem.say(["+CDSI: \"SM\",3"])
    modem.run(for: .seconds(30))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.store.isEmpty)
    #expect(modem.handle.modem.diagnostics.reportsUnmatched == 0)
  }
}

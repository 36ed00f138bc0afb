import InlineStorage
import Quantities
import Testing

@testable import SIM7000

/// What becomes of a packet: what counts as delivered, what is handed back, and when.
@Suite struct PacketTests {
  private func modem(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    ScriptedModem(
      ScriptedModem.configuration {
        $0.smsNumber = TelephoneNumber()
        change(&$0)
      }, isOn: true)
  }

  /// The bytes of a packet are lent to the line: no other packet takes their place before they are fetched.
  @Test func aPacketThatWasTakenBackIsFetchedWholeBeforeAnotherIsTaken() {
    let modem = modem()
    modem.submit(by: .mqtt)
    modem.run(for: .seconds(60)) { $0.handle.modem.step != .mqttPublish }
    let now = modem.now + .milliseconds(100)
    // The command, its echo and the prompt.
    var line = InlineBytes<1100>()
    modem.handle.modem.drainOutput(at: now, into: &line)
    #expect(text(line).hasPrefix("AT+SMPUB="))
    line.append("\r\n> ")
    modem.handle.modem.receive(line.span, at: now)
    modem.handle.modem.cancel(at: now)
    let other = InlineBytes<16>("another")
    #expect(!modem.handle.modem.isFree && !modem.handle.modem.submit(other.span, ticket: 2, by: .mqtt, at: now))
    #expect(modem.handle.modem.nextDeadline == now)
    var bytes = InlineBytes<1100>()
    modem.handle.modem.drainOutput(at: now, into: &bytes)
    #expect(text(bytes) == "{\"a\":1}")
    #expect(modem.handle.modem.isFree && modem.handle.modem.submit(other.span, ticket: 2, by: .mqtt, at: now))
  }

  // MARK: Statuses

  private enum Verdict: Equatable { case delivered, rejected, again(ModemTrouble) }

  private func verdict(_ status: Int) -> Verdict {
    switch status {
    case 200...299: return .delivered
    case 408, 425, 429, 500...599: return .again(.serverFault)
    case 300...499: return .rejected
    case 600...699: return .again(.noBearer)
    default: return .again(.unacknowledged)
    }
  }

  @Test(arguments: [ModemTransport.http, .legacyHTTP])
  func everyStatusHasItsMeaning(transport: ModemTransport) {
    let statuses = [
      100, 199, 200, 201, 204, 250, 299, 300, 301, 304, 399, 400, 401, 403, 404, 407, 408, 409, 413, 424, 425, 426, 428,
      429, 430, 451, 499, 500, 502, 503, 599, 600, 601, 650, 699, 700, 999,
    ]
    for status in statuses {
      let modem = modem()
      modem.status = status
      modem.submit(by: transport)
      modem.run(for: .seconds(30)) { $0.handle.modem.isFree == false && $0.recoveries.isEmpty }
      switch verdict(status) {
      case .delivered:
        #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.recoveries.isEmpty, "\(status)")
        #expect(modem.handle.modem.diagnostics.delivered == 1)
      case .rejected:
        let reason = UndeliveredReason.rejected(status: UInt16(status))
        #expect(modem.outcomes == [.undelivered(ticket: 7, reason: reason)] && modem.recoveries.isEmpty, "\(status)")
        #expect(modem.handle.modem.diagnostics.delivered == 0)
      case .again(let trouble):
        #expect(modem.outcomes.isEmpty && modem.recoveries.map(\.trouble) == [trouble], "\(status)")
        modem.status = 200
        #expect(modem.deliver(within: .seconds(30)) && modem.payloads.count == 2, "\(status)")
      }
    }
  }

  @Test(arguments: [1, 8, 10, 28, 50, 69, 513, 529, 0, 38, 304, 305, 500, 512])
  func aMessageThatWillBeRefusedAgainIsHandedBackAndAnyOtherIsTriedAgain(code: Int) {
    let isFinal = [1, 8, 10, 28, 50, 69, 513, 529].contains(code)
    let modem = modem { $0.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber() }
    modem.payloadScript = { modem, _ in modem.payloads.count == 1 ? .say(["+CMS ERROR: \(code)"]) : nil }
    modem.submit(by: .sms)
    modem.deliver(within: .seconds(60))
    let refused = ModemAction.undelivered(ticket: 7, reason: .messageRefused(code: UInt16(code)))
    #expect(modem.outcomes == [isFinal ? refused : .delivered(ticket: 7)])
    #expect(modem.payloads.count == (isFinal ? 1 : 2))
    // What may have been forgotten is set again.
    #expect(modem.count("+CMGF=1") == (isFinal ? 1 : 2))
  }

  @Test func aServersAnswerIsReadUpToFiveHundredAndTwelveBytes() {
    for (count, read) in [(0, nil), (1, 1), (511, 511), (512, 512), (513, 512), (900, 512)] as [(Int, Int?)] {
      for (transport, command) in [(ModemTransport.http, "+SHREAD=0,"), (.legacyHTTP, "+HTTPREAD=0,")] {
        let modem = modem()
        modem.body = String(repeating: "x", count: min(count, 512))
        modem.script = { _, heard, _ in
          if heard.hasPrefix("+SHREQ") { return .say(["OK", "+SHREQ: \"POST\",200,\(count)"]) }
          return heard.hasPrefix("+HTTPACTION") ? .say(["OK", "+HTTPACTION: 1,200,\(count)"]) : nil
        }
        modem.submit(by: transport)
        modem.deliver(within: .seconds(10))
        modem.run(for: .seconds(2))
        #expect(modem.commands.filter { $0.hasPrefix(command) } == (read.map { ["\(command)\($0)"] } ?? []), "\(count)")
        #expect(modem.replies.map(\.count) == (read.map { [$0] } ?? []))
      }
    }
  }

  // MARK: Time

  @Test(arguments: [1800, 100])
  func aPacketIsHandedBackWhenItsTimeIsOverAndNotBefore(seconds: Int) {
    let modem = modem { if seconds != 1800 { $0.deliveryTimeout = .seconds(seconds) } }
    modem.registration = "2"
    modem.run(for: .seconds(50))
    let begun = modem.now
    modem.submit(by: .http)
    modem.run(until: begun + .seconds(seconds) - .milliseconds(1))
    #expect(modem.outcomes.isEmpty && !modem.handle.modem.isFree)
    modem.run(until: begun + .seconds(seconds))
    let trouble: ModemTrouble? = seconds > 180 ? .notRegistered : nil
    #expect(modem.outcomes == [.undelivered(ticket: 7, reason: .timedOut(trouble))])
    #expect(modem.handle.modem.isFree && modem.handle.modem.trouble == trouble)
  }

  @Test func theTroubleOfAPacketIsForgottenWithItsDelivery() {
    let modem = modem { $0.deliveryTimeout = .seconds(60) }
    modem.status = 500
    modem.submit(by: .http)
    modem.run(for: .seconds(3))
    #expect(modem.handle.modem.trouble == .serverFault)
    modem.status = 200
    modem.deliver(within: .seconds(30))
    #expect(modem.handle.modem.trouble == nil)
    modem.registration = "2"
    modem.say(["+CEREG: 2"])
    modem.submit(by: .http)
    modem.run(for: .seconds(61))
    #expect(modem.outcomes.last == .undelivered(ticket: 7, reason: .timedOut(nil)))
  }

  @Test func aPacketThatIsTakenBackIsToldSoAndTheNextIsTaken() {
    let modem = modem()
    modem.handle.modem.cancel(at: modem.now)
    modem.pass()
    #expect(modem.outcomes.isEmpty)
    modem.submit(ticket: 3, by: .http)
    modem.run(for: .milliseconds(200))
    #expect(!modem.submit(ticket: 4, by: .mqtt))
    modem.handle.modem.cancel(at: modem.now)
    modem.pass()
    #expect(modem.outcomes == [.undelivered(ticket: 3, reason: .cancelled)] && modem.handle.modem.isFree)
    #expect(modem.submit(ticket: 5, by: .http))
    modem.deliver(within: .seconds(20))
    #expect(modem.outcomes.last == .delivered(ticket: 5))
    #expect(modem.handle.modem.diagnostics.delivered == 1)
  }

  /// Taken back after its bytes went: what the server then says is of no packet, and none is reported twice.
  @Test func whatComesForAPacketThatWasTakenBackIsOfNoOther() {
    let modem = modem()
    modem.script = { _, command, _ in command.hasPrefix("+SHREQ") ? .late(.seconds(5)) : nil }
    modem.submit(ticket: 1, by: .http)
    modem.run(for: .seconds(20)) { $0.handle.modem.step != .httpRequest }
    modem.run(for: .seconds(1))
    modem.handle.modem.cancel(at: modem.now)
    modem.submit("{\"b\":2}", ticket: 2, by: .http)
    modem.run(for: .seconds(5))
    #expect(!modem.outcomes.contains(.delivered(ticket: 2)))
    modem.deliver(within: .seconds(60))
    if modem.outcomes.count < 2 { print(modem.log.suffix(60).joined(separator: "\n")) }
    #expect(modem.outcomes == [.undelivered(ticket: 1, reason: .cancelled), .delivered(ticket: 2)])
    #expect(modem.payloads.last?.bytes == Array("{\"b\":2}".utf8))
  }

  /// The manual allows minutes for some; an alert can't wait for them.
  @Test func anOutcomeIsWaitedForFortyFiveSeconds() {
    for (transport, command) in [(ModemTransport.tcp, "+CIPSEND"), (.tcp, "+CIPSTART"), (.http, "+SHREQ")] {
      let modem = modem()
      modem.script = { modem, heard, _ in
        heard.hasPrefix(command) && !heard.hasPrefix("+CIPSEND") && modem.count(command) == 1 ? .say(["OK"]) : nil
      }
      modem.payloadScript = { modem, heard in command == "+CIPSEND" && modem.payloads.count == 1 ? .nothing : nil }
      modem.submit(by: transport)
      modem.run(for: .seconds(20)) { command == "+CIPSEND" ? $0.payloads.isEmpty : $0.count(command) == 0 }
      let begun = modem.now
      modem.run(until: begun + .milliseconds(44_990))
      #expect(modem.recoveries.isEmpty, "\(command)")
      modem.run(until: begun + .milliseconds(45_100))
      // What has gone to the modem whole may be at the server: its line is looked for, and waited for a moment more.
      if command == "+CIPSEND" { modem.run(until: begun + .milliseconds(51_000)) }
      #expect(modem.recoveries.count == 1, "\(command)")
      #expect(modem.count("+CIPRXGET=2") == (command == "+CIPSEND" ? 1 : 0))
      #expect(modem.deliver(within: .seconds(60)) && modem.delivered == 1)
    }
  }

  /// Whoever gets a message twice reads it twice: the manual's minute is waited for.
  @Test func theEndOfAMessageIsWaitedForAMinute() {
    let modem = modem { $0.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber() }
    modem.payloadScript = { modem, _ in modem.payloads.count == 1 ? .nothing : nil }
    modem.submit(by: .sms)
    modem.run(for: .seconds(30)) { $0.payloads.isEmpty }
    let begun = modem.now
    modem.run(until: begun + .milliseconds(59_990))
    #expect(modem.recoveries.isEmpty && modem.payloads.count == 1)
    modem.run(until: begun + .milliseconds(60_100))
    #expect(modem.recoveries.map(\.trouble) == [.unacknowledged])
    #expect(modem.deliver(within: .seconds(60)) && modem.delivered == 1)
  }

  @Test(arguments: ModemTransport.allCases)
  func everyTimeThatAPacketIsGivenToTheModemIsCounted(transport: ModemTransport) {
    let modem = modem { $0.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber() }
    modem.payloadScript = { modem, _ in modem.payloads.count == 1 ? .say(["ERROR"]) : nil }
    modem.submit(by: transport)
    #expect(modem.deliver(within: .seconds(60)))
    #expect(modem.payloads.count == 2 && modem.handle.modem.diagnostics.attempts == 2)
  }

  // MARK: Pauses

  @Test func aNewPacketDoesNotWaitForTheEndOfAPause() {
    let modem = modem { $0.deliveryTimeout = .seconds(600) }
    modem.script = { modem, command, _ in command == "+SMCONN" && modem.status == 500 ? .say(["ERROR"]) : nil }
    modem.status = 500
    modem.submit(by: .mqtt)
    // Until each try waits for minutes.
    modem.deliver(within: .seconds(601))
    #expect(modem.handle.modem.ladder.current == .bearer)
    modem.status = 200
    let begun = modem.now
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(15)))
    #expect(modem.now - begun < .seconds(10))
  }

  @Test func aNewPacketDoesNotWaitForTheEndOfARest() throws {
    let modem = modem { $0.deliveryTimeout = .seconds(2000) }
    modem.hasWorkingKeys = false
    modem.setStatus(false)
    modem.submit(by: .http)
    modem.deliver(within: .seconds(2001))
    modem.run(for: .seconds(3000)) { $0.handle.modem.phase != .resting }
    modem.run(for: .seconds(20))
    try #require(modem.handle.modem.phase == .resting)
    modem.hasWorkingKeys = true
    let begun = modem.now
    modem.submit(by: .http)
    modem.run(for: .seconds(10)) { $0.handle.modem.phase == .resting }
    // Off to on takes two seconds and a half, and no more.
    #expect(modem.now - begun <= .milliseconds(2500))
    #expect(modem.deliver(within: .seconds(30)))
  }

  // MARK: The ladder

  /// What was climbed for one packet says nothing about the next.
  @Test func aDeliveredPacketTakesTheLadderToTheGround() throws {
    let modem = modem { $0.deliveryTimeout = .seconds(10_000) }
    func fail() -> [Interval] {
      modem.script = { _, command, _ in command.hasPrefix("+CNACT=1") ? .say(["ERROR"]) : nil }
      let before = modem.recoveries.count
      modem.bearerIsUp = false
      modem.brokerIsUp = false
      modem.say(["+APP PDP: DEACTIVE"])
      modem.submit(by: .mqtt)
      modem.run(for: .seconds(2000)) { $0.recoveries.count { $0.rung == .power } < 2 + $0.delivered * 2 }
      let climbed = modem.recoveries[before...]
      #expect(climbed.map(\.rung).prefix(6) == [.bearer, .bearer, .attach, .radio, .reset, .power])
      modem.script = { _, _, _ in nil }
      modem.deliver(within: .seconds(400))
      modem.run(for: .seconds(30))
      return zip(climbed, climbed.dropFirst()).map { $1.time - $0.time }
    }
    let first = fail()
    let second = fail()
    #expect(modem.delivered == 2)
    // The longest wait of the first lap is that between the laps: a minute, the second time as the first.
    let longest = [first, second].compactMap { $0.max() }
    #expect(longest.allSatisfy { $0 >= .seconds(60) && $0 < .seconds(90) }, "\(longest)")
    #expect(modem.handle.modem.ladder.current == nil)
    #expect(modem.handle.modem.ladder.counts[Int(RecoveryRung.power.rawValue)] == 4)
  }

  @Test func theWaitBetweenLapsGrowsToAQuarterOfAnHour() {
    let modem = modem { $0.deliveryTimeout = .seconds(36_000) }
    modem.script = { _, command, _ in command.hasPrefix("+CNACT=1") ? .say(["ERROR"]) : nil }
    modem.submit(by: .mqtt)
    modem.run(for: .seconds(6000))
    let climbed = modem.recoveries
    let waits = zip(climbed, climbed.dropFirst()).filter { $0.0.rung == .bearer && $0.1.rung == .bearer }
      .map { $1.time - $0.time }.filter { $0 > .seconds(30) }
    for (place, wait) in waits.enumerated() {
      let least: Int = ([60, 120, 300, 900, 900, 900] as [Int])[min(place, 5)]
      let most: Int = least * 5 / 4 + 5
      #expect(wait >= .seconds(least) && wait < .seconds(most), "lap \(place): \(wait.secondsDouble) s")
    }
    #expect(waits.count >= 6)
    // A server that is away for an hour costs few starts.
    #expect(climbed.count { $0.rung == .power && $0.time < .seconds(3600) } <= 7)
  }

  /// Registration and bearer are proven: a broker that refuses is not the modem's fault.
  @Test(arguments: [
    (ModemTransport.mqtt, ["+SMCONN": ["ERROR"]]), (.sms, ["+CMGS": ["+CMS ERROR: 38"]]),
    (.tcp, ["+CIPSTART": ["OK", "0, CONNECT FAIL"], "+CAOPEN": ["+CAOPEN: 0,1", "OK"]]),
  ])
  func aServerThatCanNotBeReachedIsNotTheModemsFault(transport: ModemTransport, refusals: [String: [String]]) {
    let modem = modem {
      $0.deliveryTimeout = .seconds(36_000)
      $0.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    }
    modem.script = { _, command, _ in
      refusals.first { command.hasPrefix($0.key) }.map { .say($0.value) }
    }
    modem.submit(by: transport)
    modem.run(for: .seconds(1200))
    #expect(modem.recoveries.count > 8 && modem.count("+CFUN=0") <= 8)
    #expect(modem.recoveries.allSatisfy { $0.rung <= (transport == .sms ? .radio : .bearer) })
    modem.run(for: .seconds(6000))
    #expect((1...2).contains(modem.recoveries.count { $0.rung >= .reset }))
    // It is doubted twice, and some faults outlive a reset.
    #expect(modem.recoveries.filter { $0.rung >= .reset }.map(\.rung).first == .reset)
    modem.script = { _, _, _ in nil }
    #expect(modem.deliver(within: .seconds(transport == .sms ? 1200 : 400)) && modem.delivered == 1)
  }

  /// One that says nothing to it proves nothing: it may be wedged.
  @Test func aModemThatDoesNotAnswerIsReset() {
    let modem = modem { $0.deliveryTimeout = .seconds(36_000) }
    modem.script = { _, command, _ in command == "+SMCONN" ? .say([]) : nil }
    modem.submit(by: .mqtt)
    modem.run(for: .seconds(1100))
    #expect(modem.recoveries.contains { $0.rung == .reset })
  }

  @Test func countsOfTheDriverAreWhatHappened() {
    let modem = ScriptedModem()
    modem.status = 503
    modem.submit(by: .http)
    modem.run(for: .seconds(60)) { $0.payloads.count < 3 }
    modem.status = 200
    modem.deliver(within: .seconds(60))
    modem.restartByItself()
    modem.run(for: .seconds(30))
    modem.say(["+NONSENSE: 1", "nonsense"])
    modem.say(["+CSQ: 1,1"])
    let counts = modem.handle.modem.diagnostics
    #expect(counts.delivered == 1 && counts.starts == 2 && Int(counts.attempts) == modem.payloads.count)
    #expect(counts.linesUnknown == 3 && counts.linesDamaged == 0 && counts.actionsDropped == 0)
    modem.script = { _, command, _ in command == "+CSQ" ? .say(["+CSQ: x,y", "OK"]) : nil }
    modem.run(for: .seconds(400))
    #expect(modem.handle.modem.diagnostics.linesDamaged >= 1)
  }
}

extension ScriptedModem {
  /// Packets that were acknowledged.
  var delivered: Int { outcomes.count { if case .delivered = $0 { true } else { false } } }
}

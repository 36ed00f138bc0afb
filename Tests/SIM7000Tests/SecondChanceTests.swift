import Quantities
import Testing

@testable import SIM7000

/// What went wrong once must not spoil what comes after it.
@Suite struct SecondChanceTests {
  private func modem(isOn: Bool = true, _ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    ScriptedModem(ScriptedModem.configuration(change), isOn: isOn)
  }

  /// Shortly after a start some commands fail that work a second later: each of them has tries of its own.
  @Test func aCommandThatKeepsFailingLeavesTheNextItsTries() {
    let modem = modem()
    modem.script = { modem, command, _ in
      switch command {
      case "+CREG=1": .say(["ERROR"])
      case "+CGREG=1": modem.count("+CGREG=1") == 1 ? .say(["ERROR"]) : nil
      case "+CEREG=1": modem.count("+CEREG=1") == 1 ? .nothing : nil
      default: nil
      }
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(120)))
    #expect(modem.count("+CREG=1") > 2 && modem.count("+CGREG=1") == 2 && modem.count("+CEREG=1") == 2)
  }

  /// Only the modem of an owner who let it sleep is told not to: it would not hear the serial line.
  @Test func aModemThatAnEarlierOwnerLetSleepIsKeptAwake() {
    for (sleeps, settings) in [(true, ["+CSCLK=0"]), (false, [])] {
      let modem = modem()
      modem.sleeps = sleeps
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(60)))
      #expect(modem.commands.filter { $0.hasPrefix("+CSCLK=") } == settings && !modem.sleeps)
    }
  }

  /// A prompt is for as many bytes as its command announced.
  @Test(arguments: [ModemTransport.mqtt, .tcp, .applicationTCP])
  func aLatePromptOfAPacketThatWasTakenBackGetsNoByteOfTheNext(transport: ModemTransport) {
    let modem = modem()
    let sending = [ModemTransport.mqtt: "+SMPUB", .tcp: "+CIPSEND", .applicationTCP: "+CASEND"][transport] ?? ""
    modem.script = { modem, command, _ in
      command.hasPrefix(sending) && modem.count(sending) == 1 ? .late(.seconds(1)) : nil
    }
    modem.submit("{\"a\":\"a packet that was longer\"}", ticket: 1, by: transport)
    modem.run(for: .seconds(60)) { $0.count(sending) == 0 }
    modem.handle.modem.cancel(at: modem.now)
    modem.submit("{\"b\":2}", by: transport)
    #expect(modem.deliver(within: .seconds(120)))
    #expect(modem.outcomes == [.undelivered(ticket: 1, reason: .cancelled), .delivered(ticket: 7)])
    // What frees the modem of its old prompt is no packet.
    let packets = modem.payloads.filter { $0.bytes.contains(0x7B) }.map { String(decoding: $0.bytes, as: UTF8.self) }
    // On a connection its end may come behind it; the server has it once more only if all of it came again.
    let lines = transport == .mqtt ? packets : modem.serverLines.filter { $0.contains("{") }
    #expect(Set(lines) == ["{\"b\":2}"], "\(lines)")
    #expect(packets.allSatisfy { "{\"b\":2}\n".hasPrefix($0) }, "\(packets)")
  }

  /// The server closes the connection in place of an acknowledgement: the packet does not wait for its deadline.
  @Test(arguments: [ModemTransport.tcp, .applicationTCP])
  func aPacketWhoseConnectionIsClosedGoesAtOnceOnTheNext(transport: ModemTransport) {
    let modem = modem()
    modem.acknowledges = false
    modem.submit(by: transport)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    modem.run(for: .seconds(1))
    #expect(modem.payloads.count == 1 && modem.recoveries.isEmpty)
    modem.acknowledges = true
    modem.say([transport == .tcp ? "0, CLOSED" : "+CASTATE: 0,0"])
    #expect(modem.deliver(within: .seconds(5)))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.payloads.count == 2 && modem.recoveries.isEmpty)
  }

  /// The notice comes only once: the connection is looked at before the packet goes again.
  @Test(arguments: [ModemTransport.tcp, .applicationTCP])
  func aServersLineWhoseNoticeWasSwallowedIsFoundInFiveSeconds(transport: ModemTransport) {
    let modem = modem()
    modem.acknowledges = false
    modem.submit(by: transport)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    modem.waiting = "ACK 7\n"
    #expect(modem.deliver(within: .milliseconds(5300)))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.payloads.count == 1 && modem.recoveries.isEmpty)
  }

  /// To count what a socket has can hang a modem that has no socket.
  @Test func aSocketThatIsNotThereIsNotCounted() {
    for answer in [["OK"], ["+CASTATE: 0,0", "OK"], ["+CASTATE: 1,1", "OK"], ["ERROR"], ["+CASTATE: x", "OK"]] {
      let modem = modem()
      modem.acknowledges = false
      modem.script = { _, command, _ in command == "+CASTATE?" ? .say(answer) : nil }
      modem.submit(by: .applicationTCP)
      modem.run(for: .seconds(60)) { $0.count("+CASTATE?") == 0 }
      modem.run(for: .seconds(2))
      #expect(modem.count("+CARECV?") == 0, "\(answer)")
      // A closed one is opened again at once.
      #expect(modem.count("+CAOPEN") == (answer[0] == "+CASTATE: 0,0" ? 2 : 1), "\(answer)")
    }
  }

  /// The server has it, and says so; only the modem's own answer is missing.
  @Test(arguments: [ModemTransport.tcp, .applicationTCP])
  func aPacketWhoseSendingHadNoAnswerIsLookedForAtTheServerFirst(transport: ModemTransport) {
    let modem = modem()
    modem.payloadScript = { modem, _ in
      modem.waiting = "ACK 7\n"
      return .nothing
    }
    modem.submit(by: transport)
    #expect(modem.deliver(within: .seconds(70)))
    #expect(modem.outcomes == [.delivered(ticket: 7)] && modem.payloads.count == 1 && modem.recoveries.isEmpty)
  }

  /// A start of what has been started is refused as well: it is ended first, and no lack is learnt of it.
  @Test func anOlderHTTPThatIsStillThereIsEndedAndStartedAgain() {
    let modem = modem()
    var isThere = true
    modem.script = { _, command, _ in
      switch command {
      case "+HTTPINIT":
        defer { isThere = true }
        return isThere ? .say(["+CME ERROR: 3"]) : nil
      case "+HTTPTERM":
        defer { isThere = false }
        return isThere ? nil : .say(["ERROR"])
      default: return nil
      }
    }
    modem.submit(by: .legacyHTTP)
    #expect(modem.deliver(within: .seconds(60)))
    #expect(modem.delivered == 1 && modem.recoveries.isEmpty && modem.handle.modem.quirks.lacking == 0)
    #expect(modem.count("+HTTPTERM") == 1 && modem.count("+HTTPINIT") == 2)
  }

  /// The bearer goes while the modem takes the body: the session that is begun anew has none.
  @Test func aBodyOfASessionThatWasEndedIsGivenAgain() {
    let modem = modem()
    var isThere = false
    var hasBody = false
    var empty = 0
    modem.script = { modem, command, _ in
      switch command {
      case "+HTTPINIT":
        defer { isThere = true }
        return isThere ? .say(["+CME ERROR: 3"]) : nil
      case "+HTTPTERM":
        isThere = false
        hasBody = false
        return nil
      case "+HTTPACTION=1":
        if !hasBody { empty += 1 }
        return nil
      default:
        if command.hasPrefix("+HTTPDATA"), modem.count("+HTTPDATA") == 1 { modem.say(["+SAPBR 1: DEACT"]) }
        return nil
      }
    }
    modem.payloadScript = { _, _ in
      hasBody = true
      return nil
    }
    modem.submit(by: .legacyHTTP)
    #expect(modem.deliver(within: .seconds(60)))
    #expect(modem.delivered == 1 && empty == 0 && modem.count("+HTTPDATA") == 2)
  }

  /// Whether it can be ended or not: a start that is always refused leads to the other way, and once that has delivered, for good.
  @Test(arguments: [true, false]) func aLackOfTheOlderHTTPIsLearntWhetherItCanBeEndedOrNot(ends: Bool) {
    let modem = modem()
    modem.script = { _, command, _ in
      switch command {
      case "+HTTPINIT": .say(["ERROR"])
      case "+HTTPTERM": .say([ends ? "OK" : "ERROR"])
      default: nil
      }
    }
    modem.submit(by: .legacyHTTP)
    modem.run(for: .seconds(20))
    #expect(modem.handle.modem.quirks.lacks(.legacyHTTP) && modem.delivered == 1)
  }

  /// After a time-out a good end may be an older one: the packet is not sent again for that, and nothing is climbed.
  @Test func aPublicationBehindATimeOutGoesOnce() {
    let modem = modem()
    modem.script = { modem, command, _ in
      command == "+SMCONF=\"CLIENTID\",\"leash\"" && modem.count(command) == 1 ? .nothing : nil
    }
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(60)))
    #expect(modem.delivered == 1 && modem.payloads.count == 1 && modem.recoveries.count == 1)
    #expect(modem.handle.modem.lineDiagnostics.doubts == 1)
  }

  /// A bad end that could not be read stood before the good one: the packet goes again, and for that nothing is climbed.
  @Test func aPublicationInDoubtGoesAgainAndNothingIsClimbed() {
    let modem = modem()
    modem.payloadScript = { modem, _ in
      switch modem.payloads.count {
      case 1: .nothing
      case 2: .say(["+SMSTTE: 0", "OK"])
      default: nil
      }
    }
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(300)))
    #expect(modem.delivered == 1 && modem.payloads.count == 3)
    #expect(modem.recoveries.map(\.trouble) == [.unacknowledged])
  }

  /// A server that takes connections and never acknowledges proves modem, card, network and bearer: none of them is touched, but once
  /// in a long time the modem is doubted. When the server acknowledges again, the packet arrives within five minutes.
  @Test(arguments: [
    (ModemTransport.mqtt, Play.nothing as Play?), (.mqtt, .say(["ERROR"])), (.tcp, nil), (.applicationTCP, nil),
  ])
  func aServerThatWasReachedAndDoesNotAcknowledgeIsNoReasonToTouchTheModem(transport: ModemTransport, answer: Play?) {
    let modem = modem { $0.deliveryTimeout = .seconds(36_000) }
    var isDeaf = true
    modem.payloadScript = { _, command in isDeaf && command.hasPrefix("+SMPUB") ? answer : nil }
    modem.acknowledges = false
    modem.submit(by: transport)
    modem.run(for: .seconds(1190))
    #expect(modem.recoveries.count > 5 && modem.recoveries.allSatisfy { $0.rung <= .session }, "\(modem.recoveries)")
    #expect(modem.count("+CFUN=") == 0 && modem.count("+CGATT=") == 0 && modem.count("+CNACT=0") == 0)
    modem.run(for: .seconds(3 * 3600))
    #expect(modem.recoveries.allSatisfy { $0.rung <= .session || $0.rung >= .reset })
    #expect(modem.recoveries.count { $0.rung == .reset } == 2 && modem.recoveries.count { $0.rung == .power } == 1)
    isDeaf = false
    modem.acknowledges = true
    #expect(modem.deliver(within: .seconds(420)) && modem.outcomes == [.delivered(ticket: 7)])
  }

  /// The modem finds its network while the driver sets it up, and is asked for its card after that: no wait has begun.
  @Test func aNetworkThatWasFoundBeforeTheCardIsWaitedForAnewWhenItIsLost() {
    let modem = modem()
    modem.run(for: .seconds(60)) { $0.count("+CLTS=1") == 0 }
    modem.say(["+CEREG: 1"])
    #expect(modem.count("+CPIN?") == 0)
    modem.run(for: .seconds(3600))
    #expect(modem.handle.modem.facts.registration == .yes && modem.count("+CPIN?") == 1)
    modem.registration = "2"
    modem.say(["+CEREG: 2"])
    modem.submit(by: .http)
    modem.run(for: modem.handle.modem.configuration.registrationTimeout - .seconds(1))
    #expect(modem.recoveries.isEmpty)
    modem.run(for: .seconds(5))
    #expect(modem.recoveries.map(\.trouble) == [.notRegistered])
  }

  /// A tracker's modem was exchanged: the new one is not denied what the old one did not have.
  @Test func whatWasLearntOfOneFirmwareIsNotBelievedOfTheNext() {
    let old = ScriptedModem(isOn: true)
    old.script = { _, command, _ in
      switch command {
      case "+CGMR": .say(["Revision:1529B01SIM7000E", "OK"])
      case _ where command.hasPrefix("+SH"): .say(["ERROR"])
      case "+CMGF=0": .say(["ERROR"])
      default: nil
      }
    }
    old.submit(by: .http)
    old.run(for: .seconds(300))
    let learnt = old.handle.modem.quirks
    #expect(learnt.lacks(.http) && learnt.bodyLimit == 64)
    for (revision, isBelieved) in [("1529B01SIM7000E", true), ("1351B08SIM7000E", false)] {
      let modem = ScriptedModem(isOn: true)
      modem.handle = ScriptedModem.Handle(
        Modem(configuration: ScriptedModem.configuration(), quirks: learnt, seed: 1))
      modem.handle.modem.setStatus(isHigh: true, at: modem.now)
      modem.script = { _, command, _ in command == "+CGMR" ? .say(["Revision:\(revision)", "OK"]) : nil }
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(120)))
      #expect((modem.count("+SHREQ") == 0) == isBelieved)
    }
  }
}

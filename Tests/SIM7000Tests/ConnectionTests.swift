import Quantities
import Testing

@testable import SIM7000

/// The lines of a server on a connection, and sessions that break.
@Suite struct ConnectionTests {
  private static let ways: [ModemTransport] = [.tcp, .applicationTCP]

  private func sent(by transport: ModemTransport) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsNumber = TelephoneNumber() }, isOn: true)
    modem.acknowledges = false
    modem.submit(by: transport)
    modem.run(for: .seconds(20)) { $0.handle.modem.facts.delivery != .sent }
    return modem
  }

  private func server(_ text: String, to modem: ScriptedModem, by transport: ModemTransport) {
    modem.waiting += text
    modem.say([transport == .tcp ? "+CIPRXGET: 1,0" : "+CADATAIND: 0"])
    modem.run(for: .seconds(1))
  }

  @Test(arguments: ways)
  func onlyTheNumberOfThePacketAcknowledgesIt(transport: ModemTransport) {
    for line in [
      "ACK 6\n", "ACK 77\n", "ACK\n", "ACK \n", "ACK x\n", "NAK 7\n", "ack 7\n", "ACK 7", " ACK 7\n",
      "ACK 4294967303\n",
    ] {
      let modem = sent(by: transport)
      server(line, to: modem, by: transport)
      #expect(modem.outcomes.isEmpty, "\(line.debugDescription)")
    }
    for line in ["ACK 7\n", "ACK 7\r\n", "\r\n\nACK 7\r", "ACK 6\nACK 7\n", "hello\nACK 7\n", "ACK 007\n"] {
      let modem = sent(by: transport)
      server(line, to: modem, by: transport)
      #expect(modem.outcomes == [.delivered(ticket: 7)], "\(line.debugDescription)")
    }
  }

  @Test(arguments: ways)
  func aLineMayComeInPiecesAndOtherLinesAreReplies(transport: ModemTransport) {
    let modem = sent(by: transport)
    for piece in ["loc", "ate\r\nAC", "K", " ", "7", "\nrest"] { server(piece, to: modem, by: transport) }
    #expect(modem.replies == ["locate"])
    #expect(modem.outcomes == [.delivered(ticket: 7)])
    // A line that was not whole is none of the next connection's.
    modem.say([transport == .tcp ? "0, CLOSED" : "+CASTATE: 0,0"])
    modem.submit(by: transport)
    modem.run(for: .seconds(20)) { $0.handle.modem.facts.delivery != .sent }
    server("ACK 7\n", to: modem, by: transport)
    #expect(modem.replies == ["locate"] && modem.delivered == 2)
  }

  /// The notice of more has the name of the answer that is under way.
  @Test func whatComesWhileSomeIsReadIsReadToo() {
    let modem = sent(by: .tcp)
    modem.run(for: .seconds(1))
    modem.script = { modem, command, _ in
      guard command.hasPrefix("+CIPRXGET=2"), modem.count("+CIPRXGET=2") == 1 else { return nil }
      modem.waiting = ""
      return .say(["+CIPRXGET: 1,0", "+CIPRXGET: 2,0,6,0", "\u{1}hello\n", "OK"])
    }
    modem.say(["+CIPRXGET: 1,0"])
    modem.pass()
    modem.waiting = ""
    modem.run(for: .seconds(1)) { $0.replies.isEmpty }
    modem.waiting = "ACK 7\n"
    #expect(modem.deliver(within: .seconds(2)))
    #expect(modem.replies == ["hello"] && modem.delivered == 1 && modem.payloads.count == 1)
    #expect(modem.handle.modem.diagnostics.linesDamaged == 0)
  }

  @Test func halfALineOutlastsASending() {
    let modem = sent(by: .tcp)
    server("loca", to: modem, by: .tcp)
    modem.run(for: .seconds(25)) { $0.payloads.count < 2 }
    modem.run(for: .seconds(1))
    server("te\nACK 7\n", to: modem, by: .tcp)
    #expect(modem.replies == ["locate"] && modem.delivered == 1)
  }

  @Test func aLineIsKeptUpToTwoHundredAndFiftySixBytes() {
    for (count, isKept) in [(255, true), (256, true), (257, false), (400, false)] {
      let modem = sent(by: .tcp)
      server(String(repeating: "x", count: min(count, 200)), to: modem, by: .tcp)
      server(String(repeating: "x", count: count - 200) + "\nACK 7\n", to: modem, by: .tcp)
      #expect(modem.replies.map(\.count) == (isKept ? [count] : []), "\(count)")
      #expect(modem.handle.modem.diagnostics.linesDamaged == (isKept ? 0 : 1))
      #expect(modem.delivered == 1)
    }
  }

  @Test(arguments: ways)
  func anAcknowledgementIsWaitedForAsLongAsAnyAnswer(transport: ModemTransport) {
    let modem = sent(by: transport)
    let begun = modem.now
    modem.run(until: begun + .milliseconds(44_990))
    #expect(modem.recoveries.isEmpty && modem.payloads.count == 1)
    modem.run(until: begun + .milliseconds(45_200))
    // Each five seconds, and once more before it goes again.
    #expect(modem.count(transport == .tcp ? "+CIPRXGET=2" : "+CASTATE?") == 9)
    #expect(modem.recoveries.map(\.trouble) == [.unacknowledged] && modem.recoveries.map(\.rung) == [.session])
    modem.acknowledges = true
    #expect(modem.deliver(within: .seconds(20)))
    // It goes again on another connection: on this one it may still be on its way.
    #expect(modem.payloads.count == 2 && modem.count("+CIPSTART") + modem.count("+CAOPEN") == 2)
    let late = sent(by: transport)
    late.run(for: .seconds(43))
    server("ACK 7\n", to: late, by: transport)
    #expect(late.delivered == 1 && late.recoveries.isEmpty)
  }

  @Test func aSocketIsNotAskedForMoreThanItHasNorForMoreThanTwoHundredAndFiftySix() {
    for (count, asked) in [(1, 1), (255, 255), (256, 256), (257, 256), (1000, 256)] {
      let modem = sent(by: .applicationTCP)
      modem.script = { modem, command, _ in
        guard command == "+CARECV?" else { return nil }
        return modem.count("+CARECV=") == 0 ? .say(["+CARECV: 0,\(count)", "OK"]) : .say(["+CARECV: 0,0", "OK"])
      }
      modem.say(["+CADATAIND: 0"])
      modem.run(for: .seconds(1))
      #expect(modem.commands.filter { $0.hasPrefix("+CARECV=") } == ["+CARECV=0,\(asked)"], "\(count)")
    }
  }

  /// The loss of the session while the packet is not on its way: opened again, once, at once, without a trouble.
  @Test(arguments: [
    (ModemTransport.http, "+SHSTATE: 0", ["+SHCONN"], ["+CNACT=1", "+SHDISC"]),
    (.http, "+APP PDP: DEACTIVE", ["+CNACT?", "+CNACT=1", "+SHCONN", "+SHAHEAD"], ["+CPIN?"]),
    (.legacyHTTP, "+SAPBR 1: DEACT", ["+SAPBR=2,1", "+SAPBR=3,1,\"CONTYPE\"", "+SAPBR=1,1", "+HTTPINIT"], ["+CPIN?"]),
    (.mqtt, "+SMSTATE: 0", ["+SMSTATE?", "+SMCONF=\"URL\"", "+SMCONN"], ["+CNACT=1", "+SMDISC"]),
    (.mqtt, "+APP PDP: DEACTIVE", ["+CNACT?", "+CNACT=1", "+SMSTATE?", "+SMCONN"], ["+CPIN?"]),
    (.tcp, "0, CLOSED", ["+CIPSTART"], ["+CIPSHUT", "+CIPCLOSE"]),
    (.tcp, "+PDP: DEACT", ["+CIPSHUT", "+CIPMUX", "+CIICR", "+CIFSR", "+CIPSTART"], ["+CPIN?"]),
    (.applicationTCP, "+CASTATE: 0,0", ["+CACID", "+CAOPEN"], ["+CNACT=1", "+CACLOSE"]),
    (.applicationTCP, "+APP PDP: DEACTIVE", ["+CNACT?", "+CNACT=1", "+CACID", "+CAOPEN"], ["+CPIN?"]),
  ])
  func aSessionThatIsLostIsOpenedAgain(transport: ModemTransport, notice: String, again: [String], not: [String]) {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.smsNumber = TelephoneNumber() }, isOn: true)
    modem.submit(by: transport)
    modem.deliver(within: .seconds(20))
    modem.run(for: .seconds(10))
    for round in 1...2 {
      if notice.contains("DEACT") {
        modem.bearerIsUp = false
        modem.profileIsUp = false
      }
      modem.brokerIsUp = false
      modem.say([notice])
      let begun = modem.now
      modem.submit(by: transport)
      #expect(modem.deliver(within: .seconds(10)))
      for command in again { #expect(modem.count(command, since: begun) == 1, "\(round) \(notice): \(command)") }
      for command in not { #expect(modem.count(command, since: begun) == 0, "\(round) \(notice): \(command)") }
      #expect(modem.recoveries.isEmpty)
      modem.run(for: .seconds(10))
    }
    #expect(modem.payloads.count == 3)
  }

  @Test func noticesOfWhatIsThereChangeNothing() {
    let notices: [(ModemTransport, [String])] = [
      (.http, ["+APP PDP: ACTIVE", "+SMSTATE: 0", "0, CLOSED", "+CASTATE: 0,0", "+SAPBR 1: DEACT", "+PDP: DEACT"]),
      (.legacyHTTP, ["+SHSTATE: 0", "+SMSTATE: 0", "+APP PDP: DEACTIVE", "+PDP: DEACT", "0, CLOSED"]),
      (.mqtt, ["+APP PDP: ACTIVE", "+SHSTATE: 0", "0, CLOSED", "+CASTATE: 0,0", "+SAPBR 1: DEACT", "+PDP: DEACT"]),
      (.tcp, ["+SHSTATE: 0", "+SMSTATE: 0", "+APP PDP: DEACTIVE", "+CASTATE: 0,0", "0, CONNECT OK"]),
      (.applicationTCP, ["+SHSTATE: 0", "+SMSTATE: 0", "+PDP: DEACT", "0, CLOSED", "+CASTATE: 0,1"]),
    ]
    for (transport, lines) in notices {
      let modem = ScriptedModem(ScriptedModem.configuration { $0.smsNumber = TelephoneNumber() }, isOn: true)
      modem.submit(by: transport)
      modem.deliver(within: .seconds(20))
      modem.run(for: .seconds(10))
      modem.say(lines)
      let begun = modem.now
      modem.submit(by: transport)
      modem.deliver(within: .seconds(10))
      let opening = ["+CNACT", "+SHCONN", "+SMCONN", "+CIPSTART", "+CAOPEN", "+HTTPINIT", "+SAPBR=1"]
      for command in opening { #expect(modem.count(command, since: begun) == 0, "\(transport): \(command)") }
    }
  }
}

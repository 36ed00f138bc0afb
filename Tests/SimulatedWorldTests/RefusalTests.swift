import FieldDialogue
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// What a modem does not take, or says nothing to: it goes without, goes the other way, or is cured at last.
@Suite struct RefusalTests {
  private func run(_ header: String, _ rules: String) throws -> FieldRun {
    let told = rules.split(separator: "\n").map { "ours \($0)\n" }.joined()
    let run = FieldRun(
      try FieldDialogue("\(header)\n\(told)include plain.dialogue\n") { try FieldFiles.text($0) })
    run.run()
    #expect(run.failures == [], "\(header): \(rules)")
    return run
  }

  /// The name goes to the modem again where the bearer is opened.
  @Test(arguments: ["http", "legacyHTTP", "mqtt", "tcp", "applicationTCP", "sms"])
  func anAccessPointThatCanNotBeStoredStopsNothing(way: String) throws {
    for answer in ["+CME ERROR: 3", "ERROR"] {
      _ = try run(
        "transport \(way)\nvalue apn other.example\nexpect delivered within 60\nexpect radio 0\nexpect resets 0",
        "> AT+CGDCONT=*\n< \(answer)")
    }
  }

  @Test func anAccessPointHasNoCase() throws {
    _ = try run(
      "transport mqtt\nexpect delivered within 20\nexpect never AT+CGDCONT=",
      "> AT+CGDCONT?\n< +CGDCONT: 1,\"IP\",\"IOT.EXAMPLE\",\"0.0.0.0\",0,0,0,0\n< OK")
  }

  @Test(arguments: ["http", "legacyHTTP", "mqtt", "tcp", "applicationTCP", "sms"])
  func aModemThatRefusesEverythingIsReset(way: String) throws {
    _ = try run(
      "transport \(way)\nvalue wedge 1\nexpect delivered within 600",
      "> @start\nset wedge 0\n<+0.1 RDY\n<+0.2 +CFUN: 1\n<+1.0 +CPIN: READY\n<+3.5 SMS Ready\n"
        + "> AT*\nif wedge 1\n< ERROR")
  }

  /// The modem takes connections to be failed, and only without power it forgets.
  @Test(arguments: [
    ("http", "> AT+SHCONN\nif wedge 1\n< ERROR\n> AT+HTTPACTION=1\nif wedge 1\n< OK\n<+5 +HTTPACTION: 1,601,0"),
    ("mqtt", "> AT+SMCONN\nif wedge 1\n< ERROR"),
    ("sms", "> AT+CMGS=*\nif wedge 1\nprompt\npayload until 1A\n< +CMS ERROR: 500"),
  ])
  func whatOnlyPowerEndsIsCured(way: String, wedge: String) throws {
    let run = try run(
      "transport \(way)\nwiring status key\nvalue wedge 1\nexpect delivered within 7000\nexpect power 1",
      wedge + "\n> @start\nset wedge 0\n<+0.1 RDY\n<+0.2 +CFUN: 1\n<+1.0 +CPIN: {card}\n<+3.5 SMS Ready\n"
        + "> AT+CFUN=1,1\nset echo 1\nset error 0\nset bearer 0\nset broker 0\n< OK\n<+4.1 RDY\n<+4.2 +CFUN: 1\n"
        + "<+5.0 +CPIN: READY\n<+7.5 SMS Ready")
    #expect(run.transcript.contains { $0.contains("RecoveryRung.power") })
  }

  /// The packet is handed back after half an hour: the reset comes before.
  @Test func aWedgeThatAResetEndsIsCuredBeforeAMessageIsHandedBack() throws {
    _ = try run(
      "transport sms\nvalue wedge 1\nexpect delivered within 1500",
      "> AT+CMGS=*\nif wedge 1\nprompt\npayload until 1A\nwait 1\n< +CMS ERROR: 500\n"
        + "> @start\nset wedge 0\n<+0.1 RDY\n<+0.2 +CFUN: 1\n<+1.0 +CPIN: READY\n<+3.5 SMS Ready")
  }

  @Test(arguments: [
    ("http", "AT+SHREQ"), ("applicationTCP", "AT+CASEND"), ("tcp", "AT+CIPSEND"), ("legacyHTTP", "AT+HTTPDATA"),
    ("legacyHTTP", "AT+HTTPACTION"), ("legacyHTTP", "AT+HTTPINIT"), ("applicationTCP", "AT+CARECV?"),
  ])
  func aRefusalInTheMidstOfAWayLeadsToTheOther(way: String, command: String) throws {
    _ = try run(
      "transport \(way)\nexpect delivered within 60\nexpect radio 0\nexpect resets 0", "> \(command)*\n< ERROR")
  }

  @Test func noticesOfMessagesAreNotNeededToSendOne() throws {
    _ = try run(
      "transport sms\nexpect delivered within 60\nexpect radio 0\nexpect resets 0", "> AT+CNMI*\n< +CME ERROR: 3")
  }

  /// No remedy makes a modem take a broker's address that it does not take.
  @Test func aSessionForCommandsThatIsRefusedIsTriedLaterAndLater() throws {
    let run = try run(
      "setting commandTopic leash/commands\nsetting idle awake\nexpect radio 0\nexpect resets 0\nexpect commands 150",
      "> AT+SMCONF=\"URL\",*\n< ERROR")
    #expect(!run.transcript.contains { $0.contains("* recovery") })
  }

  @Test(arguments: [
    ("mqtt", "AT+CEREG?"), ("mqtt", "AT+SMCONF=\"KEEPTIME\","), ("mqtt", "AT+SMCONF=\"CLEANSS\","),
    ("mqtt", "AT+SMSTATE?"),
    ("http", "AT+SHCONF=\"BODYLEN\","), ("http", "AT+SHCONF=\"HEADERLEN\","), ("http", "AT+SHCHEAD"),
    ("http", "AT+SHAHEAD="), ("mqtt", "AT+IPR?"),
  ])
  func whatOnlyInformsMayHaveNoAnswer(way: String, command: String) throws {
    _ = try run(
      "transport \(way)\nexpect delivered within 300\nexpect resets 0\nexpect power 0", "> \(command)*")
  }

  /// A message has an alphabet of its own.
  @Test func whatAMessageCanNotSayIsAQuestionMark() throws {
    let dialogue = try FieldDialogue("transport sms\ninclude plain.dialogue\n") { try FieldFiles.text($0) }
    let run = FieldRun(dialogue, packet: Array("grüße €".utf8))
    run.run()
    #expect(run.delivered != nil && run.peer.received == [Array("gr??e ?".utf8)])
  }

  /// Registered for messages is enough for a message.
  @Test(arguments: [6, 7]) func aNetworkForMessagesTakesMessages(state: Int) throws {
    _ = try run(
      "transport sms\nexpect delivered within 60\nexpect radio 0\nexpect resets 0",
      "> AT+CEREG?\n< +CEREG: 0,\(state)\n< OK\n> AT+CGREG?\n< +CGREG: 0,0\n< OK")
    _ = try run(
      "transport mqtt\nexpect unconfirmed yes",
      "> AT+CEREG?\n< +CEREG: 0,\(state)\n< OK\n> AT+CGREG?\n< +CGREG: 0,0\n< OK")
  }

  /// A refusal that leaves the modem with another access point is kept with its answer, until the command is taken.
  @Test(arguments: [
    ("mqtt", "> AT+CGDCONT=*\n< +CME ERROR: 3", "AT+CGDCONT", UInt16(3)),
    ("tcp", "> AT+CSTT=*\n< ERROR", "AT+CSTT", nil),
    ("legacyHTTP", "> AT+SAPBR=3,1,\"APN\",*\n< +CME ERROR: 50", "AT+SAPBR", 50),
    ("mqtt", "> AT+CNCFG=*\n< +CME ERROR: 4", "AT+CNCFG", 4),
  ])
  func aRefusedAccessPointIsNamedWithTheAnswer(
    way: String, rule: String, command: String, code: UInt16?
  ) throws {
    let header = rule.contains("CGDCONT") ? "value apn other.example\n" : ""
    let user = rule.contains("CNCFG") ? "setting accessUser me\n" : ""
    let refused = try run(
      "transport \(way)\n\(header)\(user)expect delivered within 60\nexpect resets 0", rule)
    #expect(refused.refusedAccess.map { "\($0.command)" } == command && refused.refusedAccess?.code == code)
    #expect(try run("transport \(way)\nexpect delivered within 60", "").refusedAccess == nil)
  }
}

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

  /// Some firmware keeps what came before the end of a connection, and gives it afterwards.
  @Test func dataBehindTheEndOfAConnectionIsRead() throws {
    _ = try run(
      "transport applicationTCP\nexpect delivered within 10\nexpect radio 0\nexpect resets 0\nexpect copies 1",
      "> AT+CASEND=0,{count}\nif socket 1\nprompt\npayload count\n< OK\nserver\n> @received\n< +CADATAIND: 0\n"
        + "< +CASTATE: 0,0\nset closed 1\n> AT+CASTATE?\nif closed 1\n< OK")
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
    #expect(refused.refusedCommand.map { "\($0.command)" } == command && refused.refusedCommand?.code == code)
    #expect(try run("transport \(way)\nexpect delivered within 60", "").refusedCommand == nil)
  }

  /// Nothing that is done to the modem brings a certificate into it: the packet is given back at once, and the command is named.
  @Test(arguments: [
    ("http", "setting httpServer https://track.example", "AT+SHSSL"), ("mqtt", "setting mqttTLS on", "AT+SMSSL"),
  ])
  func aMissingCertificateIsNamedAndNothingIsDoneToTheModem(way: String, settings: String, command: String) throws {
    let header =
      "transport \(way)\n\(settings)\nsetting certificate root.pem\nexpect resets 0\nexpect power 0\nexpect radio 0"
    let refused = try run(
      "\(header)\nexpect unconfirmed yes\nexpect undelivered yes\nexpect copies 0\nexpect commands 80",
      "> \(command)=*\n< ERROR")
    #expect(
      refused.refusedCommand.map { "\($0.command)" } == command && refused.refusedCommand?.isOfCertificate == true)
    // Another way, without a certificate, would tell everybody.
    #expect(!refused.transcript.contains { $0.contains("AT+HTTPACTION") || $0.contains("AT+SMCONN") })
    #expect(try run("\(header)\nexpect delivered within 60", "> \(command)=*\n< OK").refusedCommand == nil)
  }

  /// A modem of another family opens no bearer by `CNACT=1`, whatever is done to it.
  @Test(arguments: ["1951B08SIM7070", "BG96MAR02A07M1G"]) func aModemOfAnotherFamilyIsNotReset(revision: String) throws
  {
    for (way, answer) in [
      ("http", "ERROR"), ("http", "+CME ERROR: operation not supported"), ("mqtt", "+CME ERROR: 4"),
    ] {
      let refused = try run(
        "transport \(way)\nexpect unconfirmed yes\nexpect undelivered yes\nexpect resets 0\nexpect power 0\nexpect radio 0\nexpect commands 150",
        "> AT+CGMR\n< Revision:\(revision)\n< OK\n> AT+CNACT=*\n< \(answer)\n> AT+SAPBR*\n< \(answer)\n> AT+HTTP*\n< \(answer)"
      )
      #expect(refused.refusedCommand.map { "\($0.command)" } == "AT+CNACT", "\(way)")
    }
  }

  /// One of this family may do so at a moment; then it is helped as ever.
  @Test func aBearerThatIsRefusedForAWhileIsOpenedLater() throws {
    for times in 1...3 {
      _ = try run(
        "transport mqtt\nexpect delivered within 180\nexpect resets 0", "> AT+CNACT=1,*\ntimes \(times)\n< ERROR")
    }
  }

  /// A modem that was on before has said `SMS Ready` when nobody listened; one that was switched on a moment before has yet to.
  @Test func besideARunningModemATextMessageGoesAtOnce() throws {
    _ = try run(
      "transport sms\nexpect delivered within 4\nexpect copies 1\nexpect resets 0\nexpect radio 0", "> AT+CSMP=*\n< OK")
    _ = try run(
      "transport sms\nexpect delivered within 20\nexpect copies 1\nexpect resets 0\nexpect radio 0",
      "> AT+CMGF=*\ntimes 12\n< +CMS ERROR: 500\n> AT+CSMP=*\n< OK")
  }

  /// An outcome of another request is none of this one.
  @Test(arguments: [
    ("http", "AT+SHREQ=*", "+SHREQ: \"GET\",200,0", "+SHREQ: \"POST\",200,0"),
    ("legacyHTTP", "AT+HTTPACTION=1", "+HTTPACTION: 0,200,0", "+HTTPACTION: 1,200,0"),
  ])
  func theOutcomeOfAnotherMethodDeliversNothing(way: String, command: String, other: String, own: String) throws {
    let none = "> \(command)\n< OK\n<+0.4 \(other)"
    _ = try run(
      "transport \(way)\nexpect unconfirmed yes", "\(none)\n> AT+HTTPACTION=*\n< ERROR\n> AT+SHREQ=*\n< ERROR")
    _ = try run(
      "transport \(way)\nexpect delivered within 30\nexpect copies 1",
      "> \(command)\nserver\n< OK\n<+0.4 \(other)\n<+0.8 \(own)")
  }

  /// What stands behind a published message in one burst may be another text.
  @Test(arguments: [
    ("http", "AT+SHREQ=*", "+SHREQ: \"POST\",200,0"), ("legacyHTTP", "AT+HTTPACTION=1", "+HTTPACTION: 1,200,0"),
  ])
  func anOutcomeInATextBehindAMessageDeliversNothing(way: String, command: String, outcome: String) throws {
    let burst =
      "raw \\r\\n+SMSUB: \"leash/command\",\"hi\"\\r\\n\nraw \\r\\n+CMT: \"+31600000001\",\"\",\"26/11/22,16:00:00+04\"\\r\\n\(outcome)\\r\\n"
    _ = try run(
      "transport \(way)\nsetting commandTopic leash/command\nexpect unconfirmed yes",
      "> \(command)\n< OK\nwait 0.2\n\(burst)\nwait 12\n< ERROR\n> AT+SHREQ=*\n< ERROR\n> AT+HTTPACTION=*\n< ERROR")
  }

  /// A request is read whole beside a notice that ends in a quote as it does.
  @Test(arguments: ["+CPSMSTATUS: \"EXIT PSM\"", "+CEDRXP: 4,\"0010\",\"0010\",\"0011\"", "+CREG: 1,\"1A2B\""])
  func aNoticeBehindARequestLeavesItWhole(notice: String) throws {
    _ = try run(
      "transport mqtt\nsetting commandTopic leash/command\nexpect delivered within 60\nexpect reply status",
      "> AT+SMSUB=*\n< OK\nwait 0.5\nraw \\r\\n+SMSUB: \"leash/command\",\"status\"\\r\\n\nwait 0.05\nraw \\r\\n\(notice)\\r\\n"
    )
  }
}

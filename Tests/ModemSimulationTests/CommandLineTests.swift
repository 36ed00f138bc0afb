import ModemSimulation
import Quantities
import Testing

@Suite struct CommandLineTests {
  @Test func aPlainATIsAnsweredAndEchoed() {
    var bench = Bench.running()
    _ = bench.exchange("ATE1")
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
  }

  @Test(arguments: ["at", "At", "aT", "AT"]) func thePrefixMayHaveAnyCase(prefix: String) {
    var bench = Bench.running()
    #expect(bench.exchange(prefix) == lines("OK"))
  }

  /// What firmware was seen to do; nothing speaks PPP behind it.
  @Test(arguments: [
    (ModemProfile.b03, "", "CONNECT 150000000"), (.b05, "", "ERROR"), (.b05, "1351B08SIM7000E", "CONNECT"),
    (.g10, "", "ERROR"),
  ])
  func aPacketCallConnectsWhereItWasSeenTo(profile: ModemProfile, revision: String, answer: String) {
    for number in ["*99#", "*99***1#"] {
      var bench = Bench.running {
        $0 = SimulatedModemConfiguration(profile: profile)
        $0.startsPoweredOff = false
        if !revision.isEmpty { $0.revision = revision }
      }
      #expect(bench.exchange("ATD\(number)") == lines(answer))
      guard answer != "ERROR" else { continue }
      // A frame of PPP is no command.
      #expect(bench.exchange("~AT") == "")
      bench.wait(.seconds(2))
      bench.type("+++")
      bench.wait(.seconds(2))
      #expect(bench.take() == lines("OK"))
      #expect(bench.exchange("ATO") == lines("CONNECT"))
      bench.wait(.seconds(2))
      bench.type("+++")
      bench.wait(.seconds(2))
      _ = bench.take()
      #expect(bench.exchange("ATH") == lines("OK") && bench.exchange("ATO") == lines("NO CARRIER"))
      #expect(bench.exchange("ATD*100#") == lines("ERROR"))
    }
  }

  @Test func commandNamesMayHaveAnyCase() {
    var bench = Bench.running()
    #expect(bench.exchange("at+cgmi") == lines("SIMCOM_Ltd", "OK"))
  }

  @Test func basicCommandsNeedNoSeparatorAndExtendedOnesASemicolon() {
    var bench = Bench.running()
    #expect(bench.exchange("ATE1Q0S0=1S3=13V1X4;+IFC=0,0;+IPR=115200") == lines("OK"))
    #expect(bench.exchange("ATE0+CGMI;+CGMM") == "ATE0+CGMI;+CGMM\r" + lines("SIMCOM_Ltd", "SIMCOM_SIM7000E", "OK"))
    #expect(bench.exchange("ATS0?") == lines("001", "OK"))
  }

  @Test func theFirstErrorEndsTheLineButWhatWasSaidStands() {
    var bench = Bench.running()
    #expect(bench.exchange("AT+CGMI;+NOPE;+CGMM") == lines("SIMCOM_Ltd", "ERROR"))
  }

  @Test func aSlashRepeatsTheLastLineWithoutACarriageReturn() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CGMI")
    bench.type("A/")
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("SIMCOM_Ltd", "OK"))
  }

  @Test func backspaceTakesACharacterBack() {
    var bench = Bench.running()
    #expect(bench.exchange("AT+CGMX\u{8}I") == lines("SIMCOM_Ltd", "OK"))
  }

  @Test func aLineFeedBehindTheCarriageReturnIsTolerated() {
    var bench = Bench.running()
    _ = bench.exchange("ATE1")
    bench.type("AT\r\nAT\r\n")
    bench.wait(.milliseconds(100))
    #expect(bench.take() == "AT\r" + lines("OK") + "AT\r" + lines("OK"))
  }

  @Test func aLineThatIsTooLongDoesNothing() {
    var bench = Bench.running()
    let fits = "ATE1;" + String(repeating: " ", count: 559 - 3)
    #expect(bench.exchange(fits, for: .seconds(1)) == lines("OK"))
    _ = bench.exchange("ATE0")
    #expect(bench.exchange(fits + " ", for: .seconds(1)) == lines("ERROR"))
    #expect(bench.exchange("AT") == lines("OK"), "echo is still off")
  }

  @Test func fortyCommandsInALineAreTooMany() {
    var bench = Bench.running()
    #expect(bench.exchange("AT" + String(repeating: "E1", count: 40)) == lines("ERROR"))
    #expect(bench.exchange("AT" + String(repeating: "E0", count: 39)) == lines("OK"))
  }

  @Test func numericResultsAreADigitAndACarriageReturn() {
    var bench = Bench.running()
    #expect(bench.exchange("ATV0") == "0\r")
    #expect(bench.exchange("AT+CGMI") == "SIMCOM_Ltd\r\n0\r")
    #expect(bench.exchange("AT+NOPE") == "4\r")
    #expect(bench.exchange("ATV1") == lines("OK"))
  }

  @Test func quietModeKeepsTheInformation() {
    var bench = Bench.running()
    #expect(bench.exchange("ATQ1").isEmpty)
    #expect(bench.exchange("AT+CGMI") == lines("SIMCOM_Ltd"))
    #expect(bench.exchange("ATQ0") == lines("OK"))
  }

  @Test func errorsAreToldAsTheHostWants() {
    var bench = Bench.running { $0.hasSIM = false }
    #expect(bench.exchange("AT+CIMI") == lines("ERROR"))
    _ = bench.exchange("AT+CMEE=1")
    #expect(bench.exchange("AT+CIMI") == lines("+CME ERROR: 10"))
    _ = bench.exchange("AT+CMEE=2")
    #expect(bench.exchange("AT+CIMI") == lines("+CME ERROR: SIM not inserted"))
  }

  @Test func garbageBeforeTheCommandIsSkipped() {
    var bench = Bench.running()
    #expect(bench.exchange("\u{7}x#AT") == lines("OK"))
  }

  @Test func aURCWaitsUntilAHalfTypedLineIsAnswered() {
    var bench = Bench.running()
    bench.type("AT+CG")
    bench.modem.deliver(sms: "x", from: "+1", at: bench.now)
    bench.type("MI\r")
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMTI: \"SM\",1", "SIMCOM_Ltd", "OK"))
  }

  @Test func aURCMayFallBetweenTheInformationAndTheResult() {
    var bench = Bench.running()
    bench.type("AT+CGMI\r")
    bench.wait(Interval(microseconds: 10_500))
    bench.modem.deliver(sms: "x", from: "+1", at: bench.now)
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("SIMCOM_Ltd", "+CMTI: \"SM\",1", "OK"))
  }

  @Test func aURCWaitsForTheEndOfAPayload() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMGF=1")
    #expect(bench.exchange("AT+CMGS=\"+1\"") == "\r\n> ")
    bench.modem.deliver(sms: "x", from: "+1", at: bench.now)
    bench.type("half")
    bench.wait(.seconds(5))
    #expect(bench.take().isEmpty)
    bench.type(" done\u{1B}")
    bench.wait(.milliseconds(100))
    #expect(bench.take().components(of: "+CMTI: \"SM\",1") == 1)
  }

  @Test func aLateAnswerDoesNotHoldThePromptBack() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMGF=1")
    bench.modem.apply(.lateAnswer(by: .seconds(5)), at: bench.now)
    #expect(bench.exchange("AT+CMGS=\"+1\"") == "\r\n> ")
    bench.type("x\u{1A}")
    bench.deliver(.smsAccepted(id: 1, reference: 3))
    #expect(bench.exchange("AT") == lines("OK"))
    bench.wait(.seconds(5))
    #expect(bench.take() == lines("+CMGS: 3", "OK"))
  }

  @Test func whatIsTypedWhileACommandRunsIsAnsweredAfterIt() {
    var bench = Bench.running { $0.network.operatorSearchDelay = .seconds(5) }
    bench.type("AT+COPS=?\r")
    bench.wait(.seconds(1))
    bench.type("AT+CGMI\r")
    bench.wait(.seconds(1))
    #expect(bench.take().isEmpty)
    bench.wait(.seconds(5))
    let text = bench.take()
    #expect(text.hasPrefix("\r\n+COPS: (2,\"Leash Mobile\",\"Leash\",\"24007\",7)"))
    #expect(text.hasSuffix(lines("OK", "SIMCOM_Ltd", "OK")))
  }

  @Test func outputTakesTheTimeItsBitsNeed() {
    var bench = Bench.running {
      $0.link.answerDelay = .zero; $0.link.resultGap = .zero
    }
    bench.modem.receive(Array("AT+CGMI\r".utf8), at: bench.now)
    // Twelve of the fourteen bytes "\r\nSIMCOM_Ltd\r\n" at 115200 bit/s.
    bench.modem.advance(to: bench.now + Interval(microseconds: 12 * 10_000_000 / 115_200))
    #expect(String(decoding: bench.modem.takeOutput(), as: UTF8.self) == "\r\nSIMCOM_Ltd")
  }
}

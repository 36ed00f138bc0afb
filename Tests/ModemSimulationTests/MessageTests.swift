@testable import ModemSimulation
import Quantities
import Testing

@Suite struct MessageTests {
  @Test func aPDUFromAPhoneProgramIsUnderstood() throws {
    // What gammu 1.42 sends for "hello" to +31600000000.
    var bench = Bench.running()
    #expect(bench.exchange("AT+CMGF=0;+CMGS=19") == "\r\n> ")
    bench.type("07916407058099F911000B911306000000F00000FF05E8329BFD06\u{1A}")
    bench.wait(.milliseconds(100))
    #expect(bench.requests == [.sms(id: 1, to: "+31600000000", text: "hello")])
    bench.deliver(.smsAccepted(id: 1, reference: 255))
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMGS: 255", "OK"))
  }

  @Test(arguments: ["fence alert", "", "€[]{}~^|\\", "Straße Ångström", "привет", String(repeating: "x", count: 160)])
  func aStoredMessageReadsBackFromItsPDU(text: String) throws {
    var bench = Bench.running()
    bench.modem.deliver(sms: text, from: "+31600000000", at: bench.now)
    let answer = bench.exchange("AT+CMGF=0;+CMGR=1")
    let digits = try #require(answer.split(whereSeparator: \.isNewline).first { $0.hasPrefix("07") })
    let bytes = try #require(HexadecimalBytes.decode(String(digits)))
    // The same bytes with the head of an SMS-SUBMIT in place of that of an SMS-DELIVER.
    let submit: [UInt8] = [0, 0x01, 0x00] + bytes[9..<17] + [0x00, bytes[18]] + bytes[26...]
    let read = try #require(ShortMessagePDU.submit(submit, length: submit.count - 1))
    #expect(read == ShortMessagePDU.Submit(to: "+31600000000", text: text))
  }

  @Test func aDeliveredPDUIsThatOfTheStandard() {
    var bench = Bench.running {
      $0.startTime = UTCTime(microseconds: 1_561_529_043_000_000)
      $0.network.timeZoneQuarters = 32
      $0.messages.centre = "+46705008999"
    }
    bench.modem.deliver(sms: "hello", from: "+31600000000", at: .zero)
    #expect(
      bench.exchange("AT+CMGL=4")
        == lines("+CMTI: \"SM\",1") + "\r\n+CMGL: 1,0,\"\",24\r\n"
        + "07916407058099F9040B911306000000F0000091606241403023" + "05E8329BFD06\r\n" + lines("OK"))
  }

  /// Quarter hours from Greenwich with their digits swapped; west of it with a sign in the tens.
  @Test(arguments: [(0, "00"), (4, "40"), (8, "80"), (22, "22"), (35, "53"), (-5, "58"), (-20, "0A"), (-28, "8A")])
  func theZoneOfAPDUHasItsDigitsSwapped(quarters: Int, zone: String) {
    var bench = Bench.running {
      $0.startTime = UTCTime(microseconds: 1_561_529_043_000_000)
      $0.network.timeZoneQuarters = quarters
    }
    bench.modem.deliver(sms: "hello", from: "+31600000000", at: .zero)
    #expect(bench.exchange("AT+CMGF=0;+CMGR=1").contains("\(zone)05E8329BFD06\r\n"))
  }

  @Test func messagesAreListedByStateAndDeletedByState() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMGF=1")
    for text in ["a", "b"] { bench.modem.deliver(sms: text, from: "+3160", at: bench.now) }
    _ = bench.exchange("AT+CMGR=1")
    #expect(bench.exchange("AT+CMGL=\"REC READ\"").hasPrefix("\r\n+CMGL: 1,\"REC READ\",\"+3160\",\"\",\""))
    #expect(bench.exchange("AT+CPMS?") == lines("+CPMS: \"SM\",2,30,\"SM\",2,30,\"SM\",2,30", "OK"))
    _ = bench.exchange("AT+CMGD=1,1")
    #expect(bench.exchange("AT+CPMS=\"SM\",\"SM\",\"SM\"") == lines("+CPMS: 1,30,1,30,1,30", "OK"))
    #expect(bench.exchange("AT+CMGR=1") == lines("OK"))
    #expect(bench.exchange("AT+CMGD=1,4;+CMGL=\"ALL\"") == lines("OK"))
  }

  @Test func messagesAreShownDirectlyOnlyInModeOne() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMGF=1")
    #expect(bench.exchange("AT+CNMI=2,2") == lines("ERROR"))
    #expect(bench.exchange("AT+CNMI=1,2") == lines("OK"))
    bench.modem.deliver(sms: "where", from: "+3160", at: bench.now)
    bench.wait(.milliseconds(100))
    let text = bench.take()
    #expect(text.hasPrefix("\r\n+CMT: \"+3160\",\"\",\"26/06/01,"))
    #expect(text.hasSuffix("\r\nwhere\r\n"))
  }

  @Test func aFullSIMLetsTheNetworkWait() {
    var bench = Bench.running { $0.messages.slots = 1 }
    for text in ["a", "b"] { bench.modem.deliver(sms: text, from: "+3160", at: bench.now) }
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMTI: \"SM\",1"))
    #expect(bench.exchange("AT+CMGD=1") == lines("+CMTI: \"SM\",1", "OK"))
  }

  @Test func aMessageStoredFirstIsSentFromItsPlace() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMGF=1")
    _ = bench.exchange("AT+CMGW=\"+3160\"")
    bench.type("later\u{1A}")
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMGW: 1", "OK"))
    _ = bench.exchange("AT+CMSS=1")
    #expect(bench.requests == [.sms(id: 1, to: "+3160", text: "later")])
  }

  @Test func refusalAndSilenceOfTheNetworkAreToldAsErrors() {
    var bench = Bench.running { $0.messages.sendTimeout = .seconds(60) }
    _ = bench.exchange("AT+CMGF=1;+CMEE=1")
    for place in 1...2 {
      _ = bench.exchange("AT+CMGS=\"+3160\"")
      bench.type("x\u{1A}")
      if place == 1 { bench.deliver(.smsRefused(id: 1, code: 38)) }
      bench.wait(.seconds(61))
      #expect(bench.take() == lines(place == 1 ? "+CMS ERROR: 38" : "+CMS ERROR: 332"))
    }
    bench.deliver(.smsAccepted(id: 2, reference: 1))
    bench.wait(.milliseconds(100))
    #expect(bench.take().isEmpty, "an answer that comes too late finds nobody")
  }

  /// Sends a text; the command line says in which form, and whether with a report.
  private func sent(_ settings: String, _ change: (inout SimulatedModemConfiguration) -> Void = { _ in }) -> Bench {
    var bench = Bench.running {
      $0.network.timeZoneQuarters = 0
      change(&$0)
    }
    _ = bench.exchange("AT+CMGF=1;\(settings)")
    _ = bench.exchange("AT+CMGS=\"+31600000000\"")
    bench.type("x\u{1A}")
    bench.wait(.milliseconds(100))
    bench.deliver(.smsAccepted(id: 1, reference: 7))
    bench.wait(.milliseconds(100))
    _ = bench.take()
    return bench
  }

  private static let report = MessageReport(
    reference: 7, to: "+31600000000", sent: UTCTime(microseconds: 1_561_529_043_000_000),
    done: UTCTime(microseconds: 1_561_529_048_000_000))

  @Test func aReportIsAskedForByParametersAndToldWhereNoticesAreAsked() {
    for (settings, asks, isTold) in [
      ("+CSMP=17,167,0,0;+CNMI=2,1", false, false), ("+CSMP=49,167,0,0;+CNMI=2,1", true, false),
      ("+CSMP=17,167,0,0;+CNMI=2,1,0,1", false, true), ("+CSMP=49,167,0,0;+CNMI=2,1,0,1", true, true),
    ] {
      var bench = sent(settings)
      #expect(bench.requests == [.sms(id: 1, to: "+31600000000", text: "x", wantsReport: asks)], "\(settings)")
      bench.deliver(.smsReported(id: 1, MessageTests.report))
      bench.wait(.milliseconds(100))
      let times = "\"19/06/26,06:04:03+00\",\"19/06/26,06:04:08+00\""
      #expect(
        bench.take() == (isTold ? lines("+CDS: 6,7,\"+31600000000\",145,\(times),0") : ""), "\(settings)")
    }
  }

  @Test func aReportComesAsDigitsWhereMessagesDo() {
    var bench = sent("+CSMP=49,167,0,0;+CNMI=2,1,0,1")
    _ = bench.exchange("AT+CMGF=0")
    bench.deliver(.smsReported(id: 1, MessageTests.report))
    bench.wait(.milliseconds(100))
    let text = bench.take()
    #expect(text.hasPrefix("\r\n+CDS: 25\r\n"))
    #expect(text.hasSuffix("06070B911306000000F0" + "91606260403000" + "91606260408000" + "00\r\n"))
  }

  @Test func aStoredReportIsAMessageThatIsReadListedAndDeleted() {
    var bench = sent("+CSMP=49,167,0,0;+CNMI=2,1,0,2") { $0.messages.reports = .stored }
    bench.deliver(.smsReported(id: 1, MessageTests.report))
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CDSI: \"SM\",1"))
    let words = "6,7,\"+31600000000\",145,\"19/06/26,06:04:03+00\",\"19/06/26,06:04:08+00\",0"
    #expect(bench.exchange("AT+CMGR=1") == lines("+CMGR: \"REC UNREAD\",\(words)", "OK"))
    #expect(bench.exchange("AT+CMGL=\"ALL\"") == lines("+CMGL: 1,\"REC READ\",\(words)", "OK"))
    let digits = "07916407058099F9" + "06070B911306000000F0" + "91606260403000" + "91606260408000" + "00"
    #expect(bench.exchange("AT+CMGF=0;+CMGR=1") == "\r\n+CMGR: 1,\"\",25\r\n\(digits)\r\n" + lines("OK"))
    #expect(bench.exchange("AT+CMGL=4") == "\r\n+CMGL: 1,1,\"\",25\r\n\(digits)\r\n" + lines("OK"))
    #expect(bench.exchange("AT+CMGD=1;+CMGL=4") == lines("OK"))
  }

  @Test func whereReportsGoIsWhatTheModemCan() {
    for (routing, direct, stored, modes) in [
      (ReportRouting.direct, true, false, "(0,1)"), (.stored, false, true, "(0,2)"), (.either, true, true, "(0-2)"),
    ] {
      var bench = Bench.running { $0.messages.reports = routing }
      #expect(bench.exchange("AT+CNMI=?") == lines("+CNMI: (0,1,2),(0,1,2,3),(0,2),\(modes),(0,1)", "OK"))
      #expect(bench.exchange("AT+CNMI=2,1,0,1").hasSuffix(lines("OK")) == direct)
      #expect(bench.exchange("AT+CNMI=2,1,0,2").hasSuffix(lines("OK")) == stored)
    }
  }

  @Test func aReportForWhichThereIsNoPlaceWaitsInTheNetwork() {
    var bench = sent("+CSMP=49,167,0,0;+CNMI=2,1,0,2") {
      $0.messages.reports = .stored
      $0.messages.slots = 1
    }
    bench.modem.deliver(sms: "full", from: "+3160", at: bench.now)
    bench.deliver(.smsReported(id: 1, MessageTests.report))
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMTI: \"SM\",1"))
    #expect(bench.exchange("AT+CMGD=1") == lines("+CDSI: \"SM\",1", "OK"))
  }

  @Test func aReportWaitsInTheNetworkForTheModem() {
    var bench = sent("+CSMP=49,167,0,0;+CNMI=2,1,0,1")
    _ = bench.exchange("AT+CFUN=0", for: .seconds(5))
    bench.deliver(.smsReported(id: 1, MessageTests.report))
    bench.wait(.seconds(1))
    #expect(!bench.take().contains("+CDS"))
    _ = bench.exchange("AT+CFUN=1", for: .zero)
    bench.wait(.seconds(60))
    #expect(bench.take().contains("+CDS: 6,7,"))
  }

  @Test func aPDUAsksForItsReportItself() {
    for (first, asks) in [("11", false), ("31", true)] {
      var bench = Bench.running()
      _ = bench.exchange("AT+CMGF=0;+CMGS=19")
      bench.type("07916407058099F9\(first)000B911306000000F00000FF05E8329BFD06\u{1A}")
      bench.wait(.milliseconds(100))
      #expect(bench.requests == [.sms(id: 1, to: "+31600000000", text: "hello", wantsReport: asks)])
    }
  }

  @Test func wideTextIsHexadecimalInUCS2() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMGF=1;+CSCS=\"UCS2\"")
    _ = bench.exchange("AT+CMGS=\"002B0033\"")
    bench.type("043F0440\u{1A}")
    #expect(bench.requests == [.sms(id: 1, to: "+3", text: "пр")])
  }

  @Test func anythingTypedIsSurvived() {
    var random = ModemRandom(seed: 11)
    let names = SimulatedModem.coreCommands.map(\.name)
    let arguments = [
      "", "?", "=?", "=1", "=0", "=", "=,,,", "=\"", "=99999999999999999999", "=-1", "=1,\"a\",\"b\",2", "=0,0,0",
    ]
    var bench = Bench.running()
    for name in names where name != "+CPOWD" && name != "+IPR" {
      for argument in arguments {
        let answer = bench.exchange("AT\(name)\(argument)", for: .seconds(1))
        bench.type("\u{1B}")
        bench.wait(.milliseconds(100))
        #expect(!answer.isEmpty || name == "Q" || name == "+COPS", "\(name)\(argument)")
        if name == "Q" || name == "V" || name == "E" { _ = bench.exchange("ATQ0V1E0") }
        if name == "+COPS" || name == "+CFUN" { bench.wait(.seconds(30)) }
      }
    }
    for _ in 0..<2_000 {
      let count = random.integer(below: 40)
      let noise = [0x41, 0x54] + (0..<count).map { _ in UInt8(random.integer(below: 256)) } + [0x0D]
      bench.modem.receive(noise, at: bench.now)
      bench.wait(.milliseconds(20))
    }
    bench.type("\u{1B}")
    bench.wait(.seconds(100))
    _ = bench.exchange("ATQ0V1E0")
    #expect(bench.exchange("AT") == lines("OK"))
  }
}

import ModemSimulation
import Quantities
import Testing

private func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, milliseconds: Int) -> UTCTime {
  let date = CivilDate(year: year, month: month, day: day) ?? CivilDate(daysSince1970: 0)
  return UTCTime(date: date, microsecondsOfDay: Int64((hour * 60 + minute) * 60_000 + milliseconds) * 1_000)
}

/// The dialogues of the reference, byte for byte; the data dialogues are with the data commands.
@Suite struct TranscriptTests {
  @Test func switchingOnAtAFixedRate() {
    var configuration = SimulatedModemConfiguration()
    configuration.revision = "1351B08SIM7000E"
    var bench = Bench(configuration)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(6))
    #expect(bench.take() == lines("RDY", "+CFUN: 1", "+CPIN: READY"))
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
    bench.wait(.seconds(3))
    #expect(bench.take() == lines("SMS Ready"))
    #expect(bench.exchange("ATE0") == "ATE0\r" + lines("OK"))
    #expect(bench.exchange("AT+CMEE=2;+CEREG=1;+CGREG=1") == lines("OK"))
    #expect(bench.exchange("AT+CGMR") == lines("Revision:1351B08SIM7000E", "OK"))
    #expect(bench.exchange("AT+CPIN?") == lines("+CPIN: READY", "OK"))
  }

  @Test func registrationAsAGuestWithTheNetworksTime() {
    var configuration = SimulatedModemConfiguration()
    configuration.network.isRoaming = true
    configuration.network.timeZoneQuarters = 32
    // Registered 18.5 s after the key went down.
    configuration.startTime = utc(2019, 6, 26, 6, 3, milliseconds: 44_500)
    var bench = Bench(configuration)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.milliseconds(4_650))
    _ = bench.exchange("ATE0;+CEREG=1;+CLTS=1")
    bench.wire = []
    bench.wait(.seconds(16))
    #expect(
      bench.take()
        == lines(
          "+CPIN: READY", "+CEREG: 2", "SMS Ready", "+CEREG: 5", "DST: 0", "*PSUTTZ: 19/06/26,06:04:03\",\"+32\",0"))
    #expect(
      bench.exchange("AT+CPSI?")
        == lines(
          "+CPSI: LTE CAT-M1,Online,240-07,0x2AFE,34564631,149,EUTRAN-BAND20,6400,3,3,-12,-81,-52,10", "OK"))
    #expect(bench.exchange("AT+CCLK?") == lines("+CCLK: \"19/06/26,14:04:06+32\"", "OK"))
  }

  @Test func satellites() throws {
    let position = try #require(GeodeticPosition(latitudeDegrees: 31.222176, longitudeDegrees: 121.354393))
    var bench = Bench.running { configuration in
      configuration.startTime = utc(2017, 11, 3, 2, 40, milliseconds: 19_000)
      configuration.gnss.source = .trajectory([
        TrajectoryPoint(time: .zero, position: position, height: 31, speed: 0, course: 99.5 * Double.pi / 180)
      ])
      configuration.gnss.coldStart = .seconds(30)
    }
    #expect(bench.exchange("AT+CGNSINF") == lines("+CGNSINF: 0,,,,,,,,,,,,,,,,,,,,", "OK"))
    #expect(bench.exchange("AT+CGNSPWR=1") == lines("OK"))
    #expect(bench.exchange("AT+CGNSINF") == lines("+CGNSINF: 1,0,,,,,,,0,,,,,,,,,,,,", "OK"))
    bench.wait(.milliseconds(30_500))
    #expect(bench.exchange("AT+CGNSURC=1") == lines("OK"))
    bench.wait(.seconds(1))
    #expect(
      bench.take()
        == lines("+UGNSINF: 1,1,20171103024050.000,31.222176,121.354393,31.000,0.00,99.5,1,,0.9,1.3,0.9,,20,8,,,48,,"))
  }

  @Test func messagesOutAndIn() throws {
    var bench = Bench.running { configuration in
      configuration.startTime = utc(2019, 6, 26, 6, 3, milliseconds: 53_000)
      configuration.network.timeZoneQuarters = 32
    }
    for text in ["one", "two"] { bench.modem.deliver(sms: text, from: "+31600000000", at: bench.now) }
    #expect(bench.exchange("AT+CMGF=1") == lines("+CMTI: \"SM\",1", "+CMTI: \"SM\",2", "OK"))
    #expect(bench.exchange("AT+CMGS=\"+31600000000\"") == "\r\n> ")
    bench.type("fence alert\u{1A}")
    bench.wait(.seconds(2))
    #expect(bench.take().isEmpty)
    let id = try #require(bench.requests.last?.id)
    #expect(bench.requests == [.sms(id: id, to: "+31600000000", text: "fence alert")])
    bench.deliver(.smsAccepted(id: id, reference: 12))
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMGS: 12", "OK"))
    bench.wait(.seconds(10) + .zero - (bench.now - .zero))
    bench.modem.deliver(sms: "where", from: "+31600000000", at: bench.now)
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("+CMTI: \"SM\",3"))
    #expect(
      bench.exchange("AT+CMGR=3")
        == "\r\n+CMGR: \"REC UNREAD\",\"+31600000000\",\"\",\"19/06/26,14:04:03+32\"\r\nwhere\r\n" + lines("OK"))
    #expect(bench.exchange("AT+CMGD=3") == lines("OK"))
    #expect(bench.exchange("AT+CMGS=\"+31600000000\"") == "\r\n> ")
    bench.type("oops\u{1B}")
    bench.wait(.milliseconds(100))
    #expect(bench.take() == lines("OK"))
    #expect(bench.requests.count == 1)
  }

  @Test func sleepingAndWakingUp() {
    var bench = Bench.running()
    bench.modem.set(.dataTerminalReady, low: true, at: bench.now)
    #expect(bench.exchange("AT+CSCLK=1") == lines("OK"))
    bench.modem.set(.dataTerminalReady, low: false, at: bench.now)
    bench.wait(.seconds(6))
    #expect(bench.exchange("AT").isEmpty)
    bench.modem.deliver(sms: "hello", from: "+31600000000", at: bench.now)
    #expect(bench.modem.ringIsLow)
    bench.wait(.milliseconds(200))
    #expect(!bench.modem.ringIsLow)
    #expect(bench.take() == lines("+CMTI: \"SM\",1"))
    bench.modem.set(.dataTerminalReady, low: true, at: bench.now)
    bench.wait(.milliseconds(50))
    #expect(bench.exchange("AT").isEmpty, "the first characters after waking up are lost")
    #expect(bench.exchange("AT") == lines("OK"))
  }

  @Test func powerSavingMode() {
    var bench = Bench.running { configuration in
      configuration.network.access = [.nbIoT]
      configuration.network.areaCode = 0x5B57
      configuration.network.cell = 0x195_071B
    }
    #expect(bench.exchange("AT+CPSMSTATUS=1") == lines("OK"))
    #expect(bench.exchange("AT+CEREG=4") == lines("OK"))
    #expect(bench.exchange("AT+CPSMS=1,,,\"01011111\",\"00000001\"") == lines("OK"))
    bench.wait(.seconds(5))
    #expect(
      bench.take()
        == lines(
          "+CEREG: 1,\"5B57\",\"195071B\",9,,,\"00000001\",\"01011111\"", "+CPSMSTATUS: \"ENTER PSM\""))
    #expect(!bench.modem.statusIsHigh)
    #expect(bench.exchange("AT").isEmpty)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.milliseconds(4_800))
    #expect(bench.take() == lines("RDY", "+CFUN: 1", "+CPSMSTATUS: \"EXIT PSM\""))
  }

  @Test func functionLevelErrorsAndSwitchingOff() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMEE=2")
    #expect(bench.exchange("AT+CFUN=0") == lines("+CPIN: NOT READY", "OK"))
    #expect(bench.exchange("AT+CPIN?") == lines("+CME ERROR: SIM failure"))
    #expect(bench.exchange("AT+NOPE") == lines("ERROR"))
    #expect(bench.exchange("AT+CPOWD=1") == lines("NORMAL POWER DOWN"))
    #expect(bench.modem.statusIsHigh)
    bench.wait(.seconds(2))
    #expect(!bench.modem.statusIsHigh)
  }

  @Test func anySplitOfWhatTheHostTypesGivesTheSameWire() {
    let dialogue = "ATE0\rAT+CMEE=2;+CREG?\rAT+CMGF=1\rAT+CMGS=\"+3160\"\rhi\u{1A}\rat+csq\r\nA/AT+CFUN=0\rAT+CPIN?\r"
    let bytes = Array(dialogue.utf8)
    func wire(_ pieces: [ArraySlice<UInt8>]) -> String {
      var bench = Bench.running { $0.messages.sendTimeout = .seconds(3) }
      _ = bench.exchange("ATE1")
      for piece in pieces { bench.modem.receive(Array(piece), at: bench.now) }
      bench.wait(.seconds(5))
      return bench.take()
    }
    let whole = wire([bytes[...]])
    #expect(whole.hasSuffix(lines("+CME ERROR: SIM failure")))
    for place in bytes.indices.dropFirst() {
      #expect(wire([bytes[..<place], bytes[place...]]) == whole, "cut at \(place)")
    }
    #expect(wire(bytes.map { [$0] }) == whole)
  }
}

import ModemSimulation
import Quantities
import Testing

@Suite struct RegistrationTests {
  @Test func thePlaceIsToldWhenAskedFor() {
    var bench = Bench.running()
    #expect(bench.exchange("AT+CREG=2;+CREG?") == lines("+CREG: 2,1,\"2AFE\",\"20F6A17\",7", "OK"))
    #expect(bench.exchange("AT+CEREG=0;+CEREG?") == lines("+CEREG: 0,1", "OK"))
    #expect(bench.exchange("AT+CGREG=?") == lines("+CGREG: (0-2,4)", "OK"))
    #expect(bench.exchange("AT+CREG=4") == lines("ERROR"))
  }

  @Test func onGSMTheLTEDomainIsNotRegistered() {
    var bench = Bench.running { $0.network.access = [.gsm] }
    #expect(bench.exchange("AT+CEREG?;+CGREG?;+CREG?") == lines("+CEREG: 0,0", "+CGREG: 0,1", "+CREG: 0,1", "OK"))
    #expect(bench.exchange("AT+CPSI?").hasPrefix("\r\n+CPSI: GSM,Online,240-07,0x2afe,"))
    #expect(bench.exchange("AT+COPS?") == lines("+COPS: 0,0,\"Leash Mobile\",3", "OK"))
    #expect(bench.exchange("AT+CNSMOD?") == lines("+CNSMOD: 0,3", "OK"))
  }

  @Test func aNetworkThatRefusesIsToldAsDenied() {
    var configuration = SimulatedModemConfiguration()
    configuration.network.deniesRegistration = true
    var bench = Bench(configuration)
    bench.powerUp()
    #expect(bench.exchange("ATE0+CEREG?").hasSuffix(lines("+CEREG: 0,3", "OK")))
    #expect(bench.exchange("AT+CGATT?") == lines("+CGATT: 0", "OK"))
    #expect(bench.exchange("AT+CSQ") == lines("+CSQ: 99,99", "OK"))
  }

  @Test(arguments: [(-120, 0), (-111, 1), (-110, 2), (-66, 24), (-54, 30), (-40, 31)])
  func signalStrengthFollowsTheManualsTable(level: Int, number: Int) {
    var bench = Bench.running { $0.network.signalDBm = level }
    #expect(bench.exchange("AT+CSQ") == lines("+CSQ: \(number),99", "OK"))
  }

  @Test func flightModeKeepsTheSIMAndFullFunctionRegistersAgain() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CEREG=1;+CMEE=2")
    #expect(bench.exchange("AT+CFUN=4") == lines("+CEREG: 0", "OK"))
    #expect(bench.exchange("AT+CPIN?") == lines("+CPIN: READY", "OK"))
    #expect(bench.exchange("AT+CPSI?") == lines("+CPSI: NO SERVICE,Low Power Mode", "OK"))
    #expect(bench.exchange("AT+COPS=?") == lines("+CME ERROR: CFUN state is 0 or 4"))
    #expect(bench.exchange("AT+CFUN=1") == lines("+CEREG: 2", "OK"))
    bench.wait(.seconds(13))
    #expect(bench.take() == lines("+CEREG: 1"))
  }

  @Test func minimumFunctionBringsTheSIMBackWithItsLines() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CFUN=0", for: .seconds(10))
    #expect(bench.exchange("AT+CFUN=1") == lines("OK"))
    bench.wait(.seconds(5))
    #expect(bench.take() == lines("+CPIN: READY", "SMS Ready"))
  }

  @Test func choosingGSMLeavesLTE() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CNSMOD=1;+CNMP=13", for: .seconds(10))
    #expect(bench.exchange("AT+CNSMOD?") == lines("+CNSMOD: 1,3", "OK"))
  }

  @Test func aWrongAccessPointNameKeepsLTEOutUntilItIsSetRight() {
    var bench = Bench.running {
      $0.network.access = [.catM]
      $0.network.accessPointNames = ["iot.example"]
    }
    _ = bench.exchange("AT+CGDCONT=13,\"IP\",\"other\"", for: .seconds(60))
    #expect(bench.exchange("AT+CEREG?") == lines("+CEREG: 0,2", "OK"))
    _ = bench.exchange("AT+CGDCONT=13;+CGDCONT=1,\"IP\",\"iot.example\"", for: .seconds(10))
    #expect(bench.exchange("AT+CEREG?") == lines("+CEREG: 0,1", "OK"))
  }

  @Test func deregisteringByOperator() {
    var bench = Bench.running()
    _ = bench.exchange("AT+COPS=2")
    #expect(bench.exchange("AT+COPS?;+CEREG?") == lines("+COPS: 2", "+CEREG: 0,0", "OK"))
    _ = bench.exchange("AT+COPS=0", for: .seconds(10))
    #expect(bench.exchange("AT+COPS=3,2;+COPS?") == lines("+COPS: 0,2,\"24007\",7", "OK"))
  }

  @Test func theSIMWantsItsPIN() {
    var configuration = SimulatedModemConfiguration()
    configuration.pin = "1234"
    var bench = Bench(configuration)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(15))
    #expect(bench.take() == lines("RDY", "+CFUN: 1", "+CPIN: SIM PIN"))
    _ = bench.exchange("ATE0+CMEE=1")
    #expect(bench.exchange("AT+CIMI") == lines("+CME ERROR: 11"))
    #expect(bench.exchange("AT+CPIN=\"9999\"") == lines("+CME ERROR: 16"))
    #expect(bench.exchange("AT+CPIN=1234") == lines("OK", "+CPIN: READY"))
    bench.wait(.seconds(15))
    #expect(bench.take() == lines("SMS Ready"))
    #expect(bench.exchange("AT+CREG?") == lines("+CREG: 0,1", "OK"))
  }

  @Test func threeWrongPINsBlockTheSIMUntilThePUK() {
    var bench = Bench.running { $0.pin = "1234" }
    for _ in 0..<3 { _ = bench.exchange("AT+CPIN=\"0000\"") }
    #expect(bench.exchange("AT+CPIN?") == lines("+CPIN: SIM PUK", "OK"))
    _ = bench.exchange("AT+CPIN=\"12345678\",\"4321\"")
    #expect(bench.exchange("AT+CPIN?") == lines("+CPIN: READY", "OK"))
  }

  @Test func anEmptyHolderIsTold() {
    var configuration = SimulatedModemConfiguration()
    configuration.hasSIM = false
    var bench = Bench(configuration)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(15))
    #expect(bench.take() == lines("RDY", "+CFUN: 1", "+CPIN: NOT INSERTED"))
  }

  @Test func theClockIsWrongUntilTheNetworkTellsTheTime() {
    var bench = Bench()
    bench.powerUp()
    #expect(bench.exchange("ATE0+CCLK?").contains("+CCLK: \"80/01/06,"))
    _ = bench.exchange("AT+CLTS=1;+CFUN=4", for: .seconds(1))
    _ = bench.exchange("AT+CFUN=1", for: .seconds(20))
    #expect(bench.exchange("AT+CCLK?").contains("+CCLK: \"26/06/01,10:00:"))
  }
}

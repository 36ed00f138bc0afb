import ModemSimulation
import Quantities
import Testing

@Suite struct PowerTests {
  @Test func theKeyMustBeHeldForASecond() {
    var bench = Bench()
    bench.press(.powerKey, for: .milliseconds(900))
    bench.wait(.seconds(20))
    #expect(!bench.modem.statusIsHigh)
    #expect(bench.take().isEmpty)
    bench.press(.powerKey, for: .seconds(1))
    bench.wait(.milliseconds(4_400))
    #expect(!bench.modem.statusIsHigh)
    bench.wait(.milliseconds(200))
    #expect(bench.modem.statusIsHigh)
  }

  @Test func theSamePulseSwitchesARunningModuleOff() {
    var bench = Bench()
    bench.powerUp()
    bench.press(.powerKey, for: .milliseconds(1_300))
    #expect(bench.take() == lines("NORMAL POWER DOWN"))
    bench.wait(.seconds(2))
    #expect(!bench.modem.statusIsHigh)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(10))
    #expect(!bench.modem.statusIsHigh, "the key does nothing for two seconds after switching off")
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(10))
    #expect(bench.modem.statusIsHigh)
  }

  @Test func aKeyThatIsHeldRebootsOverAndOver() {
    var bench = Bench()
    bench.press(.powerKey, for: .seconds(50))
    let text = bench.take()
    #expect(text.components(of: "\r\nRDY\r\n") >= 3)
  }

  @Test func theResetPinNeedsAQuarterOfASecondAndDoesNothingWhenOff() {
    var bench = Bench()
    bench.press(.reset, for: .seconds(1))
    bench.wait(.seconds(15))
    #expect(bench.take().isEmpty)
    bench.powerUp()
    bench.press(.reset, for: .milliseconds(200))
    #expect(bench.modem.statusIsHigh)
    bench.press(.reset, for: .milliseconds(260))
    #expect(!bench.modem.statusIsHigh)
    bench.wait(.seconds(15))
    #expect(bench.take().hasPrefix(lines("RDY", "+CFUN: 1")))
  }

  @Test func autoBaudSaysNothingUntilItHasHeardAT() {
    var configuration = SimulatedModemConfiguration()
    configuration.link.rate = 0
    configuration.link.hostRate = 9_600
    var bench = Bench(configuration)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(10))
    #expect(bench.take().isEmpty)
    #expect(bench.exchange("AT") == lines("+CPIN: READY", "SMS Ready"))
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
    #expect(bench.exchange("AT+IPR?") == "AT+IPR?\r" + lines("+IPR: 0", "OK"))
  }

  @Test func autoBaudDoesNotKnowEverySpeed() {
    var configuration = SimulatedModemConfiguration()
    configuration.link.rate = 0
    configuration.link.hostRate = 230_400
    var bench = Bench(configuration)
    bench.powerUp()
    for _ in 0..<5 { #expect(bench.exchange("AT").isEmpty) }
  }

  @Test func aFixedRateHoldsBehindTheResultAndIsKept() {
    var bench = Bench()
    bench.powerUp()
    #expect(bench.exchange("AT+IPR=9600") == "AT+IPR=9600\r" + lines("OK"))
    #expect(bench.exchange("AT").isEmpty)
    bench.modem.setHostRate(9_600, at: bench.now)
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
    #expect(bench.exchange("AT+CFUN=1,1") == "AT+CFUN=1,1\r" + lines("OK"))
    bench.wait(.seconds(8))
    #expect(bench.take().hasPrefix(lines("RDY", "+CFUN: 1")))
  }

  @Test func atTheWrongSpeedTheHostReadsGarbage() {
    var bench = Bench()
    bench.modem.setHostRate(19_200, at: bench.now)
    bench.press(.powerKey, for: .milliseconds(1_100))
    bench.wait(.seconds(10))
    #expect(bench.wire.count > 20)
    #expect(bench.wire.allSatisfy { $0 >= 0x80 })
    bench.wire = []
    #expect(bench.exchange("AT").isEmpty)
  }

  @Test func aResetBringsEchoAndDefaultsBackButNotStoredSettings() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMEE=2;+CMGF=1;+CNMP=38;+CGDCONT=1,\"IP\",\"iot\"")
    _ = bench.exchange("AT+CFUN=1,1", for: .seconds(10))
    #expect(bench.exchange("AT+CMEE?") == "AT+CMEE?\r" + lines("+CMEE: 0", "OK"))
    _ = bench.exchange("ATE0")
    #expect(bench.exchange("AT+CMGF?") == lines("+CMGF: 0", "OK"))
    #expect(bench.exchange("AT+CNMP?") == lines("+CNMP: 38", "OK"))
    #expect(bench.exchange("AT+CGDCONT?").contains("1,\"IP\",\"iot\""))
  }

  @Test func aBrownOutSaysNothingAndRestartsWhenThePowerIsBack() {
    var bench = Bench()
    bench.powerUp()
    bench.modem.setSupply(millivolts: 2_950, at: bench.now)
    #expect(!bench.modem.statusIsHigh)
    bench.wait(.seconds(1))
    #expect(bench.take().isEmpty)
    bench.modem.setSupply(millivolts: 3_800, at: bench.now)
    bench.wait(.seconds(10))
    #expect(bench.take().hasPrefix(lines("RDY", "+CFUN: 1")))
  }

  @Test func withoutBatteryTheClockIsLostAndTheKeyIsNeeded() {
    var bench = Bench()
    bench.powerUp()
    _ = bench.exchange("ATE0;+CCLK=\"26/06/01,12:00:00+08\"")
    #expect(bench.exchange("AT+CCLK?").hasPrefix("\r\n+CCLK: \"26/06/01,12:00:00+08"))
    bench.modem.setSupply(millivolts: 0, at: bench.now)
    bench.modem.setSupply(millivolts: 3_800, at: bench.now + .milliseconds(1))
    bench.wait(.seconds(10))
    #expect(!bench.modem.statusIsHigh)
    bench.powerUp()
    #expect(bench.exchange("AT+CCLK?").contains("+CCLK: \"80/01/06,"))
  }

  @Test func theBatteryIsWatchedOnlyWhenAsked() {
    var bench = Bench.running()
    bench.modem.setSupply(millivolts: 3_050, at: bench.now)
    bench.wait(.milliseconds(100))
    #expect(bench.take().isEmpty)
    bench.modem.setSupply(millivolts: 3_800, at: bench.now)
    _ = bench.exchange("AT+CBATCHK=1")
    for (millivolts, text) in [(3_050, "UNDER-VOLTAGE WARNNING"), (4_350, "OVER-VOLTAGE WARNNING")] {
      bench.modem.setSupply(millivolts: millivolts, at: bench.now)
      bench.wait(.milliseconds(100))
      #expect(bench.take() == lines(text))
    }
    bench.modem.setSupply(millivolts: 2_890, at: bench.now)
    bench.wait(.seconds(3))
    #expect(bench.take() == lines("UNDER-VOLTAGE POWER DOWN"))
    #expect(!bench.modem.statusIsHigh)
  }
}

extension String {
  /// How often a text stands in this one.
  func components(of text: String) -> Int {
    let all = Array(utf8)
    let part = Array(text.utf8)
    guard all.count >= part.count else { return 0 }
    return (0...(all.count - part.count)).filter { all[$0..<$0 + part.count].elementsEqual(part) }.count
  }
}

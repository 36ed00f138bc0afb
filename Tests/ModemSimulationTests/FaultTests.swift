@testable import ModemSimulation
import Quantities
import Testing

@Suite struct FaultTests {
  @Test func everyFaultHasANumberAndAWord() throws {
    #expect(ModemFault.all.map(\.number) == Array(1...24))
    for fault in ModemFault.all {
      #expect(ModemFault(name: "F\(fault.number)") == fault)
      #expect(ModemFault(name: fault.name) == fault)
    }
    #expect(Set(ModemFault.all.map(\.name)).count == 24)
    #expect(ModemFault(name: "F25") == nil)
  }

  @Test(arguments: ModemFault.all) func aPatientHostGetsEveryModemBack(fault: ModemFault) {
    var bench = Bench.running()
    bench.modem.apply(fault, at: bench.now)
    _ = bench.exchange("AT+CGMI", for: .seconds(5))
    // What a host without ideas does: switch off and on until it answers, at each of the usual speeds.
    for rate in [115_200, 9_600] {
      bench.modem.setHostRate(rate, at: bench.now)
      for _ in 0..<3 {
        bench.press(.powerKey, for: .milliseconds(1_300))
        for _ in 0..<20 { _ = bench.exchange("ATE0", for: .seconds(1)) }
        if bench.modem.statusIsHigh { break }
      }
      for _ in 0..<130 { _ = bench.exchange("ATE0", for: .seconds(1)) }
      if bench.exchange("AT") == lines("OK") { break }
    }
    // For the stale access point, the names have to be set right.
    _ = bench.exchange("AT+CGDCONT=13;+CGDCONT=1,\"IP\",\"iot.example\";+CSCLK=0", for: .seconds(60))
    #expect(bench.exchange("AT+CEREG?;+CPIN?") == lines("+CEREG: 0,1", "+CPIN: READY", "OK"), "\(fault.name)")
  }

  @Test(arguments: 1...20) func aResetAtAnyByteCutsTheAnswerThere(count: Int) {
    var bench = Bench.running()
    bench.modem.apply(.spontaneousReset(afterBytes: count), at: bench.now)
    _ = bench.exchange("AT+CGMI;+CGMM", for: .zero)
    bench.wait(.seconds(2))
    #expect(bench.wire.count == count)
    #expect(!bench.modem.statusIsHigh)
    bench.wire = []
    bench.wait(.seconds(10))
    #expect(bench.take().hasPrefix(lines("RDY", "+CFUN: 1")))
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
  }

  @Test func theSilentResetShowsOnlyInTheEcho() {
    var bench = Bench.running()
    bench.modem.apply(.silentReset, at: bench.now)
    bench.wait(.seconds(12))
    #expect(bench.take().isEmpty)
    _ = bench.exchange("AT")
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
  }

  @Test func aLostResultIsLostOnce() {
    var bench = Bench.running()
    bench.modem.apply(.lostResult(count: 1), at: bench.now)
    #expect(bench.exchange("AT+CGMI") == lines("SIMCOM_Ltd"))
    #expect(bench.exchange("AT+CGMI") == lines("SIMCOM_Ltd", "OK"))
  }

  @Test func aLateAnswerFallsIntoAnotherCommand() {
    var bench = Bench.running()
    bench.modem.apply(.lateAnswer(by: .seconds(3)), at: bench.now)
    #expect(bench.exchange("AT+CGMI").isEmpty)
    #expect(bench.exchange("AT+CGMM") == lines("SIMCOM_SIM7000E", "OK"))
    bench.wait(.seconds(4))
    #expect(bench.take() == lines("SIMCOM_Ltd", "OK"))
  }

  @Test func aFrozenModemHearsNothingUntilTheKey() {
    var bench = Bench.running()
    bench.modem.apply(.freeze, at: bench.now)
    for _ in 0..<5 { #expect(bench.exchange("AT", for: .seconds(60)).isEmpty) }
    #expect(bench.modem.statusIsHigh)
    bench.press(.powerKey, for: .milliseconds(1_300))
    bench.wait(.seconds(4))
    #expect(!bench.modem.statusIsHigh)
    #expect(bench.take().isEmpty)
    bench.powerUp()
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
  }

  @Test func aFrozenModemIsFreedByTheResetPin() {
    var bench = Bench.running()
    bench.modem.apply(.freeze, at: bench.now)
    bench.press(.reset, for: .milliseconds(300))
    bench.wait(.seconds(15))
    _ = bench.take()
    #expect(bench.exchange("AT") == "AT\r" + lines("OK"))
  }

  @Test func garbageIsNoText() {
    var bench = Bench.running()
    bench.modem.apply(.garbage(count: 40), at: bench.now)
    bench.wait(.milliseconds(100))
    #expect(bench.wire.count == 40)
    #expect(bench.wire.allSatisfy { $0 >= 0x80 })
  }

  @Test func aTornLineHasAWrongByteAndNoEnd() {
    var bench = Bench.running()
    bench.modem.apply(.tornLines(count: 1), at: bench.now)
    let text = bench.exchange("AT+CGMI")
    #expect(text != lines("SIMCOM_Ltd", "OK"))
    #expect(text.hasSuffix(lines("OK")))
    #expect(bench.exchange("AT+CGMI") == lines("SIMCOM_Ltd", "OK"))
  }

  @Test func aSIMThatLosesContactComesBack() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CMEE=2;+CEREG=1")
    bench.modem.apply(.simOut(lasting: .seconds(30)), at: bench.now)
    bench.wait(.seconds(1))
    #expect(bench.take() == lines("+CPIN: NOT INSERTED", "+CEREG: 0"))
    #expect(bench.exchange("AT+CPIN?") == lines("+CME ERROR: SIM not inserted"))
    bench.wait(.seconds(50))
    #expect(bench.take() == lines("+CPIN: READY", "+CEREG: 2", "SMS Ready", "+CEREG: 1"))
  }

  @Test func registrationFlaps() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CEREG=1")
    bench.modem.apply(.registrationFlaps(lasting: .seconds(60), isDenied: true), at: bench.now)
    bench.wait(.seconds(60))
    let text = bench.take()
    #expect(text.components(of: "+CEREG: 2") > 1)
    #expect(text.components(of: "+CEREG: 3") > 1)
    bench.wait(.seconds(60))
    #expect(bench.exchange("AT+CEREG?") == lines("+CEREG: 1,1", "OK"))
  }

  @Test func circuitStatusLiesOnLTEOnly() {
    var bench = Bench.running()
    bench.modem.apply(.circuitStatusLies(lasting: .seconds(100)), at: bench.now)
    #expect(bench.exchange("AT+CREG?;+CEREG?") == lines("+CREG: 0,0", "+CEREG: 0,1", "OK"))
    bench.wait(.seconds(101))
    #expect(bench.exchange("AT+CREG?") == lines("+CREG: 0,1", "OK"))
  }

  @Test func theSupplyGivesWayWhileSending() {
    var bench = Bench.running()
    bench.modem.apply(.brownOutOnTransmit(count: 1), at: bench.now)
    _ = bench.exchange("AT+CMGF=1")
    _ = bench.exchange("AT+CMGS=\"+3160\"")
    bench.type("hi\u{1A}")
    bench.wait(.seconds(15))
    #expect(bench.take().hasPrefix(lines("RDY", "+CFUN: 1")))
  }

  @Test func messageCommandsFailBeforeTheModuleIsReadyForThem() {
    var bench = Bench.running()
    bench.modem.apply(.lateMessages(by: .seconds(40)), at: bench.now)
    bench.wait(.seconds(20))
    _ = bench.exchange("ATE0+CMEE=2;+CMGF=1")
    #expect(bench.exchange("AT+CMGS=\"+3160\"") == lines("+CMS ERROR: SIM busy"))
    bench.wait(.seconds(40))
    #expect(bench.take() == lines("SMS Ready"))
  }

  @Test func stuckOutputIsFreedByEchoOn() {
    var bench = Bench.running()
    bench.modem.apply(.stuckOutput, at: bench.now)
    #expect(bench.exchange("AT").isEmpty)
    #expect(bench.exchange("ATE1") == lines("OK"))
  }

  @Test(arguments: 0..<100) func afterAnyMixOfFaultsTakingTheBatteryOutHelps(seed: Int) {
    var random = ModemRandom(seed: UInt64(seed))
    var bench = Bench.running()
    let typed = [
      "AT", "AT+CMGF=1", "AT+CMGS=\"+31\"", "x\u{1A}", "AT+CFUN=0", "AT+CFUN=1", "AT+COPS=?", "AT+CGNSPWR=1", "ATE0",
    ]
    for _ in 0..<12 {
      let fault = ModemFault.all[random.integer(below: 24)]
      bench.modem.apply(fault, at: bench.now)
      _ = bench.exchange(typed[random.integer(below: typed.count)], for: .milliseconds(random.integer(below: 20_000)))
      if random.integer(below: 4) == 0 { bench.press(.powerKey, for: .milliseconds(1_300)) }
      if random.integer(below: 4) == 0 { bench.press(.reset, for: .milliseconds(300)) }
    }
    bench.wait(.seconds(150))
    bench.modem.setSupply(millivolts: 0, at: bench.now)
    bench.wait(.seconds(3))
    bench.modem.setSupply(millivolts: 3_800, at: bench.now)
    for _ in 0..<4 where !bench.modem.statusIsHigh {
      bench.press(.powerKey, for: .milliseconds(1_100))
      bench.wait(.seconds(6))
    }
    for rate in [115_200, 9_600] {
      bench.modem.setHostRate(rate, at: bench.now)
      for _ in 0..<3 { _ = bench.exchange("ATE0") }
      if bench.exchange("AT") == lines("OK") { break }
    }
    _ = bench.exchange("AT+CFUN=1;+CSCLK=0;+CGDCONT=13;+CGDCONT=1,\"IP\",\"iot.example\"", for: .seconds(100))
    // The supply may still give way a few times, each time the modem registers.
    for _ in 0..<10 where bench.exchange("AT+CEREG?") != lines("+CEREG: 0,1", "OK") {
      bench.wait(.seconds(20))
      _ = bench.exchange("ATE0")
    }
    #expect(bench.exchange("AT+CEREG?;+CPIN?") == lines("+CEREG: 0,1", "+CPIN: READY", "OK"))
    #expect(bench.modem.overflowCount == 0)
  }

  @Test func theSameSeedGivesTheSameWire() {
    func wire(_ seed: UInt64) -> [UInt8] {
      var configuration = SimulatedModemConfiguration()
      configuration.startsPoweredOff = false
      var bench = Bench(configuration, seed: seed)
      for fault in [ModemFault.garbage(count: 50), .tornLines(count: 5)] { bench.modem.apply(fault, at: bench.now) }
      bench.type("AT+CGMI;+CGMM;+CGMR\r")
      bench.wait(.seconds(1))
      return bench.wire
    }
    #expect(wire(5) == wire(5))
    #expect(wire(5) != wire(6))
  }
}

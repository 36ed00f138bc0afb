import Quantities
import Testing

@testable import SIM7000

/// Power, rates and starts: how the modem is found, and what is done with one that can't be.
@Suite struct LinkTests {
  /// What each board can do with a modem that does nothing: phases, lines and rungs for half an hour.
  @Test func aDeadModemIsTriedWithEveryLineTheBoardHas() throws {
    var text = ""
    for wires in 0..<16 {
      for isOn in [true, false] {
        let modem = ScriptedModem(
          ScriptedModem.configuration {
            $0.wiring.hasStatus = wires & 1 != 0
            $0.wiring.hasPowerKey = wires & 2 != 0
            $0.wiring.hasReset = wires & 4 != 0
            $0.wiring.hasSupplySwitch = wires & 8 != 0
          }, isOn: isOn)
        modem.isAlive = false
        modem.hasWorkingKeys = false
        modem.submit(by: .http)
        modem.run(until: .seconds(1810))
        #expect(modem.outcomes.count == 1 && modem.delivered == 0)
        text += "== STATUS \(wires & 1), key \(wires >> 1 & 1), RESET \(wires >> 2 & 1), supply \(wires >> 3), "
        text += "\(isOn ? "on" : "off")\n" + modem.log.map { $0 + "\n" }.joined()
        text += "\(modem.byteCount) bytes\n"
      }
    }
    try Golden.compare(text, with: "modem-dead.txt")
  }

  private func wedged(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ScriptedModem {
    let modem = ScriptedModem(
      ScriptedModem.configuration {
        $0.deliveryTimeout = .seconds(100_000)
        change(&$0)
      }, isOn: true)
    modem.isAlive = false
    modem.hasWorkingKeys = false
    modem.submit(by: .http)
    return modem
  }

  /// Its STATUS is high for ever, and neither its key nor RESET does anything.
  @Test func aWedgedModemIsTriedLessAndLessOften() {
    let modem = wedged()
    modem.run(for: .seconds(36_000))
    let presses = modem.times(of: .setPowerKey(isLow: true))
    #expect(presses.count { $0 < .seconds(3600) } <= 8)
    #expect(presses.count { $0 > .seconds(7200) } <= 9)
    #expect(presses.count { $0 > .seconds(7200) } >= 6)
    // The moment it comes back it is there; and a packet does not wait for the next try.
    modem.run(for: .seconds(36_000)) { $0.handle.modem.phase != .starting }
    modem.run(for: .seconds(100))
    modem.handle.modem.cancel(at: modem.now)
    modem.isAlive = true
    modem.submit(by: .http)
    let begun = modem.now
    #expect(modem.deliver(within: .seconds(30)) && modem.now - begun >= .seconds(8))
  }

  @Test func aWedgedModemLosesItsSupplyWhereThatCanBeCut() throws {
    let modem = wedged { $0.wiring.hasSupplySwitch = true }
    #expect(modem.run(for: .seconds(300)) { $0.times(of: .setSupply(isOn: false)).isEmpty })
    #expect(modem.times(of: .setReset(isLow: true)).count >= 1)
    modem.hasWorkingKeys = true
    #expect(modem.deliver(within: .seconds(200)))
    let off = try #require(modem.times(of: .setSupply(isOn: false)).first)
    #expect(modem.times(of: .setSupply(isOn: true)).first == off + .seconds(5))
  }

  @Test func theRateIsLookedForAmongThoseAModemMayBeLeftAt() {
    for (configured, order) in [
      (115_200, [9600, 57_600, 38_400, 19_200, 115_200, 9600, 57_600, 38_400, 19_200]),
      (9600, [115_200, 57_600, 38_400, 19_200, 9600, 115_200, 57_600, 38_400, 19_200]),
      (19_200, [115_200, 9600, 57_600, 38_400, 19_200, 115_200, 9600, 57_600, 38_400]),
      (4800, [115_200, 9600, 57_600, 38_400, 19_200, 4800, 115_200, 9600, 57_600]),
    ] as [(Int32, [Int32])] {
      let modem = ScriptedModem(ScriptedModem.configuration { $0.rate = configured }, isOn: true)
      modem.isAlive = false
      #expect(modem.handle.modem.wasNeverHeard == true)
      modem.run(for: .seconds(60)) { $0.recoveries.isEmpty }
      let rates = modem.actions.compactMap { entry -> Int32? in
        if case .setRate(let rate) = entry.action { rate } else { nil }
      }
      #expect(Array(rates.prefix(order.count)) == order, "\(configured)")
      #expect(modem.recoveries.map(\.trouble) == [.silent] && modem.recoveries.map(\.rung) == [.reset])
      #expect(modem.handle.modem.wasNeverHeard == true)
    }
  }

  @Test(arguments: [115_200, 9600, 57_600, 38_400, 19_200])
  func aModemAtAnyOfTheRatesIsFoundAndSetToTheRightOne(rate: Int) {
    let modem = ScriptedModem(isOn: true)
    modem.rate = "\(rate)"
    modem.lineRate = rate
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)) && modem.delivered == 1)
    #expect(modem.lineRate == 115_200 && modem.count("+IPR=115200") == (rate == 115_200 ? 0 : 1))
    #expect(!modem.handle.modem.wasNeverHeard && modem.recoveries.isEmpty)
  }

  @Test func aModemThatIsSwitchedOffIsSwitchedOnOnlyWhenItIsNeeded() {
    for (idle, isNeeded) in [(IdlePolicy.awake, true), (.sleep, true), (.powerSaving, true), (.off, false)] {
      let modem = ScriptedModem(ScriptedModem.configuration { $0.idle = idle })
      modem.run(for: .seconds(3600))
      #expect(modem.times(of: .setPowerKey(isLow: true)).isEmpty == !isNeeded, "\(idle)")
      guard !isNeeded else { continue }
      let charge = modem.handle.modem.energy.microcoulombs
      #expect(modem.handle.modem.phase == .off && charge == 7 * 3600, "\(charge)")
      modem.handle.modem.setGNSS(isOn: true, at: modem.now)
      modem.run(for: .seconds(20))
      #expect(modem.satellitesAreOn)
      modem.handle.modem.setGNSS(isOn: false, at: modem.now)
      modem.run(for: .seconds(60))
      #expect(!modem.isOn && modem.handle.modem.phase == .off)
    }
  }

  // MARK: Starts

  @Test func linesOfOneStartAreOneStart() {
    let modem = ScriptedModem(isOn: true)
    modem.run(for: .seconds(10))
    modem.errorForm = "0"
    for line in ["RDY", "+CFUN: 1"] {
      modem.say([line])
      modem.run(for: .milliseconds(1990))
    }
    #expect(modem.times(of: .started).count == 1 && modem.handle.modem.diagnostics.starts == 1)
    modem.run(for: .milliseconds(20))
    modem.errorForm = "0"
    modem.say(["RDY"])
    modem.run(for: .milliseconds(200))
    #expect(modem.times(of: .started).count == 2 && modem.handle.modem.diagnostics.starts == 2)
  }

  @Test(arguments: [(59, true), (62, false)])
  func threeStartsWithinTwoMinutesAreAWeakSupply(gap: Int, isWeak: Bool) {
    let modem = ScriptedModem(isOn: true)
    modem.run(for: .seconds(100))
    for _ in 0..<3 {
      modem.restartByItself()
      modem.run(for: .seconds(gap))
    }
    modem.run(for: .seconds(10))
    #expect(modem.recoveries.map(\.trouble) == (isWeak ? [.supply] : []))
    #expect(modem.recoveries.map(\.rung) == (isWeak ? [.power] : []))
    #expect((modem.count("+CPOWD") > 0) == isWeak)
  }

  @Test func startsThatWereAskedForAreNoWeakSupply() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.idle = .off })
    for _ in 0..<6 {
      modem.submit(by: .http)
      modem.deliver(within: .seconds(60))
      modem.handle.modem.advance(to: modem.now)
      modem.run(for: .seconds(21)) { $0.handle.modem.phase == .running }
    }
    #expect(modem.recoveries.isEmpty)
  }

  @Test func aWeakSupplyIsCountedAnewAfterItWasTold() {
    let modem = ScriptedModem(isOn: true)
    modem.run(for: .seconds(100))
    for _ in 0..<2 {
      for _ in 0..<3 {
        modem.restartByItself()
        modem.run(for: .seconds(20))
      }
      modem.run(for: .seconds(400))
    }
    #expect(modem.recoveries.map(\.trouble) == [.supply, .supply])
    // The first time at once, the second after a minute.
    let off = modem.times(of: .setPowerKey(isLow: true))
    #expect(off.count == 2)
  }

  @Test func aSignOfAStartMakesEverythingUnknown() {
    for sign in ["RDY", "+CFUN: 1"] {
      let modem = ScriptedModem(isOn: true)
      modem.submit(by: .mqtt)
      modem.deliver(within: .seconds(30))
      modem.run(for: .seconds(10))
      let begun = modem.now
      modem.brokerIsUp = false
      modem.bearerIsUp = false
      modem.errorForm = "0"
      modem.say([sign])
      modem.submit(by: .mqtt)
      #expect(modem.deliver(within: .seconds(30)))
      for command in ["E1", "+CMEE=1", "+CREG=1", "+CGREG=1", "+CEREG=1", "+CPIN?", "+CNACT=1", "+SMCONN"] {
        #expect(modem.count(command, since: begun) == 1, "\(sign): \(command)")
      }
    }
  }

  /// Notices that come once in each start of the modem: the second is a start that nobody announced.
  @Test(arguments: ["+CPIN: READY", "SMS Ready"])
  func aNoticeThatComesASecondTimeIsAStart(notice: String) {
    let modem = ScriptedModem()
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    modem.run(for: .seconds(30))
    #expect(modem.handle.modem.diagnostics.starts == 1)
    let begun = modem.now
    modem.errorForm = "0"
    modem.say([notice])
    modem.submit(by: .http)
    modem.deliver(within: .seconds(60))
    #expect(modem.handle.modem.diagnostics.starts == 2 && modem.count("+CMEE=1", since: begun) == 1)
  }

  /// Anybody can write what a modem says when it starts. It is asked, and nothing else comes of it.
  @Test(arguments: ["RDY", "+CFUN: 1", "SMS Ready", "NORMAL POWER DOWN", "UNDER-VOLTAGE POWER DOWN", "+CPIN: READY"])
  func aLineThatOnlyLooksLikeAStartIsNone(line: String) {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: .mqtt)
    modem.deliver(within: .seconds(30))
    modem.run(for: .seconds(10))
    let starts = modem.handle.modem.diagnostics.starts
    let begun = modem.now
    for _ in 0..<5 {
      modem.say([line])
      modem.run(for: .seconds(10))
    }
    #expect(modem.handle.modem.diagnostics.starts == starts && modem.recoveries.isEmpty)
    #expect(modem.handle.modem.phase == .running && modem.count("+SMCONN", since: begun) == 0)
    modem.submit("{\"a\":2}", by: .mqtt)
    #expect(modem.deliver(within: .seconds(3)))
  }

  /// A modem whose `CMEE?` tells nothing is set up anew, and nothing is counted.
  @Test func whereNothingTellsAStartEverythingIsAskedAgain() {
    let modem = ScriptedModem(isOn: true)
    modem.script = { _, command, _ in command == "+CMEE?" ? .say(["ERROR"]) : nil }
    modem.submit(by: .mqtt)
    modem.deliver(within: .seconds(30))
    let begun = modem.now
    modem.say(["RDY"])
    modem.submit("{\"a\":2}", by: .mqtt)
    #expect(modem.deliver(within: .seconds(10)) && modem.count("+CREG=1", since: begun) == 1)
    #expect(modem.handle.modem.diagnostics.starts == 0 && modem.recoveries.isEmpty)
  }

  /// A byte lost of `ATE1` switches the echo off: it is set again without a remedy, whether a start is suspected or not.
  @Test(arguments: [true, false]) func anEchoThatIsLostIsSetAgain(startIsSuspected: Bool) {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: .mqtt)
    modem.deliver(within: .seconds(30))
    modem.echoes = false
    if startIsSuspected { modem.say(["RDY"]) }
    let begun = modem.now
    modem.submit("{\"a\":2}", by: .mqtt)
    #expect(modem.deliver(within: .seconds(15)) && modem.echoes)
    #expect(modem.count("E1", since: begun) == 1 && modem.recoveries.allSatisfy { $0.rung == .retry })
  }

  /// A suspicion that nothing can settle is dropped, and holds up no remedy.
  @Test(arguments: [Play.nothing, .dead]) func aStartThatCanNotBeCheckedHoldsNothingUp(play: Play) {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: .mqtt)
    modem.deliver(within: .seconds(30))
    let begun = modem.now
    modem.script = { modem, command, _ in
      command == "+CMEE?" && modem.count("+CFUN=1,1") + modem.count("+CPOWD") == 0 ? play : nil
    }
    modem.say(["RDY"])
    modem.submit("{\"a\":2}", by: .mqtt)
    #expect(modem.deliver(within: .seconds(40)))
    #expect(modem.recoveries.allSatisfy { $0.rung < .reset } && modem.count("+CMEE?", since: begun) <= 4)
  }

  @Test func aModemThatSwitchesItselfOffIsSwitchedOnAgain() {
    for line in ["NORMAL POWER DOWN", "UNDER-VOLTAGE POWER DOWN", "OVER-VOLTAGE POWER DOWN"] {
      let modem = ScriptedModem(isOn: true)
      modem.run(for: .seconds(30))
      modem.say([line])
      modem.run(for: .seconds(1))
      modem.setStatus(false)
      let off = modem.now
      modem.run(for: .seconds(20)) { $0.handle.modem.phase != .pressing }
      #expect(modem.now - off >= .milliseconds(2000) && modem.now - off <= .milliseconds(4200), "\(line)")
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(30)))
    }
  }

  @Test func aModemThatIsSuddenlyOffIsLeftAMoment() {
    let modem = ScriptedModem(isOn: true)
    modem.run(for: .seconds(30))
    modem.setStatus(false)
    let off = modem.now
    modem.run(for: .seconds(20)) { $0.handle.modem.phase != .pressing }
    #expect(modem.now - off == .seconds(4))
  }

  @Test func aLowSupplyIsToldAndAHighOneIsNot() {
    let modem = ScriptedModem(isOn: true)
    modem.run(for: .seconds(10))
    modem.say(["OVER-VOLTAGE WARNNING"])
    #expect(modem.times(of: .supplyLow).isEmpty)
    modem.say(["UNDER-VOLTAGE WARNNING"])
    #expect(modem.times(of: .supplyLow).count == 1)
  }

  // MARK: The clock

  @Test func aClockThatGoesBackStandsStill() {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.deliveryTimeout = .seconds(60) }, isOn: true)
    modem.run(for: .seconds(100))
    modem.registration = "2"
    modem.say(["+CEREG: 2"])
    modem.handle.modem.advance(to: .seconds(5))
    modem.submit(by: .http)
    modem.handle.modem.advance(to: .zero)
    modem.run(until: .milliseconds(159_990))
    #expect(modem.outcomes.isEmpty)
    modem.run(until: .seconds(160))
    #expect(modem.outcomes == [.undelivered(ticket: 7, reason: .timedOut(nil))])
  }

  @Test func calledTooEarlyNothingHappens() {
    let modem = ScriptedModem(isOn: true)
    modem.run(for: .seconds(50))
    let commands = modem.commands.count
    for _ in 0..<1000 {
      modem.run(for: .milliseconds(100))
    }
    #expect(modem.commands.count <= commands + 6)
    #expect((modem.handle.modem.nextDeadline ?? .zero) > modem.now + .seconds(60))
  }
}

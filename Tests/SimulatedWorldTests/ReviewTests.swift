import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// What went wrong once at the edges of the session machine.
@Suite struct ReviewTests {
  private func bench(
    driver change: (inout ModemConfiguration) -> Void = { _ in },
    module adjust: (inout SimulatedModemConfiguration) -> Void = { _ in }
  ) -> ModemBench {
    var driver = FaultStory.driver()
    change(&driver)
    var module = SimulatedModemConfiguration()
    adjust(&module)
    var network = VirtualNetwork(seed: 1)
    network.add(HTTPServer(host: "track.example", port: 8080))
    network.add(SocketServer(host: "track.example", port: 5000))
    network.add(MQTTBroker(host: "broker.example", port: 1883))
    return ModemBench(driver: driver, module: SimulatedModem(module, seed: 1), network: network, seed: 1)
  }

  private func deliver(_ bench: ModemBench, _ ticket: UInt32 = 1, by transport: ModemTransport) -> Bool {
    guard bench.submit(FaultRun.payload(ticket), ticket: ticket, by: transport) else { return false }
    return bench.run(until: bench.now + .seconds(300)) { !$0.isFinished(ticket) }
  }

  // MARK: One packet after the other

  @Test(arguments: [
    (ModemTransport.http, ModemStep.httpBody), (.http, .httpRequest), (.legacyHTTP, .legacyBody),
    (.legacyHTTP, .legacyRequest), (.mqtt, .mqttPublish), (.sms, .messageSend),
  ])
  func theAnswerToAPacketThatWasTakenBackIsNotTheNextOnes(transport: ModemTransport, step: ModemStep) {
    let bench = bench()
    #expect(deliver(bench, by: transport))
    #expect(bench.submit(FaultRun.payload(2), ticket: 2, by: transport))
    #expect(bench.run(until: bench.now + .seconds(60)) { $0.driver.modem.step != step })
    bench.driver.modem.cancel(at: bench.now)
    #expect(bench.submit(FaultRun.payload(3), ticket: 3, by: transport))
    #expect(bench.run(until: bench.now + .seconds(300)) { !$0.isFinished(3) })
    let whole = FaultRun.payload(3)
    #expect(bench.network.received.contains { $0.bytes == whole })
  }

  @Test func aNewPacketDoesNotWaitForTheEndOfALongRest() {
    let bench = bench { $0.deliveryTimeout = .seconds(1200) }
    // Not even its power key does anything.
    bench.module.setSupply(millivolts: 0, at: bench.now)
    #expect(bench.submit(FaultRun.payload(1), ticket: 1, by: .http))
    _ = bench.run(until: .seconds(3600)) { $0.isBusy }
    #expect(bench.phase == .resting)
    bench.module.setSupply(millivolts: bench.module.configuration.supplyMillivolts, at: bench.now)
    let begun = bench.now
    #expect(deliver(bench, 2, by: .http))
    #expect(bench.now - begun < .seconds(120))
  }

  // MARK: Lines of the board

  @Test func theKeyIsLetGoWhenTheModemSaysThatItIsGoingDown() {
    var configuration = FaultStory.driver()
    configuration.wiring.hasReset = false
    let modem = AnsweringModem(configuration)
    modem.isOn = false
    modem.run(until: .seconds(300)) { $0.handle.modem.phase != .pressing }
    #expect(modem.handle.modem.phase == .pressing)
    modem.run(until: modem.now + .milliseconds(1300))
    #expect(modem.handle.modem.phase == .pressing)
    modem.say(["NORMAL POWER DOWN"])
    modem.run(until: modem.now + .seconds(1))
    let keys = modem.actions.filter {
      $0.action == .setPowerKey(isLow: true) || $0.action == .setPowerKey(isLow: false)
    }
    #expect(keys.last?.action == .setPowerKey(isLow: false))
  }

  @Test(arguments: [IdlePolicy.off, .powerSaving])
  func aModemThatNothingCanSwitchOnIsNotSwitchedOff(idle: IdlePolicy) {
    var configuration = FaultStory.driver()
    configuration.idle = idle
    configuration.wiring.hasPowerKey = false
    configuration.wiring.hasReset = false
    let modem = AnsweringModem(configuration)
    modem.run(until: .seconds(600))
    #expect(modem.handle.modem.phase == .running)
    #expect(!modem.commands.contains { $0.hasPrefix("+CPOWD") || $0.hasPrefix("+CPSMS=1") })
    #expect(modem.commands.count < 100)
  }

  // MARK: The card

  @Test func aRefusedPINIsNotGivenAgainBecauseTheCardAsksByItself() {
    var configuration = FaultStory.driver()
    configuration.pin = ModemText("9999") ?? ModemText()
    let modem = AnsweringModem(configuration)
    modem.answer = { command in
      if command == "+CPIN?" { return ["+CPIN: SIM PIN", "OK"] }
      return command.hasPrefix("+CPIN=") ? ["+CME ERROR: 16"] : nil
    }
    _ = modem.handle.modem.submit(FaultRun.payload(1).span, ticket: 1, by: .http, at: modem.now)
    for _ in 0..<10 {
      modem.run(until: modem.now + .seconds(120))
      modem.say(["RDY"])
      modem.run(until: modem.now + .milliseconds(100))
      modem.say(["+CPIN: SIM PIN"])
    }
    #expect(modem.commands.count { $0.hasPrefix("+CPIN=") } == 1)
  }

  @Test func aPINThatCanNotBeOneIsToldAsALockedCard() {
    var configuration = FaultStory.driver()
    configuration.pin = ModemText("12a4") ?? ModemText()
    let modem = AnsweringModem(configuration)
    modem.answer = { $0 == "+CPIN?" ? ["+CPIN: SIM PIN", "OK"] : nil }
    _ = modem.handle.modem.submit(FaultRun.payload(1).span, ticket: 1, by: .http, at: modem.now)
    modem.run(until: .seconds(600))
    let rungs = modem.actions.compactMap { entry -> RecoveryRung? in
      guard case .recovery(let rung, _) = entry.action else { return nil }
      return rung
    }
    #expect(!rungs.isEmpty)
    #expect(rungs.allSatisfy { $0 == .radio })
    #expect(modem.handle.modem.trouble == .simLocked)
  }

  // MARK: Loops

  @Test func aMessageThatNobodyWantsDoesNotKeepTheModemFromSleeping() {
    var configuration = FaultStory.driver()
    configuration.smsNumber = TelephoneNumber()
    configuration.idle = .sleep
    configuration.wiring.hasDTR = true
    let modem = AnsweringModem(configuration)
    modem.run(until: .seconds(120))
    #expect(modem.handle.modem.phase == .asleep)
    let before = modem.actions.count
    modem.say(["+CMTI: \"SM\",1"])
    modem.run(until: .seconds(240))
    #expect(modem.actions.count == before)
  }

  @Test func anAcknowledgementThatCanNotBeReadIsAskedForAgainNotForEver() {
    let modem = AnsweringModem(FaultStory.driver())
    modem.answer = { command in
      if command.hasPrefix("+CAOPEN=") { return ["+CAOPEN: 0,0", "OK"] }
      if command.hasPrefix("+CASEND=") { return [">"] }
      if command.hasPrefix("{") { return ["OK", "+CASEND: 0,0,10", "+CADATAIND: 0"] }
      if command == "+CARECV?" { return ["+CARECV: 0,6", "OK"] }
      return command.hasPrefix("+CARECV=") ? ["ERROR"] : nil
    }
    _ = modem.handle.modem.submit(Array("{}".utf8).span, ticket: 1, by: .applicationTCP, at: modem.now)
    modem.run(until: .seconds(120)) { !$0.commands.contains("{}") }
    let before = modem.commands.count
    modem.run(until: modem.now + .seconds(60))
    #expect(modem.commands.count - before < 200)
    #expect(
      modem.actions.contains { entry in
        guard case .recovery(_, .unacknowledged) = entry.action else { return false }
        return true
      })
  }

  @Test func manyFixesAtOnceDoNotPushOutWhatElseIsToBeDone() {
    var configuration = FaultStory.driver()
    configuration.gnss = true
    let modem = AnsweringModem(configuration)
    modem.run(until: .seconds(30))
    let line = "+UGNSINF: 1,1,20171103024050.000,31.222176,121.354393,31.000,0.00,99.5,1,,0.9,1.3,0.9,,20,8,,,48,,"
    modem.say([String](repeating: line, count: 40))
    #expect(modem.actions.contains { $0.action == .fix })
    #expect(modem.handle.modem.diagnostics.actionsDropped == 0)
  }

  // MARK: Accounts

  @Test func theChargeOfReceptionIsItsTimeTimesItsCurrent() {
    let bench = bench { $0.gnss = true }
    bench.run(until: .seconds(300))
    let energy = bench.driver.modem.energy
    #expect(energy.gnssMicroseconds > 0)
    #expect(abs(energy.gnssMicrocoulombs - energy.gnssMicroseconds * 30_000 / 1_000_000) <= 1)
  }

  @Test func smallTroublesOfTheCommandSessionDoNotAddUpOverTheDays() {
    let bench = bench { $0.mqttCommandTopic = TopicName("leash/command") ?? TopicName() }
    bench.run(until: .seconds(300))
    for _ in 0..<20 {
      bench.module.apply(.connectFails(count: 1), at: bench.now)
      bench.module.apply(.bearerLost(isSilent: false), at: bench.now)
      bench.run(until: bench.now + .seconds(3600))
    }
    let rungs = bench.actions.compactMap { entry -> RecoveryRung? in
      guard case .recovery(let rung, _) = entry.action else { return nil }
      return rung
    }
    #expect(!rungs.isEmpty)
    #expect(rungs.allSatisfy { $0 <= .session })
  }

  // MARK: Firmware and payloads

  @Test func firmwareWithTheShortBodyLimitTakesAPacketThatFits() {
    let bench = bench {
      _ in
    } module: {
      $0.data.maximumBodyLength = 350
    }
    #expect(deliver(bench, by: .http))
  }

  @Test func aMessageWithItsOwnEndMarkInTheTextIsNotTaken() {
    let bench = bench()
    #expect(!bench.submit([0x61, 0x1A, 0x62], ticket: 1, by: .sms))
    #expect(!bench.submit([0x61, 0x1B, 0x62], ticket: 1, by: .sms))
    #expect(bench.submit([0x61, 0x62], ticket: 1, by: .sms))
  }
}

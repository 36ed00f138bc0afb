import ASCIIText
import InlineStorage
import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// What the driver does beside delivering: commands to the tracker, satellites, sleep, cards, and its own restart.
@Suite struct SessionTests {
  private static let packet = FaultRun.payload(1)

  private func bench(
    seed: UInt64 = 1, server: HTTPServer = HTTPServer(host: "track.example", port: 8080),
    driver change: (inout ModemConfiguration) -> Void = { _ in },
    module adjust: (inout SimulatedModemConfiguration) -> Void = { _ in }
  ) -> ModemBench {
    var driver = FaultStory.driver()
    change(&driver)
    var module = SimulatedModemConfiguration()
    adjust(&module)
    var network = VirtualNetwork(seed: seed)
    network.add(server)
    network.add(SocketServer(host: "track.example", port: 5000))
    network.add(MQTTBroker(host: "broker.example", port: 1883))
    return ModemBench(driver: driver, module: SimulatedModem(module, seed: seed), network: network, seed: seed)
  }

  private func deliver(
    _ bench: ModemBench, _ ticket: UInt32 = 1, by transport: ModemTransport, within seconds: Int = 300
  ) -> Bool {
    guard bench.submit(FaultRun.payload(ticket), ticket: ticket, by: transport) else { return false }
    return bench.run(until: bench.now + .seconds(seconds)) { !$0.isFinished(ticket) }
  }

  private func texts(_ bench: ModemBench, from source: ReplySource) -> [String] {
    bench.replies.filter { $0.source == source }.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  // MARK: What comes for the tracker

  @Test func aCommandOnTheTopicComesUpAsAReply() {
    let bench = bench { $0.mqttCommandTopic = TopicName("leash/command") ?? TopicName() }
    #expect(deliver(bench, by: .mqtt))
    bench.network.publish(Array("locate".utf8), to: "leash/command", at: bench.now)
    bench.network.publish(Array("{\"cmd\":\"dismiss\"}".utf8), to: "leash/command", at: bench.now)
    bench.run(until: bench.now + .seconds(10))
    #expect(texts(bench, from: .mqtt) == ["locate", "{\"cmd\":\"dismiss\"}"])
  }

  @Test func theSessionForCommandsIsUpWithoutAnythingToSend() {
    let bench = bench { $0.mqttCommandTopic = TopicName("leash/command") ?? TopicName() }
    bench.run(until: .seconds(120))
    bench.network.publish(Array("locate".utf8), to: "leash/command", at: bench.now)
    bench.run(until: bench.now + .seconds(10))
    #expect(texts(bench, from: .mqtt) == ["locate"])
  }

  @Test func theServersAnswerComesUp() {
    let bench = bench(
      server: HTTPServer(host: "track.example", port: 8080, behaviour: .fixed(HTTPAnswer(text: "[{}]"))))
    #expect(deliver(bench, by: .http))
    bench.run(until: bench.now + .seconds(5))
    #expect(texts(bench, from: .http) == ["[{}]"])
    #expect(deliver(bench, 2, by: .legacyHTTP))
    bench.run(until: bench.now + .seconds(5))
    #expect(texts(bench, from: .http) == ["[{}]", "[{}]"])
  }

  @Test func aTextMessageComesUpWithItsSenderAndLeavesTheStore() {
    let bench = bench()
    #expect(deliver(bench, by: .sms))
    for number in 1...40 {
      bench.module.deliver(sms: "where \(number)", from: "+31611111111", at: bench.now)
      bench.run(until: bench.now + .seconds(30))
    }
    #expect(texts(bench, from: .sms) == (1...40).map { "+31611111111\nwhere \($0)" })
  }

  @Test func aTextMessageIsDeliveredWhenTheNetworkReportsIt() {
    let bench = bench { $0.smsStatusReports = true }
    #expect(deliver(bench, by: .sms))
    #expect(bench.network.received.filter { $0.channel == .sms }.count == 1)
    // One that the telephone does not get is handed back at once, one that nobody reports after two minutes.
    bench.network.smsReportStatus = 65
    #expect(bench.submit(FaultRun.payload(2), ticket: 2, by: .sms))
    #expect(bench.run(until: bench.now + .seconds(20)) { $0.isBusy })
    bench.network.plan(.loseAnswer, on: .sms, after: 1)
    #expect(bench.submit(FaultRun.payload(3), ticket: 3, by: .sms))
    #expect(bench.run(until: bench.now + .seconds(150)) { $0.isBusy })
    let outcomes = bench.actions.map(\.action).filter {
      switch $0 {
      case .delivered, .undelivered: true
      default: false
      }
    }
    #expect(
      outcomes == [
        .delivered(ticket: 1), .undelivered(ticket: 2, reason: .messageFailed(status: 65)),
        .undelivered(ticket: 3, reason: .messageUnreported),
      ])
  }

  @Test func messagesThatCameWhileTheDriverWasAwayAreFound() {
    let bench = bench()
    #expect(deliver(bench, by: .http))
    bench.restartDriver(FaultStory.driver(), seed: 2)
    bench.module.deliver(sms: "first", from: "+31611111111", at: bench.now)
    bench.module.deliver(sms: "second", from: "+31611111111", at: bench.now)
    bench.module.apply(.spontaneousReset(afterBytes: 0), at: bench.now)
    bench.run(until: bench.now + .seconds(120))
    #expect(texts(bench, from: .sms) == ["+31611111111\nfirst", "+31611111111\nsecond"])
  }

  @Test func theNetworkTellsTheTime() {
    let bench = bench()
    #expect(deliver(bench, by: .http))
    let times = bench.actions.compactMap { entry -> Int64? in
      guard case .networkTime(let utc) = entry.action else { return nil }
      return utc.microseconds - entry.time.microseconds
    }
    let start = bench.module.configuration.startTime.microseconds
    #expect(!times.isEmpty)
    for time in times { #expect(abs(time - start) < 2_000_000) }
  }

  // MARK: Refusals

  @Test(arguments: [400, 401, 404, 410, 413])
  func whatTheServerWillNeverTakeIsHandedBackAtOnce(status: Int) {
    let bench = bench(
      server: HTTPServer(host: "track.example", port: 8080, behaviour: .fixed(HTTPAnswer(status: status))))
    #expect(!deliver(bench, by: .http, within: 120))
    let reason = UndeliveredReason.rejected(status: UInt16(status))
    #expect(bench.actions.contains { $0.action == .undelivered(ticket: 1, reason: reason) })
    #expect(bench.network.received.count == 1)
  }

  @Test(arguments: [408, 429, 500, 503])
  func whatMayPassIsTriedAgain(status: Int) {
    let bench = bench(
      server: HTTPServer(host: "track.example", port: 8080, behaviour: .fixed(HTTPAnswer(status: status))))
    #expect(!deliver(bench, by: .http, within: 120))
    #expect(bench.network.received.count > 1)
    #expect(bench.isBusy)
  }

  @Test func aPacketIsHandedBackWhenItsTimeIsOver() {
    let bench = bench {
      $0.deliveryTimeout = .seconds(100)
    } module: {
      $0.network.registrationDelay = .seconds(4000)
    }
    #expect(bench.submit(SessionTests.packet, ticket: 1, by: .http))
    bench.run(until: .seconds(99))
    #expect(bench.isBusy)
    bench.run(until: .seconds(101))
    #expect(!bench.isBusy)
  }

  @Test func payloadsAreTakenUpToTheirLimit() {
    for transport in ModemTransport.allCases {
      let limit = transport.payloadLimit
      let long = [UInt8](repeating: 0x61, count: limit + 1)
      let bench = bench()
      #expect(!bench.submit(long, ticket: 1, by: transport))
      #expect(!bench.submit([], ticket: 1, by: transport))
      #expect(bench.submit(Array(long.dropLast()), ticket: 1, by: transport))
      #expect(!bench.submit(Array(long.dropLast()), ticket: 2, by: transport))
    }
  }

  // MARK: The card

  @Test func aPINIsGiven() {
    let bench = bench {
      $0.pin = ModemText("1234") ?? ModemText()
    } module: {
      $0.pin = "1234"
    }
    #expect(deliver(bench, by: .http))
  }

  @Test func aWrongPINIsTriedOnceAndNeverAgain() {
    let bench = bench {
      $0.pin = ModemText("9999") ?? ModemText()
    } module: {
      $0.pin = "1234"
    }
    var tries = 0
    bench.listener = { _, isToModem, bytes in
      if isToModem, String(decoding: bytes, as: UTF8.self).contains("+CPIN=\"9999\"") { tries += 1 }
    }
    #expect(!deliver(bench, by: .http, within: 7200))
    #expect(tries == 1)
    #expect(bench.actions.contains { $0.action == .recovery(.radio, .simLocked) })
  }

  @Test func aPINWhoseAnswersAreLostLeavesTheCardItsThirdTry() {
    let bench = bench {
      $0.pin = ModemText("9999") ?? ModemText()
    } module: {
      $0.pin = "1234"
    }
    var tries = 0
    bench.listener = { _, isToModem, bytes in
      if isToModem, String(decoding: bytes, as: UTF8.self).contains("+CPIN=\"9999\"") { tries += 1 }
    }
    bench.observer = { bench in
      if bench.driver.modem.step == .simEnter { bench.module.apply(.lostResult(count: 1), at: bench.now) }
    }
    #expect(!deliver(bench, by: .http, within: 7200))
    #expect(tries <= 2, "\(tries)")
  }

  // MARK: Satellites

  private static func moving(_ module: inout SimulatedModemConfiguration) {
    guard let start = GeodeticPosition(latitudeDegrees: 50.39, longitudeDegrees: 5.9),
      let end = GeodeticPosition(latitudeDegrees: 50.40, longitudeDegrees: 5.91)
    else { return }
    module.gnss.coldStart = .seconds(20)
    module.gnss.source = .trajectory([
      TrajectoryPoint(time: .zero, position: start, height: 480),
      TrajectoryPoint(time: .seconds(1000), position: end, height: 500),
    ])
  }

  @Test(arguments: [GNSSForm.reports, .queries])
  func fixesComeEachSecondBesideTheData(form: GNSSForm) throws {
    let bench = bench { driver in
      driver.gnss = true
      driver.gnssForm = form
    } module: {
      SessionTests.moving(&$0)
    }
    #expect(deliver(bench, by: .http))
    let before = bench.fixCount
    bench.run(until: bench.now + .seconds(60))
    #expect(bench.fixCount - before >= 50)
    let fix = try #require(bench.fix)
    let position = try #require(fix.position)
    #expect(abs(position.latitudeDegrees - (50.39 + 0.01 * fix.time.secondsDouble / 1000)) < 0.0005)
    #expect(fix.mode == .threeDimensional || fix.mode == .twoDimensional)
  }

  @Test func sentencesOnTheCommandLineAreHandedOnWhole() {
    let bench = bench { driver in
      driver.gnss = true
      driver.gnssForm = .sentences
    } module: {
      SessionTests.moving(&$0)
    }
    #expect(deliver(bench, by: .http))
    var text = ""
    for _ in 0..<60 {
      bench.run(until: bench.now + .seconds(1))
      text += bench.takeNMEA()
    }
    let lines = text.split(separator: "\r\n")
    #expect(lines.count > 60)
    #expect(lines.allSatisfy { $0.hasPrefix("$G") && $0.dropLast(2).hasSuffix("*") })
  }

  @Test func aReceiverThatLostItsPowerIsSwitchedOnAgain() {
    let bench = bench {
      $0.gnss = true
    } module: {
      SessionTests.moving(&$0)
    }
    bench.run(until: .seconds(90))
    bench.module.apply(.silentReset, at: bench.now)
    bench.run(until: .seconds(240))
    let before = bench.fixCount
    bench.run(until: .seconds(260))
    #expect(bench.fixCount - before >= 15)
  }

  @Test func dataAndReceptionTakeTurnsAndNeitherStarves() {
    let bench = bench { driver in
      driver.gnss = true
      driver.sharing = .alternating
    } module: {
      SessionTests.moving(&$0)
    }
    // A server that is away keeps data busy for ever.
    bench.network.addOutage(from: .zero, until: .seconds(1200))
    bench.run(until: .seconds(60))
    #expect(bench.submit(SessionTests.packet, ticket: 1, by: .http))
    var fixes: [Int] = []
    for _ in 0..<8 {
      let before = bench.fixCount
      bench.run(until: bench.now + .seconds(120))
      fixes.append(bench.fixCount - before)
    }
    // In each two minutes there is a turn of reception, less its start; but not while the driver waits to try the server again.
    #expect(fixes.count { $0 >= 10 } >= 6, "\(fixes)")
    bench.run(until: .seconds(2400))
    #expect(bench.isFinished(1))
  }

  // MARK: Rest

  @Test func aModemThatIsOffWhenIdleIsSwitchedOnForAPacket() {
    let bench = bench { $0.idle = .off }
    #expect(deliver(bench, by: .http))
    bench.run(until: bench.now + .seconds(60))
    #expect(bench.phase == .off)
    #expect(!bench.module.statusIsHigh)
    let charge = bench.driver.modem.energy.microcoulombs
    bench.run(until: bench.now + .seconds(3600))
    bench.driver.modem.advance(to: bench.now)
    #expect(bench.driver.modem.energy.microcoulombs - charge < 100_000)
    #expect(deliver(bench, 2, by: .http))
  }

  @Test func aSleepingModemWakesForAPacketAndForAMessage() {
    let bench = bench { driver in
      driver.idle = .sleep
      driver.wiring.hasDTR = true
    }
    #expect(deliver(bench, by: .sms))
    bench.run(until: bench.now + .seconds(120))
    #expect(bench.phase == .asleep)
    #expect(deliver(bench, 2, by: .http, within: 60))
    bench.run(until: bench.now + .seconds(120))
    #expect(bench.phase == .asleep)
    bench.module.deliver(sms: "where", from: "+31611111111", at: bench.now)
    bench.run(until: bench.now + .seconds(20))
    #expect(texts(bench, from: .sms) == ["+31611111111\nwhere"])
  }

  @Test func aModemInPowerSavingModeIsWokenByItsKey() {
    let bench = bench { $0.idle = .powerSaving }
    #expect(deliver(bench, by: .http))
    bench.run(until: bench.now + .seconds(600))
    #expect(!bench.module.statusIsHigh)
    #expect(bench.phase == .dormant)
    #expect(deliver(bench, 2, by: .http))
  }

  /// GSM, where a stale name drives it, has no such mode (fault F22).
  @Test func aModemThatAStaleNameDroveFromLTEComesBackToPowerSavingMode() {
    let bench = bench { $0.idle = .powerSaving }
    #expect(deliver(bench, by: .http))
    bench.run(until: bench.now + .seconds(600))
    #expect(bench.phase == .dormant)
    #expect(deliver(bench, 2, by: .http))
    bench.module.apply(.staleAccessPoint, at: bench.now)
    #expect(deliver(bench, 3, by: .http, within: 300))
    bench.run(until: bench.now + .seconds(1200))
    #expect(bench.phase == .dormant && !bench.module.statusIsHigh)
  }

  // MARK: The driver itself starts anew

  @Test(arguments: ModemTransport.allCases)
  func aDriverThatStartsAnewFindsTheModemAsItIs(transport: ModemTransport) {
    let bench = bench()
    #expect(deliver(bench, by: transport))
    bench.restartDriver(FaultStory.driver(), seed: 9)
    let begun = bench.now
    #expect(deliver(bench, 2, by: transport, within: 200))
    // Nothing has to be started again for that.
    #expect(bench.now - begun < .seconds(60))
  }

  @Test func withoutItsEchoTheDriverDeliversToo() {
    for transport in ModemTransport.allCases {
      let bench = bench { $0.verifiesEcho = false }
      #expect(deliver(bench, by: transport))
      #expect(bench.network.received.count == 1)
    }
  }
}

extension ModemBench {
  func isFinished(_ ticket: UInt32) -> Bool { actions.contains { $0.action == .delivered(ticket: ticket) } }
  var isBusy: Bool { !driver.modem.isFree }
  var phase: ModemPhase { driver.modem.phase }
  var fix: GNSSFix? { driver.modem.fix }
  var fixCount: Int { actions.count { $0.action == .fix } }
}

import FaultInjection
import ModemSimulation
import Quantities
import SIM7000
import Testing

@testable import SimulatedWorld

/// Whether a packet reaches its server twice, and who is to blame.
@Suite struct DuplicateTests {
  private func run(
    _ transport: ModemTransport, seed: UInt64 = 3, packets: [Instant] = [.zero],
    _ change: (inout FaultStory) -> Void = { _ in }
  ) -> FaultOutcome {
    var story = FaultStory(seed: seed, transport: transport, packets: packets)
    change(&story)
    return FaultRun(story).run()
  }

  /// An answer of a server comes 40 s late: it is waited for.
  @Test(arguments: ModemTransport.allCases) func aServerThatTakesFortySecondsHasThePacketOnce(way: ModemTransport) {
    for seed: UInt64 in 1...8 {
      // The first occasion is the connection.
      let outcome = run(way, seed: seed) { $0.mishaps = [(.delay(.seconds(40)), way == .sms ? 0 : 1)] }
      #expect(outcome.isGood && outcome.duplicates == 0, "\(seed) \(outcome)")
    }
  }

  /// An answer was lost before, so that a later one may be its; sentences of the receiver come meanwhile.
  @Test(arguments: [GNSSForm.sentences, .reports]) func whatTheReceiverSaysIsNoDamagedEnd(form: GNSSForm) {
    for seed: UInt64 in 1...12 {
      let outcome = run(.mqtt, seed: seed, packets: [.zero, .seconds(60), .seconds(75)]) { story in
        story.driver.gnss = true
        story.driver.gnssForm = form
        story.faults = [PlannedFault(.lateAnswer(by: .seconds(75)), at: .step(.mqttPublish))]
      }
      #expect(outcome.isGood && outcome.duplicates - outcome.evidenceLost == 0, "\(seed) \(outcome)")
    }
  }

  /// A modem that echoes no payload, and whose receiver speaks on the same line: its sentences are no echo.
  @Test(arguments: ModemTransport.allCases) func sentencesOfTheReceiverAreNoEcho(way: ModemTransport) {
    let outcome = run(way, seed: 234, packets: [.zero, .seconds(30), .milliseconds(60_500)]) { story in
      story.driver.gnss = true
      story.driver.gnssForm = .sentences
      story.module.link.echoesPayloads = false
    }
    #expect(outcome.isGood && outcome.duplicates == 0, "\(outcome)")
  }

  /// The end mark of a message is echoed with it, and is no line.
  @Test func theEchoOfAMessagesEndMarkIsNoDamagedEnd() {
    let outcome = run(.sms, packets: [.zero, .seconds(60)]) { story in
      story.faults = [PlannedFault(.lateAnswer(by: .seconds(75)), at: .step(.messageSend))]
    }
    #expect(outcome.isGood && outcome.duplicates - outcome.evidenceLost == 0, "\(outcome)")
  }

  @Test func eachDuplicateHasTheCauseThatTheStoryHasMade() {
    let lost = run(.http) { $0.mishaps = [(.loseAnswer, 0)] }
    #expect(lost.duplicates == 1 && lost.answersLost == 1, "\(lost)")
    let swallowed = run(.mqtt) { $0.faults = [PlannedFault(.lostResult(count: 1), at: .step(.mqttPublish))] }
    #expect(swallowed.duplicates == 1 && swallowed.evidenceLost == 1 && swallowed.answersLost == 0, "\(swallowed)")
    // A server that answers later than anybody waits.
    let late = run(.http) { $0.mishaps = [(.delay(.seconds(100)), 1)] }
    #expect(
      late.duplicates == 1 && late.evidenceLost == 0 && late.answersLost == 0 && late.startsBetween == 0, "\(late)")
    // The report of a message is its answer.
    let unreported = run(.sms) { story in
      story.driver.smsStatusReports = true
      story.mishaps = [(.loseAnswer, 1)]
    }
    #expect(unreported.duplicates == 1 && unreported.answersLost == 1, "\(unreported)")
  }

  /// A line that loses a byte in 500 spoils the echo of every seventh packet. A text is not sent then, and a line not ended.
  @Test(arguments: [ModemTransport.tcp, .applicationTCP, .sms])
  func whatTheLineDoesToAnEchoSendsNoPacketTwice(way: ModemTransport) {
    var (packets, duplicates) = (0, 0)
    for seed: UInt64 in 1...60 {
      let outcome = run(way, seed: seed, packets: [.zero, .seconds(40), .seconds(80)]) { story in
        if way != .sms { story.driver.smsNumber = TelephoneNumber() }
        story.line = LineFaultRates(lossPerMillion: 2000)
        story.lineFaultsEnd = .seconds(600)
      }
      #expect(outcome.isGood, "\(seed) \(outcome)")
      packets += 3
      duplicates += outcome.duplicates
    }
    #expect(duplicates * 10 < packets, "\(duplicates) of \(packets)")
  }

  // MARK: Met in the field

  @Test func eachEncounterHasItsShareOfTheStories() {
    let stories = (1...3000).map { FaultCampaign.story(seed: $0) }
    let tcp = stories.filter { $0.transport == .tcp }
    let running = stories.filter { !$0.module.startsPoweredOff }
    let echoed = stories.filter(\.driver.verifiesEcho)
    func share(_ encounter: FieldEncounter, of some: [FaultStory]) -> Double {
      Double(stories.filter { $0.encounters.contains(encounter) }.count) / Double(some.count)
    }
    #expect(abs(share(.deactivatedAtConnect, of: tcp) - 1.0 / 6) < 0.04)
    #expect(abs(share(.systemInformationCut, of: running) - 1.0 / 8) < 0.03)
    #expect(abs(share(.foreignCharacters, of: running) - 5.0 / 48) < 0.03)
    #expect(abs(share(.payloadChanged, of: echoed) - 1.0 / 8) < 0.03)
    #expect(abs(share(.payloadChangedUnechoed, of: echoed) - 1.0 / 24) < 0.02)
    let byModule = (1...300).map { FaultCampaign.story(seed: $0, strength: .module) }
    #expect(!byModule.contains { $0.payloadChangesPerMillion > 0 })
  }

  @Test(arguments: [1, 3]) func aConnectThatLosesItsBearerHasItBackAtOnce(count: Int) {
    let outcome = run(.tcp) {
      $0.faults = [PlannedFault(.connectFails(count: count, losesBearer: true), at: .step(.tcpOpen))]
    }
    #expect(outcome.isGood && outcome.duplicates == 0 && outcome.end < .seconds(60), "\(outcome)")
    #expect(outcome.rungs[4...].allSatisfy { $0 == 0 }, "\(outcome.rungs)")
  }

  @Test(arguments: ["+CPSI: LTE CAT-M1,Online", "+CPSI: LTE C", "+CPSI"])
  func anAnswerThatIsCutShortIsNobodys(piece: String) {
    let outcome = run(.mqtt) { story in
      story.module.startsPoweredOff = false
      story.typedBefore = "AT+CPSI?"
      story.module.dialect.cut = [piece]
    }
    #expect(outcome.isGood && outcome.end < .seconds(20) && outcome.rungs.allSatisfy { $0 == 0 }, "\(outcome)")
  }

  /// Number and text of a message are in the characters that another program has chosen, unless they are set.
  @Test(arguments: ["UCS2", "GSM"]) func aMessageIsReadableWhateverCharactersAnotherProgramHasLeft(name: String) {
    let outcome = run(.sms) { story in
      story.module.startsPoweredOff = false
      story.typedBefore = "AT+CSCS=\"\(name)\""
    }
    #expect(outcome.isGood && outcome.damaged == 0 && outcome.handedBack == 0, "\(outcome)")
    #expect(outcome.rungs.allSatisfy { $0 == 0 }, "\(outcome.rungs)")
  }

  /// Where the echo shows what was changed, no changed packet counts; where there is none, a server's number has to be the packet's.
  @Test(arguments: ModemTransport.allCases) func aChangedPacketCountsOnlyWhereNothingCanShowIt(way: ModemTransport) {
    var unseen = 0
    for seed: UInt64 in 1...40 {
      for isEchoed in [true, false] {
        let outcome = run(way, seed: seed, packets: [.zero, .seconds(40)]) { story in
          story.payloadChangesPerMillion = 10_000
          story.lineFaultsEnd = .seconds(120)
          story.module.link.echoesPayloads = isEchoed
        }
        #expect(outcome.isGood, "\(seed) \(outcome)")
        if isEchoed { #expect(outcome.changedUnseen == []) } else { unseen += outcome.changedUnseen.count }
      }
    }
    #expect(unseen > 0)
  }
}

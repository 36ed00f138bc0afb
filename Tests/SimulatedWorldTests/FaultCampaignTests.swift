import Foundation
import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// The short form of `make soak`.
@Suite struct FaultCampaignTests {
  /// The first of each worker's seeds; together they are the seeds 1 to 300.
  @Test(arguments: [UInt64](0..<4))
  func mixedFaultsLoseNothingAndHangNothing(part: UInt64) {
    for seed in (part * 75 + 1)...(part * 75 + 75) {
      let story = FaultCampaign.story(seed: seed)
      let outcome = FaultRun(story).run()
      #expect(
        outcome.isGood,
        "leash modem soak --seed \(seed) --runs 1 --verbose: \(story.transport) \(story.faults) \(outcome)")
      let excess = StoryBounds.exceeded(by: outcome, packets: story.packets.count)
      #expect(excess.isEmpty, "leash modem soak --seed \(seed) --runs 1 --verbose: \(excess) \(outcome)")
    }
  }

  @Test(arguments: ModemTransport.allCases)
  func requestsOfAStoryWithoutFaultsComeUpOnceAndLeaveTheStore(transport: ModemTransport) {
    var story = FaultStory(seed: 5, transport: transport, packets: [.zero, .seconds(60)])
    story.requests = [.zero, .seconds(20), .seconds(70), .seconds(71)]
    let outcome = FaultRun(story).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  @Test func aStoryIsBadWhenATextMessageIsLostRepeatedChangedOrForgotten() {
    let changes: [(inout FaultOutcome) -> Void] = [
      { $0.lostRequests = 1 }, { $0.repeatedRequests = 1 }, { $0.foreignRequests = 1 }, { $0.storedMessages = 1 },
    ]
    #expect(FaultOutcome().isGood)
    for change in changes {
      var outcome = FaultOutcome()
      change(&outcome)
      #expect(!outcome.isGood && outcome.requestFaults.count == 1)
    }
  }

  /// A driver that does not look at text messages leaves them in the modem, and the story says so.
  @Test func aMessageThatNobodyReadsIsSeenByTheStory() {
    var story = FaultStory(seed: 5, transport: .http)
    story.driver.smsNumber = TelephoneNumber()
    story.requests = [.seconds(20)]
    let outcome = FaultRun(story).run()
    #expect(outcome.storedMessages == 1 && outcome.lostRequests == 0 && !outcome.isGood)
  }

  /// In this story the modem is switched off with a message unread, and is wanted again: its key is held for its time.
  @Test func aModemThatWasSwitchedOffStartsForTheMessagesItHolds() {
    let outcome = FaultRun(FaultCampaign.story(seed: 169)).run()
    #expect(outcome.isGood && outcome.sleptOverRequests == 1, "\(outcome)")
  }

  /// A modem that starts without a word while its line is deaf has lost what it was told for messages: reports are asked for anew.
  @Test(arguments: [UInt64(27_642), 44_512])
  func aModemThatStartedUnheardIsToldEverythingAgain(seed: UInt64) {
    let outcome = FaultRun(FaultCampaign.story(seed: seed)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// A server may acknowledge a damaged packet on a connection that was given up for it: that is no acknowledgement.
  @Test(arguments: [UInt64(100_570), 102_598])
  func whatComesOnAConnectionThatWasGivenUpIsNotBelieved(seed: UInt64) {
    let outcome = FaultRun(FaultCampaign.story(seed: seed)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// The notice that the card is back comes once, on a damaged line: its messages are read all the same.
  @Test(arguments: [UInt64(31_958), 34_035, 48_116, 48_244, 31_010_034])
  func aCardThatIsBackUnheardHasItsMessagesRead(seed: UInt64) {
    let outcome = FaultRun(FaultCampaign.story(seed: seed)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// `ATE1` loses its last byte on the way: without an echo no answer is certain, and the echo is set again, also while a start is
  /// suspected.
  @Test(arguments: [UInt64(9_002_842), 9_021_135, 9_021_242, 9_029_566])
  func anEchoThatWasLostIsSetAgain(seed: UInt64) {
    let outcome = FaultRun(FaultCampaign.story(seed: seed)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// The fence is answered fourteen seconds late, behind a publication that the network has lost.
  @Test func aLateAnswerToAFenceDeliversNothing() {
    let outcome = FaultRun(FaultCampaign.story(seed: 31_036_837)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// A text message has no length: where the modem echoes no payload nothing shows that a byte of it was lost on the line, and the story
  /// counts it beside those of which bytes were changed.
  @Test func aTextThatLostAByteUnseenIsCountedApart() {
    let outcome = FaultRun(FaultCampaign.story(seed: 31_044_934)).run()
    #expect(outcome.isGood && outcome.changedUnseen == [1], "\(outcome)")
  }

  /// A byte of a body was lost on the line, and nothing is echoed: the modem waits for it until its time is over, and says `OK`.
  @Test func aBodyThatIsNotWholeIsGivenAgain() {
    let outcome = FaultRun(FaultCampaign.story(seed: 88_005_712)).run()
    #expect(outcome.isGood && outcome.lost == [], "\(outcome)")
  }

  /// A damaged error says that the card wants a PIN, and the card comes back later.
  @Test func aCardThatSeemedLockedIsUsed() {
    let outcome = FaultRun(FaultCampaign.story(seed: 31_039_892)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// A modem falls back to GSM, says of its packet network that it is there and of LTE that it is not, and answers no query of it.
  @Test(arguments: [UInt64(9_006_867), 9_033_477])
  func aModemThatFallsBackToGSMIsBelieved(seed: UInt64) {
    let outcome = FaultRun(FaultCampaign.story(seed: seed)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// Two readings of a text are spoilt alike; a text is read in vain before a sleep.
  @Test(arguments: [UInt64(9_047_537), 9_045_672, 77_014_717])
  func aTextIsReadUntilItIsCertain(seed: UInt64) {
    let outcome = FaultRun(FaultCampaign.story(seed: seed)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// A network keeps a message while it lets nobody in; it comes to the modem in the last moment of the story.
  @Test func aMessageThatComesLateHasItsTimeToBeRead() {
    let outcome = FaultRun(FaultCampaign.story(seed: 77_049_498)).run()
    #expect(outcome.isGood, "\(outcome)")
  }

  /// The line end of a prompt comes twice, and the payload behind it comes back changed.
  @Test func aPayloadThatIsChangedBehindADoubledLineEndIsGivenAgain() {
    let outcome = FaultRun(FaultCampaign.story(seed: 99_034_436)).run()
    #expect(outcome.isGood && outcome.lost == [] && outcome.damaged == 0, "\(outcome)")
  }

  /// The bearer's outcome comes before its `OK`, which is 43 s late, and a modem that has gone deaf by then has a payload.
  @Test func anOKThatIsVeryLateDeliversNoOtherPacket() {
    let outcome = FaultRun(FaultCampaign.story(seed: 471_006_814)).run()
    #expect(outcome.isGood && outcome.lost == [], "\(outcome)")
  }

  /// In this story the modem rests when a packet is handed back: it is given again in time, though nothing else happens.
  @Test func aPacketThatIsHandedBackIsGivenAgainSoonAfter() {
    let outcome = FaultRun(FaultCampaign.story(seed: 9_003_766)).run()
    #expect(outcome.isGood && outcome.handedBack > 0 && outcome.end < .seconds(300), "\(outcome)")
  }

  @Test(arguments: ReportRouting.allCases)
  func withReportsOfTheNetworkAMessageIsDeliveredAndNothingIsLeftInTheStore(routing: ReportRouting) {
    var story = FaultStory(seed: 6, transport: .sms, packets: [.zero, .seconds(30)])
    story.driver.smsStatusReports = true
    story.module.messages.reports = routing
    story.requests = [.seconds(10)]
    let outcome = FaultRun(story).run()
    #expect(outcome.isGood && outcome.duplicates == 0 && outcome.handedBack == 0, "\(outcome)")
  }

  @Test func theSameSeedIsTheSameStory() {
    for seed: UInt64 in 1...5 {
      #expect(FaultRun(FaultCampaign.story(seed: seed)).run() == FaultRun(FaultCampaign.story(seed: seed)).run())
    }
  }

  @Test func seedsMakeStoriesOfEveryTransportAndEveryFault() {
    let stories = (1...300).map { FaultCampaign.story(seed: $0) }
    #expect(Set(stories.map(\.transport.rawValue)).count == ModemTransport.allCases.count)
    #expect(Set(stories.flatMap(\.faults).map(\.fault.number)) == Set(1...24))
  }
}

import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

@Suite struct DeliveryTests {
  @Test(arguments: ModemTransport.allCases)
  func aPacketGetsFromASwitchedOffModemToTheServer(transport: ModemTransport) {
    let run = FaultRun(FaultStory(seed: 1, transport: transport))
    let outcome = run.run()
    #expect(outcome.isGood && outcome.duplicates == 0 && outcome.damaged == 0, "\(outcome)")
    #expect(outcome.rungs.allSatisfy { $0 == 0 })
    #expect(run.bench.now < .seconds(60))
  }

  @Test func theBandsThatAreWantedAreWrittenOnceAndOnlyWhereTheyDiffer() throws {
    var story = FaultStory(seed: 1, transport: .mqtt, packets: [.zero, .seconds(100), .seconds(200)])
    story.driver.idle = .off
    story.driver.catMBands = try #require(bands("3,8,20"))
    // As the module leaves the factory, in another order.
    story.driver.narrowBands = try #require(bands("28,26,20,19,18,17,13,12,8,5,3,2,1"))
    let run = FaultRun(story)
    var sent: [UInt8] = []
    run.bench.listener = { _, isToModule, bytes in if isToModule { sent += bytes } }
    #expect(run.run().isGood)
    let commands = String(decoding: sent, as: UTF8.self).split(separator: "\r").filter { $0.hasPrefix("AT+CBANDCFG") }
    let query = "AT+CBANDCFG?"
    #expect(commands == [query[...], "AT+CBANDCFG=\"CAT-M\",3,8,20", query[...], query[...]])
  }

  @Test func aModemThatKnowsNoBandsDeliversAllTheSame() throws {
    var story = FaultStory(seed: 1, transport: .http)
    story.driver.catMBands = try #require(bands("20"))
    story.module.dialect.refused = ["+CBANDCFG"]
    let run = FaultRun(story)
    #expect(run.run().isGood)
    #expect(run.bench.now < .seconds(60))
  }

  @Test(arguments: ["", "0", "128", "3,", ",3", "3,,8", "3;8", "3 8", "999999999999999999999"])
  func whatIsNoListOfBandsIsRefused(text: String) { #expect(bands(text) == nil) }

  private func bands(_ text: String) -> BandSet? {
    let bytes = Array(text.utf8)
    return BandSet(bytes.span)
  }
}

import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

@Suite struct FaultMatrixTests {
  /// The whole matrix takes seconds in a release build (`leash modem faults`) and minutes here: each fault strikes in every
  /// eighth state, in others by each transport.
  private static let stride = 8

  @Test(arguments: ModemTransport.allCases)
  func everyFaultIsRecoveredFromWithinTenMinutes(transport: ModemTransport) throws {
    let undisturbed = try #require(UndisturbedDelivery(by: transport))
    for (faultPlace, fault) in ModemFault.all.enumerated() {
      let limit = max(Interval.seconds(600), fault.lasting ?? .zero)
      for (place, moment) in undisturbed.moments.enumerated()
      where (place + faultPlace + Int(transport.rawValue)) % FaultMatrixTests.stride == 0 {
        let disturbed = undisturbed.disturbed(by: fault, at: moment)
        #expect(disturbed.outcome.struck == 1, "\(fault) at \(moment.name) never came")
        let delay = disturbed.delay ?? limit
        #expect(delay < limit, "\(transport), \(fault) at \(moment.name): \(disturbed.outcome)")
        let excess = try #require(FaultBound.of(fault)).exceeded(by: FaultCost(disturbed))
        #expect(excess.isEmpty, "\(transport), \(fault) at \(moment.name): \(excess)")
      }
    }
  }

  @Test(arguments: ModemTransport.allCases)
  func aDeliveryGoesThroughItsExchangesAndArrivesTwice(transport: ModemTransport) throws {
    let undisturbed = try #require(UndisturbedDelivery(by: transport))
    #expect(undisturbed.moments.contains(.phase(.pressing)))
    #expect(undisturbed.moments.contains(.phase(.running)))
    #expect(undisturbed.moments.contains(.step(.echoSet)))
    #expect(undisturbed.moments.count > 20)
    #expect(undisturbed.acknowledgements.count == 2)
  }

  @Test func aFaultThatConcernsAnotherTransportDelaysNothing() throws {
    let undisturbed = try #require(UndisturbedDelivery(by: .sms))
    let disturbed = undisturbed.disturbed(by: .mqttDropped, at: .phase(.running))
    #expect(disturbed.outcome.struck == 1)
    #expect(disturbed.delay == .zero)
  }

  @Test func aResetBeforeTheAcknowledgementCostsAtLeastAStart() throws {
    let undisturbed = try #require(UndisturbedDelivery(by: .http))
    let disturbed = undisturbed.disturbed(by: .spontaneousReset(afterBytes: 0), at: .step(.httpRequest))
    #expect(try #require(disturbed.delay) > .seconds(4))
  }

  @Test func aPacketIsFastFromEveryRest() throws {
    for transport in ModemTransport.allCases {
      // The card is ready for messages later than for data, and the network takes its time to accept one.
      let isMessage = transport == .sms
      let off = try #require(PacketCost(by: transport, from: .off))
      #expect(off.time <= .milliseconds(isMessage ? 11_000 : 8_000), "\(transport) \(off.time)")
      // Nearly all of a search is waited for, and nothing else.
      #expect(off.searching > .seconds(9) && off.searching <= PacketCost.search + .seconds(1), "\(transport)")
      #expect(off.microcoulombs < (try #require(off.wholeMicrocoulombs)), "\(transport)")
      let connected = try #require(PacketCost(by: transport, from: .connected))
      #expect(connected.time <= .seconds(2) && connected.searching == .zero, "\(transport)")
      #expect(connected.microcoulombs * 2 < off.microcoulombs, "\(transport)")
      for rest in [ModemRest.asleep, .listening] {
        let asleep = try #require(PacketCost(by: transport, from: rest))
        #expect(
          asleep.time <= .milliseconds(isMessage ? 2_300 : 1_500) && asleep.searching == .zero, "\(transport) \(rest)")
      }
      let saving = try #require(PacketCost(by: transport, from: .powerSaving))
      #expect(saving.time <= .milliseconds(isMessage ? 11_000 : 8_000), "\(transport) \(saving.time)")
      // The modem only has to come back to the network that it knows.
      #expect(saving.searching <= .milliseconds(1_100), "\(transport) \(saving.searching)")
    }
  }
}

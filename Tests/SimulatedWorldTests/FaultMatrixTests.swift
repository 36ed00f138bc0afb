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

  @Test func aPacketThatFindsItsSessionOpenCostsFarLess() throws {
    for transport in ModemTransport.allCases {
      let cost = try #require(PacketCost(by: transport))
      #expect(cost.warmMicrocoulombs * 4 < cost.coldMicrocoulombs, "\(transport)")
      #expect(cost.coldMicrocoulombs < cost.wholeMicrocoulombs, "\(transport)")
    }
  }
}

import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

@Suite struct FaultMatrixTests {
  /// The exchanges and phases a transport goes through without faults.
  static func moments(of transport: ModemTransport) -> [FaultMoment] {
    let run = FaultRun(FaultStory(seed: 1, transport: transport, packets: [.zero, .seconds(60)]))
    var steps: [ModemStep] = []
    var phases: [ModemPhase] = []
    let collector = Collector()
    run.bench.listener = { _, _, _ in collector.note(run) }
    _ = run.run()
    steps = collector.steps
    phases = collector.phases
    return phases.map { .phase($0) } + steps.map { .step($0) }
  }

  final class Collector {
    var steps: [ModemStep] = []
    var phases: [ModemPhase] = []
    func note(_ run: FaultRun) {
      let modem = run.bench.driver.modem.step
      if let modem, !steps.contains(modem) { steps.append(modem) }
      let phase = run.bench.driver.modem.phase
      if !phases.contains(phase) { phases.append(phase) }
    }
  }

  @Test(arguments: ModemTransport.allCases)
  func everyFaultInEveryStateIsRecoveredFrom(transport: ModemTransport) {
    let moments = FaultMatrixTests.moments(of: transport)
    for fault in ModemFault.all {
      var worst = 0.0
      for (place, moment) in moments.enumerated() {
        let story = FaultStory(
          seed: UInt64(place + 1), transport: transport, packets: [.zero, .seconds(60)],
          faults: [PlannedFault(fault, at: moment)])
        let outcome = FaultRun(story).run()
        #expect(outcome.isGood, "\(fault) at \(moment): \(outcome)")
        worst = max(worst, outcome.recovery?.secondsDouble ?? 0)
      }
      print(transport, fault.number, fault.name, moments.count, worst)
    }
  }
}

import Quantities
import SIM7000

/// What one packet costs: time, and the charge the driver's ledger books for it.
package struct PacketCost: Equatable, Sendable {
  /// The way.
  package let transport: ModemTransport
  /// From the hand-over to the acknowledgement, the modem being off at first.
  package let coldTime: Interval
  /// Charge up to the acknowledgement, µC.
  package let coldMicrocoulombs: Int64
  /// From the hand-over until the modem is off again.
  package let wholeTime: Interval
  /// Charge until it is off again, µC.
  package let wholeMicrocoulombs: Int64
  /// The same up to the acknowledgement for a packet that finds the session open.
  package let warmTime: Interval
  /// Its charge, µC.
  package let warmMicrocoulombs: Int64

  /// Sends the packets; nil when one does not arrive.
  package init?(by transport: ModemTransport, seed: UInt64 = 1) {
    self.transport = transport
    var story = FaultStory(seed: seed, transport: transport)
    story.driver.idle = .off
    let bench = FaultRun(story).bench
    guard let cold = PacketCost.send(1, by: transport, on: bench),
      bench.run(until: bench.now + .seconds(300), while: { $0.driver.modem.phase != .off })
    else { return nil }
    coldTime = cold.time
    coldMicrocoulombs = cold.microcoulombs
    wholeTime = bench.now - .zero
    wholeMicrocoulombs = bench.driver.modem.energy.microcoulombs
    story.driver.idle = .awake
    let awake = FaultRun(story).bench
    guard PacketCost.send(1, by: transport, on: awake) != nil else { return nil }
    awake.run(until: .seconds(100))
    guard let warm = PacketCost.send(2, by: transport, on: awake) else { return nil }
    warmTime = warm.time
    warmMicrocoulombs = warm.microcoulombs
  }

  private static func send(
    _ ticket: UInt32, by transport: ModemTransport, on bench: ModemBench
  ) -> (time: Interval, microcoulombs: Int64)? {
    let began = bench.now
    let before = bench.driver.modem.energy.microcoulombs
    guard bench.submit(FaultRun.payload(ticket), ticket: ticket, by: transport),
      bench.run(until: began + .seconds(600), while: { !$0.driver.modem.isFree }),
      bench.actions.contains(where: { $0.action == .delivered(ticket: ticket) })
    else { return nil }
    return (bench.now - began, bench.driver.modem.energy.microcoulombs - before)
  }
}

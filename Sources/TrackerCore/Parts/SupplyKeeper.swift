import Quantities
import Telemetry

/// What the tracker lives on.
struct SupplyKeeper: TrackerPart {
  /// The last reading of the power supply.
  private(set) var last: SupplyReading?
  private var lifetime: Interval

  init(_ configuration: TrackerConfiguration) { lifetime = configuration.reports.supplyLifetime }

  mutating func configure(_ configuration: TrackerConfiguration) { lifetime = configuration.reports.supplyLifetime }

  /// Takes a reading in; one that is older than the last changes nothing.
  mutating func process(_ reading: SupplyReading, _ journal: inout TrackerJournal) {
    if last.map({ $0.time <= reading.time }) ?? true { last = reading }
  }

  func describe(in packet: inout Packet) {
    if let last, packet.time - last.time <= lifetime, !last.supply.isEmpty { packet.supply = last.supply }
  }
}

import Quantities
import Telemetry

/// What the tracker lives on.
struct SupplyKeeper: TrackerPart {
  /// The last reading of the power supply.
  private(set) var last: SupplyReading?
  /// Whether there was power from outside when a reading told that last; nil before the first in this life.
  private var isExternal: Bool?
  private var lifetime: Interval

  init(_ configuration: TrackerConfiguration) { lifetime = configuration.reports.supplyLifetime }

  mutating func configure(_ configuration: TrackerConfiguration) { lifetime = configuration.reports.supplyLifetime }

  /// Takes a reading in; one that is older than the last changes nothing.
  mutating func process(_ reading: SupplyReading, _ journal: inout TrackerJournal) {
    guard last.map({ $0.time <= reading.time }) ?? true else { return }
    last = reading
    guard let shown = reading.supply.isExternal else { return }
    if let isExternal, shown != isExternal { journal.emit(shown ? .powerRestored : .powerLost, at: journal.now) }
    isExternal = shown
  }

  func describe(in packet: inout Packet) {
    if let last, packet.time - last.time <= lifetime, !last.supply.isEmpty { packet.supply = last.supply }
  }
}

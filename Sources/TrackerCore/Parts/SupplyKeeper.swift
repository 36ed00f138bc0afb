import Quantities
import Telemetry

/// What the tracker lives on.
struct SupplyKeeper: TrackerPart {
  /// The last reading of the power supply.
  private(set) var last: SupplyReading?
  /// Whether there is power from outside, as the owner knows it; nil before the first reading that tells in this life.
  private var isExternal: Bool?
  /// Since when readings say otherwise.
  private var otherwiseSince: Instant?
  private var lifetime: Interval
  private var powerDelay: Interval

  init(_ configuration: TrackerConfiguration) {
    lifetime = configuration.reports.supplyLifetime
    powerDelay = configuration.reports.powerDelay
  }

  mutating func configure(_ configuration: TrackerConfiguration) {
    lifetime = configuration.reports.supplyLifetime
    powerDelay = configuration.reports.powerDelay
  }

  /// Takes a reading in; one that is older than the last changes nothing.
  mutating func process(_ reading: SupplyReading, _ journal: inout TrackerJournal) {
    guard last.map({ $0.time <= reading.time }) ?? true else { return }
    last = reading
    guard let shown = reading.supply.isExternal else { return }
    guard let isExternal, shown != isExternal else {
      isExternal = shown
      otherwiseSince = nil
      return
    }
    let since = otherwiseSince ?? reading.time
    otherwiseSince = since
    guard reading.time - since >= powerDelay else { return }
    journal.emit(shown ? .powerRestored : .powerLost, at: journal.now)
    self.isExternal = shown
    otherwiseSince = nil
  }

  func describe(in packet: inout Packet) {
    if let last, packet.time - last.time <= lifetime, !last.supply.isEmpty { packet.supply = last.supply }
  }
}

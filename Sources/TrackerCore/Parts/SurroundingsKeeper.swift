import Quantities
import Telemetry

/// What is read around the tracker and only told: the mobile network and the temperature.
struct SurroundingsKeeper: TrackerPart {
  private var network: NetworkReading?
  private var temperature: TemperatureReading?
  private var lifetime: Interval

  init(_ configuration: TrackerConfiguration) { lifetime = configuration.reports.supplyLifetime }

  mutating func configure(_ configuration: TrackerConfiguration) { lifetime = configuration.reports.supplyLifetime }

  /// Takes a reading in; one that is older than the last changes nothing.
  mutating func process(_ reading: NetworkReading, _ journal: inout TrackerJournal) {
    if network.map({ $0.time <= reading.time }) ?? true { network = reading }
  }

  /// Takes a reading in; one that is older than the last changes nothing.
  mutating func process(_ reading: TemperatureReading, _ journal: inout TrackerJournal) {
    if temperature.map({ $0.time <= reading.time }) ?? true { temperature = reading }
  }

  func describe(in packet: inout Packet) {
    if let network, packet.time - network.time <= lifetime {
      packet.readings[.signal] = network.signalDBm.map { Int64($0) }
      packet.cell = network.cell
    }
    if let temperature, packet.time - temperature.time <= lifetime {
      packet.readings[.temperature] = Int64(temperature.decidegrees)
    }
  }
}

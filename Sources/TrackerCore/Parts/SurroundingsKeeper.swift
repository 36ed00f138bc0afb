import Quantities
import Telemetry

/// What is read around the tracker and only told: the mobile network and the temperature.
struct SurroundingsKeeper: TrackerPart {
  private var network: NetworkReading?
  private var temperature: TemperatureReading?
  private var lifetime: Interval

  init(_ configuration: TrackerConfiguration) { lifetime = configuration.readings.lifetime }

  mutating func configure(_ configuration: TrackerConfiguration) { lifetime = configuration.readings.lifetime }

  mutating func process(_ reading: Reading, _ journal: inout TrackerJournal) {
    switch reading {
    case .network(let reading): SurroundingsKeeper.keep(reading, &network)
    case .temperature(let reading): SurroundingsKeeper.keep(reading, &temperature)
    default: break
    }
  }

  private static func keep<Content: ReadingContent>(_ reading: Content, _ last: inout Content?) {
    if last.map({ $0.time <= reading.time }) ?? true { last = reading }
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

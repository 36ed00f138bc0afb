import ModemSimulation
import Telemetry

extension VirtualNetwork {
  /// A network with the servers that the driver of `FaultStory` is set up for.
  ///
  /// - Parameter format: How packets are written. A server for a form of other makers answers as theirs do, and knows nothing of numbers.
  static func withServers(seed: UInt64, format: PacketFormat = .json) -> VirtualNetwork {
    let behaviour: HTTPBehaviour =
      switch format {
      case .json: .acknowledging
      case .ownTracks, .ownTracksCompact: .fixed(HTTPAnswer(text: "[]"))
      case .osmAnd, .traccar, .minimal, .text: .fixed(HTTPAnswer())
      }
    var network = VirtualNetwork(seed: seed)
    network.add(HTTPServer(host: "track.example", port: 8080, behaviour: behaviour))
    network.add(SocketServer(host: "track.example", port: 5000))
    network.add(MQTTBroker(host: "broker.example", port: 1883))
    return network
  }
}

import ModemSimulation

extension VirtualNetwork {
  /// A network with the servers that the driver of `FaultStory` is set up for.
  static func withServers(seed: UInt64) -> VirtualNetwork {
    var network = VirtualNetwork(seed: seed)
    network.add(HTTPServer(host: "track.example", port: 8080))
    network.add(SocketServer(host: "track.example", port: 5000))
    network.add(MQTTBroker(host: "broker.example", port: 1883))
    return network
  }
}

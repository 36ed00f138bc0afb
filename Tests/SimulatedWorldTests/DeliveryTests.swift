import FaultInjection
import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// A bench with servers for every transport.
func makeBench(
  seed: UInt64 = 1, line: LineFaultRates = .none, _ change: (inout SIM7000.ModemConfiguration) -> Void = { _ in },
  _ module: (inout ModemSimulation.ModemConfiguration) -> Void = { _ in }
) -> ModemBench {
  var driver = SIM7000.ModemConfiguration()
  driver.accessPoint = AccessPointName("iot.example") ?? driver.accessPoint
  driver.httpServer = ServerAddress("http://track.example:8080") ?? driver.httpServer
  driver.httpPath = ModemText("/pub") ?? driver.httpPath
  driver.mqttHost = ServerAddress("broker.example") ?? driver.mqttHost
  driver.tcpHost = ServerAddress("track.example") ?? driver.tcpHost
  driver.smsNumber = TelephoneNumber("+31600000000") ?? driver.smsNumber
  change(&driver)
  var configuration = ModemSimulation.ModemConfiguration()
  module(&configuration)
  var network = VirtualNetwork(seed: seed)
  network.add(HTTPServer(host: "track.example", port: 8080))
  network.add(SocketServer(host: "track.example", port: 5000))
  network.add(MQTTBroker(host: "broker.example", port: 1883))
  return ModemBench(
    driver: driver, module: SimulatedModem(configuration, seed: seed), network: network, line: line, seed: seed)
}

@Suite struct DeliveryTests {
  @Test(arguments: ModemTransport.allCases)
  func aPacketGetsFromASwitchedOffModemToTheServer(transport: ModemTransport) {
    let bench = makeBench()
    var dialogue = ""
    bench.listener = { time, isToModule, bytes in
      dialogue +=
        "\(time.secondsDouble) \(isToModule ? ">>" : "<<") \(String(decoding: bytes, as: UTF8.self).debugDescription)\n"
    }
    #expect(bench.submit(Array("{\"sequence\":7}".utf8), ticket: 7, by: transport))
    let isDone = bench.run(until: .seconds(300)) { !$0.isFinished(7) }
    #expect(isDone)
    if !isDone || bench.actions.contains(where: { if case .recovery = $0.action { true } else { false } }) {
      print(transport, dialogue.suffix(6000))
      print(bench.actions.map { "\($0.time.secondsDouble) \($0.action)" }.joined(separator: "\n"))
    }
    #expect(bench.network.received.filter { $0.text.contains("sequence") }.count == 1)
  }
}

extension ModemBench {
  func isFinished(_ ticket: UInt32) -> Bool { actions.contains { $0.action == .delivered(ticket: ticket) } }
}

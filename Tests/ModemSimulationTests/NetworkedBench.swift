import ModemSimulation
import Quantities

/// A modem on a bench with a network behind it.
struct NetworkedBench {
  /// The modem.
  var modem: SimulatedModem
  /// The network, with servers at 10.0.0.5.
  var network: VirtualNetwork
  /// Virtual time.
  var now: Instant = .zero
  /// What came since the last look.
  var wire: [UInt8] = []
  /// Everything that left for the network.
  var requests: [NetworkRequest] = []

  /// A modem that has been on for long and speaks without echo; every exchange with a server takes 100 ms.
  init(profile: ModemProfile = .b05, _ change: (inout SimulatedModemConfiguration) -> Void = { _ in }) {
    var configuration = SimulatedModemConfiguration(profile: profile)
    configuration.startsPoweredOff = false
    change(&configuration)
    modem = SimulatedModem(configuration, seed: 1)
    network = VirtualNetwork(seed: 1, latency: NetworkLatency(always: .milliseconds(100)))
    network.add(HTTPServer(host: "10.0.0.5", port: 8080, behaviour: .fixed(HTTPAnswer(text: "{\"ok\":true}"))))
    network.add(SocketServer(host: "10.0.0.5", port: 5000, behaviour: .acknowledging))
    network.add(SocketServer(host: "10.0.0.5", port: 7, behaviour: .echo))
    network.add(SocketServer(host: "10.0.0.5", port: 7, isUDP: true, behaviour: .echo))
    network.add(MQTTBroker(host: "10.0.0.5"))
    _ = exchange("ATE0")
  }

  /// Lets time pass for both.
  mutating func wait(_ interval: Interval) {
    let end = now + interval
    pump()
    while let next = [modem.nextDeadline, network.nextDeadline].compactMap({ $0 }).min(), next <= end {
      now = max(now, next)
      pump()
    }
    now = end
    pump()
  }

  /// Waits a number of milliseconds.
  mutating func wait(_ milliseconds: Int) { wait(.milliseconds(milliseconds)) }

  private mutating func pump() {
    modem.advance(to: now)
    network.advance(to: now)
    var isBusy = true
    while isBusy {
      isBusy = false
      wire += modem.takeOutput()
      while let request = modem.nextRequest() {
        requests.append(request)
        network.take(request, at: now)
        isBusy = true
      }
      while let reply = network.nextReply() {
        modem.deliver(reply, at: now)
        isBusy = true
      }
    }
  }

  /// Types bytes without waiting.
  mutating func type(_ bytes: [UInt8]) {
    modem.receive(bytes, at: now)
    pump()
  }

  /// Types text without waiting.
  mutating func type(_ text: String) { type(Array(text.utf8)) }

  /// Types a command, waits, and gives what came meanwhile.
  mutating func exchange(_ command: String, for milliseconds: Int = 60) -> String {
    wire = []
    type(command + "\r")
    wait(milliseconds)
    return take()
  }

  /// Types a payload, waits, and gives what came meanwhile.
  mutating func payload(_ text: String, for milliseconds: Int = 60) -> String {
    wire = []
    type(text)
    wait(milliseconds)
    return take()
  }

  /// What came since the last look.
  mutating func take() -> String {
    defer { wire = [] }
    return String(decoding: wire, as: UTF8.self)
  }

  /// Something goes wrong.
  mutating func apply(_ fault: ModemFault) {
    modem.apply(fault, at: now)
    pump()
  }

  /// Brings the application network up.
  mutating func activate() {
    _ = exchange("AT+CNACT=1,\"iot.example\"", for: 1000)
  }

  /// Connects the HTTP session to 10.0.0.5:8080.
  mutating func connectHTTP() {
    activate()
    _ = exchange("AT+SHCONF=\"URL\",\"http://10.0.0.5:8080\"")
    _ = exchange("AT+SHCONF=\"BODYLEN\",1024")
    _ = exchange("AT+SHCONF=\"HEADERLEN\",350")
    _ = exchange("AT+SHCONN", for: 500)
  }

  /// Connects the MQTT session to 10.0.0.5.
  mutating func connectMQTT(_ settings: String...) {
    activate()
    _ = exchange("AT+SMCONF=\"URL\",\"10.0.0.5\",\"1883\"")
    _ = exchange("AT+SMCONF=\"CLIENTID\",\"trk-01\"")
    for setting in settings { _ = exchange("AT+SMCONF=\(setting)") }
    _ = exchange("AT+SMCONN", for: 500)
  }

  /// Brings the toolkit up with an address.
  mutating func openToolkit(_ settings: String = "") {
    if !settings.isEmpty { _ = exchange(settings) }
    _ = exchange("AT+CSTT=\"iot.example\",\"\",\"\"")
    _ = exchange("AT+CIICR", for: 1000)
    _ = exchange("AT+CIFSR")
  }
}

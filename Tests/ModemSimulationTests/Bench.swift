import ModemSimulation
import Quantities

/// A modem on a bench: a host that types, and a wire on which everything that comes is written down.
struct Bench {
  /// The modem.
  var modem: SimulatedModem
  /// Virtual time.
  var now: Instant = .zero
  /// What came since the last look.
  var wire: [UInt8] = []
  /// The requests that left for the network.
  var requests: [NetworkRequest] = []

  /// A modem with its power key still untouched.
  init(_ configuration: SimulatedModemConfiguration = .init(), seed: UInt64 = 1) {
    modem = SimulatedModem(configuration, seed: seed)
    collect()
  }

  /// A modem that has been on for long and speaks without echo.
  static func running(_ change: (inout SimulatedModemConfiguration) -> Void = { _ in }) -> Bench {
    var configuration = SimulatedModemConfiguration()
    configuration.startsPoweredOff = false
    change(&configuration)
    var bench = Bench(configuration)
    _ = bench.exchange("ATE0")
    return bench
  }

  /// Lets time pass, taking the output as it comes.
  mutating func wait(_ interval: Interval) {
    let end = now + interval
    while let next = modem.nextDeadline, next <= end {
      now = max(now, next)
      modem.advance(to: now)
      collect()
    }
    now = end
    modem.advance(to: now)
    collect()
  }

  /// Types bytes without waiting.
  mutating func type(_ text: String) {
    modem.receive(Array(text.utf8), at: now)
    collect()
  }

  /// Types a command, waits, and gives what came meanwhile.
  mutating func exchange(_ command: String, for time: Interval = .milliseconds(100)) -> String {
    wire = []
    type(command + "\r")
    wait(time)
    return take()
  }

  /// What came since the last look.
  mutating func take() -> String {
    defer { wire = [] }
    return String(decoding: wire, as: UTF8.self)
  }

  /// Presses a pin.
  mutating func press(_ pin: ModemPin, for time: Interval) {
    modem.set(pin, low: true, at: now)
    wait(time)
    modem.set(pin, low: false, at: now)
    collect()
  }

  /// Presses the power key and waits until the modem is registered.
  mutating func powerUp() {
    press(.powerKey, for: .milliseconds(1_100))
    wait(.seconds(25))
    wire = []
  }

  /// The network's answer.
  mutating func deliver(_ reply: NetworkReply) {
    modem.deliver(reply, at: now)
    collect()
  }

  private mutating func collect() {
    wire += modem.takeOutput()
    while let request = modem.nextRequest() { requests.append(request) }
  }
}

/// Carriage return and line feed around each text, as the modem frames lines.
func lines(_ texts: String...) -> String { texts.map { "\r\n\($0)\r\n" }.joined() }

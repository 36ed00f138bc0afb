import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld

/// `leash modem faults`: every fault in every state of a delivery, and how long it takes to get over it.
enum ModemFaultsCommand {
  static let transport = Option<TransportName>("transport", "NAME", "One way to the server. Without it: all six.")
  static let seed = Option<UInt64>("seed", "S", default: 1, "The seed of the world.")
  static let jobs = Option<Int>("jobs", "J", "How many rows at once. Without it: as many as there are processors.")
  static let json = Flag("json", "One JSON object for each fault and transport.")
  static let markdown = Flag("markdown", "The tables of docs/modem.md.")

  static let command = Command(
    "faults", "Try every fault in every state of a delivery",
    discussion: """
      Two packets go a minute apart from a modem that is off, and the fault strikes at the first time of each phase of the \
      modem's power, each exchange, and the rest between the packets. The delay is how much later than without it a packet was \
      acknowledged. Ends with 1 when a packet did not arrive.
      """,
    parameters: [.option(transport), .option(seed), .option(jobs), .flag(json), .flag(markdown)]
  ) { arguments, console throws(CommandFailure) in
    let threads = arguments[jobs] ?? processorCount()
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    guard !arguments[json] || !arguments[markdown] else {
      throw .usage("'--json' and '--markdown' exclude each other")
    }
    let transports = arguments[transport].map { [$0.transport] } ?? ModemTransport.allCases
    var line = ProgressLine(console, delay: 500_000)
    let table = try FaultTable(transports, seed: arguments[seed] ?? 1, threads: threads) { done, count in
      line.update("\(done) of \(count) rows")
    }
    line.clear()
    if arguments[json] {
      console.out.write(table.json)
    } else {
      console.out.write(arguments[markdown] ? table.markdown : table.text)
    }
    for failure in table.failures { console.err.writeLine("leash modem faults: \(failure)") }
    return table.failures.isEmpty ? .success : .checkFailed
  }
}

/// The transports by name.
enum TransportName: String, ArgumentValue, CaseIterable, Sendable {
  case http
  case legacyHTTP
  case mqtt
  case tcp
  case applicationTCP
  case sms

  /// The driver's own.
  var transport: ModemTransport {
    switch self {
    case .http: .http
    case .legacyHTTP: .legacyHTTP
    case .mqtt: .mqtt
    case .tcp: .tcp
    case .applicationTCP: .applicationTCP
    case .sms: .sms
    }
  }
}

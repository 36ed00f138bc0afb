import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld

/// `leash modem faults`: every fault in every state of a delivery, and how long it takes to get over it.
enum ModemFaultsCommand {
  static let transport = Option<TransportName>("transport", "NAME", "Test only this transport. Default: all six.")
  static let seed = Option<UInt64>("seed", "S", default: 1, "Seed of the simulation.")
  static let jobs = Option<Int>("jobs", "J", "Number of rows in parallel. Default: the number of processors.")
  static let json = Flag("json", "Print one JSON object for each fault and transport.")
  static let markdown = Flag("markdown", "Print the tables of docs/modem.md.")

  static let command = Command(
    "faults", "Test every fault in every state of a delivery",
    discussion: """
      Sends two packets a minute apart from a modem that is off. Each fault is injected at the first occurrence of each \
      phase of the modem's power, each exchange, and the pause between the packets. The delay is how much later a \
      packet was acknowledged than without the fault. Exits with 1 if a packet did not arrive.
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

import Quantities
import Recording
import SIM7000
import SimulatedWorld

/// `leash simulate --delays`: from a theft to the server, by the modem's state of idleness and the weather of the network.
enum DelayTable {
  private static let transports: [ModemTransport] = [.http, .mqtt, .tcp, .applicationTCP, .legacyHTTP]

  /// What is asked for from a theft to the server in good weather, s.
  private static let limit = 20.0

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    let threads = arguments[SimulateCommand.jobs] ?? processorCount()
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    let runs = arguments.isGiven("runs") ? arguments[SimulateCommand.runs] ?? 1 : 40
    guard 1...100_000 ~= runs else { throw .usage("option '--runs': \(runs) is not from 1 to 100000") }
    let first = arguments[SimulateCommand.seed] ?? 1
    guard first <= .max - 20_000_000 else { throw .usage("option '--seed': \(first) is too large") }
    var trials: [AlertDelay] = []
    for idle in IdleName.allCases {
      for weather in NetworkWeather.allCases {
        for transport in transports {
          for number in 0..<runs {
            trials.append(
              AlertDelay(idle: idle.policy, weather: weather, transport: transport, seed: first + UInt64(number)))
          }
        }
      }
    }
    let all = trials
    let pool = WorkerPool<AlertDelay.Outcome?>(count: all.count) { job in
      (try? all[job].live()) ?? nil
    }
    var line = ProgressLine(console, delay: 500_000)
    let outcomes = try pool.run(threads: threads) { done in
      line.update("\(TimeText.count(done)) of \(TimeText.count(all.count)) thefts")
    }
    line.clear()
    var rows: [Row] = []
    for idle in IdleName.allCases {
      for weather in NetworkWeather.allCases {
        var row = Row(idle: idle.rawValue, weather: weather)
        for (trial, outcome) in zip(all, outcomes) where trial.idle == idle.policy && trial.weather == weather {
          if let outcome = outcome ?? nil { row.outcomes.append(outcome) } else { row.missing += 1 }
        }
        rows.append(row)
      }
    }
    if arguments[SimulateCommand.json] {
      for row in rows { console.out.writeLine(row.json) }
    } else {
      console.out.writeLine(
        "| modem idle | network | thefts | never | told, s: median | worst | at the server, s: median | 99 % | worst |")
      console.out.writeLine("|---|---|---:|---:|---:|---:|---:|---:|---:|")
      for row in rows { console.out.writeLine(row.markdown) }
    }
    let isGood = rows.allSatisfy { row in
      row.missing == 0 && (row.weather != .good || row.idle != "awake" || row.there(0.99) <= limit)
    }
    return isGood ? .success : .checkFailed
  }

  private struct Row {
    let idle: String
    let weather: NetworkWeather
    var outcomes: [AlertDelay.Outcome] = []
    /// Of which no alert came.
    var missing = 0

    func told(_ share: Double) -> Double { value(share, outcomes.map(\.told)) }
    func there(_ share: Double) -> Double { value(share, outcomes.map(\.there)) }

    private func value(_ share: Double, _ values: [Double]) -> Double {
      values.isEmpty ? .infinity : LifeTally.quantile(share, of: values.sorted())
    }

    private func text(_ value: Double) -> String { value.isFinite ? TimeText.decimal(value, 1) : "" }

    var markdown: String {
      let numbers = [told(0.5), told(1), there(0.5), there(0.99), there(1)].map(text).joined(separator: " | ")
      return
        "| `\(idle)` | \(weather.rawValue) | \(TimeText.count(outcomes.count + missing)) | \(missing) | \(numbers) |"
    }

    var json: String {
      func number(_ value: Double) -> String { value.isFinite ? TimeText.decimal(value, 3) : "null" }
      return
        "{\"idle\":\"\(idle)\",\"network\":\"\(weather.rawValue)\",\"thefts\":\(outcomes.count + missing),\"never\":\(missing),"
        + "\"told\":{\"median\":\(number(told(0.5))),\"worst\":\(number(told(1)))},"
        + "\"there\":{\"median\":\(number(there(0.5))),\"p99\":\(number(there(0.99))),\"worst\":\(number(there(1)))}}"
    }
  }
}

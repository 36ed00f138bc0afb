import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld

/// The matrix of faults and states, as text, JSON and Markdown.
struct FaultTable: Sendable {
  /// Fault by fault, each with its transports in order.
  let rows: [FaultMatrixRow]
  private let transports: [ModemTransport]
  private let seed: UInt64

  /// Tries them.
  ///
  /// - Parameters:
  ///   - transports: The ways to try.
  ///   - faults: The faults to try.
  ///   - seed: The seed of the world.
  ///   - threads: How many rows at once.
  ///   - watch: Told how many rows are done, of how many.
  init(
    _ transports: [ModemTransport], faults: [ModemFault] = ModemFault.all, seed: UInt64 = 1, threads: Int,
    watch: (Int, Int) -> Void = { _, _ in }
  ) throws(CommandFailure) {
    var undisturbed: [UndisturbedDelivery] = []
    for transport in transports {
      guard let delivery = UndisturbedDelivery(by: transport, seed: seed) else {
        throw .check("\(transport): two packets do not arrive even without a fault (seed \(seed))")
      }
      undisturbed.append(delivery)
    }
    let cells = faults.flatMap { fault in undisturbed.map { (fault, $0) } }
    let pool = WorkerPool(count: cells.count) { FaultMatrixRow(cells[$0].0, in: cells[$0].1) }
    rows = try pool.run(threads: threads) { watch($0, cells.count) }.compactMap { $0 }
    self.transports = transports
    self.seed = seed
  }

  /// One line for each delivery in which a packet did not arrive, or that cost more than it may.
  var failures: [String] {
    rows.flatMap { row in
      row.failures.map { failure in
        "\(row.transport), F\(row.fault.number) \(row.fault.name) at \(failure.moment.name): missing "
          + "\(failure.outcome.missing), lost \(failure.outcome.lost)"
      } + excesses(of: row)
    }
  }

  private func excesses(of row: FaultMatrixRow) -> [String] {
    row.deliveries.compactMap { delivery in
      let words = FaultBound.of(row.fault)?.exceeded(by: FaultCost(delivery)) ?? ["no bounds"]
      guard !words.isEmpty else { return nil }
      return "\(row.transport), F\(row.fault.number) \(row.fault.name) at \(delivery.moment.name): "
        + words.joined(separator: ", ")
    }
  }

  // MARK: Text

  /// A table for each transport.
  var text: String {
    var text = ""
    for transport in transports {
      text += (text.isEmpty ? "" : "\n") + "\(transport)\n"
      var table = TextTable(
        ("fault", .left), ("states", .right), ("median", .right), ("worst", .right), ("worst at", .left),
        ("again", .right), ("rungs", .left))
      for row in rows where row.transport == transport {
        table.add(
          "F\(row.fault.number) \(row.fault.name)", "\(row.states)", FaultTable.seconds(row.median),
          FaultTable.seconds(row.worst?.delay ?? .zero), row.worst?.moment.name ?? "", "\(row.duplicates)",
          FaultTable.rungs(row.rungs))
      }
      text += table.text()
    }
    return text + "\nDelays in seconds; again: how often a server got a packet twice.\n"
  }

  /// One object for each row.
  var json: String {
    rows.map { row in
      let delays = row.delays.map { TimeText.decimal($0.secondsDouble, 3) }.joined(separator: ",")
      let rungs = RecoveryRung.allCases.map { "\"\($0.name)\":\(row.rungs[Int($0.rawValue)])" }.joined(separator: ",")
      return """
        {"transport":"\(row.transport)","fault":"F\(row.fault.number)","name":"\(row.fault.name)","states":\(row.states),\
        "failed":\(row.failures.count),"median_s":\(TimeText.decimal(row.median.secondsDouble, 3)),\
        "worst_s":\(TimeText.decimal((row.worst?.delay ?? .zero).secondsDouble, 3)),\
        "worst_at":\(jsonString(row.worst?.moment.name ?? "")),"duplicates":\(row.duplicates),"rungs":{\(rungs)},\
        "delays_s":[\(delays)]}

        """
    }.joined()
  }

  // MARK: Markdown

  /// The three tables of the manual.
  var markdown: String {
    let tables = [delayHeader] + faults.map(delayLine) + ["", sumHeader] + faults.map(sumLine)
    return (tables + ["", costHeader] + faults.map(costLine)).map { $0 + "\n" }.joined()
  }

  private var costHeader: String {
    "| fault | seconds after its end | transmissions | radio | resets | power | bytes | reason |\n|---|"
      + String(repeating: "---|", count: 7)
  }

  /// The most that a fault cost in any delivery, and the bound of it.
  func costLine(_ fault: ModemFault) -> String {
    let cost = rows.filter { $0.fault == fault }.reduce(FaultCost()) { $0.worse($1.cost) }
    guard let bound = FaultBound.of(fault) else { return "| F\(fault.number) | without bounds |" }
    let most = bound.most
    let cells = [
      "\(FaultTable.seconds(cost.delay)) of \(FaultTable.seconds(most.delay))",
      "\(cost.transmissions) of \(most.transmissions)", "\(cost.radioCycles) of \(most.radioCycles)",
      "\(cost.resets) of \(most.resets)", "\(cost.powerCycles) of \(most.powerCycles)",
      "\(cost.bytes) of \(most.bytes)", bound.reason,
    ]
    return "| F\(fault.number) | " + cells.joined(separator: " | ") + " |"
  }

  private var faults: [ModemFault] { rows.reduce(into: []) { if !$0.contains($1.fault) { $0.append($1.fault) } } }

  private var delayHeader: String {
    "| fault | lasts | " + transports.map { "\($0)" }.joined(separator: " | ") + " |\n|---|---|"
      + transports.map { _ in "---|" }.joined()
  }

  /// A fault's delays: median and worst for each transport.
  func delayLine(_ fault: ModemFault) -> String {
    let cells = rows.filter { $0.fault == fault }.map { row in
      row.failures.isEmpty
        ? "\(FaultTable.seconds(row.median)) / \(FaultTable.seconds(row.worst?.delay ?? .zero))"
        : "**\(row.failures.count) failed**"
    }
    let lasts = fault.lasting.map { FaultTable.seconds($0) } ?? ""
    return "| F\(fault.number) `\(fault.name)` | \(lasts) | " + cells.joined(separator: " | ") + " |"
  }

  private var sumHeader: String { "| fault | states | worst at | again | rungs climbed |\n|---|---|---|---|---|" }

  /// What a fault did in all transports together.
  func sumLine(_ fault: ModemFault) -> String {
    let rows = rows.filter { $0.fault == fault }
    let states = rows.reduce(0) { $0 + $1.states }
    let duplicates = rows.reduce(0) { $0 + $1.duplicates }
    let rungs = rows.reduce(into: [UInt32](repeating: 0, count: RecoveryRung.allCases.count)) { sum, row in
      for (place, count) in row.rungs.enumerated() { sum[place] += count }
    }
    let worst = rows.filter { $0.worst != nil }.max { ($0.worst?.delay ?? .zero) < ($1.worst?.delay ?? .zero) }
    let place = worst.map { "\($0.transport), \($0.worst?.moment.name ?? "")" } ?? ""
    return "| F\(fault.number) | \(states) | \(place) | \(duplicates) | \(FaultTable.rungs(rungs)) |"
  }

  private static func seconds(_ interval: Interval) -> String {
    TimeText.decimal(interval.secondsDouble, interval < .seconds(10) ? 1 : 0)
  }

  private static func rungs(_ counts: [UInt32]) -> String {
    RecoveryRung.allCases.filter { counts[Int($0.rawValue)] > 0 }.map { "\($0.name) \(counts[Int($0.rawValue)])" }
      .joined(separator: ", ")
  }
}

import Quantities
import SimulatedWorld
import TrackerRuntime

/// What came of many lives.
struct LifeTally {
  private(set) var runs = 0
  private(set) var time = Instant.zero
  private(set) var failures: [LifeResult] = []
  private var sums = LifeReport()
  /// What trackers have forecast, µC, of lives of so many seconds.
  private var forecast = (charge: 0.0, seconds: 0.0)
  /// Lives that came to each rare state.
  private(set) var reached: [RareState: Int] = [:]

  mutating func add(_ result: LifeResult) {
    runs += 1
    let report = result.report
    time = time + (report.end - .zero)
    if !result.isGood { failures.append(result) }
    sums.lives += report.lives
    sums.cuts += report.cuts
    sums.faults.merge(report.faults) { $0 + $1 }
    sums.samples += report.samples
    sums.passedOver += report.passedOver
    sums.ridden += report.ridden
    sums.judgedRides += report.judgedRides
    sums.metres += report.metres
    sums.odometerError = max(sums.odometerError, report.odometerError)
    sums.rides += report.rides
    sums.disturbances += report.disturbances
    sums.thefts += report.thefts
    sums.excused += report.excused
    sums.alerts += report.alerts
    sums.delays += report.delays
    sums.journeys += report.journeys
    sums.packets += report.packets
    sums.received += report.received
    sums.duplicates += report.duplicates
    sums.attempts += report.attempts
    sums.noise += report.noise
    sums.unkept += report.unkept
    sums.microcoulombs += report.microcoulombs
    sums.charges.merge(report.charges) { $0 + $1 }
    if let mean = report.forecast {
      let seconds = report.energy.seconds
      forecast = (forecast.charge + mean * seconds, forecast.seconds + seconds)
    }
    if runs == 1 { sums.energy = report.energy } else { sums.energy.add(report.energy) }
    sums.wakes += report.wakes
    sums.checks.merge(report.checks) { $0 + $1 }
    for state in report.states.marks.keys { reached[state, default: 0] += 1 }
  }

  /// The table for people.
  ///
  /// - Parameter hasEnergy: With the table of charges.
  func text(wallSeconds: Double?, hasEnergy: Bool = false, _ console: Console) -> String {
    var lines: [String] = []
    let hours = time.secondsDouble / 3600
    var line = "\(TimeText.count(runs)) \(runs == 1 ? "life" : "lives"), \(TimeText.decimal(hours, 1)) h simulated"
    if let wallSeconds, wallSeconds > 0.01 {
      line +=
        " in \(TimeText.decimal(wallSeconds, 1)) s, \(TimeText.count(Int(time.secondsDouble / wallSeconds))) × real time"
    }
    lines.append(line)
    lines.append(
      "faults: "
        + sums.faults.sorted { $0.key < $1.key }.map { "\($0.key) \(TimeText.count($0.value))" }.joined(separator: ", ")
    )
    lines.append(
      "power cuts: \(TimeText.count(sums.cuts)); rides: \(TimeText.count(sums.ridden)), told \(TimeText.count(sums.rides)); "
        + "harmless disturbances: \(TimeText.count(sums.disturbances))")
    if sums.metres > 0 {
      lines.append(
        "  \(TimeText.count(sums.judgedRides)) of them held against the truth, \(TimeText.decimal(sums.metres / 1000, 1)) km; "
          + "the odometer was off by \(Int((100 * sums.odometerError).rounded())) % at most of what it may be")
    }
    lines.append(
      "thefts: \(TimeText.count(sums.thefts)), \(TimeText.count(sums.excused)) more while the tracker was off, not armed again, or without a sensor"
    )
    lines.append("  from theft to alert, s: " + LifeTally.spread(sums.delays))
    lines.append("  from alert to server, s: " + LifeTally.spread(sums.journeys))
    lines.append(
      "packets: \(TimeText.count(sums.packets)); the server got \(TimeText.count(sums.received)), \(TimeText.count(sums.duplicates)) of them twice"
    )
    if sums.noise > 0 {
      lines.append("  and \(TimeText.count(sums.noise)) messages of a modem that were no packets")
    }
    if sums.unkept > 0 {
      lines.append("  \(TimeText.count(sums.unkept)) of them sent before the storage confirmed")
    }
    lines.append("charge of the modem: \(LifeTally.charge(sums.microcoulombs)) mAh")
    let charges = sums.charges.filter { $0.value > 0 }.sorted { $0.value > $1.value }
    if !charges.isEmpty {
      lines.append("  " + charges.map { "\($0.key) \(LifeTally.charge($0.value))" }.joined(separator: ", "))
    }
    if sums.energy.asleep > 0 {
      lines.append(
        "the inertial sensor slept for \(TimeText.decimal(sums.energy.asleep / 3600, 1)) h, "
          + "of which \(TimeText.decimal(sums.passedOver / 3600, 1)) h were passed over")
    }
    if sums.wakes > 0 { lines.append("the inertial sensor woke by itself \(TimeText.count(sums.wakes)) times") }
    if hasEnergy {
      let mean = forecast.seconds > 0 ? forecast.charge / forecast.seconds : nil
      lines.append(EnergyTable.text(sums.energy, modem: sums.charges, forecast: mean))
    }
    var table = TextTable(("promise", .left), ("checked", .right))
    for promise in LifePromise.allCases {
      table.add(promise.words, TimeText.count(sums.checks[promise] ?? 0))
    }
    let verdict =
      failures.isEmpty
      ? console.styled("no promise broken", .green)
      : console.styled("\(failures.count) \(failures.count == 1 ? "life" : "lives") broke a promise", .red)
    return lines.joined(separator: "\n") + "\n" + table.text() + verdict + "\n"
  }

  /// Rare states, how many lives came to each and the first of them, and those that none came to.
  func states(_ firsts: [RareState: LifeChoice]) -> String {
    var table = TextTable(("rare state", .left), ("lives", .right), ("for one", .left))
    for state in RareState.allCases {
      guard let count = reached[state] else { continue }
      table.add(cells: [state.words, TimeText.count(count), firsts[state]?.words ?? ""])
    }
    let never = RareState.allCases.filter { reached[$0] == nil }.map(\.words)
    return table.text() + (never.isEmpty ? "" : "never reached: \(never.joined(separator: "; "))\n")
  }

  /// mAh of µC.
  private static func charge(_ microcoulombs: Int64) -> String { TimeText.decimal(Double(microcoulombs) / 3.6e6, 1) }

  private static func spread(_ values: [Double]) -> String {
    guard !values.isEmpty else { return "none" }
    let sorted = values.sorted()
    func at(_ share: Double) -> String { TimeText.decimal(quantile(share, of: sorted), 1) }
    return "median \(at(0.5)), 99 % \(at(0.99)), worst \(at(1))"
  }

  /// The value below which a share of some sorted ones lies; of the whole, the last.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

/// Lives as text.
enum LifeText {
  static func json(_ result: LifeResult) -> String {
    let report = result.report
    let broken = report.broken.map {
      "{\"promise\":\"\($0.promise.rawValue)\",\"t\":\($0.time.secondsDouble),\"step\":\($0.step),\"what\":\(quoted($0.what))}"
    }
    let faults = report.faults.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    let charges = report.charges.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    let states = RareState.allCases.compactMap { state in
      report.states.marks[state].map { "\"\(state.rawValue)\":\($0.count)" }
    }
    let forks =
      result.forks.isEmpty ? "" : "\"forks\":[\(result.forks.map { quoted($0.text) }.joined(separator: ","))],"
    let tracker = report.energy.charges.sorted { $0.key.name < $1.key.name }.map {
      "\"\($0.key.name)\":\(Int64($0.value.rounded()))"
    }.joined(separator: ",")
    return
      "{\"seed\":\(result.seed),\(forks)\"seconds\":\(report.end.secondsDouble),\"lives\":\(report.lives),\"cuts\":\(report.cuts),"
      + "\"faults\":{\(faults)},\"ridden\":\(report.ridden),\"rides\":\(report.rides),"
      + "\"judgedRides\":\(report.judgedRides),\"metres\":\(Int(report.metres)),"
      + "\"odometerError\":\(TimeText.decimal(report.odometerError, 3)),"
      + "\"disturbances\":\(report.disturbances),\"thefts\":\(report.thefts),\"excused\":\(report.excused),"
      + "\"alerts\":\(report.alerts),\"delay\":\(spread(report.delays)),\"journey\":\(spread(report.journeys)),"
      + "\"packets\":\(report.packets),\"received\":\(report.received),"
      + "\"duplicates\":\(report.duplicates),\"noise\":\(report.noise),\"unkept\":\(report.unkept),"
      + "\"attempts\":\(report.attempts),\"microcoulombs\":\(report.microcoulombs),\"charges\":{\(charges)},"
      + "\"tracker\":{\(tracker)},\"wakes\":\(report.wakes),\"asleep\":\(TimeText.decimal(report.energy.asleep, 3)),"
      + "\"passedOver\":\(TimeText.decimal(report.passedOver, 3)),\"batteryDays\":\(batteryDays(report)),\"states\":{\(states.joined(separator: ","))},"
      + "\"steps\":\(report.steps),\"hash\":\"\(String(report.hash, radix: 16))\","
      + "\"broken\":[\(broken.joined(separator: ","))]}"
  }

  /// How long a battery lasts by the ledgers and by the tracker's forecast, and by how much they differ, percent.
  private static func batteryDays(_ report: LifeReport) -> String {
    guard let days = BatteryDays(report.energy, modem: report.microcoulombs, forecast: report.forecast) else {
      return "null"
    }
    func text(_ value: Double?) -> String { value.map { TimeText.decimal($0, 3) } ?? "null" }
    return
      "{\"ledger\":\(text(days.ledger)),\"forecast\":\(text(days.forecast)),\"differencePercent\":\(text(days.difference))}"
  }

  /// Median, 99 % and the worst of some seconds; `null` for none.
  private static func spread(_ values: [Double]) -> String {
    guard !values.isEmpty else { return "null" }
    let sorted = values.sorted()
    func at(_ share: Double) -> String { TimeText.decimal(LifeTally.quantile(share, of: sorted), 3) }
    return "{\"median\":\(at(0.5)),\"p99\":\(at(0.99)),\"worst\":\(at(1))}"
  }

  static func quoted(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(jsonString: Array(text.utf8).span)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  static func show(_ time: Instant, _ output: RunOutput, _ bytes: [UInt8], _ console: Console) {
    console.out.writeLine("\(TimeText.elapsed(time))  \(String(decoding: bytes, as: UTF8.self))")
  }
}

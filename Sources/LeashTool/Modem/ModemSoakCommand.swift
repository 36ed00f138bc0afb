import Quantities
import SimulatedWorld

/// `leash modem soak`: stories of faults from seeds, as many as one has patience for.
enum ModemSoakCommand {
  static let runs = Option<Int>("runs", "N", default: 1000, "Number of runs, one for each seed.")
  static let seed = Option<UInt64>("seed", "S", default: 1, "The first seed; each run adds one.")
  static let jobs = Option<Int>("jobs", "J", "Number of parallel jobs. Default: the number of processors.")
  static let strength = Option<StrengthName>(
    "strength", "NAME", default: .mixed,
    "module: faults of the modem only; mixed: also of the line, the network and the servers.")
  static let json = Flag("json", "Print one JSON object instead of the table.")
  static let verbose = Flag("verbose", "Show the dialogue and all events of a single run (--runs 1).")

  static let command = Command(
    "soak", "Stress the driver with seeded faults",
    discussion: """
      Each seed defines a run: packets, a transport, a board, and faults at random moments. The driver and the \
      simulated modem play it on virtual time. Every packet must reach its server, and no packet may count as \
      delivered that has not. Exits with 1 if a run fails, and prints the command that repeats it.
      """,
    parameters: [
      .option(runs), .option(seed), .option(jobs), .option(strength), .flag(json), .flag(verbose),
    ]
  ) { arguments, console throws(CommandFailure) in
    let count = arguments[runs] ?? 1000
    let first = arguments[seed] ?? 1
    let threads = arguments[jobs] ?? processorCount()
    let strength = (arguments[strength] ?? .mixed).strength
    guard 1...100_000_000 ~= count else { throw .usage("option '--runs': \(count) is not from 1 to 100000000") }
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    guard first <= .max - UInt64(count) else {
      throw .usage("option '--seed': \(first) leaves no room for \(count) runs")
    }
    guard !arguments[verbose] || count == 1 else { throw .usage("option '--verbose' needs --runs 1") }
    guard !arguments[verbose] || !arguments[json] else { throw .usage("'--verbose' and '--json' exclude each other") }
    if arguments[verbose] { return show(seed: first, strength, console) }
    return try soak(first, count, threads, strength, isJSON: arguments[json], console)
  }

  /// Wall time after which a story is taken for one that never ends; the longest take a few seconds in a debug build.
  static var hangAfterSeconds: Int64 { 120 }

  private static func soak(
    _ first: UInt64, _ count: Int, _ threads: Int, _ strength: FaultCampaign.Strength, isJSON: Bool, _ console: Console
  ) throws(CommandFailure) -> ExitCode {
    let began = ProgressLine.monotonicMicroseconds()
    let pool = WorkerPool(count: count) { job in
      let story = FaultCampaign.story(seed: first + UInt64(job), strength: strength)
      return SoakResult(story, FaultRun(story).run())
    }
    var line = ProgressLine(console, delay: 500_000)
    let results = try pool.run(threads: threads, patience: hangAfterSeconds) { done in
      line.update("\(TimeText.count(done)) of \(TimeText.count(count)) stories")
    }
    line.clear()
    var tally = SoakTally(strength: strength, firstSeed: first)
    for (job, result) in results.enumerated() {
      if let result { tally.add(result) } else { tally.addHang(seed: first + UInt64(job)) }
    }
    let seconds = Double(ProgressLine.monotonicMicroseconds() - began) / 1_000_000
    if isJSON {
      console.out.writeLine(tally.json(wallSeconds: seconds))
    } else {
      console.out.write(tally.text(wallSeconds: seconds, console))
    }
    return tally.failures.isEmpty ? .success : .checkFailed
  }

  private static func show(seed: UInt64, _ strength: FaultCampaign.Strength, _ console: Console) -> ExitCode {
    let story = FaultCampaign.story(seed: seed, strength: strength)
    let trace = StoryTrace(console)
    let outcome = trace.run(story)
    var tally = SoakTally(strength: strength, firstSeed: seed)
    tally.add(SoakResult(story, outcome))
    console.out.writeLine()
    console.out.write(tally.text(wallSeconds: nil, console))
    return tally.failures.isEmpty ? .success : .checkFailed
  }
}

/// The strengths of a campaign by name.
enum StrengthName: String, ArgumentValue, CaseIterable, Sendable {
  case module
  case mixed

  /// The campaign's own.
  var strength: FaultCampaign.Strength {
    switch self {
    case .module: .module
    case .mixed: .mixed
    }
  }
}

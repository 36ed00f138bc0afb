import Glibc
import LinuxRuntime
import MotionEvaluation
import Quantities
import Recording
import SIM7000
import SimulatedWorld
import TrackerRuntime
import VehicleSimulation

/// Scenario files that a command line asks for.
struct ScenarioLives: Sendable {
  private struct Source: Sendable {
    let path: String
    let file: ScenarioFile
  }

  /// A scenario with a seed.
  private struct Job: Sendable {
    let source: Source
    let life: LifeScenario
  }

  private let jobs: [Job]
  private let rest: String

  /// True when folders or files of scenarios are named, and not a scene.
  static func areWanted(_ words: [String]) throws(CommandFailure) -> Bool {
    for word in words {
      if isFolder(word) || word.hasPrefix(drawnMark) { return true }
      guard word.hasSuffix(".json5") else { continue }
      if ScenarioReader.isScenario(try SceneFiles.bytes(word)) { return true }
    }
    return false
  }

  /// What begins `drawn:7`, the scenario that is drawn from seed 7.
  private static let drawnMark = "drawn:"

  private static func isFolder(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    closedir(folder)
    return true
  }

  /// The settings that the tracker of a subject has before those of its file: those of its profile.
  static func configuration(of who: ScenarioSubject) -> RunConfiguration {
    var result = RunConfiguration()
    let profile: BoardProfile =
      switch who {
      case .bike: .bike
      case .collar: .collar
      }
    for (name, value, _) in profile.settings {
      // Each is one of the tracker's own, within its range.
      try? result.set(name, to: value.text)
    }
    return result
  }

  /// Reads one, or draws it.
  static func file(_ path: String, from choice: FamilyChoice? = nil) throws(CommandFailure) -> ScenarioFile {
    let bytes: [UInt8]
    if path.hasPrefix(drawnMark) {
      guard let seed = UInt64(path.dropFirst(drawnMark.count)) else {
        throw .usage("'\(path)': expected \(drawnMark) and a seed, such as \(drawnMark)7")
      }
      bytes = Array(ScenarioFile.drawn(seed: seed, from: choice).utf8)
    } else {
      bytes = try SceneFiles.bytes(path)
    }
    do throws(SceneProblem) {
      return try ScenarioReader.scenario(of: bytes, file: path, configuration: configuration)
    } catch {
      throw .usage(error.description)
    }
  }

  init(_ arguments: Arguments) throws(CommandFailure) {
    for name in ["days", "calm", "explore", "minutes", "folder", "ledger", "fork"] where arguments.isGiven(name) {
      throw .usage("option '--\(name)' does not go with files of scenarios")
    }
    let choice = try SimulateCommand.familyChoice(arguments)
    var sources: [Source] = []
    for word in arguments[SimulateCommand.scenario] {
      guard ScenarioLives.isFolder(word) else {
        sources.append(Source(path: word, file: try ScenarioLives.file(word, from: choice)))
        continue
      }
      let names = try SceneFiles.names(in: word)
      guard !names.isEmpty else { throw .usage("\(word): no scenario, NAME.json5, in this folder") }
      for name in names {
        let path = word.hasSuffix("/") ? word + name : "\(word)/\(name)"
        sources.append(Source(path: path, file: try ScenarioLives.file(path)))
      }
    }
    let classes = try SimulatedLives.classes(arguments[SimulateCommand.faults] ?? "all")
    let transport = arguments[SimulateCommand.transport]
    guard transport != .sms else { throw .usage("option '--transport': text messages have no server here") }
    var words = arguments[SimulateCommand.faults].map { " --faults \($0)" } ?? ""
    if let transport { words += " --transport \(transport.rawValue)" }
    let idle = arguments[SimulateCommand.idle]
    if let idle { words += " --idle \(idle.rawValue)" }
    let settings = arguments.all(SimulateCommand.settings)
    for text in settings { words += " --set \(text)" }
    let seed = arguments.all(SimulateCommand.seed).last
    let count = arguments[SimulateCommand.runs] ?? 1
    guard 1...10_000_000 ~= count else { throw .usage("option '--runs': \(count) is not from 1 to 10000000") }
    if let seed, seed > .max - 20_000_000 { throw .usage("option '--seed': \(seed) is too large") }
    let isStreamed = arguments[SimulateCommand.stream]
    if isStreamed { words += " --stream" }
    let currents = try EnergyTable.currents(arguments.all(SimulateCommand.current))
    var jobs: [Job] = []
    for source in sources {
      var file = source.file
      for text in settings { try ReplayOptions.set(text, &file.configuration) }
      let first = seed ?? file.life.seed
      for number in 0..<count {
        var life = file.life(seed: first + UInt64(number))
        life.plan = LifePlan(life.plan.events.filter { event in event.fault.kind.map { classes.contains($0) } ?? true })
        if let transport { life.transport = transport.transport }
        life.currents = currents
        if let idle { life.idle = idle.policy }
        life.passesNights = !isStreamed
        jobs.append(Job(source: Source(path: source.path, file: file), life: life))
      }
    }
    self.jobs = jobs
    rest = words
  }

  /// What came of one.
  private struct Result: Sendable {
    var outcome: ScenarioOutcome?
    /// Why it could not be lived to its end.
    var failure: String?

    var isGood: Bool { outcome?.failures.isEmpty ?? false }
  }

  /// Lives the scenario that a seed draws; what is not as it expects is a failure.
  static func live(
    _ file: ScenarioFile, seed: UInt64, progress: (Instant) -> Void
  ) -> LifeResult {
    do throws(RecordingError) {
      let outcome = try ScenarioRun(file).live(progress: progress)
      var report = outcome.report
      report.broken.removeAll { file.expectation.arguable.contains($0.promise) }
      return LifeResult(
        seed: seed, isScenario: true, report: report, failure: report.broken.isEmpty ? outcome.failures.first : nil)
    } catch {
      return LifeResult(seed: seed, isScenario: true, report: LifeReport(), failure: error.description)
    }
  }

  private static func live(_ job: Job, progress: (Instant) -> Void) -> Result {
    do throws(RecordingError) {
      return Result(outcome: try ScenarioRun(job.source.file, life: job.life).live(progress: progress), failure: nil)
    } catch {
      return Result(outcome: nil, failure: error.description)
    }
  }

  // MARK: All

  /// Lives all, and tells what came of them.
  func campaign(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    let threads = arguments[SimulateCommand.jobs] ?? processorCount()
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    let (jobs, lived, began) = (jobs, LivedTime(), ProgressLine.monotonicMicroseconds())
    // The long ones first, so that none is left alone at the end.
    let order = jobs.indices.sorted { jobs[$0].life.scene.cost > jobs[$1].life.scene.cost }
    let pool = WorkerPool<Result>(count: jobs.count) { number in
      var before = Instant.zero
      return ScenarioLives.live(jobs[order[number]]) { now in
        lived.add(now - before)
        before = now
      }
    }
    var line = ProgressLine(console, delay: 500_000)
    let found = try pool.run(threads: threads) { done in
      line.update(
        "\(TimeText.count(done)) of \(TimeText.count(jobs.count)) scenarios, \(lived.text(since: began)) simulated")
    }
    line.clear()
    var results = [Result](repeating: Result(outcome: nil, failure: "not run"), count: jobs.count)
    for (place, result) in found.enumerated() { results[order[place]] = result ?? results[order[place]] }
    let isJSON = arguments[SimulateCommand.json]
    tell(results, isJSON: isJSON, console)
    if !isJSON, let place = results.firstIndex(where: { !$0.isGood }) {
      explain(jobs[place], results[place], console)
    }
    return results.allSatisfy(\.isGood) ? .success : .checkFailed
  }

  private func tell(_ results: [Result], isJSON: Bool, _ console: Console) {
    let run = results.count { $0.outcome != nil }
    let passed = results.count { $0.isGood }
    if isJSON {
      for (job, result) in zip(jobs, results) { console.out.writeLine(ScenarioLives.json(job, result)) }
      console.out.writeLine(
        "{\"planned\":\(results.count),\"run\":\(run),\"passed\":\(passed),"
          + "\"runRate\":\(ScenarioLives.share(run, of: results.count)),\"passRate\":\(ScenarioLives.share(passed, of: run))}"
      )
      return
    }
    var table = TextTable(
      ("scenario", .left), ("seed", .right), ("simulated", .right), ("faults", .right), ("alerts", .right),
      ("thefts", .right), ("rides", .right), ("packets", .right), ("result", .left))
    for (job, result) in zip(jobs, results) {
      guard let report = result.outcome?.report else {
        table.add(cells: [job.source.file.name, "\(job.life.seed)", "", "", "", "", "", "", "not run"])
        continue
      }
      let faults = report.faults.reduce(0) { $0 + ($1.key == "owner" ? 0 : $1.value) }
      table.add(
        cells: [
          job.source.file.name, "\(job.life.seed)", TimeText.elapsed(report.end), "\(faults)", "\(report.alerts)",
          "\(report.thefts)", "\(report.rides)", "\(report.packets)", result.isGood ? "passed" : "failed",
        ])
    }
    console.out.write(table.text())
    for (job, result) in zip(jobs, results) where !result.isGood {
      for failure in result.outcome?.failures ?? [result.failure ?? ""] {
        console.out.writeLine(console.styled("\(job.source.file.name), seed \(job.life.seed)", .red) + ": \(failure)")
      }
    }
    console.out.writeLine(
      "RunRate \(ScenarioLives.percent(run, of: results.count)) (\(run) of \(results.count) run), "
        + "PassRate \(ScenarioLives.percent(passed, of: run)) (\(passed) of \(run) passed)")
  }

  private static func share(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "0" : TimeText.decimal(Double(part) / Double(whole), 4)
  }

  /// Never 100 % when one is missing.
  private static func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "0 %" : "\(TimeText.decimal(Double(1000 * part / whole) / 10, 1)) %"
  }

  /// The fewest faults with which a promise is still broken, and how to see it again.
  private func explain(_ job: Job, _ result: Result, _ console: Console) {
    let path = "leash simulate \(job.source.path)\(rest) --seed \(job.life.seed)"
    let arguable = job.source.file.expectation.arguable
    guard let broken = result.outcome?.report.broken.first(where: { !arguable.contains($0.promise) }) else {
      console.out.writeLine("  again: \(path) --verbose")
      return
    }
    var line = ProgressLine(console, delay: 500_000)
    let small = BrokenLife(job.life, job.source.file.configuration, broken, words: path) { line.update($0) }
    line.clear()
    console.out.write(small.text(log: nil, console))
  }

  // MARK: One

  /// Plays one on a page.
  func play(at address: String, _ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    guard jobs.count == 1, let job = jobs.first else { throw .usage("'--page' is for a single run") }
    var life = job.life
    life.name = job.source.file.name
    try SimulatedLives.choose(arguments, of: &life)
    return try WorldPage.run(life, job.source.file.configuration, at: address, console)
  }

  /// Lives one, and shows or records it.
  func show(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    guard jobs.count == 1, var job = jobs.first else {
      throw .usage("'--verbose', '--record', '--only' and '--without-deeds' are for a single run")
    }
    var life = job.life
    try SimulatedLives.choose(arguments, of: &life)
    job = Job(source: job.source, life: life)
    let path = arguments[SimulateCommand.record]
    let isVerbose = arguments[SimulateCommand.verbose]
    if isVerbose { ScenarioLives.tellTruth(job.life, console) }
    let outcome: ScenarioOutcome
    do throws(RecordingError) {
      var logs: [LeashLogWriter] = []
      let run = try ScenarioRun(job.source.file, life: job.life) { number throws(RecordingError) in
        guard let path else { return nil }
        let log = try LeashLogWriter(path: number == 1 ? path : "\(path)-\(number)")
        logs.append(log)
        return log
      }
      if isVerbose {
        run.observer = { time, output, bytes in LifeText.show(time, output, bytes, console) }
        run.faultObserver = { event in
          console.out.writeLine(console.styled("\(TimeText.elapsed(event.time))  fault: \(event.fault.name)", .yellow))
        }
      }
      outcome = try run.live()
      for log in logs { try log.close() }
    } catch {
      throw CommandFailure(error)
    }
    let result = Result(outcome: outcome, failure: nil)
    if arguments[SimulateCommand.json] {
      console.out.writeLine(ScenarioLives.json(job, result))
    } else {
      var tally = LifeTally()
      tally.add(LifeResult(seed: job.life.seed, report: outcome.report, failure: nil))
      console.out.write(tally.text(wallSeconds: nil, hasEnergy: arguments[SimulateCommand.energy], console))
      for answer in outcome.report.answers {
        console.out.writeLine("\(TimeText.elapsed(answer.time))  \(answer.text) → \(answer.answer ?? "no answer")")
      }
      for failure in outcome.failures { console.out.writeLine(console.styled("failed: ", .red) + failure) }
    }
    return result.isGood ? .success : .checkFailed
  }

  private static func tellTruth(_ life: LifeScenario, _ console: Console) {
    console.out.writeLine("what truly happens:")
    for event in life.truth {
      let until = event.until > event.from ? " to \(TimeText.elapsed(event.until))" : ""
      console.out.writeLine("  \(TimeText.elapsed(event.from))\(until)  \(event.kind): \(event.words)")
    }
    console.out.writeLine()
  }

  private static func json(_ job: Job, _ result: Result) -> String {
    func list(_ texts: [String]) -> String { "[" + texts.map(LifeText.quoted).joined(separator: ",") + "]" }
    let truth = job.life.truth.map { event in
      "{\"class\":\(LifeText.quoted(event.kind)),\"from\":\(event.from.secondsDouble),\"until\":\(event.until.secondsDouble),"
        + "\"what\":\(LifeText.quoted(event.words))}"
    }
    let failures = result.outcome?.failures ?? [result.failure ?? ""]
    let life = LifeText.json(
      LifeResult(seed: job.life.seed, report: result.outcome?.report ?? LifeReport(), failure: nil))
    return "{\"scenario\":\(LifeText.quoted(job.source.file.name)),\"covers\":\(list(job.source.file.covers)),"
      + "\"passed\":\(result.isGood),\"failures\":\(list(failures)),\"truth\":[\(truth.joined(separator: ","))],"
      + life.dropFirst()
  }
}

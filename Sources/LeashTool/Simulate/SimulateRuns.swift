import Quantities
import Recording
import SimulatedWorld
import Synchronization
import TrackerRuntime

extension SimulatedLives {
  /// Lives many, and tells what came of them.
  func campaign(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    let threads = arguments[SimulateCommand.jobs] ?? processorCount()
    guard 1...1024 ~= threads else { throw .usage("option '--jobs': \(threads) is not from 1 to 1024") }
    let isExploring = arguments[SimulateCommand.explore]
    let minutes = arguments[SimulateCommand.minutes]
    guard isExploring == (minutes != nil) else { throw .usage("'--explore' and '--minutes' belong together") }
    if let minutes, !(0.001...100_000 ~= minutes) {
      throw .usage("option '--minutes': \(minutes) is not from 0.001 to 100000")
    }
    guard forks.isEmpty || (count == 1 && !isExploring) else { throw .usage("'--fork' is for a single run") }
    let stop = StopWish()
    let began = ProgressLine.monotonicMicroseconds()
    let end = minutes.map { began + Int64($0 * 60e6) }
    let ledger = try arguments[SimulateCommand.ledger].map { path throws(CommandFailure) in try SeedLedger(path) }
    let campaign = campaign
    let known = ledger?.seeds(of: campaign) ?? []
    var exploration = Exploration(from: first, leavingOut: known, drawsScenarios: drawsScenarios)
    var tally = LifeTally()
    var line = ProgressLine(console, delay: 500_000)
    let lived = LivedTime()
    @Sendable func isOver() -> Bool {
      stop.isWanted || end.map { ProgressLine.monotonicMicroseconds() >= $0 } ?? false
    }
    @Sendable func once(_ choice: LifeChoice) -> LifeResult? {
      if stop.isWanted { return nil }
      var before = Instant.zero
      return live(choice, until: { stop.isWanted }) { now in
        lived.add(now - before)
        before = now
      }
    }
    func liveAll(_ choices: [LifeChoice]) throws(CommandFailure) {
      let pool = WorkerPool<LifeResult?>(count: choices.count, until: isOver) { job in
        guard let result = once(choices[job]) else { return nil }
        // What is explored is lived twice: it must be the same life.
        return isExploring ? once(choices[job]).map { result.beside($0) } : result
      }
      let earlier = tally.runs
      // They are told in the order of the choices: what ends early waits for those before.
      var waiting: [Int: LifeResult?] = [:]
      var told = 0
      try pool.run(threads: threads) { done in
        line.update("\(TimeText.count(earlier + done)) lives, \(lived.text(since: began)) simulated")
      } each: { job, result throws(CommandFailure) in
        // At once, whatever becomes of the others. One that could not be lived to its end is to be tried again; a fork is no
        // life of its seed alone.
        if let result, result.failure == nil, result.forks.isEmpty, !result.isScenario {
          try ledger?.append(result, of: campaign)
        }
        waiting[job] = .some(result)
        while let next = waiting.removeValue(forKey: told) {
          told += 1
          guard let result = next else { continue }
          tally.add(result)
          exploration.note(result.choice, result.report.states)
          if arguments[SimulateCommand.json] {
            line.clear()
            console.out.writeLine(LifeText.json(result))
            console.out.flush()
          }
        }
      }
    }
    if isExploring {
      // What is chosen depends on all before, so that a batch is as large whatever its lives take.
      while tally.failures.isEmpty, !isOver() {
        try liveAll((0..<(days == nil ? threads * 4 : threads)).map { _ in exploration.choose() })
      }
    } else {
      try liveAll(
        (first..<first + UInt64(count)).filter { !known.contains($0) }.map { LifeChoice(seed: $0, forks: forks) })
    }
    line.clear()
    let seconds = Double(ProgressLine.monotonicMicroseconds() - began) / 1e6
    if !arguments[SimulateCommand.json] {
      console.out.write(tally.text(wallSeconds: seconds, hasEnergy: arguments[SimulateCommand.energy], console))
      if tally.runs > 1 || isExploring { console.out.write(tally.states(exploration.firsts)) }
      if !known.isEmpty { console.out.writeLine("\(TimeText.count(known.count)) lives of the ledger left out") }
      if stop.isWanted { console.out.writeLine("interrupted; lives under way are not counted") }
    }
    guard let failure = tally.failures.first else { return .success }
    if !stop.isWanted { try explain(failure, arguments, console) }
    return .checkFailed
  }

  /// The fewest faults and deeds that still break the promise, how to see it again, and a log of it.
  private func explain(_ failure: LifeResult, _ arguments: Arguments, _ console: Console) throws(CommandFailure) {
    let isJSON = arguments[SimulateCommand.json]
    let file = failure.isScenario ? try drawnScenario(failure.seed) : nil
    guard failure.failure == nil, let broken = failure.report.broken.first else {
      if !isJSON {
        console.out.writeLine("\(failure.choice.words): \(failure.failure ?? "")")
      }
      return
    }
    var line = ProgressLine(console, delay: 500_000)
    let choice = failure.choice
    let days = choice.isScenario ? nil : shortened(choice, broken) { line.update("shrinking: \($0) days") }
    let small = BrokenLife(
      file.map { $0.life(seed: choice.seed) } ?? scenario(choice, days: days),
      file?.configuration ?? configuration(choice.seed), broken, words: words(choice, days: days)
    ) { line.update($0) }
    line.clear()
    let path = arguments[SimulateCommand.brokenLog] ?? "broken-\(failure.seed).leash"
    let log: (path: String, life: Int)? = path == "none" ? nil : (path, try small.write(to: path))
    if isJSON {
      console.out.writeLine(small.json(seed: failure.seed, log: log))
      return
    }
    console.out.writeLine()
    console.out.writeLine(
      console.styled("broken: \(broken.promise.words)", .red)
        + ", \(choice.words), \(TimeText.elapsed(broken.time)), step \(TimeText.count(broken.step))")
    console.out.write(small.text(log: log, console))
  }

  /// The fewest days in which the promise is broken all the same: a longer life begins as a shorter one.
  private func shortened(_ choice: LifeChoice, _ broken: BrokenPromise, progress: (Int) -> Void) -> Int? {
    // What a fork brings depends on how long the life is.
    guard let days, choice.forks.isEmpty, let enough = LifeShrinker.days(until: broken.time) else { return days }
    // What shows at the end of a life only may need another day than the one of the cause.
    for count in [enough, enough + 1] where count < days {
      progress(count)
      if LifeShrinker(scenario(choice, days: count), configuration(choice.seed), broken).isBroken() { return count }
    }
    return days
  }

  /// Plays one on a page.
  func play(at address: String, _ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    guard count == 1, !arguments[SimulateCommand.explore] else { throw .usage("'--page' is for a single run") }
    var scenario = scenario(LifeChoice(seed: first, forks: forks), days: days)
    try SimulatedLives.choose(arguments, of: &scenario)
    return try WorldPage.run(scenario, configuration(first), at: address, console)
  }

  /// Lives one, and shows or records it.
  func show(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    guard count == 1, !arguments[SimulateCommand.explore] else {
      throw .usage("'--verbose', '--record', '--only' and '--without-deeds' are for a single run")
    }
    var scenario = scenario(LifeChoice(seed: first, forks: forks), days: days)
    try SimulatedLives.choose(arguments, of: &scenario)
    let path = arguments[SimulateCommand.record]
    let isVerbose = arguments[SimulateCommand.verbose]
    var line = ProgressLine(console, delay: 500_000)
    let report: LifeReport
    do throws(RecordingError) {
      var logs: [LeashLogWriter] = []
      let run = try LifeRun(scenario, configuration(first)) { number throws(RecordingError) in
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
      let length = TimeText.elapsed(Instant.zero + scenario.length)
      let (lived, began) = (LivedTime(), ProgressLine.monotonicMicroseconds())
      var before = Instant.zero
      report = try run.live { time in
        lived.add(time - before)
        before = time
        line.update("\(lived.text(since: began)) of \(length) simulated")
      }
      for log in logs { try log.close() }
    } catch {
      line.clear()
      throw CommandFailure(error)
    }
    line.clear()
    let result = LifeResult(seed: first, forks: forks, report: report, failure: nil)
    if arguments[SimulateCommand.json] {
      console.out.writeLine(LifeText.json(result))
    } else {
      var tally = LifeTally()
      tally.add(result)
      console.out.write(tally.text(wallSeconds: nil, hasEnergy: arguments[SimulateCommand.energy], console))
      for broken in report.broken {
        console.out.writeLine(
          console.styled("broken: \(broken.promise.words)", .red) + ", \(TimeText.elapsed(broken.time)): \(broken.what)"
        )
      }
    }
    return result.isGood ? .success : .checkFailed
  }

  /// Keeps the faults and leaves out the deeds that a command line names.
  static func choose(_ arguments: Arguments, of scenario: inout LifeScenario) throws(CommandFailure) {
    if let text = arguments[SimulateCommand.only] {
      let numbers = try BrokenLife.numbers(text, of: "only", upTo: scenario.plan.events.count)
      scenario.plan = LifePlan(numbers.map { scenario.plan.events[$0 - 1] })
    }
    if let text = arguments[SimulateCommand.withoutDeeds] {
      let numbers = try BrokenLife.numbers(text, of: "without-deeds", upTo: scenario.scene.scene.deeds.count)
      scenario = scenario.standing(at: Set(numbers.map { $0 - 1 }))
    }
  }
}

/// What all lives that are under way have simulated.
final class LivedTime: Sendable {
  private let microseconds = Atomic<Int64>(0)

  func add(_ time: Interval) { microseconds.add(time.microseconds, ordering: .relaxed) }

  /// `2 d 04:10:00, 9,100 × real time`
  func text(since began: Int64) -> String {
    let simulated = microseconds.load(ordering: .relaxed)
    let real = max(1, ProgressLine.monotonicMicroseconds() - began)
    return
      "\(TimeText.elapsed(Instant(microseconds: simulated))) (\(TimeText.count(Int(simulated / real))) × real time)"
  }
}

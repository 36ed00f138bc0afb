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
    let began = ProgressLine.monotonicMicroseconds()
    let end = minutes.map { began + Int64($0 * 60e6) }
    let ledger = try arguments[SimulateCommand.ledger].map { path throws(CommandFailure) in try SeedLedger(path) }
    let campaign = campaign
    let known = ledger?.seeds(of: campaign) ?? []
    var tally = LifeTally()
    var line = ProgressLine(console, delay: 500_000)
    var next = first
    let lived = LivedTime()
    let last = isExploring ? UInt64.max : first + UInt64(count)
    while next < last, !isExploring || tally.failures.isEmpty {
      if let end, ProgressLine.monotonicMicroseconds() >= end { break }
      // Long ones are told one by one.
      var batch: [UInt64] = []
      while next < last, batch.count < (days == nil ? threads * 4 : threads) {
        if !known.contains(next) { batch.append(next) }
        next += 1
      }
      let seeds = batch
      guard !seeds.isEmpty else { break }
      let pool = WorkerPool<LifeResult>(count: seeds.count) { job in
        if let end, ProgressLine.monotonicMicroseconds() >= end {
          return LifeResult(seed: 0, report: LifeReport(), failure: nil)
        }
        var before = Instant.zero
        return live(seeds[job]) { now in
          lived.add(now - before)
          before = now
        }
      }
      let results = try pool.run(threads: threads) { done in
        line.update("\(TimeText.count(tally.runs + done)) lives, \(lived.text(since: began)) simulated")
      }
      let lives = results.compactMap(\.self).filter { $0.seed != 0 }
      // One that could not be lived to its end is to be tried again.
      try ledger?.append(lives.filter { $0.failure == nil }, of: campaign)
      for result in lives {
        tally.add(result)
        if arguments[SimulateCommand.json] {
          line.clear()
          console.out.writeLine(LifeText.json(result))
          console.out.flush()
        }
      }
    }
    line.clear()
    let seconds = Double(ProgressLine.monotonicMicroseconds() - began) / 1e6
    if !arguments[SimulateCommand.json] {
      console.out.write(tally.text(wallSeconds: seconds, hasEnergy: arguments[SimulateCommand.energy], console))
    }
    if !known.isEmpty, !arguments[SimulateCommand.json] {
      console.out.writeLine("\(TimeText.count(known.count)) lives of the ledger left out")
    }
    guard let failure = tally.failures.first else { return .success }
    if !arguments[SimulateCommand.json] { explain(failure, console) }
    return .checkFailed
  }

  /// The fewest faults that still break the promise, and how to see it again.
  private func explain(_ failure: LifeResult, _ console: Console) {
    guard let broken = failure.report.broken.first else {
      console.out.writeLine("seed \(failure.seed): \(failure.failure ?? "")")
      return
    }
    var line = ProgressLine(console, delay: 500_000)
    let days = shortened(failure.seed, broken) { line.update("shrinking: \($0) days") }
    let scenario = scenario(failure.seed, days: days)
    var shrinker = LifeShrinker(scenario, configuration, broken)
    let left = shrinker.shrink { count in
      line.update("shrinking: \(count) of \(scenario.plan.events.count) faults left")
    }
    line.clear()
    console.out.writeLine()
    console.out.writeLine(
      console.styled("broken: \(broken.promise.words)", .red)
        + ", seed \(failure.seed), \(TimeText.elapsed(broken.time))")
    console.out.writeLine("  \(broken.what)")
    for place in left {
      let event = scenario.plan.events[place]
      console.out.writeLine("  needs: \(TimeText.elapsed(event.time))  \(event.fault.name)")
    }
    let only = left.isEmpty ? "none" : left.map { String($0 + 1) }.joined(separator: ",")
    console.out.writeLine("  again: \(words(failure.seed, days: days)) --only \(only) --verbose")
  }

  /// The fewest days in which the promise is broken all the same: a longer life begins as a shorter one.
  private func shortened(_ seed: UInt64, _ broken: BrokenPromise, progress: (Int) -> Void) -> Int? {
    guard let days, let enough = LifeShrinker.days(until: broken.time) else { return days }
    // What shows at the end of a life only may need another day than the one of the cause.
    for count in [enough, enough + 1] where count < days {
      progress(count)
      if LifeShrinker(scenario(seed, days: count), configuration, broken).isBroken() { return count }
    }
    return days
  }

  /// Lives one, and shows or records it.
  func show(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    guard count == 1, !arguments[SimulateCommand.explore] else {
      throw .usage("'--verbose', '--record' and '--only' are for a single run")
    }
    var scenario = scenario(first, days: days)
    if let text = arguments[SimulateCommand.only] { try SimulatedLives.keep(text, of: &scenario) }
    let path = arguments[SimulateCommand.record]
    let isVerbose = arguments[SimulateCommand.verbose]
    var line = ProgressLine(console, delay: 500_000)
    let report: LifeReport
    do throws(RecordingError) {
      var logs: [LeashLogWriter] = []
      let run = try LifeRun(scenario, configuration) { number throws(RecordingError) in
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
    let result = LifeResult(seed: first, report: report, failure: nil)
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

  static func keep(_ text: String, of scenario: inout LifeScenario) throws(CommandFailure) {
    guard text != "none" else {
      scenario.plan = LifePlan()
      return
    }
    var chosen: [LifeEvent] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(word), scenario.plan.events.indices.contains(number - 1) else {
        throw .usage("option '--only': '\(word)' is not from 1 to \(scenario.plan.events.count)")
      }
      chosen.append(scenario.plan.events[number - 1])
    }
    scenario.plan = LifePlan(chosen)
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

/// Leaves faults out of a life as long as the same promise is broken.
struct LifeShrinker {
  private let scenario: LifeScenario
  private let configuration: RunConfiguration
  private let promise: LifePromise
  /// A trial in which it is not broken by then is over.
  private let limit: Instant

  init(_ scenario: LifeScenario, _ configuration: RunConfiguration, _ broken: BrokenPromise) {
    self.scenario = scenario
    self.configuration = configuration
    promise = broken.promise
    limit = broken.time + .seconds(3600)
  }

  /// Time after which the faults that are left by then are told, µs.
  private static var longest: Int64 { 600_000_000 }

  /// Days after which what happened at a time has happened, with the hour at the end of a life in which nothing does; nil beyond the longest.
  static func days(until time: Instant) -> Int? {
    let days = Int((time.microseconds + 3_600_000_000) / 86_400_000_000) + 1
    return LifeScenario.days.contains(days) ? days : nil
  }

  /// Whether all faults together break the promise.
  func isBroken() -> Bool { isBroken(Array(scenario.plan.events.indices)) }

  private func isBroken(_ places: [Int]) -> Bool {
    var trial = scenario
    trial.plan = LifePlan(places.map { scenario.plan.events[$0] })
    do throws(RecordingError) {
      let run = try LifeRun(trial, configuration)
      return try run.live(until: limit) { $0.promise == promise }
    } catch {
      return false
    }
  }

  /// The places of the faults that are needed; halves first, then one by one.
  ///
  /// - Source: A. Zeller, R. Hildebrandt: *Simplifying and Isolating Failure-Inducing Input*, 2002, section 3.
  mutating func shrink(progress: (Int) -> Void) -> [Int] {
    var left = Array(scenario.plan.events.indices)
    // What goes wrong after it is mostly no cause of it.
    let before = left.filter { scenario.plan.events[$0].time + .seconds(3600) <= limit }
    progress(left.count)
    if before.count < left.count, isBroken(before) { left = before }
    var piece = max(1, left.count / 2)
    var budget = 80
    let end = ProgressLine.monotonicMicroseconds() + LifeShrinker.longest
    var isInTime: Bool { ProgressLine.monotonicMicroseconds() < end }
    while !left.isEmpty, budget > 0, isInTime {
      var isSmaller = false
      var from = 0
      while from < left.count, budget > 0, isInTime {
        var trial = left
        trial.removeSubrange(from..<min(from + piece, left.count))
        budget -= 1
        progress(left.count)
        if isBroken(trial) {
          left = trial
          isSmaller = true
        } else {
          from += piece
        }
      }
      if piece == 1, !isSmaller { break }
      piece = max(1, piece / 2)
    }
    return left
  }
}

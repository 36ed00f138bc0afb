import Quantities
import Recording
import SimulatedWorld
import TrackerRuntime

/// Leaves faults and deeds out of a life as long as the same promise is broken.
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

  /// Time after which the faults that are left by then are told, µs; and the deeds.
  private static var longest: Int64 { 600_000_000 }
  /// Trials of each kind at most.
  private static var trials: Int { 80 }

  /// Days after which what happened at a time has happened, with the hour at the end of a life in which nothing does; nil beyond the longest.
  static func days(until time: Instant) -> Int? {
    let days = Int((time.microseconds + 3_600_000_000) / 86_400_000_000) + 1
    return LifeScenario.days.contains(days) ? days : nil
  }

  /// Whether all faults together break the promise.
  func isBroken() -> Bool { isBroken(scenario) }

  private func isBroken(_ trial: LifeScenario) -> Bool {
    do throws(RecordingError) {
      let run = try LifeRun(trial, configuration)
      return try run.live(until: limit) { $0.promise == promise }
    } catch {
      return false
    }
  }

  private func with(faults places: [Int], of scenario: LifeScenario) -> LifeScenario {
    var trial = scenario
    trial.plan = LifePlan(places.map { scenario.plan.events[$0] })
    return trial
  }

  /// The places of the faults that are needed.
  func shrink(progress: (Int) -> Void) -> [Int] {
    let all = Array(scenario.plan.events.indices)
    // What goes wrong after it is mostly no cause of it.
    let before = all.filter { scenario.plan.events[$0].time + .seconds(3600) <= limit }
    return fewest(of: all, tryingFirst: before, progress: progress) { isBroken(with(faults: $0, of: scenario)) }
  }

  /// The places of the deeds that are needed beside some faults, of those that are more than standing.
  func shrinkDeeds(with faults: [Int], progress: (Int) -> Void) -> [Int] {
    let scenario = with(faults: faults, of: scenario)
    let all = scenario.movingPlaces
    let starts = scenario.scene.scene.starts
    let before = all.filter { starts[$0] <= (limit - Instant.zero).secondsDouble - 3600 }
    return fewest(of: all, tryingFirst: before, progress: progress) { places in
      isBroken(scenario.standing(at: Set(all).subtracting(places)))
    }
  }

  /// As few of some as it takes: halves first, then one by one.
  ///
  /// - Source: A. Zeller, R. Hildebrandt: *Simplifying and Isolating Failure-Inducing Input*, 2002, section 3.
  private func fewest(
    of all: [Int], tryingFirst first: [Int], progress: (Int) -> Void, isEnough: ([Int]) -> Bool
  ) -> [Int] {
    var left = all
    progress(left.count)
    if first.count < left.count, isEnough(first) { left = first }
    var piece = max(1, left.count / 2)
    var budget = LifeShrinker.trials
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
        if isEnough(trial) {
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

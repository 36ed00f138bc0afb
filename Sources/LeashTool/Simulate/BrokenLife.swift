import Quantities
import Recording
import SimulatedWorld
import TrackerRuntime

/// A life in which a promise was broken: with as few faults and deeds as it takes, how to see it again, and a log of it.
struct BrokenLife {
  /// What was broken, in the life as it was.
  let broken: BrokenPromise
  /// The faults that are needed, with their numbers in the plan, from 1.
  private let faults: [(number: Int, event: LifeEvent)]
  /// The deeds that are needed, with their numbers in the timeline, from 1.
  private let deeds: [(number: Int, time: Instant, name: String)]
  /// Numbers of the deeds in place of which the vehicle stands.
  private let without: [Int]
  /// The command that repeats it, without `--verbose`.
  let again: String
  private let small: LifeScenario
  private let configuration: RunConfiguration

  /// Leaves out of a life what is not needed.
  ///
  /// - Parameters:
  ///   - words: The command that leads to the life.
  ///   - progress: Hears what is left.
  init(
    _ scenario: LifeScenario, _ configuration: RunConfiguration, _ broken: BrokenPromise, words: String,
    progress: (String) -> Void
  ) {
    self.broken = broken
    self.configuration = configuration
    let shrinker = LifeShrinker(scenario, configuration, broken)
    let events = scenario.plan.events
    let faults = shrinker.shrink { progress("shrinking: \($0) of \(events.count) faults left") }
    let moving = scenario.movingPlaces
    let deeds = shrinker.shrinkDeeds(with: faults) { progress("shrinking: \($0) of \(moving.count) deeds left") }
    self.faults = faults.map { ($0 + 1, events[$0]) }
    let starts = scenario.scene.scene.starts
    self.deeds = deeds.map { place in
      (
        place + 1, Instant(microseconds: Int64((starts[place] * 1e6).rounded())),
        scenario.scene.scene.deeds[place].kind.rawValue
      )
    }
    without = moving.filter { !deeds.contains($0) }.map { $0 + 1 }
    var small = scenario.standing(at: Set(without.map { $0 - 1 }))
    small.plan = LifePlan(faults.map { events[$0] })
    self.small = small
    again =
      words + (events.isEmpty ? "" : " --only \(BrokenLife.list(self.faults.map(\.number)))")
      + (without.isEmpty ? "" : " --without-deeds \(BrokenLife.list(without))")
  }

  /// `1-3,7`; `none` for none.
  static func list(_ numbers: [Int]) -> String {
    var runs: [(Int, Int)] = []
    for number in numbers.sorted() {
      if let last = runs.last, last.1 + 1 == number {
        runs[runs.count - 1].1 = number
      } else {
        runs.append((number, number))
      }
    }
    return runs.isEmpty ? "none" : runs.map { $0 == $1 ? "\($0)" : "\($0)-\($1)" }.joined(separator: ",")
  }

  /// What `list` writes.
  ///
  /// - Parameter count: The highest number there is.
  /// - Throws: Where a word is none of these numbers.
  static func numbers(_ text: String, of option: String, upTo count: Int) throws(CommandFailure) -> [Int] {
    guard text != "none" else { return [] }
    var result: [Int] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], 1...max(1, count) ~= first,
        first...max(first, count) ~= last, count > 0
      else {
        throw .usage("option '--\(option)': '\(word)' is not from 1 to \(count)")
      }
      result += first...last
    }
    return result
  }

  /// Writes the log of the tracker that broke the promise, from its start to that moment.
  ///
  /// - Returns: Which of the life's trackers it is, from 1.
  func write(to path: String) throws(CommandFailure) -> Int {
    do throws(RecordingError) {
      var (logs, number) = ([LeashLogWriter](), 0)
      let run = try LifeRun(small, configuration) { life throws(RecordingError) in
        // Only the last one is kept: the file is begun anew.
        for log in logs { try log.close() }
        number = life
        let log = try LeashLogWriter(path: path)
        logs = [log]
        return log
      }
      let promise = broken.promise
      _ = try run.live(until: broken.time + .seconds(3600)) { $0.promise == promise }
      for log in logs { try log.close() }
      return number
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The lines for people.
  ///
  /// - Parameter log: Its path, and the number of its tracker; nil without one.
  func text(log: (path: String, life: Int)?, _ console: Console) -> String {
    var lines = ["  \(broken.what)"]
    for (number, event) in faults {
      lines.append("  needs fault \(number): \(TimeText.elapsed(event.time))  \(event.fault.name)")
    }
    for (number, time, name) in deeds { lines.append("  needs deed \(number): \(TimeText.elapsed(time))  \(name)") }
    lines.append("  again: \(again) --verbose")
    if let log {
      lines.append("  log: \(log.path), of tracker \(log.life) of this life, to the moment; leash replay \(log.path)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// An object for machines.
  func json(seed: UInt64, log: (path: String, life: Int)?) -> String {
    let faults = faults.map {
      "{\"number\":\($0.number),\"t\":\($0.event.time.secondsDouble),\"fault\":\(LifeText.quoted($0.event.fault.name))}"
    }
    let deeds = deeds.map {
      "{\"number\":\($0.number),\"t\":\($0.time.secondsDouble),\"deed\":\(LifeText.quoted($0.name))}"
    }
    let file = log.map { ",\"log\":\(LifeText.quoted($0.path)),\"life\":\($0.life)" } ?? ""
    return
      "{\"smallest\":{\"seed\":\(seed),\"promise\":\"\(broken.promise.rawValue)\",\"t\":\(broken.time.secondsDouble),"
      + "\"step\":\(broken.step),\"faults\":[\(faults.joined(separator: ","))],\"deeds\":[\(deeds.joined(separator: ","))],"
      + "\"again\":\(LifeText.quoted(again))\(file)}}"
  }
}

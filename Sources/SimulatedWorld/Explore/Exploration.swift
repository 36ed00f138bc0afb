import Quantities

/// A life that is to be lived: a seed, and points at which it goes on otherwise.
package struct LifeChoice: Equatable, Sendable {
  /// Of the life.
  package var seed: UInt64
  /// True for the scenario that the seed draws, in place of its day.
  package var isScenario: Bool
  /// In the order of their times.
  package var forks: [LifeFork]

  /// The life of a seed.
  package init(seed: UInt64, forks: [LifeFork] = [], isScenario: Bool = false) {
    self.seed = seed
    self.forks = forks
    self.isScenario = isScenario
  }

  /// Words of a command line that lead to it: `--seed 7 --fork 901.250000:3`, or `drawn:7`.
  package var words: String {
    isScenario ? "drawn:\(seed)" : "--seed \(seed)" + forks.map { " --fork \($0.text)" }.joined()
  }
}

/// Chooses lives: new seeds, in turn with forks of lives at the rare states that were reached least often, and with scenarios that are drawn
/// from seeds.
///
/// What it chooses follows from the first seed, what was noted, and the order of both.
package struct Exploration: Sendable {
  private struct Example: Sendable {
    let choice: LifeChoice
    let time: Instant
  }

  private var next: UInt64
  private var nextScenario: UInt64
  private let drawsScenarios: Bool
  private let known: Set<UInt64>
  private var turn = 0
  private var forkCount: UInt64 = 0
  private var examples: [RareState: [Example]] = [:]
  private var forksFrom: [RareState: Int] = [:]
  /// Lives that came to each state.
  package private(set) var reached: [RareState: Int] = [:]
  /// The first life that came to each state, in the order in which they were noted.
  package private(set) var firsts: [RareState: LifeChoice] = [:]

  /// Examples of a state that are kept, the latest ones.
  static var memory: Int { 8 }
  /// Forks of a fork are taken so many times at most: each is lived from the beginning.
  static var depth: Int { 3 }

  /// - Parameters:
  ///   - first: The first seed.
  ///   - known: Seeds that are not lived once more.
  ///   - drawsScenarios: Each fourth life is a scenario.
  package init(from first: UInt64, leavingOut known: Set<UInt64> = [], drawsScenarios: Bool = false) {
    next = first
    nextScenario = first
    self.known = known
    self.drawsScenarios = drawsScenarios
  }

  /// The next life.
  package mutating func choose() -> LifeChoice {
    turn += 1
    if turn.isMultiple(of: 2), let fork = fork() { return fork }
    if drawsScenarios, turn % 4 == 3 {
      defer { nextScenario += 1 }
      return LifeChoice(seed: nextScenario, isScenario: true)
    }
    while known.contains(next) { next += 1 }
    defer { next += 1 }
    return LifeChoice(seed: next)
  }

  private mutating func fork() -> LifeChoice? {
    // The rarest first; of equal ones that which fewer forks began at.
    let rarest = RareState.allCases.filter { examples[$0]?.isEmpty == false }.min { a, b in
      weight(a) < weight(b)
    }
    guard let rarest, let examples = examples[rarest] else { return nil }
    let number = forksFrom[rarest, default: 0]
    forksFrom[rarest] = number + 1
    let example = examples[number % examples.count]
    forkCount += 1
    var choice = example.choice
    choice.forks.append(LifeFork(at: example.time, seed: forkCount))
    return choice
  }

  private func weight(_ state: RareState) -> Int { reached[state, default: 0] + forksFrom[state, default: 0] }

  /// A life was lived.
  package mutating func note(_ choice: LifeChoice, _ marks: RareStateMarks) {
    for (state, mark) in marks.marks {
      reached[state, default: 0] += 1
      if firsts[state] == nil { firsts[state] = choice }
      // A scenario says what is to come of it, which a fork of it need not.
      guard !choice.isScenario, choice.forks.count < Exploration.depth,
        choice.forks.last.map({ $0.time <= mark.first }) ?? true
      else {
        continue
      }
      examples[state, default: []].append(Example(choice: choice, time: mark.first))
      if examples[state, default: []].count > Exploration.memory { examples[state]?.removeFirst() }
    }
  }
}

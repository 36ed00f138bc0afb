import Quantities
import Testing

@testable import SIM7000

/// The ladder as the manual's tables have it, written down a second time: rungs by their number, from 0 for `retry`.
private struct PlainLadder {
  static let tries = [3, 2, 2, 1, 1, 1, 1]
  /// Milliseconds before the first, second and third try.
  static let waits = [[1000, 2000, 4000], [500, 2000], [500, 2000], [2000], [2000], [2000], [2000]]
  /// Seconds before the laps: the first at once.
  static let laps = [2, 60, 120, 300, 900, 3600]
  static let lowest: [ModemTrouble: Int] = [
    .refused: 0, .unanswered: 0, .unacknowledged: 0, .noSession: 1, .sessionLost: 1, .noBearer: 2, .notRegistered: 4,
    .searchEnded: 4, .denied: 4, .simFailure: 4, .simLocked: 4, .silent: 5, .noStart: 6, .supply: 6, .serverFault: 0,
  ]

  var rung = -1
  var triesDone = 0
  var lap = 0
  /// Long waits for a server that answers, which grow until all is well.
  var long = 0
  var random: SplitMix64
  var counts = [UInt32](repeating: 0, count: 7)

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func succeed() {
    rung = -1
    triesDone = 0
    lap = 0
    long = 0
  }

  /// The rung, and the wait in milliseconds before the jitter.
  mutating func climb(_ trouble: ModemTrouble) -> (rung: Int, wait: Int) {
    let lowest = PlainLadder.lowest[trouble] ?? -1
    let isForOthers = trouble == .denied || trouble == .simLocked
    // What only others can mend is not climbed for, and a server that answers has nothing to do with what is below it.
    let highest = isForOthers ? 4 : trouble == .serverFault ? 1 : 6
    var beginsLap = rung < 0
    if rung < lowest {
      rung = lowest
      triesDone = 0
    } else if triesDone >= PlainLadder.tries[rung], rung < highest || highest == 6 {
      rung += 1
      triesDone = 0
      if rung == 7 {
        rung = lowest
        beginsLap = true
      }
    }
    if rung > highest {
      rung = highest
      triesDone = 0
    }
    let lapWait = PlainLadder.laps[min(lap, 5)]
    let wait: Int
    if isForOthers || trouble == .noStart || trouble == .supply || (trouble == .silent && rung == 6) {
      wait = lapWait * 1000
    } else if trouble == .serverFault, rung == 1 {
      long = min(max(triesDone, long), 6)
      wait = [5, 10, 20, 40, 80, 160, 300][long] * 1000
      long = min(long + 1, 6)
    } else if beginsLap, lap > 0 {
      wait = min(lapWait, 900) * 1000
    } else {
      wait = PlainLadder.waits[rung][min(triesDone, PlainLadder.waits[rung].count - 1)]
    }
    triesDone = isForOthers ? 0 : min(triesDone + 1, 255)
    counts[rung] += 1
    if rung == 6 || isForOthers { lap += 1 }
    return (rung, wait)
  }

  /// Up to a quarter more, in microseconds.
  mutating func jittered(_ milliseconds: Int) -> Int64 {
    let whole = Int64(milliseconds) * 1000
    return whole + Int64(random.next() % UInt64(whole / 4))
  }
}

@Suite struct LadderReferenceTests {
  /// Nil is a packet that was acknowledged.
  private static let all: [ModemTrouble?] = ModemTrouble.allCases.map { $0 } + [nil]
  /// One for each first rung, and those that wait longer.
  private static let kinds: [ModemTrouble?] = [
    .unanswered, .sessionLost, .noBearer, .notRegistered, .denied, .silent, .supply, .serverFault, nil,
  ]

  /// One step of both; false when they differ.
  private func agree(_ ladder: inout RecoveryLadder, _ plain: inout PlainLadder, _ trouble: ModemTrouble?) -> Bool {
    guard let trouble else {
      ladder.descend()
      plain.succeed()
      return ladder.current == nil
    }
    let (rung, wait) = ladder.climb(for: trouble)
    let expected = plain.climb(trouble)
    guard Int(rung.rawValue) == expected.rung, wait.microseconds == plain.jittered(expected.wait) else { return false }
    return ladder.current == rung && ladder.counts[expected.rung] == plain.counts[expected.rung]
  }

  private func tryAll(
    _ alphabet: [ModemTrouble?], depth: Int, _ ladder: RecoveryLadder, _ plain: PlainLadder, _ path: [ModemTrouble?]
  ) -> [ModemTrouble?]? {
    guard depth > 0 else { return nil }
    for trouble in alphabet {
      var nextLadder = ladder
      var nextPlain = plain
      guard agree(&nextLadder, &nextPlain, trouble) else { return path + [trouble] }
      if let wrong = tryAll(alphabet, depth: depth - 1, nextLadder, nextPlain, path + [trouble]) { return wrong }
    }
    return nil
  }

  @Test func everyShortStoryClimbsAsTheManualSays() {
    let ladder = RecoveryLadder(seed: 5)
    #expect(tryAll(LadderReferenceTests.all, depth: 3, ladder, PlainLadder(seed: 5), []) == nil)
    #expect(tryAll(LadderReferenceTests.kinds, depth: 5, ladder, PlainLadder(seed: 5), []) == nil)
  }

  @Test func everyLongStoryClimbsAsTheManualSays() {
    var dice = SplitMix64(seed: 11)
    for seed: UInt64 in 1...40 {
      var ladder = RecoveryLadder(seed: seed)
      var plain = PlainLadder(seed: seed)
      // A few troubles of one kind are what happens; successes are rare in half of the stories.
      var trouble = LadderReferenceTests.all[0]
      var story: [ModemTrouble?] = []
      for _ in 0..<400 {
        if dice.next() % 8 == 0 { trouble = LadderReferenceTests.all[Int(dice.next() % 15)] }
        let isGood = seed % 2 == 0 && dice.next() % 20 == 0
        story.append(isGood ? nil : trouble)
        guard agree(&ladder, &plain, story.last ?? nil) else {
          Issue.record("seed \(seed): step \(story.count), \(story.suffix(12))")
          return
        }
      }
    }
  }

  @Test(arguments: ModemTrouble.allCases)
  func aTroubleThatNeverEndsIsTriedForEver(trouble: ModemTrouble) {
    var ladder = RecoveryLadder(seed: 3)
    var plain = PlainLadder(seed: 3)
    // More tries and more laps than a small counter holds.
    for step in 0..<4000 where !agree(&ladder, &plain, trouble) {
      Issue.record("\(trouble): step \(step)")
      return
    }
  }

  @Test func rungsAreInTheOrderOfTheirPrice() {
    let names: [StaticString] = ["retry", "session", "bearer", "attach", "radio", "reset", "power"]
    for (place, rung) in RecoveryRung.allCases.enumerated() {
      #expect(rung.name.description == names[place].description)
      #expect(RecoveryRung.allCases.allSatisfy { ($0 < rung) == ($0.rawValue < rung.rawValue) })
    }
    #expect(Set(ModemTrouble.allCases.map { $0.name.description }) == Set(ModemTrouble.allCases.map { "\($0)" }))
    #expect(ModemStep.allCases.allSatisfy { $0.name.description == "\($0)" })
    #expect(ModemPhase.allCases.allSatisfy { $0.name.description == "\($0)" })
    #expect(ModemLoad.allCases.allSatisfy { $0.name.description == "\($0)" })
  }
}

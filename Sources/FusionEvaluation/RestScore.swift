/// How well rest was found over one recording whose movement is known. Positive is rest.
public struct RestScore: Equatable, Sendable {
  /// Rows at rest that were called rest.
  public var truePositives = 0
  /// Rows in movement that were called rest.
  public var falsePositives = 0
  /// Rows at rest that were called movement.
  public var falseNegatives = 0
  /// Rows in movement that were called movement.
  public var trueNegatives = 0
  /// Phases of rest of at least two seconds.
  public var phases = 0
  /// Of them those in which rest was found at all.
  public var phasesFound = 0
  /// Rows at rest from 1.5 s after the phase began: what a detector that waits 1.5 s can find.
  public var settledCount = 0
  /// Of them those called rest.
  public var settledTruePositives = 0
  /// Times that rest was announced during movement.
  public var falseOnsets = 0

  /// Share of the rows called rest that were; NaN when none was.
  public var precision: Double { Double(truePositives) / Double(truePositives + falsePositives) }
  /// Share of the rows at rest that were called so; NaN when there was none.
  public var recall: Double { Double(truePositives) / Double(truePositives + falseNegatives) }
  /// The recall from 1.5 s into each phase on; NaN when there is no such row.
  public var settledRecall: Double { Double(settledTruePositives) / Double(settledCount) }

  /// Nothing counted.
  public init() {}

  /// Scores what a detector said row by row.
  ///
  /// - Parameters:
  ///   - isResting: What the detector said.
  ///   - isMoving: What was so.
  ///   - hertz: Rows per second.
  /// - Precondition: Both of the same length.
  public init(isResting: [Bool], isMoving: [Bool], hertz: Double) {
    precondition(isResting.count == isMoving.count)
    for row in isResting.indices {
      switch (isResting[row], isMoving[row]) {
      case (true, false): truePositives += 1
      case (true, true): falsePositives += 1
      case (false, false): falseNegatives += 1
      case (false, true): trueNegatives += 1
      }
      if row > 0, isResting[row], !isResting[row - 1], isMoving[row] { falseOnsets += 1 }
    }
    let settling = hertz.isFinite ? Int(min(1.5 * hertz, 1e9)) : 0
    var start = 0
    while start < isMoving.count {
      guard !isMoving[start] else {
        start += 1
        continue
      }
      let end = isMoving[start...].firstIndex(of: true) ?? isMoving.count
      if Double(end - start) >= 2 * hertz {
        phases += 1
        if isResting[start..<end].contains(true) { phasesFound += 1 }
      }
      for row in min(end, start + settling)..<end {
        settledCount += 1
        if isResting[row] { settledTruePositives += 1 }
      }
      start = end
    }
  }

  /// Rows per second from the median step of the times, s; NaN for fewer than two.
  public static func hertz(ofTimes times: [Double]) -> Double {
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { !$0.isNaN }.sorted()
    guard !steps.isEmpty else { return .nan }
    let middle = steps.count / 2
    let median = steps.count % 2 == 1 ? steps[middle] : (steps[middle - 1] + steps[middle]) / 2
    return 1 / median
  }

  /// Adds the counts of another recording.
  public static func += (a: inout RestScore, b: RestScore) {
    a.truePositives += b.truePositives
    a.falsePositives += b.falsePositives
    a.falseNegatives += b.falseNegatives
    a.trueNegatives += b.trueNegatives
    a.phases += b.phases
    a.phasesFound += b.phasesFound
    a.settledCount += b.settledCount
    a.settledTruePositives += b.settledTruePositives
    a.falseOnsets += b.falseOnsets
  }
}

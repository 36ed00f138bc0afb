/// How well a rest detector tells rest from movement, counted over one trial or added up over several.
public struct RestScore: Sendable, Equatable {
  /// Samples at rest that were called rest.
  public var truePositives = 0
  /// Samples of movement that were called rest.
  public var falsePositives = 0
  /// Samples at rest that were called movement.
  public var falseNegatives = 0
  /// Phases of rest of at least 2 s.
  public var phases = 0
  /// Those of them in which rest was found at all.
  public var phasesFound = 0
  /// Times that rest was said to begin during movement.
  public var falseOnsets = 0

  /// Nothing counted.
  public init() {}

  /// Counts over one trial.
  ///
  /// - Parameter isAtRest: What the detector said at each sample.
  public init(_ isAtRest: [Bool], against trial: OrientationTrial) {
    precondition(isAtRest.count == trial.count, "one answer for each sample")
    let longPhase = Int((2 / max(trial.period, 1e-6)).rounded(.up))
    var phaseLength = 0
    var isFound = false
    func closePhase(_ score: inout RestScore) {
      if phaseLength >= longPhase {
        score.phases += 1
        if isFound { score.phasesFound += 1 }
      }
      phaseLength = 0
      isFound = false
    }
    for sample in 0..<trial.count {
      let said = isAtRest[sample]
      if trial.isMoving[sample] {
        closePhase(&self)
        if said { falsePositives += 1 }
        if said, sample > 0, !isAtRest[sample - 1] { falseOnsets += 1 }
      } else {
        phaseLength += 1
        isFound = isFound || said
        if said { truePositives += 1 } else { falseNegatives += 1 }
      }
    }
    closePhase(&self)
  }

  /// Share of what was called rest that is rest; 1 when nothing was.
  public var precision: Double {
    let called = truePositives + falsePositives
    return called > 0 ? Double(truePositives) / Double(called) : 1
  }

  /// Share of rest that was called rest; 1 when there is none.
  public var recall: Double {
    let still = truePositives + falseNegatives
    return still > 0 ? Double(truePositives) / Double(still) : 1
  }

  /// Adds the counts of another trial.
  public static func += (a: inout RestScore, b: RestScore) {
    a.truePositives += b.truePositives
    a.falsePositives += b.falsePositives
    a.falseNegatives += b.falseNegatives
    a.phases += b.phases
    a.phasesFound += b.phasesFound
    a.falseOnsets += b.falseOnsets
  }
}

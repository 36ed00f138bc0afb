/// What became of a scene.
package struct SceneOutcome: Equatable, Sendable {
  /// When something was told.
  package struct Delay: Equatable, Sendable {
    /// Seconds after the deed began; nil when it was never told.
    package var seconds: Double?
    /// Seconds that are allowed.
    package var bound: Double
    /// True when it was told in time.
    package var isRight: Bool { seconds.map { $0 <= bound } ?? false }
  }

  /// An alarm's sign.
  package struct Sign: Equatable, Sendable {
    /// Seconds from the begin of the scene.
    package var seconds: Double
    /// The detector's name.
    package var detector: String
    /// True when nothing called for it.
    package var isFalse: Bool
  }

  /// The scene's name.
  package var name: String
  /// Its half.
  package var half: SceneHalf
  /// Why it could not be played; nil when it was.
  package var skipped: String?
  /// True when a recording is there and can't be read: no table has that.
  package var isUnreadable = false
  /// One for each deed that must be told.
  package var delays: [Delay] = []
  /// Alerts in all.
  package var alerts = 0
  /// Alerts that nothing called for.
  package var falseAlerts = 0
  /// What raised or worsened alarms, in order; the first hundred.
  package var signs: [Sign] = []
  /// Seconds until it was armed, the longest of all times it was parked; nil when it never was.
  package var armedAfter: Double?
  /// True when it was not armed though parked for long enough.
  package var neverArmed = false
  /// Share of the parked time from 600 s on; nil when there was none.
  package var armedShare: Double?
  /// The same from 300 s on.
  package var armedShare300: Double?
  /// Rides while parked.
  package var rides = 0
  /// Metres while parked.
  package var metres = 0.0
  /// Packets in all.
  package var packets = 0
  /// Length.
  package var hours = 0.0
  /// Name of the tracker's phase at the end; nil where that was not written down.
  package var phase: String?
  /// What is not as it should be, a short phrase each; empty when all is right.
  package var problems: [String] = []

  init(_ scene: EvaluatedScene) {
    name = scene.name
    half = scene.half
  }

  /// True when all is as it should be.
  package var isRight: Bool { skipped == nil && problems.isEmpty }

  /// Median of the delays, those that were never told last; nil without any, or when it is one of these.
  package var median: Double? {
    guard !delays.isEmpty else { return nil }
    let sorted = delays.map { $0.seconds ?? .infinity }.sorted()
    let value = sorted[(sorted.count - 1) / 2]
    return value.isFinite ? value : nil
  }

  /// The longest delay; nil when something was never told.
  package var worst: Double? {
    let worst = delays.map { $0.seconds ?? .infinity }.max() ?? .infinity
    return worst.isFinite ? worst : nil
  }

  /// Deeds told in time.
  package var toldCount: Int { delays.count { $0.isRight } }

  private var firstFalse: String {
    signs.first { $0.isFalse }.map { ", the first by \($0.detector) after \(Int($0.seconds)) s" } ?? ""
  }

  mutating func judge(_ expectation: SceneExpectation) {
    let missed = delays.count { $0.seconds == nil }
    let late = delays.count - toldCount - missed
    if missed > 0 { problems.append("\(missed) of \(delays.count) not told") }
    if late > 0 { problems.append("\(late) of \(delays.count) told late") }
    if let median = expectation.median, let own = self.median, own > median {
      problems.append("median above \(median) s")
    }
    if falseAlerts > expectation.alerts { problems.append("\(falseAlerts) false alerts\(firstFalse)") }
    if let by = expectation.armedBy {
      if neverArmed || armedAfter == nil {
        problems.append("not armed")
      } else if let after = armedAfter, after > by + 0.5 {
        problems.append("armed after \(Int(after)) s")
      }
    }
    if let share = expectation.armedShare, (armedShare ?? 0) < share {
      problems.append("armed \(tenths((armedShare ?? 0) * 100)) % of the time")
    }
    if rides > expectation.rides { problems.append("\(rides) rides") }
    if metres > expectation.metres + 0.5 { problems.append("\(Int(metres)) m") }
    if let wanted = expectation.phase, phase != wanted {
      problems.append("\(phase ?? "nothing") at the end, not \(wanted)")
    }
    if let most = expectation.packets, packets > most { problems.append("\(packets) packets") }
  }
}

/// A number with one digit behind the point.
func tenths(_ value: Double) -> String {
  let whole = Int((value * 10).rounded())
  return "\(whole < 0 ? "-" : "")\(whole.magnitude / 10).\(whole.magnitude % 10)"
}

import Quantities
import TrackerRuntime

/// A change of one number that would have kept an alert from being told.
struct WhyFlip {
  /// The setting.
  var name: String
  /// Its value.
  var before: Double
  /// The nearest value that was tried and keeps it from being told.
  var after: Double
  /// Unit; nil when it has none.
  var unit: String?
  /// Name of the change of all thresholds together.
  static let all = "all"
  /// How far that is: the logarithm of the factor.
  var distance: Double { abs(logarithm(after / before)) }
}

/// Replays a recording with every number of the detectors changed up and down, until an alert is told no more.
///
/// A threshold that is raised by a factor is evidence that is smaller by it: where the alert goes is its margin.
struct WhyExperiment: Sendable {
  private let recording: WhyRecording
  private let configuration: RunConfiguration
  private let alert: RaisedEvidence
  private let earlier: [Instant]
  private let isInAlarm: Bool
  private let settings: [Setting]

  /// Factors that are tried, near ones first.
  private static let ladder = [1.05, 1.1, 1.2, 1.35, 1.6, near, 3, 5, 10]
  private static let near = 2.0

  /// - Parameter trace: The replay up to the alert, as nothing is changed.
  init(
    _ recording: WhyRecording, _ configuration: RunConfiguration, alert: RaisedEvidence, _ trace: AlertTrace
  ) {
    self.recording = recording
    self.configuration = configuration
    self.alert = alert
    earlier = Array(trace.times.prefix((alert.alert ?? 1) - 1))
    isInAlarm = trace.isInAlarm
    settings = Setting.all.filter { setting in
      guard setting.name.hasPrefix("motion.") || setting.name.hasPrefix("rest.") else { return false }
      guard case .number = setting.form, let value = Double(setting.text(configuration.tracker)) else { return false }
      return value > 0
    }
  }

  /// The numbers that are changed.
  var names: [String] { settings.map(\.name) }

  /// The changes that keep it from being told, the smallest first.
  func run(threads: Int, _ console: Console) throws(CommandFailure) -> [WhyFlip] {
    let count = 2 * settings.count + 1
    let pool = WorkerPool(count: count) { [self] job in
      job == 0 ? flipOfAll() : flip(settings[(job - 1) / 2], isUp: job % 2 == 1)
    }
    var line = ProgressLine(console, delay: 500_000)
    let results = try pool.run(threads: threads) { done in line.update("\(done) of \(count) changes tried") }
    line.clear()
    return results.compactMap { $0 ?? nil }.sorted { $0.distance < $1.distance }
  }

  private func flip(_ setting: Setting, isUp: Bool) -> WhyFlip? {
    guard let before = Double(setting.text(configuration.tracker)) else { return nil }
    let factor = factor { factor in
      var changed = configuration
      let value = isUp ? before * factor : before / factor
      // A value out of range can't be tried.
      return (try? changed.set(setting.name, to: "\(Float(value))")) == nil ? nil : changed
    }
    return factor.map {
      WhyFlip(name: setting.name, before: before, after: isUp ? before * $0 : before / $0, unit: setting.unit)
    }
  }

  /// All thresholds raised together: all that was measured is weaker by the same factor.
  private func flipOfAll() -> WhyFlip? {
    let factor = factor { factor in
      var changed = configuration
      for setting in settings where setting.unit != "s" && !setting.name.contains("Accuracy") {
        guard let value = Double(setting.text(configuration.tracker)), case .number(let range) = setting.form else {
          continue
        }
        _ = try? changed.set(setting.name, to: "\(Float(min(value * factor, range.upperBound)))")
      }
      return changed
    }
    return factor.map { WhyFlip(name: WhyFlip.all, before: 1, after: $0, unit: nil) }
  }

  /// The least factor of the ladder at which it is told no more, halved towards the last at which it was; nil when there is none.
  ///
  /// Most settings decide nothing: one that prevents nothing at twice and at ten times, or as far as its range goes, is not tried nearer.
  private func factor(_ changed: (Double) -> RunConfiguration?) -> Double? {
    let steps = WhyExperiment.ladder.filter { changed($0) != nil }
    func isTold(_ factor: Double) -> Bool { changed(factor).map { !isPrevented($0) } ?? true }
    let trials = steps.filter { $0 == WhyExperiment.near } + steps.suffix(1)
    guard !trials.allSatisfy(isTold) else { return nil }
    var told = 1.0
    for step in steps {
      if isTold(step) {
        told = step
        continue
      }
      var gone = step
      for _ in 0..<4 {
        let middle = (told * gone).squareRoot()
        if isTold(middle) { told = middle } else { gone = middle }
      }
      return gone
    }
    return nil
  }

  /// True when no alert is told between the onset of that one and ten seconds after it, and none is told before that was not: a tracker that
  /// is more sensitive tells it earlier, or finds an alarm open.
  private func isPrevented(_ configuration: RunConfiguration) -> Bool {
    let until = alert.time + WhyExperiment.patience
    guard let trace = try? AlertTrace(recording, configuration, until: until, alert: 0, at: alert.time) else {
      return false
    }
    // One that is still open from before has taken it in.
    guard isInAlarm || !trace.isInAlarm else { return false }
    return WhyExperiment.isMissing(alert, among: trace.times, before: earlier)
  }

  /// True when an alert is not among the alerts of a changed tracker, and none is there in its place.
  ///
  /// - Parameters:
  ///   - times: Of the alerts of the changed tracker.
  ///   - earlier: Those before the alert without the change.
  static func isMissing(_ alert: RaisedEvidence, among times: [Instant], before earlier: [Instant]) -> Bool {
    let from = min(alert.evidence.onset, alert.time) + .seconds(-1)
    return times.allSatisfy { time in
      guard time < from else { return time > alert.time + patience }
      return earlier.contains { time - $0 <= patience && $0 - time <= patience }
    }
  }

  /// What is told later than this is not told in its place.
  private static let patience = Interval.seconds(10)
}

/// The natural logarithm.
private func logarithm(_ value: Double) -> Double { Elementary.log(value) }

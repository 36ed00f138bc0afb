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
struct WhyExperiment {
  private let recording: WhyRecording
  private let configuration: RunConfiguration
  private let alert: RaisedEvidence
  private let threads: Int
  private let console: Console
  private let settings: [Setting]

  /// Factors that are tried, near ones first.
  private static let ladder = [1.05, 1.1, 1.2, 1.35, 1.6, 2, 3, 5, 10]

  init(
    _ recording: WhyRecording, _ configuration: RunConfiguration, alert: RaisedEvidence, threads: Int, console: Console
  ) {
    self.recording = recording
    self.configuration = configuration
    self.alert = alert
    self.threads = threads
    self.console = console
    settings = Setting.all.filter { setting in
      guard setting.name.hasPrefix("motion.") || setting.name.hasPrefix("rest.") else { return false }
      guard case .number = setting.form, let value = Double(setting.text(configuration.tracker)) else { return false }
      return value > 0
    }
  }

  /// The numbers that are changed.
  var names: [String] { settings.map(\.name) }

  /// The changes that keep it from being told, the smallest first.
  func run() throws(CommandFailure) -> [WhyFlip] {
    let (recording, configuration, alert, settings) = (recording, configuration, alert, settings)
    let count = 2 * settings.count + 1
    let pool = WorkerPool(count: count) { job in
      job == 0
        ? WhyExperiment.flipOfAll(settings, recording, configuration, alert)
        : WhyExperiment.flip(settings[(job - 1) / 2], isUp: job % 2 == 1, recording, configuration, alert)
    }
    var line = ProgressLine(console, delay: 500_000)
    let results = try pool.run(threads: threads) { done in line.update("\(done) of \(count) changes tried") }
    line.clear()
    return results.compactMap { $0 ?? nil }.sorted { $0.distance < $1.distance }
  }

  private static func flip(
    _ setting: Setting, isUp: Bool, _ recording: WhyRecording, _ configuration: RunConfiguration,
    _ alert: RaisedEvidence
  ) -> WhyFlip? {
    guard let before = Double(setting.text(configuration.tracker)) else { return nil }
    let factor = WhyExperiment.factor { factor in
      var changed = configuration
      let value = isUp ? before * factor : before / factor
      // A value out of range can't be tried, and changes nothing.
      guard (try? changed.set(setting.name, to: "\(Float(value))")) != nil else { return true }
      return WhyExperiment.isTold(recording, changed, alert)
    }
    return factor.map {
      WhyFlip(name: setting.name, before: before, after: isUp ? before * $0 : before / $0, unit: setting.unit)
    }
  }

  /// All thresholds raised together: all that was measured is weaker by the same factor.
  private static func flipOfAll(
    _ settings: [Setting], _ recording: WhyRecording, _ configuration: RunConfiguration, _ alert: RaisedEvidence
  ) -> WhyFlip? {
    let factor = WhyExperiment.factor { factor in
      var changed = configuration
      for setting in settings where setting.unit != "s" && !setting.name.contains("Accuracy") {
        guard let value = Double(setting.text(configuration.tracker)), case .number(let range) = setting.form else {
          continue
        }
        _ = try? changed.set(setting.name, to: "\(Float(min(value * factor, range.upperBound)))")
      }
      return WhyExperiment.isTold(recording, changed, alert)
    }
    return factor.map { WhyFlip(name: WhyFlip.all, before: 1, after: $0, unit: nil) }
  }

  /// The least factor of the ladder at which it is told no more, halved towards the last at which it was; nil when there is none.
  private static func factor(_ isTold: (Double) -> Bool) -> Double? {
    var told = 1.0
    for step in ladder {
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

  /// True when an alert is told between the onset of that one and ten seconds after it.
  private static func isTold(
    _ recording: WhyRecording, _ configuration: RunConfiguration, _ alert: RaisedEvidence
  ) -> Bool {
    let until = alert.time + .seconds(10)
    guard let trace = try? AlertTrace(recording, configuration, until: until, alert: 0) else { return true }
    let from = min(alert.evidence.onset, alert.time) + .seconds(-1)
    return trace.times.contains { $0 >= from && $0 <= until }
  }
}

/// The natural logarithm.
private func logarithm(_ value: Double) -> Double { Elementary.log(value) }

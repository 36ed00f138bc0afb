import MotionDetection
import Quantities
import TrackerRuntime

/// Sentences about an alert.
enum WhyText {
  /// What decided.
  static func sentences(
    _ alert: RaisedEvidence, number: Int, _ trace: AlertTrace, _ configuration: RunConfiguration
  ) -> [String] {
    let evidence = alert.evidence
    var lines = [
      "Alert \(number) was raised at \(TimeText.elapsed(alert.time)) by '\(evidence.detector.name)'."
    ]
    let ratio = TimeText.decimal(Double(evidence.ratio), 2)
    lines.append(
      "The evidence was \(ratio) times the threshold, since \(TimeText.elapsed(evidence.onset)): for "
        + "\(TimeText.length(evidence.duration)).")
    var stand: [String] = []
    if let tilt = evidence.tilt {
      stand.append("the vehicle was tilted by \(TimeText.decimal(Double(tilt) * 180 / Double.pi, 1))°")
    }
    if let displacement = evidence.displacement {
      stand.append("fixes were \(TimeText.distance(Double(displacement))) from the parking place")
    }
    if !stand.isEmpty { lines.append("By then " + stand.joined(separator: ", and ") + ".") }
    if let armedAt = trace.armedAt {
      lines.append(
        "The tracker was armed since \(TimeText.elapsed(armedAt)), for \(TimeText.length(alert.time - armedAt)).")
    }
    let measured = zip(EvidenceLine.all, trace.peaks).compactMap { line, peak in
      peak.map { "\(line.name) \(TimeText.decimal(Double($0), 2))" }
    }
    if !measured.isEmpty {
      lines.append(
        "Largest evidence in the ten seconds before (1 or more is movement): " + measured.joined(separator: ", ") + ".")
    }
    return lines
  }

  /// Settings that say when it is armed: a longer one explains nothing of the movement.
  private static let arming = ["motion.armAfter", "motion.armBy", "motion.touchDelay"]

  /// What several detectors that agree mean: weaker evidence of one would not have been enough.
  static func agreement(_ peaks: [Float?]) -> String? {
    let names = zip(EvidenceLine.all.dropFirst(), peaks.dropFirst()).compactMap { line, peak in
      (peak ?? 0) >= 1 ? line.name : nil
    }
    guard names.count > 1, let last = names.last else { return nil }
    return "\(names.count) detectors agreed, \(names.dropLast().joined(separator: ", ")) and \(last): "
      + "had one of them seen nothing, another would have told of it."
  }

  /// What would have kept it from being told: evidence that was weaker, and times that were longer or shorter.
  ///
  /// - Parameter isInAlarm: Whether an alarm was open before. A tracker that is more sensitive may still see the movement of that one when
  ///   this begins, and tells nothing anew: that prevents nothing.
  static func flips(_ flips: [WhyFlip], tried: Int, isInAlarm: Bool) -> [String] {
    let thresholds = flips.filter { $0.unit != "s" && $0.name != WhyFlip.all }
    let evidence = thresholds.filter { !isInAlarm || $0.after > $0.before }
    let lower = thresholds.filter { isInAlarm && $0.after < $0.before }
    let unarmed = flips.filter { !isInAlarm && arming.contains($0.name) && $0.after > $0.before }
    let times = flips.filter { flip in flip.unit == "s" && !unarmed.contains { $0.name == flip.name } }
    guard !flips.isEmpty else {
      return [
        "No single one of \(tried) settings, changed by two or ten times up or down, prevents the alert."
      ]
    }
    var lines: [String] = []
    if let all = flips.first(where: { $0.name == WhyFlip.all }) {
      lines.append(
        "If all evidence had been \(TimeText.decimal(all.after, 2)) times weaker, there would be no alert within ten seconds."
      )
    }
    if let nearest = evidence.first {
      lines.append(
        "The smallest change of one threshold that prevents the alert, or puts it off by ten seconds: \(text(nearest))."
      )
      let others = evidence.dropFirst().prefix(4)
      if !others.isEmpty { lines.append("Others: " + others.map { text($0) }.joined(separator: "; ") + ".") }
    } else {
      lines.append(
        isInAlarm
          ? "No single threshold decided: with any one of them two or ten times higher, the alert is still raised."
          : "No single threshold decided: with any one of them changed by two or ten times, the alert is still raised."
      )
    }
    let start = isInAlarm ? "An alarm was open already. It stays a part of that one, or is prevented, with " : ""
    if !lower.isEmpty {
      lines.append(start + "lower values: " + lower.prefix(4).map { text($0) }.joined(separator: "; ") + ".")
    }
    if !times.isEmpty {
      lines.append(
        (isInAlarm ? start + "other times: " : "Times: ") + times.prefix(3).map { text($0) }.joined(separator: "; ")
          + ".")
    }
    if let nearest = unarmed.first {
      lines.append(
        "It was armed by then: with \(nearest.name) \(short(nearest.after)) s instead of \(short(nearest.before)) s it would not "
          + "have been. That says when it happened, not what.")
    }
    return lines
  }

  private static func text(_ flip: WhyFlip) -> String {
    let factor = flip.after / flip.before
    let times = factor >= 1 ? "\(TimeText.decimal(factor, 2)) times" : "\(TimeText.decimal(1 / factor, 2)) times less"
    let unit = flip.unit.map { " " + $0 } ?? ""
    return "\(flip.name) \(short(flip.after))\(unit) instead of \(short(flip.before))\(unit), \(times)"
  }

  private static func short(_ value: Double) -> String {
    let decimals = abs(value) >= 100 ? 0 : abs(value) >= 1 ? 2 : 4
    return TimeText.decimal(value, decimals)
  }
}

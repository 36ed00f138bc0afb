import InertialFusion
import MotionDetection
import Quantities
import TrackerCore

/// Something that is measured against what counts as movement: 1 and more does.
///
/// This list is the only place that knows what there is to look at while nothing is told. A detector that is not in it still
/// appears by its name where it raised something, as all of `MovementDetector` do.
struct EvidenceLine: Sendable {
  /// What is measured, in a word or two.
  let name: String
  /// The ratio now; nil when nothing is measured.
  let ratio: @Sendable (borrowing Tracker) -> Float?

  /// All, in the order of a picture.
  static let all: [EvidenceLine] = [
    EvidenceLine(name: "above the noise") { tracker in
      tracker.monitor.estimator.lastSampleTime == nil ? nil : tracker.monitor.estimator.rest.evidence.activity
    },
    EvidenceLine(name: "handling") { $0.monitor.ratio(of: .handling) },
    EvidenceLine(name: "tilt") { tracker in
      tracker.monitor.tiltSinceParking.map { $0 / tracker.monitor.parameters.tiltLimit }
    },
    EvidenceLine(name: "heading") { $0.monitor.ratio(of: .heading) },
    EvidenceLine(name: "lift") { $0.monitor.ratio(of: .lift) },
    EvidenceLine(name: "carry") { $0.monitor.ratio(of: .carry) },
    EvidenceLine(name: "speed") { tracker in
      guard let fix = tracker.lastFix, tracker.now - fix.time < .seconds(10), let speed = fix.speed else { return nil }
      return Float(speed) / tracker.monitor.parameters.travelSpeed
    },
  ]
}

/// One thing that was raised: a suspicion or an alert.
struct RaisedEvidence {
  /// When it was told.
  var time: Instant
  /// What decided.
  var evidence: MovementEvidence
  /// Number of the alert, from 1; nil for a suspicion.
  var alert: Int?
}

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
    EvidenceLine(name: "turning") { tracker in
      let rest = tracker.monitor.estimator.rest
      guard rest.angularRate.count > 0 else { return nil }
      let attitude = tracker.monitor.estimator.attitude
      let mean = attitude.isGyroBiasKnown ? rest.angularRate.mean - attitude.gyroBias : .zero
      let noise = rest.angularRateNoise.variance.squareRoot()
      return (rest.angularRate.variance + mean.squaredLength / 3).squareRoot()
        / max(tracker.configuration.motion.handlingRate, 4 * noise)
    },
    EvidenceLine(name: "shaking") { tracker in
      let rest = tracker.monitor.estimator.rest
      guard rest.specificForce.count > 0 else { return nil }
      let noise = rest.specificForceNoise.variance.squareRoot()
      return rest.specificForce.variance.squareRoot() / max(tracker.configuration.motion.handlingVibration, 4 * noise)
    },
    EvidenceLine(name: "tilt") { tracker in
      tracker.monitor.tiltSinceParking.map { $0 / tracker.configuration.motion.tiltLimit }
    },
    EvidenceLine(name: "speed") { tracker in
      guard let fix = tracker.lastFix, tracker.now - fix.time < .seconds(10), let speed = fix.speed else { return nil }
      return Float(speed) / tracker.configuration.motion.travelSpeed
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

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
  let ratio: @Sendable (borrowing Tracker, SwitchWatch) -> Float?

  /// All, in the order of a picture.
  static let all: [EvidenceLine] = [
    EvidenceLine(name: "above the noise") { tracker, _ in
      tracker.monitor.estimator.lastSampleTime == nil ? nil : tracker.monitor.estimator.rest.evidence.activity
    },
    EvidenceLine(name: "handling") { tracker, _ in tracker.monitor.ratio(of: .handling) },
    EvidenceLine(name: "tilt") { tracker, _ in
      tracker.monitor.tiltSinceParking.map { $0 / tracker.monitor.parameters.tiltLimit }
    },
    EvidenceLine(name: "heading") { tracker, _ in tracker.monitor.ratio(of: .heading) },
    EvidenceLine(name: "lift") { tracker, _ in tracker.monitor.ratio(of: .lift) },
    EvidenceLine(name: "carry") { tracker, _ in tracker.monitor.ratio(of: .carry) },
    // A way is known when it is over, and stays until the next.
    EvidenceLine(name: "shift (last movement)") { tracker, _ in tracker.monitor.ratio(of: .shift) },
    EvidenceLine(name: "speed") { tracker, _ in
      guard let fix = recentFix(tracker), let speed = fix.speed else { return nil }
      return Float(speed) / tracker.monitor.parameters.travelSpeed
    },
    EvidenceLine(name: "displacement") { tracker, _ in
      recentFix(tracker).flatMap { tracker.monitor.placeRatio(of: $0) }
    },
    EvidenceLine(name: "switches") { _, switches in switches.ratio },
  ]

  private static func recentFix(_ tracker: borrowing Tracker) -> GNSSFix? {
    guard let fix = tracker.lastFix, tracker.now - fix.time < .seconds(10) else { return nil }
    return fix
  }
}

/// Watches the switches beside a tracker, which keeps no measure of them: a change is a sign, or none.
struct SwitchWatch: Sendable {
  private var contacts = Contacts()
  /// 1 at an input that was a sign, 0 at the others; nil without a switch.
  private(set) var ratio: Float?

  /// Takes what the tracker took.
  mutating func take(_ input: TrackerInput) {
    if ratio != nil { ratio = 0 }
    guard case .reading(.contacts(let reading)) = input else { return }
    let before = contacts
    contacts.update(with: reading.contacts)
    for contact in Contact.allCases where contact != .button {
      guard let isOn = contacts[contact] else { continue }
      // The brake pulled and the box opened; the kick-stand folded and the lock open.
      let asByAThief = contact == .brake || contact == .tamper
      let isSign = isOn == asByAThief && before[contact] == !isOn
      ratio = max(ratio ?? 0, isSign ? 1 : 0)
    }
  }
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

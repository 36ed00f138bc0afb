import Quantities
import TrackerCore
import Uplinks

/// Lets satellite receivers sleep while the tracker does not need to know where it is (`SensingPlan`).
///
/// gpsd lets go of a receiver that nobody listens to, and the modem switches its own off. A receiver at a serial port goes on: nothing
/// here can switch it off. Nor does an inertial sensor sleep on a board: to start its buffer again takes longer than the first shake.
package final class ReceiverRest {
  private let sensors: [SupervisedSensor]
  /// The modem, when the fixes are those of its receiver.
  private let modem: CellularUplink?
  /// What the tracker said last and was not done yet.
  private var news: SensingPlan.Reception?
  /// Since when a single fix is waited for.
  private var singleSince: Instant?
  /// True while they are off.
  package private(set) var isResting = false

  /// Receivers that are on.
  package init(_ sensors: [SupervisedSensor], modem: CellularUplink?) {
    self.sensors = sensors.filter(\.source.savesWhenStopped)
    self.modem = modem
  }

  /// Takes what the tracker says; it is done with the next `carryOut`, as whoever says so may be in the middle of an input.
  package func follow(_ plan: SensingPlan) { news = plan.reception }

  /// Takes when the last fix with a position was.
  package func noteFix(at time: Instant) {
    if let since = singleSince, time >= since { news = .off }
  }

  /// When a fix has been waited for long enough.
  package var nextDeadline: Instant? { singleSince.map { $0 + SensingPlan.fixTimeout } }

  /// Does what was said.
  package func carryOut(at now: Instant) {
    if let due = nextDeadline, due <= now { news = news ?? .off }
    guard let reception = news else { return }
    news = nil
    singleSince = reception == .single ? now : nil
    let rests = reception == .off
    guard rests != isResting else { return }
    isResting = rests
    for sensor in sensors { sensor.sleep(rests, at: now) }
    modem?.setGNSS(isOn: !rests, at: now)
  }
}

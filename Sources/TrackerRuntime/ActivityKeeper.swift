import Activity
import Quantities
import Telemetry
import TrackerCore

/// The activity of a pet beside its tracker: what its sensor feels, what of it is answered and told, and what is to be kept.
struct ActivityKeeper: ~Copyable {
  /// True while the tracker's wearer is an animal, by its profile: nothing is measured of others.
  private(set) var isOn = false
  /// The days of the wearer.
  private(set) var ledger = ActivityLedger()
  private var meter = ActivityMeter()
  private var travel = TravelWatch()

  /// Goes on with what an earlier life has kept.
  mutating func restore(_ state: Span<UInt8>) { ledger.restore(state) }

  /// Looks at who wears the tracker and how fast it is, after anything but a sample.
  mutating func look(at tracker: borrowing Tracker) {
    isOn = tracker.wearerIsAnimal
    guard isOn else { return }
    if let (time, speed) = tracker.lastSpeed { travel.note(speed: speed, at: time) }
    lookAtClock(tracker)
  }

  /// Takes a sample that the tracker has taken.
  mutating func take(_ sample: InertialSample, of tracker: borrowing Tracker) {
    if let force = sample.specificForce, let window = meter.take(force, at: sample.time) {
      ledger.note(window, isCarried: travel.isCarried(at: sample.time))
    }
    lookAtClock(tracker)
  }

  private mutating func lookAtClock(_ tracker: borrowing Tracker) {
    guard ledger.isDue(at: tracker.now) else { return }
    let zone = tracker.alarmZone
    ledger.look(at: tracker.now, utc: tracker.utc(of: tracker.now), zone: zone.span)
  }

  /// Steps of the day are asked of the one who counts them, not of the tracker; a log says so, and is replayed alike by those who count none.
  func redirect(_ verdict: RequestVerdict) -> RequestVerdict {
    guard isOn, case .admitted(.status(.steps(from: 0, to: 0)), let channel, let number, let counter) = verdict else {
      return verdict
    }
    return .admitted(.status(.activity), channel: channel, number: number, counter: counter)
  }

  /// Answers a request about activity that the tracker has let in.
  ///
  /// - Returns: The answer and the number of the request; nil when there is nothing to say to it.
  mutating func answer(
    to command: [UInt8], _ verdict: RequestVerdict?, of tracker: borrowing Tracker
  ) -> (notice: ActivityNotice, number: UInt32)? {
    let request: Request?
    var number: UInt32 = 0
    if case .admitted(let admitted, _, let given, _)? = verdict {
      number = given
      request = given > 0 && tracker.lastRequestAnswer == .repeated ? nil : admitted
    } else {
      request = verdict == nil ? Request(logged: command.span) : nil
    }
    switch request {
    case .status(.activity)?:
      guard isOn else { return nil }
      var answer = ledger.summary
      answer.reason = .steps
      return (answer, number)
    case .unclaim?: ledger.forget()
    default: break
    }
    return nil
  }

  /// False when `nextNotice` has nothing.
  var mayHaveNotice: Bool { ledger.hasNews }

  /// What the ledger tells by itself, one at a time.
  mutating func nextNotice() -> ActivityNotice? { ledger.nextNotice() }

  /// Gives a store what has changed, to go with the next change of the state.
  mutating func keepChanges(in store: any TrackerStore) {
    guard ledger.takeChange() else { return }
    var record = ByteBuffer()
    ledger.encode(into: &record)
    store.keep(beside: ActivityLedger.sectionTag, record.bytes)
  }
}

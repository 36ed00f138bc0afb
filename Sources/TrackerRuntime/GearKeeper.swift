import Gear
import Quantities
import Telemetry
import TrackerCore

/// Gear beside a tracker: what it hears of the tracker's rides and requests, and what of it is to be kept.
struct GearKeeper: ~Copyable {
  /// Gear and what was ridden on it.
  private(set) var ledger = GearLedger()
  /// Rides of this life that the ledger has been told of.
  private var toldRides: UInt32 = 0
  /// Length of the last of them, m.
  private var toldDistance = 0.0
  /// When the ledger is told the date next.
  private var nextDay = Instant(microseconds: .min)

  /// How long the date may be behind.
  private static var dayInterval: Interval { .seconds(900) }

  /// Goes on with what an earlier life has kept.
  mutating func restore(_ state: Span<UInt8>) { ledger.restore(state) }

  /// Tells the ledger which ride has ended, and now and then the date.
  mutating func look(at tracker: borrowing Tracker) {
    if tracker.endedRides != toldRides {
      toldRides = tracker.endedRides
      toldDistance = tracker.lastRideDistance
      if let trip = tracker.lastTrip, let end = trip.end {
        var ride = GearRide()
        // Who is carried wears nothing out.
        let isRidden = !tracker.isLastRideCarried
        ride.metres = UInt32(clamping: Elementary.roundedInteger(trip.distance))
        ride.moving = isRidden ? UInt32(clamping: (trip.moving.microseconds + 500_000) / 1_000_000) : 0
        ride.start = tracker.utc(of: trip.start)?.secondsSince1970 ?? 0
        ride.end = tracker.utc(of: end)?.secondsSince1970 ?? 0
        ledger.note(ride, isHome: tracker.isParkedAtHome)
      }
    }
    if toldRides > 0, tracker.lastRideDistance > toldDistance {
      toldDistance = tracker.lastRideDistance
      ledger.lengthenLastRide(to: UInt32(clamping: Elementary.roundedInteger(toldDistance)))
    }
    guard tracker.now >= nextDay, ledger.isUsed else { return }
    guard let utc = tracker.utc(of: tracker.now) else { return }
    nextDay = tracker.now + GearKeeper.dayInterval
    ledger.note(day: utc.daysSince1970)
    // After a restart a ride may be over before a receiver tells the time.
    guard toldRides > 0, let trip = tracker.lastTrip, let end = trip.end else { return }
    ledger.date(
      start: tracker.utc(of: trip.start)?.secondsSince1970 ?? 0, end: tracker.utc(of: end)?.secondsSince1970 ?? 0)
  }

  /// Obeys a request about gear that the tracker has let in.
  ///
  /// - Parameters:
  ///   - command: The bytes of the input.
  ///   - verdict: What they say; nil when they are the bare text of a request.
  ///   - tracker: After it took the input.
  /// - Returns: The answer and the number of the request; nil when the gear has nothing to say to it.
  mutating func answer(
    to command: [UInt8], _ verdict: RequestVerdict?, of tracker: borrowing Tracker
  ) -> (answer: GearAnswer, number: UInt32)? {
    let request: Request?
    var number: UInt32 = 0
    if case .admitted(let admitted, _, let given, _)? = verdict {
      number = given
      // What was obeyed before is not obeyed again.
      request = given > 0 && tracker.lastRequestAnswer == .repeated ? nil : admitted
    } else {
      request = verdict == nil ? Request(logged: command.span) : nil
    }
    switch request {
    case .gear(let words)?:
      let id = tracker.configuration.trackerID
      let utc = tracker.utc(of: tracker.now)
      return (ledger.obey(words.span, request: number, utc: utc, tracker: id.span), number)
    case .odometer(.carried)?: if tracker.lastTrip?.end != nil, tracker.isLastRideCarried { ledger.carryLastRide() }
    case .unclaim?: ledger.forgetOwner()
    default: break
    }
    return nil
  }

  /// False when `nextNotice` has nothing.
  var mayHaveNotice: Bool { ledger.hasNews }

  /// What the ledger tells by itself, one at a time.
  mutating func nextNotice() -> GearAnswer? { ledger.nextNotice() }

  /// Gives a store what has changed, to go with the next change of the state.
  mutating func keepChanges(in store: any TrackerStore) {
    while let tag = ledger.nextChange() {
      var record = ByteBuffer()
      ledger.encode(tag, into: &record)
      store.keep(beside: tag, record.bytes)
    }
  }
}

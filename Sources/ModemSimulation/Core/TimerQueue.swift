import Quantities

/// What may happen in the modem at a later time.
enum ModemEvent: Equatable, Sendable {
  /// The line that was received is executed.
  case runLine
  /// The final result of the running command is due.
  case result
  /// An answer that was held back (fault F10) is due.
  case lateAnswer
  /// URCs held back while a line was typed are sent although the line is not finished.
  case releaseURCs
  /// The host did not supply the bytes it promised.
  case payloadTimeout
  /// A `+++` was followed by silence.
  case escape
  /// A step of switching on.
  case boot(BootStep)
  /// The power key has been low long enough to count.
  case powerKey
  /// The power key is still held.
  case powerKeyHeld
  /// The reset pin has been low long enough to count.
  case resetPin
  /// The module is switched off.
  case powerOff
  /// The module restarts.
  case restart
  /// The supply has recovered from a brown-out.
  case supplyBack
  /// The module may go to sleep.
  case sleep
  /// Something of the radio.
  case radio(RadioEvent)
  /// Something of the SIM.
  case sim(SIMEvent)
  /// Something of short messages.
  case sms(SMSEvent)
  /// A second of the GNSS receiver has passed.
  case gnssSecond
  /// The RI pin goes back.
  case ringEnds
  /// Something of the data commands.
  case data(DataEvent)
  /// A fault ends.
  case faultEnds(FaultEnd)

  /// True for what happens outside the module and goes on without its power.
  var isPhysical: Bool {
    switch self {
    case .powerKey, .powerKeyHeld, .resetPin, .supplyBack, .faultEnds: return true
    default: return false
    }
  }
}

/// The events to come, in the order of their time; of the same time, in the order they were set.
struct TimerQueue: Sendable {
  /// Most events that may wait; more are refused and counted.
  static let capacity = 256

  private struct Entry: Sendable {
    var time: Instant
    var order: UInt64
    var event: ModemEvent
  }

  private var entries: [Entry] = []
  private var order: UInt64 = 0
  /// Events that found no room.
  private(set) var refused = 0

  /// When the first event is due.
  var next: Instant? { entries.map(\.time).min() }

  /// Sets an event.
  mutating func set(_ event: ModemEvent, at time: Instant) {
    guard entries.count < TimerQueue.capacity else {
      refused += 1
      return
    }
    order += 1
    entries.append(Entry(time: time, order: order, event: event))
  }

  /// Takes back all events of that value.
  mutating func cancel(_ event: ModemEvent) { entries.removeAll { $0.event == event } }

  /// Takes back all events for which the answer is yes.
  mutating func cancel(where isMeant: (ModemEvent) -> Bool) { entries.removeAll { isMeant($0.event) } }

  /// True when such an event is set.
  func contains(_ event: ModemEvent) -> Bool { entries.contains { $0.event == event } }

  /// The first event due by `now`, taken out.
  mutating func popDue(by now: Instant) -> (time: Instant, event: ModemEvent)? {
    var first: Int?
    for (place, entry) in entries.enumerated() where entry.time <= now {
      guard let best = first else {
        first = place
        continue
      }
      if (entry.time, entry.order) < (entries[best].time, entries[best].order) { first = place }
    }
    guard let first else { return nil }
    let entry = entries.remove(at: first)
    return (entry.time, entry.event)
  }
}

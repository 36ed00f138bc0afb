import Quantities

/// The module's clock, which runs as long as there is a battery.
struct ModemClock: Equatable, Sendable {
  /// UTC minus the monotonic clock, µs; nil while it has not been set.
  var offset: Int64?
}

extension SimulatedModem {
  /// True time, as network and satellites know it.
  var utcNow: UTCTime { configuration.startTime + (now - .zero) }

  /// Time of the module's clock: from 6 January 1980 at the origin while it has not been set (assumed).
  var clockNow: UTCTime {
    guard let offset = clock.offset else {
      return UTCTime(microseconds: 3_657 * UTCTime.microsecondsPerDay) + (now - .zero)
    }
    return UTCTime(microseconds: now.microseconds &+ offset)
  }

  /// Sets the module's clock.
  mutating func setClock(utc: UTCTime) { clock.offset = utc.microseconds &- now.microseconds }
}

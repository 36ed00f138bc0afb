import CLinuxShim
import Glibc
import Quantities

/// The machine's clocks, looked at once: for telling whether they can be relied on, never for measuring time.
package struct SystemClock: Equatable, Sendable {
  /// Seconds since 1970 in UTC, as the machine believes.
  package var utcSeconds: Int64
  /// Time since the start that never jumps, without the time the machine was suspended.
  package var monotonic: Instant
  /// The same with the time it was suspended.
  package var sinceStart: Instant
  /// Whether the kernel holds the clock for set by a time server or a receiver; nil when it does not tell.
  package var isSynchronised: Bool?

  /// Readings.
  package init(utcSeconds: Int64, monotonic: Instant, sinceStart: Instant, isSynchronised: Bool?) {
    self.utcSeconds = utcSeconds
    self.monotonic = monotonic
    self.sinceStart = sinceStart
    self.isSynchronised = isSynchronised
  }

  /// The clocks now.
  ///
  /// - Source: clock_gettime(2), adjtimex(2).
  package static var now: SystemClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let utc = Int64(time.tv_sec)
    clock_gettime(CLOCK_BOOTTIME, &time)
    let start = Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    let code = leash_clock_is_synchronised()
    return SystemClock(
      utcSeconds: utc, monotonic: MonotonicClock.now, sinceStart: start, isSynchronised: code < 0 ? nil : code == 1)
  }
}

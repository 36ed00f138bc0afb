import CSystemd
import LinuxDevices
import Quantities

/// Tells systemd that the service is ready and alive, when it was started by systemd and asks for that; else does nothing.
///
/// It is alive as long as its run loop turns: a loop that hangs lets the watchdog end the service, and systemd starts it
/// again.
///
/// - Source: sd_notify(3), sd_watchdog_enabled(3).
package final class ServiceNotifier: LoopMember {
  private let interval: Interval?
  private var due: Instant?

  /// Asks systemd's variables whether a watchdog waits.
  package init() {
    var microseconds: UInt64 = 0
    let isWatched = sd_watchdog_enabled(0, &microseconds) > 0 && microseconds >= 2
    interval = isWatched ? Interval(microseconds: Int64(min(microseconds, 1 << 40) / 2)) : nil
  }

  /// The service does its work from now on.
  package func ready(at now: Instant) {
    sd_notify(0, "READY=1")
    due = interval.map { now + $0 }
  }

  /// What the service does, in a line.
  package func tell(_ text: String) {
    sd_notify(0, "STATUS=\(text)")
  }

  /// The service reads its configuration again; the time is for units of the type notify-reload.
  package func reloading(at now: Instant) { sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(now.microseconds)") }
  /// The service ends.
  package func stopping() { sd_notify(0, "STOPPING=1") }

  /// No descriptors of its own.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  /// Half a watchdog interval after the last sign of life.
  package var nextDeadline: Instant? { due }

  /// Gives a sign of life.
  package func advance(to now: Instant) {
    guard let interval, let due, now >= due else { return }
    sd_notify(0, "WATCHDOG=1")
    self.due = now + interval
  }
}

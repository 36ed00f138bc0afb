import CLinuxShim
import Glibc

/// What a signal asks of a program that runs on.
package enum RunSignal: Sendable {
  /// SIGINT or SIGTERM: end in good order.
  case stop
  /// SIGHUP: read the configuration again.
  case reload
}

/// The signals that a running tracker answers, as a descriptor.
///
/// Make it before any thread: those that exist already would still be ended by the signals. One at a time in a process, and
/// none beside `StopSignals`.
package final class RunSignals {
  /// Readable when a signal has come.
  package let descriptor: Int32

  /// - Throws: When the process has no file descriptors left.
  package init() throws(DeviceFailure) {
    descriptor = leash_stop_signals()
    guard descriptor >= 0 else { throw DeviceFailure(.create, "signalfd", errorNumber: -descriptor, .other) }
  }

  /// The next signal that came; nil when there is none. The kernel keeps one of each kind.
  package func next() -> RunSignal? {
    switch leash_next_signal(descriptor) {
    case SIGINT, SIGTERM: .stop
    case SIGHUP: .reload
    default: nil
    }
  }

  deinit {
    // A signal that is still pending would end the process as soon as it is let through.
    while next() != nil {}
    close(descriptor)
    leash_unblock_stop_signals()
  }
}

/// How the process takes signals that are no wish of anybody.
package enum ProcessSignals {
  /// Has a write to a closed socket fail with EPIPE, and one beyond the limit of a file's size with EFBIG, in place of ending
  /// the process.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}

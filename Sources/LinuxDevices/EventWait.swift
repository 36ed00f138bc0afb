import CLinuxShim
import Glibc
public import Quantities

/// Waits for any of a few descriptors, or for a time.
public struct EventWait {
  private var requests: [pollfd] = []

  /// Waits for nothing yet.
  public init() {}

  /// Forgets all descriptors.
  public mutating func removeAll() { requests.removeAll(keepingCapacity: true) }

  /// Adds a descriptor; one below zero is never ready.
  ///
  /// - Returns: Its place, to ask with after `wait`.
  @discardableResult public mutating func add(
    _ descriptor: Int32, reading: Bool = true, writing: Bool = false
  ) -> Int {
    let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
    requests.append(pollfd(fd: descriptor, events: events, revents: 0))
    return requests.count - 1
  }

  /// Sleeps until a descriptor is ready or the time has come; nil waits without end.
  public mutating func wait(until deadline: Instant?) {
    for place in requests.indices { requests[place].revents = 0 }
    let remaining = deadline.map { max(0, ($0 - MonotonicClock.now).microseconds) } ?? -1
    _ = leash_poll(&requests, UInt32(requests.count), remaining)
  }

  /// True when there is something to read, or the other side is gone, which reading shows.
  public func isReadable(_ place: Int) -> Bool {
    requests[place].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// True when the descriptor takes bytes, or the other side is gone, which writing shows.
  public func isWritable(_ place: Int) -> Bool {
    requests[place].revents & Int16(POLLOUT | POLLHUP | POLLERR | POLLNVAL) != 0
  }
}

/// A descriptor that one thread makes readable to wake another.
package final class WakeUp: Sendable {
  /// For `poll`.
  package let descriptor: Int32

  /// - Throws: When the process has no file descriptors left.
  package init() throws(DeviceFailure) {
    descriptor = leash_event()
    guard descriptor >= 0 else { throw DeviceFailure(.create, "eventfd", errorNumber: -descriptor, .other) }
  }

  deinit { close(descriptor) }

  /// Makes it readable.
  package func signal() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Makes it unreadable again.
  package func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}

/// The wish of the user or the system that this process ends, as a descriptor.
///
/// Make it before any thread: those that exist already would still be ended by the signals.
package final class StopSignals {
  /// Readable once SIGINT, SIGTERM or SIGHUP has come.
  package let descriptor: Int32

  /// - Throws: When the process has no file descriptors left.
  package init() throws(DeviceFailure) {
    descriptor = leash_stop_signals()
    guard descriptor >= 0 else { throw DeviceFailure(.create, "signalfd", errorNumber: -descriptor, .other) }
  }

  deinit {
    // A signal that is still pending would end the process as soon as it is let through.
    var information = [UInt8](repeating: 0, count: 4096)
    _ = read(descriptor, &information, information.count)
    close(descriptor)
    leash_unblock_stop_signals()
  }
}

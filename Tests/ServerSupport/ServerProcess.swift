import Glibc
import LinuxDevices
import Quantities

/// A program of the system that a test runs, and ends.
package final class ServerProcess {
  private var process: pid_t = -1
  /// Hung up once the program has ended: it has the other end as its standard output.
  private var end: Int32 = -1

  /// Where a program is; nil when it is not installed.
  package static func path(of program: String) -> String? {
    ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"].map { $0 + program }
      .first { access($0, X_OK) == 0 }
  }

  /// Starts a program whose output goes nowhere.
  package init(_ path: String, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SetUpFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    end = ends[0]
    defer { close(ends[1]) }
    do throws(DeviceFailure) {
      process = try ChildProcess.start(
        [path] + arguments,
        files: [
          .path(0, "/dev/null", flags: O_RDONLY), .copy(1, of: ends[1]), .path(2, "/dev/null", flags: O_WRONLY),
        ])
    } catch {
      throw SetUpFailure("\(path): \(error.systemText)")
    }
  }

  deinit {
    kill()
    if end >= 0 { close(end) }
  }

  /// Waits until something is so, ten seconds at most; false also when the program ends first.
  package func waits(for isSo: () -> Bool) -> Bool {
    let limit = MonotonicClock.now + .seconds(10)
    while !isSo() {
      // Servers do not tell when they listen: it is asked for again and again, and their end is told.
      var wait = EventWait()
      let place = wait.add(end)
      wait.wait(until: MonotonicClock.now + .milliseconds(2))
      if wait.isReadable(place) || MonotonicClock.now >= limit { return false }
    }
    return true
  }

  /// Its number; -1 once it was ended.
  package var number: Int32 { process }

  /// Ends it as a power cut would, and waits until it is gone.
  package func kill() {
    guard process > 0 else { return }
    Glibc.kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    process = -1
  }
}

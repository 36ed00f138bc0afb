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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SetUpFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    end = ends[0]
    defer { close(ends[1]) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What the test's thread blocks or ignores is none of the program's business.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    let code = posix_spawn(&process, path, &actions, &attributes, words, environ)
    guard code == 0 else {
      process = -1
      throw SetUpFailure("\(path): \(String(cString: strerror(code)))")
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

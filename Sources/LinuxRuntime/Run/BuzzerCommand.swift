import Glibc
import LinuxDevices
import Quantities
import TrackerCore

/// A program that makes the sound, called with the pattern and the length in seconds: `COMMAND steady 5`.
///
/// A new sound ends the program of the one before; one of no length does nothing else. What the program says is not read.
final class BuzzerCommand: SoundMaker {
  private let path: String
  /// The last, and those of before that have not been collected.
  private(set) var children: [pid_t] = []

  init(_ path: String) { self.path = path }

  /// Never called: it makes its patterns by itself.
  func set(isOn: Bool) {}

  func begin(_ pattern: SoundPattern, for duration: Interval) -> Bool {
    if let last = children.last { kill(last, SIGTERM) }
    // Nobody waits for the end of a sound; those that have ended are collected before the next.
    children.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    guard duration > .zero else { return true }
    if let child = start(["\(pattern.word)", "\((duration.microseconds + 999_999) / 1_000_000)"]) {
      children.append(child)
    }
    return true
  }

  private func start(_ arguments: [String]) -> pid_t? {
    let own = (0...2).map { ChildProcess.File.path($0, "/dev/null", flags: O_RDWR) }
    // Ports, sockets and the state file are not for others.
    return try? ChildProcess.start([path] + arguments, files: own + (3..<256).map { .none($0) })
  }

  deinit { if let last = children.last { kill(last, SIGTERM) } }
}

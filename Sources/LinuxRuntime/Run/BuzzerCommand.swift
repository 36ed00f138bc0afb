import Glibc
import LinuxDevices
import Quantities
import TrackerCore

/// A program that makes the tone, called for each tone with the pattern and the seconds that it lasts at most: `COMMAND steady 1`.
///
/// The end of the tone ends the program and all that it has started: a beat that the program kept by itself would not be that of the
/// detectors. What the program says is not read.
final class BuzzerCommand: SoundMaker {
  private let path: String
  private var pattern = SoundPattern.steady
  /// The last, and those of before that have not been collected.
  private(set) var children: [pid_t] = []

  init(_ path: String) { self.path = path }

  func choose(_ pattern: SoundPattern) { self.pattern = pattern }

  func set(isOn: Bool) {
    end()
    // Nobody waits for the end of a tone; those that have ended are collected before the next.
    children.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    guard isOn else { return }
    let seconds = (pattern.beat.on.microseconds + 999_999) / 1_000_000
    if let child = start(["\(pattern.word)", "\(seconds)"]) { children.append(child) }
  }

  private func end() { if let last = children.last { kill(-last, SIGTERM) } }

  private func start(_ arguments: [String]) -> pid_t? {
    let own = (0...2).map { ChildProcess.File.path($0, "/dev/null", flags: O_RDWR) }
    return try? ChildProcess.start([path] + arguments, files: own, isGroup: true)
  }

  deinit { end() }
}

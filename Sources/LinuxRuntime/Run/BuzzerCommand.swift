import Glibc
import Quantities
import TrackerCore

/// A program that makes the sound, called with the pattern and the length in seconds: `COMMAND steady 5`.
///
/// A new sound ends the program of the one before. What the program says is not read.
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
    if let child = start(["\(pattern.word)", "\((duration.microseconds + 999_999) / 1_000_000)"]) {
      children.append(child)
    }
    return true
  }

  private func start(_ arguments: [String]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // Ports, sockets and the state file are not for others.
    for descriptor: Int32 in 3..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // The run loop takes its signals from a descriptor and has them blocked; a program that inherits that could not be ended.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    return posix_spawn(&child, path, &actions, &attributes, words, environ) == 0 ? child : nil
  }

  deinit { if let last = children.last { kill(last, SIGTERM) } }
}

import CLinuxShim
import Glibc

/// Programs as processes of their own.
package enum ChildProcess {
  /// What becomes of a descriptor in the program.
  package enum File {
    /// It is this file.
    case path(Int32, String, flags: Int32)
    /// It is another name of one of this process.
    case copy(Int32, of: Int32)
  }

  /// Starts a program.
  ///
  /// No signal is blocked or ignored in it: a loop that takes its signals from a descriptor has them blocked, and a program that
  /// inherits that could not be ended.
  ///
  /// - Parameters:
  ///   - words: Its path and its arguments.
  ///   - environment: `NAME=VALUE`; nil for that of this process.
  ///   - files: What becomes of its descriptors, in this order; 0 to 2 are else as they are here, and all others are closed: ports,
  ///     sockets and the state file are not for others, and who waits for the end of a pipe would wait for this program, too.
  ///   - isGroup: Whether it leads a group of its own, so that a signal reaches what it has started, too.
  /// - Returns: The number of the process.
  /// - Throws: When it can't be started.
  package static func start(
    _ words: [String], environment: [String]? = nil, files: [File], isGroup: Bool = false
  ) throws(DeviceFailure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for file in files {
      switch file {
      case .path(let descriptor, let path, let flags):
        posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o644)
      case .copy(let descriptor, let other): posix_spawn_file_actions_adddup2(&actions, other, descriptor)
      }
    }
    _ = leash_spawn_closes(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, isGroup ? flags | Int16(POSIX_SPAWN_SETPGROUP) : flags)
    let arguments = words.map { strdup($0) } + [nil]
    let variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var number: pid_t = -1
    let code =
      if environment == nil {
        posix_spawn(&number, words[0], &actions, &attributes, arguments, environ)
      } else {
        posix_spawn(&number, words[0], &actions, &attributes, arguments, variables)
      }
    guard code == 0 else { throw DeviceFailure(.open, words[0], errorNumber: code, .other) }
    return number
  }
}

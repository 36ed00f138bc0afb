import Glibc

/// What the command tells its caller.
package enum ExitCode: Int32, Sendable {
  /// It did what was asked.
  case success = 0
  /// It ran, and what it was to check does not hold.
  case checkFailed = 1
  /// It was called wrongly.
  case usage = 2
  /// A file, a port or the machine did not allow it.
  case environment = 3
}

/// Why a command could not go on: one line for the user, and the exit code.
package struct CommandFailure: Error, Equatable, Sendable {
  /// What went wrong and what was expected, without the program's name in front and without a full stop.
  package var message: String
  /// The kind of failure.
  package var exitCode: ExitCode

  /// A failure of any kind.
  package init(_ message: String, _ exitCode: ExitCode) {
    self.message = message
    self.exitCode = exitCode
  }

  /// A file, a port or the machine did not allow it.
  package static func environment(_ message: String) -> CommandFailure { CommandFailure(message, .environment) }

  /// A file can't be opened, for the reason that the system has just given.
  static func unopened(_ path: String) -> CommandFailure {
    .environment("\(path): can't open: \(String(cString: strerror(errno)))")
  }

  /// A file can't be read, for the reason that the system has just given.
  static func unread(_ path: String) -> CommandFailure {
    .environment("\(path): can't read: \(String(cString: strerror(errno)))")
  }

  /// It was called wrongly.
  package static func usage(_ message: String) -> CommandFailure { CommandFailure(message, .usage) }

  /// What was to be checked does not hold.
  package static func check(_ message: String) -> CommandFailure { CommandFailure(message, .checkFailed) }
}
